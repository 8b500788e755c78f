import JulietAPI
import Testing

@Suite("Answers, read by a client")
struct AnswerDecodingTests {
    private func decode(_ json: String, to type: RequestType?) throws(Answer.DecodingFailure) -> Answer {
        try Answer.decode(Array(json.utf8).span, to: type)
    }

    @Test("what is written is read back", arguments: RequestType.allCases)
    func roundTrip(type: RequestType) throws {
        var answers = ErrorCode.allCases.flatMap { code in
            [
                Answer.failed(code, type: type, message: "\"\\\n🎉"), Answer.failed(code, type: type),
                Answer.refused(type, code),
            ]
        }
        switch type {
        case .initialRegistration, .updateUserPlayedWordsList: answers.append(.done(type))
        case .fetchNewSecretWord: answers.append(.word("größe"))
        case .updateUserEnergy, .singleGameEnergyUpdate, .handleEnergyPurchase:
            answers.append(.energy(type, balance: 25))
        case .fetchUserWins, .updateUserWins: answers.append(.wins(type, count: 3))
        case .statNewGameSession: answers.append(.game(balance: 25, word: "music"))
        }
        for answer in answers {
            #expect(try Answer.decode(answer.encoded().span, to: type) == answer)
        }
    }

    @Test("the answer to a type that could not be told")
    func untold() throws {
        let answer = Answer.failed(.jsonMalformed, type: nil)
        #expect(try Answer.decode(answer.encoded().span, to: nil) == answer)
    }

    @Test("keys beyond the contract are ignored")
    func extras() throws {
        let json =
            #"{"x":[],"body":{"y":null,"userWins":3.0,"dynamoDBInvocationHttpsStatusCode":200},"lambdaInvocationHttpsStatusCode":200}"#
        #expect(try decode(json, to: .fetchUserWins) == .wins(.fetchUserWins, count: 3))
    }

    @Test(
        "a key that is missing or ill-typed is named",
        arguments: [
            (#"{}"#, "lambdaInvocationHttpsStatusCode"),
            (#"{"lambdaInvocationHttpsStatusCode":"200","body":{}}"#, "lambdaInvocationHttpsStatusCode"),
            (#"{"lambdaInvocationHttpsStatusCode":200}"#, "dynamoDBInvocationHttpsStatusCode"),
            (#"{"lambdaInvocationHttpsStatusCode":200,"body":{}}"#, "dynamoDBInvocationHttpsStatusCode"),
            (
                #"{"lambdaInvocationHttpsStatusCode":200,"body":{"dynamoDBInvocationHttpsStatusCode":null}}"#,
                "dynamoDBInvocationHttpsStatusCode"
            ),
            (
                #"{"lambdaInvocationHttpsStatusCode":200,"body":{"dynamoDBInvocationHttpsStatusCode":200}}"#,
                "userEnergy"
            ),
            (
                #"{"lambdaInvocationHttpsStatusCode":200,"body":{"dynamoDBInvocationHttpsStatusCode":200,"userEnergy":2.5}}"#,
                "userEnergy"
            ),
            (
                #"{"lambdaInvocationHttpsStatusCode":200,"body":{"dynamoDBInvocationHttpsStatusCode":200,"userEnergy":25}}"#,
                "secretWord"
            ),
            (
                #"{"lambdaInvocationHttpsStatusCode":200,"body":{"dynamoDBInvocationHttpsStatusCode":200,"userEnergy":25,"secretWord":["AB"]}}"#,
                "secretWord"
            ),
            (
                #"{"lambdaInvocationHttpsStatusCode":200,"body":{"dynamoDBInvocationHttpsStatusCode":200,"userEnergy":25,"secretWord":["A",5]}}"#,
                "secretWord"
            ),
            (
                #"{"lambdaInvocationHttpsStatusCode":200,"body":{"dynamoDBInvocationHttpsStatusCode":200,"userEnergy":25,"secretWord":[]},"error":{}}"#,
                "code"
            ),
            (
                #"{"lambdaInvocationHttpsStatusCode":200,"body":{"dynamoDBInvocationHttpsStatusCode":200,"userEnergy":25,"secretWord":[]},"error":{"code":"x"}}"#,
                "message"
            ),
        ])
    func invalid(json: String, key: String) {
        #expect(throws: Answer.DecodingFailure.invalid(key: key)) { try decode(json, to: .statNewGameSession) }
    }

    @Test(
        "what is not an envelope is refused",
        arguments: [
            "", "<html></html>", "null", "[]", #"{"message":"Internal server error""#, #"{"body":null}"#,
            #"{"body":{"secretWord":"MUSIC"}}"#,
            #"{"error":"no"}"#, #"{"body":{"userWins":1,"userWins":2}}"#, #"{"body":{},"body":{}}"#,
        ])
    func malformed(json: String) {
        #expect {
            try decode(json, to: .statNewGameSession)
        } throws: { error in
            guard case Answer.DecodingFailure.malformed = error else { return false }
            return true
        }
    }
}
