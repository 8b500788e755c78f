import JulietGame

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The files of an export of the old backend's table.
enum LegacyFiles {
    /// What paths name: files, folders of an export to S3, `-` for standard input.
    static func sources(_ paths: [String]) throws -> [LegacySource] {
        try paths.flatMap { path in
            if path == "-" { return [LegacySource(name: "standard input") { try .standardInput() }] }
            guard let target = FileKind(path: path) else { throw CommandError("\(path): there is no such file") }
            return try (target == .folder ? dataFiles(in: path) : [path]).map { path in
                LegacySource(name: path) { try InputFile(path: path) }
            }
        }
    }

    /// The data files of the only export in a folder, at any depth: all that its manifest names.
    private static func dataFiles(in folder: String) throws -> [String] {
        let found: [String]
        do {
            found = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
        } catch {
            throw CommandError("cannot read \(folder)")
        }
        let manifests = found.filter { name(of: $0) == "manifest-files.json" }
        guard manifests.count < 2 else {
            throw CommandError("\(folder) holds \(manifests.count) exports: give the folder of one of them")
        }
        let files = found.filter { path in
            let name = name(of: path)
            return (name.hasSuffix(".json.gz") || name.hasSuffix(".json")) && !name.hasPrefix("manifest-")
                && !name.hasPrefix(".")
        }
        guard !files.isEmpty else {
            let isIon = found.contains { $0.hasSuffix(".ion.gz") || $0.hasSuffix(".ion") }
            throw CommandError(
                isIon
                    ? "\(folder) is an export in Amazon Ion: export the table as DynamoDB JSON"
                    : "\(folder): no data files (*.json.gz) here")
        }
        if let manifest = manifests.first {
            let names = Set(files.map(name(of:)))
            let missing = try LegacyManifest.dataFiles(in: "\(folder)/\(manifest)").filter {
                !names.contains(name(of: $0))
            }
            if let first = missing.first {
                throw CommandError(
                    "\(folder): the manifest names \(counted(missing.count, "file")) that "
                        + "\(missing.count == 1 ? "is" : "are") not here, \(name(of: first)) among them")
            }
        }
        return files.map { "\(folder)/\($0)" }
    }

    private static func name(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
}
