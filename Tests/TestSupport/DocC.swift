public import Foundation

/// Pages of a module that `docc` makes of its comments and its catalog.
public enum DocC {
    /// The repository's folder.
    public static var root: URL {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    }

    /// Makes the pages of a module that this test is built with.
    ///
    /// - Returns: The pages' names, such as `postgres/postgrespipeline`, without those that have none of their own.
    /// - Throws: `Command.Failure` for any warning.
    public static func pages(of module: String) async throws -> Set<String> {
        let folder = FileManager.default.temporaryDirectory.appending(path: "docc-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        guard let bundle = CommandLine.arguments.first(where: { $0.hasSuffix(".xctest") }) else {
            throw Command.Failure(command: "docc", output: "the test's bundle is not among the arguments")
        }
        let products = URL(filePath: bundle).deletingLastPathComponent()
        let target = try await Command.run(["swift", "-print-target-info"])
        let triple = target.firstMatch(of: /"unversionedTriple": "([^"]+)"/).map { String($0.1) } ?? ""
        let includes = [
            products.appending(path: "Modules"), root.appending(path: "Sources/CLibPQ"),
            root.appending(path: "Sources/CZlib"), root.appending(path: "Sources/CCurl"),
            products.appending(path: "CEventLoop.build"),
        ]
        let libpq = try await Command.run(["pg_config", "--includedir"])
        try await Command.run(
            ["swift-symbolgraph-extract", "-module-name", module, "-target", triple, "-output-dir", folder.path]
                + ["-minimum-access-level", "public", "-Xcc", "-I\(libpq)"] + includes.flatMap { ["-I", $0.path] })
        // `docc` copies its template of the pages with its owner, which fails if the toolchain is root's. So it gets a copy.
        let resources = target.firstMatch(of: /"runtimeResourcePath": "([^"]+)"/).map { String($0.1) } ?? ""
        let template = URL(filePath: resources).appending(path: "../../share/docc/render").path
        try await Command.run(["cp", "-R", template, "\(folder.path)/template"])
        try await Command.run([
            "env", "DOCC_HTML_DIR=\(folder.path)/template", "docc", "convert",
            root.appending(path: "Sources/\(module)/\(module).docc").path,
            "--additional-symbol-graph-dir", folder.path, "--fallback-bundle-identifier", "org.example.\(module)",
            "--fallback-display-name", module, "--output-path", folder.path + "/pages", "--warnings-as-errors",
        ])
        let data = folder.appending(path: "pages/data/documentation").path
        let files = FileManager.default.enumerator(atPath: data)?.allObjects as? [String] ?? []
        return Set(files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) })
    }

    /// Whether a module's first page has the code between `// begin` and `// end` of a source file.
    ///
    /// - Parameter file: The file beside the test's.
    /// - Parameter test: The test's file.
    public static func firstPage(of module: String, hasCodeOf file: String, beside test: String = #filePath) throws
        -> Bool
    {
        let page = try String(
            contentsOf: root.appending(path: "Sources/\(module)/\(module).docc/\(module).md"), encoding: .utf8)
        let source = URL(filePath: test).deletingLastPathComponent().appending(path: "\(file).swift")
        let parts = try String(contentsOf: source, encoding: .utf8).components(separatedBy: "// begin\n")
        guard parts.count == 2, let code = parts[1].components(separatedBy: "// end").first else { return false }
        return page.contains("```swift\n" + code.trimmingCharacters(in: .newlines) + "\n```")
    }
}
