import JulietGame

/// What `juliet players show` prints: the ways into an account, and no secret. Times are UTC.
struct PlayersReport: Encodable {
    let name: String
    let sessions: [PlayerExport.Session]
    let passkeys: [PlayerExport.Passkey]
    let identities: [PlayerExport.Identity]

    init(_ player: PlayerExport) {
        name = player.name
        sessions = player.sessions
        passkeys = player.passkeys
        identities = player.identities
    }

    var text: String {
        [
            Terminal.table([["name", name]]),
            Self.table(
                ["since", "session", "last used", "by"],
                sessions.map { [$0.createdAt.seconds, $0.id, $0.lastUsedAt.seconds, $0.by] }),
            Self.table(
                ["since", "passkey", "last used", "synced", "name"],
                passkeys.map {
                    [
                        $0.createdAt.seconds, $0.id, $0.lastUsedAt?.seconds ?? "never", $0.isSynced ? "yes" : "no",
                        $0.name,
                    ]
                }),
            Self.table(
                ["since", "identity of", "issuer", "subject"],
                identities.map { [$0.createdAt.seconds, $0.provider, $0.issuer, $0.subject] }),
        ].compactMap(\.self).joined(separator: "\n\n")
    }

    private static func table(_ head: [String], _ rows: [[String]]) -> String? {
        rows.isEmpty ? nil : Terminal.table([head] + rows)
    }
}
