/// The names of an object so far, to refuse duplicates.
struct JSONNames {
    // Bytes, not strings: JSON names are the same when their characters are, and Swift's `==` would also call "é"
    // and "e" with a combining accent the same.
    private var names: Set<[UInt8]> = []

    /// Adds a name, compared unescaped.
    ///
    /// - Throws: `JSONError.Reason.duplicateName`, nothing added.
    mutating func insert(_ name: JSONText, in bytes: Span<UInt8>) throws(JSONError) {
        guard names.insert(try name.utf8(in: bytes)).inserted else {
            throw JSONError(.duplicateName, at: name.range.lowerBound)
        }
    }
}
