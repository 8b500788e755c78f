import HTTPServer
import JulietAPI

extension APIOperation {
    /// One of the published app's URLs.
    init(_ endpoint: Endpoint, path: String) {
        name = path.split(separator: "_").last.map { $0.prefix(1).lowercased() + $0.dropFirst() } ?? path
        method = .post
        self.path = path
        group = "The published app"
        about = "Answers \(endpoint.requestTypes.map { "`\($0.name)`" }.joined(separator: ", "))."
        text = endpoint.requestTypes.map { "- `\($0.name)`: \($0.schema.about ?? "")" }.joined(separator: "\n")
        proof = .appKey
        parameters = [.idempotencyKey]
        request = endpoint.requestSchema
        let samples = Self.samples.filter { $0.request.type.endpoint == endpoint }
        swift = nil
        requestExamples = samples.map { Example(name: $0.request.type.name, json: $0.request.encoded()) }
        let codes = Dictionary(grouping: ErrorCode.allCases, by: \.status).mapValues { $0.map(\.rawValue) }
            .merging(Self.serverCodes) { $0 + $1 }
            .merging(endpoint == .iapManager ? Self.purchaseCodes : [:]) { $0 + $1 }
        let refusals = codes.sorted { $0.key < $1.key }.map { status, codes in
            Answer(
                status: HTTPStatus(status), content: .json(endpoint.answerSchema),
                about: codes.map { "`\($0)`" }.joined(separator: ", "),
                headers: [.requestID] + (status == 429 || status == 503 ? [.retryAfter] : [])
                    + (status == 401 ? [.appChallenge] : []))
        }
        let done = Answer(
            status: .ok, content: .json(endpoint.answerSchema), about: "Done.", headers: [.requestID, .replayed],
            examples: samples.map { Example(name: $0.request.type.name, json: $0.answer.encoded()) })
        answers = [done] + refusals
    }

    /// A request of each type, and what it is answered.
    private static let samples: [(request: GameRequest, answer: JulietAPI.Answer)] = [
        (.initialRegistration(vendorID: "me"), .done(.initialRegistration)),
        (.fetchNewSecretWord(userID: "me"), .word("bagel")),
        (.updateUserPlayedWordsList(userID: "me", playedWord: "music"), .done(.updateUserPlayedWordsList)),
        (.updateUserEnergy(userID: "me", userEnergy: 25), .energy(.updateUserEnergy, balance: 25)),
        (.singleGameEnergyUpdate(userID: "me"), .energy(.singleGameEnergyUpdate, balance: 25)),
        (
            .handleEnergyPurchase(userID: "me", energyPurchaseAmount: 30),
            .energy(.handleEnergyPurchase, balance: 55)
        ),
        (.fetchUserWins(userID: "me"), .wins(.fetchUserWins, count: 1)),
        (.updateUserWins(userID: "me"), .wins(.updateUserWins, count: 1)),
        (.statNewGameSession(userID: "me"), .game(balance: 25, word: "bagel")),
    ]

    /// What the HTTP server refuses by itself, by status.
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
