import EventLoop
import Foundation
import JulietAPI
import Postgres
import QueueTestClient
import TestSupport
import Testing

/// Exactly once while everything is killed. `Benchmarks/faults` does the same for as long as one likes.
@Suite("Exactly once under faults", .defaultLayout("starts several servers of its own"))
struct ExactlyOnceFaultTests {
    @Test(
        "services and PostgreSQL are killed, frozen and cut off: every operation takes effect once, with one answer",
        .timeLimit(.minutes(5)))
    func everythingFails() async throws {
        let cluster = try await PostgresCluster.start()
        defer { cluster.remove() }
        try await holds(on: .create(in: cluster), servers: [cluster])
    }

    @Test(
        "the same with the players on two workers of Citus, whose shards move meanwhile",
        .needsCitus, .timeLimit(.minutes(5)))
    func everythingFailsAndMoves() async throws {
        let cluster = try await CitusCluster.start()
        defer { cluster.remove() }
        let database = try await TestDatabase.distributed(over: cluster)
        let moves = Locked(0)
        try await holds(on: database, servers: cluster.servers) {
            do {
                try await database.moveShard()
                moves.withLock { $0 += 1 }
            } catch {
                // A server is away just then: all stays as it is.
                try await Task.sleep(for: .milliseconds(100))
            }
        }
        print("\(moves.withLock { $0 }) shards moved")
        #expect(moves.withLock { $0 } > 0)
    }

    /// - Parameter move: One more thing that happens meanwhile, at its own pace.
    private func holds(
        on database: TestDatabase, servers: [PostgresCluster], move: (@Sendable () async throws -> Void)? = nil
    ) async throws {
        let services = try [ServiceProcess(database: database), ServiceProcess(database: database)]
        let seed = UInt64.random(in: 0...999_999_999)
        let isOver = Locked(false)

        async let faults = strike(servers, database, services, seed: seed) { isOver.withLock { $0 } }
        async let moves: Void = {
            while let move, !isOver.withLock({ $0 }) { try await move() }
        }()
        // Also where a client fails.
        defer { isOver.withLock { $0 = true } }
        let outcomes = try await withThrowingTaskGroup(of: [Outcome].self) { group in
            for client in 0..<6 {
                group.addTask {
                    try await offPool { try play(client: client, seed: seed, ports: services.map(\.port)) }
                }
            }
            return try await group.reduce(into: [Outcome]()) { $0 += $1 }
        }
        isOver.withLock { $0 = true }
        let count = try await faults
        try await moves
        for service in services { service.stop() }
        print("seed \(seed): \(outcomes.count) operations, \(count) faults")
        #expect(count >= 5, "seed \(seed)")

        // Each answer is what the records say, and there is nothing that nobody asked for.
        for outcome in outcomes {
            #expect(outcome.answers.count == 1, "seed \(seed), \(outcome.operation.key): \(outcome.answers)")
            #expect(outcome.firsts <= 1, "seed \(seed), \(outcome.operation.key)")
        }
        let recorded = try await database.psql(
            """
            SELECT operation_id, delta, coalesce((answer ->> 'wins')::integer, balance_after)
            FROM energy_ledger
            """
        ).split(separator: "\n").map(String.init)
        #expect(recorded.count == outcomes.count, "seed \(seed)")
        #expect(Set(recorded).symmetricDifference(outcomes.compactMap(\.record)) == [], "seed \(seed)")
        let wins = Dictionary(grouping: outcomes.filter { $0.operation.kind == .win }, by: \.operation.user)
        for (user, outcomes) in wins {
            #expect(
                outcomes.compactMap(\.wins).sorted() == Array(1...outcomes.count), "seed \(seed), \(user)")
        }
        try await database.expectCleanAudit("seed \(seed)")
    }
}

