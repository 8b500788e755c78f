import AppStoreTesting
import Foundation
import JulietAPI
import JulietGame
import JulietServer
import TestSupport
import Testing

/// The rules in the database bound every service on it, whatever its settings say, and whoever took it over.
@Suite("Rules of the game", .everyLayout)
struct RulesTests {
    private func database(_ rules: String) async throws -> TestDatabase {
        let database = try await TestDatabase.create()
        try await database.psql("SELECT apply_rules('test', '\(rules)')")
        return database
    }

    @Test("prices and beginnings are the table's, in both contracts and in the metrics")
    func prices() async throws {
        let database = try await database(#"{"energy.start": 20, "energy.price": 7}"#)
        let service = try await TestService.start(on: database)
        let user = TestService.newUser()
        _ = try await service.answer(to: .initialRegistration(vendorID: user))
        #expect(try await service.answer(to: .statNewGameSession(userID: user)).userEnergy == 13)
        #expect(try await service.answer(to: .singleGameEnergyUpdate(userID: user)).userEnergy == 6)
        #expect(
            try await service.answer(to: .singleGameEnergyUpdate(userID: user)).problem?.code == "energy.insufficient")
        let player = try await V2Client.player(on: service)
        #expect(try await player.me().energy == 20)
        _ = try await player.start()
        #expect(try await player.me().energy == 13)
        try await database.expectCleanAudit()
        try await service.stop()
    }

    @Test("a game may be free, and a player may begin with nothing")
    func free() async throws {
        let database = try await database(#"{"energy.start": 0, "energy.price": 0}"#)
        let service = try await TestService.start(on: database)
        let user = TestService.newUser()
        _ = try await service.answer(to: .initialRegistration(vendorID: user))
        let game = try await service.answer(to: .statNewGameSession(userID: user))
        #expect(game.httpStatus == 200 && game.userEnergy == 0 && game.secretWord.count == 5)
        let player = try await V2Client.player(on: service)
        #expect(try await player.end(try await player.start(), in: 2, of: database).state == "won")
        try await database.expectCleanAudit()
        try await service.stop()
    }

    @Test("an attacker with the service's rights gets no more than the rules allow")
    func takenOver() async throws {
        let database = try await database(
            #"{"energy.maximum": 40, "purchases.verification": "required"}"#)
        func asService(_ sql: String) async throws -> String {
            try await database.psql("SET ROLE player_service; \(sql)")
        }
        try await database.psql("SELECT register_user('DEVICE', NULL, NULL)")
        #expect(
            try await asService("SELECT (buy_energy('DEVICE', 30, NULL, NULL)).refusal") == "purchase-unverified")
        #expect(try await asService("SELECT (report_energy('DEVICE', 1000000, NULL, NULL)).energy") == "40")
        let player = UUID().player
        let create = """
            SELECT (create_player('\(player)', NULL, 'DEVICE', sha256('t') || '\(player)'::bytea, gen_random_uuid(),
                sha256('c')))
            """
        #expect(try await asService("\(create).refusal") == "claim-refused")
        try await database.psql(
            """
            SELECT apply_rules('test', '{"energy.clientUpdates": "lowerOnly", "purchases.verification": "whenPresent",
                "purchases.unverifiedDailyLimit": 35, "players.claims": "allow"}')
            """)
        #expect(try await asService("SELECT (report_energy('DEVICE', 1000000, NULL, NULL)).energy") == "40")
        #expect(try await asService("SELECT (report_energy('DEVICE', 4, NULL, NULL)).energy") == "4")
        let buy = "SELECT (buy_energy('DEVICE', 30, NULL, NULL)).refusal"
        #expect(try await asService("\(buy); \(buy)") == "\npurchase-limit")
        for name in ["'entry 1'", "'a b'"] {
            await #expect(throws: Command.Failure.self) {
                try await asService("SELECT buy_energy('DEVICE', 5, \(name), 1)")
            }
        }
        #expect(try await asService("\(create).refusal") == "")
        try await database.expectCleanAudit()
    }

