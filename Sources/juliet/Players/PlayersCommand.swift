import ArgumentParser
import JulietGame
import Postgres

/// `juliet players …`
struct PlayersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "players",
        abstract: "Show and remove a /v2 player's ways to sign in, make a new recovery code.",
        discussion: """
            A player signs in with a recovery code, a passkey, or an identity at a provider; a \
            session is a device that is signed in. Only digests of secrets are stored, and no \
            command shows them. The audit trail (`juliet admin audit`) records each change, with \
            who made it and why.

            \(DatabaseOptions.order) Connect as the role that owns the tables, not as the \
            service's.

            Exit status: 0 done, 1 error or no such thing, 64 wrong usage.
            """,
        subcommands: [
            PlayersShow.self, PlayersRemovePasskey.self, PlayersRemoveIdentity.self, PlayersEndSessions.self,
            PlayersRecoveryCode.self, PlayersRenewNonces.self,
        ]
    )
}

/// Why, and where.
struct AccountChangeOptions: ParsableArguments {
    @OptionGroup var why: ReasonOption
    @OptionGroup var options: WordsOptions

    /// Changes something.
    func run(_ body: (AccountRecords) async throws -> String) async throws {
        try await options.run { connection in
            let records = AccountRecords(connection: connection, actor: SystemUser.actor, reason: why.reason)
            let done = try await body(records)
            Terminal.print(options.json ? try Terminal.json(["done": done]) : done)
        }
    }
}

/// `juliet players show`
struct PlayersShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a player's sessions, passkeys and identities.",
        usage: "juliet players show <id> [<options>]",
        discussion: "`juliet users show` shows the player's energy, games and statistics.")

    @Argument(help: .playerOfV2) var id: String
    @OptionGroup var options: WordsOptions

    func run() async throws {
        try await options.run { connection in
            let everything = try await UserRecords(connection: connection).everything(about: User.ID(id))
            guard let player = everything?.player else { throw try await CommandError.noPlayer(id, connection) }
            let report = PlayersReport(player)
            Terminal.print(options.json ? try Terminal.json(report) : report.text)
        }
    }
}

/// `juliet players remove-passkey`
struct PlayersRemovePasskey: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove-passkey",
        abstract: "Remove a passkey.",
        usage: "juliet players remove-passkey <id> <passkey> --reason <text> [<options>]",
        discussion: "Sessions that it opened stay open: `juliet players end-sessions` ends them.")

    @Argument(help: .playerOfV2) var id: String
    @Argument(help: ArgumentHelp("The passkey, by its id.", valueName: "passkey")) var passkey: String
    @OptionGroup var change: AccountChangeOptions

    func run() async throws {
        try await change.run { records in
            guard let passkey = PostgresUUID(passkey),
                try await records.removePasskey(passkey, of: User.ID(id))
            else { throw CommandError("player \(id.quoted) has no passkey \(self.passkey.quoted)") }
            return "removed passkey \(passkey)"
        }
    }
}

/// `juliet players remove-identity`
struct PlayersRemoveIdentity: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove-identity",
        abstract: "Remove an identity.",
        usage: "juliet players remove-identity <id> <provider> --reason <text>",
        discussion: "Sessions that it opened stay open: `juliet players end-sessions` ends them.")

    @Argument(help: .playerOfV2) var id: String
    @Argument(help: ArgumentHelp("The provider, as `juliet players show` prints it.", valueName: "provider"))
    var provider: String
    @OptionGroup var change: AccountChangeOptions

    func run() async throws {
        try await change.run { records in
            guard try await records.removeIdentity(provider, of: User.ID(id)) else {
                throw CommandError("player \(id.quoted) has no identity of \(provider.quoted)")
            }
            return "removed the identity of \(provider)"
        }
    }
}

/// `juliet players end-sessions`
struct PlayersEndSessions: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "end-sessions",
        abstract: "Sign a device out, or all of them.",
        usage: "juliet players end-sessions <id> [--session <session>] --reason <text>")

    @Argument(help: .playerOfV2) var id: String
    @Option(help: ArgumentHelp("Only this session, by its id.", valueName: "session")) var session: String?
    @OptionGroup var change: AccountChangeOptions

    func run() async throws {
        try await change.run { records in
            let only = session.flatMap { PostgresUUID($0) }
            guard session == nil || only != nil else {
                throw CommandError("player \(id.quoted) has no session \((session ?? "").quoted)")
            }
            let ended = try await records.endSessions(only, of: User.ID(id))
            guard ended > 0 else { throw CommandError("player \(id.quoted) has no such session") }
            return "ended \(counted(ended, "session"))"
        }
    }
}

/// `juliet players recovery-code`
struct PlayersRecoveryCode: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recovery-code",
        abstract: "Make a new recovery code; the old one stops working.",
        usage: "juliet players recovery-code <id> --reason <text> [<options>]",
        discussion: """
            Use this for a player who has lost every way to sign in, and who has proved to you who \
            they are. Whoever has the code can play as the player, so hand it over where nobody \
            else can read it. It is printed once and is not stored.
            """)

    @Argument(help: .playerOfV2) var id: String
    @OptionGroup var change: AccountChangeOptions

    func run() async throws {
        try await change.run { records in
            guard let code = try await records.replaceRecoveryCode(of: User.ID(id)) else {
                throw CommandError("there is no player \(id.quoted) of /v2")
            }
            return code
        }
    }
}

/// `juliet players renew-nonces`
struct PlayersRenewNonces: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "renew-nonces",
        abstract: "Replace the key that signs challenges and nonces.",
        usage: "juliet players renew-nonces --reason <text> [<options>]",
        discussion: """
            Use this if somebody has read the database. The key signs nobody in, but whoever has \
            it can make challenges and nonces. Those made with the old key stop working within ten \
            seconds.
            """)

    @OptionGroup var change: AccountChangeOptions

    func run() async throws {
        try await change.run { records in
            try await records.renewNonceKey()
            return "replaced the key that signs challenges and nonces"
        }
    }
}

extension ArgumentHelp {
    /// What names a player of `/v2`.
    fileprivate static let playerOfV2 = ArgumentHelp("The player, by their id.", valueName: "id")
}
