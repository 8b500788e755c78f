import Foundation
import JulietSchema
import Migrations
import Testing

@testable import JulietGame

/// The order of locks is read from the headers of functions, so these must say who calls.
@Suite("Called by, in the header of a function,")
struct SchemaHeaderTests {
    /// The names that a bracket follows.
    static func calls(in text: String) -> Set<String> {
        var names: Set<String> = []
        var name: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                name.append(byte)
            case UInt8(ascii: "(") where !name.isEmpty:
                names.insert(String(decoding: name, as: UTF8.self))
                name.removeAll(keepingCapacity: true)
            default: name.removeAll(keepingCapacity: true)
            }
        }
        return names
    }

    /// By the name of a function: the functions that call it.
    private static let callers: [String: Set<String>] = {
        let functions = Schema.code.functions.compactMap(\.function)
        let names = Set(functions.map(\.name))
        var callers: [String: Set<String>] = [:]
        for function in functions {
            let lines = function.body.split(separator: "\n")
                .map { $0.prefix(upTo: $0.firstRange(of: "--")?.lowerBound ?? $0.endIndex) }
            for name in calls(in: lines.joined(separator: "\n")) where names.contains(name) {
                callers[name, default: []].insert(function.name)
            }
        }
        return callers
    }()

    /// What the headers say, by the name of a function. Of functions with the same name all that theirs say.
    private static let headers: [String: [Substring]] = {
        var headers: [String: [Substring]] = [:]
        for (_, contents) in SchemaFiles.code {
            var header = ""
            for line in String(decoding: contents, as: UTF8.self).split(
                separator: "\n", omittingEmptySubsequences: false)
            {
                if let comment = line.wholeMatch(of: #/--+ ?(.*)/#) {
                    header += "\(comment.1)\n"
                } else {
                    if let name = line.firstMatch(of: #/^CREATE OR REPLACE FUNCTION ([a-z_0-9]+)/#)?.1,
                        let said = header.firstMatch(of: #/Called by: ([^\x00]*?)(\n[A-Z][A-Za-z, ]*:|\n\n|\n$)/#)?.1
                    {
                        // The first sentence, without what is in brackets.
                        let sentence = said.replacing("\n", with: " ").replacing(#/\([^)]*\)/#, with: "")
                            .prefix { $0 != "." }
                        headers[String(name), default: []] += sentence.split { $0 == "," || $0 == ";" }
                            .map { $0.drop { $0 == " " } }
                    }
                    header = ""
                }
            }
        }
        return headers
    }()

    @Test("names the functions that call it, and no others")
    func functions() {
        #expect(Self.headers.count > 200)
        for (name, said) in Self.headers {
            let real = Self.callers[name] ?? []
            let words = Set(said.map { String($0.prefix { $0.isLetter || $0 == "_" }) })
            let named = words.intersection(Schema.code.functions.compactMap(\.function?.name))
            let unknown = words.subtracting(named).filter { $0.contains("_") }
            #expect(unknown.isEmpty, "the header of \(name) names \(unknown.sorted()), which are no functions")
            if said.contains(where: { $0.hasPrefix("many functions") }) {
                #expect(real.count >= 8, "\(name) is called by \(real.sorted()): name them")
                #expect(named.isSubset(of: real), "\(name) is called by \(real.sorted()), not by \(named.sorted())")
            } else {
                #expect(named == real, "\(name) is called by \(real.sorted()), its header says \(named.sorted())")
            }
        }
    }

    @Test("names the service and operators where a statement of theirs has the function")
    func statements() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources").standardized
        let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path).filter { $0.hasSuffix(".swift") }
        var called: Set<String> = []
        for file in files {
            let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
            called.formUnion(text.matches(of: #/juliet\.([a-z_0-9]+)\(/#).map { String($0.1) })
        }
        for (name, said) in Self.headers where !said.contains(where: { $0.hasPrefix("many functions") }) {
            let isSaid = said.contains { $0.hasPrefix("operators") || $0.hasPrefix("the service") }
            #expect(
                isSaid == called.contains(name),
                "\(isSaid ? "no statement calls" : "a statement calls") \(name), its header says otherwise")
        }
    }

    @Test("says whether the service calls it, operators or a trigger: else nothing would")
    func others() {
        let triggers = Set(
            Schema.code.pieces.flatMap(\.statements).compactMap { statement in
                statement.text.firstMatch(of: #/EXECUTE FUNCTION ([a-z_]+)\(/#).map { String($0.1) }
            })
        for piece in Schema.code.functions {
            guard let name = piece.function?.name else { continue }
            let said = Self.headers[name]
            if !piece.callers.isEmpty {
                #expect(said?.contains { $0.hasPrefix("the service") } == true, "\(name) is granted to the service")
            }
            guard let said else {
                // A part needs no list, if it is a part of something.
                #expect(Self.callers[name] != nil || triggers.contains(name), "nothing calls \(name)")
                continue
            }
            let isOperators = said.contains { $0.hasPrefix("operators") }
            #expect(
                !piece.callers.isEmpty || isOperators || Self.callers[name] != nil || triggers.contains(name),
                "nothing calls \(name)")
        }
    }
}
