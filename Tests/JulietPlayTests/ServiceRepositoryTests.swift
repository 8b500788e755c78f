import Foundation
import JulietAPI
import JulietClient
import Testing

@testable import JulietPlay
@testable import PlayPresenter
@testable import PlayRepository
@testable import PlayUseCase
@testable import PlayView

@Suite("The way from the game to the service of /v2", .timeLimit(.minutes(1)))
final class ServiceRepositoryTests {
    private let home = FileManager.default.temporaryDirectory.appending(path: "juliet-desk-\(UUID().uuidString)")

    deinit { try? FileManager.default.removeItem(at: home) }

    private var environment: [String: String] { ["XDG_STATE_HOME": home.path] }

    /// A service that gives answers in turn, the last one from then on; nil: it is out of reach.
    private actor Service: Transport {
        private(set) var seen: [RequestMessage] = []
        private let answers: [HTTPResponse?]

        init(_ answers: HTTPResponse?...) { self.answers = answers }

        nonisolated func send(
            _ message: RequestMessage, to baseURL: String, timeout: Duration
        ) async throws -> HTTPResponse {
            guard let answer = await answer(message) else { throw ClientError(.connectionRefused) }
            return answer
        }

        private func answer(_ message: RequestMessage) -> HTTPResponse? {
            seen.append(message)
            return answers[min(seen.count, answers.count) - 1]
        }
    }

    private static func problem(_ code: V2.ProblemCode) -> HTTPResponse {
        HTTPResponse(
            status: code.status, headers: [HeaderField("Content-Type", "application/problem+json")],
            body: V2.Problem(code).encoded())
    }

    private static func success(_ body: [UInt8]) -> HTTPResponse {
        HTTPResponse(status: 200, headers: [HeaderField("Content-Type", "application/json")], body: body)
    }

    /// Runs a repository until a request has its answer.
    private func ask(
        _ service: Service, _ request: DeskRequest
    ) async throws -> (answer: DeskAnswer?, delays: [DeskDelay]) {
        let repository = ServiceRepository(
            folder: try DeskFolder(service: "http://h", environment: environment), service: "http://h",
            transport: service, delays: [.milliseconds(1)])
        let (events, continuation) = AsyncStream.makeStream(of: Desk.Event.self)
        let errand = DeskErrand(request, token: "jt_a")
        repository.send(errand)
        let running = Task { await repository.run { continuation.yield($0) } }
        var delays: [DeskDelay] = []
        var given: DeskAnswer?
        events: for await event in events {
            switch event {
            case .delayed(errand, let delay):
                delays.append(delay)
            case .answered(errand, let answer):
                given = answer
                break events
            default:
                break
            }
        }
        // The next one needs the folder.
        running.cancel()
        await running.value
        return (given, delays)
    }

    @Test("a deed is repeated under its key until the service answers")
    func repeats() async throws {
        let refilled = V2.RefilledEnergy(energy: 30)
        let service = Service(
            nil, HTTPResponse(status: 502), Self.problem(.unavailable), Self.problem(.internalError),
            Self.success(refilled.encoded()))
        let outcome = try await ask(service, .takeRefill(key: "k"))
        #expect(outcome.answer == .energy(refilled))
        #expect(outcome.delays == [.outOfReach, .outOfReach, .busy, .busy])
        let seen = await service.seen
        #expect(seen.count == 5)
        #expect(seen.allSatisfy { $0.idempotencyKey == "k" })
        #expect(seen.allSatisfy { $0.headers.contains(HeaderField("Authorization", "Bearer jt_a")) })
    }

    @Test("a challenge whose answer is lost is sent again as it was, under its key; a name is changed")
    func challenge() async throws {
        let now = DeskTests.desk().now
        let code = try #require(V2.ShareCode("h7kq-2mxp"))
        let made = V2.MadeChallenge(
            challenge: V2.Challenge(
                code: code, isMine: true, isOwnWord: true, language: "th", length: 4, commitment: "", createdAt: now,
                endsAt: now, players: 0, isAnyWord: true, hint: "Twice"), energy: 25)
        let service = Service(nil, Self.success(made.encoded()))
        let wish = ChallengeWish(word: "กำกำ", language: "th", isAnyWord: true, hint: "Twice", isHard: true, days: 30)
        let outcome = try await ask(service, .makeChallenge(wish, key: "k"))
        #expect(outcome.answer == .challenge(made.challenge, energy: 25))
        let seen = await service.seen
        #expect(seen.map(\.idempotencyKey) == ["k", "k"] && seen[0].body == seen[1].body)
        let sent = V2.NewChallenge(
            word: "กำกำ", language: "th", isAnyWord: true, hint: "Twice", isHard: true, days: 30)
        #expect(seen[0].body == sent.encoded() && seen[0].path == "/v2/challenges")

        let player = DeskTests.player()
        let names = Service(Self.success(player.encoded()))
        #expect(try await ask(names, .rename("Ada")).answer == .player(player))
        #expect(await names.seen.first?.body == Array(#"{"name":"Ada"}"#.utf8))
    }

    @Test("what the service keeps failing at is given up, so that nothing waits for it for ever")
    func givesUp() async throws {
        let service = Service(Self.problem(.internalError))
        let outcome = try await ask(service, .startDaily(isHard: false))
        #expect(outcome.answer == .refused(V2.Problem(.internalError)))
        #expect(await service.seen.count == 5)
    }

    @Test("what hands out secrets is sent once", arguments: [DeskRequest.createPlayer, .renewCode, .signOut])
    func credentials(request: DeskRequest) async throws {
        let refused = Service(nil)
        #expect(try await ask(refused, request).answer == .failed(mayBeDone: false))
        #expect(await refused.seen.count == 1)
        #expect(try await ask(Service(HTTPResponse(status: 502)), request).answer == .failed(mayBeDone: true))
    }

    @Test("a service has /v2 or not, and one that does not answer leaves it unknown")
    func isSpoken() async throws {
        let service = V2.Service(name: "Juliet", energy: V2.Service.Energy(price: 5, start: 30), languages: [])
        let answers: [(HTTPResponse?, Bool?)] = [
            (Self.success(service.encoded()), true), (Self.problem(.notFound), false),
            (HTTPResponse(status: 404), false), (Self.success(Array("{}".utf8)), false), (nil, nil),
            (HTTPResponse(status: 502), nil), (Self.problem(.tooManyRequests), nil),
        ]
        for (answer, isSpoken) in answers {
            #expect(await ServiceRepository.isSpoken(at: "http://h", transport: Service(answer)) == isSpoken)
        }
    }

    @Test("a session is kept for its user alone, and one program has it at a time")
    func folder() async throws {
        #expect(try !DeskFolder.hasPlayer(service: "http://h", environment: environment))
        let folder = try DeskFolder(service: "http://h", environment: environment)
        #expect(try folder.load() == nil)
        var saved = SavedDesk(session: SavedDesk.Session(token: "jt_a", newCode: "c"))
        saved.game = DeskTests.game("crane", day: V2.Day(daysSince1970: 20_600))
        saved.player = DeskTests.player()
        saved.pending = .guess("CRANE", number: 1, game: "g")
        try await folder.save(saved)
        #expect(try folder.load() == saved)
        #expect(try DeskFolder.hasPlayer(service: "http://h", environment: environment))
        #expect(try !DeskFolder.hasPlayer(service: "http://other", environment: environment))
        let file = home.appending(path: "juliet/\(PlayFolder.fileName("http://h"))/.v2/player.json").path
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(throws: PlayFolder.Failure.self) { try DeskFolder(service: "http://h", environment: environment) }
    }
}
