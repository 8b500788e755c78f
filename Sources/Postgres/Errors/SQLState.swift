/// A five-character SQLSTATE (PostgreSQL, Appendix A).
public struct SQLState: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The five characters, first one most significant, so that comparing allocates nothing.
    private let packed: UInt64

    /// A code of exactly five ASCII digits or uppercase letters. `nil` for anything else.
    public init?(_ text: some StringProtocol) {
        guard let packed = Self.pack(text.utf8) else { return nil }
        self.packed = packed
    }

    /// A code as a literal. Traps unless it has five ASCII digits or uppercase letters.
    public init(stringLiteral value: StaticString) {
        guard let packed = Self.pack(value.description.utf8) else { preconditionFailure("not an SQLSTATE: \(value)") }
        self.packed = packed
    }

    /// The first two characters: the class, such as `23`, integrity constraint violation.
    public var classCode: String { String(description.prefix(2)) }

    /// Whether a transaction that ended so can simply be run again: class 40, transaction rollback.
    public var isTransactionRollback: Bool { packed >> 24 == 0x3430 }

    /// The five characters.
    public var description: String {
        String(decoding: (0..<5).map { UInt8(truncatingIfNeeded: packed >> UInt64(32 - 8 * $0)) }, as: UTF8.self)
    }

    private static func pack(_ bytes: some Sequence<UInt8>) -> UInt64? {
        var packed: UInt64 = 0
        var count = 0
        for byte in bytes {
            guard (48...57).contains(byte) || (65...90).contains(byte) else { return nil }
            packed = packed << 8 | UInt64(byte)
            count += 1
        }
        return count == 5 ? packed : nil
    }
}

extension SQLState {
    /// 23502
    public static let notNullViolation: SQLState = "23502"
    /// 23503
    public static let foreignKeyViolation: SQLState = "23503"
    /// 23505
    public static let uniqueViolation: SQLState = "23505"
    /// 23514
    public static let checkViolation: SQLState = "23514"
    /// 25006: the server is read-only, for instance a standby.
    public static let readOnlyTransaction: SQLState = "25006"
    /// 26000
    public static let invalidStatementName: SQLState = "26000"
    /// 40001
    public static let serializationFailure: SQLState = "40001"
    /// 40P01
    public static let deadlockDetected: SQLState = "40P01"
    /// 42501
    public static let insufficientPrivilege: SQLState = "42501"
    /// 42601
    public static let syntaxError: SQLState = "42601"
    /// 42P01
    public static let undefinedTable: SQLState = "42P01"
    /// 53100
    public static let diskFull: SQLState = "53100"
    /// 53300
    public static let tooManyConnections: SQLState = "53300"
    /// 53400: a limit of the database, or of its functions, is reached.
    public static let configurationLimitExceeded: SQLState = "53400"
    /// 55P03: a lock could not be had within `lock_timeout`.
    public static let lockNotAvailable: SQLState = "55P03"
    /// 57014: cancelled on request, or `statement_timeout`.
    public static let queryCanceled: SQLState = "57014"
    /// 57P01: an administrator ended the session or stops the server.
    public static let adminShutdown: SQLState = "57P01"
    /// 57P02
    public static let crashShutdown: SQLState = "57P02"
    /// 57P03: the server starts up, shuts down or recovers.
    public static let cannotConnectNow: SQLState = "57P03"
}
