import Foundation
import TestSupport
import Testing

@testable import JulietServer

@Suite("The list of what a release was built with", .defaultLayout("asks no database"), .timeLimit(.minutes(2)))
struct VersionsTests {
    private static let script = Program.root.appending(path: "scripts/versions").path
    private static let buildScript = Program.root.appending(path: "scripts/build").path

    /// A package that `Package.swift` asks for, in at least this version and below the next minor one.
    private struct Dependency {
        let name: String
        let address: String
        let version: [Int]
    }

    private static func dependencies() throws -> [Dependency] {
        let manifest = try String(contentsOf: Program.root.appending(path: "Package.swift"), encoding: .utf8)
        let pattern = #/\.package\(url: "(\S+/([\w-]+))", \.upToNextMinor\(from: "([\d.]+)"\)/#
        let found = manifest.matches(of: pattern).map {
            Dependency(name: "\($0.2)", address: "\($0.1)", version: numbers($0.3))
        }
        #expect(found.count == manifest.matches(of: /\.package\(url/).count && found.count > 5)
        return found
    }

    private static func numbers(_ version: some StringProtocol) -> [Int] {
        version.split(separator: ".").compactMap { Int($0) }
    }

    /// What is wrong with a list.
    ///
    /// - Parameter dependencies: What Package.swift asks for; none for the list of a release, which stays as it is.
    private static func faults(
        of list: String, revision: Regex<Substring>, dependencies: [Dependency]
    ) -> [String] {
        let lines = list.split(separator: "\n")
        var faults: [String] = []
        let head = "# What Juliet \(Release.version) was built with: name, version, revision, address. "
        if lines.first?.hasPrefix(head) != true { faults.append("it begins: \(lines.first ?? "")") }
        if lines.dropFirst().first?.wholeMatch(of: /swift \d+(\.\d+)+/) == nil { faults.append("no line of Swift") }
        let rows = lines.dropFirst(2).map { $0.split(separator: " ") }
        for row in rows
        where row.count != 4 || row[1].wholeMatch(of: /\d+\.\d+\.\d+/) == nil
            || row[2].wholeMatch(of: revision) == nil || row[3].wholeMatch(of: #/https://github\.com/[\w/.-]+/#) == nil
        {
            faults.append("no package: \(row.joined(separator: " "))")
        }
        if rows.map({ $0[0] }) != Set(rows.map { $0[0] }).sorted() { faults.append("not in order, or named twice") }
        for asked in dependencies {
            guard let row = rows.first(where: { $0[0] == asked.name }), row.count == 4, row[3] == asked.address else {
                faults.append("it lacks \(asked.name) of \(asked.address)")
                continue
            }
            let version = numbers(row[1])
            if version[..<2] != asked.version[..<2] || version[2] < asked.version[2] {
                faults.append("Package.swift does not take \(asked.name) \(row[1])")
            }
        }
        return faults
    }

    @Test("names each package that Package.swift asks for, in a version that it takes")
    func list() async throws {
        let made = try await Command.run([Self.script])
        #expect(try Self.faults(of: made, revision: /[0-9a-f]{40}/, dependencies: Self.dependencies()) == [])
        let kept = Program.root.appending(path: "docs/releases/\(Release.version).txt")
        let list = try String(contentsOf: kept, encoding: .utf8)
        #expect(Self.faults(of: list, revision: /-|[0-9a-f]{40}/, dependencies: []) == [])
    }

    /// Sources in a folder of their own: a package with two releases, and one that needs it, with our scripts.
    private struct Sources {
        let folder: TemporaryFolder
        let address = "https://example.org/words"
        /// The commit of the older release.
        let old: String
        /// The line of a list for the newer release.
        let newest: String

        init() async throws {
            folder = try TemporaryFolder()
            // The package manager remembers what it saw of an address in the home of the account: not of this one. What is built
            // is noted, and not built.
            let swift = try await Command.run(["bash", "-c", "command -v swift"])
            let manager = """
                #!/bin/sh
                case $1 in
                    package)
                        shift
                        exec '\(swift)' package --cache-path '\(folder.path)/cache' --security-path '\(folder.path)/security' "$@"
                        ;;
                    build)
                        echo "$*" >>'\(folder.path)/builds'
                        echo /products
                        ;;
                    *) exec '\(swift)' "$@" ;;
                esac
                """
            let release = Program.root.appending(path: "Sources/JulietServer/Release.swift").path
            try await Command.run(["mkdir", "\(folder.path)/bin"])
            try await Command.run(["chmod", "+x", folder.write("bin/swift", manager)])
            _ = try await Self.run(
                """
                mkdir -p words/Sources/Words app/scripts app/Sources/App app/Sources/JulietServer app/docs/releases
                cp '\(VersionsTests.script)' '\(VersionsTests.buildScript)' app/scripts/
                cp '\(release)' app/Sources/JulietServer/
                cat >words/Package.swift <<'END'
                // swift-tools-version: 6.0
                import PackageDescription
                let package = Package(
                    name: "words", products: [.library(name: "Words", targets: ["Words"])], targets: [.target(name: "Words")])
                END
                cat >app/Package.swift <<'END'
                // swift-tools-version: 6.0
                import PackageDescription
                let package = Package(
                    name: "app", dependencies: [.package(url: "\(address)", from: "1.0.0")],
                    targets: [.target(name: "App", dependencies: [.product(name: "Words", package: "words")])])
                END
                touch words/Sources/Words/Words.swift app/Sources/App/App.swift
                git init --quiet words
                for version in 1.0.0 1.0.1; do
                    echo "// $version" >words/Sources/Words/Words.swift
                    git -C words add .
                    git -C words -c user.name=A -c user.email=a@example.org commit --quiet --message $version
                    git -C words -c user.name=A -c user.email=a@example.org tag --annotate --message $version $version
                done
                cp -R words others
                swift package --package-path app resolve
                """, in: folder)
            newest = try await Self.run("app/scripts/versions | tail -n 1", in: folder)
            old = try await Self.run("git -C words rev-parse '1.0.0^{commit}'", in: folder)
        }

        /// Runs commands of a shell.
        func run(_ commands: String) async throws -> String { try await Self.run(commands, in: folder) }

        private static func run(_ commands: String, in folder: TemporaryFolder) async throws -> String {
            let setting = """
                set -e
                cd '\(folder.path)'
                export PATH="$PWD/bin:$PATH" GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0="url.$PWD/.insteadOf" \
                    GIT_CONFIG_VALUE_0=https://example.org/
                """
            return try await Command.run(["bash", "-c", "\(setting)\n\(commands)"])
        }

        /// The line of a list for what the next build takes.
        var taken: String { get async throws { try await run("app/scripts/versions | tail -n 1") } }

        /// Runs a command that fails.
        ///
        /// - Returns: What it says, and its exit status on a line of its own.
        func failure(of command: String) async throws -> String { try await run("\(command) && exit 1 || echo $?") }
    }

    @Test("makes a build take its versions, though newer ones are there; one that cannot be read changes nothing")
    func restore() async throws {
        let sources = try await Sources()
        let (address, old, newest) = (sources.address, sources.old, sources.newest)
        #expect(newest.hasPrefix("words 1.0.1 ") && newest.hasSuffix(" \(address)"))

        // By the tag, and by the revision of an earlier list.
        for revision in ["-", old] {
            try sources.folder.write(
                "list", "# What it was built with.\nswift 6.2\nwords 1.0.0 \(revision) \(address)\n")
            _ = try await sources.run("app/scripts/versions --restore list; swift package --package-path app resolve")
            #expect(try await sources.taken == "words 1.0.0 \(old) \(address)")
            #expect(try await sources.run("cat app/.build/checkouts/words/Sources/Words/Words.swift") == "// 1.0.0")
            _ = try await sources.run("swift package --package-path app update")
            #expect(try await sources.taken == newest)
        }

        for (list, status, fault) in [
            ("words 1.0.0 \(old)\n", 64, "no name, version, revision and address"),
            ("# nothing\n", 64, "names no package"),
            ("words 1.0.7 - \(address)\n", 1, "has no tag 1.0.7"),
            ("others 1.0.0 - https://example.org/others\n", 1, "versions: list lacks words, which Package.swift needs"),
        ] {
            try sources.folder.write("list", list)
            let said = try await sources.failure(of: "app/scripts/versions --restore list")
            #expect(said.contains(fault) && said.hasSuffix("\n\(status)"), "\(said)")
            #expect(try await sources.taken == newest)
        }
        try sources.folder.write("list", "words 1.0.0 - \(address)\n")
        _ = try await sources.run(#"sed -i.bak 's/from: "1.0.0"/from: "1.0.1"/' app/Package.swift"#)
        let said = try await sources.failure(of: "app/scripts/versions --restore list")
        #expect(said.contains("versions: list has words 1.0.0, and Package.swift takes 1.0.1"), "\(said)")
        #expect(try await sources.taken == newest)
    }

    @Test("of the release is what is installed is built with, unless newer packages are asked for")
    func build() async throws {
        let sources = try await Sources()
        let list = "app/docs/releases/\(Release.version).txt"
        let old = "words 1.0.0 \(sources.old) \(sources.address)"
        let builds = { try await sources.run("cat builds && rm builds").split(separator: "\n") }
        let flag = "--only-use-versions-from-resolved-file"

        try sources.folder.write(list, "swift 6.2\nwords 1.0.0 - \(sources.address)\n")
        #expect(try await sources.run("app/scripts/build --locked App 2>/dev/null") == "/products/App")
        #expect(try await sources.taken == old)
        #expect(try await builds().allSatisfy { $0.contains(flag) })
        // What this one takes, the next one for one's own use takes, too.
        #expect(try await sources.run("app/scripts/build App 2>/dev/null") == "/products/App")
        #expect(try await sources.taken == old)
        #expect(try await builds().allSatisfy { !$0.contains(flag) })
        #expect(try await sources.run("app/scripts/build --newest 2>/dev/null") == "/products/juliet")
        #expect(try await sources.taken == sources.newest)
        #expect(try await builds().count == 3)

        // A package that is not in the list ends the build before anything is compiled.
        try sources.folder.write(list, "others 1.0.0 - https://example.org/others\n")
        var said = try await sources.failure(of: "app/scripts/build --locked")
        #expect(said.contains("docs/releases/\(Release.version).txt lacks words, which Package.swift needs"), "\(said)")
        #expect(said.hasSuffix("\n1"))
        _ = try await sources.run("rm \(list)")
        said = try await sources.failure(of: "app/scripts/build --locked")
        #expect(said.contains("versions: there is no list docs/releases/\(Release.version).txt"), "\(said)")
        said = try await sources.failure(of: "app/scripts/build --latest")
        #expect(said == "build: there is no --latest: --locked, --newest, or a program's name\n64")
        #expect(!FileManager.default.fileExists(atPath: "\(sources.folder.path)/builds"))

        // What makes packages and images asks for it.
        for (file, call) in [
            ("packaging/install", #"scripts/build "--${VERSIONS:-locked}""#),
            ("Dockerfile", #"RUN scripts/build "--${VERSIONS:-locked}""#),
        ] {
            let text = try String(contentsOf: Program.root.appending(path: file), encoding: .utf8)
            #expect(text.contains(call) && text.matches(of: /scripts\/build/).count == 1, "\(file)")
        }
    }
}
