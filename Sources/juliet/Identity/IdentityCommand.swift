import ArgumentParser
import JulietGame
import OpenIDConnect

/// `juliet identity …`
struct IdentityCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "identity",
        abstract: "Check the keys of a provider that players sign in with.",
        discussion: """
            A provider, such as Apple, signs ID tokens. The service verifies them with the provider's public \
            keys, which are in a file (identities.NAME.keys). When you fetch that file, check the new one \
            before it replaces the old one.
            """,
        subcommands: [IdentityCheck.self]
    )
}

/// `juliet identity check`
struct IdentityCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check that a file is a JWK Set with keys that can verify ID tokens.",
        usage: "juliet identity check <file> [--json]",
        discussion: """
            Prints the keys that can be used, and those that are skipped, with the reason: type, use, \
            algorithm, keyID, size or malformed. - is standard input.

            Exit status: 0 at least one key can be used, 1 none can, or the file is not a JWK Set, 64 wrong \
            usage.
            """)

    @Argument(help: ArgumentHelp("A JWK Set, as the provider publishes it.", valueName: "file")) var path: String
    @Flag(help: "Print one JSON document for scripts.") var json = false

    func run() async throws {
        try await reportingErrors {
            let bytes = Array(try InputFile.contents(of: path))
            guard let keys = try? JSONWebKeySet(json: bytes) else {
                throw CommandError("\(path) is not a JWK Set: a JSON object with \"keys\", a list of objects")
            }
            let report = IdentityReport(keys)
            Terminal.print(json ? try Terminal.json(report) : report.text)
            guard !report.keys.isEmpty else { throw ExitCode.failure }
        }
    }
}

/// What `juliet identity check` prints.
struct IdentityReport: Encodable {
    /// A key that is passed over.
    struct Skipped: Encodable {
        let index: Int
        let keyID: String?
        let reason: String
    }

    /// The names of the keys that can be used; nil for a key that has none.
    let keys: [String?]
    let skipped: [Skipped]

    init(_ keys: JSONWebKeySet) {
        self.keys = keys.keyIDs
        skipped = keys.skipped.map { Skipped(index: $0.index, keyID: $0.keyID, reason: $0.reason.rawValue) }
    }

    var text: String {
        let used = keys.map { $0.map { "key \($0)" } ?? "a key without kid" }
        let rest = skipped.map { "skipped: key \($0.keyID ?? "number \($0.index + 1)"): \($0.reason)" }
        return ((used.isEmpty ? ["no key can be used: all ID tokens would be refused"] : used) + rest)
            .joined(separator: "\n")
    }
}
