import Foundation

/// A JSON value as a client without any library of ours reads it. A member that is missing reads as `missing`, whatever is
/// asked of it.
@dynamicMemberLookup
enum JSON: Hashable, Sendable {
    case object([String: JSON])
    case array([JSON])
    case string(String)
    case integer(Int)
    case fraction(Double)
    case boolean(Bool)
    case missing

    /// Reads a text. Answers hold no `null`, so it is refused like anything that is no JSON.
    init(_ text: [UInt8]) throws {
        self = try JSONDecoder().decode(JSON.self, from: Data(text))
    }

    subscript(dynamicMember name: String) -> JSON {
        if case .object(let members) = self { members[name] ?? .missing } else { .missing }
    }

    subscript(index: Int) -> JSON {
        items.indices.contains(index) ? items[index] : .missing
    }

    /// The names of the members.
    var names: Set<String> {
        if case .object(let members) = self { Set(members.keys) } else { [] }
    }

    /// The elements of an array.
    var items: [JSON] {
        if case .array(let elements) = self { elements } else { [] }
    }

    /// The text of a string; empty for anything else.
    var text: String {
        if case .string(let text) = self { text } else { "" }
    }

    /// The value of an integer; -1 for anything else.
    var int: Int {
        if case .integer(let number) = self { number } else { -1 }
    }
}

extension JSON: Decodable {
    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let boolean = try? value.decode(Bool.self) {
            self = .boolean(boolean)
        } else if let integer = try? value.decode(Int.self) {
            self = .integer(integer)
        } else if let fraction = try? value.decode(Double.self) {
            self = .fraction(fraction)
        } else if let string = try? value.decode(String.self) {
            self = .string(string)
        } else if let elements = try? value.decode([JSON].self) {
            self = .array(elements)
        } else {
            self = .object(try value.decode([String: JSON].self))
        }
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral
{
    init(stringLiteral value: String) { self = .string(value) }
    init(integerLiteral value: Int) { self = .integer(value) }
    init(booleanLiteral value: Bool) { self = .boolean(value) }
    init(arrayLiteral elements: JSON...) { self = .array(elements) }
}
