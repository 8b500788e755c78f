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
            $0.array("tags") {
                for group in groups {
                    $0.object {
                        $0.member("name", group)
                        $0.member("description", APIOperation.about(group: group))
                    }
                }
            }
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

    private func writeComponents(to writer: inout JSONWriter) {
        writer.object("schemas") {
            for schema in schemas {
                guard let name = schema.name else { continue }
                $0.name(name)
                schema.define(to: &$0)
            }
        }
        writer.object("responses") {
            for problem in lonelyProblems {
                $0.object(problem.code) { APIOperation.Answer([problem], of: "").write(to: &$0) }
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
                $0.member("description", "One of `auth.tokens`; not checked if none is set.")
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
                    if let problem = answer.onlyProblem {
                        writer.member("$ref", "#/components/responses/\(problem.code)")
                    } else {
                        answer.write(to: &writer)
                    }
                }
            }
        }
        guard let swift else { return }
        // Many tools show these beside an operation.
        writer.array("x-codeSamples") {
            $0.object {
                $0.member("lang", "Swift")
                $0.member("label", "JulietClient")
                $0.member("source", "try await juliet.send(\(swift))")
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
    /// The problem, if no other is possible and its only example says nothing more.
    var onlyProblem: V2.Problem? {
        guard case .problem(let problems) = content, problems.count == 1, let problem = problems.first,
            examples.map(\.json) == [problem.encoded()], !headers.contains(.replayed), headers.contains(.requestID)
        else { return nil }
        return problem
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
        case .events(let schema):
            writer.object("content") {
                $0.object("text/event-stream") {
                    $0.name("schema")
                    Schema.string.write(to: &$0, about: "Events, each with a line `data: ` and JSON.")
                    // As in OpenAPI 3.2: the schema of each event's data.
                    $0.name("x-itemSchema")
                    schema.write(to: &$0)
                    $0.write(examples, asEvents: true)
                }
            }
        case .problem(let problems):
            writer.object("content") {
                $0.object("application/problem+json") {
                    $0.object("schema") { Self.write(problems.map(\.code), to: &$0) }
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

    private static func write(_ codes: [String], to writer: inout JSONWriter) {
        writer.array("allOf") { writer in
            writer.next()
            V2.Problem.schema.write(to: &writer)
            writer.object {
                $0.object("properties") {
                    $0.name("code")
                    Schema(.string, [.choices(codes)]).write(to: &$0)
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
    fileprivate mutating func write(_ examples: [APIOperation.Example], asEvents: Bool = false) {
        guard !examples.isEmpty else { return }
        object("examples") {
            for example in examples {
                $0.object(example.name) {
                    if asEvents {
                        $0.member("value", "data: \(String(decoding: example.json, as: UTF8.self))\n\n")
                    } else {
                        $0.name("value")
                        $0.raw(example.json)
                    }
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
