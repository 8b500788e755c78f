import Foundation
import JulietAPI
import TestSupport
import Testing

@Suite("Leagues of /v2 under stress", .everyLayout)
struct LeagueStressTests {
    // MARK: Limits

    @Test("of those who join at the same moment a league takes 100 members, and the others are refused")
    func full() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(on: database)
        let owner = try await V2Client.player(on: service)
        let league = try await owner.createLeague()
        try await database.fill(league, with: 60)
        var players: [V2Client] = []
        for _ in 1...50 { players.append(try await V2Client.player(on: service)) }
        let body = #"{"invite": "\#(league.invite.text)"}"#
        let replies = try await owner.replies(toAll: players.map { $0.request("POST", "/v2/leagues/join", body) })
        let summaries = Dictionary(grouping: replies, by: \.summary).mapValues(\.count)
        #expect(summaries == ["200": 39, "409 league-full": 11])
        #expect(try await owner.league(league).json.members == 100)
        try await service.stop()
    }

    @Test("of the leagues that a player joins and creates at the same moment there are 20")
    func twenty() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(on: database)
        let (owner, player) = (try await V2Client.player(on: service), try await V2Client.player(on: service))
        var requests: [[UInt8]] = []
        for number in 1...15 {
            let league = try await owner.createLeague("L\(number)")
            requests.append(
                player.request("POST", "/v2/leagues/join", #"{"invite": "\#(league.invite.text)"}"#))
            requests.append(player.request("POST", "/v2/leagues", #"{"name": "M\#(number)"}"#))
        }
        let replies = try await player.replies(toAll: requests)
        #expect(replies.count { $0.summary == "409 too-many" } == 10)
        #expect(replies.count { $0.status < 300 } == 20)
        #expect(try await player.get("/v2/leagues").json.leagues.items.count == 20)
        try await service.stop()
    }

    @Test("under one key that is sent many times at once there is one league")
    func keys() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(on: database)
        let player = try await V2Client.player(on: service)
        let request = player.request("POST", "/v2/leagues", #"{"name": "Us"}"#, fields: ["Idempotency-Key: k"])
        let replies = try await player.replies(toAll: Array(repeating: request, count: 20))
        #expect(Set(replies.map(\.json)).count == 1)
        #expect(replies.allSatisfy { $0.status == 201 })
        #expect(replies.count { $0.isReplay } == 19)
        #expect(try await player.get("/v2/leagues").json.leagues.items.count == 1)
        try await service.stop()
    }

    // MARK: Everything at once

    @Test("the records stay whole when members join, leave, remove, renew and delete at the same time")
    func everything() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(on: database)
        let other = try await TestService.start(on: database)
        var players: [V2Client] = []
        for _ in 1...16 { players.append(try await V2Client.player(on: service)) }
        var leagues: [JSON] = []
        for player in players.prefix(3) { leagues.append(try await player.createLeague()) }
        try await withThrowingTaskGroup(of: Void.self) { [players, leagues] group in
            for (number, player) in players.enumerated() {
                group.addTask {
                    var random = SeededRandom(seed: UInt64(number))
                    for step in 0..<25 {
                        let client = step % 2 == 0 ? player : player.at(other)
                        let league = leagues[Int(random.next() % 3)]
                        try await Self.step(client, league, &random, isLast: step == 24 && number % 3 == 0)
                    }
                }
            }
            try await group.waitForAll()
        }
        // Owners are the longest members, and see the invite; nobody else does.
        for player in players {
            for league in try await player.get("/v2/leagues").json.leagues.items {
                let members = try await player.members(of: league)
                #expect(members.count == league.members.int)
                #expect(members.map(\.isOwner) == [true] + Array(repeating: .missing, count: members.count - 1))
                #expect((members[0].isMe == true) == (league.isOwner == true))
                #expect((league.invite == .missing) == (league.isOwner == false))
                #expect(members.map(\.joinedAt.text) == members.map(\.joinedAt.text).sorted())
            }
        }
        try await database.expectCleanAudit()
        try await other.stop()
        try await service.stop()
    }

    /// Does something with a league at random, and looks at what is answered alone.
    private static func step(
        _ client: V2Client, _ league: JSON, _ random: inout SeededRandom, isLast: Bool
    ) async throws {
        let seen = try await client.league(league)
        guard seen.status == 200 else {
            // Somebody inside tells the invite.
            let invite = try await TestInvites.shared.invite(of: league.id.text) ?? league.invite.text
            let joined = try await client.join(invite)
            #expect([200, 404, 429].contains(joined.status), "\(joined)")
            return
        }
        if seen.json.invite != .missing { await TestInvites.shared.tell(seen.json.invite.text, of: league.id.text) }
        if isLast {
            #expect(try await client.delete("/v2/players/me").status == 204)
            return
        }
        let reply: V2Reply
        switch random.next() % 6 {
        case 0: reply = try await client.delete(V2Client.path(league, "/members/me"))
        case 1:
            let members = try await client.members(of: league)
            let id = members.isEmpty ? "x" : members[Int(random.next() % UInt64(members.count))].id.text
            reply = try await client.delete(V2Client.path(league, "/members/\(id)"))
        case 2: reply = try await client.post(V2Client.path(league, "/invite"))
        case 3: reply = try await client.patch(V2Client.path(league), #"{"name": "N"}"#)
        case 4: reply = try await client.table(of: league)
        default: reply = try await client.get(V2Client.path(league, "/members"))
        }
        #expect([200, 201, 204, 403, 404].contains(reply.status), "\(reply)")
    }

    // MARK: Histories

    @Test(
        "after any history a table says what the lists of games and members make",
        arguments: 1...3 as ClosedRange<UInt64>)
    func histories(seed: UInt64) async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(on: database)
        var random = SeededRandom(seed: seed)
        var players: [V2Client] = []
        for name in ["Ann", "Bob", "Cid", "Dan", "Eve"] {
            players.append(try await V2Client.player(on: service, named: name))
        }
        var leagues = [try await players[0].createLeague("One"), try await players[1].createLeague("Two")]
        for day in 0..<9 {
            for _ in 0..<6 {
                let player = players[Int(random.next() % UInt64(players.count))]
                let number = Int(random.next() % UInt64(leagues.count))
                switch random.next() % 10 {
                case 0..<3:
                    if let invite = try await Self.invite(of: leagues[number], among: players) {
                        #expect(try await player.join(invite).status == 200)
                    } else {
                        leagues[number] = try await player.createLeague("Again")
                    }
                case 3:
                    let left = try await player.delete(V2Client.path(leagues[number], "/members/me"))
                    #expect([204, 404].contains(left.status))
                case 4 where day % 4 == 3 && players.count > 3:
                    #expect(try await player.delete("/v2/players/me").status == 204)
                    players.removeAll { $0.token == player.token }
                case 5:
                    // Begun, and ended on another day or never.
                    _ = try await player.post("/v2/daily/game")
                default:
                    let game = try await player.post("/v2/daily/game").json.game
                    guard game.state == "playing", game.guesses.items.isEmpty else { continue }
                    let guesses = Int(random.next() % 8)
                    if guesses == 0 {
                        _ = try await player.post("/v2/games/\(game.id.text)/resign")
                    } else {
                        try await player.end(game, in: guesses == 7 ? nil : guesses, of: database)
                    }
                }
            }
            try await compare(players)
            guard day < 8 else { break }
            var running: [JSON] = []
            for player in players {
                running += try await player.get("/v2/games?kind=daily&state=playing").json.games.items
            }
            try await database.passDays(1)
            // What ends late counts for nothing.
            for game in running where random.next() % 2 == 0 {
                // For all but the game's player there is no such game.
                for player in players { _ = try await player.post("/v2/games/\(game.id.text)/resign") }
            }
        }
        // Games that tests have moved in time are no games to an audit; what leagues count of them is right.
        try await service.stop()
    }

    private static func invite(of league: JSON, among players: [V2Client]) async throws -> String? {
        for player in players {
            let seen = try await player.league(league)
            if seen.json.invite != .missing { return seen.json.invite.text }
        }
        return nil
    }

    /// Compares all tables with what members and games make.
    private func compare(_ players: [V2Client]) async throws {
        let now = Int(Date().timeIntervalSince1970) / 86400
        let (monday, first) = (now - (now + 3) % 7, Int("\(V2.Day(daysSince1970: now))".suffix(2)) ?? 1)
        let starts = ["day": now, "week": monday, "month": now - first + 1, "all": 0]
        var results: [String: [Int: Int]] = [:]
        for player in players {
            let name = try await player.me().name.text
            for game in try await player.get("/v2/games?kind=daily").json.games.items where game.state != "playing" {
                guard game.endedAt.text.prefix(10) == game.day.text[...] else { continue }
                let day = try #require(V2.Day(game.day.text))
                results[name, default: [:]][day.daysSince1970] = game.state == "won" ? game.guesses.items.count : 7
            }
        }
        for player in players {
            let me = try await player.me().name.text
            let hasEnded = results[me]?[now] != nil
            for league in try await player.get("/v2/leagues").json.leagues.items {
                let members = try await player.members(of: league)
                for (period, start) in starts {
                    let lines = try members.map { member -> (name: String, points: Int, played: Int, won: Int) in
                        let joined = try #require(V2.Day(String(member.joinedAt.text.prefix(10)))).daysSince1970
                        let counted = (results[member.name.text] ?? [:])
                            .filter { $0.key >= max(start, joined) && (hasEnded || $0.key < now) }.map(\.value)
                        return (
                            member.name.text, counted.reduce(0) { $0 + 7 - $1 }, counted.count,
                            counted.count { $0 < 7 }
                        )
                    }
                    // A stable order: equals stay by joining.
                    let sorted = lines.enumerated().sorted {
                        ($1.element.points, $1.element.won, $0.offset) < ($0.element.points, $0.element.won, $1.offset)
                    }.map(\.element)
                    let expected = sorted.map { line in
                        let rank = 1 + sorted.count { ($0.points, $0.won) > (line.points, line.won) }
                        return "\(rank) \(line.name) \(line.points) \(line.played) \(line.won)"
                    }
                    func faults() async throws -> [String] {
                        let table = try await player.table(of: league, period).json.entries.items
                        let lines = table.map {
                            "\($0.rank.int) \($0.name.text) \($0.points.int) \($0.played.int) \($0.won.int)"
                        }
                        let shown = table.filter { entry in
                            let isShown = results[entry.name.text]?[now] != nil && (hasEnded || entry.name.text == me)
                            return (entry.today != .missing) != isShown
                        }
                        return (lines == expected ? [] : ["\(lines), not \(expected)"]) + shown.map { "\($0)" }
                    }
                    // While many are asked for, a table may be two seconds old.
                    let deadline = ContinuousClock.now + .seconds(20)
                    var found = try await faults()
                    while !found.isEmpty, ContinuousClock.now < deadline {
                        try await Task.sleep(for: .milliseconds(50))
                        found = try await faults()
                    }
                    #expect(found == [], "\(period) of \(league.name.text)")
                }
            }
        }
    }
}

/// Invites that members tell one another.
private actor TestInvites {
    static let shared = TestInvites()
    private var invites: [String: String] = [:]

    func tell(_ invite: String, of league: String) { invites[league] = invite }
    func invite(of league: String) throws -> String? { invites[league] }
}

/// The same numbers each time (SplitMix64).
private struct SeededRandom {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return (z ^ (z >> 31)) >> 1
    }
}

extension TestDatabase {
    /// Adds members of whom nothing else is known.
    fileprivate func fill(_ league: JSON, with count: Int) async throws {
        try await psql(
            """
            INSERT INTO league_members (league_id, id, user_id, joined_at)
            SELECT '\(league.id.text)', gen_random_uuid(), 'filler ' || i, now() FROM generate_series(1, \(count)) AS i
            """)
    }
}
