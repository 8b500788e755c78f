import JulietAPI

extension APIOperation {
    /// What a group of operations is about, in Markdown.
    static func about(group: String) -> String {
        switch group {
        case "Service": "The name of this service, what it offers, and its rules of energy."
        case "Players and sessions":
            """
            A player has a name, energy and statistics. Each device that is signed in is a session with a token of its own. A \
            recovery code signs another device in.
            """
        case "Ways in":
            "Passkeys (WebAuthn) and identities (OpenID Connect), if the operator has set them up; otherwise 404."
        case "Games":
            "A game costs energy and is judged here: six guesses, and the answer has the word when the game is over."
        case "The day": "One word a day, free and the same for all, and the words of past days."
        case "Leaderboards":
            "Who won most. Leaderboards can be read without a token, unless the operator forbids it."
        case "Challenges":
            "One word for friends, who find it by a code. The player chooses the word, or the service deals one."
        case "Purchases": "Purchases in the App Store, verified by the store's signature."
        case "Leagues": "The word of the day among people who know each other."
        case lotteryGroup:
            """
            Ten names at random, the tenth wins, and everybody can check the draw: the commitment to its seed is shown before \
            anybody can start it. It exists only if the operator has switched it on.
            """
        case storeGroup: "Requests that the App Store sends by itself."
        case appGroup:
            """
            Post a JSON object; its `requestType` says what it asks for. Every answer to a known type has every key of \
            that type, even after an error. `lambdaInvocationHttpsStatusCode` says whether the request was accepted, \
            `dynamoDBInvocationHttpsStatusCode` whether it took effect; HTTP's status is the worse of the two. The \
            error is in `error`. Errors of HTTP itself have codes that begin with `http.`:

            | `error.code` | status | what it says |
            |---|---|---|
            \(ErrorCode.allCases.map { "| `\($0.rawValue)` | \($0.status) | \($0.message) |" }.joined(separator: "\n"))
            """
        default: ""
        }
    }

    static let lotteryGroup = "The lottery"
    static let storeGroup = "The App Store"
    static let appGroup = "The published app"
}
