import Foundation
import Testing

/// A client of `/v2` without any library of ours: a token, and JSON as text.
struct V2Client: Sendable {
    let service: TestService
    var token: String?

    /// A client without a token.
    static func newcomer(on service: TestService) -> V2Client { V2Client(service: service, token: nil) }

    /// A client without a token, of the service that tests share.
    static func newcomer(_ variant: TestService.Variant = .standard) async throws -> V2Client {
        newcomer(on: try await TestService.shared(variant))
    }

    /// A new player.
    static func player(on service: TestService, named name: String? = nil) async throws -> V2Client {
        let body = name.map { #"{"name": "\#($0)"}"# } ?? "{}"
        return try await newcomer(on: service).post("/v2/players", body).client
    }

    /// A new player, of the service that tests share.
    static func player(_ variant: TestService.Variant = .standard) async throws -> V2Client {
        try await player(on: TestService.shared(variant))
    }

    /// The same client with another token.
    func with(token: String?) -> V2Client { V2Client(service: service, token: token) }

    /// The same session at another node.
    func at(_ service: TestService) -> V2Client { V2Client(service: service, token: token) }
}

// MARK: - Asking

extension V2Client {
    func get(_ path: String, fields: [String] = []) async throws -> V2Reply {
        try await ask("GET", path, fields: fields)
    }

    func post(_ path: String, _ body: String = "", fields: [String] = []) async throws -> V2Reply {
        try await ask("POST", path, body, fields: fields)
    }

    func patch(_ path: String, _ body: String, fields: [String] = []) async throws -> V2Reply {
        try await ask("PATCH", path, body, fields: fields)
    }

    func delete(_ path: String, fields: [String] = []) async throws -> V2Reply {
        try await ask("DELETE", path, fields: fields)
    }

    /// Sends a request on a connection of its own, and checks what holds for every answer.
    func ask(_ method: String, _ path: String, _ body: String = "", fields: [String] = []) async throws -> V2Reply {
        let request = request(method, path, body, fields: fields)
        let reply = try await service.exchange(request, isHead: method == "HEAD")
        return try V2Reply(reply, to: request, from: service)
    }

    /// Sends requests at the same moment, each on a connection of its own, and returns the replies in their order.
    func replies(toAll requests: [[UInt8]]) async throws -> [V2Reply] {
        let port = service.port
        let replies = try await offPool {
            let connections = try requests.map { _ in try ClientConnection(port: port) }
            for (connection, request) in zip(connections, requests) { try connection.send(request) }
            return try connections.map { try $0.receive() }
        }
        return try zip(replies, requests).map { try V2Reply($0, to: $1, from: service) }
    }

    /// A request as bytes.
    func request(_ method: String, _ path: String, _ body: String = "", fields: [String] = []) -> [UInt8] {
        var head = ["\(method) \(path) HTTP/1.1", "Host: 127.0.0.1"]
        if let token { head.append("Authorization: Bearer \(token)") }
        if !body.isEmpty { head.append("Content-Length: \(body.utf8.count)") }
        return Array(((head + fields).joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
    }
}

/// An answer of `/v2`.
struct V2Reply: Sendable, CustomStringConvertible {
    let status: Int
    let http: HTTPReply
    /// The body; missing for none.
    let json: JSON

    private let service: TestService

    /// Reads an answer, and checks what holds for all.
    fileprivate init(_ reply: HTTPReply, to request: [UInt8], from service: TestService) throws {
        http = reply
        status = reply.status
        self.service = service
        json = reply.body.isEmpty ? .missing : try JSON(reply.body)
        #expect(reply["X-Request-Id"]?.isEmpty == false, "\(reply)")
        let line = String(decoding: request.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self).split(separator: " ")
        let isTagged = reply["ETag"] != nil
        #expect(reply["Cache-Control"] == (isTagged ? "private, no-cache" : "no-store"), "\(reply)")
        let operation = APIDocument.checkedIn.operation(String(line[0]), String(line[1]))
        // A content coding is refused by HTTP itself, for which the contract has no code.
        if operation != .missing, status != 415 {
            #expect(try APIDocument.checkedIn.faults(of: reply, to: operation) == [], "\(line[0]) \(line[1])")
        }
        guard status >= 400 else {
            #expect(status != 201 || reply["Location"]?.contains("/v2/") == true, "\(line[0]) \(line[1])")
            if status != 204, status != 304 {
                #expect(reply["Content-Type"] == "application/json; charset=utf-8", "\(reply)")
            }
            return
        }
        #expect(reply["Content-Type"] == "application/problem+json", "\(reply)")
        guard json != .missing else { return }
        #expect(json.status.int == status, "\(reply)")
        #expect(json.type.text == "/problems/\(json.code.text)", "\(reply)")
        #expect(!json.title.text.isEmpty && !json.detail.text.isEmpty, "\(reply)")
        #expect(reply["WWW-Authenticate"] == (status == 401 ? "Bearer" : nil), "\(reply)")
    }

    /// The code of a problem, with its status: "409 game-over"; the status alone for a success.
    var summary: String { status < 400 ? "\(status)" : "\(status) \(json.code.text)" }

    /// A client with the token of the answer.
    var client: V2Client { V2Client(service: service, token: json.token.text) }

    /// Whether it says that it was given before.
    var isReplay: Bool { http["Idempotent-Replayed"] == "true" }

    subscript(header: String) -> String? { http[header] }

    var description: String { http.description }
}
