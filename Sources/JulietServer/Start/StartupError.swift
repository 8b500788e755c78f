package import HTTPServer
import Logging
import Migrations
package import Postgres

/// Why the service does not start: one line that says what to do.
package enum StartupError: Error, CustomStringConvertible {
    /// The database cannot be used.
    case database(PostgresError)
    /// The database lacks something that no migration can give it, as this line says.
    case unsuitable(String)
    /// The schema is older than this release; `newest` is the newest migration applied.
    case schemaBehind(newest: Int?)
    /// The schema's functions are not those of this release, and never were; `installed` is the release that they belong to.
    case codeBehind(installed: String?)
    /// The schema is newer than this release, and its migrations do not promise that this one still works.
    case schemaTooNew([Int])
    /// Other files than this release's made the schema, as these migrations show.
    case otherFiles([String])
    /// An object that keeps balances and ledger consistent is missing or altered.
    case schemaFaults([String])
    /// The service's role may do more than it should.
    case excessRights([String])
    /// The address cannot be listened on.
    case listen(place: String, HTTPServerError)

    /// The line.
    package var description: String {
        switch self {
        case .database(let error):
            "the database cannot be used: \(Self.line(error))"
        case .unsuitable(let lack):
            lack
        case .schemaBehind(nil):
            "the database has no schema yet: run juliet migrate up"
        case .schemaBehind(let newest?):
            "the database's schema is at \(newest), this release needs a newer one: run juliet migrate up"
        case .codeBehind(let installed):
            "the database has \(installed.map { "the functions of release \($0)" } ?? "no functions of any release"), this release needs its own: run juliet migrate up"
        case .schemaTooNew(let versions):
            "the database's schema is newer than this release (\(versions.map(String.init).joined(separator: ", "))): install the release that brought it"
        case .otherFiles(let titles):
            "the database was \(SchemaState.made(byOthers: titles)): start the program that made it, or give this one a database of its own"
        case .schemaFaults(let faults):
            "the database's schema is incomplete or altered: \(Self.listed(faults)). Run juliet migrate up to repair functions and triggers; for anything else restore the whole database and run juliet audit"
        case .excessRights(let rights):
            "the service's role has rights that it must not have: \(Self.listed(rights)): revoke them (the page ledger.md says how)"
        case .listen(let place, let error):
            "cannot listen on \(place): \(error)\(Self.advice(error))"
        }
    }

    /// PostgreSQL's message in one line: of the start, or of an attempt to connect. Neither can quote a player.
    static func line(_ error: PostgresError) -> String {
        let lines = error.debugDescription.split(separator: "\n").map { $0.drop(while: \.isWhitespace) }
        return lines.joined(separator: ": ") + error.connectionAdvice
    }

    private static func advice(_ error: HTTPServerError) -> String {
        switch error {
        case .addressInUse, .portForbidden: "; choose another with --port (http.port)"
        default: ""
        }
    }

    private static func listed(_ items: [String]) -> String {
        items.prefix(5).joined(separator: ", ") + (items.count > 5 ? " and \(items.count - 5) more" : "")
    }

    static func check(_ fitness: SchemaFitness, _ logger: Logger) throws(StartupError) {
        switch fitness {
        case .ready: break
        case .readyOnNewer(let versions, let release):
            let migrations =
                versions.isEmpty ? "" : ", with migrations \(versions.map(String.init).joined(separator: ", "))"
            logger.notice(
                "the schema is of a newer release\(release.map { " (\($0))" } ?? "") and works with this one too\(migrations)"
            )
        case .codeBehind(let installed): throw .codeBehind(installed: installed)
        case .behind(let newest): throw .schemaBehind(newest: newest)
        case .tooNew(let versions): throw .schemaTooNew(versions)
        case .otherFiles(let titles): throw .otherFiles(titles)
        }
    }
}

extension PostgresError {
    /// What to add to the error where the server or the role has no connection left: what to do. Empty: it is another error.
    var connectionAdvice: String {
        sqlState == .tooManyConnections
            ? ": the role has no connection left: stop services or end sessions, or raise its CONNECTION LIMIT or max_connections (the page watching.md says how many a service needs)"
            : ""
    }
}
