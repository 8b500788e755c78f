/// The schema that this release's statements are written for.
package enum Schema {
    /// The number of the newest file in `migrations/`.
    package static let version = 22
}
