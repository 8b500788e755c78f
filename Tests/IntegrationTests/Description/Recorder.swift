import Foundation
import JulietAPI
import Testing

/// Asks a service what its description names, and notes what was asked and answered: the lines of `examples.txt`.
final class Recorder {
    /// A line: where it stands, and the JSON.
    struct Example: Hashable {
        /// "guess 409 game-over", or "guess request guess".
        let place: String
        let json: String

        var line: String { "\(place) \(json)" }
    }

    let service: TestService
    private(set) var examples: [Example] = []
    private let operations: [String: (method: String, path: String, said: JSON)]

    init(_ service: TestService) {
        self.service = service
        let paths = APIDocument.checkedIn.json.paths
        operations = paths.names.reduce(into: [:]) { operations, path in
            for (method, said) in paths[dynamicMember: path].members {
                operations[said.operationId.text] = (method.uppercased(), path, said)
            }
        }
    }

    /// Asks for an operation below `/v2`, and notes the request and the answer.
    ///
    /// - Parameters:
    ///   - parameters: What stands in the place of those of the path.
    ///   - name: What tells request and answer from others; a problem is called by its code.
    @discardableResult
    func ask(
        _ operation: String, as client: V2Client, _ parameters: [String: JSON] = [:], _ body: String = "",
        query: String = "", fields: [String] = [], named name: String? = nil
    ) async throws -> V2Reply {
        let (method, path, _) = try #require(operations[operation], "\(operation)")
        let reply = try await client.ask(method, Self.fill(path, parameters) + query, body, fields: fields)
        note(operation, body, reply.http, named: name)
        // What was made is there, where there is a way to look at it.
        if reply.status == 201, !["makeNonce", "renewRecoveryCode", "signIn"].contains(operation) {
            let reader = client.token == nil ? reply.client : client
            let location = try #require(reply["Location"], "\(operation)")
            #expect(try await reader.get(location).status == 200, "\(operation): \(location)")
        }
        return reply
    }

    /// The same of the other URLs.
    @discardableResult
    func askElsewhere(
        _ operation: String, _ parameters: [String: JSON] = [:], _ body: String = "", token: String? = nil,
        named name: String? = nil
    ) async throws -> HTTPReply {
        let (method, path, said) = try #require(operations[operation], "\(operation)")
        let client = V2Client(service: service, token: token)
        let request = client.request(
            method, Self.fill(path, parameters), body, fields: body.isEmpty ? ["Content-Length: 0"] : [])
        let reply = try await service.exchange(request)
        #expect(try APIDocument.checkedIn.faults(of: reply, to: said) == [], "\(operation)")
        note(operation, body, reply, named: name)
        return reply
    }

    /// Notes an answer that came otherwise.
    func note(_ operation: String, _ status: Int, _ name: String, _ json: String) {
        let example = Example(place: "\(operation) \(status) \(name)", json: json)
        if !examples.contains(where: { $0.place == example.place }) { examples.append(example) }
    }

    private func note(_ operation: String, _ body: String, _ reply: HTTPReply, named name: String?) {
        let name = name ?? operation
        // Of the requests that are refused the description shows the answer alone.
        if !body.isEmpty, reply.status < 300 {
            let example = Example(place: "\(operation) request \(name)", json: Self.compact(body))
            if !examples.contains(where: { $0.place == example.place }) { examples.append(example) }
        }
        guard !reply.body.isEmpty else { return }
        let isProblem = reply["Content-Type"] == "application/problem+json"
        let code = isProblem ? (try? JSON(reply.body))?.code.text : nil
        note(operation, reply.status, code ?? name, Self.compact(reply.text))
    }

    private static func fill(_ path: String, _ parameters: [String: JSON]) -> String {
        parameters.reduce(path) { $0.replacing("{\($1.key)}", with: $1.value.written) }
    }

    /// Without the blanks between tokens.
    static func compact(_ json: String) -> String {
        var (isInString, isEscaped) = (false, false)
        return String(
            json.filter { character in
                if isInString {
                    isInString = isEscaped || character != "\""
                    isEscaped = !isEscaped && character == "\\"
                    return true
                }
                isInString = character == "\""
                return !character.isWhitespace
            })
    }

    // MARK: - Comparing

    /// What examples look like: without what is another each time.
    static func shapes(of examples: [Example]) throws -> [String: String] {
        try Dictionary(
            examples.map { ($0.place, shape(of: try JSON(Array($0.json.utf8)))) },
            uniquingKeysWith: { first, _ in first })
    }

    private static func shape(of value: JSON, named name: String = "") -> String {
        switch value {
        case .object(let members):
            "{\(members.sorted { $0.key < $1.key }.map { "\($0.key): \(shape(of: $0.value, named: $0.key))" }.joined(separator: ", "))}"
        case .array(let elements):
            "[\(Set(elements.map { shape(of: $0, named: name) }).sorted().joined(separator: ", "))]"
        // A challenge has a code as well, of capitals and figures: another each time.
        case .string(let text) where name == "code": text.contains(where: \.isLowercase) ? text : "text"
        case .string(let text) where name == "detail": text.replacing(#/\d+/#, with: "0")
        case .string(let text): words.contains(name) ? text : "text"
        case .integer(let number): name.hasSuffix("tatusCode") || name == "status" ? "\(number)" : "number"
        case .fraction: "number"
        case .boolean: "boolean"
        case .missing: "nothing"
        }
    }

    /// Members whose words are always the same.
    private static let words: Set<String> = [
        "type", "title", "state", "kind", "reason", "requestType", "language", "provider", "by", "path",
        "period",
    ]
}

extension JSON {
    /// As it stands in a URL.
    fileprivate var written: String {
        if case .integer(let number) = self { "\(number)" } else { text }
    }

    fileprivate var members: [String: JSON] {
        if case .object(let members) = self { members } else { [:] }
    }
}
