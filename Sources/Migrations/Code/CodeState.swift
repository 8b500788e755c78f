/// The code of a release and that of a database, side by side: a value, no I/O.
public struct CodeState: Sendable, Hashable {
    /// How an object's files and the database compare.
    public enum Status: String, Sendable, Hashable, CaseIterable {
        /// The same as in the files.
        case installed
        /// Not installed yet.
        case new
        /// Installed, from an earlier version of the file.
        case changed
        /// Installed, but in no file any more: `up` drops it, or retires it if a role may call it.
        case gone
        /// Different from what was installed: somebody changed it or its rights by hand, or dropped it.
        case altered
        /// In no file any more, but kept for services of the previous release until it is pruned.
        case retired

        /// Whether `up` has something to do here.
        public var isPending: Bool {
            switch self {
            case .new, .changed, .gone, .altered: true
            case .installed, .retired: false
            }
        }
    }

    /// An object, from the files, the database or both.
    public struct Line: Sendable, Hashable {
        /// How the two compare.
        public let status: Status
        /// Its name: `function pay_for_game(text, text, bigint)`.
        public let object: String
        /// The object in the files; nil: there is none.
        public let piece: CodePiece?
        /// The row in the database; nil: it was never installed.
        public let entry: CodeEntry?
    }

    /// An object's catalog entry.
    public struct Found: Sendable, Hashable {
        let object: String
        let digest: String
        let callers: [String]
        /// A function's signature with the schemas of its name and types: another server of a cluster, which gets
        /// the statement, may look elsewhere.
        let qualifiedName: String
    }

    /// Every known object, in the order in which they are installed; objects in no file come first.
    public let lines: [Line]
    /// The release whose code is installed, if it is newer than these files. Then the files are not installed.
    public let newer: String?

    /// Compares.
    ///
    /// - Parameters:
    ///   - code: The files.
    ///   - release: The files' release.
    ///   - entries: The installed objects.
    ///   - releases: The releases whose code was installed, the latest first.
    ///   - found: The catalog entries of the installed objects.
    ///   - roles: The roles that exist, of those the files name.
    init(
        code: SchemaCode, release: String = "", entries: [CodeEntry], releases: [ReleaseEntry], found: [Found],
        roles: Set<String>
    ) {
        let known = releases.contains { $0.codeChecksum == code.checksum }
        let latest = releases.first { $0.codeChecksum != code.checksum }
        let isOther = releases.first?.codeChecksum != code.checksum
        newer = isOther && latest?.isNewer(than: release, isKnown: known) == true ? latest?.release : nil
        let entriesByObject = Dictionary(entries.map { ($0.object, $0) }, uniquingKeysWith: { first, _ in first })
        let foundByObject = Dictionary(found.map { ($0.object, $0) }, uniquingKeysWith: { first, _ in first })
        var withdrawn: Set<String> = []
        var said: [Line] = []
        for piece in code.pieces {
            if case .withdrawal(let object) = piece.kind {
                withdrawn.insert(object)
                continue
            }
            let entry = entriesByObject[piece.object]
            let status: Status
            if let entry, entry.retiredAt == nil {
                let isAsInstalled =
                    entry.digest == nil
                    || foundByObject[piece.object].map {
                        $0.digest == entry.digest && $0.callers == piece.callers.filter(roles.contains).sorted()
                    } ?? false
                status = entry.checksum != piece.checksum ? .changed : isAsInstalled ? .installed : .altered
            } else {
                status = .new
            }
            said.append(Line(status: status, object: piece.object, piece: piece, entry: entry))
        }
        let objects = Set(code.pieces.map(\.object))
        let others = entries.filter { !objects.contains($0.object) }.sorted(by: CodeEntry.goesBefore).map { entry in
            Line(
                status: entry.retiredAt == nil || withdrawn.contains(entry.object) ? .gone : .retired,
                object: entry.object, piece: nil, entry: entry)
        }
        self.withdrawn = withdrawn
        isRecorded = releases.first?.codeChecksum == code.checksum
        lines = others + said
    }

    /// Whether these files are what was installed last.
    public let isRecorded: Bool

    /// Objects to drop even if somebody may still call them.
    let withdrawn: Set<String>

    /// What `up` would do; nothing on a database that has a newer release's code.
    public var pending: [Line] { newer == nil ? lines.filter(\.status.isPending) : [] }

    /// The objects that were changed by hand.
    public var altered: [Line] { newer == nil ? lines.filter { $0.status == .altered } : [] }

    /// Whether the database has any of it.
    public var hasAny: Bool { lines.contains { $0.entry != nil } }

    /// The objects that wait to be pruned.
    public var retired: [Line] { lines.filter { $0.status == .retired } }

    /// Whether a line's object stays for services of the previous release.
    func isKept(_ line: Line) -> Bool { line.entry?.isEntry == true && !withdrawn.contains(line.object) }
}
