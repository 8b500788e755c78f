/// The query of a request: names and values in the order they are sent.
///
/// ```swift
/// var query: RequestQuery { ["day": day, "letters": [5, 6]] }  // day=2026-03-01&letters%5B%5D=5&letters%5B%5D=6
/// ```
///
/// A nil is left out, an array is its elements under `name[]`; an array of arrays does not compile, because servers read it
/// in different ways. Percent-encoding comes last, when it is sent.
public struct RequestQuery: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// What is sent.
    public var items: [QueryItem]

    /// Takes items as they are.
    public init(_ items: [QueryItem]) {
        self.items = items
    }

    /// Names values; the same name may come twice.
    public init(dictionaryLiteral elements: (String, any QueryValue)...) {
        items = elements.flatMap { name, value in value.queryItems(named: name) }
    }
}

/// What can stand in a query: a single value, an optional one, an array of them.
public protocol QueryValue: Sendable {
    /// The value's items: one, none for a nil, several for an array.
    func queryItems(named name: String) -> [QueryItem]
}

/// A single value of a query, which can also be an element of an array. A type with a raw value or a `description` needs
/// nothing but the conformance.
public protocol QueryElement: QueryValue {
    /// The value as text; not percent-encoded.
    var queryText: String { get }
}

extension QueryElement {
    /// The text under the name.
    public func queryItems(named name: String) -> [QueryItem] {
        [QueryItem(name, queryText)]
    }
}

extension QueryElement where Self: CustomStringConvertible {
    /// The description.
    public var queryText: String { description }
}

extension QueryElement where Self: RawRepresentable, RawValue: QueryElement {
    /// The text of the raw value.
    public var queryText: String { rawValue.queryText }
}

extension QueryElement where Self: RawRepresentable, Self: CustomStringConvertible, RawValue: QueryElement {
    /// The text of the raw value.
    public var queryText: String { rawValue.queryText }
}

extension String: QueryElement {}
extension Substring: QueryElement {}
extension Bool: QueryElement {}
extension Int: QueryElement {}
extension Int64: QueryElement {}
extension Double: QueryElement {}

extension Optional: QueryValue where Wrapped: QueryValue {
    /// None for nil.
    public func queryItems(named name: String) -> [QueryItem] {
        map { $0.queryItems(named: name) } ?? []
    }
}

extension Array: QueryValue where Element: QueryElement {
    /// The elements in their order, under `name[]`.
    public func queryItems(named name: String) -> [QueryItem] {
        map { QueryItem(name + "[]", $0.queryText) }
    }
}
