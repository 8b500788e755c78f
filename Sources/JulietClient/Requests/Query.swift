/// The query of a request: names and values in the order they are sent.
///
/// ```swift
/// var query: Query { ["day": day, "letters": [5, 6]] }  // day=2026-03-01&letters%5B%5D=5&letters%5B%5D=6
/// ```
///
/// A nil is left out, an array is its elements under `name[]`. Percent-encoding comes last, when it is sent.
public struct Query: Hashable, Sendable, ExpressibleByDictionaryLiteral {
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

/// What can stand in a query.
public protocol QueryValue: Sendable {
    /// The value's items: one, none for a nil, several for an array.
    func queryItems(named name: String) -> [QueryItem]
}

extension QueryValue where Self: CustomStringConvertible {
    /// The text of the value.
    public func queryItems(named name: String) -> [QueryItem] {
        [QueryItem(name, description)]
    }
}

extension QueryValue where Self: RawRepresentable, RawValue: QueryValue {
    /// The raw value.
    public func queryItems(named name: String) -> [QueryItem] {
        rawValue.queryItems(named: name)
    }
}

extension String: QueryValue {}
extension Substring: QueryValue {}
extension Bool: QueryValue {}
extension Int: QueryValue {}
extension Int64: QueryValue {}
extension Double: QueryValue {}

extension Optional: QueryValue where Wrapped: QueryValue {
    /// None for nil.
    public func queryItems(named name: String) -> [QueryItem] {
        map { $0.queryItems(named: name) } ?? []
    }
}

extension Array: QueryValue where Element: QueryValue {
    /// The elements in their order, under `name[]`.
    public func queryItems(named name: String) -> [QueryItem] {
        flatMap { $0.queryItems(named: name + "[]") }
    }
}
