import CLibPQ

/// A message of the server that is no error: a warning, a `RAISE NOTICE`.
public struct PostgresNotice: Sendable, CustomStringConvertible {
    /// `WARNING`, `NOTICE`, `INFO`, `LOG` or `DEBUG`.
    public let severity: String
    /// The server's code.
    public let sqlState: SQLState?
    /// The text. It can quote values: for an operator's terminal, not for logs.
    public let message: String

    /// The severity and the code, without the text.
    public var description: String { sqlState.map { "\(severity) \($0)" } ?? severity }
}

/// The context that libpq hands back with each notice.
final class NoticeReceiver {
    private let handler: (PostgresNotice) -> Void
    /// Whether the server has said that it committed without waiting any longer for its synchronous standby.
    private(set) var hasDoubtfulCommit = false

    /// How many have come.
    private(set) var count = 0

    init(_ handler: @escaping (PostgresNotice) -> Void) { self.handler = handler }

    /// libpq's `PQnoticeReceiver`. It keeps the result, so only copies leave here.
    @unsafe static func receive(_ context: UnsafeMutableRawPointer?, _ result: OpaquePointer?) {
        guard let context = unsafe context else { return }
        func field(_ code: UInt8) -> String? {
            guard let text = unsafe PQresultErrorField(result, Int32(code)) else { return nil }
            return unsafe String(cString: text)
        }
        let notice = PostgresNotice(
            severity: field(UInt8(ascii: "V")) ?? "NOTICE", sqlState: field(UInt8(ascii: "C")).flatMap { SQLState($0) },
            message: field(UInt8(ascii: "M")) ?? "")
        let receiver = unsafe Unmanaged<NoticeReceiver>.fromOpaque(context).takeUnretainedValue()
        // Its SQLSTATE is that of any warning, and its text is translated: only the place in the source tells.
        if field(UInt8(ascii: "R")) == "SyncRepWaitForLSN" { receiver.hasDoubtfulCommit = true }
        receiver.count += 1
        receiver.handler(notice)
    }
}
