import Foundation
import PackagePlugin

/// Writes the package's folders of SQL and words into a Swift file, so that the program carries them.
@main
struct EmbedFiles: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let package = context.package.directoryURL
        let folders = ["migrations", "schema", "config/words"].map { package.appending(path: $0) }
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedFiles.swift")
        return [
            .buildCommand(
                displayName: "Embedding migrations/, schema/ and config/words/",
                executable: try context.tool(named: "embed-files").url,
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
