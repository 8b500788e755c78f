import Foundation
import TestSupport
import Testing

@Suite("The long proofs", .defaultLayout("starts servers of its own"), .timeLimit(.minutes(5)))
struct ProofTests {
    /// scripts/prove in a folder of its own, with programs that say that they run and do nothing in the place of all it could run.
    ///
    /// - Parameters:
    ///   - failing: The program that fails.
    ///   - account: The number of the account that it runs as.
    private func prove(
        _ arguments: String, failing: String = "none", as account: Int = 0
    ) async throws -> (status: String, lines: [String], log: (String) -> String) {
        let folder = try TemporaryFolder()
        func write(_ name: String, _ script: String) throws {
            let path = URL(filePath: "\(folder.path)/\(name)")
            try FileManager.default.createDirectory(
                at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("#!/bin/sh\n\(script)\n".utf8).write(to: path)
            chmod(path.path, 0o755)
        }
        for place in ["Benchmarks", "packaging", "scripts"] {
            let names = try FileManager.default.contentsOfDirectory(atPath: Program.root.appending(path: place).path)
            for name in names {
                try write("\(place)/\(name)", "echo \"\(name) $*\"; [ \(place)/\(name) != \(failing) ]")
            }
        }
        try write("tools/swift", #"echo "swift $*""#)
        try write("tools/id", "echo \(account)")
        let script = "\(folder.path)/scripts/prove"
        try FileManager.default.removeItem(atPath: script)
        try FileManager.default.copyItem(atPath: Program.root.appending(path: "scripts/prove").path, toPath: script)
        let output = try await Command.run([
            "/bin/sh", "-c", "PATH='\(folder.path)/tools':$PATH '\(script)' \(arguments) 2>&1; echo $?",
        ])
        let lines = output.split(separator: "\n").map(String.init)
        return (
            try #require(lines.last), Array(lines.dropLast()),
            { (try? String(contentsOfFile: "\(folder.path)/.build/prove/\($0).log", encoding: .utf8)) ?? "" }
        )
    }

    @Test("are listed with what they prove, and each runs something; an unknown name is refused")
    func list() async throws {
        let list = try await prove("--list").lines
        #expect(list.count >= 8)
        for line in list { #expect(line.firstMatch(of: /^[a-z]+ +[0-9]+ min  +[a-z]/) != nil, "\(line)") }
        let all = try await prove("--quick")
        let hasCitus = FileManager.default.fileExists(atPath: "/usr/lib/postgresql/15/lib/citus.so")
        #expect(all.status == (hasCitus ? "0" : "77"), "\(all.lines)")
        for (line, listed) in zip(all.lines.suffix(list.count), list) {
            let name = String(listed.prefix { $0 != " " })
            let isLeftOut = !hasCitus && ["several", "servers"].contains(name)
            let words = line.split(separator: " ")
            #expect(words[0] == name && words[1] == (isLeftOut ? "left" : "held"), "\(line)")
            #expect(all.log(name).isEmpty == isLeftOut, "\(name) runs \(all.log(name))")
        }
        let refused = try await prove("fuzz x")
        #expect(refused.lines.count == 1 && refused.status == "64")
        #expect(refused.lines.first?.hasPrefix("prove: there is no proof called x: stress churn ") == true)
    }

    @Test("install what those that are to run need, and nothing for a list or an unknown name")
    func setup() async throws {
        #expect(try await prove("--setup recovery").lines.first == "setup test")
        #expect(try await prove("--setup slow package").lines.prefix(2) == ["setup bench", "setup debian"])
        for arguments in ["--setup --list", "--setup fuzz x"] {
            #expect(try await !prove(arguments).lines.contains { $0.hasPrefix("setup") })
        }
        // `make prove` leaves it to the script, which has asked before what is to run.
        let make = try await Command.run(["make", "-n", "-C", Program.root.path, "prove", "ARGS=--list"])
        #expect(make.split(separator: "\n").filter { $0.contains("scripts/") } == ["scripts/prove --setup --list"])
    }

    @Test("one that does not hold ends with the end of its log and status 1, and the others run; one left out with 77")
    func broken() async throws {
        let broken = try await prove("slow recovery", failing: "Benchmarks/slow")
        #expect(broken.status == "1" && broken.lines.contains("slow "), "\(broken.lines)")
        #expect(broken.lines.suffix(2).map { $0.prefix(17) } == ["slow       broken", "recovery   held  "])
        let leftOut = try await prove("pages", as: 1000)
        #expect(leftOut.status == "77" && leftOut.lines.last?.contains("left out: it needs root") == true)
        #expect(leftOut.log("pages") == "")
    }

    /// scripts/test, with a compiler that prints what it is told to and does nothing.
    ///
    /// - Parameters:
    ///   - failures: What a run that fails prints, a test a line.
    ///   - free: The mebibytes that are free in the temporary folder.
    private func test(
        prints counts: [String], failures: [String] = [], free: Int = 4096
    ) async throws -> (status: String, last: String, whole: String) {
        let tools = try TemporaryFolder()
        // Each run of the tests prints the next count, and that it skipped one suite and its two tests.
        try tools.write("failures", failures.map { "\($0)\n" }.joined())
        try tools.write("counts", counts.map { "\($0)\n" }.joined())
        try tools.write(
            "swift",
            """
            #!/bin/sh
            [ "$1" = test ] || exit 0
            cat '\(tools.path)/failures'
            echo '➜ Suite "On several servers" skipped: "Citus is not installed"'
            echo '➜ Test "a" skipped: "Citus is not installed"'
            echo '➜ Test b() skipped.'
            echo '◇ Test "what is skipped: c" started.'
            echo "✔ Test run with $(head -n 1 '\(tools.path)/counts') \(failures.isEmpty ? "passed" : "failed") after 1.0 seconds."
            sed -i 1d '\(tools.path)/counts'
            exit \(failures.isEmpty ? 0 : 1)

            """)
        try tools.write("df", "#!/bin/sh\necho; echo 'tmpfs 0 0 \(free * 1024) 0% /tmp'\n")
        for name in ["swift", "df"] { chmod("\(tools.path)/\(name)", 0o755) }
        let script = Program.root.appending(path: "scripts/test").path
        let output = try await Command.run([
            "/bin/sh", "-c", "PATH='\(tools.path)':$PATH '\(script)' 2>&1; echo $?",
        ])
        let lines = output.split(separator: "\n").map(String.init)
        return (try #require(lines.last), try #require(lines.dropLast().last), output)
    }

    @Test("make test counts what each of its runs tested, without what it skipped, and none may test nothing")
    func counts() async throws {
        let (first, ran) = ("7 tests in 3 suites", "5 tests in 2 suites")
        let whole = try await test(
            prints: [first, "5 tests in 2 suites", "3 tests in 2 suites", "4 tests in 3 suites"])
        let several = CitusCluster.isInstalled ? ", and 6 on several servers" : ""
        #expect(whole.status == "0" && whole.last == "passed: \(ran)\(several)", "\(whole.whole)")
        let failed = try await test(
            prints: [first],
            failures: [
                "✘ Test \"a\" failed after 0.1 seconds with 1 issue.",
                "✘ Test case passing 1 argument n → 1 to \"b\" failed after 0.1 seconds with 1 issue.",
                "✘ Test b(n:) with 2 test cases failed after 0.2 seconds with 1 issue.",
                "✘ Suite \"c\" failed after 0.3 seconds with 2 issues.",
            ])
        #expect(failed.status == "1" && failed.last == "FAILED: \(ran), 2 failed", "\(failed.whole)")
        let full = try await test(prints: [first], free: 1999)
        #expect(full.status == "1" && !full.whole.contains("formatting"), "\(full.whole)")
        #expect(
            full.last.hasPrefix("test: /")
                && full.last.contains(" has 1999 MiB free, and the tests need 2000 MiB there"))
        let failing = [["2 tests in 1 suite"]] + (CitusCluster.isInstalled ? [[first, "2 tests in 1 suite"]] : [])
        for counts in failing {
            let nothing = try await test(prints: counts)
            #expect(nothing.status == "1" && nothing.whole.contains("test: no test ran"), "\(nothing.whole)")
        }
    }

    @Test("point-in-time recovery with the settings of docs/backup.md brings back the game as it was")
    func recovery() async throws {
        let script = Program.root.appending(path: "scripts/prove-recovery").path
        let output = try await Command.run(["env", "PROGRAM=\(Program.executable.path)", script])
        #expect(output.hasSuffix("held: 1000|25000 players and energy, as before"), "\(output)")
    }
}
