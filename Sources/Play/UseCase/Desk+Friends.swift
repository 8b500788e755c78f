import JulietClient

// Leagues and challenges.
extension Desk {
    /// How long others' actions may stay unseen, in microseconds.
    private static let patience: Int64 = 3_000_000

    /// Whether the service has leagues or challenges, as far as that is known.
    package var hasFriends: Bool { service.map { $0.leagues || $0.challenges } ?? false }

    /// Whether a friend can be challenged to the word of the game on the board: it is over, and its word is nobody's today.
    package var canChallenge: Bool {
        guard let game = saved.game, game.state != .playing, game.secret != nil else { return false }
        return service?.challenges == true && game.kind != .daily && game.kind != .challenge
    }

    mutating func showFriends() -> [Effect] {
        screen = .friends
        entry = []
        selection = min(selection, max(friends.items.count - 1, 0))
        friends.league = nil
        friends.table = nil
        friends.challenge = nil
        saved.isAtBoard = false
        return [.save(saved)] + askForFriends()
    }

    private mutating func askForFriends() -> [Effect] {
        var effects: [Effect] = []
        if service?.leagues != false { effects += ask(.listLeagues) }
        if service?.challenges != false { effects += ask(.listChallenges) }
        return effects
    }

    mutating func pressedAtFriends(_ event: Event) -> [Effect] {
        switch event {
        case .up where selection > 0:
            selection -= 1
        case .down where selection + 1 < friends.items.count:
            selection += 1
        case .enter where selection < friends.items.count:
            notice = nil
            switch friends.items[selection] {
            case .league(let league): return look(at: league)
            case .challenge(let challenge): return look(at: challenge.code)
            }
        case .typed("c"), .typed("C"):
            if service?.challenges != false { typeCode(for: .challenge) }
        case .typed("m"), .typed("M"):
            if service?.challenges != false { return makeChallenge() }
        case .typed("j"), .typed("J"):
            if service?.leagues != false { typeCode(for: .invite) }
        case .enter:
            return [.retry]
        case .escape:
            notice = nil
            selection = 0
            return showMenu()
        default:
            break
        }
        return []
    }

    private mutating func typeCode(for purpose: DeskFriends.Code) {
        notice = nil
        entry = []
        screen = .typingCode(purpose)
    }

    mutating func pressedAtTypingCode(_ event: Event, for purpose: DeskFriends.Code) -> [Effect] {
        if edits(event, upTo: 20) { return [] }
        switch event {
        case .enter:
            guard let code = V2.ShareCode(String(entry)) else {
                notice = .shareCodeMalformed
                return []
            }
            notice = nil
            return purpose == .challenge ? look(at: code) : attempt(.joinLeague(invite: "\(code)"))
        case .escape:
            notice = nil
            return showFriends()
        default:
            break
        }
        return []
    }

    // MARK: Leagues

    mutating func look(at league: V2.League) -> [Effect] {
        screen = .league
        entry = []
        if friends.league?.id != league.id { friends.table = nil }
        friends.league = league
        friends.askedAt = now
        return ask(.fetchTable(league.id, friends.period))
    }

    mutating func pressedAtLeague(_ event: Event) -> [Effect] {
        guard let league = friends.league else { return showFriends() }
        let periods: [Character: V2.Period] = ["d": .day, "w": .week, "m": .month, "a": .all]
        switch event {
        case .typed(let character):
            guard let period = periods[Character(character.lowercased())] else { return [] }
            notice = nil
            if period != friends.period { friends.table = nil }
            friends.period = period
            return look(at: league)
        case .enter, .escape:
            notice = nil
            return showFriends()
        default:
            return []
        }
    }

    // MARK: Challenges

    mutating func look(at code: V2.ShareCode) -> [Effect] {
        friends.askedAt = now
        return ask(.fetchChallenge(code))
    }

    mutating func pressedAtChallenge(_ event: Event) -> [Effect] {
        guard let challenge = friends.challenge else { return showFriends() }
        switch event {
        case .enter:
            if let game = challenge.game { return open(game) + ask(.fetchGame(game.id)) }
            guard challenge.isMine != true || challenge.ownWord != true else { return showFriends() }
            return attempt(.startChallenge(challenge.code))
        case .escape:
            notice = nil
            return showFriends()
        default:
            return []
        }
    }

    // MARK: What others do

    /// Asks again for what is looked at, so that what friends do is seen in time.
    mutating func refreshFriends() -> [Effect] {
        guard now.microsecondsSince1970 - friends.askedAt.microsecondsSince1970 >= Self.patience else { return [] }
        switch screen {
        case .league:
            guard let league = friends.league else { return [] }
            return look(at: league)
        case .challenge:
            guard let challenge = friends.challenge else { return [] }
            return look(at: challenge.code)
        default:
            return []
        }
    }

    mutating func take(_ leagues: [V2.League]) { friends.leagues = leagues }

    mutating func take(_ challenges: [V2.Challenge]) { friends.challenges = challenges }

    mutating func take(_ table: V2.LeagueTable, _ request: DeskRequest) {
        guard case .fetchTable(friends.league?.id, friends.period) = request else { return }
        friends.table = table
    }

    mutating func take(_ challenge: V2.Challenge, _ energy: Int?) {
        if let energy {
            saved.player?.energy = energy
            making = nil
        }
        switch screen {
        case .friends, .typingCode(.challenge):
            break
        case .making where energy != nil, .board where energy != nil:
            saved.isAtBoard = false
        case .challenge where friends.challenge?.code == challenge.code:
            break
        default:
            return
        }
        screen = .challenge
        entry = []
        friends.challenge = challenge
        friends.askedAt = now
    }

    /// A league was joined.
    mutating func joined(_ league: V2.League) -> [Effect] {
        friends.leagues = (friends.leagues ?? []).filter { $0.id != league.id } + [league]
        guard screen == .typingCode(.invite) else { return [.save(saved)] }
        return [.save(saved)] + look(at: league)
    }
}
