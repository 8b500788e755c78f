import JulietAPI

/// What clients may ask and what they are answered, in both contracts: OpenAPI 3.1.
struct APIDescription: Sendable {
    /// What a gateway puts before the URLs, without a slash at its end.
    let basePath: String
    /// By group; the methods of a path need not follow each other.
    let operations: [APIOperation]

    /// Describes these routes and the published app's URLs.
    init(_ routes: [PlayRoute], basePath: String) {
        self.basePath = basePath
        operations = routes.map(\.operation) + APIOperation.app
    }

    /// What it is about, in a few sentences.
    static let about = """
        A word game. Below `/v2` the service judges: it keeps the secret until a game ends, and a token proves who \
        asks. The other URLs are the published app's, which is handed the secret.
        """

    /// All that has a name, by name.
    var schemas: [Schema] {
        var named: [String: Schema] = [:]
        var rest = [V2.Problem.schema]
        for operation in operations {
            rest += [operation.request].compactMap { $0 }
            for case .json(let schema) in operation.answers.map(\.content) { rest.append(schema) }
        }
        while let schema = rest.popLast() {
            if let name = schema.name, named.updateValue(schema, forKey: name) != nil { continue }
            rest += schema.parts
        }
        return named.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The codes of problems that any request of `/v2` may be answered with, by status.
    var problems: [V2.ProblemCode] {
        let codes = operations.flatMap { operation in
            operation.answers.flatMap { answer -> [V2.ProblemCode] in
                guard case .problem(let codes) = answer.content else { return [] }
                return codes
            }
        }
        return V2.ProblemCode.allCases.filter(codes.contains)
    }
}
