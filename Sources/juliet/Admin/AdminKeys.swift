import ArgumentParser
import JulietGame

/// `juliet admin keys …`
struct AdminKeys: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Make, list and revoke keys of the admin page.",
        subcommands: [AdminKeysAdd.self, AdminKeysList.self, AdminKeysRevoke.self]
    )
}

/// `juliet admin keys add`
struct AdminKeysAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Make a key for a person, and print it once.",
        usage: "juliet admin keys add <name> [--role <role>] [<options>]",
        discussion: """
            Make one key for each person, because its name is in the audit trail. The database \
            keeps only the key's SHA-256. If somebody loses their key or needs another role, run \
            `juliet admin keys revoke` and make a new one.
            """)

    @Argument(help: "1 to 64 visible ASCII characters without a colon.") var name: String
    @Option(
        help: ArgumentHelp(
            "What the key may do: support (players, leagues, challenges, names, what goes on), words (the lists, the words of days), or owner "
                + "(everything, including the figures and the whole trail).", valueName: "role"))
    var role = AdminRole.support
    @OptionGroup var options: WordsOptions

    func validate() throws { try check(name) }

    func run() async throws {
        try await options.run { connection in
            let key = try await AdminRecords(connection: connection).addKey(
                for: name, role: role, by: SystemUser.actor)
            guard let key else {
                throw CommandError(
                    "\(name.quoted) already has a key. Revoke it first: \(options.database.command("admin keys revoke \(Invocation.quoted(name))"))"
                )
            }
            Terminal.print(
                options.json ? try Terminal.json(["name": name, "role": role.rawValue, "key": key.text]) : key.text)
            Terminal.note("this is the only time the key is shown: sign in with it at /admin on the admin port")
            Terminal.note("its role is \(role.rawValue)")
        }
    }
}

/// `juliet admin keys list`
struct AdminKeysList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show who has a key, what it may do, and when it was used last.",
        usage: "juliet admin keys list [<options>]")

    @OptionGroup var options: WordsOptions

    func run() async throws {
        try await options.run { connection in
            let keys = try await AdminRecords(connection: connection).keys()
            if options.json {
                Terminal.print(try Terminal.json(keys))
            } else if keys.isEmpty {
                Terminal.note(
                    "there are no keys yet. Make one: \(options.database.command("admin keys add NAME --role owner"))")
            } else {
                Terminal.print(AdminReport.keys(keys))
            }
        }
    }
}

/// `juliet admin keys revoke`
struct AdminKeysRevoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke a person's key, at once and everywhere.",
        usage: "juliet admin keys revoke <name> [<options>]",
        discussion: """
            A page that is signed in with it is refused from then on. The name stays in the audit \
            trail, and you may make another key for it.
            """)

    @Argument(help: "Whose key.") var name: String
    @OptionGroup var options: WordsOptions

    func validate() throws { try check(name) }

    func run() async throws {
        try await options.run { connection in
            guard try await AdminRecords(connection: connection).revokeKey(of: name, by: SystemUser.actor) else {
                throw CommandError("\(name.quoted) has no key")
            }
            Terminal.print(options.json ? try Terminal.json(["revoked": name]) : "revoked: \(name)")
        }
    }
}

extension AdminRole: ExpressibleByArgument {}

private func check(_ name: String) throws {
    guard AdminRecords.isName(name) else {
        throw ValidationError("a name must be 1 to 64 visible ASCII characters without a colon")
    }
}
