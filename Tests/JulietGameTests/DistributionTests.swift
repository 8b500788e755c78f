import JulietAPI
import Postgres
import Testing

@testable import JulietGame

@Suite("Where players are")
struct ShardRouterTests {
    private static let first = PostgresServer(host: "one", port: 1)
    private static let second = PostgresServer(host: "two", port: 2)

    @Test(
        "a hash belongs to the shard that holds it, both ends included; the coordinator is asked for what none holds",
        arguments: [
            (Int32.min, first), (-1_073_741_825, first), (-1_073_741_824, second), (-1, second), (0, nil),
            (1_073_741_823, nil), (1_073_741_824, nil), (1_073_741_825, first), (.max, first),
        ] as [(Int32, PostgresServer?)])
    func lookup(hash: Int32, server: PostgresServer?) {
        let map = ShardMap(shards: [
            .init(first: .min, last: -1_073_741_825, server: Self.first),
            .init(first: -1_073_741_824, last: -1, server: Self.second),
            // One on the coordinator, and one that is not there.
            .init(first: 0, last: 1_073_741_823, server: nil),
            .init(first: 1_073_741_825, last: .max, server: Self.first),
        ])
        #expect(map.server(of: hash) == server)
        #expect(map.servers == [Self.first: 2, Self.second: 1])
        #expect(ShardMap(shards: []).server(of: hash) == nil)
    }

    @Test("nobody is sent anywhere before a map was read")
    func unknown() {
        #expect(ShardRouter().server(of: "ANNA") == nil)
        #expect(ShardRouter().servers.isEmpty)
    }

    @Test("what is sent to a player's own server calls a function that is there, and what is not does not")
    func functions() throws {
        let (user, operation) = (User.ID("ANNA"), Operation?.none)
        let statements: [FunctionCall<Outcome>] = [
            .registerUser(player: user, operation: operation), .payForGame(player: user, operation: operation),
            .buyEnergy(player: user, amount: 5, operation: operation),
            .refusePurchase(player: user, reason: .bundle, operation: operation),
            .reportEnergy(player: user, energy: 5, operation: operation),
            .dealWord(player: user, list: .init(language: "en", letters: 5)),
            .startGame(player: user, list: .init(language: "en", letters: 5), operation: operation),
            .recordPlayedWord(player: user, word: "crane", language: "en"),
            .addWin(player: user, operation: operation),
        ]
        #expect(statements.count == Distribution.functions.count)
        for statement in statements {
            let sql = "\(statement.sql)"
            let name = try #require(sql.firstMatch(of: /SELECT (juliet\.\w+)\(\$1/)?.1)
            #expect(Distribution.functions.contains(String(name)), "\(sql)")
            #expect(statement.routingKey == "ANNA")
        }
    }
}
