import Crypto
import HTTPServer
package import Logging
import Postgres
import StrictEncoding

/// Logs requests: one line each, at the level of the settings, and why they failed. It never logs players, guesses or
/// secrets.
package struct RequestLog: Sendable {
    /// What identifies a request in the log.
    struct Request {
        let id: RequestID
        let trace: TraceParent?
        /// The URL, its parameters by name.
        let route: String
        /// The request type; the method on `/v2`.
        let type: String
        /// The caller, as ``RequestLog/digest(_:)`` writes it: a player, or on `/v2` a session.
        let player: String?
    }

    private let logger: Logger
    private let level: Logger.Level
    private let salt: [UInt8]

    /// Logs as the settings say.
    package init(_ logger: Logger, _ settings: LogSettings = LogSettings()) {
        self.logger = logger
        level = settings.requests
        salt = settings.salt.map { Array($0.utf8) } ?? (0..<16).map { _ in .random(in: .min ... .max) }
    }

    /// Whether requests are logged now.
    @inline(__always)
    var isOn: Bool { logger.logLevel <= level }

    /// A request was answered.
    func answered(_ request: Request, status: Int, code: String, nanoseconds: Int) {
        var metadata = metadata(of: request)
        metadata["status"] = .stringConvertible(status)
        metadata["code"] = .string(code)
        metadata["microseconds"] = .stringConvertible(nanoseconds / 1000)
        logger.log(level: level, "request", metadata: metadata)
    }

    /// A request was answered, perhaps with a problem whose code the metrics do not have.
    func answered(_ request: Request, _ response: Response, nanoseconds: Int) {
        guard isOn else { return }
        let status = response.status.code
        answered(
            request, status: status, code: V2Codes.code(of: response) ?? (status < 400 ? "ok" : "refused"),
            nanoseconds: nanoseconds)
    }

    /// The HTTP server has answered by itself.
    func refused(status: Int, code: String) {
        guard isOn else { return }
        logger.log(
            level: level, "request refused", metadata: ["status": .stringConvertible(status), "code": .string(code)])
    }

    /// A request failed through no fault of the client's.
    ///
    /// - Parameter error: Safe in any log. A cancelled statement of a client that has gone is not a failure.
    func failed(_ request: Request, _ error: some Error) {
        if let error = error as? PostgresError, error.code == .cancelled {
            let text = "\(request.type) \(request.route): the client has gone"
            return logger.debug("\(text)", metadata: metadata(of: request))
        }
        logger.error("\(request.type) \(request.route) failed: \(error)", metadata: metadata(of: request))
    }

    /// Ten digits of a salted hash, which distinguish players without naming them.
    func digest(_ name: String) -> String {
        Hexadecimal.encode(SHA256.hash(data: salt + name.utf8).prefix(5))
    }

    private func metadata(of request: Request) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "request": .string(request.id.description), "route": .string(request.route), "type": .string(request.type),
        ]
        if let trace = request.trace { metadata["trace"] = .string(trace.traceID) }
        if let player = request.player { metadata["player"] = .string(player) }
        return metadata
    }
}
