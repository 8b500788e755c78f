import CLibPQ
import Foundation

/// What `psql --no-align --tuples-only --quiet --command` prints, without the start of a program for each text.
enum PlainSQL {
    /// Runs SQL in a session of its own, as one transaction if it has no statements that begin or end one.
    ///
    /// - Parameter connectionString: As libpq takes it.
    /// - Returns: The rows of all statements, a line each, the columns separated by `|`, and the server's messages. The session
    ///   has ended.
    /// - Throws: `Command.Failure`, with all of that and the server's error.
    static func run(_ sql: String, on connectionString: String) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            // A thread of its own, because libpq blocks it for as long as a lock is held, and a test may hold many.
            Thread.detachNewThread {
                continuation.resume(with: Result { try runBlocking(sql, on: connectionString) })
            }
        }
    }

    private static func runBlocking(_ sql: String, on connectionString: String) throws -> String {
        guard let connection = PQconnectdb("fallback_application_name=psql connect_timeout=120 \(connectionString)")
        else {
            throw Command.Failure(command: sql, output: "no memory")
        }
        let printed = Printed()
        defer { withExtendedLifetime(printed) { end(connection) } }
        PQsetNoticeProcessor(
            connection,
            { printed, message in
                printed.map { Unmanaged<Printed>.fromOpaque($0).takeUnretainedValue().add(message) }
            },
            Unmanaged.passUnretained(printed).toOpaque())
        var isRefused = PQstatus(connection) != CONNECTION_OK || PQsendQuery(connection, sql) != 1
        if isRefused { printed.add(PQerrorMessage(connection)) }
        while let result = PQgetResult(connection) {
            defer { PQclear(result) }
            switch PQresultStatus(result) {
            case PGRES_TUPLES_OK: printed.add(rowsOf: result)
            case PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: break
            case PGRES_FATAL_ERROR:
                isRefused = true
                printed.add(PQresultErrorMessage(result))
            case let status:
                // The data of a COPY, for which there is no way here.
                throw Command.Failure(command: sql, output: String(cString: PQresStatus(status)))
            }
        }
        let text = printed.lines.joined(separator: "\n")
        guard !isRefused else { throw Command.Failure(command: sql, output: text) }
        return text
    }

    /// Ends a session and waits until the server has, so that what counts sessions or copies a database next does not find it.
    private static func end(_ connection: OpaquePointer) {
        let socket = fcntl(PQsocket(connection), F_DUPFD_CLOEXEC, 0)
        PQfinish(connection)
        guard socket >= 0 else { return }
        defer { close(socket) }
        // A server that a test has stopped for a while does not hold up the test.
        var limit = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var rest = [UInt8](repeating: 0, count: 1024)
        while read(socket, &rest, rest.count) > 0 {}
    }

    private final class Printed {
        private(set) var lines: [String] = []

        func add(_ message: UnsafePointer<CChar>?) {
            guard let message else { return }
            lines.append(String(cString: message).trimmingCharacters(in: .newlines))
        }

        func add(rowsOf result: OpaquePointer) {
            for row in 0..<PQntuples(result) {
                let columns = (0..<PQnfields(result)).map { String(cString: PQgetvalue(result, row, $0)) }
                lines.append(columns.joined(separator: "|"))
            }
        }
    }
}
