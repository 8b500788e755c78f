import Foundation
import HTTPServer
import JulietAPI
import JulietServer
import Logging
import Postgres
import TestSupport

/// The whole service in this process, listening on a port of its own.
final class TestService: Sendable {
    /// How a service differs from one without any settings.
    enum Variant: String, Sendable {
        case standard, lowerOnly, refuse, register, keys, basePath

        /// The settings, by key.
        var settings: [String: String] {
            switch self {
            case .standard: TestService.waysIn
            case .lowerOnly: ["energy.clientUpdates": "lowerOnly"]
            case .refuse: ["energy.clientUpdates": "refuse"]
            case .register: ["users.unknown": "register"]
            case .keys: ["auth.tokens": "first-key, second-key"]
            case .basePath: TestService.waysIn.merging(["http.basePath": "/prod"]) { $1 }
            }
        }
    }

    /// Every way into an account; the provider has no keys.
    static let waysIn = [
        "accounts.origin": "https://juliet.example", "identities.providers": "apple",
        "identities.apple.issuers": "https://appleid.apple.com", "identities.apple.audiences": "com.example.juliet",
        "identities.apple.keys": "/nowhere/apple.json",
    ]

    /// Its port on 127.0.0.1.
    let port: UInt16
    /// The words it can deal, in lower case.
    let secrets: Set<String>

    private let task: Task<Void, any Error>
    /// It is not dropped while the service may run.
    private let database: TestDatabase

    private static let shared = SharedServices()

    /// A service on the shared database that tests share which bring their own players.
    static func shared(_ variant: Variant) async throws -> TestService {
        try await shared.service(variant)
    }

    /// Starts a service and waits until it listens.
    ///
    /// - Parameters:
    ///   - settings: Settings, by key. Rules among them are applied to the database first, as an operator would: a
    ///     database that other tests use has to have them already (``TestDatabase/shared(_:)``).
    ///   - batchSize: How many statements may share a transaction; default: as many as in every service.
    ///   - logger: Where it says what it does; default nowhere.
    static func start(
        _ settings: [String: String] = [:], on database: TestDatabase, batchSize: Int? = nil,
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    ) async throws -> TestService {
        let flags = [
            "http.port": "0", "http.loops": "2", "admin.port": "0", "database.url": database.serviceConnectionString,
        ]
        .merging(settings) { _, own in own }
        var resolved = try Settings(flags: flags.map { ($0.key, $0.value, "test") }, environment: [:], file: nil)
        // What fifty ask for one player is done in as many commits, and the machine may be busy.
        if settings["database.maximumWait"] == nil { resolved.database.expectedWaitLimit = nil }
        resolved.database.queueTimeout = .seconds(60)
        if let batchSize { resolved.database.batchSize = batchSize }
        if CitusCluster.isWanted, settings["database.statementTimeout"] == nil {
            resolved.database.statementTimeout = .seconds(30)
        }
        try await database.apply(resolved)
        let (addresses, continuation) = AsyncThrowingStream<UInt16, any Error>.makeStream()
        let server = GameServer(
            settings: resolved, logger: logger, announce: { continuation.yield($0.address.port) })
        let task = Task {
            do {
                try await server.run(handlingSignals: false)
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
                throw error
            }
        }
        for try await port in addresses {
            return TestService(port: port, database: database, task: task)
        }
        throw ClientConnection.Failure(description: "the service ended before it listened")
    }

    private init(port: UInt16, database: TestDatabase, task: Task<Void, any Error>) {
        self.port = port
        self.secrets = database.secrets
        self.database = database
        self.task = task
    }

    /// Stops the service gracefully and waits for its end.
    func stop() async throws {
        task.cancel()
        try await task.value
    }

    /// Waits for its end, which it was not told; stops it if the test is cancelled.
    func end() async throws {
        try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// An account id nobody has used.
    static func newUser() -> String {
        UUID().uuidString
    }
}

// MARK: - Asking it

extension TestService {
    /// The status of `/ready`. A service that can serve says 503 too, if the database was slower than a second to answer: see
    /// ``waitUntilReady(is:)``.
    func readiness() async throws -> Int {
        try await exchange(Array("GET /ready HTTP/1.1\r\nHost: h\r\n\r\n".utf8)).status
    }

    /// Asks `/ready` until it is answered with a status.
    ///
    /// - Returns: How long that took; at most the minute after which nobody asks any more.
    func waitUntilReady(is status: Int) async throws -> Duration {
        let start = ContinuousClock.now
        while try await readiness() != status, ContinuousClock.now - start < .seconds(60) {
            try await Task.sleep(for: .milliseconds(20))
        }
        return ContinuousClock.now - start
    }

    /// Sends bytes on a connection of their own and returns the first response.
    func exchange(_ bytes: [UInt8], isHead: Bool = false) async throws -> HTTPReply {
        let port = port
        return try await offPool {
            let connection = try ClientConnection(port: port)
            try connection.send(bytes)
            return try connection.receive(isHead: isHead)
        }
    }

    /// Posts a body.
    ///
    /// - Parameter fields: Further field lines, such as "AuthToken: key".
    func post(_ body: String, to path: String, fields: [String] = []) async throws -> HTTPReply {
        try await exchange(Self.post(Array(body.utf8), to: path, fields: fields))
    }

    /// Posts a request to its URL.
    func reply(to request: GameRequest, fields: [String] = []) async throws -> HTTPReply {
        try await exchange(Self.post(request.encoded(), to: request.type.endpoint.path, fields: fields))
    }

    /// Posts a request and decodes the answer as the app does.
    func answer(to request: GameRequest, fields: [String] = []) async throws -> Answer {
        try await reply(to: request, fields: fields).answer(to: request.type)
    }

    /// Posts requests at the same moment, each on a connection of its own, and returns the replies in their order.
    func replies(toAll requests: [GameRequest]) async throws -> [HTTPReply] {
        let port = port
        return try await offPool {
            let connections = try requests.map { _ in try ClientConnection(port: port) }
            for (connection, request) in zip(connections, requests) {
                try connection.send(Self.post(request.encoded(), to: request.type.endpoint.path))
            }
            return try connections.map { try $0.receive() }
        }
    }

    /// The same, the answers decoded as the app does.
    func answers(toAll requests: [GameRequest]) async throws -> [Answer] {
        try zip(try await replies(toAll: requests), requests).map { reply, request in try reply.answer(to: request.type)
        }
    }

    /// A request as bytes.
    static func post(_ body: [UInt8], to path: String, fields: [String] = []) -> [UInt8] {
        let head = ["POST \(path) HTTP/1.1", "Host: 127.0.0.1", "Content-Length: \(body.count)"] + fields
        return Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
    }
}

/// The services that are running, each started on first use and ended with the process.
private actor SharedServices {
    private var services: [TestService.Variant: Task<TestService, any Error>] = [:]

    func service(_ variant: TestService.Variant) async throws -> TestService {
        if let running = services[variant] { return try await running.value }
        let starting = Task { try await TestService.start(variant.settings, on: .shared(variant.settings)) }
        services[variant] = starting
        return try await starting.value
    }
}
