import AppStoreTesting
import Foundation
import JulietGame
import TestSupport
import Testing

/// Whom the admin page finds, by what, and in which order.
@Suite("Finding players on the admin page", .everyLayout)
struct AdminFindTests {
    private let store: TestStore

    init() throws { store = try TestStore() }

    private func find(_ text: String, before: String? = nil, _ anna: AdminClient) async throws -> AdminReply {
        func escaped(_ text: String) throws -> String {
            try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        }
        let page = try before.map { "&before=\(try escaped($0))" } ?? ""
        return try await anna.get("players?search=\(try escaped(text))\(page)")
    }

    /// All pages: the names in their order, and how many pages there were.
    private func all(_ text: String, _ anna: AdminClient) async throws -> (names: [String], pages: Int) {
        var (names, pages, before): ([String], Int, String?) = ([], 0, nil)
        repeat {
            let reply = try await find(text, before: before, anna)
            #expect(reply.status == 200 && reply.json.players.items.count <= 20, "\(reply)")
            names += reply.json.players.items.map(\.name.text)
            pages += 1
            before = reply.json.next == .missing ? nil : reply.json.next.text
        } while before != nil && pages < 1000
        return (names, pages)
    }

    @Test(
        "by a part of the name without accents, in any letter case: those that begin with it first, in their order",
        arguments: [
            ("jose", ["José", "JOSEPHA", "San José"]), ("JOSÉ", ["José", "JOSEPHA", "San José"]),
            ("strasse", ["Straße 7"]), ("raß", ["Straße 7"]), ("lodz", ["Łódź"]), ("óD", []), ("łó", ["Łódź"]),
            ("an j", ["San José"]), ("ｊｏｓ", ["José", "JOSEPHA", "San José"]), ("sé", []), ("jsoe", []),
            ("jose san", []), ("葉", ["葉子"]), ("子", []), ("éloïse's", ["Éloïse's"]),
        ])
    func parts(text: String, expected: [String]) async throws {
        let names = ["San José", "JOSEPHA", "José", "Straße 7", "Łódź", "葉子", "Éloïse's", "%_\\"]
        let database = try await TestDatabase.create()
        let (service, anna) = try await AdminClient.start(on: database)
        for name in names { _ = try await V2Client.player(on: service, named: name.replacing("\\", with: "\\\\")) }
        #expect(try await all(text, anna).names == expected, "\(text)")
        for (mark, found) in [("%", 1), ("_", 0), ("%_\\", 1), ("\\", 0)] {
            #expect(try await all(mark, anna).names.count == found, "\(mark)")
        }
        try await service.stop()
    }

    @Test("page by page, each once, however many there are; a page that finds nothing tells how far it went")
    func pages() async throws {
        let database = try await TestDatabase.create()
        let (service, anna) = try await AdminClient.start(on: database)
        func add(_ count: Int, _ name: String) async throws {
            try await database.psql(
                """
                SELECT count(create_player(id, '\(name) ' || n, NULL, sha256(id::bytea) || id::bytea, gen_random_uuid(),
                    sha256(('code ' || id)::bytea)))
                FROM (SELECT n, overlay(gen_random_uuid()::text PLACING '8' FROM 15) AS id FROM generate_series(1, \(count)) AS n)
                    AS players
                """)
        }
        try await add(45, "Molly")
        try await add(45, "La Molly")
        var found = try await all("molly", anna)
        #expect(found.pages == 5)
        #expect(found.names.prefix(45).allSatisfy { $0.hasPrefix("Molly ") })
        #expect(found.names.dropFirst(45).allSatisfy { $0.hasPrefix("La Molly ") })
        #expect(Set(found.names).count == 90 && found.names.count == 90)
        #expect(found.names.prefix(3) == ["Molly 1", "Molly 10", "Molly 11"])
        found = try await all("MOLLY 45", anna)
        #expect(found.names == ["Molly 45", "La Molly 45"] && found.pages == 1)

        // More than a thousand have it: they are read in the order of the ids, so many at a time.
        try await add(1000, "Dora Molly")
        found = try await all("olly", anna)
        #expect(Set(found.names).count == 1090 && found.names.count == 1090 && found.pages >= 55)
        try await service.stop()
    }

