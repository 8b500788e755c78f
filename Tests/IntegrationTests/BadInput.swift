import JulietAPI
import Testing

/// The table of bodies that are no request of ours.
enum BadInput {
    /// A body that is refused: `USER` stands for a player.
    struct Body: Sendable, CustomTestStringConvertible {
        let endpoint: Endpoint
        let text: String
        /// The keys of `body`, filled in as they must come.
        let answer: String
        let error: String

        init(_ endpoint: Endpoint, _ text: String, _ answer: String, _ error: String) {
            self.endpoint = endpoint
            self.text = text
            self.answer = answer
            self.error = error
        }

        var testDescription: String { String(text.prefix(100)) }
    }

    private static let status = #"{"dynamoDBInvocationHttpsStatusCode":400}"#
    private static let energy = #"{"dynamoDBInvocationHttpsStatusCode":400,"userEnergy":0}"#
    private static let wins = #"{"dynamoDBInvocationHttpsStatusCode":400,"userWins":0}"#
    private static let word = #"{"secretWord":[]}"#
    private static let game = #"{"dynamoDBInvocationHttpsStatusCode":400,"userEnergy":0,"secretWord":[]}"#

    /// Nothing tells the type.
    static let shapeless: [Body] = [
        .init(.userSessionManager, "", status, "request.json.malformed"),
        .init(.userSessionManager, "{", status, "request.json.malformed"),
        .init(.userSessionManager, "{}", status, "request.type.missing"),
        .init(.userSessionManager, "[]", status, "request.json.notAnObject"),
        .init(.userSessionManager, "null", status, "request.json.notAnObject"),
        .init(.userSessionManager, "\"fetchUserWins\"", status, "request.json.notAnObject"),
        .init(.userSessionManager, "5", status, "request.json.notAnObject"),
        .init(.userSessionManager, "requestType=fetchUserWins&userID=USER", status, "request.json.malformed"),
        .init(.userSessionManager, "<requestType>fetchUserWins</requestType>", status, "request.json.malformed"),
        .init(.userSessionManager, #"{"userID":"USER"}"#, status, "request.type.missing"),
        .init(.userSessionManager, #"{"requestType":null,"userID":"USER"}"#, status, "request.type.invalid"),
        .init(.userSessionManager, #"{"requestType":5,"userID":"USER"}"#, status, "request.type.invalid"),
        .init(
            .userSessionManager, #"{"requestType":["updateUserWins"],"userID":"USER"}"#, status, "request.type.invalid"),
        .init(
            .userSessionManager, #"{"requestType":"startNewGameSession","userID":"USER"}"#, status,
            "request.type.unknown"),
        .init(
            .userSessionManager, #"{"requestType":"updateuserwins","userID":"USER"}"#, status, "request.type.unknown"),
        .init(.authenticateUser, #"{"requestType":"","vendorID":"USER"}"#, status, "request.type.unknown"),
    ]

    /// Each type at a URL that is not its own.
    static let misplaced: [Body] = [
        .init(
            .userSessionManager, #"{"requestType":"initialRegistration","vendorID":"USER"}"#, status,
            "request.type.misplaced"),
        .init(.iapManager, #"{"requestType":"fetchNewSecretWord","userID":"USER"}"#, word, "request.type.misplaced"),
        .init(
            .iapManager, #"{"requestType":"updateUserPlayedWordsList","userID":"USER","playedWord":"vapor"}"#, status,
            "request.type.misplaced"),
        .init(
            .wordManager, #"{"requestType":"updateUserEnergy","userID":"USER","userEnergy":5}"#, energy,
            "request.type.misplaced"),
        .init(
            .userSessionManager, #"{"requestType":"singleGameEnergyUpdate","userID":"USER"}"#, energy,
            "request.type.misplaced"),
        .init(
            .authenticateUser, #"{"requestType":"handleEnergyPurchase","userID":"USER","energyPurchaseAmount":5}"#,
            energy, "request.type.misplaced"),
        .init(.authenticateUser, #"{"requestType":"fetchUserWins","userID":"USER"}"#, wins, "request.type.misplaced"),
        .init(.iapManager, #"{"requestType":"updateUserWins","userID":"USER"}"#, wins, "request.type.misplaced"),
        .init(.wordManager, #"{"requestType":"statNewGameSession","userID":"USER"}"#, game, "request.type.misplaced"),
    ]

    /// Parameters that are missing or are not what they must be.
    static let parameters: [Body] =
        [
            .init(.authenticateUser, #"{"requestType":"initialRegistration"}"#, status, "request.parameter.missing"),
            .init(
                .authenticateUser, #"{"requestType":"initialRegistration","userID":"USER"}"#, status,
                "request.parameter.missing"),
            .init(.wordManager, #"{"requestType":"fetchNewSecretWord"}"#, word, "request.parameter.missing"),
            .init(
                .wordManager, #"{"requestType":"updateUserPlayedWordsList","userID":"USER"}"#, status,
                "request.parameter.missing"),
            .init(
                .wordManager, #"{"requestType":"updateUserPlayedWordsList","playedWord":"vapor"}"#, status,
                "request.parameter.missing"),
            .init(
                .iapManager, #"{"requestType":"updateUserEnergy","userID":"USER"}"#, energy, "request.parameter.missing"
            ),
            .init(.iapManager, #"{"requestType":"singleGameEnergyUpdate"}"#, energy, "request.parameter.missing"),
            .init(
                .iapManager, #"{"requestType":"handleEnergyPurchase","userID":"USER"}"#, energy,
                "request.parameter.missing"),
            .init(.userSessionManager, #"{"requestType":"fetchUserWins"}"#, wins, "request.parameter.missing"),
            .init(
                .userSessionManager, #"{"requestType":"updateUserWins","UserID":"USER"}"#, wins,
                "request.parameter.missing"),
            .init(
                .userSessionManager, #"{"requestType":"statNewGameSession","userId":"USER"}"#, game,
                "request.parameter.missing"),
            .init(
                .wordManager, #"{"requestType":"updateUserPlayedWordsList","userID":"USER","playedWord":5}"#, status,
                "request.parameter.invalid"),
            .init(
                .wordManager, #"{"requestType":"updateUserPlayedWordsList","userID":"USER","playedWord":null}"#, status,
                "request.parameter.invalid"),
            .init(
                .wordManager, #"{"requestType":"updateUserPlayedWordsList","userID":"USER","playedWord":["v"]}"#,
                status, "request.parameter.invalid"),
            .init(
                .iapManager, #"{"requestType":"updateUserEnergy","userID":"USER","userEnergy":-1}"#, energy,
                "request.parameter.invalid"),
            .init(
                .iapManager, #"{"requestType":"updateUserEnergy","userID":"USER","userEnergy":-1e400}"#, energy,
                "request.parameter.invalid"),
        ]
        + [
            #""5""#, "5.5", "true", "false", "null", "[5]", "{}", "5e-1", "5.00000000000000000001",
            "9223372036854775807.5", "99999999999999999999.5", "1e-400",
        ]
        .flatMap { value -> [Body] in
            [
                .init(
                    .iapManager,
                    #"{"requestType":"handleEnergyPurchase","userID":"USER","energyPurchaseAmount":\#(value)}"#, energy,
                    "request.parameter.invalid"),
                .init(
                    .iapManager, #"{"requestType":"updateUserEnergy","userID":"USER","userEnergy":\#(value)}"#, energy,
                    "request.parameter.invalid"),
            ]
        }
        + [
            "5", "null", "true", "[]", "{}", #""""#, #"" ""#, #""a\n""#, #""a\u007f""#, #""a\u0085""#, #""a\u2028""#,
            "\"" + String(repeating: "x", count: 129) + "\"", "\"" + String(repeating: "é", count: 129) + "\"",
        ]
        .flatMap { id -> [Body] in
            [
                .init(
                    .authenticateUser, #"{"requestType":"initialRegistration","vendorID":\#(id)}"#, status,
                    "request.parameter.invalid"),
                .init(
                    .wordManager, #"{"requestType":"fetchNewSecretWord","userID":\#(id)}"#, word,
                    "request.parameter.invalid"),
                .init(
                    .iapManager, #"{"requestType":"singleGameEnergyUpdate","userID":\#(id)}"#, energy,
                    "request.parameter.invalid"),
                .init(
                    .userSessionManager, #"{"requestType":"updateUserWins","userID":\#(id)}"#, wins,
                    "request.parameter.invalid"),
                .init(
                    .userSessionManager, #"{"requestType":"statNewGameSession","userID":\#(id)}"#, game,
                    "request.parameter.invalid"),
            ]
        }

    /// Broken JSON around a request that would cost energy.
    static let broken: [Body] = [
        .init(
            .userSessionManager, #"{"requestType":"statNewGameSession","userID":"USER""#, game, "request.json.malformed"
        ),
        .init(
            .userSessionManager, #"{"requestType":"statNewGameSession","userID":"USER"}}"#, game,
            "request.json.malformed"),
        .init(
            .userSessionManager, #"{"requestType":"statNewGameSession","userID":"USER"} {}"#, game,
            "request.json.malformed"),
        .init(
            .userSessionManager, #"{"requestType":"statNewGameSession","userID":"USER",}"#, game,
            "request.json.malformed"),
        .init(
            .userSessionManager, #"{"requestType":"statNewGameSession" "userID":"USER"}"#, game,
            "request.json.malformed"),
        .init(
            .userSessionManager, #"{'requestType':'statNewGameSession','userID':'USER'}"#, status,
            "request.json.malformed"),
        .init(
            .userSessionManager, #"{requestType:"statNewGameSession","userID":"USER"}"#, status,
            "request.json.malformed"),
        .init(
            .userSessionManager, #"{"requestType":"statNewGameSession","userID":"USER"}//"#, game,
            "request.json.malformed"),
        .init(
            .userSessionManager, #"{"userID":"USER,"requestType":"statNewGameSession"}"#, game, "request.json.malformed"
        ),
        .init(
            .userSessionManager, #"{"requestType":"statNewGameSession","userID":"USER","x":01}"#, game,
            "request.json.malformed"),
        .init(
            .userSessionManager, #"{"requestType":"statNewGameSession","userID":"USER","x":NaN}"#, game,
            "request.json.malformed"),
        .init(
            .userSessionManager, "{\"requestType\":\"statNewGameSession\",\"userID\":\"USER\",\"x\":\"\u{1}\"}", game,
            "request.json.malformed"),
        .init(
            .userSessionManager, "\u{FEFF}{\"requestType\":\"statNewGameSession\",\"userID\":\"USER\"}", game,
            "request.json.malformed"),
        .init(
            .userSessionManager, #"{"requestType":"statNewGameSession","userID":"USER\u0000"}"#, game,
            "request.json.malformed"),
        .init(
            .userSessionManager, #"{"requestType":"statNewGameSession","userID":"USER\ud800"}"#, game,
            "request.json.malformed"),
        .init(
            .userSessionManager, #"{"requestType":"statNewGameSession","userID":"USER","x":"\udc00"}"#, game,
            "request.json.malformed"),
        .init(
            .userSessionManager, #"{"requestType":"statNewGameSession","userID":"USER","x\u0000":1}"#, game,
            "request.json.malformed"),
        .init(
            .userSessionManager, #"{"requestType":"statNewGameSession","userID":"USER","userID":"USER"}"#, game,
            "request.json.duplicateName"),
        .init(
            .userSessionManager, #"{"requestType":"statNewGameSession","userID":"USER","user\u0049D":"other"}"#, game,
            "request.json.duplicateName"),
        .init(
            .userSessionManager, #"{"requestType":"statNewGameSession","requestType":"fetchUserWins","userID":"USER"}"#,
            game,
            "request.json.duplicateName"),
        .init(
            .userSessionManager, #"{"requestType":"statNewGameSession","userID":"USER","x":{"a":1,"a":1}}"#, game,
            "request.json.duplicateName"),
        .init(
            .userSessionManager,
            #"{"requestType":"statNewGameSession","userID":"USER","x":\#(String(repeating: "[", count: 40))\#(String(repeating: "]", count: 40))}"#,
            game,
            "request.json.tooDeep"),
        .init(
            .userSessionManager,
            #"{"requestType":"statNewGameSession","userID":"USER","x":\#(String(repeating: "[", count: 15_000))"#, game,
            "request.json.tooDeep"),
    ]
}
