import AppStoreTesting
import Foundation
import JulietAPI
import Postgres
import TestSupport
import Testing

/// Two players who become one.
@Suite("POST /v2/players/me/merge", .everyLayout)
struct MergeTests {
    private let store: TestStore

    init() throws { store = try TestStore() }

    /// A player with the code that they were given.
    private func newPlayer(on service: TestService, _ body: String = "{}") async throws -> (V2Client, code: String) {
        let reply = try await V2Client.newcomer(on: service).post("/v2/players", body)
        #expect(reply.status == 201, "\(reply)")
        return (reply.client, reply.json.recoveryCode.text)
    }

    private func statistics(_ games: [JSON]) -> (played: Int, won: Int, current: Int, longest: Int) {
        var (current, longest) = (0, 0)
        for game in games.sorted(by: { $0.endedAt.text < $1.endedAt.text }) {
            current = game.state == "won" ? current + 1 : 0
            longest = max(longest, current)
        }
        return (games.count, games.count { $0.state == "won" }, current, longest)
    }

    // MARK: What becomes of what there is

    @Test("games, statistics, boards, words, challenges and leagues are the caller's; the other is gone")
    func everything() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(on: database)
        let (ada, _) = try await newPlayer(on: service, #"{"name": "Ada"}"#)
        let (bob, code) = try await newPlayer(on: service, #"{"name": "Bob"}"#)
        let (zoe, _) = try await newPlayer(on: service, #"{"name": "Zoe"}"#)
        let before = try await ada.me()
        let (bobsID, adasID) = (try await bob.me().id.text, before.id.text)

        // Each has won some, and both have played today's word.
        let first = try await bob.end(try await bob.start(), in: 4, of: database)
        let adas = try await ada.end(try await ada.post("/v2/daily/game").json.game, in: 3, of: database)
        let lost = try await ada.end(try await ada.start(), in: nil, of: database)
        let bobs = try await bob.end(try await bob.post("/v2/daily/game").json.game, in: 2, of: database)
        let last = try await bob.end(try await bob.start(), in: 5, of: database)
        // A challenge that both play, one of a word of Bob's, and one of a word of Ada's.
        let dealt = try await zoe.post("/v2/challenges").json.challenge.code.text
        let played = try await ada.post("/v2/challenges/\(dealt)/game").json.game
        try await ada.end(played, in: 2, of: database)
        let second = try await bob.post("/v2/challenges/\(dealt)/game").json.game
        try await bob.end(second, in: 1, of: database)
        let bobsOwn = try await bob.post("/v2/challenges", #"{"word": "crane"}"#).json.challenge.code.text
        let running = try await ada.post("/v2/challenges/\(bobsOwn)/game").json.game
        // A league of both, which Bob owns, and one of Bob alone.
        let crew = try await bob.createLeague("Crew")
        #expect(try await ada.post("/v2/leagues/join", #"{"invite": "\#(crew.invite.text)"}"#).status == 200)
        let club = try await bob.createLeague("Club")
        #expect(try await bob.post("/v2/leagues/join", #"{"invite": "\#(crew.invite.text)"}"#).status == 200)
        try await database.expectCleanAudit("before")

        let body = #"{"recoveryCode": "\#(code.lowercased())"}"#
        let reply = try await ada.post("/v2/players/me/merge", body, fields: ["Idempotency-Key: m"])
        #expect(reply.status == 200, "\(reply)")
        try await database.expectCleanAudit("after")
        #expect(reply.json.id == before.id && reply.json.name == "Ada" && reply.json.createdAt == before.createdAt)
        let counted = statistics([first, adas, lost, last])
        let made = reply.json.statistics
        #expect(made.played.int == counted.played && made.won.int == counted.won)
        #expect(made.currentStreak.int == counted.current && made.longestStreak.int == counted.longest)
        #expect(made.distribution.items.map(\.int) == [0, 0, 1, 1, 1, 0])
        // 30, what the day gave and games took: of Bob's nothing lasts.
        #expect(reply.json.energy.int == 30)
        let again = try await ada.post("/v2/players/me/merge", body, fields: ["Idempotency-Key: m"])
        #expect(again.http.body == reply.http.body && again.isReplay)
        #expect(try await ada.post("/v2/players/me/merge", body).summary == "401 unauthorized")
        #expect(
            try await ada.post("/v2/players/me/merge", #"{"token": "x"}"#, fields: ["Idempotency-Key: m"]).summary
                == "422 idempotency-key-reused")

        // The other is nobody.
        #expect(try await bob.get("/v2/players/me").summary == "401 unauthorized")
        #expect(try await bob.get("/v2/games/\(first.id.text)").summary == "401 unauthorized")
        #expect(try await database.psql("SELECT count(*) FROM users WHERE id = '\(bobsID)'") == "0")

        // The list has all, the day's game is Ada's, and Bob's keeps its reward.
        let games = try await ada.get("/v2/games").json.games.items
        #expect(Set(games.map(\.id)) == Set([first, adas, lost, bobs, last, played, second, running].map(\.id)))
        let demoted = try await ada.get("/v2/games/\(bobs.id.text)").json
        #expect(demoted.kind == "archive" && demoted.reward.int == 5 && demoted.day == bobs.day)
        #expect(try await ada.get("/v2/daily").json.game.id == adas.id)
        #expect(try await ada.post("/v2/daily/game").json.game.id == adas.id)
        let board = try await ada.get("/v2/daily/\(adas.day.text)/leaderboard").json
        #expect(board.entries.items.map(\.name.text) == ["Ada"] && board.entries[0].guesses.int == 3)
        let wins = try await ada.get("/v2/leaderboards/wins").json
        #expect(wins.players.int == 1 && wins.me.wins.int == 3)

        // Of the challenge of both Ada's game is in the results; of Bob's own word she has none any more.
        let seen = try await ada.get("/v2/challenges/\(dealt)").json
        #expect(seen.game.id == played.id && seen.results.items.count == 1 && seen.players.int == 2)
        #expect(try await ada.get("/v2/games/\(second.id.text)").json.kind == "archive")
        let own = try await ada.get("/v2/challenges/\(bobsOwn)").json
        #expect(own.isMine == .boolean(true) && own.game == .missing && own.by == "Ada")
        #expect(try await ada.post("/v2/challenges/\(bobsOwn)/game").summary == "409 challenge-own-word")
        // Its running game can be played to its end, and counts nowhere.
        #expect(try await ada.guess("slate", in: running).json.kind == "archive")
        try await ada.end(try await ada.get("/v2/games/\(running.id.text)").json, in: 1, of: database)
        #expect(try await ada.me().statistics == made)

        let members = try await ada.get("/v2/leagues/\(crew.id.text)/members").json.members.items
        #expect(members.count == 1 && members[0].isOwner == .boolean(true))
        #expect(try await ada.league(crew).json.invite == crew.invite)
        #expect(try await ada.league(club).json.isOwner == .boolean(true))
        let table = try await ada.get("/v2/leagues/\(crew.id.text)/table").json
        #expect(table.entries[0].points.int == 4 && table.entries[0].played.int == 1)

        // No word of either is dealt again, and nothing of Bob's is left out of the export.
        let words = try await ada.get("/v2/players/me/export").json
        #expect(
            Set(words.playedWords.items.map(\.word)) == Set([first, adas, lost, last].map(\.secret)))
        #expect(words.merged[0].id.text == bobsID && words.merged[0].into.text == adasID)
        #expect(
            words.merged[0].energyEntries.items.map(\.reason.text)
                == ["registration", "game", "daily", "game", "challenge", "merge"])
        #expect(words.merged[0].energyEntries.items.last?.balance.int == 0)
        try await database.gatherBoards()
        try await database.expectCleanAudit("gathered")

        // Her deletion removes it all.
        #expect(try await ada.delete("/v2/players/me").status == 204)
        try await database.expectCleanAudit("deleted")
        for table in ["judged_games", "merges", "energy_ledger", "closed_ledgers", "challenges", "league_members"] {
            let left = try await database.psql("SELECT t FROM \(table) AS t")
            for trace in [bobsID, adasID, first.id.text, bobs.id.text] { #expect(!left.contains(trace), "\(table)") }
        }
        try await service.stop()
    }

    @Test("of energy what was bought, won, given and merged comes over, at most the balance; a debt does whole")
    func energy() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(store.settings(), on: database)
        let (ada, _) = try await newPlayer(on: service)
        let (bob, _) = try await newPlayer(on: service)
        let (cleo, _) = try await newPlayer(on: service)
        let (bobsID, adasID) = (try await bob.me().id.text, try await ada.me().id.text)
        let (kept, returned) = (
            TestTransaction(TestStore.newNumber(), product: TestStore.thirty),
            TestTransaction(TestStore.newNumber(), product: TestStore.five)
        )
        #expect(try await bob.buy(store.signed(kept)).status == 201)
        #expect(try await bob.buy(store.signed(returned)).status == 201)
        #expect(try await service.tell(store.notification("REFUND", returned)) == 200)
        try await database.psql("SELECT grant_energy('os:test', '\(bobsID)', 4, 'a gift', NULL, NULL)")
        try await bob.end(try await bob.post("/v2/daily/game").json.game, in: 2, of: database)
        #expect(try await bob.me().energy == 69)

        let reply = try await ada.post("/v2/players/me/merge", #"{"token": "\#(bob.token ?? "")"}"#)
        #expect(reply.json.energy == 64, "30, 30 that were bought, 4 that were given")
        let entries = try await ada.get("/v2/players/me/energy").json.entries.items
        #expect(entries.map(\.reason.text) == ["merge", "registration"] && entries[0].delta == 34)
        let taken = try await database.psql(
            "SELECT delta, balance_after FROM energy_ledger WHERE user_id = '\(bobsID)' AND reason = 'merge'")
        #expect(taken == "-69|0")
        try await database.expectCleanAudit("merged")

        // What was bought is Ada's: again, taken back, given again, and under either name of an account.
        #expect(try await ada.buy(store.signed(kept)).status == 200)
        #expect(try await service.tell(store.notification("REFUND", kept)) == 200)
        #expect(try await ada.me().energy == 34)
        try await database.expectCleanAudit("refunded")
        #expect(try await service.tell(store.notification("REFUND_REVERSED", kept)) == 200)
        #expect(try await ada.me().energy == 64)
        try await database.expectCleanAudit("reversed")
        for account in [bobsID, adasID] {
            let bought = TestTransaction(TestStore.newNumber(), product: TestStore.five, account: account.uppercased())
            #expect(try await ada.buy(store.signed(bought)).status == 201)
            #expect(try await cleo.buy(store.signed(bought)).json.reason == "account")
        }
        #expect(try await ada.me().energy == 74)
        #expect(try await ada.get("/v2/players/me/export").json.purchases.items.count == 4)

        // Then Ada is merged, with a debt: no more lasts than there is, and a debt is taken off.
        for _ in 0..<14 { try await ada.end(try await ada.start(), in: 1, of: database) }
        #expect(try await service.tell(store.notification("REFUND", kept)) == 200)
        #expect(try await ada.me().energy == -26)
        let merged = try await cleo.post("/v2/players/me/merge", #"{"token": "\#(ada.token ?? "")"}"#)
        #expect(merged.json.energy == 4)
        try await database.expectCleanAudit("a debt")
        #expect(try await cleo.get("/v2/players/me/export").json.merged.items.count == 2)
        let since = try await database.psql("SELECT now() - interval '1 hour'")
        #expect(!since.isEmpty)
        #expect(try await service.tell(store.notification("REFUND_REVERSED", kept)) == 200)
        #expect(try await cleo.me().energy == 34)
        try await database.expectCleanAudit("a debt paid")
        #expect(try await cleo.delete("/v2/players/me").status == 204)
        try await database.expectCleanAudit("deleted")
        #expect(try await service.tell(store.notification("REFUND", kept)) == 200)
        try await database.expectCleanAudit("refunded after all")
        try await service.stop()
    }

    @Test("merging new players gains nothing, three in 30 days at most; merges of a player who is merged do not count")
    func farm() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(on: database)
        let (ada, _) = try await newPlayer(on: service)
        let (bob, _) = try await newPlayer(on: service)
        func mergeNew(into player: V2Client) async throws -> V2Reply {
            let (other, _) = try await newPlayer(on: service)
            try await other.end(try await other.post("/v2/daily/game").json.game, in: 1, of: database)
            let id = try await other.me().id.text
            try await database.psql("UPDATE users SET refill = ROW(10, now())::refill_clock WHERE id = '\(id)'")
            return try await player.post("/v2/players/me/merge", #"{"token": "\#(other.token ?? "")"}"#)
        }
        for _ in 1...3 { #expect(try await mergeNew(into: ada).json.energy == 30) }
        #expect(try await mergeNew(into: ada).summary == "409 too-many")
        // Bob takes Ada over: hers are not his.
        #expect(try await bob.post("/v2/players/me/merge", #"{"token": "\#(ada.token ?? "")"}"#).json.energy == 30)
        for _ in 1...2 { #expect(try await mergeNew(into: bob).json.energy == 30) }
        #expect(try await mergeNew(into: bob).summary == "409 too-many")
        let month = try await database.psql("SELECT count(*) FROM merges")
        #expect(month == "6")
        try await database.psql("UPDATE merges SET merged_at = earlier(merged_at, '30 days')")
        #expect(try await mergeNew(into: bob).json.energy == 30)
        try await database.expectCleanAudit()
        try await service.stop()
    }

    // MARK: What is refused

    @Test("refusals come in their order, leave everything as it was, and are remembered by their key")
    func refusals() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(on: database)
        let (ada, adasCode) = try await newPlayer(on: service)
        let (bob, code) = try await newPlayer(on: service)
        let (adasID, token) = (try await ada.me().id.text, bob.token ?? "")
        func merge(_ body: String, key: String? = nil) async throws -> V2Reply {
            try await ada.post("/v2/players/me/merge", body, fields: key.map { ["Idempotency-Key: \($0)"] } ?? [])
        }
        for body in ["{}", #"{"token": "\#(token)", "recoveryCode": "\#(code)"}"#, "[]"] {
            let reply = try await merge(body)
            #expect(reply.summary == "400 request-invalid" && reply.json.path == "", "\(body)")
        }
        #expect(try await merge(#"{"token": 5}"#).json.path == "/token")
        let nobody = ada.with(token: "jt_" + String(repeating: "A", count: 43))
        #expect(try await nobody.post("/v2/players/me/merge", "{}").summary == "401 unauthorized")
        #expect(
            try await nobody.post("/v2/players/me/merge", #"{"token": "\#(token)"}"#).summary == "401 unauthorized")
        for body in [
            #"{"token": "jt_x"}"#, #"{"token": "\#(nobody.token ?? "")"}"#, #"{"recoveryCode": "x"}"#,
            #"{"recoveryCode": "00000-00000-00000-00000"}"#,
        ] { #expect(try await merge(body, key: "nobody").summary == "401 unauthorized", "\(body)") }

        #expect(try await merge(#"{"token": "\#(ada.token ?? "")"}"#, key: "self").summary == "409 merge-self")
        #expect(try await merge(#"{"recoveryCode": "\#(adasCode)"}"#).summary == "409 merge-self")
        try await database.psql(
            """
            INSERT INTO merges (user_id, merged_into, holder, energy)
            SELECT 'deleted\t' || i, '\(adasID)', '\(adasID)', 0 FROM generate_series(1, 3) AS i;
            UPDATE users SET energy = 2147483647, ledger_entry = ledger_entry + 1 WHERE id = '\(adasID)'
            """)
        let game = try await bob.post("/v2/challenges").json.challenge.code.text
        let running = try await bob.post("/v2/challenges/\(game)/game").json.game
        let unfinished = try await merge(#"{"token": "\#(token)"}"#, key: "running")
        #expect(unfinished.summary == "409 merge-unfinished" && unfinished.json.game.id == running.id)
        _ = try await bob.guess("crane", in: running)
        try await bob.end(try await bob.get("/v2/games/\(running.id.text)").json, in: 1, of: database)
        let again = try await merge(#"{"token": "\#(token)"}"#, key: "running")
        #expect(again.http.body == unfinished.http.body && again.isReplay)
        #expect(try await merge(#"{"recoveryCode": "\#(code)"}"#).summary == "409 too-many")
        try await database.psql("DELETE FROM merges")
        let bobsID = try await bob.me().id.text
        try await database.psql("SELECT grant_energy('os:test', '\(bobsID)', 10, 'a gift', NULL, NULL)")
        #expect(try await merge(#"{"recoveryCode": "\#(code)"}"#, key: "full").summary == "409 energy-full")
        try await database.psql(
            "UPDATE users SET energy = 30, ledger_entry = ledger_entry + 1 WHERE id = '\(adasID)'")
        try await database.psql("UPDATE users SET ledger_entry = 1 WHERE id = '\(adasID)'")
        #expect(try await merge(#"{"recoveryCode": "\#(code)"}"#, key: "full").isReplay)
        #expect(try await merge(#"{"recoveryCode": "\#(code)"}"#).json.energy == 40, "the code was good still")
        try await database.expectCleanAudit()
        try await service.stop()
    }

    @Test("wrong recovery codes count together with those of sessions; tokens do not")
    func attempts() async throws {
        let service = try await TestService.start(on: .shared())
        let (ada, code) = try await newPlayer(on: service)
        for _ in 1...12 {
            #expect(try await ada.post("/v2/players/me/merge", #"{"token": "jt_x"}"#).status == 401)
        }
        for _ in 1...5 {
            #expect(try await ada.post("/v2/players/me/merge", #"{"recoveryCode": "x"}"#).status == 401)
            #expect(try await ada.post("/v2/sessions", #"{"recoveryCode": "x"}"#).status == 401)
        }
        let refused = try await ada.post("/v2/players/me/merge", #"{"recoveryCode": "\#(code)"}"#)
        #expect(refused.summary == "429 too-many-requests" && refused["Retry-After"] != nil)
        #expect(try await ada.post("/v2/sessions", #"{"recoveryCode": "\#(code)"}"#).status == 429)
        try await service.stop()
    }

    // MARK: Players of the app

    @Test("the app's URLs reach the caller under both accounts, and the wins of the app add up")
    func claims() async throws {
        let rules = ["players.claims": "allow", "players.claimedApp": "accept"]
        let database = try await TestDatabase.shared(rules)
        let service = try await TestService.start(on: database)
        var claimed: [(user: String, client: V2Client)] = []
        for _ in 1...2 {
            let user = TestService.newUser()
            for request: GameRequest in [
                .initialRegistration(vendorID: user), .updateUserWins(userID: user), .updateUserWins(userID: user),
            ] { #expect(try await service.answer(to: request).innerStatus == 200) }
            claimed.append((user, try await newPlayer(on: service, #"{"claim": "\#(user)"}"#).0))
        }
        let (ada, bob) = (claimed[0].client, claimed[1].client)
        for player in [ada, bob] { try await player.end(try await player.start(), in: 1, of: database) }
        let began = GameRequest.statNewGameSession(userID: claimed[1].user)
        let paid = try await service.answer(to: began, fields: ["Idempotency-Key: app"])
        #expect(paid.userEnergy == 20)
        #expect(try await ada.post("/v2/players/me/merge", #"{"token": "\#(bob.token ?? "")"}"#).status == 200)
        // What the app repeats is not done again.
        let repeated = try await service.answer(to: began, fields: ["Idempotency-Key: app"])
        #expect(repeated.userEnergy == 20 && repeated.secretWord == paid.secretWord)
        #expect(try await ada.me().energy == 25)
        for (user, _) in claimed {
            #expect(try await service.answer(to: .fetchUserWins(userID: user)).userWins == 6)
        }
        #expect(try await service.answer(to: .statNewGameSession(userID: claimed[1].user)).userEnergy == 20)
        #expect(try await ada.me().energy == 20)
        let export = try await ada.get("/v2/players/me/export").json
        #expect(export.claimed.text == claimed[0].user && export.claimedToo.items.map(\.text) == [claimed[1].user])
        try await database.expectCleanAudit()

        // Who has merged another player may be merged too: the first answers go on, and the audit finds their entries.
        let (eve, _) = try await newPlayer(on: service)
        #expect(try await eve.post("/v2/players/me/merge", #"{"token": "\#(ada.token ?? "")"}"#).status == 200)
        let later = try await service.answer(to: began, fields: ["Idempotency-Key: app"])
        #expect(later.userEnergy == 20 && later.secretWord == paid.secretWord)
        #expect(try await service.answer(to: .statNewGameSession(userID: claimed[0].user)).httpStatus == 200)
        #expect(try await service.answer(to: .fetchUserWins(userID: claimed[0].user)).userWins == 6)
        try await database.expectCleanAudit()
        try await service.stop()
    }

    @Test("the id of who was merged stays taken, also for the service's role, and the player can be deleted")
    func staysTaken() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(on: database)
        let (ada, _) = try await newPlayer(on: service)
        let (bob, code) = try await newPlayer(on: service)
        let bobs = try await bob.me().id.text
        #expect(try await ada.post("/v2/players/me/merge", #"{"recoveryCode": "\#(code)"}"#).status == 200)
        let registered = try await database.psql(
            "SET ROLE player_service; SELECT (register_user('\(bobs)', 'k', 1)).refusal")
        #expect(registered.hasSuffix("user-unknown"))
        await #expect(throws: Command.Failure.self) {
            try await database.psql(
                """
                SET ROLE player_service; SELECT create_player('\(bobs)', NULL, NULL,
                    sha256('t') || convert_to('\(bobs)', 'UTF8'), gen_random_uuid(), sha256('c'))
                """)
        }
        let rows =
            "SELECT (SELECT count(*) FROM users WHERE id = '\(bobs)'), count(*) FROM players WHERE user_id = '\(bobs)'"
        #expect(try await database.psql(rows) == "0|0")
        try await database.expectCleanAudit()
        #expect(try await ada.delete("/v2/players/me").status == 204)
        try await database.expectCleanAudit()
        try await service.stop()
    }

    @Test("a merge with an unknown token or code is refused without waiting for claims and deletions, under a key too")
    func nothingProven() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(on: database)
        let (ada, _) = try await newPlayer(on: service)
        try await database.withOwner { other in
            try await other.executeScript("BEGIN; LOCK TABLE juliet.energy_ledger_archive IN SHARE ROW EXCLUSIVE MODE")
            for body in [#"{"token": "x"}"#, #"{"recoveryCode": "0000-0000-0000-0000-0000"}"#] {
                let reply = try await ada.post("/v2/players/me/merge", body, fields: ["Idempotency-Key: m"])
                #expect(reply.summary == "401 unauthorized", "\(body)")
            }
            try await other.executeScript("COMMIT")
        }
        try await service.stop()
    }
}
