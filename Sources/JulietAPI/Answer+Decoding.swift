extension Answer {
    /// Why bytes are not an answer to the request that was sent.
    package enum DecodingFailure: Error, Equatable, Sendable {
        /// Not a JSON object, or `body`, `error` or `secretWord` is not of the kind it must be.
        case malformed(JSONError)
        /// A key that the request type requires is missing or has the wrong type.
        case invalid(key: String)
    }

    /// Reads an answer as a client does: every key of the request type is required with its JSON type; others are ignored.
    ///
    /// - Parameters:
    ///   - bytes: The whole response body.
    ///   - type: What was asked; nil reads the envelope of a request whose type the server could not tell.
    /// - Throws: `DecodingFailure`.
    package static func decode(
        _ bytes: Span<UInt8>, to type: RequestType?
    ) throws(DecodingFailure) -> Answer {
        var members = AnswerMembers()
        do {
            try members.read(bytes)
        } catch {
            throw .malformed(error)
        }
        let keys = type?.answerKeys ?? .status
        return Answer(
            type,
            outer: try due(members.outerStatus, AnswerName.outerStatus),
            inner: keys.contains(.status) ? try due(members.innerStatus, AnswerName.innerStatus) : nil,
            energy: keys.contains(.userEnergy) ? try due(members.userEnergy, AnswerName.userEnergy) : 0,
            wins: keys.contains(.userWins) ? try due(members.userWins, AnswerName.userWins) : 0,
            word: keys.contains(.secretWord) ? try due(members.secretWord, AnswerName.secretWord) : [],
            problem: try members.problem())
    }

    /// The same for an array, whose own span older systems do not have.
    package static func decode(_ bytes: [UInt8], to type: RequestType?) throws(DecodingFailure) -> Answer {
        try bytes.withUnsafeBufferPointer { (buffer) throws(DecodingFailure) in try decode(buffer.span, to: type) }
    }

    /// Where a key stands in the envelope.
    package static func path(to key: String) -> [String] {
        switch key {
        case AnswerName.outerStatus: [key]
        case AnswerName.code, AnswerName.message: [AnswerName.error, key]
        default: [AnswerName.body, key]
        }
    }

    fileprivate static func due<Value>(_ value: Value?, _ key: String) throws(DecodingFailure) -> Value {
        guard let value else { throw .invalid(key: key) }
        return value
    }
}

/// The members of an envelope any answer may need; nil for what is missing or has the wrong type.
private struct AnswerMembers {
    private(set) var outerStatus: Int?
    private(set) var innerStatus: Int?
    private(set) var userEnergy: Int?
    private(set) var userWins: Int?
    private(set) var secretWord: [String]?
    private var hasError = false
    private var code: String?
    private var message: String?

    mutating func read(_ bytes: Span<UInt8>) throws(JSONError) {
        var scanner = JSONScanner()
        var names = JSONNames()
        try scanner.openOutermostObject(in: bytes)
        while let name = try scanner.nextName(in: bytes) {
            try names.insert(name, in: bytes)
            if name.equals(AnswerName.outerStatus, in: bytes) {
                outerStatus = try scanner.value(in: bytes).integer(in: bytes)
            } else if name.equals(AnswerName.body, in: bytes) {
                try readBody(bytes, with: &scanner)
            } else if name.equals(AnswerName.error, in: bytes) {
                try readError(bytes, with: &scanner)
            } else {
                _ = try scanner.value(in: bytes)
            }
        }
        try scanner.finish(in: bytes)
    }

    /// The `error` for people; nil when the answer has none.
    func problem() throws(Answer.DecodingFailure) -> Answer.Problem? {
        guard hasError else { return nil }
        return Answer.Problem(
            code: try Answer.due(code, AnswerName.code), message: try Answer.due(message, AnswerName.message))
    }

    private mutating func readBody(_ bytes: Span<UInt8>, with scanner: inout JSONScanner) throws(JSONError) {
        var names = JSONNames()
        try scanner.openObject(in: bytes)
        while let name = try scanner.nextName(in: bytes) {
            try names.insert(name, in: bytes)
            if name.equals(AnswerName.innerStatus, in: bytes) {
                innerStatus = try scanner.value(in: bytes).integer(in: bytes)
            } else if name.equals(AnswerName.userEnergy, in: bytes) {
                userEnergy = try scanner.value(in: bytes).integer(in: bytes)
            } else if name.equals(AnswerName.userWins, in: bytes) {
                userWins = try scanner.value(in: bytes).integer(in: bytes)
            } else if name.equals(AnswerName.secretWord, in: bytes) {
                try readWord(bytes, with: &scanner)
            } else {
                _ = try scanner.value(in: bytes)
            }
        }
    }

    private mutating func readWord(_ bytes: Span<UInt8>, with scanner: inout JSONScanner) throws(JSONError) {
        var letters: [String] = []
        var isWord = true
        try scanner.openArray(in: bytes)
        while try scanner.nextElement(in: bytes) {
            let letter = try scanner.value(in: bytes).text(in: bytes)
            isWord = isWord && letter?.count == 1
            letters.append(letter ?? "")
        }
        secretWord = isWord ? letters : nil
    }

    private mutating func readError(_ bytes: Span<UInt8>, with scanner: inout JSONScanner) throws(JSONError) {
        var names = JSONNames()
        hasError = true
        try scanner.openObject(in: bytes)
        while let name = try scanner.nextName(in: bytes) {
            try names.insert(name, in: bytes)
            let value = try scanner.value(in: bytes)
            if name.equals(AnswerName.code, in: bytes) {
                code = try value.text(in: bytes)
            } else if name.equals(AnswerName.message, in: bytes) {
                message = try value.text(in: bytes)
            }
        }
    }
}
