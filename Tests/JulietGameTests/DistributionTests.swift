import JulietAPI
import Migrations
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

    @Test("no server is known before a map was read")
    func unknown() {
        #expect(ShardRouter().server(of: "ANNA") == nil)
        #expect(ShardRouter().servers.isEmpty)
    }

    @Test("what is sent to a player's own server calls a function that is there, and what is not does not")
    func functions() throws {
        for call in Distribution.calls {
            let name = try #require("\(call.sql)".firstMatch(of: /SELECT (juliet\.\w+)\(\$1/)?.1)
            #expect(call.function == String(name))
            #expect(call.routingKey != nil, "\(name)")
        }
        // Their first argument is the player, in the schema as well.
        let entries = Set(Schema.code.functions.compactMap { $0.callers.isEmpty ? nil : $0.function?.name })
        for name in Distribution.functions { #expect(entries.contains(String(name.dropFirst("juliet.".count)))) }
    }
}
