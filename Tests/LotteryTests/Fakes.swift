import Lottery
import Synchronization

/// Users and entries of the tests.
final class FakeParticipants: ParticipantRepository, Sendable {
    struct Gone: Error {}

    private let state: Mutex<(users: [LotteryUser], entries: [LotteryEntry], isGone: Bool)>

    /// Users 10, 11, …, all of whom take part.
    init(count: Int, void: Set<Int> = []) {
        let numbers = (0..<count).map { 10 + $0 }
        state = Mutex(
            (
                numbers.map {
                    LotteryUser(
                        userID: $0, name: "User \($0)", username: "u\($0)", registrationDate: "2020-10-19")
                }, numbers.map { LotteryEntry(userID: $0, isVoid: void.contains($0)) }, false
            ))
    }

    func users() async throws -> [LotteryUser] {
        let state = state.withLock { $0 }
        if state.isGone { throw Gone() }
        return state.users
    }

    func entries() async throws -> [LotteryEntry] {
        let state = state.withLock { $0 }
        if state.isGone { throw Gone() }
        return state.entries
    }

    func set(entries: [LotteryEntry]) { state.withLock { $0.entries = entries } }
    func set(isGone: Bool) { state.withLock { $0.isGone = isGone } }
}

/// Draws that are told otherwise than they are.
struct ForgedDraws: DrawRepository {
    let draws: any DrawRepository
    var forge: @Sendable (LotteryDraw) -> LotteryDraw = { $0 }
    var forgeList: @Sendable (String) -> String = { $0 }

    func look() async throws -> LotteryLook {
        let look = try await draws.look()
        return LotteryLook(next: look.next, last: look.last.map(forge))
    }

    func draw(_ number: Int?) async throws -> KeptDraw? {
        try await draws.draw(number).map { KeptDraw(draw: forge($0.draw), list: $0.list.map(forgeList)) }
    }

    func start(_ number: Int) async throws -> DrawStart { try await draws.start(number) }
}
