import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import juliet

@Suite("What was typed wrong", .defaultLayout("asks no database"), .timeLimit(.minutes(2)))
struct UsageTests {
    @Test(
        "a command that there is not is answered with the one that was meant",
        arguments: [
            (["serv"], "serv", "serve", "juliet"), (["mirgate", "up"], "mirgate", "migrate", "juliet"),
            (["mig"], "mig", "migrate", "juliet"), (["migrate", "upp"], "upp", "up", "juliet migrate"),
            (["migrate", "--help", "upp"], nil, nil, ""), (["migrate", "up", "now"], nil, nil, ""),
            (["admin", "keys", "ad", "ANNA"], "ad", "add", "juliet admin keys"),
            (["help", "serv"], "serv", "serve", "juliet"),
            (["rules", "aply"], "aply", "apply", "juliet rules"), (["energy", "xyzzy"], "xyzzy", nil, "juliet energy"),
            (["migrate", "catalo"], "catalo", nil, "juliet migrate"),
            (["Serve"], "Serve", "serve", "juliet"), (["x"], "x", nil, "juliet"), (["serve"], nil, nil, ""),
            (["help"], nil, nil, ""),
            ([], nil, nil, ""), (["--version"], nil, nil, ""), (["--data", "x", "serv"], nil, nil, ""),
        ] as [([String], String?, String?, String)])
    func unknown(arguments: [String], word: String?, meant: String?, path: String) {
        let expected = word.map { word in
            """
            Error: Unknown command '\(word)'\(meant.map { ". Did you mean '\($0)'?" } ?? "")
            Usage: \(path) <subcommand>
              See '\(path) --help' for more information.
            """
        }
        #expect(Self.answer(to: arguments) == expected)
    }

    private static func answer(to arguments: [String]) -> String? { UnknownCommand(arguments).map { "\($0)" } }

    @Test("every command is known by its name, and is meant if a letter of it is missing")
    func everyCommand() throws {
        func check(_ command: any ParsableCommand.Type, _ path: [String]) throws {
            for subcommand in command.configuration.subcommands {
                let name = subcommand.configuration.commandName ?? "\(subcommand)".lowercased()
                #expect(Self.answer(to: path + [name]) == nil)
                if subcommand.configuration.shouldDisplay, name.count > 2 {
                    let answer = try #require(Self.answer(to: path + [String(name.dropLast())]))
                    #expect(answer.contains(". Did you mean '"), "\(path) \(name)")
                }
                try check(subcommand, path + [name])
            }
        }
        try check(Juliet.self, [])
    }

    @Test(
        "ends with status 64, and says what",
        arguments: [
            (["serv"], "Error: Unknown command 'serv'. Did you mean 'serve'?\n"),
            (["migrate", "up", "--twice"], "Error: Unknown option '--twice'"),
            (["migrate", "up", "now"], "Error: Unexpected argument 'now'"),
            (["serve", "--port", "eighty"], "error: http.port (--port): \"eighty\" is not a whole number"),
            (["config", "--host", "a b"], "error: http.host (--host): \"a b\" is not an address"),
            (["serve", "--socket", "here"], "error: http.socket (--socket): \"here\" is not an absolute path"),
            (
                ["words", "stats", "--database", "postgres://u:hush@h/d?foo=bar"],
                "error: database.url (--database): this value is not a postgres://… URL or keyword=value pairs, as libpq reads them: invalid URI query parameter: \"foo\""
            ),
            (
                ["migrate", "up", "--database", "host=h foo=bar"],
                "error: database.url (--database): this value is not a postgres://… URL or keyword=value pairs, as libpq reads them: invalid connection option \"foo\""
            ),
            (
                ["words", "check", "config/words/german-secret.txt"],
                "error: config/words/german-secret.txt is a list of another"
            ),
        ])
    func status(arguments: [String], said: String) async throws {
        let outcome = try await Program.run(arguments)
        #expect(outcome.status == 64 && outcome.output.isEmpty)
        #expect((outcome.notes + "\n").hasPrefix(said), "\(outcome.notes)")
    }

    @Test("scripts get it as JSON, with the same status")
    func json() async throws {
        for command in [["words", "stats"], ["migrate", "status"]] {
            let outcome = try await Program.run(command + ["--json", "--database", "nonsense"])
            #expect(outcome.status == 64 && outcome.output.contains("missing \\\"=\\\" after"), "\(outcome.output)")
        }
    }

    @Test("a bad value of a variable is no wrong usage")
    func variable() async throws {
        let outcome = try await Program.run(["serve"], environment: ["JULIET_HTTP_PORT": "eighty"])
        #expect(outcome.status == 78 && outcome.notes.hasPrefix("error: http.port (JULIET_HTTP_PORT): "))
    }

    @Test("a settings file that is not JSON is named with its line")
    func settingsFile() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("juliet.json", "{\n  \"http\": {\n    \"port\": 8080,,\n  }\n}\n")
        for command in [["config"], ["serve"], ["migrate", "up"], ["dev", "--data", "\(folder.path)/data"]] {
            let outcome = try await Program.run(command + ["--config", file])
            #expect(
                outcome.notes
                    == "error: \(file):3:18: not valid JSON (comments and trailing commas are allowed): expected a name or } before the comma"
            )
        }
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/data"))
    }

    @Test("a PostgreSQL that is not there: every command says what libpq says", arguments: ["own", "other"])
    func unreachable(files: String) async throws {
        let database = ["--database", "host=127.0.0.1 port=1 user=u dbname=d"]
        let refused = "connection to server at \"127.0.0.1\", port 1 failed: Connection refused"
        let folder = try TemporaryFolder()
        try folder.write("0001_a.sql", "-- migrate:up\nCREATE TABLE a (id int);\n")
        let migrations = files == "own" ? [] : ["--migrations", folder.path]
        for command in ["up", "status", "plan", "verify", "down"] {
            let outcome = try await Program.run(["migrate", command] + migrations + database)
            #expect(outcome.status == 1 && outcome.notes.hasPrefix("error: \(refused)"), "\(command): \(outcome.notes)")
        }
        guard files == "own" else { return }
        for command in [["words", "stats"], ["rules", "apply"], ["audit"], ["lottery", "list"]] {
            let outcome = try await Program.run(command + database)
            #expect(outcome.status == 1 && outcome.notes.hasPrefix("error: \(refused)"), "\(command): \(outcome.notes)")
        }
        let json = try await Program.run(["migrate", "up", "--json"] + migrations + database)
        #expect(json.status == 1 && json.output.contains("Connection refused"))
    }
}
