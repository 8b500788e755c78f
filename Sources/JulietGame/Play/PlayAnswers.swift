import JulietAPI
import Postgres

/// A row whose first field says whether the request was refused.
protocol RefusableRow: PostgresDecodable, Sendable {
    /// The value otherwise.
    associatedtype Value: Sendable

    /// The refusal; nil: done.
    var refusal: PlayRefusal? { get }
    /// The value, if there is one.
    var value: Value? { get }
}

extension PostgresClient {
    /// Calls a function that answers one row.
    func ask<Row: RefusableRow>(_ call: FunctionCall<Row>) async throws(PostgresError) -> PlayOutcome<Row.Value> {
        let row = try await first(call)
        guard let value = row?.value, row?.refusal == nil else { return .refused(row?.refusal ?? .notFound) }
        return .done(value)
    }

    /// Calls a function that returns a row with its refusal or none, and then a row for each result.
    func list<Row: RefusableRow>(_ call: FunctionCall<Row>) async throws(PostgresError) -> PlayOutcome<[Row.Value]> {
        let rows = try await execute(call)
        if let refusal = rows.first?.refusal { return .refused(refusal) }
        return .done(rows.compactMap(\.value))
    }
}

extension CompositeReader {
    /// Reads the refusal, which is every answer's first field.
    mutating func refusal(in bytes: Span<UInt8>) throws(PostgresDecodingError.Reason) -> PlayRefusal? {
        guard let text = try next(String?.self, in: bytes) else { return nil }
        guard let refusal = PlayRefusal(rawValue: text) else { throw .malformed }
        return refusal
    }

    mutating func integer(in bytes: Span<UInt8>) throws(PostgresDecodingError.Reason) -> Int {
        Int(try next(Int32?.self, in: bytes) ?? 0)
    }
}

extension V2.Timestamp {
    init(_ timestamp: PostgresTimestamp) { self.init(microsecondsSince1970: timestamp.microsecondsSince1970) }
}

extension V2.Day {
    init(_ date: PostgresDate) { self.init(daysSince1970: Int(date.daysSince1970)) }

    /// nil for days that a database cannot hold.
    var date: PostgresDate? { Int32(exactly: daysSince1970).map(PostgresDate.init(daysSince1970:)) }
}

extension PostgresUUID {
    /// 32 digits, without hyphens.
    var digits: String { String(description.utf8.filter { $0 != UInt8(ascii: "-") }.map { Character(.init($0)) }) }
}
