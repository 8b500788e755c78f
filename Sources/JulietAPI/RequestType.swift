/// What a request asks for: the nine values of `requestType`.
///
/// Spellings are the wire's, `statNewGameSession` included.
package enum RequestType: UInt8, CaseIterable, Sendable {
    case initialRegistration
    case fetchNewSecretWord
    case updateUserPlayedWordsList
    case updateUserEnergy
    case singleGameEnergyUpdate
    case handleEnergyPurchase
    case fetchUserWins
    case updateUserWins
    case statNewGameSession

    /// The value of `requestType` in a request.
    package var name: String {
        switch self {
        case .initialRegistration: "initialRegistration"
        case .fetchNewSecretWord: "fetchNewSecretWord"
        case .updateUserPlayedWordsList: "updateUserPlayedWordsList"
        case .updateUserEnergy: "updateUserEnergy"
        case .singleGameEnergyUpdate: "singleGameEnergyUpdate"
        case .handleEnergyPurchase: "handleEnergyPurchase"
        case .fetchUserWins: "fetchUserWins"
        case .updateUserWins: "updateUserWins"
        case .statNewGameSession: "statNewGameSession"
        }
    }

    /// The only URL that takes this request.
    package var endpoint: Endpoint {
        switch self {
        case .initialRegistration: .authenticateUser
        case .fetchNewSecretWord, .updateUserPlayedWordsList: .wordManager
        case .updateUserEnergy, .singleGameEnergyUpdate, .handleEnergyPurchase: .iapManager
        case .fetchUserWins, .updateUserWins, .statNewGameSession: .userSessionManager
        }
    }

    /// The keys of `body` in every answer to this request, even after an error.
    package var answerKeys: AnswerKeys {
        switch self {
        case .initialRegistration, .updateUserPlayedWordsList: .status
        case .fetchNewSecretWord: .secretWord
        case .updateUserEnergy, .singleGameEnergyUpdate, .handleEnergyPurchase: [.status, .userEnergy]
        case .fetchUserWins, .updateUserWins: [.status, .userWins]
        case .statNewGameSession: [.status, .userEnergy, .secretWord]
        }
    }
}

/// The keys an answer's `body` may hold, written in this order.
package struct AnswerKeys: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// `dynamoDBInvocationHttpsStatusCode`, the inner code.
    package static let status = AnswerKeys(rawValue: 1)
    /// `userEnergy`, an integer.
    package static let userEnergy = AnswerKeys(rawValue: 2)
    /// `userWins`, an integer.
    package static let userWins = AnswerKeys(rawValue: 4)
    /// `secretWord`, an array of one-letter strings.
    package static let secretWord = AnswerKeys(rawValue: 8)
}
