/// A range of values, such as an `int4range` or a `tstzrange`: all values between two bounds, or none.
///
/// A parameter is the range type over the bounds' type (`Int32`: `int4range`, `Int`: `int8range`, ``PostgresNumeric``:
/// `numrange`, ``PostgresDate``: `daterange`, ``PostgresTimestamp``: `tstzrange`, ``PostgresLocalTimestamp``: `tsrange`);
/// over other types, whose range types are made in the database, its type is left to the server.
///
/// PostgreSQL rewrites ranges of whole numbers and days: `[1,5]` comes back as `[1,6)`.
public struct PostgresRange<Value: Sendable>: Sendable {
    /// Where a range begins or ends.
    public enum Bound: Sendable {
        /// At a value, which is in the range.
        case inclusive(Value)
        /// At a value, which is not in the range.
        case exclusive(Value)
        /// Nowhere.
        case unbounded

        /// The value, if there is one.
        public var value: Value? {
            switch self {
            case .inclusive(let value), .exclusive(let value): value
            case .unbounded: nil
            }
        }
    }

    /// The bounds; `nil`: the range is empty.
    public let bounds: (lower: Bound, upper: Bound)?

    /// A range with bounds. The server refuses a lower bound above the upper one (SQLSTATE 22000).
    public init(lower: Bound, upper: Bound) { bounds = (lower, upper) }

    private init() { bounds = nil }

    /// The range without values.
    public static var empty: PostgresRange { PostgresRange() }

    /// Whether it has no values.
    public var isEmpty: Bool { bounds == nil }
}

extension PostgresRange where Value: Comparable {
    /// A range that ends before its upper bound. Without values it is empty.
    public init(_ range: Range<Value>) {
        self = range.isEmpty ? .empty : Self(lower: .inclusive(range.lowerBound), upper: .exclusive(range.upperBound))
    }

    /// A range with both bounds.
    public init(_ range: ClosedRange<Value>) {
        self.init(lower: .inclusive(range.lowerBound), upper: .inclusive(range.upperBound))
    }

    /// Whether a value is in the range.
    public func contains(_ value: Value) -> Bool {
        guard let bounds else { return false }
        let isAbove =
            switch bounds.lower {
            case .inclusive(let bound): bound <= value
            case .exclusive(let bound): bound < value
            case .unbounded: true
            }
        guard isAbove else { return false }
        return switch bounds.upper {
        case .inclusive(let bound): value <= bound
        case .exclusive(let bound): value < bound
        case .unbounded: true
        }
    }
}

extension PostgresRange.Bound: Equatable where Value: Equatable {}
extension PostgresRange.Bound: Hashable where Value: Hashable {}

extension PostgresRange: Equatable where Value: Equatable {
    /// Whether the bounds are the same: `[1,5]` and `[1,6)` are two.
    public static func == (left: PostgresRange, right: PostgresRange) -> Bool {
        switch (left.bounds, right.bounds) {
        case (let left?, let right?): left == right
        case (nil, nil): true
        default: false
        }
    }
}

extension PostgresRange: Hashable where Value: Hashable {
    /// Hashes the bounds.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(bounds?.lower)
        hasher.combine(bounds?.upper)
    }
}

/// The flags that begin a range's binary form (`utils/rangetypes.h`).
private enum RangeFlags {
    static let empty: UInt8 = 0x01
    static let lowerInclusive: UInt8 = 0x02
    static let upperInclusive: UInt8 = 0x04
    static let lowerUnbounded: UInt8 = 0x08
    static let upperUnbounded: UInt8 = 0x10
}

extension PostgresRange: PostgresEncodable where Value: PostgresEncodable {
    /// The type that the parameter is declared with.
    public static var postgresType: PostgresType { Value.postgresType.range ?? .unspecified }

    /// Writes the binary form. A bound that is NULL makes the writer fail.
    public func encode(to writer: inout ParameterWriter) {
        guard let bounds else { return writer.append(RangeFlags.empty) }
        var flags: UInt8 = 0
        switch bounds.lower {
        case .inclusive: flags |= RangeFlags.lowerInclusive
        case .unbounded: flags |= RangeFlags.lowerUnbounded
        case .exclusive: break
        }
        switch bounds.upper {
        case .inclusive: flags |= RangeFlags.upperInclusive
        case .unbounded: flags |= RangeFlags.upperUnbounded
        case .exclusive: break
        }
        writer.append(flags)
        for case let value? in [bounds.lower.value, bounds.upper.value] {
            if value.isPostgresNull { writer.fail("NULL as the bound of a range") }
            writer.appendCounted { value.encode(to: &$0) }
        }
    }
}

