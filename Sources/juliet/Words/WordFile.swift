import ArgumentParser
import JulietGame
import JulietSchema

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension WordListImport.Kind: ExpressibleByArgument {}

/// A list of words or of their meanings, on disk or carried by the program.
struct WordFile {
    let path: String
    /// What its words are for; nil: it says what words mean.
    let kind: WordListImport.Kind?
    /// The text that the program contains; nil: it is on disk.
    var contents: [UInt8]?

    /// The name in messages.
    var name: String {
        path == "-" ? "standard input" : path.split(separator: "/").last.map(String.init) ?? path
    }

    /// The languages whose lists the program carries, and how the names of their lists begin.
    static let languages = ["en": "english", "de": "german"]

    /// The lists of a language that the program carries, from config/words; none if it has none of that language.
    static func carried(_ language: String) -> [WordFile] {
        SchemaFiles.words.compactMap { name, contents in
            self.language(ofFileNamed: name) == language ? named(name, in: "", contents: contents) : nil
        }
    }

    /// The words that are never dealt nor guessed, which the program carries: config/words/blocked.txt.
    static var blocked: WordFile {
        let file = SchemaFiles.words.first { $0.name == "blocked.txt" }
        return WordFile(path: "blocked.txt", kind: .guessable, contents: file?.contents ?? [])
    }

    /// The lists of a language that paths name: files, or folders with files such as `english-secret.txt` in them. Of a
    /// folder, lists whose names say another language are left out.
    ///
    /// - Parameter kind: What all of them are; nil: what their names say.
    static func files(_ paths: [String], kind: WordListImport.Kind?, of language: String) throws -> [WordFile] {
        var files: [WordFile] = []
        for path in paths {
            guard let target = FileKind(path: path) else { throw CommandError("\(path): there is no such file") }
            guard target == .folder else {
                try refuse(path, unlessOf: language)
                guard let file = kind.map({ WordFile(path: path, kind: $0) }) ?? named(path, in: "") else {
                    throw ValidationError(
                        "\(path): the file's name does not say whether it is secret or guessable: use --kind")
                }
                files.append(file)
                continue
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
            let found: [WordFile] = names.compactMap { name in
                guard (self.language(ofFileNamed: name) ?? language) == language else { return nil }
                return named(name, in: "\(path)/")
            }
            guard found.contains(where: { $0.kind != nil }) else {
                throw CommandError("\(path): no …-secret.txt and no …-guessable.txt of \"\(language)\" here")
            }
            files += found
        }
        return files
    }

    /// Lists of meanings of a language.
    static func meanings(_ paths: [String], of language: String) throws -> [WordFile] {
        try paths.map { path in
            try refuse(path, unlessOf: language)
            return WordFile(path: path, kind: nil)
        }
    }

    private static func refuse(_ path: String, unlessOf language: String) throws {
        guard let other = self.language(ofFileNamed: path), other != language else { return }
        throw ValidationError("\(path) is a list of another language: add --language \(other)")
    }

    /// The language that a name says; nil: none.
    private static func language(ofFileNamed path: String) -> String? {
        let name = path.split(separator: "/").last ?? ""
        return languages.first { name.hasPrefix($0.value) }?.key
    }

    /// A list as its name says: `…secret….txt`, `…guessable….txt` or `…meanings….txt`; nil: the name says nothing.
    private static func named(_ path: String, in folder: String, contents: [UInt8]? = nil) -> WordFile? {
        guard path.hasSuffix(".txt") else { return nil }
        let name = path.split(separator: "/").last ?? ""
        let kind = WordListImport.Kind.allCases.first { name.contains($0.rawValue) }
        guard kind != nil || name.contains("meanings") else { return nil }
        return WordFile(path: folder + path, kind: kind, contents: contents)
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
        do { file = try path == "-" ? .standardInput() : InputFile(path: path) } catch {
            throw CommandError("cannot read \(path)")
        }
        return { try file.read(upToCount: 1 << 16) }
    }

    /// Imports what files say, all of it or nothing.
    static func run(_ files: [WordFile], with lists: WordListImport, keeps: Bool = true) async throws
        -> WordListImport.Outcome
    {
        let sources = try files.compactMap { file in
            try file.kind.map { WordListImport.Source(name: file.name, kind: $0, read: try file.reader()) }
        }
        let meanings = files.filter { $0.kind == nil }
        return try await lists.run(
            sources, meanings: meanings.isEmpty ? nil : try lists.meanings(meanings.map { ($0.name, try $0.reader()) }),
            keeps: keeps)
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
