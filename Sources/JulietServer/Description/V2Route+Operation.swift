import HTTPServer
import JulietAPI

extension V2Route {
    /// The description of the route.
    var operation: APIOperation {
        APIOperation(
            name: name, method: method, path: "/v2" + path, group: group, about: about,
            text: OperationNotes.text(of: name) ?? "", proof: proof, parameters: parameters, request: body?.schema,
            swift: OperationNotes.swift(of: name), answers: answers)
    }

    private var group: String {
        switch segments[0] {
        case "players", "sessions": "Players and sessions"
        case "passkeys", "identities", "nonces": "Ways in"
        case "games": "Games"
        case "daily": "The day"
        case "leaderboards": "Leaderboards"
        case "challenges": "Challenges"
        case "leagues", "invites": "Leagues"
        default: segments[0].prefix(1).uppercased() + segments[0].dropFirst()
        }
    }

    private var segments: [Substring] { path.split(separator: "/") }

    private var proof: APIOperation.Proof {
        switch access {
        case .newcomers: .nothing
        case .anybody: .token(isOptional: true)
        case .players: .token(isOptional: false)
        }
    }

    private var parameters: [APIOperation.Parameter] {
        let inPath = segments.filter { $0.hasPrefix("{") }.map { segment in
            Self.parameter(String(segment.dropFirst().dropLast()), of: segments[0])
        }
        let inQuery = query.map { Self.parameter($0, of: path) }
        return inPath + inQuery + (hasVersions ? [.ifNoneMatch] : [])
            + (method == .get ? [] : [hasKeys ? .idempotencyKey : .unusedKey])
    }

    private static func parameter(_ name: V2.ListQuery.Name, of path: String) -> APIOperation.Parameter {
        let (schema, about) =
            switch (name, path) {
            case (.before, DaysHandler.listPath): (V2.Day.schema, "Only days before this one.")
            default: (name.schema, name.about)
            }
        return APIOperation.Parameter(name: name.rawValue, place: .query, schema: schema, about: about)
    }

    private static func parameter(_ name: String, of collection: Substring) -> APIOperation.Parameter {
        let (schema, about): (Schema, String) =
            switch (name, collection) {
            case ("day", _): (V2.Day.schema, "The day.")
            case ("code", _):
                (
                    V2.ShareCode.schema,
                    "The code, as people write it: letter case, hyphens and blanks do not matter, I and L are 1, O is 0."
                )
            case ("member", _):
                (V2.LeagueMember.ID.schema, "The membership's id; `me` is the calling player.")
            case (_, "leagues"): (V2.League.ID.schema, "The league's id.")
            case ("provider", _): (.string, "The provider, as the player's `identities` name it.")
            case (_, "passkeys"): (V2.Passkey.ID.schema, "The passkey's id.")
            case (_, "sessions"): (V2.Session.ID.schema, "The session's id; `current` is the calling session.")
            default: (V2.Game.ID.schema, "The game's id.")
            }
        return APIOperation.Parameter(name: name, place: .path, schema: schema, about: about)
    }

    private var answers: [APIOperation.Answer] {
        let done = successes.map { success in
            APIOperation.Answer(
                status: success.status, content: success.schema.map { .json($0) } ?? .nothing,
                about: success.schema?.about ?? (success.status.code == 304 ? "Nothing has changed." : "Done."),
                headers: [.requestID] + (success.location != nil ? [.location] : []) + (hasKeys ? [.replayed] : [])
                    + (hasVersions ? [.entityTag] : []),
                examples: OperationExamples.answers(of: name, success.status.code),
                gameLinks: success.location == .game ? ["readGame", "guess", "resign"] : [])
        }
        let refused = Dictionary(grouping: problems, by: \.status).sorted { $0.key < $1.key }.map {
            APIOperation.Answer($0.value.map { V2.Problem($0) }, of: name, hasKeys: hasKeys)
        }
        return (done + refused).sorted { $0.status.code < $1.status.code }
    }

    /// Whether answers have an ETag.
    private var hasVersions: Bool { successes.contains { $0.status.code == 304 } }

    /// Whether keys are remembered.
    private var hasKeys: Bool { refusals.contains(.idempotencyKeyReused) }

    private var problems: [V2.ProblemCode] {
        let problems =
            refusals + V2.ProblemCode.common + [.unauthorized] + (path.contains("{") ? [.notFound] : [])
        return V2.ProblemCode.allCases.filter(problems.contains)
    }
}

extension V2.ProblemCode {
    /// The problems that any request may get.
    static let common: [V2.ProblemCode] = [
        .requestInvalid, .originRefused, .requestTimeout, .contentTooLarge, .uriTooLong, .tooManyRequests,
        .headerFieldsTooLarge,
        .internalError, .unavailable,
    ]
}