extension PostgresRange: PostgresDecodable where Value: PostgresEncodable & PostgresDecodable {
    /// Reads the binary form. The bounds of a range type made in the database are taken for what they are asked for as.
    ///
    /// - Throws: `.type`, `.malformed`, or what a bound throws.
    public init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        guard type.bound != nil || type.isUserDefined, type != Value.postgresType.multirange else { throw .type(type) }
        guard bytes.count >= 1, bytes[0] < 0x20 else { throw .malformed }
        let flags = bytes[0]
        guard flags & RangeFlags.empty == 0 else {
            guard bytes.count == 1 else { throw .malformed }
            self = .empty
            return
        }
        var position = 1
        func next(_ unbounded: UInt8, _ inclusive: UInt8) throws(PostgresDecodingError.Reason) -> Bound {
            guard flags & unbounded == 0 else { return .unbounded }
            guard bytes.count - position >= 4 else { throw .malformed }
            let length = Int(bytes.integer(at: position, as: Int32.self))
            position += 4
            guard length >= 0, bytes.count - position >= length else { throw .malformed }
            defer { position += length }
            let value = try Value(
                binary: bytes.extracting(position..<position + length), type: type.bound ?? Value.postgresType)
            return flags & inclusive == 0 ? .exclusive(value) : .inclusive(value)
        }
        let lower = try next(RangeFlags.lowerUnbounded, RangeFlags.lowerInclusive)
        let upper = try next(RangeFlags.upperUnbounded, RangeFlags.upperInclusive)
        guard position == bytes.count else { throw .malformed }
        self.init(lower: lower, upper: upper)
    }
}

extension PostgresRange: CustomStringConvertible {
    /// As PostgreSQL writes it (`range_out`), if the bounds write themselves so: `[1,5)`, `(,2024-02-29]`, `empty`.
    public var description: String {
        guard let bounds else { return "empty" }
        var text = "("
        if case .inclusive = bounds.lower { text = "[" }
        if let value = bounds.lower.value { text += Self.quoted("\(value)") }
        text += ","
        if let value = bounds.upper.value { text += Self.quoted("\(value)") }
        if case .inclusive = bounds.upper { return text + "]" }
        return text + ")"
    }

    private static func quoted(_ text: String) -> String {
        let special: Set<Character> = ["\"", "\\", "(", ")", "[", "]", ","]
        guard text.isEmpty || text.contains(where: { special.contains($0) || $0.isWhitespace }) else { return text }
        return "\"" + text.flatMap { $0 == "\"" || $0 == "\\" ? [$0, $0] : [$0] } + "\""
    }
}

/// Several ranges that are one value, such as an `int4multirange` (PostgreSQL 14 and later).
///
/// PostgreSQL keeps them in order, without gaps of none and without overlaps: what was sent may come back rewritten.
public struct PostgresMultirange<Value: Sendable>: Sendable {
    /// The ranges.
    public var ranges: [PostgresRange<Value>]

    /// A multirange of these ranges, in any order.
    public init(_ ranges: [PostgresRange<Value>]) { self.ranges = ranges }
}

extension PostgresMultirange: Equatable where Value: Equatable {}
extension PostgresMultirange: Hashable where Value: Hashable {}

extension PostgresMultirange: PostgresEncodable where Value: PostgresEncodable {
    /// The type that the parameter is declared with.
    public static var postgresType: PostgresType { Value.postgresType.multirange ?? .unspecified }

    /// Writes the binary form.
    public func encode(to writer: inout ParameterWriter) {
        writer.append(Int32(truncatingIfNeeded: ranges.count))
        for range in ranges { writer.appendCounted { range.encode(to: &$0) } }
    }
}

extension PostgresMultirange: PostgresDecodable where Value: PostgresEncodable & PostgresDecodable {
    /// Reads the binary form.
    ///
    /// - Throws: `.type`, `.malformed`, or what a bound throws.
    public init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        let range = type.bound?.range
        guard type.isUserDefined || range != nil && range != type else { throw .type(type) }
        guard bytes.count >= 4 else { throw .malformed }
        let count = Int(bytes.integer(at: 0, as: Int32.self))
        // Each range takes five bytes at least: so no count makes anybody reserve more than came.
        guard 0...bytes.count / 5 ~= count else { throw .malformed }
        var ranges: [PostgresRange<Value>] = []
        ranges.reserveCapacity(count)
        var position = 4
        for _ in 0..<count {
            guard bytes.count - position >= 4 else { throw .malformed }
            let length = Int(bytes.integer(at: position, as: Int32.self))
            position += 4
            guard length >= 0, bytes.count - position >= length else { throw .malformed }
            ranges.append(
                try PostgresRange(binary: bytes.extracting(position..<position + length), type: range ?? type))
            position += length
        }
        guard position == bytes.count else { throw .malformed }
        self.ranges = ranges
    }
}

extension PostgresMultirange: CustomStringConvertible {
    /// As PostgreSQL writes it, if the bounds write themselves so: `{[1,3),[7,9)}`.
    public var description: String { "{" + ranges.map(\.description).joined(separator: ",") + "}" }
}
