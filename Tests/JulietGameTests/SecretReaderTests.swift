import Migrations
import TestSupport
import Testing

@testable import JulietGame

/// What a function of the service does, it does in itself, in functions that it calls, and in triggers on tables that
/// these write to.
@Suite("A function of the service that touches a table with secrets")
struct SecretReaderTests {
    private static let functions = Schema.code.functions.compactMap(\.function)

    /// What functions of a name do, without comments and texts in quotes.
    private static let texts: [String: String] = functions.reduce(into: [:]) { texts, function in
        let lines = function.body.split(separator: "\n")
            .map { $0.prefix(upTo: $0.firstRange(of: "--")?.lowerBound ?? $0.endIndex) }
        texts[function.name, default: ""] += lines.joined(separator: " ").replacing(#/'[^']*'/#, with: "''") + " "
    }

    /// Their words, in lower case, without the schema's name.
    private static let words: [String: [String]] = texts.mapValues { text in
        text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map { $0.lowercased() }.filter { $0 != "juliet" }
    }

    /// The functions that they call, also others with their name.
    private static let calls: [String: Set<String>] = texts.mapValues {
        SchemaHeaderTests.calls(in: $0).intersection(texts.keys)
    }

    /// By table and event: the functions of its triggers.
    private static let triggers: [String: Set<String>] = {
        var triggers: [String: Set<String>] = [:]
        for statement in Schema.code.pieces.flatMap(\.statements) {
            guard
                let trigger = statement.text.firstMatch(
                    of: #/TRIGGER [a-z_]+ ([^;]*?) ON ([a-z_]+)[^;]*EXECUTE FUNCTION ([a-z_]+)\(/#)
            else { continue }
            for event in ["INSERT", "UPDATE", "DELETE"] where trigger.1.contains(event) {
                triggers["\(event) \(trigger.2)", default: []].insert(String(trigger.3))
            }
        }
        return triggers
    }()

    /// The functions of triggers that a function runs by itself.
    private static func triggered(by name: String) -> Set<String> {
        let words = words[name] ?? []
        let events = zip(words.indices, zip(words, words.dropFirst())).compactMap { index, pair -> String? in
            switch pair.0 {
            case "into": "INSERT \(pair.1)"
            case "update": "UPDATE \(pair.1)"
            case "from" where index > 0 && words[index - 1] == "delete": "DELETE \(pair.1)"
            default: nil
            }
        }
        return events.reduce(into: []) { $0.formUnion(triggers[$1] ?? []) }
    }

    /// The parts of functions that check the isolation themselves.
    private static let guarded = Set(
        Schema.code.functions.filter { $0.callers.isEmpty }.compactMap(\.function).filter(checks).map(\.name))

    private static func checks(_ function: FunctionDefinition) -> Bool {
        function.body.hasPrefix("\nDECLARE\n    is_checked boolean := check_isolation();\n")
            && function.settings.contains("client_min_messages=warning")
    }

    /// The secret tables that a function touches, itself or through others.
    private static func secrets(of name: String) -> Set<String> {
        var reached: Set<String> = []
        var left: Set<String> = [name]
        var secrets: Set<String> = []
        while let next = left.popFirst() {
            // What checks itself lets nobody through.
            guard reached.insert(next).inserted, next == name || !guarded.contains(next) else { continue }
            secrets.formUnion(SecretTables.names.intersection(words[next] ?? []))
            left.formUnion((calls[next] ?? []).union(triggered(by: next)).subtracting(reached))
        }
        return secrets
    }

    @Test("checks the isolation before all else, and prints no plans; and no other function does")
    func guards() {
        var readers = 0
        for piece in Schema.code.functions where !piece.callers.isEmpty {
            guard let function = piece.function else { continue }
            let secrets = Self.secrets(of: function.name)
            #expect(Self.checks(function) == !secrets.isEmpty, "\(function.signature) touches \(secrets.sorted())")
            if secrets.isEmpty { continue }
            readers += 1
            #expect(function.language == "plpgsql", "\(function.signature): expressions of SQL have no order")
        }
        #expect(readers > 40)
    }

    @Test("is found through what it calls, and through triggers")
    func reach() {
        #expect(Self.secrets(of: "pay_for_game").isEmpty)
        #expect(Self.secrets(of: "start_game") == ["words"])
        #expect(Self.secrets(of: "first_answer").isEmpty)
        #expect(Self.guarded == ["game_as_answered", "challenge_as_answered"])
        // Sessions that end are forgotten by games.
        #expect(Self.triggered(by: "end_sessions") == ["forget_session"])
        #expect(Self.secrets(of: "revoke_session") == ["judged_games"])
        #expect(Self.secrets(of: "request_draw") == ["lottery_draws"])
        #expect(Self.secrets(of: "admin_export").isSuperset(of: ["challenges", "judged_games", "words"]))
    }
}
