import JulietAPI

// The nine request types of the contract, one struct each.

/// Creates a player: 30 energy, no wins, nothing played. Again it changes nothing.
public struct RegisterPlayer: Request {
    /// Nothing but success.
    public typealias Response = Void
    /// Who is to be created.
    public var player: PlayerID

    /// Names the player.
    public init(player: PlayerID) { self.player = player }
}

/// Asks for a word the player has not played, free of charge: for a rewarded ad, a restart.
public struct DealWord: Request {
    /// The word.
    public typealias Response = DealtWord
    /// For whom.
    public var player: PlayerID

    /// Names the player.
    public init(player: PlayerID) { self.player = player }
}

/// Records a word as played, so that it is not dealt again until all are. Again it changes nothing.
///
/// Refused with `word.unknown` when it is not a word of the service's.
public struct RecordPlayedWord: Request {
    /// Nothing but success.
    public typealias Response = Void
    /// By whom.
    public var player: PlayerID
    /// The word, in any letter case.
    public var word: String

    /// Names player and word.
    public init(player: PlayerID, word: String) {
        self.player = player
        self.word = word
    }
}

/// Reports the energy the client believes the player has; what becomes of it is the service's policy.
///
/// Refused with `energy.clientUpdates.refused` where clients may not.
public struct ReportEnergy: Request {
    /// The balance that now holds.
    public typealias Response = EnergyBalance
    /// Whose.
    public var player: PlayerID
    /// 0 or more.
    public var energy: Int

    /// Names player and energy.
    public init(player: PlayerID, energy: Int) {
        self.player = player
        self.energy = energy
    }
}

/// Pays for a game. Refused with `energy.insufficient`, nothing taken.
public struct PayForGame: Request {
    /// The balance that is left.
    public typealias Response = EnergyBalance
    /// Who pays.
    public var player: PlayerID

    /// Names the player.
    public init(player: PlayerID) { self.player = player }
}

/// Buys energy. Refused with `product.unknown` for an amount that is not on sale.
public struct BuyEnergy: Request {
    /// The balance that now holds.
    public typealias Response = EnergyBalance
    /// Who buys.
    public var player: PlayerID
    /// 5 or 30; with a transaction, what it is worth.
    public var amount: Int
    /// The transaction as the App Store signed it (StoreKit's `jwsRepresentation`), for services that verify it; they
    /// credit it once, whatever happens. Default: nil.
    public var signedTransaction: String?

    /// Names player and amount.
    public init(player: PlayerID, amount: Int, signedTransaction: String? = nil) {
        self.player = player
        self.amount = amount
        self.signedTransaction = signedTransaction
    }
}

/// Asks how many games the player has won.
public struct FetchWins: Request {
    /// The count.
    public typealias Response = WinCount
    /// Whose.
    public var player: PlayerID

    /// Names the player.
    public init(player: PlayerID) { self.player = player }

    /// It only reads, so that identical ones share an answer.
    public var options: RequestOptions { RequestOptions(mayBeDeduplicated: true) }
}

/// Adds a win.
public struct AddWin: Request {
    /// The new count.
    public typealias Response = WinCount
    /// Who has won.
    public var player: PlayerID

    /// Names the player.
    public init(player: PlayerID) { self.player = player }
}

/// Pays for a game and asks for a word, both or neither. Refused with `energy.insufficient`, nothing taken.
public struct StartGame: Request {
    /// The balance that is left, and the word.
    public typealias Response = StartedGame
    /// Who plays.
    public var player: PlayerID

    /// Names the player.
    public init(player: PlayerID) { self.player = player }
}

// MARK: As the contract has them

extension RegisterPlayer: GameRequestConvertible {
    static let type = RequestType.initialRegistration
    var request: GameRequest { .initialRegistration(vendorID: player.rawValue) }
    static func response(_ answer: Answer) {}
}

extension DealWord: GameRequestConvertible {
    static let type = RequestType.fetchNewSecretWord
    var request: GameRequest { .fetchNewSecretWord(userID: player.rawValue) }
    static func response(_ answer: Answer) -> DealtWord { DealtWord(letters: answer.secretWord) }
}

extension RecordPlayedWord: GameRequestConvertible {
    static let type = RequestType.updateUserPlayedWordsList
    var request: GameRequest { .updateUserPlayedWordsList(userID: player.rawValue, playedWord: word) }
    static func response(_ answer: Answer) {}
}

extension ReportEnergy: GameRequestConvertible {
    static let type = RequestType.updateUserEnergy
    var request: GameRequest { .updateUserEnergy(userID: player.rawValue, userEnergy: energy) }
    static func response(_ answer: Answer) -> EnergyBalance { EnergyBalance(energy: answer.userEnergy) }
}

extension PayForGame: GameRequestConvertible {
    static let type = RequestType.singleGameEnergyUpdate
    var request: GameRequest { .singleGameEnergyUpdate(userID: player.rawValue) }
    static func response(_ answer: Answer) -> EnergyBalance { EnergyBalance(energy: answer.userEnergy) }
}

extension BuyEnergy: GameRequestConvertible {
    static let type = RequestType.handleEnergyPurchase
    var request: GameRequest {
        guard let signedTransaction else {
            return .handleEnergyPurchase(userID: player.rawValue, energyPurchaseAmount: amount)
        }
        return .handleSignedEnergyPurchase(
            userID: player.rawValue, energyPurchaseAmount: amount, signedTransaction: signedTransaction)
    }
    static func response(_ answer: Answer) -> EnergyBalance { EnergyBalance(energy: answer.userEnergy) }
}

extension FetchWins: GameRequestConvertible {
    static let type = RequestType.fetchUserWins
    var request: GameRequest { .fetchUserWins(userID: player.rawValue) }
    static func response(_ answer: Answer) -> WinCount { WinCount(wins: answer.userWins) }
}

extension AddWin: GameRequestConvertible {
    static let type = RequestType.updateUserWins
    var request: GameRequest { .updateUserWins(userID: player.rawValue) }
    static func response(_ answer: Answer) -> WinCount { WinCount(wins: answer.userWins) }
}

extension StartGame: GameRequestConvertible {
    static let type = RequestType.statNewGameSession
    var request: GameRequest { .statNewGameSession(userID: player.rawValue) }
    static func response(_ answer: Answer) -> StartedGame {
        StartedGame(energy: answer.userEnergy, letters: answer.secretWord)
    }
}
