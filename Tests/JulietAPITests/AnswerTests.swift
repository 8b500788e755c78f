import JulietAPI
import Testing

@Suite("Answers")
struct AnswerTests {
    @Test(
        "success holds exactly the documented keys",
        arguments: [
            (
                Answer.done(.initialRegistration),
                #"{"lambdaInvocationHttpsStatusCode":200,"body":{"dynamoDBInvocationHttpsStatusCode":200}}"#
            ),
            (.word("music"), #"{"lambdaInvocationHttpsStatusCode":200,"body":{"secretWord":["M","U","S","I","C"]}}"#),
            (
                .done(.updateUserPlayedWordsList),
                #"{"lambdaInvocationHttpsStatusCode":200,"body":{"dynamoDBInvocationHttpsStatusCode":200}}"#
            ),
            (
                .energy(.updateUserEnergy, balance: 25),
                #"{"lambdaInvocationHttpsStatusCode":200,"body":{"dynamoDBInvocationHttpsStatusCode":200,"userEnergy":25}}"#
            ),
            (
                .energy(.singleGameEnergyUpdate, balance: 0),
                #"{"lambdaInvocationHttpsStatusCode":200,"body":{"dynamoDBInvocationHttpsStatusCode":200,"userEnergy":0}}"#
            ),
            (
                .energy(.handleEnergyPurchase, balance: 2_147_483_647),
                #"{"lambdaInvocationHttpsStatusCode":200,"body":{"dynamoDBInvocationHttpsStatusCode":200,"userEnergy":2147483647}}"#
            ),
            (
                .wins(.fetchUserWins, count: 0),
                #"{"lambdaInvocationHttpsStatusCode":200,"body":{"dynamoDBInvocationHttpsStatusCode":200,"userWins":0}}"#
            ),
            (
                .wins(.updateUserWins, count: 109),
                #"{"lambdaInvocationHttpsStatusCode":200,"body":{"dynamoDBInvocationHttpsStatusCode":200,"userWins":109}}"#
            ),
            (
                .game(balance: 25, word: "drunk"),
                #"{"lambdaInvocationHttpsStatusCode":200,"body":{"dynamoDBInvocationHttpsStatusCode":200,"userEnergy":25,"secretWord":["D","R","U","N","K"]}}"#
            ),
        ])
    func success(answer: Answer, json: String) {
        #expect(text(answer) == json)
        #expect(answer.httpStatus == 200)
        #expect(answer.problem == nil)
    }

    @Test(
        "a refusal is inner 404 with every key, and says why outside the body",
        arguments: [
            (
                Answer.refused(.initialRegistration, .userUnknown),
                #"{"dynamoDBInvocationHttpsStatusCode":404}"#,
                #"{"code":"user.unknown","message":"No such user: register first."}"#
            ),
            (
                .refused(.updateUserPlayedWordsList, .wordUnknown),
                #"{"dynamoDBInvocationHttpsStatusCode":404}"#,
                #"{"code":"word.unknown","message":"The word is not in the list."}"#
            ),
            (
                .refused(.updateUserPlayedWordsList, .userUnknown),
                #"{"dynamoDBInvocationHttpsStatusCode":404}"#,
                #"{"code":"user.unknown","message":"No such user: register first."}"#
            ),
            (
                .refused(.updateUserEnergy, .userUnknown),
                #"{"dynamoDBInvocationHttpsStatusCode":404,"userEnergy":0}"#,
                #"{"code":"user.unknown","message":"No such user: register first."}"#
            ),
            (
                .refused(.updateUserEnergy, .energyReportRefused, energy: 17),
                #"{"dynamoDBInvocationHttpsStatusCode":404,"userEnergy":17}"#,
                #"{"code":"energy.clientUpdates.refused","message":"Clients may not set their energy here."}"#
            ),
            (
                .refused(.singleGameEnergyUpdate, .energyInsufficient, energy: 4),
                #"{"dynamoDBInvocationHttpsStatusCode":404,"userEnergy":4}"#,
                #"{"code":"energy.insufficient","message":"Not enough energy for a game."}"#
            ),
            (
                .refused(.singleGameEnergyUpdate, .userUnknown),
                #"{"dynamoDBInvocationHttpsStatusCode":404,"userEnergy":0}"#,
                #"{"code":"user.unknown","message":"No such user: register first."}"#
            ),
            (
                .refused(.handleEnergyPurchase, .productUnknown, energy: 30),
                #"{"dynamoDBInvocationHttpsStatusCode":404,"userEnergy":30}"#,
                #"{"code":"product.unknown","message":"No such product: 5 or 30 energy can be bought."}"#
            ),
            (
                .refused(.handleEnergyPurchase, .energyFull, energy: 2_147_483_647),
                #"{"dynamoDBInvocationHttpsStatusCode":404,"userEnergy":2147483647}"#,
                #"{"code":"energy.full","message":"The balance would be too high."}"#
            ),
            (
                .refused(.handleEnergyPurchase, .userUnknown),
                #"{"dynamoDBInvocationHttpsStatusCode":404,"userEnergy":0}"#,
                #"{"code":"user.unknown","message":"No such user: register first."}"#
            ),
            (
                .refused(.fetchUserWins, .userUnknown),
                #"{"dynamoDBInvocationHttpsStatusCode":404,"userWins":0}"#,
                #"{"code":"user.unknown","message":"No such user: register first."}"#
            ),
            (
                .refused(.updateUserWins, .winsFull, wins: 2_147_483_647),
                #"{"dynamoDBInvocationHttpsStatusCode":404,"userWins":2147483647}"#,
                #"{"code":"wins.full","message":"The number of wins would be too high."}"#
            ),
            (
                .refused(.updateUserWins, .userUnknown),
                #"{"dynamoDBInvocationHttpsStatusCode":404,"userWins":0}"#,
                #"{"code":"user.unknown","message":"No such user: register first."}"#
            ),
            (
                .refused(.statNewGameSession, .energyInsufficient, energy: 3),
                #"{"dynamoDBInvocationHttpsStatusCode":404,"userEnergy":3,"secretWord":[]}"#,
                #"{"code":"energy.insufficient","message":"Not enough energy for a game."}"#
            ),
            (
                .refused(.statNewGameSession, .userUnknown, message: "No such user."),
                #"{"dynamoDBInvocationHttpsStatusCode":404,"userEnergy":0,"secretWord":[]}"#,
                #"{"code":"user.unknown","message":"No such user."}"#
            ),
        ])
    func refusal(answer: Answer, body: String, error: String) {
        #expect(text(answer) == #"{"lambdaInvocationHttpsStatusCode":200,"body":\#(body),"error":\#(error)}"#)
        #expect(answer.outerStatus == 200)
        #expect(answer.innerStatus == 404)
        #expect(answer.httpStatus == 404)
    }

    @Test(
        "fetchNewSecretWord has no inner code: the outer one says that the user is unknown, the word comes from memory",
        arguments: [("music", #"["M","U","S","I","C"]"#), (nil, "[]")] as [(String?, String)])
    func wordForUnknownUser(memory: String?, letters: String) {
        let answer = Answer.refused(.fetchNewSecretWord, .userUnknown).dealing(fromMemory: memory)
        #expect(
            text(answer)
                == #"{"lambdaInvocationHttpsStatusCode":404,"body":{"secretWord":\#(letters)},"error":{"code":"user.unknown","message":"No such user: register first."}}"#
        )
        #expect(answer.innerStatus == nil)
        #expect(answer.httpStatus == 404)
    }

    @Test("a word that was dealt, and every answer to another type, stay as they are, whatever memory holds")
    func nothingFromMemory() {
        let answers = [
            Answer.word("drunk"), .game(balance: 25, word: "drunk"), .refused(.fetchUserWins, .userUnknown),
            .refused(.statNewGameSession, .energyInsufficient), .failed(.serverUnavailable, type: .statNewGameSession),
            .failed(.serverUnavailable, type: nil),
        ]
        for answer in answers { #expect(answer.dealing(fromMemory: "music") == answer) }
    }

    @Test("memory is not asked when nothing is missing")
    func memoryIsLeftAlone() {
        var asked = 0
        func word() -> String? {
            asked += 1
            return "music"
        }
        _ = Answer.word("drunk").dealing(fromMemory: word())
        _ = Answer.failed(.authRequired, type: .fetchNewSecretWord).dealing(fromMemory: word())
        #expect(asked == 0)
        _ = Answer.failed(.serverInternal, type: .fetchNewSecretWord).dealing(fromMemory: word())
        #expect(asked == 1)
    }

    /// The failures of the request, of the key and of the service.
    static let failures: [(code: ErrorCode, status: Int)] = [
        (.jsonMalformed, 400), (.typeMisplaced, 400), (.parameterMissing, 400), (.authRequired, 401),
        (.authInvalid, 401),
        (.serverInternal, 500), (.serverOverloaded, 503), (.serverUnavailable, 503), (.serverWithoutWords, 503),
    ]

    /// The body of a failure, with % for the status and # for what `fetchNewSecretWord` deals.
    static let bodies: [(type: RequestType?, body: String)] = [
        (nil, #"{"dynamoDBInvocationHttpsStatusCode":%}"#),
        (.initialRegistration, #"{"dynamoDBInvocationHttpsStatusCode":%}"#),
        (.fetchNewSecretWord, #"{"secretWord":#}"#),
        (.updateUserPlayedWordsList, #"{"dynamoDBInvocationHttpsStatusCode":%}"#),
        (.updateUserEnergy, #"{"dynamoDBInvocationHttpsStatusCode":%,"userEnergy":0}"#),
        (.singleGameEnergyUpdate, #"{"dynamoDBInvocationHttpsStatusCode":%,"userEnergy":0}"#),
        (.handleEnergyPurchase, #"{"dynamoDBInvocationHttpsStatusCode":%,"userEnergy":0}"#),
        (.fetchUserWins, #"{"dynamoDBInvocationHttpsStatusCode":%,"userWins":0}"#),
        (.updateUserWins, #"{"dynamoDBInvocationHttpsStatusCode":%,"userWins":0}"#),
        (.statNewGameSession, #"{"dynamoDBInvocationHttpsStatusCode":%,"userEnergy":0,"secretWord":[]}"#),
    ]

    @Test("a failure holds every key of its type, both codes its status", arguments: failures, bodies)
    func failure(failure: (code: ErrorCode, status: Int), example: (type: RequestType?, body: String)) {
        // A word from memory is dealt when the service is at fault, and if there is one.
        for (memory, word) in [("music", failure.status >= 500 ? #"["M","U","S","I","C"]"# : "[]"), (nil, "[]")] {
            let body = example.body.replacing("%", with: String(failure.status)).replacing("#", with: word)
            let answer = Answer.failed(failure.code, type: example.type).dealing(fromMemory: memory)
            let message = failure.code.message.replacing("\"", with: "\\\"")
            #expect(
                text(answer)
                    == #"{"lambdaInvocationHttpsStatusCode":\#(failure.status),"body":\#(body),"error":{"code":"\#(failure.code.rawValue)","message":"\#(message)"}}"#
            )
            #expect(answer.httpStatus == failure.status)
        }
    }

    @Test(
        "what the HTTP server refuses holds every key of its type, both codes its status",
        arguments: [400, 404, 405, 408, 413, 414, 415, 417, 429, 431, 500, 501, 503, 505], bodies)
    func httpFailure(status: Int, example: (type: RequestType?, body: String)) {
        let body = example.body.replacing("%", with: String(status)).replacing("#", with: "[]")
        let answer = Answer.failed(
            httpStatus: status, type: example.type, problem: Answer.Problem(code: "http.x", message: "No."))
        #expect(
            text(answer)
                == #"{"lambdaInvocationHttpsStatusCode":\#(status),"body":\#(body),"error":{"code":"http.x","message":"No."}}"#
        )
        #expect(answer.httpStatus == status)
    }

    @Test("a body that is no request is answered in the shape of its type")
    func requestFailure() {
        let failure = JulietAPITests.failure(
            of: #"{"requestType":"handleEnergyPurchase","userID":"u"}"#, at: .iapManager)
        #expect(
            failure.map { text(.failed($0)) }
                == #"{"lambdaInvocationHttpsStatusCode":400,"body":{"dynamoDBInvocationHttpsStatusCode":400,"userEnergy":0},"error":{"code":"request.parameter.missing","message":"handleEnergyPurchase needs \"energyPurchaseAmount\", an integer: 5 or 30."}}"#
        )
    }

    @Test("HTTP carries the worse of the two codes", arguments: AnswerTests.failures)
    func worse(failure: (code: ErrorCode, status: Int)) {
        #expect(Answer.failed(failure.code, type: .fetchUserWins).httpStatus == failure.status)
        #expect(Answer.refused(.fetchUserWins, .userUnknown).httpStatus == 404)
        #expect(Answer.done(.initialRegistration).httpStatus == 200)
    }

    @Test(
        "letters are upper-cased one by one",
        arguments: [
            ("music", ["M", "U", "S", "I", "C"]), ("MUSIC", ["M", "U", "S", "I", "C"]),
            ("größe", ["G", "R", "Ö", "ß", "E"]),
            ("İĞÜŞÖÇI", ["İ", "Ğ", "Ü", "Ş", "Ö", "Ç", "I"]), ("e\u{301}a", ["E\u{301}", "A"]), ("", []),
            ("日本", ["日", "本"]), ("ŉ", ["ŉ"]),
        ])
    func letters(word: String, letters: [String]) {
        #expect(Answer.letters(of: word) == letters)
    }

    @Test("letters beyond ASCII go out as UTF-8")
    func utf8() {
        #expect(
            text(.word("größe"))
                == #"{"lambdaInvocationHttpsStatusCode":200,"body":{"secretWord":["G","R","Ö","ß","E"]}}"#)
    }

    @Test("messages are escaped")
    func escapes() {
        let answer = Answer.failed(.serverInternal, type: nil, message: "\"\\/\n\u{1F}é\u{7F}")
        #expect(text(answer).hasSuffix(#","message":"\"\\/\u000a\u001fé"# + "\u{7F}\"}}"))
    }

    @Test("numbers are written in full", arguments: [0, 1, 9, 10, 99, 100, -1, -10, Int.max, Int.min])
    func numbers(value: Int) {
        #expect(text(.wins(.fetchUserWins, count: value)).hasSuffix(#""userWins":\#(value)}}"#))
    }
}
