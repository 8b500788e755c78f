import ArgumentParser
import Foundation
import JulietServer
import TestSupport
import Testing

@testable import juliet

@Suite("Packaging", .defaultLayout("starts servers of its own"))
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

        await #expect(throws: Command.Failure.self) {
            try await Command.run(superuser + ["OWNER_PASSWORD_FILE=/nowhere", "\(Self.folder)/database"])
        }
    }

    @Test(
        "packaging/restore replaces the database when the restored one has passed the audit, and changes nothing before",
        .timeLimit(.minutes(5)))
    func restore() async throws {
        let cluster = try await PostgresCluster.start()
        defer { cluster.remove() }
        let files = try TemporaryFolder()
        let program = Program.executable.deletingLastPathComponent().path
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let superuser = [
            "env", "PGHOST=\(cluster.directory)", "PGPORT=\(cluster.port)", "PGUSER=postgres",
            "PATH=\(program):\(path)",
        ]
        func dump(_ name: String) async throws -> String {
            let file = "\(files.path)/\(name)"
            try await Command.run(superuser + ["pg_dump", "--format=custom", "--dbname=juliet", "--file=\(file)"])
            return file
        }
        func restore(_ words: String, from file: String) async throws -> String {
            try await Command.run(superuser + ["sh", "-c", "exec \(Self.folder)/restore \(words) < \(file)"])
        }
        func refusal(_ words: String = "", from file: String) async throws -> String {
            let failure = await #expect(throws: Command.Failure.self) { try await restore(words, from: file) }
            return failure?.output ?? ""
        }
        func databases() async throws -> String {
            try await cluster.psql(
                "SELECT string_agg(left(datname, 15), ' ' ORDER BY datname) FROM pg_database WHERE datname ~ '^juliet'")
        }
        func players() async throws -> String {
            try await cluster.psql("SELECT string_agg(id::text, ' ' ORDER BY id) FROM juliet.users", database: "juliet")
        }
        try await Command.run(superuser + ["\(Self.folder)/database"])
        let owner = ["--database", "dbname=juliet options=-crole=juliet_owner"]
        try await Command.run(superuser + ["juliet", "migrate", "up"] + owner)
        func register(_ name: String) async throws {
            try await cluster.psql("SELECT juliet.register_user('\(name)', NULL, NULL)", database: "juliet")
        }
        try await register("Ada")
        let whole = try await dump("whole.dump")

        // A half, and one of something else.
        let half = "\(files.path)/half.dump"
        let bytes = try Data(contentsOf: URL(filePath: whole))
        try bytes.prefix(bytes.count / 2).write(to: URL(filePath: half))
        #expect(try await refusal(from: half).contains("pg_restore: error: "))
        let other = "\(files.path)/other.dump"
        try await Command.run(superuser + ["pg_dump", "--format=custom", "--dbname=postgres", "--file=\(other)"])
        #expect(try await refusal("try", from: other).contains("it has no players"))
        // While somebody is connected.
        let used = try await Command.run(
            superuser + ["psql", "--dbname=juliet", "--command=\\! \(Self.folder)/restore < \(whole) 2>&1"])
        #expect(used.contains("the database juliet is in use, by psql as postgres"), "\(used)")
        #expect(try await refusal("swap", from: whole).contains("there is no database juliet_restored"))
        #expect(try await refusal("load it", from: whole).contains("restore --help says more"))
        #expect(try await databases() == "juliet")

        // One of an older release lacks what this one installs; one of a newer release cannot be taken.
        try await cluster.psql("DROP FUNCTION juliet.read_league(bytea, uuid)", database: "juliet")
        #expect(try await restore("try", from: dump("older.dump")).contains("the dump is good"))
        try await cluster.psql(
            "INSERT INTO juliet.schema_migrations SELECT (jsonb_populate_record(m, '{\"version\": 9999, \"backward_compatible\": false}')).* "
                + "FROM juliet.schema_migrations AS m LIMIT 1", database: "juliet")
        #expect(try await refusal("try", from: dump("newer.dump")).contains("this release cannot take the dump"))
        try await cluster.psql("DELETE FROM juliet.schema_migrations WHERE version = 9999", database: "juliet")

        // One that does not add up.
        try await register("Bob")
        try await cluster.psql(
            "SET session_replication_role = replica; UPDATE juliet.users SET energy = energy + 1", database: "juliet")
        let wrong = try await dump("wrong.dump")
        #expect(try await refusal("try", from: wrong).contains("the audit has found something"))
        #expect(try await databases() == "juliet")
        #expect(try await refusal(from: wrong).contains("the database juliet is as it was"))
        #expect(try await databases() == "juliet juliet_restored")
        #expect(try await refusal(from: whole).contains("there is a database juliet_restored"))
        try await cluster.psql("DROP DATABASE juliet_restored")
        #expect(try await players() == "Ada Bob")

        #expect(try await restore("try", from: whole).contains("the dump is good"))
        #expect(try await databases() == "juliet")
        #expect(try await restore("", from: whole).contains("the database juliet is the restored one"))
        #expect(try await databases() == "juliet juliet_before_2")
        #expect(try await players() == "Ada")
        let right = "SELECT has_schema_privilege('juliet_service', 'juliet', 'USAGE')"
        #expect(try await cluster.psql(right, database: "juliet") == "t")
    }

    @Test(
        "packaging/backup makes a dump that can be restored, keeps the newest ones, and deletes none unless there is a new one",
        .timeLimit(.minutes(2)))
    func backup() async throws {
        let cluster = try await PostgresCluster.start()
        defer { cluster.remove() }
        let files = try TemporaryFolder()
        let program = Program.executable.deletingLastPathComponent().path
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let superuser = [
            "env", "PGHOST=\(cluster.directory)", "PGPORT=\(cluster.port)", "PGUSER=postgres",
            "PATH=\(program):\(path)",
        ]
        let dumps = "\(files.path)/dumps", copies = "\(files.path)/copies"
        func backup(_ words: String..., folder: String? = nil) async throws -> String {
            let line = "exec \(Self.folder)/backup \(folder ?? dumps) 2>&1"
            return try await Command.run(superuser + words + ["sh", "-c", line])
        }
        func refusal(_ words: String..., folder: String? = nil) async throws -> String {
            let line = "\(Self.folder)/backup \(folder ?? dumps) 2>&1 && exit 9; echo status $?"
            return try await Command.run(superuser + words + ["sh", "-c", line])
        }
        func names(in folder: String) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0 != ".lock" }.sorted()
        }
        #expect(try await refusal().contains("there is no folder \(dumps)\nstatus 1"))
        #expect(try await refusal(folder: "").contains("name the folder of the dumps"))
        #expect(try await refusal("BACKUP_KEEP=0").contains("at least 1\nstatus 64"))
        try FileManager.default.createDirectory(atPath: dumps, withIntermediateDirectories: true)
        for day in ["2026-11-01", "2026-11-02", "2026-11-03"] {
            try files.write("dumps/juliet-\(day)_033000.dump", "older")
        }
        try files.write("dumps/juliet-mine.dump", "another's")
        let before = try names(in: dumps)

        // No database, and one that has no players: all stays as it was.
        #expect(try await refusal("BACKUP_KEEP=1").contains("pg_dump failed. The older dumps stay\nstatus 1"))
        try await Command.run(superuser + ["\(Self.folder)/database"])
        #expect(try await refusal("BACKUP_KEEP=1").contains("the dump has no players. The older dumps stay\nstatus 1"))
        #expect(try names(in: dumps) == before)

        let owner = "dbname=juliet options=-crole=juliet_owner"
        try await Command.run(superuser + ["juliet", "migrate", "up", "--database", owner])
        let said = try await backup("BACKUP_KEEP=2")
        let made = try #require(said.firstMatch(of: #/made (\S+/(juliet-[-\d_]+\.dump)), \d+ bytes/#)).output
        #expect(try names(in: dumps) == ["juliet-2026-11-03_033000.dump", "\(made.2)", "juliet-mine.dump"])
        let mode = try FileManager.default.attributesOfItem(atPath: "\(made.1)")[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let tried = try await Command.run(superuser + ["sh", "-c", "\(Self.folder)/restore try < \(made.1) 2>&1"])
        #expect(tried.contains("the dump is good"), "\(tried)")

        // A dump from the future is older than one that was just made.
        try files.write("dumps/juliet-2999-01-01_000000.dump", "a clock was wrong")
        try await Task.sleep(for: .seconds(1))
        let missing = try await refusal("BACKUP_COPY=\(copies)")
        #expect(missing.contains("the dump is made but not copied: there is no folder \(copies)\nstatus 1"))
        try FileManager.default.createDirectory(atPath: copies, withIntermediateDirectories: true)
        try await Task.sleep(for: .seconds(1))
        #expect(try await backup("BACKUP_KEEP=1", "BACKUP_COPY=\(copies)").contains("copied it to \(copies)"))
        let copied = try names(in: copies)
        #expect(copied.count == 1 && copied[0] > "\(made.2)")
        #expect(try names(in: dumps) == [copied[0], "juliet-mine.dump"])
    }

    @Test("packaging/scaling/certificates makes a server's certificate once, and renews it for the same key")
    func certificates() async throws {
        let folder = try TemporaryFolder()
        let script = "\(Self.folder)/scaling/certificates", tls = "\(folder.path)/tls"
        func read(_ file: String) throws -> String { try String(contentsOfFile: "\(tls)/\(file)", encoding: .utf8) }
        let files = ["worker1/server.key", "worker1/server.crt", "worker2/server.crt", "authority.crt"]
        let made = try await Command.run([script, tls, "worker1", "worker2"])
        #expect(made.wholeMatch(of: /worker1: until \d{4}-\d\d-\d\d\nworker2: until \d{4}-\d\d-\d\d/) != nil, "\(made)")
        let first = try files.map(read)
        #expect(try await Command.run([script, tls, "worker1", "worker2", "worker3"]).hasPrefix("worker3: until "))
        #expect(try files.map(read) == first)

        #expect(try await Command.run([script, "--renew", tls, "worker1"]).hasPrefix("worker1: until "))
        #expect(try zip(files, first).filter { try read($0) != $1 }.map(\.0) == ["worker1/server.crt"])
        let said = try await Command.run([
            "openssl", "x509", "-in", "\(tls)/worker1/server.crt", "-noout", "-subject", "-ext", "subjectAltName",
            "-pubkey",
        ])
        #expect(said.contains("CN = juliet-server") && said.contains("DNS:worker1"), "\(said)")
        let key = try await Command.run(["openssl", "pkey", "-in", "\(tls)/worker1/server.key", "-pubout"])
        #expect(said.contains(key))
        for server in ["worker1", "worker2", "worker3"] {
            try await Command.run([
                "openssl", "verify", "-CAfile", "\(tls)/authority.crt", "\(tls)/\(server)/server.crt",
            ])
        }
        let failure = await #expect(throws: Command.Failure.self) {
            try await Command.run([script, "--renew", tls, "worker1", "worker9"])
        }
        #expect(failure?.output.contains("there is no \(tls)/worker9/server.key") == true)
    }

    @Test("scripts/citus installs what it built of this release for this PostgreSQL, and builds any other")
    func citus() async throws {
        let folder = try TemporaryFolder()
        let programs = try TemporaryFolder()
        let root = try TemporaryFolder()
        for (name, text) in [
            ("pg_config", "echo PostgreSQL 16.4"), ("sudo", "exec \"$@\""), ("dpkg-query", "exit 1"),
            ("apt-get", "exit 7"),
        ] {
            let path = try programs.write(name, "#!/bin/sh\n\(text)\n")
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
        for path in ["src/backend/distributed/planner", "built-13.2.2-for-postgresql-16/usr/lib"] {
            try FileManager.default.createDirectory(
                atPath: "\(folder.path)/\(path)", withIntermediateDirectories: true)
        }
        try folder.write("src/backend/distributed/planner/local_plan_cache.c", "")
        for name in ["whole", "usr/lib/citus.so"] { try folder.write("built-13.2.2-for-postgresql-16/\(name)", "") }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        func run(_ release: String) async throws -> String {
            try folder.write("configure", "PACKAGE_VERSION='\(release)'\n")
            return try await Command.run([
                "env", "PATH=\(programs.path):\(path)", "PG_CONFIG=\(programs.path)/pg_config",
                "DESTDIR=\(root.path)", Program.root.appending(path: "scripts/citus").path, folder.path,
            ])
        }
        #expect(try await run("13.2.2").hasPrefix("citus: 13.2.2 is installed for PostgreSQL 16. "))
        #expect(try await Command.run(["find", root.path, "-type", "f"]) == "\(root.path)/usr/lib/citus.so")
        let failure = await #expect(throws: Command.Failure.self) { try await run("13.2.3") }
        #expect(
            failure?.output.contains("citus: apt-get could not install them") == true, "\(String(describing: failure))")
    }

    @Test(
        "packaging/provider-keys replaces a provider's keys when there are some of use, and else leaves what there was",
        .timeLimit(.minutes(1)))
    func providerKeys() async throws {
        let files = try TemporaryFolder()
        let key = """
            {"kty":"EC","crv":"P-256","kid":"one","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
             "y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}
            """
        // What a provider publishes, and how nginx is asked whether it is there.
        let published = try TemporaryFolder()
        for (path, text) in [
            ("live", ""), ("keys", #"{"keys": [\#(key)]}"#),
            ("useless", #"{"keys": [\#(key.replacing(#""kid":"one","#, with: #""use":"enc","#))]}"#),
            ("text", "no JSON"),
        ] { try published.write(path, text) }
        let (provider, port) = try await Self.serve(published)
        defer { provider.signal(SIGKILL) }
        let proxy = try await HTTPSProxy.start(
            .nginx, file: "\(Self.folder)/https/nginx.conf", before: try #require(UInt16(exactly: port)))
        defer { proxy.stop() }
        let address = "https://\(HTTPSProxy.name):\(proxy.port)"
        for (folder, keys) in [("realm", "\(address)\\/keys"), ("plain", "http://127.0.0.1:\(port)/keys")] {
            let folder = "\(published.path)/\(folder)/.well-known"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try "{\"issuer\": \"\(address)\", \"jwks_uri\" :\n \"\(keys)\", \"scopes_supported\": [\"openid\"]}"
                .write(toFile: "\(folder)/openid-configuration", atomically: true, encoding: .utf8)
        }
        try files.write(
            ".curlrc",
            "cacert = \(proxy.authority)\nnoproxy = \"*\"\nresolve = \(HTTPSProxy.name):\(proxy.port):127.0.0.1\n")

        let file = "\(files.path)/apple.json"
        /// What went wrong; nil: nothing.
        func fetch(_ url: String) async throws -> String? {
            do {
                try await Command.run([
                    "env", "HOME=\(files.path)", "CURL_HOME=\(files.path)", "JULIET=\(Program.executable.path)",
                    "\(Self.folder)/provider-keys", url, file,
                ])
                return nil
            } catch let failure as Command.Failure {
                return failure.output
            }
        }
        for url in ["\(address)/keys", "\(address)/realm/.well-known/openid-configuration"] {
            try? FileManager.default.removeItem(atPath: file)
            let fault = try await fetch(url)
            #expect(fault == nil, "\(url): \(fault ?? "")")
            #expect(try String(contentsOfFile: file, encoding: .utf8).contains(#""kid":"one""#))
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(mode == 0o644)
        }
        let before = try String(contentsOfFile: file, encoding: .utf8)
        for url in [
            "\(address)/useless", "\(address)/text", "\(address)/nowhere", "http://127.0.0.1:\(port)/keys",
            "\(address)/plain/.well-known/openid-configuration",
        ] {
            #expect(try await fetch(url) != nil, "\(url)")
            #expect(try String(contentsOfFile: file, encoding: .utf8) == before)
        }
        // Nothing half is left behind.
        #expect(try FileManager.default.contentsOfDirectory(atPath: files.path).sorted() == [".curlrc", "apple.json"])
    }

    /// Serves the files of a folder, one of which is `live`, over HTTP on a port of an address, and waits until it answers.
    private static func serve(
        _ folder: TemporaryFolder, on address: String = "127.0.0.1"
    ) async throws -> (process: ChildProcess, port: Int) {
        let port = try Command.freePort()
        let process = try ChildProcess(
            ["python3", "-m", "http.server", "--bind", address, "--directory", folder.path, "\(port)"])
        do {
            try await Command.run([
                "curl", "--silent", "--fail", "--noproxy", "*", "--retry", "100", "--retry-connrefused",
                "--retry-delay", "1", "http://\(address.contains(":") ? "[\(address)]" : address):\(port)/live",
            ])
        } catch {
            process.signal(SIGKILL)
            throw error
        }
        return (process, port)
    }

    @Test(
        "packaging/ready asks each address of this machine, for which the unit lets it speak to the kernel",
        .timeLimit(.minutes(1)))
    func readyElsewhere() async throws {
        let unit = try String(contentsOfFile: "\(Self.folder)/juliet@.service", encoding: .utf8)
        let families = try #require(unit.firstMatch(of: #/\nRestrictAddressFamilies=(.*)/#)).1.split(separator: " ")
        // getifaddrs(3) is what hostname uses.
        #expect(Set(families) == ["AF_INET", "AF_INET6", "AF_NETLINK", "AF_UNIX"])
        let answers = try TemporaryFolder()
        for path in ["live", "ready"] { try answers.write(path, "") }
        let others = try await Command.run(["hostname", "-I"]).split(separator: " ").map(String.init)
        let hasIPv6 = ((try? String(contentsOfFile: "/proc/net/if_inet6", encoding: .utf8)) ?? "").contains(" lo\n")
        for address in (hasIPv6 ? ["::1"] : []) + others {
            let (service, port) = try await Self.serve(answers, on: address)
            defer { service.signal(SIGKILL) }
            #expect(try await Command.run(["\(Self.folder)/ready", "\(port)"]) == "", "\(address)")
            #expect(try await Command.run(["\(Self.folder)/ready", "--live", "\(port)"]) == "", "\(address)")
        }
    }

    @Test(
        "packaging/ready --live asks whether the process answers, also while it is not ready", .timeLimit(.minutes(1)))
    func live() async throws {
        let answers = try TemporaryFolder()
        try answers.write("live", "")
        let (service, port) = try await Self.serve(answers)
        #expect(try await Command.run(["\(Self.folder)/ready", "--live", "\(port)"]) == "")
        var failure = await #expect(throws: Command.Failure.self) {
            try await Command.run(["\(Self.folder)/ready", "\(port)"])
        }
        #expect(failure?.output == "ready: the service on port \(port) is not ready")
        service.signal(SIGKILL)
        _ = await service.end()
        failure = await #expect(throws: Command.Failure.self) {
            try await Command.run(["\(Self.folder)/ready", "--live", "\(port)"])
        }
        #expect(failure?.output == "ready: the service on port \(port) is not live")
    }

    @Test("packaging/ready ends with the process of its unit, which MAINPID names", .timeLimit(.minutes(1)))
    func readyOfEndedProcess() async throws {
        let port = try Command.freePort()
        // The inner shell has ended when its number is known.
        let unit = #"MAINPID=$(bash -c 'echo $$') exec "$0" "$1" 60"#
        let failure = await #expect(throws: Command.Failure.self) {
            try await Command.run(["bash", "-c", unit, "\(Self.folder)/ready", "\(port)"])
        }
        #expect(failure?.output == "ready: the service on port \(port) has ended: its log says why")
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

    @Test(
        "the image is built from what .dockerignore lets through: the package is whole there, and so is what is installed",
        .timeLimit(.minutes(2)))
    func image() async throws {
        let folder = try TemporaryFolder()
        let context = "\(folder.path)/context"
        let ignored = try String(contentsOf: Program.root.appending(path: ".dockerignore"), encoding: .utf8)
        let lines = ignored.split(separator: "\n").filter { !$0.hasPrefix("#") }
        let taken = lines.filter { $0.hasPrefix("!") }.map { String($0.dropFirst()) }
        let left = lines.filter { $0.hasPrefix("**/") }.map { "--exclude=\($0.dropFirst(3))" }
        #expect(lines.first == "*" && lines.count == 1 + taken.count + left.count)
        #expect((taken + left).allSatisfy { $0.wholeMatch(of: #/[-=./\w]+/#) != nil })
        let copy = "tar c \((left + taken).joined(separator: " ")) | tar x -C \(context)"
        try await Command.run(["bash", "-c", "mkdir \(context) && cd \(Program.root.path) && \(copy)"])

        let described = try await Command.run(
            ["swift", "package", "--package-path", context, "describe", "--type", "json"])
        #expect(described.contains(#""name" : "JulietServer""#) && !described.contains("warning:"), "\(described)")
        // scripts/build --locked writes it there.
        try await Command.run(["cp", Program.root.appending(path: "Package.resolved").path, context])
        let programs = Program.executable.deletingLastPathComponent().path
        try await Command.run(["env", "PROGRAMS=\(programs)", "\(context)/packaging/install", "\(folder.path)/image"])
        for path in [
            "bin/juliet", "bin/juliet-play", "share/juliet/ready", "share/juliet/database", "share/juliet/LICENSE",
            "share/juliet/restore", "share/juliet/backup",
            "share/juliet/config/juliet.json", "share/juliet/config/words/english-secret.txt",
            "share/juliet/config/words/english-meanings.txt", "share/juliet/config/words/LICENSE-WORDNET",
            "share/juliet/config/names/LICENSE-UNICODE", "share/juliet/config/names/refused.txt",
            "share/doc/juliet/versions.txt",
        ] {
            #expect(FileManager.default.fileExists(atPath: "\(folder.path)/image/\(path)"), "\(path)")
        }

        // The sources of the layer before it: the same names, and none of what they say.
        try await Command.run(["\(context)/packaging/outline", context])
        let outline = try await Command.run([
            "swift", "package", "--package-path", context, "describe", "--type", "json",
        ])
        #expect(outline == described)
        let sizes = try await Command.run(["find", "\(context)/Sources/JulietServer", "-type", "f", "-size", "+0"])
        #expect(sizes == "\(context)/Sources/JulietServer/Release.swift", "scripts/build --locked reads it")
        let list = "docs/releases/\(Release.version).txt"
        #expect(FileManager.default.isExecutableFile(atPath: "\(context)/scripts/versions"))
        #expect(
            try String(contentsOfFile: "\(context)/\(list)", encoding: .utf8)
                == String(contentsOf: Program.root.appending(path: list), encoding: .utf8))
    }

    @Test("scripts/setup says in one sentence that PyPI is out of reach", .timeLimit(.minutes(2)))
    func noPythonPackages() async throws {
        let folder = try TemporaryFolder()
        for (file, place) in [("scripts/setup", "scripts"), ("Tests/BrowserTests/axe.txt", "Tests/BrowserTests")] {
            try FileManager.default.createDirectory(
                atPath: "\(folder.path)/\(place)", withIntermediateDirectories: true)
            try await Command.run(["cp", Program.root.appending(path: file).path, "\(folder.path)/\(place)/"])
        }
        // What else is missing on this machine is not the test's to install.
        for name in ["sudo", "apt-get", "brew"] {
            try folder.write(name, "#!/bin/sh\nexit 7\n")
            chmod("\(folder.path)/\(name)", 0o755)
        }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let failure = await #expect(throws: Command.Failure.self) {
            try await Command.run([
                "env", "-u", "PIP_FIND_LINKS", "-u", "PIP_EXTRA_INDEX_URL", "PIP_CONFIG_FILE=/dev/null",
                "PIP_INDEX_URL=http://127.0.0.1:1/", "PIP_RETRIES=0", "PATH=\(folder.path):\(path)",
                "\(folder.path)/scripts/setup", "test",
            ])
        }
        #expect(
            failure?.output == """
                setup: getting the Python packages of Tests/BrowserTests/axe.txt
                setup: pip could not install the Python packages of Tests/BrowserTests/axe.txt (.build/axe/pip.log says why): \
                they come from PyPI, for which the network is needed once.
                """)
        let log = try String(contentsOfFile: "\(folder.path)/.build/axe/pip.log", encoding: .utf8)
        #expect(log.contains("axe"))
    }

    @Test("compose and systemd wait longer for the end of the service than it takes to answer what it has")
    func grace() async throws {
        let config = try await Program().run(["config"]).output
        let deadline = try #require(config.firstMatch(of: #/http.shutdownDeadline = (\d+)s/#).flatMap { Int($0.1) })
        let compose = try String(contentsOf: Program.root.appending(path: "docker-compose.yml"), encoding: .utf8)
        let juliet = try #require(compose.firstMatch(of: #/\n  juliet:\n(?:(?:    .*)?\n)*/#)).0
        let grace = try #require(juliet.firstMatch(of: #/stop_grace_period: (\d+)s/#).flatMap { Int($0.1) })
        #expect(grace > deadline + 5)
        // It pulls the image, which one service of the other file builds.
        let build = try String(contentsOf: Program.root.appending(path: "compose.build.yml"), encoding: .utf8)
        #expect(!compose.contains("\n    build:") && build.matches(of: #/\n    build:/#).count == 1)
        let unit = try String(contentsOfFile: "\(Self.folder)/juliet@.service", encoding: .utf8)
        let stop = try #require(unit.firstMatch(of: #/TimeoutStopSec=(\d+)/#).flatMap { Int($0.1) })
        let notice = try #require(unit.firstMatch(of: #/SHUTDOWN_NOTICE=(\d+)s/#).flatMap { Int($0.1) })
        #expect(stop > notice + deadline + 5)
    }

    @Test(
        "make install brings programs, unit, pages and completions that are whole; make uninstall leaves nothing",
        .timeLimit(.minutes(3)))
    func install() async throws {
        let folder = try TemporaryFolder()
        let root = folder.path + #"/the "root`"#
        let make = { (target: String) in
            let programs = Program.executable.deletingLastPathComponent().path
            let variables = ["DESTDIR=\(root)", "PREFIX=/opt/juliet"]
            // What is missing on this machine is not the test's to install.
            try await Command.run(
                ["env", "PROGRAMS=\(programs)", "make", "-C", Program.root.path, "-o", "setup", target] + variables)
        }
        let prefix = "\(root)/opt/juliet"
        let isThere = { (path: String) in FileManager.default.fileExists(atPath: path) }
        // An earlier release brought a file that this one lacks; another is not Juliet's.
        try FileManager.default.createDirectory(atPath: "\(prefix)/share/juliet", withIntermediateDirectories: true)
        for (name, text) in [("gone", ""), ("another", ""), ("files", "./bin/juliet\n./share/juliet/gone\n")] {
            try text.write(toFile: "\(prefix)/share/juliet/\(name)", atomically: true, encoding: .utf8)
        }
        try await make("install")
        #expect(!isThere("\(prefix)/share/juliet/gone") && isThere("\(prefix)/share/juliet/another"))
        try FileManager.default.removeItem(atPath: "\(prefix)/share/juliet/another")
        let read = { (path: String) in try String(contentsOfFile: "\(prefix)/\(path)", encoding: .utf8) }

        // A page for each command that help shows, which a formatter has nothing to say about.
        let pages = try FileManager.default.contentsOfDirectory(atPath: "\(prefix)/share/man/man1").sorted()
        let commands = Self.names(of: Juliet.self, "juliet").sorted()
        #expect(pages == commands.map { "\($0).1" }.sorted() && commands.contains("juliet-migrate-up"))
        try await Command.run(
            ["mandoc", "-T", "lint", "-W", "warning"] + pages.map { "\(prefix)/share/man/man1/\($0)" })
        let page = try await Command.run(["mandoc", "-T", "utf8", "\(prefix)/share/man/man1/juliet-lottery-enter.1"])
        let text = page.replacing(#/.\x08/#, with: "")
        #expect(text.contains("SYNOPSIS\n       juliet lottery enter <number> ... [<options>]\n"), "\(text)")
        #expect(text.contains("\n       --player <id>\n              The id of a player of the game.\n"), "\(text)")

        // Each shell completes with the file that it looks for.
        let bash = """
            . '\(prefix)/share/bash-completion/completions/juliet'
            COMP_WORDS=(juliet migrate '') COMP_CWORD=2 COMP_LINE='juliet migrate ' COMP_POINT=15
            _juliet juliet '' migrate; echo "${COMPREPLY[@]}"
            """
        #expect(try await Command.run(["bash", "-c", bash]).split(separator: " ").contains("distribute"))
        let fish = [
            "env", "HOME=\(folder.path)", "XDG_DATA_DIRS=\(prefix)/share", "PATH=\(prefix)/bin:/usr/bin:/bin", "fish",
            "--no-config", "--command",
        ]
        let completed = try await Command.run(
            fish + ["source '\(prefix)/share/fish/vendor_completions.d/juliet.fish'; complete -C 'juliet migrate '"])
        #expect(completed.contains("distribute\t"), "\(completed)")
        let zsh = """
            fpath=('\(prefix)/share/zsh/site-functions' $fpath); autoload -Uz compinit; compinit -u -D
            [[ ${_comps[juliet]} = _juliet && ${_comps[juliet-play]} = _juliet-play ]] && autoload +X _juliet _juliet-play
            """
        try await Command.run(["zsh", "-f", "-c", zsh])

        // The unit starts what is there, and gives it what `juliet config --instance` says.
        let unit = try read("lib/systemd/system/juliet@.service")
        let programs = unit.matches(of: #/\nExec\w+=(\S+)/#).map(\.output.1)
        #expect(programs == ["/opt/juliet/bin/juliet", "/opt/juliet/share/juliet/ready"])
        #expect(programs.allSatisfy { isThere("\(root)\($0)") })
        let settings = try folder.write("juliet.json", "{}")
        let config = try await Program.run(["config", "--config", settings, "--instance", "8080"]).output
        let own = unit.matches(of: #/\nEnvironment=JULIET_(\w+)=(\S+)/#).map(\.output)
        #expect(own.map(\.1) == ["HTTP_SOCKET", "HTTP_SHUTDOWN_NOTICE"])
        for (key, setting) in zip(["http.socket", "http.shutdownNotice"], own) {
            #expect(config.contains("\(key) = \(setting.2)\n"))
        }
        let nightly = try read("lib/systemd/system/juliet-backup.service")
        #expect(nightly.contains("\nExecStart=/opt/juliet/share/juliet/backup /"))
        for path in ["share/juliet/backup", "lib/systemd/system/juliet-backup.timer"] {
            #expect(isThere("\(prefix)/\(path)"), "\(path)")
        }
        // A start needs its port, which goes with it.
        #expect(unit.contains("\nRequires=juliet@%i.socket\n"))
        #expect(try read("lib/systemd/system/juliet@.socket").contains("\nStopWhenUnneeded=yes\n"))

        // No page leads to what is not there.
        let documents = "\(prefix)/share/doc/juliet"
        var links = 0
        for page in try FileManager.default.contentsOfDirectory(atPath: documents) where page.hasSuffix(".md") {
            for match in try read("share/doc/juliet/\(page)").matches(of: #/\]\(([^)#:]+)(?:#[^)]*)?\)/#) {
                #expect(isThere("\(documents)/\(match.output.1)"), "\(page): \(match.output.1)")
                links += 1
            }
            for match in try read("share/doc/juliet/\(page)").matches(
                of: #/(?:/opt/juliet/share/juliet|packaging)/[\w/.-]*\w/#)
            where match.output != "packaging/compose-secrets" {
                #expect(isThere("\(root)\(match.output)"), "\(page): \(match.output)")
            }
        }
        #expect(links > 10)

        try await make("uninstall")
        #expect(try await Command.run(["find", root, "-type", "f"]) == "")
        #expect(!isThere("\(prefix)/share/juliet") && !isThere(documents))
    }

    @Test(
        "a prefix that systemd or a shell would read in another way is refused",
        arguments: ["/opt/a b", "/opt/o'b", "/opt/$b", "/opt/a|b"])
    func oddPrefix(prefix: String) async throws {
        let folder = try TemporaryFolder()
        let install = Program.root.appending(path: "packaging/install").path
        let failure = await #expect(throws: Command.Failure.self) {
            try await Command.run([install, "\(folder.path)/image", prefix])
        }
        #expect(failure?.output.contains("install: PREFIX is \(prefix): name a folder") == true)
    }

    /// A command that help shows and those below it, by their man pages' names.
    private static func names(of command: any ParsableCommand.Type, _ name: String) -> [String] {
        let configuration = command.configuration
        guard configuration.shouldDisplay else { return [] }
        return [name]
            + configuration.subcommands.flatMap { subcommand in
                names(of: subcommand, "\(name)-\(subcommand.configuration.commandName ?? "\(subcommand)".lowercased())")
            }
    }

    @Test("what the image and compose say of folders to write into fits together")
    func folders() throws {
        let read = { (name: String) in
            try String(contentsOf: Program.root.appending(path: name), encoding: .utf8)
        }
        let (compose, image) = (try read("docker-compose.yml"), try read("Dockerfile"))
        // The volume is the owner's, who is the one that writes there: as the folder of the image that it begins as.
        let owner = try #require(compose.firstMatch(of: #/x-owner: &owner\n(?:(?:  .*)?\n)*/#)).0
        let account = try #require(owner.firstMatch(of: #/user: "(\d+):(\d+)"/#))
        let folder = try #require(owner.firstMatch(of: #/- archive:(/\S+)/#)).1
        #expect(image.contains("install -d -m 0700 -o \(account.1) -g \(account.2) \(folder)\n"))
        #expect(compose.contains("\n  archive:\n"))
        // PostgreSQL's image has no such folder: a volume that began there would be root's.
        let dump = try #require(compose.firstMatch(of: #/\n  backup:\n(?:(?:    .*)?\n)*/#)).0
        #expect(dump.contains("image: postgres:") && dump.contains("    volumes: []\n"))
        // What `juliet play` keeps is in a volume, which its account may write to and the command at the head names.
        let kept = try #require(image.firstMatch(of: #/\nVOLUME (\S+)/#)).1
        #expect(image.contains("install -d -o 10001 -g 10001 /home/juliet/.local \(kept)\n"))
        #expect(kept == "/home/juliet/.local/state" && image.contains("--volume juliet-play:\(kept) juliet-play\n"))
    }

    @Test("every script of packaging is one its shell, or Python, can read")
    func scripts() async throws {
        let files = try FileManager.default.subpathsOfDirectory(atPath: Self.folder).map { "\(Self.folder)/\($0)" }
        var count = 0
        for file in files {
            guard let text = try? String(contentsOfFile: file, encoding: .utf8), text.hasPrefix("#!") else { continue }
            if text.hasPrefix("#!/usr/bin/env python3\n") {
                try await Command.run(["python3", "-c", "import ast, sys; ast.parse(open(sys.argv[1]).read())", file])
            } else {
                try await Command.run([text.contains("bash") ? "bash" : "sh", "-n", file])
            }
            #expect(FileManager.default.isExecutableFile(atPath: file))
            count += 1
        }
        #expect(count >= 8)
    }
}
