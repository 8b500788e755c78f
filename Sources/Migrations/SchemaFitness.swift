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
    /// Other files than this release's made the tables, as these migrations show, by title.
    case otherFiles([String])

    /// Compares a database with what a release knows.
    ///
    /// - Parameters:
    ///   - state: The release's files and the rows of `schema_migrations`.
    ///   - code: The checksum of this release's code; nil: it has none.
    ///   - release: The name of this release.
    ///   - releases: The rows of `schema_releases`, the latest first.
    public init(
        _ state: SchemaState, code: String? = nil, release: String = "", releases: [ReleaseEntry] = []
    ) {
        let other = state.ofOtherFiles
        guard other.isEmpty else {
            self = .otherFiles(other.map(\.title))
            return
        }
        guard state.lines.last(where: { $0.migration != nil })?.status == .applied else {
            self = .behind(newestApplied: state.lines.last { $0.entry?.appliedAt != nil }?.version)
            return
        }
        // A migration under way counts as well, because it changes the schema already.
        let newer = state.lines.filter { $0.migration == nil }
        let breaking = newer.filter { $0.status == .unknown }.map(\.version)
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
        case .behind, .codeBehind, .tooNew, .otherFiles: false
        }
    }
}
