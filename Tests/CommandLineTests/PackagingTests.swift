import Foundation
import TestSupport
import Testing

@Suite("Packaging")
struct PackagingTests {
    private static let folder = Program.root.appending(path: "packaging").path

    @Test("packaging/database makes roles and database once, and brings passwords up to date", .timeLimit(.minutes(1)))
    func database() async throws {
        let cluster = try await PostgresCluster.start()
        defer { cluster.remove() }
        let files = try TemporaryFolder()
        let superuser = ["env", "PGHOST=\(cluster.directory)", "PGPORT=\(cluster.port)", "PGUSER=postgres"]
        try await Command.run(superuser + ["\(Self.folder)/database"])
        let roles =
            "SELECT string_agg(rolname || ' ' || rolcanlogin, ', ' ORDER BY rolname) FROM pg_roles WHERE rolname ~ '^juliet'"
        #expect(try await cluster.psql(roles) == "juliet true, juliet_owner true, juliet_service false")
        for password in ["first'; --", "second"] {
            let passwords = [
                "OWNER_PASSWORD_FILE=\(try files.write("owner", password + "\n"))",
                "SERVICE_PASSWORD_FILE=\(try files.write("service", password))",
            ]
            try await Command.run(superuser + passwords + ["\(Self.folder)/database"])
            let known = "SELECT string_agg(rolpassword, ' ' ORDER BY rolname) FROM pg_authid WHERE rolname ~ '^juliet_'"
            let before = try await cluster.psql(known)
            #expect(before.matches(of: #/SCRAM-SHA-256/#).count == 2)
            #expect(!before.contains(password))
        }
        #expect(try await cluster.psql(roles) == "juliet true, juliet_owner true, juliet_service true")

        // What comes after it: the owner migrates, the service serves.
        let program = try await Program()
        let owner = "host=\(cluster.directory) port=\(cluster.port) user=juliet_owner dbname=juliet"
        #expect(try await program.run(["migrate", "up", "--database", owner]).status == 0)
        #expect(try await program.run(["energy", "audit", "--database", owner]).status == 0)

        // What docs/operations.md saves and brings back is whole, and the service may use it.
        let dump = "\(files.path)/juliet.dump"
        try await Command.run(superuser + ["pg_dump", "--format=custom", "--dbname=juliet", "--file=\(dump)"])
        try await cluster.psql("DROP DATABASE juliet")
        try await Command.run(superuser + ["\(Self.folder)/database"])
        try await Command.run([
            "pg_restore", "--dbname=\(owner)", "--exclude-schema=pg_catalog", "--no-owner", "--exit-on-error",
            "--single-transaction", dump,
        ])
        #expect(try await program.run(["energy", "audit", "--database", owner]).status == 0)
        let right = "SELECT has_schema_privilege('juliet_service', 'juliet', 'USAGE')"
        #expect(try await cluster.psql(right, database: "juliet") == "t")
        await #expect(throws: Command.Failure.self) {
            try await Command.run(superuser + ["OWNER_PASSWORD_FILE=/nowhere", "\(Self.folder)/database"])
        }
    }

    @Test("packaging/compose-secrets gives each password to the one account that needs it, and changes those named")
    func secrets() async throws {
        let folder = try TemporaryFolder()
        let make = { (names: [String]) in
            _ = try await Command.run(
                ["env", "SECRETS=\(folder.path)/secrets", "\(Self.folder)/compose-secrets"] + names)
        }
        guard geteuid() == 0 else {
            await #expect(throws: Command.Failure.self) { try await make([]) }
            return
        }
        try await make([])
        let files = ["superuser", "owner", "service"].map { "\(folder.path)/secrets/\($0)-password" }
        #expect(
            try await Command.run(["stat", "-c", "%a %u:%g %s"] + files)
                == "400 0:0 48\n400 10002:10002 48\n400 10001:10001 48")
        let read = { try files.map { try String(contentsOfFile: $0, encoding: .utf8) } }
        let first = try read()
        #expect(Set(first).count == 3)
        try await make([])
        #expect(try read() == first)
        try await make(["service"])
        let second = try read()
        #expect(second[..<2] == first[..<2] && second[2] != first[2])
        await #expect(throws: Command.Failure.self) { try await make(["servcie"]) }
    }

    @Test("compose and systemd wait longer for the end of the service than it takes to answer what it has")
    func grace() async throws {
        let config = try await Program().run(["config"]).output
        let deadline = try #require(config.firstMatch(of: #/http.shutdownDeadline = (\d+)s/#).flatMap { Int($0.1) })
        let compose = try String(contentsOf: Program.root.appending(path: "docker-compose.yml"), encoding: .utf8)
        let juliet = try #require(compose.firstMatch(of: #/\n  juliet:\n(?:(?:    .*)?\n)*/#)).0
        let grace = try #require(juliet.firstMatch(of: #/stop_grace_period: (\d+)s/#).flatMap { Int($0.1) })
        #expect(grace > deadline + 5)
        // One build for one tag.
        #expect(compose.matches(of: #/\n    build:/#).count == 1)
        let unit = try String(contentsOfFile: "\(Self.folder)/juliet@.service", encoding: .utf8)
        let stop = try #require(unit.firstMatch(of: #/TimeoutStopSec=(\d+)/#).flatMap { Int($0.1) })
        let notice = try #require(unit.firstMatch(of: #/SHUTDOWN_NOTICE=(\d+)s/#).flatMap { Int($0.1) })
        #expect(stop > notice + deadline + 5)
    }

    @Test("every script of packaging is one its shell can read")
    func scripts() async throws {
        let files = try FileManager.default.subpathsOfDirectory(atPath: Self.folder).map { "\(Self.folder)/\($0)" }
        var count = 0
        for file in files {
            guard let text = try? String(contentsOfFile: file, encoding: .utf8), text.hasPrefix("#!") else { continue }
            try await Command.run([text.contains("bash") ? "bash" : "sh", "-n", file])
            #expect(FileManager.default.isExecutableFile(atPath: file))
            count += 1
        }
        #expect(count >= 8)
    }
}
