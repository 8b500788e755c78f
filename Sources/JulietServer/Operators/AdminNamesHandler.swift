import HTTPServer
import JulietAPI
import JulietGame

/// `/admin/api/name`, a player's, and `/admin/api/names`: the parts that no name may have.
struct AdminNamesHandler: Sendable {
    let operators: Operators

    var routes: [AdminRoute] {
        [
            AdminRoute(.post, "/name") { try await changeName($0) },
            AdminRoute(.get, "/names") { request in
                .of(try await operators.parts(after: text(request, .before), by: request.session))
            },
            AdminRoute(.post, "/names") { .of(try await changePart($0)) },
        ]
    }

    private func changeName(_ request: AdminRequest) async throws -> Response {
        let player = try request.player()
        let body = try AdminRequests.NameChange(request.http.body.span)
        let change: Operators.NameChange = try choice(body.change)
        let name = change == .rename ? V2.GivenName(body.name ?? "", .player) : nil
        if let name, name.fault != nil {
            // A key that may not see the player is refused first.
            let answer = try await operators.player(player, by: request.session)
            return answer.refusal == nil ? .problem(V2.Problem(refusing: name)) : .of(answer)
        }
        return .of(
            try await operators.change(
                nameOf: player, change, to: name?.text, reason: request.reason(body.reason), as: request.operation(),
                by: request.session))
    }

    private func changePart(_ request: AdminRequest) async throws -> AdminAnswer {
        guard let part = try text(request, .part) else { throw AdminQuery.fault(.part, "is missing") }
        let body = try AdminRequests.WordChange(request.http.body.span)
        let change: PartChange = try choice(body.change)
        return try await operators.change(
            part: part, isRefused: change == .refuse, reason: request.reason(body.reason), as: request.operation(),
            by: request.session)
    }

    private enum PartChange: String, CaseIterable { case refuse, allow }

    private func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ text: String
    ) throws(V2.RequestFault) -> Choice {
        guard let choice = Choice(rawValue: text) else {
            let choices = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw V2.RequestFault(path: "/change", detail: "\"change\" must be one of \(choices).")
        }
        return choice
    }

    private func text(_ request: AdminRequest, _ name: AdminQuery.Name) throws(V2.RequestFault) -> String? {
        guard let text = request.query[name] else { return nil }
        guard text.unicodeScalars.count <= 128 else { throw AdminQuery.fault(name, "must have at most 128 characters") }
        return text
    }
}
