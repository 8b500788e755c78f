/// Why bytes are not a JSON text that this contract accepts, and where the fault is.
package struct JSONError: Error, Equatable, Sendable {
    /// What is wrong, in words that complete "The body is not valid JSON: ...".
    package enum Reason: String, CaseIterable, Sendable {
        case empty = "it is empty"
        case byteOrderMark = "it starts with a byte order mark"
        case unexpectedEnd = "it ends too early"
        case unexpectedCharacter = "unexpected character"
        case trailingContent = "something follows the value"
        case controlCharacter = "control character in a string"
        case invalidUTF8 = "not UTF-8"
        case invalidEscape = "unknown escape in a string"
        case loneSurrogate = "half of a surrogate pair in a string"
        case nullCharacter = "U+0000 in a string"
        case duplicateName = "the same name twice in one object"
        case tooDeep = "nested too deeply"
        case notAnObject = "not an object"
    }

    /// What is wrong.
    package let reason: Reason
    /// The offset of the fault in bytes, 0 at the start.
    package let offset: Int

    /// Names a fault.
    package init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}
