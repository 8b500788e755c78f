import ArgumentParser
import JulietGame
import JulietSchema

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension WordListImport.Kind: ExpressibleByArgument {}

/// A word list, on disk or carried by the program.
struct WordFile {
    let path: String
    let kind: WordListImport.Kind
    /// The text that the program contains; nil: it is on disk.
    var contents: [UInt8]?

    /// The name in messages.
    var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// The lists that the program carries: those of config/words.
    static var carried: [WordFile] {
        SchemaFiles.words.compactMap { name, contents in
            kind(ofFileNamed: name).map { WordFile(path: name, kind: $0, contents: contents) }
        }
    }

    /// The words that are never dealt nor guessed, which the program carries: config/words/blocked.txt.
    static var blocked: WordFile {
        let file = SchemaFiles.words.first { $0.name == "blocked.txt" }
        return WordFile(path: "blocked.txt", kind: .guessable, contents: file?.contents ?? [])
    }

    /// The lists that paths name: files, or folders with files such as `english-secret.txt` in them.
    ///
    /// - Parameter kind: What all of them are; nil: what their names say.
    static func files(_ paths: [String], kind: WordListImport.Kind?) throws -> [WordFile] {
        var files: [WordFile] = []
        for path in paths {
            guard let target = FileKind(path: path) else { throw CommandError("\(path): there is no such file") }
            guard target == .folder else {
                guard let kind = kind ?? self.kind(ofFileNamed: path) else {
                    throw CommandError(
                        "\(path): the file's name does not say whether it is secret or guessable: use --kind")
                }
                files.append(WordFile(path: path, kind: kind))
                continue
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
            let found = names.compactMap { name in
                self.kind(ofFileNamed: name).map { WordFile(path: "\(path)/\(name)", kind: $0) }
            }
            guard !found.isEmpty else { throw CommandError("\(path): no …-secret.txt and no …-guessable.txt here") }
            files += found
        }
        return files
    }

    private static func kind(ofFileNamed path: String) -> WordListImport.Kind? {
        guard path.hasSuffix(".txt") else { return nil }
        let name = path.split(separator: "/").last ?? ""
        return WordListImport.Kind.allCases.first { name.contains($0.rawValue) }
    }

    /// Reads the file in pieces.
    func reader() throws -> () throws -> [UInt8]? {
        if var rest = contents {
            return {
                defer { rest = [] }
                return rest.isEmpty ? nil : rest
            }
        }
        let file: InputFile
        do { file = try InputFile(path: path) } catch { throw CommandError("cannot read \(path)") }
        return { try file.read(upToCount: 1 << 16) }
    }

    /// Visits the word of each line, with its number.
    func forEachLine(_ body: (Int, String) -> Void) throws {
        let read = try reader()
        var lines = WordListLines()
        while let bytes = try read() {
            lines.consume(bytes) { body($0, String(decoding: $1, as: UTF8.self)) }
        }
        lines.finish { body($0, String(decoding: $1, as: UTF8.self)) }
    }
}
