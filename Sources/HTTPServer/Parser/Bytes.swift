extension [UInt8] {
    /// A copy of a part of a span.
    init(copying span: Span<UInt8>, _ range: Range<Int>) {
        self.init()
        append(copying: span, range)
    }

    /// Appends a part of a span. Only here bytes are copied through a pointer: appending byte by byte costs ten
    /// times as much.
    mutating func append(copying span: Span<UInt8>, _ range: Range<Int>) {
        guard !range.isEmpty else { return }
        span.extracting(range).withUnsafeBufferPointer { append(contentsOf: $0) }
    }
}

extension Span<UInt8> {
    /// Whether the bytes in the range are this lower-case ASCII text, in any case.
    func equalsIgnoringCase(_ range: Range<Int>, _ lowercase: StaticString) -> Bool {
        guard range.count == lowercase.utf8CodeUnitCount else { return false }
        return lowercase.withUTF8Buffer { text in
            for offset in 0..<text.count
            where CharacterClass.lowercased(self[range.lowerBound + offset]) != text[offset] {
                return false
            }
            return true
        }
    }
}
