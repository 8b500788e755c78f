/// One request of the app, decoded: what it asks and for whom.
///
/// Accounts are named by 1...128 Unicode scalars of printable text, not blanks alone: letters, marks, numbers,
/// punctuation, symbols and spaces, but no control, format, private-use or unassigned characters and no line or
/// paragraph separators. They are told apart by their scalars; nothing is trimmed, folded or normalised.
package enum GameRequest: Equatable, Sendable {
    /// Creates the player.
    case initialRegistration(vendorID: String)
    /// Asks for a word, free of charge.
    case fetchNewSecretWord(userID: String)
    /// Reports a word as played, in any letter case and not yet checked: see `couldBeWord(_:)`.
    case updateUserPlayedWordsList(userID: String, playedWord: String)
    /// Reports the energy the client believes the player has, 0 or more.
    case updateUserEnergy(userID: String, userEnergy: Int)
    /// Pays for a game.
    case singleGameEnergyUpdate(userID: String)
    /// Buys energy. The amount may be any integer: the game refuses one that is not on sale.
    case handleEnergyPurchase(userID: String, energyPurchaseAmount: Int)
    /// The same, with the transaction as the App Store signed it, not yet verified.
    case handleSignedEnergyPurchase(userID: String, energyPurchaseAmount: Int, signedTransaction: String)
    /// Asks for the number of wins.
    case fetchUserWins(userID: String)
    /// Adds a win.
    case updateUserWins(userID: String)
    /// Pays for a game and asks for a word.
    case statNewGameSession(userID: String)

    /// What is asked.
    package var type: RequestType {
        switch self {
        case .initialRegistration: .initialRegistration
        case .fetchNewSecretWord: .fetchNewSecretWord
        case .updateUserPlayedWordsList: .updateUserPlayedWordsList
        case .updateUserEnergy: .updateUserEnergy
        case .singleGameEnergyUpdate: .singleGameEnergyUpdate
        case .handleEnergyPurchase, .handleSignedEnergyPurchase: .handleEnergyPurchase
        case .fetchUserWins: .fetchUserWins
        case .updateUserWins: .updateUserWins
        case .statNewGameSession: .statNewGameSession
        }
    }

    /// The account it is asked for: `userID`, or the `vendorID` to register.
    package var userID: String {
        switch self {
        case .initialRegistration(let id), .fetchNewSecretWord(let id), .updateUserPlayedWordsList(let id, _),
            .updateUserEnergy(let id, _), .singleGameEnergyUpdate(let id), .handleEnergyPurchase(let id, _),
            .handleSignedEnergyPurchase(let id, _, _), .fetchUserWins(let id), .updateUserWins(let id),
            .statNewGameSession(let id):
            id
        }
    }

    /// Whether a text can be a word: 1...64 Unicode scalars. Anything else cannot be in the lists.
    package static func couldBeWord(_ text: String) -> Bool {
        // Count the bytes first, so that a word of a megabyte is not scanned.
        !text.isEmpty && text.utf8.count <= 4 * 64 && text.unicodeScalars.count <= 64
    }
}
