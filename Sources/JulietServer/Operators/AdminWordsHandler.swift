import HTTPServer
import JulietAPI
import JulietGame

/// `/admin/api/words`, `word` and `days`: the lists, a word of them, and the planned words of days.
struct AdminWordsHandler: Sendable {
    let operators: Operators
    let rules: RulesInForce

    var routes: [AdminRoute] {
        [
            AdminRoute(.get, "/words") { .of(try await operators.wordLists(by: $0.session)) },
            AdminRoute(.get, "/word") { request in
                let (word, language) = try word(request)
                return .of(try await operators.word(word, language: language, by: request.session))
            },
            AdminRoute(.post, "/word") { .of(try await change($0)) },
            AdminRoute(.get, "/days") { .of(try await operators.plannedDays(by: $0.session)) },
            AdminRoute(.put, "/days") { .of(try await plan($0)) },
            AdminRoute(.delete, "/days/{day}") { .of(try await clear($0)) },
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
            by: request.session)
    }

    private func plan(_ request: AdminRequest) async throws -> AdminAnswer {
        let body = try AdminRequests.DayPlan(request.http.body.span)
        let word: String
        do throws(WordSpelling.Fault) {
            word = try WordSpelling(language: rules.current.language).word(body.word)
        } catch {
            throw V2.RequestFault(path: "/word", detail: "\"word\" \(error).")
        }
        return try await operators.plan(word, for: body.day, mayRepeat: body.mayRepeat, by: request.session)
    }

    private func clear(_ request: AdminRequest) async throws -> AdminAnswer {
        guard let day = request.http.parameters["day"].flatMap({ V2.Day($0) }) else {
            throw V2.RequestFault(path: "day", detail: "The URL must end with a day such as 2026-12-24.")
        }
        let body = try AdminRequests.Deed(request.http.body.span)
        return try await operators.clear(day, reason: request.reason(body.reason), by: request.session)
    }

    /// The word as lists spell it.
    private func word(_ request: AdminRequest) throws(V2.RequestFault) -> (word: String, language: String) {
        let language = try request.query.required(.language)
        guard language.isLanguageCode else {
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
