import TestSupport
import Testing

@Suite("Energy of /v2", .everyLayout)
struct EnergyHistoryTests {
    @Test("each change is an entry, newest first, the starting balance the last")
    func entries() async throws {
        let database = try await TestDatabase.shared()
        let player = try await V2Client.player()
        let id = try await player.me().id.text
        let game = try await player.start()
        try await database.setWord("fjord", of: game)
        try await database.psql(
            "SELECT change_energy('\(id)', 7, 'support', 'sorry', NULL, NULL);"
                + "SELECT change_energy('\(id)', 5, 'purchase', NULL, NULL, NULL);"
                + "SELECT change_energy('\(id)', -2, 'client_report', NULL, NULL, NULL)")
        let reply = try await player.get("/v2/players/me/energy")
        #expect(reply.status == 200)
        #expect(reply.json.names == ["entries"])
        let entries = reply.json.entries.items
        #expect(entries.map(\.reason) == ["clientReport", "purchase", "support", "game", "registration"])
        #expect(entries.map(\.delta) == [-2, 5, 7, -5, 30])
        #expect(entries.map(\.balance) == [35, 37, 32, 25, 30])
        #expect(entries.map(\.game) == [.missing, .missing, .missing, game.id, .missing])
        #expect(entries.map(\.at.text) == entries.map(\.at.text).sorted(by: >))
        #expect(entries[0].names == ["at", "delta", "balance", "reason"])
        #expect(!reply.http.text.contains("fjord"), "no word of a running game")
    }

    @Test("pages follow one another by next; a limit beyond 100 counts as that")
    func pages() async throws {
        let database = try await TestDatabase.shared()
        let player = try await V2Client.player()
        let id = try await player.me().id.text
        try await database.psql(
            "SELECT change_energy('\(id)', 1, 'support', NULL, NULL, NULL) FROM generate_series(1, 119)")
        for (limit, sizes) in [
            ("", [50, 50, 20]), ("limit=100", [100, 20]), ("limit=5000", [100, 20]), ("limit=60", [60, 60]),
        ] {
            var path: String? = "/v2/players/me/energy?\(limit)"
            var balances: [JSON] = []
            for size in sizes {
                let reply = try await player.get(try #require(path))
                #expect(reply.json.entries.items.count == size, "\(limit)")
                balances += reply.json.entries.items.map(\.balance)
                path =
                    reply.json.next == .missing ? nil : "/v2/players/me/energy?\(limit)&before=\(reply.json.next.text)"
            }
            #expect(path == nil, "\(limit): the last page names no other")
            #expect(balances == (30...149).reversed().map { .integer($0) })
        }
    }

    @Test(
        "an invalid query is refused with the name of its parameter",
        arguments: [
            ("limit=0", "limit"), ("limit=-1", "limit"), ("limit=x", "limit"), ("limit=", "limit"),
            ("limit=1.0", "limit"),
            ("limit=5&limit=5", "limit"), ("limit=%FF", "limit"), ("before=", "before"), ("before=x", "before"),
            ("before=-1", "before"),
        ])
    func badQuery(query: String, path: String) async throws {
        let reply = try await V2Client.player().get("/v2/players/me/energy?\(query)")
        #expect(reply.summary == "400 request-invalid")
        #expect(reply.json.path == .string(path))
    }

    @Test("unknown parameters are ignored", arguments: ["x=y", "limit2=0", "x=%FF", "&&", "state=x", "around=x"])
    func unknownParameter(query: String) async throws {
        #expect(try await V2Client.player().get("/v2/players/me/energy?\(query)").status == 200)
    }
}
