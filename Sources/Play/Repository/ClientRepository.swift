package import JulietClient
package import PlayUseCase

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The records of a player: a file of this machine, and the service behind a persistent queue.
package struct ClientRepository: GameRepository {
    private let folder: PlayFolder
    private let queue: RequestQueue

    /// Opens the player's queue.
    ///
    /// - Parameters:
    ///   - service: The service's URL.
    ///   - key: Its API key; nil sends none.
    /// - Throws: When another program has the queue open, or it cannot be read.
    ///   - transport: What carries the requests.
    ///   - retry: When what failed is tried again.
    package init(
        folder: PlayFolder, service: String, key: String?, transport: any Transport = SystemTransport(),
        retry: RetryPolicy = Self.retry
    ) async throws {
        self.folder = folder
        let juliet = Juliet(
            JulietConfiguration(baseURL: service, apiKey: key, timeout: .seconds(10), transport: transport))
        do {
            queue = try await RequestQueue.open(
                folder.journal, client: juliet, configuration: QueueConfiguration(retry: retry))
        } catch let error as QueueError where error.code == .journalInUse {
            throw PlayFolder.Failure(description: "\(folder.player) is playing in another terminal")
        }
    }

    /// What gets no answer of the service's own is tried again at least twice a minute, since the player waits. The page of
    /// a proxy, or another server at the address, must not lose a win.
    package static let retry: RetryPolicy = {
        var retry = RetryPolicy.standard.retrying(.errors([.invalidURL]))
        retry.maximumDelay = .seconds(30)
        retry.maximumAttempts = nil
        return retry
    }()

    package func load() throws -> SavedPlay? { try folder.load() }

    package func save(_ saved: SavedPlay) async throws { try await folder.save(saved) }

    package func append(_ deeds: [Deed]) async throws {
        _ = try await queue.append(deeds.map(item))
    }

    package func retry() async { await queue.flush() }

    package func run(_ report: @escaping @Sendable (Play.Event) -> Void) async throws {
        await answer(RegisterPlayer.self, report) { _ in .done }
        await answer(FetchWins.self, report) { .wins($0.wins) }
        await answer(StartGame.self, report) { .game(energy: $0.energy, secret: $0.word) }
        await answer(RecordPlayedWord.self, report) { _ in .done }
        await answer(AddWin.self, report) { .wins($0.wins) }
        await answer(BuyEnergy.self, report) { .energy($0.energy) }
        await redrive(report)
        let statuses = await queue.statuses()
        try await withThrowingTaskGroup { group in
            group.addTask {
                for await status in statuses { report(.outbox(await outbox(status))) }
            }
            try await queue.run()
            group.cancelAll()
        }
        await queue.close()
    }

    /// Tries anew the requests that the service kept failing at the last time, except for a game that the player waits
    /// for no more and for what each start asks anyway. What cannot be tried, on a full disk for instance, stays a dead
    /// letter until the next start.
    private func redrive(_ report: @escaping @Sendable (Play.Event) -> Void) async {
        for letter in await queue.deadLetters {
            let id = letter.request.id
            do {
                switch Self.deed(of: letter.request) {
                case .recordWord, .countWin, .buyEnergy: try await queue.redrive([id])
                case .register, .fetchWins, .startGame, nil: try await queue.delete(id)
                }
            } catch {
                report(.notSaved("\(error)"))
                // Nothing is left to be tried.
                if (error as? ClientError)?.code == .damagedRecord { try? await queue.delete(id) }
            }
        }
    }

    /// Tells what becomes of requests of a type, those of an earlier run included.
    private func answer<R: Request>(
        _ type: R.Type, _ report: @escaping @Sendable (Play.Event) -> Void,
        _ read: @escaping @Sendable (R.Response) -> DeedAnswer
    ) async {
        await queue.handle(type) { answer in
            guard let deed = Self.deed(of: answer.request) else { return }
            switch answer.outcome {
            case .success(let response): report(.answered(deed, read(response)))
            case .failure(let error): report(.answered(deed, .refused(Self.refusal(error))))
            // A newer one has taken its place, and is reported instead.
            case .aborted: break
            }
        }
    }

    private static func refusal(_ error: ClientError) -> DeedAnswer.Refusal {
        guard let refusal = error.refusal else { return .other("\(error)") }
        return refusal.code == "energy.insufficient" ? .notEnoughEnergy : .other(refusal.message ?? "\(error)")
    }

    private func outbox(_ status: QueueStatus) async -> Outbox {
        let link: Outbox.Link =
            if status.needsToken { .keyRefused } else if status.lastFailure != nil { .offline } else { .online }
        return Outbox(waiting: await queue.requests.compactMap(Self.deed), link: link)
    }
}

// MARK: - Deeds as requests

extension ClientRepository {
    /// The member of a request's identifiers that says which deed it is.
    private static let deedName = "deed"

    private static func deed(of request: QueuedRequest) -> Deed? {
        request.identifiers[deedName].flatMap { try? JSONDecoder().decode(Deed.self, from: Data($0.utf8)) }
    }

    private func item(_ deed: Deed) throws -> QueueItem {
        let request = request(deed)
        let text = String(decoding: try JSONEncoder().encode(deed), as: UTF8.self)
        return QueueItem(
            request,
            options: QueueOptions(
                // Of each operation, and of each question, only one waits.
                uniquingKey: deed.operation ?? text, group: deed.group, identifiers: [Self.deedName: text],
                idempotencyKey: deed.operation))
    }

    private func request(_ deed: Deed) -> any Request {
        let player = PlayerID(folder.player)
        return switch deed {
        case .register: RegisterPlayer(player: player)
        case .fetchWins: FetchWins(player: player)
        case .startGame: StartGame(player: player)
        case .recordWord(let word, _): RecordPlayedWord(player: player, word: word)
        case .countWin: AddWin(player: player)
        case .buyEnergy(let pack, _): BuyEnergy(player: player, amount: pack.rawValue)
        }
    }
}
