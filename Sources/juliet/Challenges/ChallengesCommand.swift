import ArgumentParser
import JulietAPI
import JulietGame

/// `juliet challenges …`
struct ChallengesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "challenges",
        abstract: "List, show and end the challenges that players make, and take their hints away.",
        discussion: """
            A challenge has a code, such as H7KQ-2MXP. No command shows its word.

            \(DatabaseOptions.order) Connect as the role that owns the tables, not as the service's.

            Exit status: 0 done, 1 error or no such challenge, 64 wrong usage.
            """,
        subcommands: [ChallengesList.self, ChallengesShow.self, ChallengesEnd.self, ChallengesHideHint.self]
    )
}

/// `juliet challenges list`
struct ChallengesList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Print challenges, newest first.",
        usage: "juliet challenges list [--last <count>] [<options>]")

    @OptionGroup var newest: NewestOption
    @OptionGroup var options: WordsOptions

    func run() async throws {
        try await options.run { connection in
            let challenges = try await ChallengeRecords(connection: connection).list(last: newest.last)
            try Terminal.print(
                challenges, asJSON: options.json, orNote: "no challenges yet", report: ChallengesReport.list)
        }
    }
}

/// A code on the command line.
struct CodeArgument: ParsableArguments {
    @Argument(help: "The challenge's code; letter case and hyphens do not matter.") var code: String

    /// The code.
    ///
    /// - Throws: When it is none.
    func parsed() throws -> V2.ShareCode {
        guard let code = V2.ShareCode(code) else {
            throw ValidationError("\(code.quoted) is not the code of a challenge")
        }
        return code
    }
}

/// `juliet challenges show`
struct ChallengesShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a challenge: who made it, when it ends, how many play.",
        usage: "juliet challenges show <code> [<options>]")

    @OptionGroup var argument: CodeArgument
    @OptionGroup var options: WordsOptions

    func run() async throws {
        try await options.run { connection in
            let code = try argument.parsed()
            guard let challenge = try await ChallengeRecords(connection: connection).challenge(code) else {
                throw CommandError("there is no challenge \(code)")
            }
            Terminal.print(
                options.json ? try Terminal.json(challenge) : ChallengesReport.whole(challenge))
        }
    }
}

/// `juliet challenges end`
struct ChallengesEnd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "end",
        abstract: "End a challenge: its code no longer works.",
        usage: "juliet challenges end <code> --reason <text> [<options>]",
        discussion: """
            This is the same as if its maker had deleted it. Players keep the games that they have begun, \
            and can finish them. The audit trail (`juliet admin audit`) records who ended it, and why.
            """)

    @OptionGroup var argument: CodeArgument
    @OptionGroup var why: ReasonOption
    @OptionGroup var options: WordsOptions

    func run() async throws {
        try await options.run { connection in
            let code = try argument.parsed()
            let records = ChallengeRecords(connection: connection)
            guard try await records.end(code, by: SystemUser.actor, because: why.reason) else {
                throw CommandError("there is no challenge \(code), or it was deleted")
            }
            let challenge = try await records.challenge(code)
            Terminal.print(options.json ? try Terminal.json(challenge) : "ended: \(code)")
        }
    }
}

/// `juliet challenges hide-hint`
struct ChallengesHideHint: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hide-hint",
        abstract: "Take the hint of a challenge away.",
        usage: "juliet challenges hide-hint <code> --reason <text> [<options>]",
        discussion: """
            Nobody sees the hint any more, also not in games that have begun or ended, and it does not come \
            back. The audit trail (`juliet admin audit`) records who took it away, and why.
            """)

    @OptionGroup var argument: CodeArgument
    @OptionGroup var why: ReasonOption
    @OptionGroup var options: WordsOptions

    func run() async throws {
        try await options.run { connection in
            let code = try argument.parsed()
            let records = ChallengeRecords(connection: connection)
            guard let isChanged = try await records.hideHint(of: code, by: SystemUser.actor, because: why.reason) else {
                throw CommandError("there is no challenge \(code)")
            }
            let challenge = try await records.challenge(code)
            Terminal.print(
                options.json
                    ? try Terminal.json(challenge)
                    : isChanged ? "hint taken away: \(code)" : "it has no hint: \(code)")
        }
    }
}

/// What `juliet challenges` prints, as values.
enum ChallengesReport {
    /// `juliet challenges list`: times are UTC.
    static func list(_ challenges: [ChallengeRecords.Challenge]) -> String {
        let rows = challenges.map { challenge in
            [
                challenge.createdAt.seconds, challenge.code, challenge.state, kind(challenge), challenge.name ?? "",
                challenge.maker ?? "", grouped(challenge.players), grouped(challenge.ended),
            ]
        }
        return Terminal.table(
            [["time", "code", "state", "word", "maker", "player", "players", "ended"]] + rows, numbersFrom: 6)
    }

    /// `juliet challenges show`
    static func whole(_ challenge: ChallengeRecords.Challenge) -> String {
        let facts: [(String, String?)] = [
            ("code", challenge.code), ("state", challenge.state), ("word", kind(challenge)), ("hint", challenge.hint),
            ("maker", challenge.name), ("player", challenge.maker), ("made", challenge.createdAt.seconds),
            ("ends", challenge.endsAt.seconds), ("players", grouped(challenge.players)),
            ("games", grouped(challenge.games)), ("ended", grouped(challenge.ended)),
        ]
        return Terminal.table(facts.compactMap { name, value in value.map { [name, $0] } })
    }

    private static func kind(_ challenge: ChallengeRecords.Challenge) -> String {
        (challenge.isAnyWord ? "any" : challenge.isOwnWord ? "own" : "dealt") + (challenge.isHard ? ", hard" : "")
    }
}
