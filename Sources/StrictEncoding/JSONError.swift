/// Bytes that are not the JSON text that is taken here.
package struct JSONError: Error, Equatable {
    /// The offset in bytes at which that showed.
    package let offset: Int
}
