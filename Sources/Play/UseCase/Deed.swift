/// What the player did and the service has to know.
package enum Deed: Codable, Hashable, Sendable {
    /// The player is here: the first time, that makes the account.
    case register
    /// Asks for the wins as they stand.
    case fetchWins
    /// Pays for a game, which is called `id`, and asks for its secret.
    case startGame(id: String)
    /// A game ended: its secret is not to be dealt again.
    case recordWord(String, game: String)
    /// A game was won.
    case countWin(game: String)
    /// Bought a pack of energy.
    case buyEnergy(EnergyPack, id: String)

    /// The name of the operation: when it is repeated under this name, after a crash for instance, it takes effect once.
    package var operation: String? {
        switch self {
        case .register: "register"
        case .fetchWins: nil
        case .startGame(let id), .buyEnergy(_, let id): id
        case .recordWord(_, let game): "\(game)-word"
        case .countWin(let game): "\(game)-win"
        }
    }

    /// The deeds that are held up together while the service keeps failing at one of them: those of one game. Every deed has
    /// a group: one without a group would wait for all others, and hold them up.
    package var group: String {
        switch self {
        case .register: "register"
        case .fetchWins: "wins"
        case .startGame(let game), .recordWord(_, let game), .countWin(let game): game
        case .buyEnergy(_, let id): id
        }
    }
}

/// The packs of energy on sale.
package enum EnergyPack: Int, Codable, CaseIterable, Sendable {
    case small = 5
    case large = 30
}
