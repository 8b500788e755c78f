import AppStoreTesting
import Foundation
import JulietAPI
import QueueTestClient
import TestSupport
import Testing

/// Merges beside whatever else their players do at the same moment.
@Suite("Merges under stress", .everyLayout)
struct MergeStressTests {
    private let store: TestStore

    init() throws { store = try TestStore() }

    private static func merging(_ other: V2Client) -> String { #"{"token": "\#(other.token ?? "")"}"# }

    @Test("under one key that is sent many times at once there is one merge, and of many callers one gets a player")
    func once() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(on: database)
        let other = try await V2Client.player(on: service)
        let caller = try await V2Client.player(on: service)
        let request = caller.request(
            "POST", "/v2/players/me/merge", Self.merging(other), fields: ["Idempotency-Key: k"])
        let replies = try await caller.replies(toAll: Array(repeating: request, count: 20))
        #expect(replies.allSatisfy { $0.status == 200 } && Set(replies.map(\.json)).count == 1)
        #expect(replies.count { $0.isReplay } == 19)

        let wanted = try await V2Client.player(on: service)
        var requests: [[UInt8]] = []
        for _ in 1...20 {
            let caller = try await V2Client.player(on: service)
            requests.append(caller.request("POST", "/v2/players/me/merge", Self.merging(wanted)))
        }
        let summaries = Dictionary(grouping: try await caller.replies(toAll: requests), by: \.summary).mapValues(
            \.count)
        #expect(summaries == ["200": 1, "401 unauthorized": 19])
        try await database.expectCleanAudit()
        try await service.stop()
    }

    @Test("of two who merge each other one is left")
    func circle() async throws {
        let database = try await TestDatabase.create()
        let nodes = [try await TestService.start(on: database), try await TestService.start(on: database)]
        for round in 0..<30 {
            let (a, b) = (try await V2Client.player(on: nodes[0]), try await V2Client.player(on: nodes[1]))
            async let first = a.at(nodes[round % 2]).post("/v2/players/me/merge", Self.merging(b))
            async let second = b.at(nodes[(round + 1) % 2]).post("/v2/players/me/merge", Self.merging(a))
            let summaries = try await [first.summary, second.summary].sorted()
            #expect(summaries == ["200", "401 unauthorized"])
        }
        #expect(try await database.psql("SELECT count(*) FROM users") == "30")
        try await database.expectCleanAudit()
        for node in nodes { try await node.stop() }
    }

    @Test(
        "the records stay whole when players play, buy, join, delete and merge at the same time",
        .timeLimit(.minutes(5)))
    func everything() async throws {
        let database = try await TestDatabase.create()
        let nodes = [
            try await TestService.start(store.settings(), on: database),
            try await TestService.start(store.settings(), on: database),
        ]
        let crowd = Crowd()
        for index in 0..<24 {
            let player = try await V2Client.player(on: nodes[index % 2], named: "P\(index)")
            await crowd.add(player)
        }
        let maker = try await V2Client.player(on: nodes[0])
        let code = try await maker.post("/v2/challenges").json.challenge.code.text
        let league = try await maker.createLeague()
        let seed = UInt64.random(in: 0...999_999_999)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask { [store] in
                    var random = QueueTestClient.SeededRandom(seed: seed + UInt64(worker))
                    for _ in 0..<40 {
                        guard let (player, other) = await crowd.two(&random) else { return }
                        let client = player.at(nodes[Int.random(in: 0...1, using: &random)])
                        let reply = try await Self.step(client, other, code, league, database, store, &random)
                        #expect(reply.status < 500 || reply.status == 503, "seed \(seed): \(reply)")
                    }
                }
            }
            try await group.waitForAll()
        }
        let merges = try await database.psql("SELECT count(*) FROM merges WHERE user_id !~ '^deleted'")
        #expect(Int(merges) ?? 0 > 0)
        try await database.gatherBoards()
        try await database.expectCleanAudit("seed \(seed)")
        #expect(try await database.ledgerFaults() == "")
        for node in nodes { try await node.stop() }
    }

    private static func step(
        _ player: V2Client, _ other: V2Client, _ code: String, _ league: JSON, _ database: TestDatabase,
        _ store: TestStore, _ random: inout QueueTestClient.SeededRandom
    ) async throws -> V2Reply {
        switch Int.random(in: 0..<14, using: &random) {
        case 0, 1, 2: return try await player.post("/v2/players/me/merge", merging(other))
        case 3: return try await player.post("/v2/games")
        case 4: return try await player.post("/v2/daily/game")
        case 5: return try await player.post("/v2/challenges/\(code)/game")
        case 6: return try await player.post("/v2/leagues/join", #"{"invite": "\#(league.invite.text)"}"#)
        case 7:
            let bought = TestTransaction(TestStore.newNumber(), product: TestStore.thirty)
            let reply = try await player.buy(store.signed(bought))
            _ = try await player.service.tell(store.notification("REFUND", bought))
            return reply
        case 8 where Int.random(in: 0..<6, using: &random) == 0: return try await player.delete("/v2/players/me")
        case 9: return try await player.post("/v2/challenges", #"{"word": "crane"}"#)
        default:
            let games = try await player.get("/v2/games?state=playing")
            guard let game = games.json.games.items.randomElement(using: &random) else { return games }
            let secret = try await player.secret(of: game, in: database)
            let word = Bool.random(using: &random) && !secret.isEmpty ? secret : "slate"
            return Bool.random(using: &random)
                ? try await player.guess(word, in: game) : try await player.post("/v2/games/\(game.id.text)/resign")
        }
    }
}

/// Players, of whom any two may be asked for.
private actor Crowd {
    private var players: [V2Client] = []

    func add(_ player: V2Client) { players.append(player) }

    func two(_ random: inout QueueTestClient.SeededRandom) -> (V2Client, V2Client)? {
        guard let first = players.randomElement(using: &random), let second = players.randomElement(using: &random)
        else { return nil }
        return (first, second)
    }
}
