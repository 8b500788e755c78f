import Foundation
import JulietServer
import TestSupport
import Testing

/// What names the repository and the version, and what publishes a release.
@Suite("What publishes a release", .defaultLayout("asks no database"), .timeLimit(.minutes(2)))
struct PublishingTests {
    private static func path(_ name: String) -> String { Program.root.appending(path: name).path }
    private static func text(_ name: String) throws -> String {
        try String(contentsOf: Program.root.appending(path: name), encoding: .utf8)
    }
    private static func tool(_ name: String) -> String { path(".build/openapi/bin/\(name)") }
    private static let workflows = [".github/workflows/ci.yml", ".github/workflows/release.yml"]

    /// The files that name the repository or the version, and the scripts that read them, in a folder of their own.
    private static func copy() async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let files =
            ".github .spi.yml CHANGELOG.md CONTRIBUTING.md Dockerfile Examples/README.md LICENSE Makefile README.md SECURITY.md "
            + "Sources/JulietServer/Release.swift compose.build.yml docker-compose.yml docs packaging schema/README.md scripts"
        try await Command.run(["bash", "-c", "tar c -C '\(Program.root.path)' \(files) | tar x -C '\(folder.path)'"])
        return folder
    }

    /// Runs a command that fails.
    ///
    /// - Returns: What it says.
    private static func failure(_ command: [String]) async -> String {
        let failure = await #expect(throws: Command.Failure.self) { try await Command.run(command) }
        return failure?.output ?? ""
    }

    @Test("every text follows the version and the repository's address, and the changelog begins with the version")
    func followed() async throws {
        #expect(try await Command.run([Self.path("scripts/fill-in"), "--check"]) == "")
        #expect(try await Command.run([Self.path("scripts/fill-in"), "--print", "version"]) == Release.version)
        let heading = try #require(try Self.text("CHANGELOG.md").firstMatch(of: #/\n## ([^,\n]+)/#))
        #expect(heading.1 == Release.version)
    }

    @Test("a fork changes one line, and a release another; scripts/fill-in writes both everywhere")
    func fork() async throws {
        let folder = try await Self.copy()
        let script = "\(folder.path)/scripts/fill-in"
        let old = try await Command.run([script, "--print", "address"])
        let (release, repository) = ("Sources/JulietServer/Release.swift", "packaging/repository")
        let code = try Self.text(release)
        try folder.write(repository, "https://github.com/Ada/words\n")
        try folder.write(release, code.replacing(Release.version, with: "7.8.9"))
        let said = await Self.failure([script, "--check"])
        #expect(said.contains("fill-in: docker-compose.yml:"), "\(said)")
        #expect(said.contains(" has \(Release.version), and it is 7.8.9: run scripts/fill-in"), "\(said)")

        try await Command.run([script])
        #expect(try await Command.run([script, "--check"]) == "")
        let read = { (name: String) in try String(contentsOfFile: "\(folder.path)/\(name)", encoding: .utf8) }
        let readme = try read("README.md")
        #expect(readme.contains("git clone https://github.com/Ada/words.git && cd words "))
        #expect(readme.contains(" https://github.com/Ada/words/releases/download/v7.8.9/juliet_7.8.9_$("))
        #expect(readme.contains(" ghcr.io/ada/words:7.8.9\n"))
        #expect(
            try read("docs/client.md").contains(
                #".package(url: "https://github.com/Ada/words.git", from: "7.8.9", traits: [])"#))
        #expect(
            try read("docker-compose.yml").matches(of: #/image: ghcr\.io/ada/words:\$\{IMAGE_TAG:-7\.8\.9\}/#).count
                == 2)
        // No text has it in a place that the script does not know.
        let name = old.replacing(#/^https:\/\//#, with: "")
        let left = try await Command.run(["bash", "-c", "grep -rnF '\(name)' '\(folder.path)' || true"])
        #expect(left == "")

        try folder.write(repository, old + "\n")
        try folder.write(release, code)
        try await Command.run([script])
        for file in [
            "README.md", "docs/client.md", "docs/home.md", "docs/install.md", "docs/upgrade.md",
            "docker-compose.yml", "Dockerfile", "packaging/debian/copyright",
            "packaging/observability/juliet.rules.yml",
        ] {
            #expect(try read(file) == Self.text(file), "\(file)")
        }
    }

    @Test(
        "an address that is none is refused, and so is a text that has no place for it",
        arguments: ["", "github.com/ada/juliet", "http://github.com/ada/juliet", "https://github.com/ada/juliet.git"])
    func addresses(address: String) async throws {
        let folder = try await Self.copy()
        try folder.write("packaging/repository", address + "\n")
        let said = await Self.failure(["\(folder.path)/scripts/fill-in"])
        #expect(said.hasPrefix("fill-in: packaging/repository has '\(address)': write one address there"), "\(said)")
        try folder.write("packaging/repository", "https://example.com/juliet\n")
        try folder.write("README.md", "Nothing.\n")
        let missing = await Self.failure(["\(folder.path)/scripts/fill-in"])
        #expect(missing.hasPrefix("fill-in: README.md has no place for the address: "), "\(missing)")
    }

    @Test(
        "GitHub's files and Docker's are what their schemas say; others are not",
        arguments: zip(
            workflows + ["docker-compose.yml", "compose.build.yml"],
            ["github-workflows", "github-workflows", "compose-spec", "compose-spec"]))
    func schemas(file: String, schema: String) async throws {
        let check = [Self.tool("check-jsonschema"), "--builtin-schema", "vendor.\(schema)"]
        try await Command.run(check + [Self.path(file)])
        let folder = try TemporaryFolder()
        // A key that is misspelled.
        let text = try Self.text(file)
        let wrong = text.replacing("\n    runs-on:", with: "\n    run-on:")
            .replacing("\n    build:", with: "\n    built:").replacing("\n    read_only:", with: "\n    readonly:")
        #expect(wrong != text)
        let said = await Self.failure(check + [try folder.write("wrong.yml", wrong)])
        #expect(said.contains("Schema validation errors were encountered"), "\(said)")
    }

    @Test(
        "what the workflows run is there, in the Dockerfile's toolchain, and a shell can read it", arguments: workflows)
    func commands(file: String) async throws {
        let folder = try TemporaryFolder()
        // The commands of all steps; a script of GitHub's bash each.
        let list = """
            import sys, yaml
            for job in yaml.safe_load(open(sys.argv[1]))["jobs"].values():
                for number, step in enumerate(job["steps"]):
                    print(step.get("run", ""))
            """
        let commands = try await Command.run([Self.tool("python3"), "-c", list, Self.path(file)])
        try await Command.run(["bash", "-n", folder.write("commands", commands)])
        let scripts = commands.matches(of: #/(?:scripts|packaging|\.ci)/[\w-]+/#).map { String($0.output) }
        #expect(!scripts.isEmpty)
        for script in scripts {
            #expect(FileManager.default.isExecutableFile(atPath: Self.path(script)), "\(script)")
        }
        let targets = try Self.text("Makefile")
        for target in commands.matches(of: #/\bmake ([a-z]+)/#).map(\.output.1) {
            #expect(targets.contains("\n\(target):"), "make \(target)")
        }
        // What comes from outside must not be pasted into a command.
        #expect(!commands.contains("${{"))
        let toolchain = try #require(try Self.text("Dockerfile").firstMatch(of: #/\nFROM (swift:\S+) AS toolchain/#)).1
        let text = try Self.text(file)
        #expect(Set(text.matches(of: #/\n      image: (\S+)/#).map(\.output.1)) == [toolchain])
    }

    /// Makes two folders such as two machines make, each with an image of one layer, in the folder that it is run in.
    private static let machines = """
        import hashlib, io, json, os, sys, tarfile
        version, blobs = sys.argv[1], {}
        def blob(kind, data):
            name = hashlib.sha256(data).hexdigest()
            blobs["blobs/sha256/" + name] = data
            return {"mediaType": "application/vnd.oci.image." + kind, "digest": "sha256:" + name, "size": len(data)}
        for architecture in ("amd64", "arm64"):
            blobs.clear()
            layer = blob("layer.v1.tar", b"the same in both" + bytes(1008))
            config = {"architecture": architecture, "os": "linux", "rootfs": {"type": "layers", "diff_ids": [layer["digest"]]}}
            manifest = {"schemaVersion": 2, "layers": [layer], "config": blob("config.v1+json", json.dumps(config).encode())}
            index = {"schemaVersion": 2, "manifests": [blob("manifest.v1+json", json.dumps(manifest).encode())]}
            os.mkdir(architecture)
            name = f"juliet-{version}-{architecture}.oci.tar"
            with tarfile.open(f"{architecture}/{name}", "w") as archive:
                for path, data in {"oci-layout": b'{"imageLayoutVersion": "1.0.0"}', "index.json": json.dumps(index).encode(), **blobs}.items():
                    entry = tarfile.TarInfo(path)
                    entry.size = len(data)
                    archive.addfile(entry, io.BytesIO(data))
            with open(f"{architecture}/{name}", "rb") as file:
                digest = hashlib.sha256(file.read()).hexdigest()
            with open(f"{architecture}/SHA256SUMS", "w") as file:
                file.write(f"{digest}  {name}\\n")
        """

    /// Reads an image as an engine does, checks each digest on the way, and prints its platforms.
    private static let reader = """
        import hashlib, json, sys, tarfile
        with tarfile.open(sys.argv[1]) as archive:
            files = {entry.name: archive.extractfile(entry).read() for entry in archive if entry.isfile()}
        seen = set()
        def read(descriptor):
            name = "blobs/" + descriptor["digest"].replace(":", "/")
            data = files[name]
            assert hashlib.sha256(data).hexdigest() == descriptor["digest"][7:] and len(data) == descriptor["size"]
            seen.add(name)
            return data
        [top] = json.loads(files["index.json"])["manifests"]
        for descriptor in json.loads(read(top))["manifests"]:
            manifest = json.loads(read(descriptor))
            config = json.loads(read(manifest["config"]))
            [read(layer) for layer in manifest["layers"]]
            assert descriptor["platform"] == {"architecture": config["architecture"], "os": config["os"]}
            print(config["architecture"])
        assert seen | {"oci-layout", "index.json"} == set(files) and len(seen) == 6
        """

    @Test("packaging/gather makes one folder and one image of what machines of two architectures made")
    func gather() async throws {
        let folder = try TemporaryFolder()
        let version = Release.version
        let inside = { (command: [String]) in ["env", "-C", folder.path, "SOURCE_DATE_EPOCH=1"] + command }
        let gather = inside([Self.path("packaging/gather"), "amd64", "arm64"])
        try await Command.run(inside(["python3", "-c", Self.machines, version]))
        let made = try await Command.run(gather)
        let names =
            ["amd64.oci.tar", "arm64.oci.tar", "compose.tar.gz"].map { "juliet-\(version)-\($0)" }
            + ["juliet-\(version).oci.tar"]
        #expect(made == (["SHA256SUMS"] + names).joined(separator: "\n"))
        let checked = try await Command.run(["env", "-C", "\(folder.path)/dist", "sha256sum", "--check", "SHA256SUMS"])
        #expect(checked == names.map { "\($0): OK" }.joined(separator: "\n"))
        let platforms = try await Command.run(["python3", "-c", Self.reader, "\(folder.path)/dist/\(names[3])"])
        #expect(platforms == "amd64\narm64")
        let archive = try await Command.run(["tar", "tzf", "\(folder.path)/dist/\(names[2])"]).split(separator: "\n")
        let files = [
            "LICENSE", "docker-compose.yml", "packaging/compose-secrets", "packaging/database",
            "packaging/https/Caddyfile", "packaging/restore",
        ]
        #expect(archive.sorted() == files.map { "juliet-\(version)-compose/\($0)" })

        // Once more it is the same. What is there already stays.
        #expect(await Self.failure(gather) == "gather: dist is here already: move it")
        try await Command.run(inside(["mv", "dist", "before"]))
        try await Command.run(gather)
        try await Command.run(inside(["diff", "-r", "before", "dist"]))
        try await Command.run(inside(["rm", "-r", "dist"]))
        try await Command.run(inside(["sh", "-c", "echo >>arm64/juliet-\(version)-arm64.oci.tar"]))
        let said = await Self.failure(gather)
        #expect(said == "gather: arm64/juliet-\(version)-arm64.oci.tar is not what SHA256SUMS says")
        let alone = await Self.failure(inside([Self.path("packaging/gather"), "amd64", "amd64"]))
        #expect(alone.hasPrefix("gather: there should be an image of \(version) from each machine"), "\(alone)")
    }

    @Test("the text of a release is the changelog's, which says that it is released")
    func notes() async throws {
        let folder = try await Self.copy()
        let script = "\(folder.path)/packaging/release-notes", version = Release.version
        let older = "## 0.9.0\n\nBefore.\n"
        try folder.write("CHANGELOG.md", "# Changelog\n\n## \(version), 2026-12-01\n\nThe first.\n\n- One.\n\n\(older)")
        #expect(try await Command.run([script]) == "The first.\n\n- One.")
        try folder.write("CHANGELOG.md", "# Changelog\n\n## \(version), not released yet\n\nThe first.\n")
        #expect(await Self.failure([script]).contains("says that \(version) is not released yet"))
        try folder.write("CHANGELOG.md", "# Changelog\n\n\(older)")
        #expect(await Self.failure([script]) == "release-notes: CHANGELOG.md has no section for \(version)")
    }

    @Test("compose asks for the address that players open before it does anything")
    func origin() async throws {
        let folder = try TemporaryFolder()
        try await Command.run(["cp", Self.path("docker-compose.yml"), folder.path])
        let said = await Self.failure([
            "env", "-C", folder.path, "-u", "JULIET_ACCOUNTS_ORIGIN", Self.tool("python3"),
            Self.path("scripts/juliet_compose.py"), "compose", "run", "--rm", "roles",
        ])
        #expect(
            said == """
                docker compose: required variable JULIET_ACCOUNTS_ORIGIN is missing a value: \
                write into .env the address that players open, JULIET_ACCOUNTS_ORIGIN=https://…
                """)
    }

    @Test("the Swift Package Index makes a page of each product that has a catalogue")
    func catalogues() throws {
        let sources = Program.root.appending(path: "Sources").path
        let catalogues = try FileManager.default.contentsOfDirectory(atPath: sources).filter {
            FileManager.default.fileExists(atPath: "\(sources)/\($0)/\($0).docc")
        }.sorted()
        let listed = try Self.text(".spi.yml").matches(of: #/\n        - (\w+)/#).map { String($0.output.1) }
        #expect(listed == catalogues && catalogues.count > 5)
        let manifest = try Self.text("Package.swift")
        for target in catalogues {
            #expect(manifest.contains(#".library(name: "\#(target)", targets: ["\#(target)"])"#), "\(target)")
        }
    }
}
