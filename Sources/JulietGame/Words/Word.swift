/// A word of ours.
package struct Word: Sendable {
    /// `words.id`.
    package typealias ID = Int32
}
