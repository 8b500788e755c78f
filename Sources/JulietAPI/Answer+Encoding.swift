extension Answer {
    /// The envelope as JSON, UTF-8, without a blank or line end: the response's body.
    package func encoded() -> [UInt8] {
        // The capacity for every success; problems, which need more, are rare.
        var writer = JSONWriter(capacity: 192)
        writer.openObject()
        writer.member(AnswerName.outerStatus, outerStatus)
        writer.name(AnswerName.body)
        writer.openObject()
        encodeBody(to: &writer)
        writer.closeObject()
        if let problem {
            writer.name(AnswerName.error)
            writer.openObject()
            writer.member(AnswerName.code, problem.code)
            writer.member(AnswerName.message, problem.message)
            writer.closeObject()
        }
        writer.closeObject()
        return writer.bytes
    }

    private func encodeBody(to writer: inout JSONWriter) {
        let keys = type?.answerKeys ?? .status
        if let innerStatus {
            writer.member(AnswerName.innerStatus, innerStatus)
        }
        if keys.contains(.userEnergy) {
            writer.member(AnswerName.userEnergy, userEnergy)
        }
        if keys.contains(.userWins) {
            writer.member(AnswerName.userWins, userWins)
        }
        if keys.contains(.secretWord) {
            writer.member(AnswerName.secretWord, secretWord)
        }
    }
}

/// The names in an answer, as the app spells them.
enum AnswerName {
    static let outerStatus = "lambdaInvocationHttpsStatusCode"
    static let body = "body"
    static let innerStatus = "dynamoDBInvocationHttpsStatusCode"
    static let userEnergy = "userEnergy"
    static let userWins = "userWins"
    static let secretWord = "secretWord"
    static let error = "error"
    static let code = "code"
    static let message = "message"
}
