import JulietAPI

extension APIOperation {
    /// What a group of operations is about, in Markdown.
    static func about(group: String) -> String {
        switch group {
        case "Service": "What this service is called, what it offers, and what energy costs and brings."
        case "Players and sessions":
            """
            A player has a name, energy and statistics. Each device that is signed in is a session with a token of its own; a \
            recovery code signs another one in.
            """
        case "Ways in":
            "Passkeys (WebAuthn) and identities (OpenID Connect), where the operator has set them up: else they are 404."
        case "Games": "A word for energy, judged here: six guesses, and the word is told when the game is over."
        case "The day": "One word a day (UTC), the same for all and free, and the days gone by."
        case "Leaderboards":
            "Who won most. Whom nobody has signed in may look as well, unless the operator says otherwise."
        case "Challenges":
            "One word for friends, by a code: with a word of the player's own, or with one that is dealt."
        case "Purchases": "What was bought in the App Store, verified by the store's signature."
        case "Leagues": "The words of the days among people who know each other."
        case lotteryGroup:
            """
            Ten names at random, the tenth wins, and everybody can check the draw: the commitment to its seed is shown before \
            anybody can start it. There where the operator has it on.
            """
        case storeGroup: "What the App Store calls by itself."
        case appGroup:
            """
            A JSON object is posted; its `requestType` says what is asked. Every answer to a known one has every key of that type, \
            whatever went wrong. `lambdaInvocationHttpsStatusCode` says whether the request was taken, \
            `dynamoDBInvocationHttpsStatusCode` what became of it; HTTP's status is the worse of the two. What went wrong is in \
            `error`, and what HTTP itself refuses has codes that begin with `http.`:

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
