package import JulietClient
package import PlayUseCase

/// The records of a player of `/v2`: a file of this machine, and the service that judges.
package actor ServiceRepository: DeskRepository {
    private let folder: DeskFolder
    private let juliet: Juliet
    private let delays: [Duration]
    private let errands: AsyncStream<DeskErrand>
    private let sent: AsyncStream<DeskErrand>.Continuation
    /// The wait for the next attempt.
    private var pause: Task<Void, any Error>?

    /// How often a deed is repeated when the service keeps failing at it. After that it is not done, and the player may try again.
    private static let failures = 5

    /// - Parameters:
    ///   - service: The service's URL.
    ///   - transport: What carries the requests.
    ///   - delays: The waits before the second attempt and so on; the last one holds from then on.
    package init(
        folder: DeskFolder, service: String, transport: any Transport = SystemTransport(),
        delays: [Duration] = [.seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(15)]
    ) {
        self.folder = folder
        self.delays = delays
        juliet = Juliet(JulietConfiguration(baseURL: service, timeout: .seconds(10), transport: transport))
        (errands, sent) = AsyncStream.makeStream()
    }

    package nonisolated func load() throws -> SavedDesk? { try folder.load() }

    package nonisolated func save(_ saved: SavedDesk) async throws { try await folder.save(saved) }

    package nonisolated func send(_ errand: DeskErrand) { sent.yield(errand) }

    package func retry() { pause?.cancel() }

    package func run(_ report: @escaping @Sendable (Desk.Event) -> Void) async {
        for await errand in errands {
            await perform(errand, report)
        }
    }

    private func perform(_ errand: DeskErrand, _ report: @Sendable (Desk.Event) -> Void) async {
        var attempts = 0
        var failures = 0
        while !Task.isCancelled {
            switch await attempt(errand) {
            case .answer(let answer):
                return report(.answered(errand, answer))
            case .failure(let problem) where failures + 1 == Self.failures:
                return report(.answered(errand, .refused(problem)))
            case .failure:
                failures += 1
                report(.delayed(errand, .busy))
                await wait(delays[min(attempts, delays.count - 1)])
            case .again(let delay, let seconds):
                report(.delayed(errand, delay))
                await wait(max(delays[min(attempts, delays.count - 1)], .seconds(seconds)))
            }
            attempts += 1
        }
    }

    private func wait(_ duration: Duration) async {
        let pause = Task { try await Task.sleep(for: duration) }
        self.pause = pause
        await withTaskCancellationHandler {
            _ = await pause.result
        } onCancel: {
            pause.cancel()
        }
        self.pause = nil
    }
}

// MARK: - Attempts

extension ServiceRepository {
    /// What an attempt came to.
    private enum Outcome {
        case answer(DeskAnswer)
        /// The service failed at it.
        case failure(V2.Problem)
        /// Another attempt is to be made, after so many seconds at least.
        case again(DeskDelay, seconds: Int)
    }

    private func attempt(_ errand: DeskErrand) async -> Outcome {
        do {
            return .answer(try await answer(to: errand))
        } catch {
            return Self.outcome(of: error, for: errand.request.kind)
        }
    }

    private static func outcome(of error: any Error, for kind: DeskRequest.Kind) -> Outcome {
        guard let error = error as? ClientError else { return .again(.outOfReach, seconds: 0) }
        guard error.refusal?.isOfService == true, let problem = error.problem else {
            return kind == .credentials
                ? .answer(.failed(mayBeDone: !error.isUnsent)) : .again(.outOfReach, seconds: 0)
        }
        guard kind == .deed else { return .answer(.refused(problem)) }
        return switch problem.status {
        case 408, 429, 503: .again(.busy, seconds: problem.retryAfter ?? 0)
        case 500...: .failure(problem)
        default: .answer(.refused(problem))
        }
    }