    @Test("without a text all players, the newest first, each once, also of many who came at the same moment")
    func newest() async throws {
        let database = try await TestDatabase.create()
        let (service, anna) = try await AdminClient.start(on: database)
        #expect(try await all("", anna).names == [])
        // As many as three pages and one, five of them at a time; the app's have no names.
        try await database.psql(
            """
            SELECT count(register_user('DEVICE ' || lpad(n::text, 2, '0'), NULL, NULL)) FROM generate_series(1, 61) AS n;
            UPDATE users SET created_at = '2026-01-01'::timestamptz + n / 5 * interval '1 minute 1 microsecond'
            FROM generate_series(1, 61) AS n WHERE id = 'DEVICE ' || lpad(n::text, 2, '0')
            """)
        var (ids, pages, before): ([String], Int, String?) = ([], 0, nil)
        repeat {
            let reply = try await find("", before: before, anna)
            ids += reply.json.players.items.map(\.id.text)
            #expect(reply.json.players.items.allSatisfy { $0.matched == .missing && $0.energy.int == 30 })
            pages += 1
            before = reply.json.next == .missing ? nil : reply.json.next.text
        } while before != nil && pages < 10
        #expect(pages == 4 && ids == (1...61).reversed().map { "DEVICE \($0 < 10 ? "0" : "")\($0)" })
        // A place that is a name's, or none that there ever was, is no error.
        #expect(try await find("", before: "b/00/x", anna).json.players.items.count == 20)
        #expect(try await find("", before: "n/0/x", anna).json.players.items.isEmpty)
        #expect(try await find("", before: "n/999999999999999999/x", anna).json.players.items.count == 20)
        try await service.stop()
    }