/// Does one harm after the other until it is over.
private func strike(
    _ servers: [PostgresCluster],
    _ database: TestDatabase,
    _ services: [ServiceProcess],
    seed: UInt64,
    until isOver: @Sendable () -> Bool
) async throws -> Int {
    var random = SeededRandom(seed: seed)
    var count = 0
    while true {
        try await Task.sleep(for: .milliseconds(Int.random(in: 300...1500, using: &random)))
        if isOver() { return count }
        let service = services[Int.random(in: 0...1, using: &random)]
        let server = servers[Int.random(in: servers.indices, using: &random)]
        // The first round has each kind once.
        switch count < 6 ? count : Int.random(in: 0...5, using: &random) {
        case 0:
            service.kill()
            try service.start()
        case 1:
            // Frozen, it has sent what it had; PostgreSQL commits it; nobody ever hears of it.
            service.signal(SIGSTOP)
            try await Task.sleep(for: .milliseconds(100))
            service.kill()
            try service.start()
        case 2:
            try await server.kill()
            try await server.start()
        case 3:
            try await server.restart()
        case 4:
            try await server.psql(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'player_service'")
        default:
            try server.pause()
            try await Task.sleep(for: .milliseconds(Int.random(in: 500...2500, using: &random)))
            try server.resume()
        }
        count += 1
    }
}

// MARK: - Clients

private struct FaultOperation: Sendable {
    enum Kind: CaseIterable, Sendable { case game, session, purchase, win }

    let user: String
    let key: String
    let kind: Kind
    let request: GameRequest
}

/// What became of an operation, as all who asked for it were told.
private struct Outcome: Sendable {
    let operation: FaultOperation
    /// Status and body; one element if all were told the same.
    var answers: Set<String> = []
    /// How many were told that theirs was the first request.
    var firsts = 0
    var answer: Answer?

    var wins: Int? { answer?.userWins }

    /// The line that the records must hold.
    var record: String? {
        guard let answer else { return nil }
        let isDone = answer.innerStatus == 200
        return switch operation.request {
        case .initialRegistration: "\(operation.key)|30|30"
        case .handleEnergyPurchase(_, let amount): "\(operation.key)|\(amount)|\(answer.userEnergy)"
        case .updateUserWins: "\(operation.key)|0|\(answer.userWins)"
        default: "\(operation.key)|\(isDone ? -5 : 0)|\(answer.userEnergy)"
        }
    }
}

/// One client: four players, each operation sent 1 to 20 times at once, and again until each copy is answered.
private func play(client: Int, seed: UInt64, ports: [UInt16]) throws -> [Outcome] {
    var random = SeededRandom(seed: seed &+ UInt64(client) &+ 1)
    var outcomes: [Outcome] = []
    let users = (0..<4).map { "PLAYER-\(client)-\($0)" }
    let end = ContinuousClock.now + .seconds(20)
    var number = 0
    // On a slow machine the services are away most of the time: some operations are wanted all the same.
    while ContinuousClock.now < end || number < 3 * users.count {
        let user = users[number % users.count]
        let kind = FaultOperation.Kind.allCases[Int.random(in: 0...3, using: &random)]
        let request: GameRequest =
            if number < users.count {
                .initialRegistration(vendorID: user)
            } else {
                switch kind {
                case .game: .singleGameEnergyUpdate(userID: user)
                case .session: .statNewGameSession(userID: user)
                case .purchase:
                    .handleEnergyPurchase(userID: user, energyPurchaseAmount: Bool.random(using: &random) ? 5 : 30)
                case .win: .updateUserWins(userID: user)
                }
            }
        let operation = FaultOperation(
            user: user, key: "\(client)-\(number)", kind: number < users.count ? .game : kind, request: request)
        let copies = [1, 1, 2, 2, 4, 20][Int.random(in: 0...5, using: &random)]
        let outcome = perform(operation, copies: copies, ports: ports)
        outcomes.append(outcome)
        if outcome.answers.isEmpty { break }
        number += 1
    }
    return outcomes
}

private func perform(_ operation: FaultOperation, copies: Int, ports: [UInt16]) -> Outcome {
    var outcome = Outcome(operation: operation)
    let bytes = TestService.post(
        operation.request.encoded(), to: operation.request.type.endpoint.path,
        fields: ["Idempotency-Key: \(operation.key)"])
    var open = copies
    var attempt = 0
    // Who is never answered says so with an operation that has no answer.
    let patience = ContinuousClock.now + .seconds(60)
    while open > 0, ContinuousClock.now < patience {
        attempt += 1
        let connections = (0..<open).map { copy -> ClientConnection? in
            guard let connection = try? ClientConnection(port: ports[(copy + attempt) % ports.count]),
                (try? connection.send(bytes)) != nil
            else { return nil }
            return connection
        }
        for connection in connections {
            guard let reply = try? connection?.receive(), reply.status < 500, reply.status != 408 else { continue }
            open -= 1
            outcome.answers.insert("\(reply.status) \(reply.text)")
            if reply["Idempotent-Replayed"] == nil { outcome.firsts += 1 }
            outcome.answer = try? reply.answer(to: operation.request.type)
        }
        if open > 0 { Thread.sleep(forTimeInterval: 0.05) }
    }
    return outcome
}
