package import JulietClient

/// What the service of `/v2` is asked.
package enum DeskRequest: Codable, Hashable, Sendable {
    /// What it offers, and its prices.
    case fetchService
    /// Who the player is: energy, statistics.
    case fetchPlayer
    /// The word of the day.
    case fetchDay
    /// A page of past days.
    case listDays(before: V2.Day?)
    /// The game that was paid for and is not over.
    case findRunningGame
    case fetchGame(V2.Game.ID)
    /// Looks back at a game that is over.
    case fetchReview(V2.Game.ID)
    case listLeagues
    case fetchTable(V2.League.ID, V2.Period)
    case listChallenges
    /// By its code.
    case fetchChallenge(V2.ShareCode)

    case createPlayer
    case signIn(recoveryCode: String)
    case renewCode
    case signOut

    /// Pays for a game. The same key twice pays once.
    case startGame(isHard: Bool, list: V2.Service.Language?, key: String)
    case startDaily(isHard: Bool)
    case startDay(V2.Day, isHard: Bool)
    /// The same number and word twice count once.
    case guess(String, number: Int, game: V2.Game.ID)
    /// Takes what has come back. The same key twice takes once.
    case takeRefill(key: String)
    /// Pays for a challenge. The same key twice pays once.
    case makeChallenge(ChallengeWish, key: String)
    /// Changes the player's name. Twice is as once.
    case rename(String)
    /// Begins the game of a challenge, by its code.
    case startChallenge(V2.ShareCode)
    case joinLeague(invite: String)

    /// How a request is treated when no answer comes.
    package enum Kind: Sendable {
        /// It changes nothing: it is repeated until there is an answer.
        case question
        /// It hands out secrets, or ends them: it is sent once, and the player decides about another try.
        case credentials
        /// It is kept on the disk before it is sent, and repeated until there is an answer, after a restart too.
        case deed
    }

    package var kind: Kind {
        switch self {
        case .fetchService, .fetchPlayer, .fetchDay, .listDays, .findRunningGame, .fetchGame, .fetchReview,
            .listLeagues,
            .fetchTable,
            .listChallenges, .fetchChallenge:
            .question
        case .createPlayer, .signIn, .renewCode, .signOut: .credentials
        case .startGame, .startDaily, .startDay, .guess, .takeRefill, .makeChallenge, .rename, .startChallenge,
            .joinLeague:
            .deed
        }
    }
}

/// A request and on whose behalf it is made.
package struct DeskErrand: Hashable, Sendable {
    package let request: DeskRequest
    /// The token of the session; nil: nobody is signed in. A secret.
    package let token: String?

    package init(_ request: DeskRequest, token: String?) {
        self.request = request
        self.token = token
    }
}

/// What the service of `/v2` said.
package enum DeskAnswer: Equatable, Sendable {
    case service(V2.Service)
    case player(V2.Player)
    case day(V2.DailyWord)
    case days(V2.DayList)
    /// The game that goes on; nil: none does.
    case running(V2.Game?)
    case review(V2.Review)
    /// A game as it stands, and the balance where it was paid for.
    case game(V2.Game, energy: Int?)
    case credentials(V2.PlayerCredentials)
    case code(String)
    case energy(V2.RefilledEnergy)
    case leagues([V2.League])
    case table(V2.LeagueTable)
    case challenges([V2.Challenge])
    /// A challenge as it stands, and the balance where it was paid for.
    case challenge(V2.Challenge, energy: Int?)
    /// A league that was joined.
    case joined(V2.League)
    case done
    /// The service refused.
    case refused(V2.Problem)
    /// There is no answer, and no further try.
    ///
    /// - Parameter mayBeDone: Whether the service may have done it.
    case failed(mayBeDone: Bool)
}

/// Why an answer is late. Another try follows.
package enum DeskDelay: Equatable, Sendable {
    /// There is no answer, or one that is not the service's.
    case outOfReach
    /// The service answers that it cannot now.
    case busy
}
