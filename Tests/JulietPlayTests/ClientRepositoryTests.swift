import Foundation
import JulietAPI
import JulietClient
import Testing

@testable import JulietPlay

@Suite("The way from the game to the service", .timeLimit(.minutes(1)))
struct ClientRepositoryTests {
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
            let answer: JulietAPI.Answer =
                if text.contains("initialRegistration") {
                    .done(.initialRegistration)
                } else if text.contains("updateUserPlayedWordsList") {
                    isBroken && text.contains("NIFTY")
                        ? .failed(.serverInternal, type: .updateUserPlayedWordsList) : .done(.updateUserPlayedWordsList)
                } else {
                    .wins(.updateUserWins, count: 3)
                }
            return HTTPResponse(status: answer.httpStatus, body: answer.encoded())
        }
    }

    @Test(
        "what the service fails at holds up its game alone, is given up with a word, and tried anew at the next start")
    func poison() async throws {
        let home = FileManager.default.temporaryDirectory.appending(path: "juliet-play-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: home) }
        let folder = try PlayFolder(service: "http://h", player: "p", environment: ["XDG_STATE_HOME": home.path])
        var retry = ClientRepository.retry
        #expect(retry.failureLimit == RetryPolicy.standard.failureLimit && retry.maximumAge != nil)
        retry.firstDelay = .milliseconds(1)
        retry.failureLimit = RetryPolicy.FailureLimit(attempts: 6, time: .zero)

        let broken = Service(isBroken: true)
        let word = Deed.recordWord("NIFTY", game: "1")
        let deeds = [word, .countWin(game: "1"), .recordWord("MUSIC", game: "2"), .countWin(game: "2")]
        let answers = try await play(folder, broken, retry, appending: deeds, until: deeds.count)
        let told = answers.filter { deeds.contains($0.0) }
        #expect(told.map(\.0) == [deeds[2], deeds[3], deeds[0], deeds[1]])
        guard case .refused = told[2].1 else {
            Issue.record("\(told[2].1)")
            return
        }
        #expect(await broken.seen.count { $0 == "1-word" } == 6)

        let mended = Service(isBroken: false)
        let again = try await play(folder, mended, retry, appending: [], until: 1)
        #expect(again.map(\.0) == [word] && again.map(\.1) == [.done])
        #expect(await mended.seen == ["1-word"])
    }

    /// Runs a repository until so many answers have come.
    private func play(
        _ folder: PlayFolder, _ service: Service, _ retry: RetryPolicy, appending deeds: [Deed], until count: Int
    ) async throws -> [(Deed, JulietPlay.Answer)] {
        let repository = try await ClientRepository(
            folder: folder, service: "http://h", key: nil, transport: service, retry: retry)
        let (events, continuation) = AsyncStream.makeStream(of: Play.Event.self)
        try await repository.append(deeds)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await repository.run { continuation.yield($0) } }
            var answers: [(Deed, JulietPlay.Answer)] = []
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
