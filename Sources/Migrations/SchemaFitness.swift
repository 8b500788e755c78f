/// Whether a service can work on a database's schema: what it asks when it starts.
public enum SchemaFitness: Sendable, Hashable {
    /// The schema is the one this release knows.
    case ready
    /// Newer releases have added these versions, and all promised to leave this one working.
    case readyOnNewer([Int])
    /// These versions, or the newest known one, are not applied: `juliet migrate up` is due.
    case behind(newestApplied: Int?)
    /// Newer releases have applied these versions without promising anything.
    case tooNew([Int])

    /// Compares the ledger with what a release knows.
    ///
    /// - Parameters:
    ///   - ledger: The database's rows, see ``Ledger/entries(read:)``.
    ///   - required: The newest version this release has a file for.
    public init(ledger: [LedgerEntry], required: Int) {
        let applied = ledger.filter { $0.appliedAt != nil }
        guard applied.contains(where: { $0.version == required }) else {
            self = .behind(newestApplied: applied.map(\.version).max())
            return
        }
        // One still under way counts as well: it changes the schema already.
        let newer = ledger.filter { $0.version > required }
        let breaking = newer.filter { !$0.isBackwardCompatible }.map(\.version)
        if !breaking.isEmpty {
            self = .tooNew(breaking)
        } else if newer.isEmpty {
            self = .ready
        } else {
            self = .readyOnNewer(newer.map(\.version))
        }
    }

    /// Whether the service may start.
    public var isReady: Bool {
        switch self {
        case .ready, .readyOnNewer: true
        case .behind, .tooNew: false
        }
    }
}
