import EventLoop
import Postgres

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A PostgreSQL cluster of `juliet dev`'s own, on a Unix socket that only its owner reaches.
struct LocalCluster: Sendable {
    /// Owns the schema.
    static let ownerRole = "juliet"
    /// Serves the game, with only the rights of the migrations' role of that name.
    static let serviceRole = "juliet_service"
    /// The name of PostgreSQL's folder in the cluster's home.
    private static let cluster = "data"

    let folder: DataFolder

    private let programs: PostgresPrograms
    /// The major version of PostgreSQL that made the cluster; nil: there is none yet.
    private let madeBy: String?
    /// Where the cluster's files are, a folder of the account that runs PostgreSQL: in the data folder, which stays root's if
    /// root runs this, unless the account cannot reach that.
    let home: String
    private let isElsewhere: Bool
    private let socketFolder: String

    /// - Throws: `CommandError` when PostgreSQL is not installed.
    init(folder: DataFolder) async throws {
        self.folder = folder
        let newest = try PostgresPrograms()
        isElsewhere = await !newest.reaches(folder.path)
        home = isElsewhere ? "/var/lib/juliet-dev/\(Self.digest(folder.path))" : "\(folder.path)/postgres"
        // A cluster runs with the major version that made it alone.
        let made = try? String(contentsOfFile: "\(home)/\(Self.cluster)/PG_VERSION", encoding: .utf8)
        madeBy = made?.split(separator: "\n").first.map(String.init)
        programs = if let madeBy { try PostgresPrograms(version: madeBy) } else { newest }
        socketFolder = Self.socketFolder(of: home, for: folder.path)
    }

    /// Where the cluster's socket is: in its folder, unless a client cannot name that.
    ///
    /// A socket's path has at most 107 bytes (unix(7)); PostgreSQL's file name takes 16. In `host`, a comma separates hosts.
    static func socketFolder(of home: String, for folder: String) -> String {
        let own = "\(home)/run"
        return own.utf8.count <= 88 && !own.contains(",") ? own : "/tmp/juliet-\(digest(folder))"
    }

    /// Where to connect as a role: libpq's `keyword=value` pairs, in one line.
    func connectionString(user: String, database: String = "juliet") -> String {
        "host=\(Self.quoted(socketFolder)) port=5432 dbname=\(database) user=\(user)"
    }

    /// Makes the cluster unless it exists, starts it unless it runs, and makes roles and database.
    ///
    /// A cluster that a killed `juliet dev` left running is used as it is.
    ///
    /// - Parameter lock: The folder's.
    func start(_ lock: DataFolder.Lock, report: (String) -> Void) async throws {
        let path = "\(home)/\(Self.cluster)"
        // If the folder was deleted, start again, even if the files of its cluster are elsewhere.
        if lock.isNew, isElsewhere, programs.exists(path) {
            report("deleting the cluster in \(path): the folder that it belonged to is gone")
            try? await run(programs.path("pg_ctl"), "-D", Self.cluster, "-w", "-m", "immediate", "stop")
            // Renamed first, so that a kill half way leaves nothing that looks complete.
            try await run("rm", "-rf", "\(Self.cluster).gone")
            try await run("mv", Self.cluster, "\(Self.cluster).gone")
            try await run("rm", "-rf", "\(Self.cluster).gone")
        }
        lock.setInUse()
        try checkVersion(of: path)
        try programs.makeFolder(home)
        try programs.makeFolder(socketFolder)
        if !programs.exists("\(path)/PG_VERSION") {
            report("creating a database cluster in \(path)")
            // Made under another name and renamed, so that a kill half way leaves nothing that looks complete.
            let unfinished = "\(Self.cluster).new"
            try await run("rm", "-rf", unfinished, Self.cluster)
            try await run(
                programs.path("initdb"), "-D", unfinished, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C",
                failure: "initdb failed")
            try await run("mv", unfinished, Self.cluster)
        }
        if (try? await run(programs.path("pg_ctl"), "-D", Self.cluster, "status")) == nil {
            report("starting PostgreSQL")
            // The shell does not read again what a variable stands for.
            try await run(
                "env", "SOCKET_FOLDER=\(socketFolder)", programs.path("pg_ctl"), "-D", Self.cluster, "-w", "-t", "60",
                "-l", "postgres.log", "-o",
                "-c listen_addresses='' -c port=5432 -c unix_socket_permissions=0700 -k \"$SOCKET_FOLDER\"", "start",
                failure: "PostgreSQL does not start; its log is \(home)/postgres.log")
        }
        try await makeRolesAndDatabase()
        try (connectionString(user: Self.ownerRole) + "\n")
            .write(toFile: folder.connection, atomically: true, encoding: .utf8)
    }

