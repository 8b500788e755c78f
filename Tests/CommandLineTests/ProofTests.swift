import Foundation
import TestSupport
import Testing

@Suite("The long proofs", .defaultLayout("starts servers of its own"), .timeLimit(.minutes(5)))
struct ProofTests {
    private let prove = Program.root.appending(path: "scripts/prove").path

    @Test("are listed with what they prove, each with its commands; an unknown name is refused")
    func list() async throws {
        let list = try await Command.run([prove, "--list"]).split(separator: "\n")
        let script = try String(contentsOfFile: prove, encoding: .utf8)
        #expect(list.count >= 8)
        for line in list {
            #expect(line.firstMatch(of: /^[a-z]+ +[0-9]+ min  +[a-z]/) != nil, "\(line)")
            #expect(script.contains("\nprove_\(line.prefix { $0 != " " })() {"), "\(line)")
        }
        let refused = try await Command.run(["/bin/sh", "-c", "'\(prove)' fuzz x; echo $?"])
        #expect(refused.hasPrefix("prove: there is no proof called x: stress churn ") && refused.hasSuffix("\n64"))
        // Neither needs anything installed: `make prove` leaves that to the script, which has asked before what is to run.
        let make = try await Command.run(["make", "-n", "-C", Program.root.path, "prove", "ARGS=--list"])
        #expect(make.split(separator: "\n").filter { $0.contains("scripts/") } == ["scripts/prove --setup --list"])
        for arguments in ["--list", "fuzz x"] {
            let trace = try await Command.run(["/bin/sh", "-c", "bash -x '\(prove)' --setup \(arguments) 2>&1 || true"])
            #expect(!trace.contains("scripts/setup"), "\(trace)")
        }
    }

    @Test("those that are left out are told by the exit status")
    func leftOut() async throws {
        // As somebody who is not root, whatever this test is.
        let tools = try TemporaryFolder()
        try tools.write("id", "#!/bin/sh\necho 1000\n")
        chmod("\(tools.path)/id", 0o755)
        let output = try await Command.run([
            "/bin/sh", "-c", "PATH='\(tools.path)':$PATH '\(prove)' pages; echo $?",
        ])
        #expect(output.contains("left out: it needs root") && output.hasSuffix("\n77"), "\(output)")
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

    @Test("point-in-time recovery with the settings of docs/operations.md brings back the game as it was")
    func recovery() async throws {
        let script = Program.root.appending(path: "scripts/prove-recovery").path
        let output = try await Command.run(["env", "PROGRAM=\(Program.executable.path)", script])
        #expect(output.hasSuffix("held: 1000|25000 players and energy, as before"), "\(output)")
    }
}
