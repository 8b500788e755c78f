import Foundation
import TestSupport
import Testing

/// What people download. `.ci/release` makes it and plays from it, `scripts/prove release` makes it twice and tries all of it.
@Suite("A release", .defaultLayout("reads no players"), .timeLimit(.minutes(2)))
struct ReleaseTests {
    private static let folder = Program.root.appending(path: "packaging").path

    @Test(
        "packaging/symbols finds nothing of a newer libpq in this program, and says what is too new for Ubuntu 22.04 and for libpq 14"
    )
    func symbols() async throws {
        let symbols = "\(Self.folder)/symbols"
        do {
            try await Command.run([symbols, Program.executable.path])
        } catch let failure as Command.Failure {
            // What a newer system builds may need newer symbols; .ci/release and packaging/release refuse it there. Never a newer libpq.
            #expect(
                failure.output.contains(", and Ubuntu 22.04 has ") && !failure.output.contains("libpq 14"), "\(failure)"
            )
        }

        // Programs that print what the real ones would of a program that is too new.
        let tools = try TemporaryFolder()
        for (name, lines) in [
            (
                "readelf",
                ["GLIBC_2.4", "GLIBC_2.35", "GLIBC_2.36", "GLIBCXX_3.4.9", "GLIBCXX_3.4.31", "OTHER_1.0"]
                    .map { "  0x0010:   Name: \($0)  Flags: none  Version: 5" }
            ),
            ("nm", ["PQsendQuery", "PQclosePrepared", "puts@GLIBC_2.4"].map { "                 U \($0)" }),
        ] {
            let head = name == "readelf" ? "Version needs section '.gnu.version_r' contains 3 entries:\n" : ""
            let script = "#!/bin/sh\ncat <<'END'\n\(head)\(lines.joined(separator: "\n"))\nEND\n"
            chmod(try tools.write(name, script), 0o755)
        }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let failure = await #expect(throws: Command.Failure.self) {
            try await Command.run(["env", "PATH=\(tools.path):\(path)", symbols, "new"])
        }
        #expect(
            failure?.output == """
                symbols: new calls PQclosePrepared, which libpq 14 lacks
                symbols: new needs GLIBCXX_3.4.31, and Ubuntu 22.04 has GLIBCXX_3.4.30
                symbols: new needs GLIBC_2.36, and Ubuntu 22.04 has GLIBC_2.35
                symbols: new needs OTHER_1.0, of which this script knows no limit
                symbols: build it on an older system, such as Debian 12
                """)
        await #expect(throws: Command.Failure.self) { try await Command.run([symbols, "\(Self.folder)/symbols"]) }
    }

    @Test("the package asks for the versions that packaging/symbols allows, and the pages name them")
    func versions() throws {
        func read(_ path: String) throws -> String {
            try String(contentsOf: Program.root.appending(path: path), encoding: .utf8)
        }
        let newest = try #require(try read("packaging/symbols").firstMatch(of: #/newest='GLIBC ([0-9.]+)\n/#)).1
        #expect(try read("packaging/deb").contains(" libc6 (>= \(newest)), "))
        for page in ["packaging/archive.md", "docs/install.md"] {
            #expect(try read(page).contains("glibc is \(newest) or newer"), "\(page)")
        }
    }

    @Test("an image is the same whenever it is packed, holds its layers in order, and is read only if it is whole")
    func image() async throws {
        let folder = try TemporaryFolder()
        let oci = "\(Self.folder)/oci"
        let config = try folder.write(
            "config.json",
            #"{"os":"linux","architecture":"arm64","config":{"Cmd":["dev"],"Labels":{"org.opencontainers.image.version":"1.0.0"}}}"#
        )
        for (layer, files) in [("low", ["kept": "low\n", "both": "low\n"]), ("high", ["both": "high\n"])] {
            try FileManager.default.createDirectory(
                atPath: "\(folder.path)/\(layer)", withIntermediateDirectories: true)
            for (name, text) in files { try folder.write("\(layer)/\(name)", text) }
            try await Command.run(["tar", "cf", "\(folder.path)/\(layer).tar", "-C", "\(folder.path)/\(layer)", "."])
        }
        let images = ["one.tar", "two.tar"].map { "\(folder.path)/\($0)" }
        for image in images {
            try await Command.run(
                [oci, "pack", image, config, "juliet:1.0.0", "\(folder.path)/low.tar", "\(folder.path)/high.tar"])
        }
        #expect(try Data(contentsOf: URL(filePath: images[0])) == Data(contentsOf: URL(filePath: images[1])))

        let names = try await Command.run(["tar", "tf", images[0]]).split(separator: "\n")
        // Two layers, the configuration and the manifest; the rest is what engines look for.
        #expect(names.filter { $0.hasPrefix("blobs/sha256/") && $0.count == 77 }.count == 4)
        #expect(names.suffix(3) == ["index.json", "manifest.json", "oci-layout"])
        let index = try await Command.run(["tar", "xOf", images[0], "index.json"])
        #expect(index.contains(#""org.opencontainers.image.ref.name":"1.0.0""#))
        #expect(index.contains(#""platform":{"architecture":"arm64","os":"linux"}"#))
        let read = try await Command.run([oci, "config", images[0]])
        #expect(read.contains(#""Cmd": ["#) && read.matches(of: #/"sha256:[0-9a-f]{64}"/#).count == 2, "\(read)")
        #expect(try await Command.run([oci, "file", images[0], "both"]) == "high")
        #expect(try await Command.run([oci, "file", images[0], "kept"]) == "low")
        await #expect(throws: Command.Failure.self) { try await Command.run([oci, "file", images[0], "neither"]) }

        // One byte of a layer is another.
        let blob = try #require(names.first { $0.hasPrefix("blobs/sha256/") && $0.count == 77 })
        let (damaged, unpacked) = ("\(folder.path)/damaged", "\(folder.path)/damaged.tar")
        try FileManager.default.createDirectory(atPath: damaged, withIntermediateDirectories: true)
        try await Command.run(["tar", "xf", images[0], "-C", damaged])
        let file = URL(filePath: "\(damaged)/\(blob)")
        var bytes = try Data(contentsOf: file)
        bytes[bytes.count - 1] ^= 1
        try bytes.write(to: file)
        try await Command.run(["tar", "cf", unpacked, "-C", damaged, "blobs", "index.json", "oci-layout"])
        let failure = await #expect(throws: Command.Failure.self) {
            try await Command.run([oci, "file", unpacked, "kept"])
        }
        #expect(failure?.output == "oci: \(blob) is not what its digest says")
    }

    @Test("packaging/sbom lists each package of the build, and what is installed in the image")
    func contents() async throws {
        let folder = try TemporaryFolder()
        let versions = try folder.write(
            "versions",
            """
            # What Juliet 1.0.0 was built with: name, version, revision, address.
            swift 6.3.1
            swift-log 1.16.2 - https://github.com/apple/swift-log
            swift-asn1 1.7.4 abc https://github.com/apple/swift-asn1.git

            """)
        let status = try folder.write(
            "status",
            """
            Package: libpq5
            Status: install ok installed
            Architecture: arm64
            Version: 17.6-0+deb13u1

            Package: gone
            Status: deinstall ok config-files
            Architecture: arm64
            Version: 1:2

            """)
        let sbom = ["env", "SOURCE_DATE_EPOCH=0", "\(Self.folder)/sbom", "juliet-1.0.0-arm64", versions]
        let document = try JSONDecoder().decode(
            SPDXDocument.self, from: Data(try await Command.run(sbom + [status]).utf8))
        #expect(document.spdxVersion == "SPDX-2.3" && document.creationInfo.created == "1970-01-01T00:00:00Z")
        #expect(
            document.packages.map { "\($0.name) \($0.versionInfo)" } == [
                "juliet 1.0.0", "swift 6.3.1", "swift-log 1.16.2", "swift-asn1 1.7.4", "juliet-image 1.0.0",
                "libpq5 17.6-0+deb13u1",
            ])
        #expect(
            document.packages.flatMap { $0.externalRefs ?? [] }.map(\.referenceLocator) == [
                "pkg:swift/github.com/apple/swift-log@1.16.2", "pkg:swift/github.com/apple/swift-asn1@1.7.4",
                "pkg:deb/debian/libpq5@17.6-0%2Bdeb13u1?arch=arm64",
            ])
        #expect(Set(document.packages.map(\.SPDXID)).count == document.packages.count)
        let related = Set(document.relationships.map(\.relatedSpdxElement))
        #expect(document.packages.allSatisfy { related.contains($0.SPDXID) })
        let alone = try JSONDecoder().decode(SPDXDocument.self, from: Data(try await Command.run(sbom).utf8))
        #expect(alone.packages.map(\.name) == ["juliet", "swift", "swift-log", "swift-asn1"])
    }
}

/// What the tests read of an SPDX document.
private struct SPDXDocument: Decodable {
    struct Creation: Decodable { let created: String }
    struct Reference: Decodable { let referenceLocator: String }
    struct Package: Decodable {
        let SPDXID, name, versionInfo: String
        let externalRefs: [Reference]?
    }
    struct Relationship: Decodable { let relatedSpdxElement: String }

    let spdxVersion: String
    let creationInfo: Creation
    let packages: [Package]
    let relationships: [Relationship]
}