    @Test("a limit that comes later counts what was bought before it, also when there was another limit in between")
    func limits() async throws {
        let database = try await database(#"{"purchases.unverifiedDailyLimit": 30}"#)
        try await database.psql("SELECT register_user('DEVICE', NULL, NULL), buy_energy('DEVICE', 30, NULL, NULL)")
        for (limit, refusals) in [(0, "|"), (90, "purchase-limit|")] {
            try await database.psql(#"SELECT apply_rules('test', '{"purchases.unverifiedDailyLimit": \#(limit)}')"#)
            let bought = try await database.psql(
                "SELECT (buy_energy('DEVICE', 30, NULL, NULL)).refusal, (buy_energy('DEVICE', 5, NULL, NULL)).refusal")
            #expect(bought == refusals)
        }
        try await database.expectCleanAudit()
    }

    @Test("a service goes by the table, says at its start what its settings say otherwise, and follows changes")
    func following() async throws {
        let database = try await database(#"{"energy.price": 7}"#)
        let service = try ServiceProcess(
            database: database, environment: ["JULIET_PLAYERS_CLAIMS": "allow", "JULIET_LOG_FORMAT": "text"])
        try await service.waitUntil(itSays: "listening on")
        #expect(
            service.notes.contains(
                "the settings differ from the rules in the database, which apply: energy.price 7 → 5, players.claims refuse → allow. To apply the settings: juliet rules apply"
            ))
        try await database.psql(#"SELECT apply_rules('test', '{"energy.price": 5, "players.claims": "allow"}')"#)
        try await service.waitUntil(itSays: "the rules have changed: energy.price 7 → 5, players.claims refuse → allow")
        service.signal(SIGTERM)
        _ = try await service.status()
        try service.start()
        try await service.waitUntil(itSays: "listening on")
        #expect(!service.notes.contains("otherwise"))
    }

    @Test("verification begins and ends with the rules, without a restart")
    func verification() async throws {
        let store = try TestStore()
        let database = try await TestDatabase.create()
        let service = try await TestService.start(store.settings("none"), on: database)
        let unable = try await TestService.start(on: database)
        let user = try await service.newPlayer()
        let signed = try store.signed(TestTransaction(TestStore.newNumber()))
        // Not looked at, so no transaction of the store's.
        #expect(try await service.buy(signed, amount: 5, for: user).answer.summary == "200/200 35")
        #expect(try await database.psql("SELECT count(*) FROM purchases") == "0")
        try await database.psql(#"SELECT apply_rules('test', '{"purchases.verification": "required"}')"#)
        // At once where nothing has to be verified first.
        #expect(try await service.buy(nil, amount: 5, for: user).answer.summary == "200/404 35 purchase.unverified")
        #expect(try await unable.buy(nil, amount: 5, for: user).answer.summary == "200/404 35 purchase.unverified")
        let deadline = ContinuousClock.now + .seconds(60)
        while try await service.buy(signed, amount: 5, for: user).answer.summary != "200/200 40" {
            try #require(ContinuousClock.now < deadline)
            try await Task.sleep(for: .milliseconds(100))
        }
        #expect(try await database.psql("SELECT count(*) FROM purchases") == "1")
        // A service whose settings name no app can verify nothing.
        #expect(try await unable.buy(signed, amount: 5, for: user).answer.summary == "200/404 40 purchase.unverified")
        try await database.expectCleanAudit()
        for service in [service, unable] { try await service.stop() }
    }

    @Test("while prices change, each game costs a price that held, and the audit finds nothing")
    func changing() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(on: database)
        let users = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<8 { group.addTask { try await service.newPlayer() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for user in users {
                group.addTask {
                    for _ in 0..<25 { _ = try await service.answer(to: .singleGameEnergyUpdate(userID: user)) }
                }
            }
            for price in 1...20 {
                try await database.psql(#"SELECT apply_rules('test', '{"energy.price": \#(price % 3)}')"#)
            }
            try await group.waitForAll()
        }
        try await database.expectCleanAudit()
        try await service.stop()
    }
}

extension UUID {
    /// An id of `/v2`: version 8.
    fileprivate var player: String {
        var text = Array(uuidString.lowercased())
        (text[14], text[19]) = ("8", "8")
        return String(text)
    }
}
