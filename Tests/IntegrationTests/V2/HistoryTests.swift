import Foundation
import JulietAPI
import QueueTestClient
import TestSupport
import Testing

/// Statistics and leaderboards, which the records count as games end, against what the list of games makes.
@Suite("What is counted equals the history", .everyLayout)
struct HistoryTests {
    @Test(
        "random histories of several players on two nodes, a day's end, a deletion, a restart", .timeLimit(.minutes(3)))
    func randomHistories() async throws {
        let seed = UInt64.random(in: 0...999_999_999)
        var random = SeededRandom(seed: seed)
        let database = try await TestDatabase.create()
        var nodes = [try await TestService.start(on: database), try await TestService.start(on: database)]
        var players: [V2Client] = []
        for index in 0..<8 {
            players.append(try await V2Client.player(on: nodes[index % 2], named: "P\(index)"))
        }
        // Enough for all games: what they cost is not the point here.
        for player in players {
            let id = try await player.me().id.text
            try await database.psql("SELECT grant_energy('os:test', '\(id)', 120, 'to play', NULL, NULL)")
        }
        for _ in 0..<40 {
            let player = players[Int.random(in: players.indices, using: &random)]
            try await play(as: player.at(nodes[Int.random(in: 0...1, using: &random)]), in: database, &random)
        }
        try await expectTruth(of: players, on: nodes, Comment(rawValue: "seed \(seed)"))
        try await database.gatherBoards()
        try await expectTruth(of: players, on: nodes, "seed \(seed), gathered")

        // A day passes: what was won then is not today's any more. Two players still had a game of that day.
        let late = try await players.prefix(2).asyncMap { player in
            let game = try await player.post("/v2/daily/game").json.game
            return game.state == "playing" ? game : nil
        }
        try await database.passDays(1)
        try await database.psql(
            """
            UPDATE board_entries SET starts_on = starts_on - 1 WHERE board = 'day';
            UPDATE board_counts SET starts_on = starts_on - 1 WHERE board = 'day'
            """)
        for (player, game) in zip(players, late) {
            if let game { try await player.end(game, in: Int.random(in: 1...6, using: &random), of: database) }
        }
        // The others may play that day's word, too; it counts nowhere.
        for player in players {
            let game = try await player.post("/v2/daily/\(try await today(on: nodes[0]).previous)/game").json.game
            guard game.kind == "archive" else { continue }
            try await player.end(game, in: Bool.random(using: &random) ? 2 : nil, of: database)
        }
        for _ in 0..<20 {
            let player = players[Int.random(in: players.indices, using: &random)]
            try await play(as: player, in: database, &random)
        }
        for node in nodes { try await node.stop() }
        nodes = [try await TestService.start(on: database), try await TestService.start(on: database)]
        players = players.enumerated().map { $1.at(nodes[$0 % 2]) }
        try await expectTruth(of: players, on: nodes, "seed \(seed), a day later")

        let gone = players.removeLast()
        let day = try await today(on: nodes[0]).previous
        let before = try await gone.get("/v2/daily/\(day)").json
        #expect(try await gone.delete("/v2/players/me").status == 204)
        let after = try await players[0].get("/v2/daily/\(day)").json
        #expect(after.players == before.players && after.distribution == before.distribution)
        try await expectTruth(of: players, on: nodes, "seed \(seed), one deleted", hasDeleted: true)
        #expect(try await database.ledgerFaults() == "")
        for node in nodes { try await node.stop() }
    }

    /// Plays some game: an ordinary one or the day's, won with some number of guesses, lost, or given up.
    private func play(
        as player: V2Client, in database: TestDatabase, _ random: inout SeededRandom
    ) async throws {
        var game = JSON.missing
        if Int.random(in: 0..<3, using: &random) == 0 { game = try await player.post("/v2/daily/game").json.game }
        if game.state != "playing" { game = try await player.start() }
        // Times that are often equal: those share a rank.
        let seconds = [0, 0, 59, 300, 86_000].randomElement(using: &random) ?? 0
        try await database.psql(
            """
            UPDATE judged_games SET started_at = earlier(started_at, '\(seconds) seconds') WHERE id = '\(game.id.text)'
            """)
        switch Int.random(in: 0..<10, using: &random) {
        case 0: #expect(try await player.post("/v2/games/\(game.id.text)/resign").status == 200)
        case 1: try await player.end(game, in: nil, of: database)
        default: try await player.end(game, in: Int.random(in: 1...6, using: &random), of: database)
        }
    }

    private func today(on node: TestService) async throws -> V2.Day {
        try #require(V2.Day(try await V2Client.newcomer(on: node).get("/v2/daily").json.day.text))
    }

    // MARK: By brute force

    /// A game that ended, as the list tells it.
    private struct Ended {
        let name: String
        let player: Int
        let isWon: Bool
        let guesses: Int
        let seconds: Int
        let endedAt: Int64
        let day: String
    }

    private func history(of player: V2Client, _ index: Int) async throws -> [Ended] {
        var games: [JSON] = []
        var before = ""
        repeat {
            let page = try await player.get("/v2/games?limit=7\(before)").json
            games += page.games.items
            before = page.next.text.isEmpty ? "" : "&before=\(page.next.text)"
        } while !before.isEmpty
        #expect(games.map(\.id.text) == games.map(\.id.text).sorted(by: >))
        let name = try await player.me().name.text
        return games.filter { $0.state != "playing" && $0.kind != "archive" }.map { game in
            let started = V2.Timestamp(game.startedAt.text)?.microsecondsSince1970 ?? 0
            let ended = V2.Timestamp(game.endedAt.text)?.microsecondsSince1970 ?? 0
            return Ended(
                name: name, player: index, isWon: game.state == "won", guesses: game.guesses.items.count,
                seconds: Int((ended - started) / 1_000_000), endedAt: ended, day: game.day.text)
        }.sorted { $0.endedAt < $1.endedAt }
    }

