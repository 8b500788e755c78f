import Foundation
import JulietGame
import TestSupport
import Testing

/// A browser with the admin page: a service's admin port, and a key in its cookie.
struct AdminClient: Sendable {
    let port: UInt16
    var key: AdminKey?

    /// A service on a database, and somebody with a key of its page.
    static func start(
        on database: TestDatabase, settings: [String: String] = [:], lines: LogLines = LogLines()
    ) async throws -> (service: TestService, client: AdminClient) {
        let port = try Command.freePort()
        let service = try await TestService.start(
            settings.merging(["admin.port": "\(port)"]) { own, _ in own }, on: database, logger: lines.tracer)
        let name = "anna-\(UUID().uuidString.prefix(8))"
        return (service, AdminClient(port: UInt16(port), key: try await database.addAdminKey(name)))
    }

    /// The same browser with another key, or none.
    func with(key: AdminKey?) -> AdminClient { AdminClient(port: port, key: key) }

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
    func send(_ method: String, _ path: String, _ body: String, origin: String? = nil) async throws -> AdminReply {
        try await ask(method, path, body, ["Origin: \(origin ?? "http://127.0.0.1:\(port)")"])
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

    /// Gives the form to sign in.
    func signIn(_ form: String, fields: [String] = []) async throws -> HTTPReply {
        let origin = fields.isEmpty ? ["Origin: http://127.0.0.1:\(port)"] : fields
        return try await exchange(request("POST", "/admin/sign-in", form, origin))
    }

    /// Asks for a page.
    func page(_ path: String = "/admin") async throws -> HTTPReply { try await exchange(request("GET", path, "", [])) }

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

    private func request(_ method: String, _ path: String, _ body: String, _ fields: [String]) -> [UInt8] {
        let path = method == "POST" && !path.hasPrefix("/") ? "/admin/api/" + path : path
        var head = ["\(method) \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Content-Length: \(body.utf8.count)"]
        if let key { head.append("Cookie: theme=dark; juliet_admin=\(key.text)") }
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
