import HTTPServer
import JulietAPI

extension APIDescription {
    /// The OpenAPI document, indented for people.
    var json: [UInt8] {
        var writer = JSONWriter(capacity: 128 * 1024)
        writer.object {
            $0.member("openapi", "3.1.1")
            $0.object("info") {
                $0.member("title", "Juliet")
                $0.member("version", "2.0.0")
                $0.member("description", Self.about)
                $0.object("license") {
                    $0.member("name", "Apache License 2.0")
                    $0.member("identifier", "Apache-2.0")
                }
            }
            $0.array("servers") { $0.object { $0.member("url", basePath.isEmpty ? "/" : basePath) } }
            $0.object("paths", writePaths)
            $0.object("components", writeComponents)
        }
        return JSONIndentation.indent(writer.bytes)
    }

    private func writePaths(to writer: inout JSONWriter) {
        var paths: [String] = []
        for operation in operations where !paths.contains(operation.path) { paths.append(operation.path) }
        for path in paths {
            writer.object(path) {
                for operation in operations where operation.path == path {
                    $0.object(operation.method.rawValue.lowercased()) { operation.write(to: &$0) }
                }
            }
        }
    }

    /// Whether an answer is this problem and no other, so that it stands among the components.
    private func refersTo(_ code: V2.ProblemCode) -> Bool {
        operations.contains { $0.answers.contains { $0.onlyProblem == code } }
    }

    private func writeComponents(to writer: inout JSONWriter) {
        writer.object("schemas") {
            for schema in schemas {
                guard let name = schema.name else { continue }
                $0.name(name)
                schema.define(to: &$0)
            }
        }
        writer.object("responses") {
            for code in problems where refersTo(code) {
                $0.object(code.rawValue) { APIOperation.Answer([code]).write(to: &$0) }
            }
        }
        writer.object("headers") {
            for header in AnswerHeader.allCases {
                $0.object(header.rawValue) {
                    $0.member("description", header.about)
                    $0.name("schema")
                    header.schema.write(to: &$0)
                }
            }
        }
        writer.object("securitySchemes") {
            $0.object("token") {
                $0.member("type", "http")
                $0.member("scheme", "bearer")
                $0.member("description", "A player's token, `jt_…`, as POST /v2/players and /v2/sessions give it.")
            }
            $0.object("appKey") {
                $0.member("type", "apiKey")
                $0.member("in", "header")
                $0.member("name", "AuthToken")
                $0.member("description", "One of `auth.tokens`; not looked at where there are none.")
            }
        }
    }
}

extension APIOperation {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.member("operationId", name)
        writer.member("tags", [group])
        writer.member("summary", about)
        if !text.isEmpty { writer.member("description", text) }
        writer.array("security") { writer in
            switch proof {
            case .nothing: break
            case .token(isOptional: false): writer.object { $0.array("token") { _ in } }
            case .token(isOptional: true):
                writer.object { _ in }
                writer.object { $0.array("token") { _ in } }
            case .appKey:
                writer.object { _ in }
                writer.object { $0.array("appKey") { _ in } }
            }
        }
        if !parameters.isEmpty {
            writer.array("parameters") {
                for parameter in parameters { $0.object { parameter.write(to: &$0) } }
            }
        }
        if let request {
            writer.object("requestBody") {
                $0.member("required", request.isRequired)
                $0.object("content") { request.writeMedia("application/json", requestExamples, to: &$0) }
            }
        }
        writer.object("responses") {
            for answer in answers {
                $0.object(String(answer.status.code)) { writer in
                    if let code = answer.onlyProblem {
                        writer.member("$ref", "#/components/responses/\(code.rawValue)")
                    } else {
                        answer.write(to: &writer)
                    }
                }
            }
        }
    }
}

extension APIOperation.Parameter {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.member("name", name)
        writer.member("in", place.rawValue)
        if place == .path { writer.member("required", true) }
        writer.member("description", about)
        writer.name("schema")
        schema.write(to: &writer)
    }
}

extension APIOperation.Answer {
    /// The problem that it is, if it can be no other.
    fileprivate var onlyProblem: V2.ProblemCode? {
        guard case .problem(let codes) = content, codes.count == 1 else { return nil }
        return codes.first
    }

    fileprivate func write(to writer: inout JSONWriter) {
        writer.member("description", about)
        writer.object("headers") {
            for header in headers {
                $0.object(header.name) { $0.member("$ref", "#/components/headers/\(header.rawValue)") }
            }
        }
        switch content {
        case .nothing: break
        case .json(let schema): writer.object("content") { schema.writeMedia("application/json", examples, to: &$0) }
        case .problem(let codes):
            writer.object("content") {
                $0.object("application/problem+json") {
                    $0.object("schema") { Self.write(codes, to: &$0) }
                    $0.write(examples)
                }
            }
        }
        guard !gameLinks.isEmpty else { return }
        writer.object("links") {
            for link in gameLinks {
                $0.object(link) {
                    $0.member("operationId", link)
                    $0.object("parameters") { $0.member("id", "$response.body#/game/id") }
                }
            }
        }
    }

    private static func write(_ codes: [V2.ProblemCode], to writer: inout JSONWriter) {
        writer.array("allOf") { writer in
            writer.next()
            V2.Problem.schema.write(to: &writer)
            writer.object {
                $0.object("properties") {
                    $0.name("code")
                    Schema(.string, [.choices(codes.map(\.rawValue))]).write(to: &$0)
                }
            }
        }
    }
}

extension Schema {
    fileprivate func writeMedia(
        _ type: String, _ examples: [APIOperation.Example], to writer: inout JSONWriter
    ) {
        writer.object(type) {
            $0.name("schema")
            write(to: &$0)
            $0.write(examples)
        }
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ examples: [APIOperation.Example]) {
        guard !examples.isEmpty else { return }
        object("examples") {
            for example in examples {
                $0.object(example.name) {
                    $0.name("value")
                    $0.raw(example.json)
                }
            }
        }
    }

    /// Writes an object, as an element of an array or by itself.
    fileprivate mutating func object(_ write: (inout JSONWriter) -> Void) {
        if !bytes.isEmpty { next() }
        openObject()
        write(&self)
        closeObject()
    }

    fileprivate mutating func object(_ name: String, _ write: (inout JSONWriter) -> Void) {
        self.name(name)
        openObject()
        write(&self)
        closeObject()
    }

    fileprivate mutating func array(_ name: String, _ write: (inout JSONWriter) -> Void) {
        self.name(name)
        openArray()
        write(&self)
        closeArray()
    }
}
