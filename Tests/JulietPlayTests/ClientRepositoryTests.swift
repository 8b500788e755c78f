import Foundation
import JulietAPI
import JulietClient
import Testing

@testable import JulietPlay
@testable import PlayPresenter
@testable import PlayRepository
@testable import PlayUseCase
@testable import PlayView

@Suite("The way from the game to the service", .timeLimit(.minutes(1)))
final class ClientRepositoryTests {
    private let home = FileManager.default.temporaryDirectory.appending(path: "juliet-play-\(UUID().uuidString)")
    private let folder: PlayFolder

    init() throws {
        folder = try PlayFolder(service: "http://h", player: "p", environment: ["XDG_STATE_HOME": home.path])
    }

    deinit { try? FileManager.default.removeItem(at: home) }

    /// A service that fails at the word of one game, as long as it is told to.
    private actor Service: Transport {
        private(set) var seen: [String] = []
        private let isBroken: Bool

        init(isBroken: Bool) { self.isBroken = isBroken }

        nonisolated func send(
            _ message: RequestMessage, to baseURL: String, timeout: Duration
        ) async throws -> HTTPResponse {
            await answer(message)
        }

        private func answer(_ message: RequestMessage) -> HTTPResponse {
            seen.append(message.idempotencyKey ?? "")
            let text = String(decoding: message.body ?? [], as: UTF8.self)
            let answer: Answer =
                if text.contains("initialRegistration") {
                    .done(.initialRegistration)
                } else if text.contains("updateUserPlayedWordsList") {
                    isBroken && text.contains("NIFTY")
                        ? .failed(.serverInternal, type: .updateUserPlayedWordsList) : .done(.updateUserPlayedWordsList)
                } else if text.contains("statNewGameSession") {
                    .game(balance: 25, word: "crane")
                } else if text.contains("fetchUserWins") {
                    .wins(.fetchUserWins, count: 3)
                } else {
                    .wins(.updateUserWins, count: 3)
                }
            return HTTPResponse(status: answer.httpStatus, body: answer.encoded())
        }
    }

    @Test(
        "what the service fails at holds up its game alone, is given up with a word, and tried anew at the next start")
    func poison() async throws {
        var retry = ClientRepository.retry
        #expect(retry.failureLimit == RetryPolicy.standard.failureLimit && retry.maximumAttempts == nil)
        retry.firstDelay = .milliseconds(1)
        retry.failureLimit = RetryPolicy.FailureLimit(attempts: 6, time: .zero)

        let broken = Service(isBroken: true)
        let word = Deed.recordWord("NIFTY", game: "1")
        let deeds = [word, .countWin(game: "1"), .recordWord("MUSIC", game: "2"), .countWin(game: "2")]
        let answers = try await play(broken, retry, appending: deeds, until: deeds.count)
        let told = answers.filter { deeds.contains($0.0) }
        #expect(told.map(\.0) == [deeds[2], deeds[3], deeds[0], deeds[1]])
        guard case .refused = told[2].1 else {
            Issue.record("\(told[2].1)")
            return
        }
        #expect(await broken.seen.count { $0 == "1-word" } == 6)

        let mended = Service(isBroken: false)
        let again = try await play(mended, retry, appending: [], until: 1)
        #expect(again.map(\.0) == [word] && again.map(\.1) == [.done])
        #expect(await mended.seen == ["1-word"])
    }

    @Test("a start is not held up by what the service fails at")
    func start() async throws {
        var retry = ClientRepository.retry
        retry.firstDelay = .milliseconds(1)
        retry.maximumDelay = .milliseconds(5)
        var play = Play(SavedPlay(phase: .starting(id: "2")), list: GuessList(["crane"])) { "3" }
        let deeds = play.begin().flatMap { effect in
            if case .append(let deeds) = effect { deeds } else { [] as [Deed] }
        }
        #expect(deeds == [.register, .fetchWins, .startGame(id: "2")])
        let stuck = [Deed.recordWord("NIFTY", game: "1"), .countWin(game: "1")]
        let answers = try await self.play(
            Service(isBroken: true), retry, appending: stuck + deeds, until: deeds.count)
        #expect(answers.map(\.0) == deeds)
        #expect(answers.map(\.1) == [.done, .wins(3), .game(energy: 25, secret: "CRANE")])
    }

    @Test("what cannot be tried anew is told, and keeps nothing else from being tried")
    func redrive() async throws {
        var retry = ClientRepository.retry
        retry.firstDelay = .milliseconds(1)
        retry.failureLimit = RetryPolicy.FailureLimit(attempts: 1, time: .zero)
        let deeds = [Deed.recordWord("NIFTY", game: "1"), .recordWord("NIFTYS", game: "2")]
        _ = try await play(Service(isBroken: true), retry, appending: deeds, until: deeds.count)

        let mended = Service(isBroken: false)
        let repository = try await ClientRepository(
            folder: folder, service: "http://h", key: nil, transport: mended, retry: retry)
        // The disk loses a byte of the first while the journal is open.
        var bytes = try Data(contentsOf: URL(filePath: folder.journal))
        let place = try #require(bytes.firstRange(of: Data("1-word".utf8))?.lowerBound)
        bytes[place] ^= 1
        let file = try FileHandle(forWritingTo: URL(filePath: folder.journal))
        try file.write(contentsOf: bytes)
        try file.close()
        let (events, continuation) = AsyncStream.makeStream(of: Play.Event.self)
        let running = Task { try await repository.run { continuation.yield($0) } }
        var told: [Play.Event] = []
        for await event in events {
            if case .outbox = event { continue }
            told.append(event)
            if told.count == 2 { break }
        }
        #expect(told == [.notSaved("damagedRecord"), .answered(deeds[1], .done)])
        running.cancel()
        try await running.value
        // It is told once.
        let again = try await play(mended, retry, appending: [.fetchWins], until: 1)
        #expect(again.map(\.0) == [.fetchWins])
        #expect(await mended.seen.filter { $0.hasSuffix("word") } == ["2-word"])
    }

    /// Runs a repository until so many answers have come.
    private func play(
        _ service: Service, _ retry: RetryPolicy, appending deeds: [Deed], until count: Int
    ) async throws -> [(Deed, DeedAnswer)] {
        let repository = try await ClientRepository(
            folder: folder, service: "http://h", key: nil, transport: service, retry: retry)
        let (events, continuation) = AsyncStream.makeStream(of: Play.Event.self)
        try await repository.append(deeds)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await repository.run { continuation.yield($0) } }
            var answers: [(Deed, DeedAnswer)] = []
            for await event in events {
                if case .answered(let deed, let answer) = event { answers.append((deed, answer)) }
                if answers.count == count { break }
            }
            group.cancelAll()
            try await group.waitForAll()
            return answers
        }
    }
}
