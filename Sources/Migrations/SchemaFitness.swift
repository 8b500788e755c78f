/// Whether a service can work with a database's schema, which it checks when it starts.
public enum SchemaFitness: Sendable, Hashable {
    /// Tables and code are the ones this release knows.
    case ready
    /// A newer release has added these versions, which all promise that this one still works, or has installed its
    /// code over this one's, or both.
    case readyOnNewer([Int], release: String?)
    /// These versions, or the newest known one, are not applied: run `juliet migrate up`.
    case behind(newestApplied: Int?)
    /// The tables are the ones this release knows, its code was never installed: run `juliet migrate up`.
    case codeBehind(installed: String?)
    /// Newer releases have applied these versions without promising anything.
    case tooNew([Int])

    /// Compares the ledgers with what a release knows.
    ///
    /// - Parameters:
    ///   - ledger: The rows of `schema_migrations`.
    ///   - required: The newest version this release has a file for.
    ///   - code: The checksum of this release's code; nil: it has none.
    ///   - release: The name of this release.
    ///   - releases: The rows of `schema_releases`, the latest first.
    public init(
        ledger: [LedgerEntry], required: Int, code: String? = nil, release: String = "", releases: [ReleaseEntry] = []
    ) {
        let applied = ledger.filter { $0.appliedAt != nil }
        guard applied.contains(where: { $0.version == required }) else {
            self = .behind(newestApplied: applied.map(\.version).max())
            return
        }
        // A migration under way counts as well, because it changes the schema already.
        let newer = ledger.filter { $0.version > required }
        let breaking = newer.filter { !$0.isBackwardCompatible }.map(\.version)
        let isOwnCode = code == nil || releases.first?.codeChecksum == code
        if !breaking.isEmpty {
            self = .tooNew(breaking)
        } else if newer.isEmpty, isOwnCode {
            self = .ready
        } else if newer.isEmpty,
            releases.first?.isNewer(
                than: release, isKnown: releases.contains { $0.codeChecksum == code }) != true
        {
            self = .codeBehind(installed: releases.first?.release)
        } else {
            self = .readyOnNewer(newer.map(\.version), release: isOwnCode ? nil : releases.first?.release)
        }
    }

    /// Whether the service may start.
    public var isReady: Bool {
        switch self {
        case .ready, .readyOnNewer: true
        case .behind, .codeBehind, .tooNew: false
        }
    }
}
