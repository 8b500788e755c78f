import JulietGame
import Lottery
import StrictEncoding

/// What `juliet lottery` prints, as values.
enum LotteryReport {
    /// `juliet lottery list`
    static func list(_ list: [LotteryRecords.Participant]) -> String {
        let rows = list.map { participant in
            [
                "\(participant.userID)", participant.name, participant.username, participant.isVoid ? "void" : "valid",
            ] + (participant.player.map { [$0] } ?? [])
        }
        return Terminal.table([["number", "name", "username", "entry", "player"]] + rows)
    }

    /// `juliet lottery import`
    static func imported(_ changes: LotteryRecords.Import) -> String {
        func row(_ title: String, _ counts: [(Int, String)]) -> String {
            let said = counts.filter { $0.0 > 0 }.map { "\(grouped($0.0)) \($0.1)" }
            return "\(title): \(said.isEmpty ? "as before" : said.joined(separator: ", "))"
        }
        return row(
            "users", [(changes.usersAdded, "new"), (changes.usersChanged, "changed"), (changes.usersRemoved, "gone")])
            + "\n"
            + row("list", [(changes.entered, "new"), (changes.changed, "changed"), (changes.left, "gone")])
    }

    /// Somebody whose entry was to change, and whether it did.
    struct Changed: Encodable {
        let userID: Int
        let isNew: Bool

        private enum CodingKeys: String, CodingKey {
            case userID = "userId"
            case isNew
        }
    }

    /// `juliet lottery enter`, `leave` and `void`: a line each.
    static func changed(_ changed: [Changed], _ change: LotteryRecords.Change, json: Bool) throws -> String {
        if json { return try Terminal.json(changed) }
        let (done, was) =
            switch change {
            case .enter: ("takes part", "takes part already")
            case .leave: ("no longer takes part", "did not take part")
            case .void: ("is void", "is void already")
            case .valid: ("is valid", "is valid already")
            }
        return changed.map { "\($0.userID) \($0.isNew ? done : was)" }.joined(separator: "\n")
    }

    /// Nobody takes part, and the commands that change that, as they can be typed here.
    static func nobody(_ database: DatabaseOptions) -> String {
        let (file, number) = (
            database.command("lottery import USERS LOTTERY"), database.command("lottery enter NUMBER")
        )
        return "nobody takes part yet: add somebody with `\(file)` or `\(number)`"
    }

    /// `juliet lottery draw`: how it ended, and the command that checks it, as it can be typed here.
    static func outcome(_ draw: LotteryDraw, _ database: DatabaseOptions) -> String {
        guard let progress = draw.progress, let end = progress.end, let last = progress.rounds.last else { return "" }
        let shown = "\(last.name) (\(last.userID))"
        let what = end.winner == nil ? "nobody wins: \(shown) is void" : "\(shown) wins"
        return "draw \(draw.number): \(what)\ncheck it: \(database.command("lottery verify \(draw.number)"))"
    }

    /// `juliet lottery show`
    static func whole(_ draw: LotteryDraw) -> String {
        var rows = [
            ["draw", "\(draw.number)"], ["state", state(draw)], ["commitment", Hexadecimal.encode(draw.commitment)],
            ["prize", draw.prize == 0 ? "none" : "\(grouped(draw.prize)) energy"], ["entries", grouped(draw.entries)],
        ]
        if let progress = draw.progress {
            rows.append(["list", Hexadecimal.encode(progress.listDigest)])
            rows += zip(1..., progress.rounds).map { ["round \($0)", "\($1.userID) \($1.name)"] }
            if let end = progress.end {
                rows.append(["winner", end.winner.map { "\($0)" } ?? "nobody: the entry is void"])
                rows.append(["seed", Hexadecimal.encode(end.seed)])
            }
        }
        return Terminal.table(rows)
    }

    private static func state(_ draw: LotteryDraw) -> String {
        guard let progress = draw.progress else { return "not started" }
        return progress.end == nil ? "running" : "over"
    }

    /// `juliet lottery verify --json`
    struct Verified: Encodable {
        let draw: Int
        let fits: Bool
        let problem: String?
    }

    /// `juliet lottery verify`: what was compared.
    static func fits(_ draw: LotteryDraw, isNoted: Bool) -> String {
        let winner = draw.progress?.end?.winner
        return """
            matches: draw \(draw.number)
            the seed matches the commitment\(isNoted ? ", and the commitment is the one that was noted" : "")
            the list of \(counted(draw.entries, "entry", "entries")) matches the digest
            all \(draw.progress?.rounds.count ?? 0) rounds follow from both, and \
            \(winner.map { "\($0) wins" } ?? "nobody wins")
            """
    }
}
