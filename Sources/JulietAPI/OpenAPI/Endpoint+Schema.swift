extension Endpoint {
    /// The requests that the URL takes.
    package var requestTypes: [RequestType] { RequestType.allCases.filter { $0.endpoint == self } }

    /// What is read: one of its requests.
    package var requestSchema: Schema {
        let schemas = requestTypes.map(\.schema)
        return schemas.count == 1
            ? schemas[0]
            : Schema(.oneOf(schemas, by: "requestType"), name: "\(name)Request", about: "What `\(path)` takes.")
    }

    /// What is written: an answer to one of its requests, or to one of an unknown type.
    package var answerSchema: Schema {
        var schemas = [AnswerKeys.status.schema]
        for schema in requestTypes.map(\.answerKeys.schema) where !schemas.contains(schema) { schemas.append(schema) }
        return schemas.count == 1
            ? schemas[0] : Schema(.oneOf(schemas, by: nil), name: "\(name)Answer", about: "What `\(path)` answers.")
    }

    private var name: Substring { path.dropFirst("/Juliet_".count) }
}

extension RequestType {
    /// What is read.
    package var schema: Schema {
        let type = Schema.Property("requestType", .constant(name), "The kind of request.")
        let others = parameters.map { Schema.Property($0.name, $0.schema, $0.about) }
        return Schema(.object([type] + others + optional), name: name, about: about)
    }

    private var optional: [Schema.Property] {
        guard self == .handleEnergyPurchase else { return [] }
        let transaction = Parameter.signedTransaction
        return [Schema.Property(transaction.name, transaction.schema.orNull, transaction.about, isRequired: false)]
    }

    private var parameters: [Parameter] {
        switch self {
        case .initialRegistration: [.vendorID]
        case .fetchNewSecretWord, .singleGameEnergyUpdate, .fetchUserWins, .updateUserWins, .statNewGameSession:
            [.userID]
        case .updateUserPlayedWordsList: [.userID, .playedWord]
        case .updateUserEnergy: [.userID, .userEnergy]
        case .handleEnergyPurchase: [.userID, .energyPurchaseAmount]
        }
    }

    private var about: String {
        switch self {
        case .initialRegistration: "Creates the player. A repeat changes nothing."
        case .fetchNewSecretWord: "Asks for a secret word the player has not played, free of charge."
        case .updateUserPlayedWordsList: "Records a word as played. A repeat changes nothing."
        case .updateUserEnergy: "Reports the energy the client believes the player has."
        case .singleGameEnergyUpdate: "Pays for a game."
        case .handleEnergyPurchase: "Adds energy that was bought."
        case .fetchUserWins: "Asks for the number of wins."
        case .updateUserWins: "Adds a win."
        case .statNewGameSession: "Pays for a game and deals a word: either both or neither."
        }
    }
}

extension Parameter {
    fileprivate var schema: Schema {
        switch self {
        case .vendorID, .userID: Schema(.string, [.length(1...128), .account])
        case .playedWord, .signedTransaction: .string
        case .userEnergy: Schema(.integer, [.minimum(0)])
        case .energyPurchaseAmount: .integer
        }
    }

    fileprivate var about: String {
        switch self {
        case .vendorID: "The player to register: 1 to 128 printable characters, not blanks alone."
        case .userID: "The player: 1 to 128 printable characters, not blanks alone."
        case .playedWord: "The word, in any letter case."
        case .userEnergy: "The balance that the client has."
        case .energyPurchaseAmount:
            "How much was bought: 5 or 30, or what the transaction is worth; any other amount is refused."
        case .signedTransaction:
            "The transaction as the App Store signed it (StoreKit's `jwsRepresentation`), if the service verifies purchases."
        }
    }
}

extension AnswerKeys {
    /// What is written: the envelope around these keys.
    package var schema: Schema {
        var body: [Schema.Property] = []
        if contains(.status) {
            body.append(
                .init(AnswerName.innerStatus, Self.code, "Whether the request took effect: 200 yes, 404 refused."))
        }
        if contains(.userEnergy) {
            body.append(.init(AnswerName.userEnergy, .integer, "The current balance; 0 when unknown."))
        }
        if contains(.userWins) {
            body.append(.init(AnswerName.userWins, .integer, "The current number of wins; 0 when unknown."))
        }
        if contains(.secretWord) {
            body.append(.init(AnswerName.secretWord, [String].schema, "Upper-case letters, one string each."))
        }
        let envelope = [
            Schema.Property(AnswerName.outerStatus, Self.code, "Whether the request was accepted."),
            Schema.Property(
                AnswerName.body, Schema(.object(body)), "The answer. It has these keys even after an error."),
            Schema.Property(AnswerName.error, Self.error, "What went wrong; missing on success.", isRequired: false),
        ]
        return Schema(.object(envelope), name: name, about: "The app's envelope around \(keys).")
    }

    private static let code = Schema(.integer, [.range(200...599)])

    private static let error = Schema(
        .object([
            .init(AnswerName.code, .string, "A stable code."),
            .init(AnswerName.message, .string, "A sentence for people."),
        ]))

    private var words: [String] {
        [(AnswerKeys.userEnergy, "Energy"), (.userWins, "Wins"), (.secretWord, "Word")]
            .filter { contains($0.0) }.map(\.1)
    }

    private var name: String { (words.isEmpty ? "Status" : words.joined()) + "Answer" }

    private var keys: String {
        words.isEmpty ? "the inner code alone" : words.map { $0.lowercased() }.joined(separator: " and ")
    }
}
