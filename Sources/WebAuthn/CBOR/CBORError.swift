/// Why bytes are not CBOR that is taken here.
enum CBORError: Error, CaseIterable {
    /// They end too early.
    case unexpectedEnd
    /// Something follows the item.
    case trailingBytes
    /// A number or a length is written longer than it must be.
    case notShortest
    /// A length that is told only by an end.
    case indefiniteLength
    /// A tag.
    case tag
    /// A simple value that nobody has given a meaning, or one that is written in a second way.
    case simpleValue
    /// The reserved values 28 to 30 of a length.
    case reserved
    /// A text string that is not well-formed UTF-8.
    case invalidUTF8
    /// A key that is not greater than the one before: out of order, or twice.
    case keyOrder
    /// More than ``CBORReader/maximumDepth`` arrays and maps open at once.
    case tooDeep
}
