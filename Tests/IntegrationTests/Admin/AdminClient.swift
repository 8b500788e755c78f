import Foundation
import JulietGame
import TestSupport
import Testing

/// A browser with the admin page: a service's admin port, and a session that the page keeps.
struct AdminClient: Sendable {
    let port: UInt16
    /// nil: nobody is signed in.
    var session: AdminSession?

    /// A service on a database, and somebody who is signed in on its page.
    static func start(
        on database: TestDatabase, settings: [String: String] = [:], lines: LogLines = LogLines()
    ) async throws -> (service: TestService, client: AdminClient) {
        let port = try Command.freePort()
        let service = try await TestService.start(
            settings.merging(["admin.port": "\(port)"]) { own, _ in own }, on: database, logger: lines.tracer)
        let name = "anna-\(UUID().uuidString.prefix(8))"
        let nobody = AdminClient(port: UInt16(port), session: nil)
        return (service, try await nobody.with(key: database.addAdminKey(name)))
    }

    /// Another browser, in which somebody has signed in with a key.
    func with(key: AdminKey) async throws -> AdminClient {
        let reply = try AdminReply(await signIn(key.text))
        let session: AdminSession = try #require(AdminSession(reply.json.session.text), "\(reply)")
        return with(session: session)
    }

    /// Another browser with a session, or none.
    func with(session: AdminSession?) -> AdminClient { AdminClient(port: port, session: session) }

    func get(_ path: String, fields: [String] = []) async throws -> AdminReply {
        try await ask("GET", path, "", fields)
    }

    /// Changes something as the page does: with its own origin, and a name.
    func post(
        _ path: String, _ body: String, name: String = UUID().uuidString, origin: String? = nil, fields: [String] = []
    ) async throws -> AdminReply {
        try await ask("POST", path, body, changeFields(name, origin) + fields)
    }

    /// Changes something by PUT or DELETE, which need no name.
    func send(
        _ method: String, _ path: String, _ body: String, origin: String? = nil, fields: [String] = []
    ) async throws -> AdminReply {
        try await ask(method, path, body, ["Origin: \(origin ?? "http://127.0.0.1:\(port)")"] + fields)
    }

    /// Sends requests at the same moment, each on a connection of its own.
    func posts(_ count: Int, _ path: String, _ body: String, name: String) async throws -> [AdminReply] {
        let request = request("POST", path, body, changeFields(name, nil))
        let port = port
        return try await offPool {
            let connections = try (0..<count).map { _ in try ClientConnection(port: port) }
            for connection in connections { try connection.send(request) }
            return try connections.map { try AdminReply($0.receive()) }
        }
    }

    /// Signs in with a text as the key.
    func signIn(_ key: String, origin: String? = nil) async throws -> HTTPReply {
        let origin = ["Origin: \(origin ?? "http://127.0.0.1:\(port)")"]
        return try await exchange(request("POST", "session", #"{"key": "\#(key)"}"#, origin))
    }

    /// Asks for a page.
    func page(_ path: String = "/admin", host: String? = nil) async throws -> HTTPReply {
        try await exchange(request("GET", path, "", [], host: host))
    }

    func exchange(_ bytes: [UInt8]) async throws -> HTTPReply {
        let port = port
        return try await offPool {
            let connection = try ClientConnection(port: port)
            try connection.send(bytes)
            return try connection.receive()
        }
    }

    private func ask(_ method: String, _ path: String, _ body: String, _ fields: [String]) async throws -> AdminReply {
        let trace = "00-0af7651916cd43dd8448eb211c80319c"
        let fields = fields + ["traceparent: \(trace)-b7ad6b7169203331-01"]
        let reply = try AdminReply(await exchange(request(method, "/admin/api/" + path, body, fields)))
        #expect(reply.http["traceresponse"]?.hasPrefix(trace) == true, "\(reply)")
        return reply
    }

    private func changeFields(_ name: String, _ origin: String?) -> [String] {
        ["Idempotency-Key: \(name)", "Origin: \(origin ?? "http://127.0.0.1:\(port)")"]
    }

    private func request(
        _ method: String, _ path: String, _ body: String, _ fields: [String], host: String? = nil
    ) -> [UInt8] {
        let path = method == "POST" && !path.hasPrefix("/") ? "/admin/api/" + path : path
        var head = [
            "\(method) \(path) HTTP/1.1", "Host: \(host ?? "127.0.0.1:\(port)")", "Content-Length: \(body.utf8.count)",
        ]
        if let session { head.append("Authorization: Bearer \(session.text)") }
        return Array(((head + fields).joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
    }
}

/// An answer of the admin page's API, which no browser keeps.
struct AdminReply: Sendable, CustomStringConvertible {
    let status: Int
    let json: JSON
    let http: HTTPReply

    init(_ reply: HTTPReply) throws {
        http = reply
        status = reply.status
        json = try JSON(reply.body)
        #expect(reply["Cache-Control"] == "no-store", "\(reply)")
        #expect(reply["X-Request-Id"]?.isEmpty == false, "\(reply)")
        #expect(
            reply["Content-Type"] == (status < 400 ? "application/json; charset=utf-8" : "application/problem+json"),
            "\(reply)")
    }

    /// The code of a problem, with its status; the status alone for a success.
    var summary: String { status < 400 ? "\(status)" : "\(status) \(json.code.text)" }

    var description: String { http.description }
}

extension TestDatabase {
    /// Makes a key, as `juliet admin keys add` does.
    func addAdminKey(_ name: String, role: AdminRole = .owner) async throws -> AdminKey {
        try #require(
            try await withOwner {
                try await AdminRecords(connection: $0).addKey(for: name, role: role, by: "os:test")
            })
    }

    /// SQL for somebody with a key who is signed in. The session has the key's digest, so that a call needs one of them.
    static func signedIn(_ digest: String = "sha256('key')", name: String = "anna", role: String = "owner") -> String {
        """
        INSERT INTO admin_keys (key_hash, name, role) VALUES (sha256(\(digest)), '\(name)', '\(role)')
        ON CONFLICT DO NOTHING;
        INSERT INTO admin_sessions (session_hash, key_hash, ends_at)
        VALUES (sha256(\(digest)), sha256(\(digest)), now() + interval '12 hours') ON CONFLICT DO NOTHING
        """
    }

    /// Revokes a key.
    func revokeAdminKey(_ name: String) async throws {
        let revoked = try await withOwner { try await AdminRecords(connection: $0).revokeKey(of: name, by: "os:test") }
        #expect(revoked)
    }

    /// How many rows of the trail are about a player.
    func actions(to player: String) async throws -> Int {
        Int(try await psql("SELECT count(*) FROM admin_actions WHERE user_id = '\(player)'")) ?? -1
    }
}
