import Foundation
import PackagePlugin

/// Writes the package's folders of SQL into a Swift file, so that the program carries them.
@main
struct EmbedSQL: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let package = context.package.directoryURL
        let folders = ["migrations", "schema"].map { package.appending(path: $0) }
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedSQL.swift")
        return [
            .buildCommand(
                displayName: "Embedding migrations/ and schema/",
                executable: try context.tool(named: "embed-sql").url,
                arguments: [output.path] + folders.map(\.path),
                inputFiles: folders.flatMap(files),
                outputFiles: [output])
        ]
    }

    private func files(in folder: URL) -> [URL] {
        let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (found?.compactMap { $0 as? URL } ?? []).filter { ["sql", "txt"].contains($0.pathExtension) }
            .sorted { $0.path < $1.path }
    }
}
