import JulietClient
import Testing

@Suite("The nine request types")
struct GameRequestTests {
    @Test(
        "each is written as the contract spells it",
        arguments: [
            (
                try RegisterPlayer(player: "p").message(), "/Juliet_AuthenticateUser",
                #"{"requestType":"initialRegistration","vendorID":"p"}"#
            ),
            (
                try DealWord(player: "p").message(), "/Juliet_WordManager",
                #"{"requestType":"fetchNewSecretWord","userID":"p"}"#
            ),
            (
                try RecordPlayedWord(player: "p", word: "MUSIC").message(), "/Juliet_WordManager",
                #"{"requestType":"updateUserPlayedWordsList","userID":"p","playedWord":"MUSIC"}"#
            ),
            (
                try ReportEnergy(player: "p", energy: 7).message(), "/Juliet_IAPManager",
                #"{"requestType":"updateUserEnergy","userID":"p","userEnergy":7}"#
            ),
            (
                try PayForGame(player: "p").message(), "/Juliet_IAPManager",
                #"{"requestType":"singleGameEnergyUpdate","userID":"p"}"#
            ),
            (
                try BuyEnergy(player: "p", amount: 30).message(), "/Juliet_IAPManager",
                #"{"requestType":"handleEnergyPurchase","userID":"p","energyPurchaseAmount":30}"#
            ),
            (
                try BuyEnergy(player: "p", amount: 15, signedTransaction: "x.y.z").message(), "/Juliet_IAPManager",
                #"{"requestType":"handleEnergyPurchase","userID":"p","energyPurchaseAmount":15,"signedTransaction":"x.y.z"}"#
            ),
            (
                try FetchWins(player: "p").message(), "/Juliet_UserSessionManager",
                #"{"requestType":"fetchUserWins","userID":"p"}"#
            ),
            (
                try AddWin(player: "p").message(), "/Juliet_UserSessionManager",
                #"{"requestType":"updateUserWins","userID":"p"}"#
            ),
            (
                try StartGame(player: "p").message(), "/Juliet_UserSessionManager",
                #"{"requestType":"statNewGameSession","userID":"p"}"#
            ),
        ] as [(RequestMessage, String, String)])
    func message(message: RequestMessage, path: String, body: String) {
        #expect(message.method == .post)
        #expect(message.path == path)
        #expect(message.query.isEmpty)
        #expect(
            message.headers == [
                HeaderField("Accept", "application/json"), HeaderField("Content-Type", "application/json"),
            ])
        #expect(message.body.map { String(decoding: $0, as: UTF8.self) } == body)
    }

    private func answer(_ body: String, outer: Int = 200, rest: String = "") -> HTTPResponse {
        let text = #"{"lambdaInvocationHttpsStatusCode":\#(outer),"body":\#(body)\#(rest)}"#
        return HTTPResponse(status: 200, body: Array(text.utf8))
    }

    @Test("answers become plain values")
    func answers() throws {
        let done = answer(#"{"dynamoDBInvocationHttpsStatusCode":200}"#)
        try RegisterPlayer.response(from: done)
        try RecordPlayedWord.response(from: done)
        let energy = answer(#"{"dynamoDBInvocationHttpsStatusCode":200,"userEnergy":25}"#)
        #expect(try PayForGame.response(from: energy) == EnergyBalance(energy: 25))
        #expect(try BuyEnergy.response(from: energy).energy == 25)
        #expect(try ReportEnergy.response(from: energy).energy == 25)
        let wins = answer(#"{"dynamoDBInvocationHttpsStatusCode":200,"userWins":3}"#)
        #expect(try FetchWins.response(from: wins) == WinCount(wins: 3))
        #expect(try AddWin.response(from: wins).wins == 3)
        let word = answer(#"{"secretWord":["M","U","S","I","C"]}"#)
        #expect(try DealWord.response(from: word).word == "MUSIC")
        let game = try StartGame.response(
            from: answer(#"{"dynamoDBInvocationHttpsStatusCode":200,"userEnergy":5,"secretWord":["Ö","L"]}"#))
        #expect(game == StartedGame(energy: 5, letters: ["Ö", "L"]))
        #expect(game.word == "ÖL")
    }

    @Test("a refusal inside of what HTTP calls a success is a refusal")
    func innerRefusal() {
        let error = #expect(throws: ClientError.self) {
            try PayForGame.response(
                from: answer(
                    #"{"dynamoDBInvocationHttpsStatusCode":404,"userEnergy":3}"#,
                    rest: #","error":{"code":"energy.insufficient","message":"No."}"#))
        }
        #expect(error?.code == .refused)
        #expect(error?.refusal?.status == 404)
        #expect(error?.refusal?.code == "energy.insufficient")
        #expect(error?.refusal?.message == "No.")
    }

    @Test(
        "an invalid envelope is an error with the path to what is wrong",
        arguments: [
            (#"{"dynamoDBInvocationHttpsStatusCode":200}"#, ["body", "userEnergy"]),
            (#"{"dynamoDBInvocationHttpsStatusCode":200,"userEnergy":"5"}"#, ["body", "userEnergy"]),
            (#"{"userEnergy":5}"#, ["body", "dynamoDBInvocationHttpsStatusCode"]), ("5", []),
        ] as [(String, [String])])
    func decoding(body: String, path: [String]) {
        let error = #expect(throws: ClientError.self) { try PayForGame.response(from: answer(body)) }
        #expect(error?.code == .decoding)
        #expect(error?.codingPath == path)
    }
}