    /// Refuses a cluster of another major version, which PostgreSQL does not start.
    private func checkVersion(of path: String) throws {
        guard programs.exists("\(path)/PG_VERSION"), let madeBy, let version = programs.version, madeBy != version
        else {
            return
        }
        throw CommandError(
            """
            \(path) was made by PostgreSQL \(madeBy), and this is \(version); nothing has changed. Install PostgreSQL \(madeBy), \
            too, and juliet dev uses it for this folder. Or move the players. Where PostgreSQL \(madeBy) is, while juliet dev runs:

              pg_dump --format=custom --exclude-schema=pg_catalog --file=juliet.dump \
            --dbname="$(cat \(Invocation.quoted(folder.connection)))"

            Then here, while juliet dev runs in a new folder, NEW, and start it again afterwards:

              { echo 'DROP SCHEMA juliet CASCADE;'; pg_restore --no-owner --file=- juliet.dump; } | \
            psql -qX --set=ON_ERROR_STOP=1 --single-transaction --dbname="$(cat NEW/connection)"
            """)
    }

    /// Stops PostgreSQL. Everything that was acknowledged is on the disk.
    func stop() async {
        unlink(folder.connection)
        try? await run(programs.path("pg_ctl"), "-D", Self.cluster, "-w", "-m", "fast", "stop")
    }

    /// Runs a program in the cluster's home.
    ///
    /// `pg_ctl` starts PostgreSQL through a shell, and does not quote the names of the cluster and of the log for it. So they
    /// are names of files there, not paths.
    private func run(_ program: String, _ arguments: String..., failure: String? = nil) async throws {
        try await programs.run(program, arguments, in: home, failure: failure)
    }

    private func makeRolesAndDatabase() async throws {
        let loop = try EventLoop(label: "juliet dev")
        defer { loop.shutdown() }
        let superuser = PostgresConfiguration(
            connectionString: connectionString(user: "postgres", database: "postgres"))
        let connection = try await PostgresConnection.connect(superuser, on: loop)
        try await connection.executeScript(
            """
            DO $$ BEGIN
                IF to_regrole('juliet') IS NULL THEN CREATE ROLE juliet LOGIN CREATEROLE; END IF;
                IF to_regrole('juliet_service') IS NULL THEN CREATE ROLE juliet_service LOGIN; END IF;
                -- As packaging/database does: the service leaves connections to operators.
                IF (SELECT rolconnlimit = -1 FROM pg_roles WHERE rolname = 'juliet_service') THEN
                    EXECUTE 'ALTER ROLE juliet_service CONNECTION LIMIT '
                        || (SELECT greatest(most - 20, most / 2) FROM current_setting('max_connections') AS setting,
                            CAST(setting AS integer) AS most);
                END IF;
            END $$
            """)
        if try await connection.first(FindDatabase()) == nil {
            try await connection.executeScript("CREATE DATABASE juliet OWNER juliet")
        }
        await connection.close()
    }

    /// A value of a connection string (libpq, "Keyword/Value Connection Strings"): in quotes if it needs them.
    private static func quoted(_ value: String) -> String {
        guard value.contains(where: { $0.isWhitespace || $0 == "'" || $0 == "\\" }) else { return value }
        return "'" + value.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }

    /// Eight letters that stand for a path (FNV-1a).
    private static func digest(_ path: String) -> String {
        var hash: UInt32 = 2_166_136_261
        for byte in path.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        return String(hash, radix: 16)
    }
}

/// A row if the game's database is there.
private struct FindDatabase: Statement {
    var sql: StaticString { "SELECT 1 FROM pg_database WHERE datname = 'juliet'" }
    var access: StatementAccess { .read }
    typealias Row = NoRow
}
