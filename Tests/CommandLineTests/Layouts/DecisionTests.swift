import Foundation
import TestSupport
import Testing

@Suite("Decisions about the layouts", .defaultLayout("asks no database"))
struct DecisionTests {
    /// The targets whose suites `make test` runs in each layout.
    private static let targets = ["BrowserTests", "CommandLineTests", "IntegrationTests"]

    @Test("each suite that uses the service, a command or a page says in which layouts it runs", arguments: targets)
    func decisions(target: String) throws {
        let folder = Program.root.appending(path: "Tests/\(target)")
        // Without this file, which has suites in texts.
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".swift") && !#filePath.hasSuffix($0) }
        let sources = try names.map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
        let found = Self.suites(in: sources)
        #expect(found.decided.count > 20 && found.undecided == [])
    }

    @Test("a suite without a decision is found, and so is a test that is in no suite")
    func undecided() {
        let found = Self.suites(in: [
            """
            @Suite("A", .everyLayout)
            struct A {
                @Test("one") func one() {}
            }
            @Suite("B", .timeLimit(.minutes(1)))
            struct B {
                struct Helper {}
                @Test("two") func two() {}
            }
            struct C {
                @Test("three") func three() {}
            }
            """,
            """
            extension A {
                @Suite(
                    "D",
                    .defaultLayout("starts servers"))
                final class D {
                    @Test(
                        "four")
                    func four() {}
                }
                @Suite("E") struct E {}
            }
            @Test("five") func five() {}
            """,
        ])
        #expect(found.decided == ["A", "D"])
        #expect(found.undecided == ["B", "C", "E", "a test in no suite"])
    }

    /// The types that are suites, by what the sources say.
    private static func suites(in sources: [String]) -> (decided: Set<String>, undecided: Set<String>) {
        var (decided, all): (Set<String>, Set<String>) = ([], [])
        for source in sources {
            let suite = #/@Suite\b(.*?)\s(?:struct|class|actor|enum) (\w+)/#.dotMatchesNewlines()
            for match in source.matches(of: suite) {
                all.insert(String(match.2))
                if match.1.contains(#/\.(?:everyLayout\b|citusLayout\b|defaultLayout\(")/#) {
                    decided.insert(String(match.2))
                }
            }
            // A type that has tests is a suite without the attribute, too.
            var types: [(indentation: Int, name: String)] = []
            for line in source.split(separator: "\n") {
                let indentation = line.prefix { $0 == " " }.count
                if line.dropFirst(indentation).hasPrefix("@Test") {
                    all.insert(types.last { $0.indentation < indentation }?.name ?? "a test in no suite")
                } else if let type = line.firstMatch(of: #/^ *(?:[\w@]+ )*(?:struct|class|actor|enum|extension) (\w+)/#)
                {
                    types.removeAll { $0.indentation >= indentation }
                    types.append((indentation, String(type.1)))
                }
            }
        }
        return (decided, all.subtracting(decided))
    }
}
