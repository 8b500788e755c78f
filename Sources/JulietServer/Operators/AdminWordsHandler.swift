import HTTPServer
import JulietAPI
import JulietGame

/// `/admin/api/words` and `/admin/api/word`: the lists, and a word of them.
struct AdminWordsHandler: Sendable {
    let operators: Operators

    var routes: [AdminRoute] {
        [
            AdminRoute(.get, "/words") { .of(try await operators.wordLists(by: $0.key)) },
            AdminRoute(.get, "/word") { request in
                let (word, language) = try word(request)
                return .of(try await operators.word(word, language: language, by: request.key))
            },
            AdminRoute(.post, "/word") { .of(try await change($0)) },
        ]
    }

    private func change(_ request: AdminRequest) async throws -> AdminAnswer {
        let (word, language) = try word(request)
        let body = try AdminRequests.WordChange(request.http.body.span)
        guard let change = Operators.WordChange(rawValue: body.change) else {
            let choices = Operators.WordChange.allCases.map(\.rawValue).joined(separator: ", ")
            throw V2.RequestFault(path: "/change", detail: "\"change\" must be one of \(choices).")
        }
        return try await operators.change(
            word, language: language, change, reason: request.reason(body.reason), as: request.operation(),
            by: request.key)
    }

    /// The word as lists spell it.
    private func word(_ request: AdminRequest) throws(V2.RequestFault) -> (word: String, language: String) {
        let language = try request.query.required(.language)
        guard language.wholeMatch(of: #/[a-z]{2,3}/#) != nil else {
            throw AdminQuery.fault(.language, "must be a code of two or three lower-case letters")
        }
        let text = try request.query.required(.word)
        do throws(WordSpelling.Fault) {
            return (try WordSpelling(language: language).word(text), language)
        } catch {
            throw AdminQuery.fault(.word, error.description)
        }
    }
}
