import AppStoreTesting
import Foundation
import JulietAPI
import Postgres
import TestSupport
import Testing

/// What the store tells comes in any order, twice, late and before what it is about.
@Suite("Notifications of the App Store", .everyLayout)
struct NotificationTests {
    private let store: TestStore

    init() throws { store = try TestStore() }

    /// What happens to a transaction, each with its date.
    private enum Event: CaseIterable {
        case purchase, refund, reversal, secondRefund
    }

    @Test(
        "in whatever order they come, the dates alone make the end",
        arguments: [
            // The dates of refund, reversal and second refund, and how often the energy is there in the end.
            ([10, 20, nil], 1), ([20, 10, nil], 0), ([10, nil, nil], 0), ([nil, 10, nil], 1), ([10, 10, nil], 0),
            ([10, 20, 30], 0), ([10, 30, 20], 1), ([30, 20, 10], 0),
        ] as [([Double?], Int)])
    func everyOrder(dates: [Double?], credits: Int) async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(store.settings(), on: database)
        let events = Event.allCases.filter { event in
            switch event {
            case .purchase: true
            case .refund: dates[0] != nil
            case .reversal: dates[1] != nil
            case .secondRefund: dates[2] != nil
            }
        }
        let start = Date.now
        for order in Self.permutations(of: events) {
            let player = try await V2Client.player(on: service)
            let bought = TestTransaction(TestStore.newNumber())
            func happen(_ event: Event) async throws {
                switch event {
                case .purchase: _ = try await player.buy(store.signed(bought))
                case .refund:
                    #expect(
                        try await service.tell(store.notification("REFUND", bought, at: dates[0] ?? 0, after: start))
                            == 200)
                case .reversal:
                    let told = try store.notification("REFUND_REVERSED", bought, at: dates[1] ?? 0, after: start)
                    #expect(try await service.tell(told) == 200)
                case .secondRefund:
                    #expect(
                        try await service.tell(store.notification("REVOKE", bought, at: dates[2] ?? 0, after: start))
                            == 200)
                }
            }
            for event in order {
                try await happen(event)
                // Twice is once.
                if Bool.random() { try await happen(event) }
            }
            #expect(try await player.me().energy == .integer(30 + 5 * credits), "\(order)")
        }
        #expect(try await database.ledgerFaults() == "")
        let ledger = try await database.psql(
            """
            SELECT count(*) FROM purchases LEFT JOIN (
                SELECT user_id, sum(delta) AS total FROM energy_ledger WHERE reason IN ('purchase', 'refund')
                GROUP BY user_id) AS moved USING (user_id)
            WHERE coalesce(total, 0) <> \(5 * credits)
            """)
        #expect(ledger == "0")
        try await service.stop()
    }

    private static func permutations(of events: [Event]) -> [[Event]] {
        guard !events.isEmpty else { return [[]] }
        return events.indices.flatMap { index in
            var others = events
            let event = others.remove(at: index)
            return permutations(of: others).map { [event] + $0 }
        }
    }

    @Test("a refund before its purchase: that is refused and kept, and a reversal credits it without being asked")
    func refundFirst() async throws {
        let database = try await TestDatabase.shared()
        let service = try await TestService.start(store.settings(), on: database)
        let user = try await service.newPlayer()
        let bought = TestTransaction(TestStore.newNumber())
        let signed = try store.signed(bought)
        #expect(try await service.tell(store.notification("REFUND", bought, at: 1)) == 200)
        for _ in 0..<2 {
            #expect(
                try await service.buy(signed, amount: 5, for: user).answer.summary == "200/404 30 purchase.revoked")
        }
        // It is this player's all the same.
        let rival = try await service.newPlayer()
        #expect(try await service.buy(signed, amount: 5, for: rival).answer.summary == "200/404 30 purchase.used")
        #expect(try await database.bought(by: user) == "")
        #expect(try await service.tell(store.notification("REFUND_REVERSED", bought, at: 2)) == 200)
        #expect(try await database.bought(by: user) == "purchase 5 35")
        #expect(try await service.buy(signed, amount: 5, for: user).answer.summary == "200/200 35")
        try await service.stop()
    }

    @Test("refunded and given back and refunded: the ledger has each, and the purchase is done all the while")
    func reversed() async throws {
        let database = try await TestDatabase.shared()
        let service = try await TestService.start(store.settings(), on: database)
        let user = try await service.newPlayer()
        let bought = TestTransaction(TestStore.newNumber(), product: TestStore.thirty)
        let signed = try store.signed(bought)
        #expect(try await service.buy(signed, amount: 30, for: user).answer.summary == "200/200 60")
        for (type, seconds, balance) in [
            ("REFUND", 10.0, 30), ("REFUND", 11, 30), ("REFUND_REVERSED", 5, 30), ("REFUND_REVERSED", 20, 60),
            ("REFUND", 19, 60), ("REVOKE", 30, 30),
        ] {
            #expect(try await service.tell(store.notification(type, bought, at: seconds)) == 200)
            #expect(try await service.buy(signed, amount: 30, for: user).answer.summary == "200/200 \(balance)")
        }
        #expect(
            try await database.bought(by: user) == "purchase 30 60, refund -30 30, refund 30 60, refund -30 30")
        try await service.stop()
    }

    @Test("a client that presents a transaction taken back tells of a refund of that date, whoever it is")
    func revokedCopy() async throws {
        let database = try await TestDatabase.shared()
        let service = try await TestService.start(store.settings(), on: database)
        let (user, rival) = (try await service.newPlayer(), try await service.newPlayer())
        let bought = TestTransaction(TestStore.newNumber())
        let signed = try store.signed(bought)
        #expect(try await service.buy(signed, amount: 5, for: user).answer.summary == "200/200 35")
        #expect(try await service.tell(store.notification("REFUND_REVERSED", bought, at: 10)) == 200)
        let early = try store.signed(bought.revoked(at: Date(timeIntervalSinceNow: 5)))
        #expect(try await service.buy(early, amount: 5, for: user).answer.summary == "200/404 35 purchase.revoked")
        let late = try store.signed(bought.revoked(at: Date(timeIntervalSinceNow: 20)))
        #expect(try await service.buy(late, amount: 5, for: rival).answer.summary == "200/404 30 purchase.revoked")
        #expect(try await service.buy(signed, amount: 5, for: user).answer.summary == "200/200 30")
        #expect(try await service.buy(late, amount: 5, for: user).answer.summary == "200/404 30 purchase.revoked")
        #expect(try await database.bought(by: user) == "purchase 5 35, refund -5 30")
        // One that nobody has presented whole is nobody's to credit with an older copy.
        let unseen = TestTransaction(TestStore.newNumber())
        #expect(
            try await service.buy(store.signed(unseen.revoked()), amount: 5, for: user).answer.summary
                == "200/404 30 purchase.revoked")
        #expect(
            try await service.buy(store.signed(unseen), amount: 5, for: user).answer.summary
                == "200/404 30 purchase.revoked")
        try await service.stop()
    }

    @Test("other types, known or not, are kept word for word and answered 200; the same again is one")
    func others() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(store.settings(), on: database)
        let player = try await V2Client.player(on: service)
        let bought = TestTransaction(TestStore.newNumber())
        #expect(try await player.buy(store.signed(bought)).status == 201)
        for type in ["TEST", "CONSUMPTION_REQUEST", "ONE_TIME_CHARGE", "SOMETHING_NEW"] {
            let told = try store.notification(type, type == "TEST" ? nil : bought)
            for _ in 0..<3 { #expect(try await service.tell(told) == 200) }
            let payload = try await database.psql("SELECT payload FROM store_notifications WHERE type = '\(type)'")
            #expect(String(decoding: told, as: UTF8.self).contains(payload) && payload.count > 1000)
        }
        #expect(
            try await database.psql("SELECT count(*), count(applied_at) FROM store_notifications") == "4|4")
        #expect(try await player.me().energy == 35)
        try await service.stop()
    }

    @Test("what is not the store's, or about another app, is 400 and not kept; sixty at once, then 429")
    func refused() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(store.settings(), on: database)
        let bought = TestTransaction(TestStore.newNumber())
        let stranger = try TestAuthority()
        func post(_ told: TestNotification, by authority: TestAuthority? = nil) async throws -> HTTPReply {
            try await service.post(
                try (authority ?? store.authority).body(of: told), to: "/app-store/notifications")
        }
        for (reply, reason) in [
            (try await post(TestNotification("REFUND", bought), by: stranger), "chain"),
            (try await post(TestNotification("REFUND", bought, bundle: "com.example.other")), "bundle"),
            (try await post(TestNotification("REFUND", bought, app: 1)), "app"),
            (try await post(TestNotification("REFUND", bought, app: nil)), "app"),
            (try await post(TestNotification("REFUND", bought, environment: "Sandbox")), "environment"),
            (try await service.post(#"{"signedPayload": "x.y.z"}"#, to: "/app-store/notifications"), "malformed"),
        ] {
            #expect(reply.status == 400, "\(reply)")
            #expect(try JSON(reply.body).reason.text == reason)
            #expect(reply["Content-Type"] == "application/problem+json")
        }
        #expect(try await service.post("{}", to: "/app-store/notifications").status == 400)
        #expect(try await service.post("[", to: "/app-store/notifications").status == 400)
        var last = try await service.post("{}", to: "/app-store/notifications")
        for _ in 0..<60 where last.status != 429 { last = try await service.post("{}", to: "/app-store/notifications") }
        #expect(last.status == 429 && last["Retry-After"] == "1")
        // The store itself is heard all the same.
        #expect(try await service.tell(store.notification("TEST", nil)) == 200)
        #expect(try await database.psql("SELECT string_agg(type, ' ') FROM store_notifications") == "TEST")
        #expect(
            try await service.exchange(Array("GET /app-store/notifications HTTP/1.1\r\nHost: h\r\n\r\n".utf8)).status
                == 405)
        try await service.stop()
    }

    @Test("up to 64 KiB are taken, more than any other URL takes")
    func size() async throws {
        let service = try await TestService.start(store.settings(), on: .shared(store.settings()))
        func post(_ count: Int, to path: String) async throws -> Int {
            let body = #"{"signedPayload": ""# + String(repeating: "x", count: count - 21) + #""}"#
            #expect(body.utf8.count == count)
            return try await service.post(body, to: path).status
        }
        #expect(try await post(65536, to: "/app-store/notifications") == 400)
        #expect(try await post(65537, to: "/app-store/notifications") == 413)
        #expect(try await post(20000, to: "/v2/players") == 413)
        try await service.stop()
    }

    @Test("without a bundle id they are 503")
    func closed() async throws {
        let service = try await TestService.shared(.standard)
        #expect(try await service.tell(store.notification("TEST", nil)) == 503)
    }

    @Test("what failed is kept and answered 5xx; told again it is applied, or by replay")
    func failing() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(store.settings(), on: database)
        let player = try await V2Client.player(on: service)
        let (one, two) = (TestTransaction(TestStore.newNumber()), TestTransaction(TestStore.newNumber()))
        for bought in [one, two] { #expect(try await player.buy(store.signed(bought)).status == 201) }
        try await database.psql("ALTER TABLE purchases RENAME COLUMN decided_at TO hidden")
        let told = try store.notification("REFUND", one)
        for notification in [told, try store.notification("REFUND", two)] {
            #expect(try await service.tell(notification) == 500)
        }
        try await database.psql("ALTER TABLE purchases RENAME COLUMN hidden TO decided_at")
        #expect(
            try await database.psql("SELECT count(*), count(applied_at) FROM store_notifications") == "2|0")
        #expect(try await player.me().energy == 40)
        #expect(try await service.tell(told) == 200)
        #expect(try await player.me().energy == 35)
        let replay = try await Command.run([
            ServiceProcess.executable.path, "purchases", "replay", "--database",
            database.cluster.connectionString(database: database.name),
        ])
        #expect(replay.contains("2 notifications applied, 1 of them new"))
        #expect(try await player.me().energy == 30)
        try await service.stop()
    }

    @Test("a service that is killed after it kept a refund, or after it applied it: told again it has happened once")
    func killed() async throws {
        let database = try await TestDatabase.create()
        let proxy = try Proxy(to: database.cluster.port)
        let service = try ServiceProcess(
            connectionString:
                "host=127.0.0.1 port=\(proxy.port) user=player_service dbname=\(database.name) gssencmode=disable",
            environment: store.environment())
        defer { service.stop() }
        let witness = try await TestService.start(store.settings(), on: database)
        let player = try await V2Client.player(on: witness)
        let bought = TestTransaction(TestStore.newNumber())
        func lose(_ request: [UInt8], until sql: String) async throws {
            let port = service.port
            try await service.waitUntil(itSays: "listening on")
            proxy.holdAnswers()
            async let nothing = offPool { () -> Bool in
                let connection = try ClientConnection(port: port)
                try connection.send(request)
                return (try? connection.receive()) == nil
            }
            let end = ContinuousClock.now + .seconds(20)
            while try await database.psql(sql) != "1", ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(try await database.psql(sql) == "1")
            service.kill()
            #expect(try await nothing)
            proxy.resume()
            try service.start()
        }
        let present = player.request("POST", "/v2/purchases", #"{"signedTransaction": "\#(try store.signed(bought))"}"#)
        try await lose(present, until: "SELECT count(*) FROM purchases")
        let again = try await player.buy(store.signed(bought))
        #expect(again.status == 200 && again.json.energy == 35)
        // The proxy keeps the answer that it is kept, so it is not applied any more.
        let told = try store.notification("REFUND", bought)
        try await lose(told, until: "SELECT count(*) FROM store_notifications")
        #expect(try await database.psql("SELECT count(*) FROM store_notifications WHERE applied_at IS NULL") == "1")
        #expect(try await player.me().energy == 35)
        for _ in 0..<2 { #expect(try await witness.tell(told) == 200) }
        #expect(try await player.me().energy == 30)
        #expect(try await database.psql("SELECT count(*) FROM energy_ledger WHERE reason = 'refund'") == "1")
        #expect(try await database.ledgerFaults() == "")
        try await witness.stop()
    }

    @Test(
        "fifty refunds and as many purchases, games and reversals at once, on two services: nothing is lost or doubled")
    func storm() async throws {
        let database = try await TestDatabase.create()
        let nodes = [
            try await TestService.start(store.settings(), on: database),
            try await TestService.start(store.settings(), on: database),
        ]
        var users: [String] = []
        for _ in 0..<5 { users.append(try await nodes[0].newPlayer()) }
        let numbers = (0..<50).map { _ in TestStore.newNumber() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, number) in numbers.enumerated() {
                let (node, other, user) = (nodes[index % 2], nodes[(index + 1) % 2], users[index % 5])
                let bought = TestTransaction(number)
                group.addTask {
                    _ = try await node.buy(store.signed(bought), amount: 5, for: user)
                    _ = try await other.answer(to: .singleGameEnergyUpdate(userID: user))
                }
                var told = [(other, "REFUND", 10.0), (node, "REFUND", 11)]
                if index.isMultiple(of: 3) { told.append((node, "REFUND_REVERSED", 20)) }
                for (service, type, seconds) in told {
                    group.addTask {
                        let status = try await service.tell(store.notification(type, bought, at: seconds))
                        #expect(status == 200)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await database.ledgerFaults() == "")
        #expect(
            try await database.psql(
                "SELECT sum(delta) FROM energy_ledger WHERE reason IN ('purchase', 'refund')") == "\(17 * 5)")
        #expect(
            try await database.psql(
                "SELECT count(*), count(*) FILTER (WHERE purchase_state(purchases) = 'credited') FROM purchases")
                == "50|17")
        for node in nodes { try await node.stop() }
    }

    @Test("of a deleted player the transaction stays used, and what the store tells moves the closed ledger alone")
    func deleted() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(store.settings(), on: database)
        let (anna, ben) = (try await V2Client.player(on: service), try await V2Client.player(on: service))
        let id = try await anna.me().id.text
        let bought = TestTransaction(TestStore.newNumber(), product: TestStore.thirty)
        let named = TestTransaction(TestStore.newNumber(), account: id)
        for transaction in [bought, named] { #expect(try await anna.buy(store.signed(transaction)).status == 201) }
        #expect(try await service.tell(store.notification("CONSUMPTION_REQUEST", named)) == 200)
        #expect(try await service.tell(store.notification("TEST", nil)) == 200)
        #expect(try await anna.delete("/v2/players/me").status == 204)
        #expect(try await ben.buy(store.signed(bought)).json.reason.text == "used")
        for transaction in [bought, named] {
            #expect(try await service.tell(store.notification("REFUND", transaction)) == 200)
        }
        #expect(
            try await database.psql(
                """
                SELECT ledger_entry, ledger_balance, (SELECT string_agg(delta::text, ' ' ORDER BY entry)
                    FROM energy_ledger WHERE energy_ledger.user_id = closed_ledgers.user_id) FROM closed_ledgers
                """) == "5|30|30 30 5 -30 -5")
        #expect(try await database.psql("SELECT count(*) FROM users") == "1")
        // Nothing that holds the player's id is kept, not even inside what the store signed.
        #expect(
            try await database.psql(
                "SELECT string_agg(type, ' ') FROM store_notifications WHERE payload IS NOT NULL") == "TEST")
        for table in ["purchases", "store_notifications", "energy_ledger"] {
            #expect(
                try await database.psql("SELECT count(*) FROM \(table) t WHERE strpos(t::text, '\(id)') > 0") == "0")
        }
        try await service.stop()
    }

    @Test(
        "one that comes while its player is deleted blocks nothing, and is kept without the player's id",
        arguments: ["REFUND", "CONSUMPTION_REQUEST"])
    func deletedMeanwhile(type: String) async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(store.settings(), on: database)
        let player = try await V2Client.player(on: service)
        let id = try await player.me().id.text
        let bought = TestTransaction(TestStore.newNumber(), account: id)
        #expect(try await player.buy(store.signed(bought)).status == 201)
        try await database.withOwner { owner in
            try await owner.executeScript("BEGIN; SELECT FROM juliet.users WHERE id = '\(id)' FOR UPDATE")
            async let told = service.tell(store.notification(type, bought))
            try await database.waitForWaitingSessions(1)
            try await owner.executeScript("SELECT juliet.delete_user('\(id)', E'gone\\t\(id.suffix(12))'); COMMIT")
            #expect(try await told == 200)
        }
        #expect(
            try await database.psql(
                "SELECT payload IS NULL, account IS NULL, applied_at IS NULL FROM store_notifications")
                == "t|t|f")
        #expect(
            try await database.psql("SELECT ledger_balance FROM closed_ledgers") == (type == "REFUND" ? "30" : "35"))
        try await service.stop()
    }

    @Test("one that names a player as the app did is nameless, too, when the player is deleted under the new name")
    func deletedAfterClaim() async throws {
        let database = try await TestDatabase.create()
        let settings = store.settings().merging(["players.claims": "allow"]) { $1 }
        let service = try await TestService.start(settings, on: database)
        let user = try await service.newPlayer()
        let player = try await V2Client.newcomer(on: service).post("/v2/players", #"{"claim": "\#(user)"}"#)
        let unseen = TestTransaction(TestStore.newNumber(), account: user.lowercased())
        #expect(try await service.tell(store.notification("CONSUMPTION_REQUEST", unseen)) == 200)
        #expect(
            try await database.psql("SELECT account FROM store_notifications WHERE payload IS NOT NULL")
                == user.lowercased())
        #expect(try await player.client.delete("/v2/players/me").status == 204)
        #expect(
            try await database.psql("SELECT count(*), count(payload), count(account) FROM store_notifications")
                == "1|0|0")
        try await service.stop()
    }

    @Test("one about a transaction without what a purchase needs is taken like any other")
    func sparse() async throws {
        let database = try await TestDatabase.shared()
        let service = try await TestService.start(store.settings(), on: database)
        let user = try await service.newPlayer()
        let bought = TestTransaction(TestStore.newNumber())
        #expect(try await service.buy(store.signed(bought), amount: 5, for: user).answer.summary == "200/200 35")
        var sparse = bought
        for name in ["originalTransactionId", "productId", "quantity", "type", "inAppOwnershipType", "purchaseDate"] {
            sparse = sparse.with(name, nil)
        }
        #expect(try await service.tell(store.notification("REFUND", sparse, at: 1)) == 200)
        #expect(try await database.bought(by: user) == "purchase 5 35, refund -5 30")
        try await service.stop()
    }
}
