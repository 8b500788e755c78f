#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `embed-files OUTPUT FOLDER...` writes the files of some folders into a Swift file, as text.
///
/// Each folder becomes a constant of its name: an array of names, relative to the folder, and contents.
@main
enum EmbedFiles {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let output = arguments.first, arguments.count > 1 else {
            throw Failure(description: "usage: embed-files OUTPUT FOLDER...")
        }
        let constants = try arguments.dropFirst().map(constant)
        let swift = """
            // Made by embed-files of the folders it names: edit those.

            enum EmbeddedFiles {
            \(constants.joined(separator: "\n"))
            }

            """
        try swift.write(toFile: output, atomically: true, encoding: .utf8)
    }

    private static func constant(of folder: String) throws -> String {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted().filter { name in
            (name.hasSuffix(".sql") || name.hasSuffix(".txt"))
                && !name.split(separator: "/").contains { $0.hasPrefix(".") }
                // What was looked at to make the words.
                && !name.hasPrefix("review/")
        }
        let files = try names.map { name in
            guard let contents = FileManager.default.contents(atPath: "\(folder)/\(name)"),
                let text = String(validating: contents, as: UTF8.self), !text.contains("\"\"\"###")
            else { throw Failure(description: "\(folder)/\(name) cannot be read as UTF-8") }
            return "        (\"\(name)\", ###\"\"\"\n\(text)\n\"\"\"###),\n"
        }
        let name = folder.split(separator: "/").last ?? ""
        return "    static let \(name): [(name: String, text: String)] = [\n\(files.joined())    ]"
    }
}