    private func answer(to errand: DeskErrand) async throws -> DeskAnswer {
        let token = errand.token ?? ""
        func ask<R: Request>(_ request: R, key: String? = nil) async throws -> R.Response {
            try await juliet.send(request.authorized(by: token), idempotencyKey: key)
        }
        switch errand.request {
        case .fetchService:
            return .service(try await juliet.send(FetchService()))
        case .fetchPlayer:
            return .player(try await ask(FetchPlayer()))
        case .fetchDay:
            return .day(try await ask(FetchDailyWord()))
        case .listDays(let before):
            return .days(try await ask(ListDays(before: before)))
        case .findRunningGame:
            return .running(try await ask(ListGames(limit: 1, state: .playing, kind: .game)).games.first)
        case .fetchGame(let id):
            return .game(try await ask(FetchGame(game: id)), energy: nil)
        case .createPlayer:
            return .credentials(try await juliet.send(CreatePlayer()))
        case .signIn(let code):
            return .credentials(try await juliet.send(SignIn(recoveryCode: code)))
        case .renewCode:
            return .code(try await ask(RenewRecoveryCode()).recoveryCode)
        case .signOut:
            try await ask(RevokeSession())
            return .done
        case .startGame(let isHard, let list, let key):
            let request = StartJudgedGame(isHard: isHard, language: list?.language, length: list?.length)
            let started = try await ask(request, key: key)
            return .game(started.game, energy: started.energy)
        case .startDaily(let isHard):
            return .game(try await ask(StartDailyGame(isHard: isHard)).game, energy: nil)
        case .startDay(let day, let isHard):
            return .game(try await ask(StartArchiveGame(day: day, isHard: isHard)).game, energy: nil)
        case .guess(let word, let number, let game):
            return .game(try await ask(SubmitGuess(game: game, word: word, number: number)), energy: nil)
        case .takeRefill(let key):
            return .energy(try await ask(TakeRefill(), key: key))
        case .listLeagues:
            return .leagues(try await ask(ListLeagues()).leagues)
        case .fetchTable(let league, let period):
            return .table(try await ask(FetchLeagueTable(league: league, period: period)))
        case .joinLeague(let invite):
            return .joined(try await ask(JoinLeague(invite: invite)).league)
        case .fetchReview(let game):
            return .review(try await ask(FetchReview(game: game)))
        case .listChallenges:
            return .challenges(try await ask(ListChallenges(limit: 50)).challenges)
        case .fetchChallenge(let code):
            return .challenge(try await ask(FetchChallenge(code: code)), energy: nil)
        case .makeChallenge(let wish, let key):
            let request = MakeChallenge(
                word: wish.word, language: wish.language, length: wish.length, isAnyWord: wish.isAnyWord,
                hint: wish.hint, isHard: wish.isHard, days: wish.days)
            let made = try await ask(request, key: key)
            return .challenge(made.challenge, energy: made.energy)
        case .rename(let name):
            return .player(try await ask(RenamePlayer(name: name)))
        case .startChallenge(let code):
            return .game(try await ask(StartChallengeGame(code: code)).game, energy: nil)
        }
    }
}

// MARK: - Whether there is /v2

extension ServiceRepository {
    /// Whether the service has `/v2` in the form that this program uses.
    ///
    /// - Returns: Nil when there is no answer, or the service cannot answer now.
    package static func isSpoken(
        at service: String, transport: any Transport = SystemTransport()
    ) async -> Bool? {
        let juliet = Juliet(JulietConfiguration(baseURL: service, timeout: .seconds(10), transport: transport))
        do {
            _ = try await juliet.send(FetchService())
            return true
        } catch {
            guard let error = error as? ClientError else { return nil }
            switch error.code {
            case .refused:
                let status = error.refusal?.status ?? 500
                return status == 408 || status == 429 || status >= 500 ? nil : false
            case .unexpectedContent, .decoding: return false
            default: return nil
            }
        }
    }
}