    private func statistics(_ games: [Ended]) -> JSON {
        var distribution = Array(repeating: 0, count: 6)
        var (current, longest) = (0, 0)
        for game in games {
            current = game.isWon ? current + 1 : 0
            longest = max(longest, current)
            if game.isWon { distribution[game.guesses - 1] += 1 }
        }
        return .object([
            "played": .integer(games.count), "won": .integer(games.filter(\.isWon).count),
            "currentStreak": .integer(current), "longestStreak": .integer(longest),
            "distribution": .array(distribution.map { .integer($0) }), "days": days(games),
        ])
    }

    /// The words of days that ended on their day.
    private func days(_ games: [Ended]) -> JSON {
        var results: [Int: Bool] = [:]
        for game in games {
            let ended = V2.Day(of: V2.Timestamp(microsecondsSince1970: game.endedAt))
            if "\(ended)" == game.day { results[ended.daysSince1970] = game.isWon }
        }
        var (current, longest) = (0, 0)
        let today = Int(Date().timeIntervalSince1970) / 86400
        if let first = results.keys.min() {
            for day in first...today {
                // Today breaks nothing before it is ended.
                if day == today, results[day] == nil { break }
                current = results[day] == true ? current + 1 : 0
                longest = max(longest, current)
            }
        }
        return .object([
            "played": .integer(results.count), "won": .integer(results.values.count { $0 }),
            "currentStreak": .integer(current), "longestStreak": .integer(longest),
        ])
    }

    /// Entries of a board in their order, without ranks: what counts, when it was reached, whose it is, how it reads.
    private typealias Row = (score: [Int], at: Int64, player: Int, entry: [String: JSON])

    private func expectTruth(
        of players: [V2Client], on nodes: [TestService], _ comment: Comment, hasDeleted: Bool = false
    ) async throws {
        var games: [Ended] = []
        for (index, player) in players.enumerated() {
            let own = try await history(of: player, index)
            games += own
            #expect(try await player.me().statistics == statistics(own), comment)
        }
        let today = try await today(on: nodes[0])
        for day in [today, today.previous] {
            // Those of the day that ended on it.
            let ended = games.filter { $0.day == "\(day)" && $0.endedAt < day.next.start.microsecondsSince1970 }
            let rows = ended.filter(\.isWon).map { game -> Row in
                (
                    [game.guesses, game.seconds], game.endedAt, game.player,
                    ["name": .string(game.name), "guesses": .integer(game.guesses), "seconds": .integer(game.seconds)]
                )
            }
            let path = "/v2/daily/\(day)/leaderboard"
            if !ended.isEmpty {
                try await expect(
                    path, rows, players: hasDeleted ? nil : ended.count, of: players, on: nodes, comment)
            }
        }
        let weekday = (today.daysSince1970 + 3) % 7
        let monday = V2.Day(daysSince1970: today.daysSince1970 - weekday)
        // A day that was moved into another week or month stays in the boards of this one: nothing moved those.
        for (period, start) in [("day", today), ("all", V2.Day(daysSince1970: 0)), ("week", monday)]
        where period != "week" || !games.contains(where: { $0.endedAt < monday.start.microsecondsSince1970 }) {
            let counted = games.filter { $0.isWon && $0.endedAt >= start.start.microsecondsSince1970 }
            let rows = Dictionary(grouping: counted, by: \.player).map { player, won -> Row in
                (
                    [-won.count], won.map(\.endedAt).max() ?? 0, player,
                    ["name": .string(won[0].name), "wins": .integer(won.count)]
                )
            }
            try await expect(
                "/v2/leaderboards/wins?period=\(period)", rows, players: rows.count, of: players, on: nodes, comment)
        }
    }

    private func expect(
        _ path: String, _ rows: [Row], players count: Int?, of players: [V2Client], on nodes: [TestService],
        _ comment: Comment
    ) async throws {
        let sorted = rows.sorted { precedes(($0.score, $0.at), ($1.score, $1.at)) }
        func entry(_ row: Row, for player: Int?) -> JSON {
            let rank = sorted.filter { $0.score.lexicographicallyPrecedes(row.score) }.count + 1
            var members = row.entry
            members["rank"] = .integer(rank)
            members["isMe"] = .boolean(row.player == player)
            return .object(members)
        }
        for node in nodes {
            let all = try await V2Client.newcomer(on: node).get(path).json
            #expect(all.entries == .array(sorted.map { entry($0, for: nil) }), comment)
            if let count { #expect(all.players == .integer(count), comment) }
            #expect(all.me == .missing)
        }
        for (index, player) in players.enumerated() {
            let separator = path.contains("?") ? "&" : "?"
            let around = try await player.get("\(path)\(separator)around=me&limit=3").json
            guard let place = sorted.firstIndex(where: { $0.player == index }) else {
                #expect(around.me == .missing, comment)
                #expect(around.entries == .array(sorted.prefix(3).map { entry($0, for: index) }), comment)
                continue
            }
            #expect(around.me == entry(sorted[place], for: index), comment)
            // In the middle, or the first or the last three.
            let first = max(0, min(place - 1, sorted.count - 3))
            #expect(
                around.entries == .array(sorted.dropFirst(first).prefix(3).map { entry($0, for: index) }), comment)
        }
    }
}

/// Compares scores, then times.
private func precedes(_ left: ([Int], Int64), _ right: ([Int], Int64)) -> Bool {
    left.0 == right.0 ? left.1 < right.1 : left.0.lexicographicallyPrecedes(right.0)
}

extension Sequence {
    fileprivate func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
