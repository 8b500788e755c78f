import HTTPServer
import JulietAPI

extension APIOperation {
    /// One of the published app's URLs.
    init(_ endpoint: Endpoint, path: String) {
        name = path.split(separator: "_").last.map { $0.prefix(1).lowercased() + $0.dropFirst() } ?? path
        method = .post
        self.path = path
        group = Self.appGroup
        about = "Answers \(endpoint.requestTypes.map(\.name).joined(separator: ", "))."
        text = endpoint.requestTypes.map { "- `\($0.name)`: \($0.schema.about ?? "")" }.joined(separator: "\n")
        proof = .appKey
        let named = endpoint.requestTypes.filter(\.takesKey).map(\.name)
        let hasKeys = !named.isEmpty
        parameters = [
            !hasKeys
                ? .unusedKey
                : named.count == endpoint.requestTypes.count ? .idempotencyKey : .idempotencyKey(for: named)
        ]
        request = endpoint.requestSchema
        let codes = Dictionary(grouping: ErrorCode.allCases, by: \.status).mapValues { $0.map(\.rawValue) }
            .merging(Self.serverCodes) { $0 + $1 }
            .merging(endpoint == .iapManager ? Self.purchaseCodes : [:]) { $0 + $1 }
        let operation = name
        let refusals = codes.sorted { $0.key < $1.key }.map { status, codes in
            let met = OperationExamples.answers(of: operation, status)
            return Answer(
                status: HTTPStatus(status), content: .json(endpoint.answerSchema),
                about: codes.map { "`\($0)`" }.joined(separator: ", "),
                headers: [.requestID] + (status == 429 || status == 503 ? [.retryAfter] : [])
                    + (status == 401 ? [.appChallenge] : [])
                    + (hasKeys && (status == 404 || status == 422) ? [.replayed] : []),
                examples: met.isEmpty ? Self.examples(of: codes, for: endpoint) : met)
        }
        let done = Answer(
            status: .ok, content: .json(endpoint.answerSchema), about: "Done.",
            headers: [.requestID] + (hasKeys ? [.replayed] : []),
            examples: OperationExamples.answers(of: operation, 200))
        answers = [done] + refusals
    }

    /// An example of an answer with the first of these codes.
    private static func examples(of codes: [String], for endpoint: Endpoint) -> [Example] {
        guard let code = codes.first.flatMap(ErrorCode.init), let type = endpoint.requestTypes.first else { return [] }
        return [Example(name: code.rawValue, json: JulietAPI.Answer.failed(code, type: type).encoded())]
    }

    /// The codes of errors that the HTTP server answers by itself, by status.
    private static let serverCodes: [Int: [String]] = [
        400: [HTTPFailure.Code.malformed.rawValue], 408: [HTTPFailure.Code.timeout.rawValue],
        413: [HTTPFailure.Code.bodyTooLarge.rawValue], 414: [HTTPFailure.Code.targetTooLong.rawValue],
        431: [HTTPFailure.Code.headTooLarge.rawValue],
        503: [HTTPFailure.Code.overloaded.rawValue, HTTPFailure.Code.unanswered.rawValue],
    ]

    private static let purchaseCodes = [PurchaseReason.status: PurchaseReason.allCases.map(\.code)]

    /// The published app's URLs, their aliases included.
    static var app: [APIOperation] {
        Endpoint.allCases.flatMap { endpoint in
            ([endpoint.path] + [endpoint.alias].compactMap { $0 }).map { APIOperation(endpoint, path: $0) }
        }
    }
}

extension RequestType {
    /// Whether an `Idempotency-Key` is remembered. It is not for requests that change nothing or that can be repeated without harm.
    fileprivate var takesKey: Bool {
        switch self {
        case .fetchNewSecretWord, .updateUserPlayedWordsList, .fetchUserWins: false
        case .initialRegistration, .updateUserEnergy, .singleGameEnergyUpdate, .handleEnergyPurchase, .updateUserWins,
            .statNewGameSession:
            true
        }
    }
}
