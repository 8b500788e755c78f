import JulietClient

// What the service says.
extension Desk {
    mutating func answered(_ errand: DeskErrand, _ answer: DeskAnswer) -> [Effect] {
        waiting.removeAll { $0 == errand }
        delay = nil
        // The player who asked is signed out by now.
        guard errand.token == saved.session?.token else { return [] }
        let request = errand.request
        if saved.pending == request { saved.pending = nil }
        switch answer {
        case .service(let service): self.service = service
        case .player(let player):
            saved.player = player
            if case .rename = request { renamed() }
        case .day(let day): self.day = day
        case .days(let list): take(list, request)
        case .running(let game): running = game
        case .review(let review):
            if request == saved.game.map({ .fetchReview($0.id) }) { self.review = review }
        case .game(let game, let energy): return take(game, energy, request)
        case .credentials(let credentials): return take(credentials)
        case .code(let code):
            saved.session?.newCode = code
            screen = .code
        case .energy(let refilled):
            notice = .refilled(refilled.energy - (saved.player?.energy ?? refilled.energy))
            saved.player?.energy = refilled.energy
            saved.player?.refill = refilled.refill
        case .leagues(let leagues): take(leagues)
        case .table(let table): take(table, request)
        case .challenges(let challenges): take(challenges)
        case .challenge(let challenge, let energy): take(challenge, energy)
        case .joined(let league): return joined(league)
        case .done:
            if request == .signOut { signedOut() }
        case .refused(let problem): return [.save(saved)] + refused(request, problem)
        case .failed(let mayBeDone): notice = .noAnswer(mayBeDone: mayBeDone)
        }
        return [.save(saved)]
    }

    private mutating func signedOut() {
        let former = saved
        saved = SavedDesk()
        saved.isHard = former.isHard
        saved.list = former.list
        day = nil
        running = nil
        days = []
        friends = DeskFriends()
        making = nil
        entry = []
        screen = .welcome
    }

    private mutating func take(_ credentials: V2.PlayerCredentials) -> [Effect] {
        saved.session = SavedDesk.Session(token: credentials.token, newCode: credentials.recoveryCode)
        saved.player = credentials.player
        entry = []
        notice = nil
        screen = .code
        return [.save(saved)] + ask(.fetchService) + refresh()
    }

    private mutating func take(_ list: V2.DayList, _ request: DeskRequest) {
        daysBefore = list.next
        if request == .listDays(before: nil) {
            days = list.days
            selection = min(selection, max(days.count - 1, 0))
        } else {
            days += list.days.filter { day in !days.contains { $0.day == day.day } }
        }
    }

    private mutating func take(_ game: V2.Game, _ energy: Int?, _ request: DeskRequest) -> [Effect] {
        if let energy { saved.player?.energy = energy }
        note(game)
        switch request {
        case .startGame, .startDaily, .startDay, .startChallenge:
            // A player who looks at something else by now finds it in the menu.
            if screen == .menu || screen == .days || screen == .board || screen == .challenge {
                return open(game) + ask(.fetchPlayer)
            }
        case .guess where saved.game?.id == game.id:
            entry = []
            notice = nil
            saved.game = game
            if game.state != .playing {
                if let reward = game.reward { saved.player?.energy += reward }
                return [.save(saved)] + ask(.fetchPlayer)
            }
        default:
            if saved.game?.id == game.id {
                // A guess of another device; what is typed may still be wanted.
                if let known = saved.game?.guesses.count, game.guesses.count > known, notice != .resumed {
                    notice = .wentOn
                }
                saved.game = game
            }
        }
        return [.save(saved)]
    }

    /// Tells the menu and the list of days how a game stands.
    private mutating func note(_ game: V2.Game) {
        if game.kind == .game {
            if game.state == .playing { running = game } else if running?.id == game.id { running = nil }
        }
        if let of = game.day {
            if of == day?.day { day?.game = game }
            for place in days.indices where days[place].day == of {
                days[place].game = V2.ListedGame(
                    id: game.id, kind: game.kind, state: game.state, guesses: game.guesses.count)
            }
        }
    }
}

// MARK: - Refusals

extension Desk {
    private mutating func refused(_ request: DeskRequest, _ problem: V2.Problem) -> [Effect] {
        if case .makeChallenge(let wish, _) = request, mend(wish, problem) { return [] }
        switch problem.knownCode {
        case .unauthorized:
            if case .signIn = request {
                notice = .codeUnknown
            } else {
                signedOut()
                notice = request == .signOut ? nil : .signedOut
                return [.save(saved)]
            }
        case .wordUnknown:
            if case .guess(let word, _, _) = request { notice = .notAWord(word) }
        case .listUnknown:
            saved.list = nil
            making?.wish.language = nil
            making?.wish.length = nil
            notice = .refused(problem.title)
            return [.save(saved)] + ask(.fetchService)
        case .guessHard:
            notice = problem.rule.map(Notice.hardRule) ?? .refused(problem.detail ?? problem.title)
        case .guessTaken, .gameOver, .guessEarly:
            return wentOn(problem.game, request)
        case .gameUnfinished:
            guard let game = problem.game else { break }
            note(game)
            let effects = open(game)
            notice = .unfinished
            return effects
        case .energyInsufficient:
            notice = .notEnoughEnergy
            if let energy = problem.energy { saved.player?.energy = energy }
            saved.player?.refill = problem.refill
            return [.save(saved)]
        case .refillEarly:
            notice = .refillEarly(seconds: problem.retryAfter ?? 0)
        case .refillFull:
            notice = .refillFull
        case .tooMany:
            if case .joinLeague = request { notice = .tooManyLeagues } else { notice = .tooManyDays }
        case .leagueFull:
            notice = .leagueFull
        case .challengeOver:
            notice = .challengeOver
        case .challengeFull:
            notice = .challengeFull
        case .tooManyRequests:
            notice = .tooManyTries(seconds: problem.retryAfter ?? 0)
        case .notFound:
            return notFound(request, problem)
        default:
            notice = .refused(problem.detail ?? problem.title)
        }
        return []
    }

    private mutating func wentOn(_ game: V2.Game?, _ request: DeskRequest) -> [Effect] {
        entry = []
        notice = .wentOn
        guard let game else {
            guard case .guess(_, _, let id) = request else { return [] }
            return ask(.fetchGame(id))
        }
        note(game)
        if saved.game?.id == game.id { saved.game = game }
        return [.save(saved)] + ask(.fetchPlayer)
    }

    private mutating func notFound(_ request: DeskRequest, _ problem: V2.Problem) -> [Effect] {
        switch request {
        case .fetchGame(let id), .guess(_, _, let id):
            guard saved.game?.id == id else { return [] }
            saved.game = nil
            if running?.id == id { running = nil }
            notice = .gone
            return screen == .board ? showMenu() : [.save(saved)]
        case .signOut:
            signedOut()
            return [.save(saved)]
        case .startDay, .listDays:
            notice = .dayMissing
        case .fetchChallenge, .startChallenge, .joinLeague:
            notice = .shareCodeUnknown
            if screen == .challenge { return showFriends() }
        case .listLeagues, .listChallenges:
            break
        case .fetchTable:
            // Somebody took the player out of the league, or ended it.
            notice = .gone
            return screen == .league ? showFriends() : []
        case .takeRefill:
            notice = .refillFull
        default:
            notice = .refused(problem.detail ?? problem.title)
        }
        return []
    }
}
