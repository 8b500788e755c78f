import JulietAPI
import Postgres

/// A call of a function of the second contract, which finds out whose the session is.
protocol PlayStatement: Statement where Row: PostgresDecodable {
    /// Who asks; nil: nobody in particular.
    var session: Credential? { get }
}

extension PlayStatement {
    var orderingKey: String? { session?.orderingKey }
    /// Where the player is kept. Statements that touch what only the coordinator has say nil.
    var routingKey: String? { session?.player?.rawValue }

    /// Twice more after a conflict: tokens of before are ordered by themselves, not by their players, so two devices of one
    /// player can stand in each other's way.
    static var attempts: Int { 3 }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Row { try row.next(Row.self) }
}

/// A row that says first whether something was refused.
protocol RefusableRow: PostgresDecodable {
    /// What it says otherwise.
    associatedtype Value: Sendable

    /// Why not; nil: done.
    var refusal: PlayRefusal? { get }
    /// What was found, if anything was.
    var value: Value? { get }
}

extension PostgresClient {
    /// Calls a function that answers one row.
    func ask<Function: PlayStatement>(
        _ function: Function
    ) async throws(PostgresError) -> PlayOutcome<Function.Row.Value> where Function.Row: RefusableRow {
        let row = try await first(function)
        guard let value = row?.value, row?.refusal == nil else { return .refused(row?.refusal ?? .notFound) }
        return .done(value)
    }

    /// Calls a function that answers a row with its refusal or none, and then a row for each thing found.
    func list<Function: PlayStatement>(
        _ function: Function
    ) async throws(PostgresError) -> PlayOutcome<[Function.Row.Value]> where Function.Row: RefusableRow {
        let rows = try await execute(function)
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

/// Bytes as lower-case hexadecimal digits.
func hexadecimal(_ bytes: [UInt8]) -> String {
    String(unsafeUninitializedCapacity: 2 * bytes.count) { buffer in
        for (index, byte) in bytes.enumerated() {
            let (high, low) = (byte >> 4, byte & 15)
            buffer[2 * index] = high < 10 ? 0x30 + high : 0x57 + high
            buffer[2 * index + 1] = low < 10 ? 0x30 + low : 0x57 + low
        }
        return 2 * bytes.count
    }
}
