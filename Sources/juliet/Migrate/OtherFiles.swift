import JulietGame
import Migrations

/// What is said of a database whose migrations are not this program's.
struct OtherFiles: Error, CustomStringConvertible {
    /// The migrations that show it.
    let lines: [SchemaState.Line]
    /// The folder of `juliet dev` that has the database; nil: it is not one's.
    private let folder: String?
    /// Whether a command that changes databases has refused this one.
    private let isRefused: Bool

    /// - Parameters:
    ///   - state: The program's own migrations and the database; nil is returned if nothing shows other files.
    ///   - folder: The folder of `juliet dev` that has the database.
    ///   - isRefused: Whether a command that changes databases refuses this one.
    init?(_ state: SchemaState, folder: String? = nil, isRefused: Bool = false) {
        lines = state.ofOtherFiles
        if lines.isEmpty { return nil }
        self.folder = folder
        self.isRefused = isRefused
    }

    /// Runs a body that changes the database according to the program's own migrations.
    ///
    /// - Parameter folder: The folder of `juliet dev` that has the database.
    /// - Throws: `OtherFiles` for a database that other files made, also if they did so after the first comparison.
    static func refused<Result>(
        by runner: MigrationRunner, folder: String? = nil, _ body: () async throws -> Result
    ) async throws -> Result {
        func check() async throws {
            let state = try await runner.state(of: Schema.migrations)
            if let others = OtherFiles(state, folder: folder, isRefused: true) { throw others }
        }
        try await check()
        do {
            return try await body()
        } catch MigrationError.refused(let refusal) {
            if case .drift = refusal { try await check() }
            throw MigrationError.refused(refusal)
        }
    }

    /// What differs, and what to do.
    var description: String {
        let parts = [
            isRefused ? "; nothing has changed." : ".", folder == nil ? " `juliet migrate verify` lists them all." : "",
            " \(advice)",
        ]
        return "this database was \(SchemaState.made(byOthers: lines.map(\.title)))\(parts.joined())"
    }

    /// What to do.
    var advice: String {
        guard let folder else {
            return
                "Make a new database for this program, and keep this one, or a whole dump of it, for the program that made it"
        }
        return "Give --data a new folder; \(folder) stays as it is, for the version that made it"
    }
}