    @Test("where many have it, so many rows are read at most for a page, and no name is missed or told twice")
    func crowd() async throws {
        let database = try await TestDatabase.create()
        // The names alone: what else players have is not looked at here.
        try await database.psql(
            """
            INSERT INTO players (user_id, name, recovery_hash)
            SELECT id, CASE WHEN n <= 1001 THEN 'Needles ' || n WHEN n > 22000 THEN 'A needle ' || n ELSE 'Hay' END,
                sha256(id::bytea)
            FROM (SELECT n, '00000000-0000-8000-8000-' || lpad(n::text, 12, '0') AS id FROM generate_series(1, 22030) AS n)
                AS players
            """)
        func pages(of text: String) async throws -> String {
            try await database.psql(
                """
                WITH RECURSIVE pages AS (
                    SELECT 1 AS page, hits, next FROM find_by_name('\(text)', NULL, 20)
                    UNION ALL
                    SELECT page + 1, found.hits, found.next FROM pages CROSS JOIN LATERAL find_by_name('\(text)', pages.next, 20) AS found
                    WHERE pages.next IS NOT NULL)
                SELECT max(page), count(DISTINCT hit ->> 'id'), count(hit),
                    count(DISTINCT page) FILTER (WHERE hits = '[]')
                FROM pages LEFT JOIN LATERAL jsonb_array_elements(hits) AS hit ON true
                """)
        }
        #expect(try await pages(of: "needle 22") == "2|30|30|0")
        // The 1001 begin with it: 51 pages, of which the last goes on with those that have it elsewhere.
        #expect(try await pages(of: "needle") == "53|1031|1031|0")
        #expect(try await pages(of: "eedle") == "53|1031|1031|0")
        #expect(
            try await database.psql(
                "SELECT * FROM find_by_name('eedle', 'c/00000000-0000-8000-8000-000000001001', 20)")
                == "[]|c/00000000-0000-8000-8000-000000021001")
    }

    @Test("by the ids of what is theirs: a game, a challenge, a transaction, an account, a player who was merged")
    func belongings() async throws {
        let database = try await TestDatabase.create()
        let settings = store.settings("none").merging(["players.claims": "allow"]) { own, _ in own }
        let (service, anna) = try await AdminClient.start(on: database, settings: settings)
        try await database.psql("SELECT register_user('DEVICE 1', NULL, NULL)")
        let claimed = try await V2Client.newcomer(on: service).post("/v2/players", #"{"claim": "DEVICE 1"}"#).client
        let (ada, bob) = (
            try await V2Client.player(on: service, named: "Ada"), try await V2Client.player(on: service, named: "Bob")
        )
        let (adaID, bobID) = (try await ada.me().id.text, try await bob.me().id.text)
        let game = try await ada.end(try await ada.start(), in: 2, of: database).id.text
        let code = try await ada.post("/v2/challenges", "{}").json.challenge.code.text
        let transaction = TestStore.newNumber()
        #expect(try await ada.buy(store.signed(TestTransaction(transaction, product: TestStore.thirty))).status == 201)
        let merge = try await ada.post("/v2/players/me/merge", #"{"token": "\#(bob.token ?? "")"}"#)
        #expect(merge.status == 200, "\(merge)")
        for (text, matched) in [
            (adaID, "id"), (game, "game"), (game.uppercased(), "game"), (code, "challenge"),
            (code.lowercased(), "challenge"), (transaction, "transaction"), (bobID, "merged"), ("ada", "name"),
        ] {
            let players = try await find(text, anna).json.players.items
            try #require(players.map(\.id.text) == [adaID], "\(text)")
            #expect(players[0].matched.text == matched && players[0].name == "Ada", "\(text)")
        }
        let account = try await find("DEVICE 1", anna).json.players.items
        #expect(account.map(\.id) == [try await claimed.me().id] && account[0].matched == "account")
        for nobody in [UUID().uuidString, "00000000-0000-7000-8000-000000000000", "AAAA-AAAA", "123", "device 1"] {
            #expect(try await find(nobody, anna).json.players.items.isEmpty, "\(nobody)")
        }
        #expect(try await find("Ada", before: "c/", anna).json.players.items.isEmpty)
        for bad in [
            "x", "b/", "b/0/x", "b/zz/x", "b/00/", "c", "d/x", "n/1", "n/x/x", "n/-1/x", "n/1234567890123456789/x",
        ] {
            #expect(try await find("a", before: bad, anna).summary == "400 request-invalid", "\(bad)")
        }
        try await service.stop()
    }

    @Test("of a player who was deleted the id tells what operators did, on which day and why, and nothing else")
    func former() async throws {
        let database = try await TestDatabase.create()
        let (service, anna) = try await AdminClient.start(on: database)
        let ada = try await V2Client.player(on: service, named: "Adamantia")
        let id = try await ada.me().id.text
        #expect(
            try await anna.post("energy?id=\(id)", #"{"amount": 77, "reason": "ticket 5"}"#).status == 200)
        #expect(try await anna.post("name?id=\(id)", #"{"change": "hide", "reason": "rude"}"#).status == 200)
        #expect(try await find(id, anna).json.former == .missing)
        #expect(try await ada.delete("/v2/players/me").status == 204)

        let reply = try await find(id, anna)
        #expect(reply.json.players.items.isEmpty)
        let former = reply.json.former.items
        // What was given stays in the ledger under the pseudonym, to which nothing may lead.
        #expect(former.map(\.action.text) == ["name.hide"])
        #expect(former.map(\.reason.text) == ["rude"])
        #expect(
            former.allSatisfy {
                $0.on.text.wholeMatch(of: /\d{4}-\d\d-\d\d/) != nil && $0.actor.text.hasPrefix("anna-")
            })
        for gone in ["Adamantia", "ticket 5", "deleted"] { #expect(!reply.description.contains(gone), "\(gone)") }
        // As a number: the operator's name ends with digits, which may have two sevens.
        #expect(!reply.description.contains(#/\b77\b/#))
        #expect(try await find(String(id.dropLast()), anna).json.former == .missing)
        #expect(try await find("Adamantia", anna).json.players.items.isEmpty)
        // The digest leads to no row of another table.
        #expect(
            try await database.psql(
                """
                SELECT count(*), count(*) FILTER (WHERE f::text LIKE '%deleted%'), min(octet_length(player)) FROM former_actions AS f
                """) == "1|0|32")
        try await database.expectCleanAudit()
        try await service.stop()
    }
}
