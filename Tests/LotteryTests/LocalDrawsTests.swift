import Lottery
import Testing

@testable import LotteryUseCase

@Suite("Draws in this process")
struct LocalDrawsTests {
    private let clock = TestClock()

    @Test("the same draw started many times at once is one draw")
    func parallelStarts() async throws {
        let draws = LocalDraws(participants: FakeParticipants(count: 5), clock: clock)
        let starts = try await withThrowingTaskGroup(of: DrawStart.self) { group in
            for _ in 0..<50 { group.addTask { try await draws.start(1) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(starts.count == 50 && starts.count { $0 == .started(isNew: true) } == 1)
        #expect(starts.allSatisfy { if case .started = $0 { true } else { false } })
        #expect(try await draws.look().next.number == 2)
    }

    @Test("refused: an empty list, a draw that is not the next, one in the pause")
    func refusals() async throws {
        let participants = FakeParticipants(count: 0)
        let draws = LocalDraws(participants: participants, clock: clock)
        #expect(try await draws.start(1) == .refused(.empty))
        for number in [0, 2, -1] { #expect(try await draws.start(number) == .refused(.unknownDraw)) }
        participants.set(entries: [LotteryEntry(userID: 99)])
        await #expect(throws: LotteryPlayer.UnknownUser(userID: 99)) { try await draws.start(1) }
        let full = LocalDraws(participants: FakeParticipants(count: 1), clock: clock)
        #expect(try await full.start(1) == .started(isNew: true))
        clock.advance(by: .milliseconds(7600))
        #expect(try await full.start(2) == .refused(.pause(seconds: 30)))
        clock.advance(by: .milliseconds(29900))
        #expect(try await full.start(2) == .started(isNew: true))
        #expect(try await full.start(1) == .started(isNew: false))
    }

    @Test("nothing is told before its time, and at the end everything")
    func secrecy() async throws {
        let draws = LocalDraws(participants: FakeParticipants(count: 9), clock: clock)
        let commitment = try await draws.look().next.commitment
        _ = try await draws.start(1)
        for step in 0...75 {
            let draw = try #require(try await draws.draw(1)?.draw)
            let progress = try #require(draw.progress)
            #expect(draw.commitment == commitment)
            #expect(progress.rounds.count == (step < 15 ? 0 : min(10, (step - 15) / 6 + 1)))
            #expect((progress.end == nil) == (step < 75))
            clock.advance(by: .milliseconds(100))
        }
        let kept = try #require(try await draws.draw(nil))
        try DrawProof(kept.draw, list: kept.list ?? "", notedCommitment: commitment).check()
        #expect(throws: DrawProof.Failure.doesNotFit("the commitment is not the one that was noted")) {
            try DrawProof(kept.draw, list: kept.list ?? "", notedCommitment: kept.draw.progress?.end?.seed).check()
        }
    }

    @Test("what is read from two documents is drawn like any other")
    func documents() async throws {
        let files: [String: String] = [
            "API/SimpleLottery/users.json":
                #"{"items": [{"userId": 10, "name": "Jack Alexy", "username": "JAlex", "regDate": "2020-10-19"}]}"#,
            "API/SimpleLottery/usersInLottery.json": #"{"lotteryList": [{"userId": 10, "void": true}]}"#,
        ]
        let repository = DocumentRepository { path in Array((files[path] ?? "").utf8) }
        let draws = LocalDraws(participants: repository, clock: clock)
        _ = try await draws.start(1)
        clock.advance(by: .seconds(8))
        let kept = try #require(try await draws.draw(1))
        #expect(kept.list == "10 1\n")
        #expect(kept.draw.progress?.rounds.map(\.name) == Array(repeating: "Jack Alexy", count: 10))
        #expect(kept.draw.progress?.end != nil && kept.draw.progress?.end?.winner == nil)
    }
}
