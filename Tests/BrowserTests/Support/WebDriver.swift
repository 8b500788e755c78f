import EventLoop
import Foundation
import HTTPServer
import HTTPServerTesting
import TestSupport

/// A driver of its own, and the requests of the WebDriver protocol to it (https://www.w3.org/TR/webdriver2/).
///
/// Not over URLSession, which on Linux reads no field line without a blank after its colon, as the driver writes them.
final class WebDriver: Sendable {
    private static let patience = Duration.seconds(180)

    private let process: ChildProcess
    private let loop: EventLoop
    private let connection: HTTPTestClient

    /// Starts a driver and waits until it answers.
    ///
    /// - Parameters:
    ///   - command: The program and its arguments, to which that of the port is added.
    ///   - environment: All variables; nil: the tests' own.
    init(_ command: [String] = ["chromedriver", "--log-level=OFF"], environment: [String: String]? = nil) async throws {
        let port = try Command.freePort()
        loop = try EventLoop(label: "webdriver")
        do {
            process = try ChildProcess(command + ["--port=\(port)"], environment: environment)
        } catch {
            loop.shutdown()
            throw Failure(description: "\(command[0]) does not start: scripts/setup test installs it. \(error)")
        }
        let deadline = ContinuousClock.now + .seconds(30)
        while true {
            let address = SocketAddress(127, 0, 0, 1, port: UInt16(port))
            if let connection = try? await HTTPTestClient.connect(to: address, on: loop) {
                self.connection = connection
                return
            }
            guard process.isRunning, ContinuousClock.now < deadline else {
                process.signal(SIGKILL)
                loop.shutdown()
                throw Failure(description: "\(command[0]) does not answer")
            }
            try? await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Ends the driver. Browsers that it still drives stay.
    func end() async {
        await connection.close()
        process.signal(SIGTERM)
        await process.end()
        loop.shutdown()
    }

    /// Sends a command and returns the JSON of its `value`. One at a time; none after one that failed for want of an
    /// answer, or was cancelled, for then the driver is killed.
    ///
    /// - Parameter body: JSON; nil: none.
    @discardableResult
    func request(_ method: String, _ path: String, _ body: String? = nil) async throws -> Data {
        let head = [
            "\(method) \(path) HTTP/1.1", "Host: 127.0.0.1", "Content-Type: application/json; charset=utf-8",
            "Content-Length: \(body?.utf8.count ?? 0)", "", body ?? "",
        ]
        let watch = Task { [process] in
            try await Task.sleep(for: Self.patience)
            process.signal(SIGKILL)
        }
        defer { watch.cancel() }
        let response = try await withTaskCancellationHandler {
            await connection.send(head.joined(separator: "\r\n"))
            return try await connection.response()
        } onCancel: {
            process.signal(SIGKILL)
        }
        guard
            let object = try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any],
            let value = object["value"]
        else { throw Failure(description: "\(method) \(path): no value") }
        guard response.status == 200 else {
            throw Failure(description: "\(method) \(path): \((value as? [String: Any])?["message"] ?? value)")
        }
        return try JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed)
    }
}

extension String {
    /// The text as a literal of JSON, and so of JavaScript.
    var literal: String {
        String(decoding: (try? JSONEncoder().encode(self)) ?? Data(), as: UTF8.self)
    }
}
