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
        proof = .appKey
        parameters = [.idempotencyKey]
        request = endpoint.requestSchema
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
            status: .ok, content: .json(endpoint.answerSchema), about: "Done.", headers: [.requestID, .replayed])
        answers = [done] + refusals
    }

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
