/// A JSON value, for short texts that are signed. Read it with ``init(_:)``, which is as strict as Juliet's
/// requests.
package enum JSON: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case boolean(Bool)
    /// A number, as it is spelled.
    case number(ExactText)
    /// A string, unescaped.
    case string(ExactText)
    /// An array.
    case array([JSON])
    /// An object. No name comes twice.
    case object([ExactText: JSON])

    /// The members of an object; nil for anything else.
    package var members: [ExactText: JSON]? {
        guard case .object(let members) = self else { return nil }
        return members
    }

    /// The elements of an array; nil for anything else.
    package var elements: [JSON]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    /// The text of a string; nil for anything else.
    package var text: ExactText? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// `true` or `false`; nil for anything else.
    package var boolean: Bool? {
        guard case .boolean(let value) = self else { return nil }
        return value
    }

    /// A whole number, however it is spelled; nil for anything else, and for a spelling with a point or an exponent also
    /// beyond 2^53, up to which such numbers are exact.
    package var integer: Int? {
        guard case .number(let text) = self else { return nil }
        return Int(text.string) ?? number.flatMap { abs($0) <= 0x1p53 ? Int(exactly: $0) : nil }
    }

    /// The value of a number, rounded to the nearest one there is, infinite beyond 10^308; nil for anything else.
    package var number: Double? {
        guard case .number(let text) = self else { return nil }
        return Double(text.string)
    }
}
