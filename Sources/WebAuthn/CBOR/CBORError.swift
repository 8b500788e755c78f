/// Why bytes are not CBOR that is accepted here.
enum CBORError: Error, CaseIterable {
    /// They end too early.
    case unexpectedEnd
    /// Something follows the item.
    case trailingBytes
    /// A number or a length is written longer than it must be. Only of the canonical form.
    case notShortest
    /// An indefinite length, or one in the wrong place.
    case indefiniteLength
    /// A tag. Only of the canonical form.
    case tag
    /// An unassigned simple value, or one in a second spelling.
    case simpleValue
    /// The reserved values 28 to 30 of a length.
    case reserved
    /// A text string that is not well-formed UTF-8.
    case invalidUTF8
    /// A key that is not greater than the one before: out of order, or twice. Only of the canonical form.
    case keyOrder
    /// A key that comes twice. Not of the canonical form, where it is out of order.
    case keyTwice
    /// More than ``CBORReader/maximumDepth`` arrays, maps and tags open at once.
    case tooDeep
}
