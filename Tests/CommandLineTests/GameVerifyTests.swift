import Foundation
import TestSupport
import Testing

@testable import JulietGame

@Suite("juliet game verify", .everyLayout)
struct GameVerifyTests {
    private static let salt = "000102030405060708090a0b0c0d0e0f"
    private static let commitment = "0319aebcd27ab1aa960da4b25a10d6f08e0e026d7255e320ac9d6fa519ca618a"

    /// A won game of the word "abbey", as the service answers it.
    private static func game(
        guesses: String = #"""
        {"word":"babes","marks":["present","present","correct","correct","absent"]},
        {"word":"abbey","marks":["correct","correct","correct","correct","correct"]}
        """#,
        state: String = "won", length: Int = 5, end: String = #""salt":"\#(salt)","secret":"abbey""#
    ) -> String {
        #"""
        {"id":"0193","kind":"game","state":"\#(state)","language":"en","length":\#(length),"maximumGuesses":6,
        "guesses":[\#(guesses)],"commitment":"\#(commitment)","startedAt":"2026-11-21T12:00:00.123456Z",\#(end)}
        """#
    }

    private func verify(_ document: String, _ more: String...) async throws -> Program.Outcome {
        let folder = try TemporaryFolder()
        return try await Program.run(["game", "verify", folder.write("game.json", document)] + more)
    }

    private func fault(_ document: String) async throws -> String {
        let outcome = try await verify(document)
        #expect(outcome.status == 1, "\(outcome.output)\(outcome.notes)")
        #expect(outcome.notes == "")
        return outcome.output
    }

    @Test("a commitment, salt and word that belong together fit, in any letter case")
    func words() async throws {
        let right = ["game", "verify", "--commitment", Self.commitment.uppercased(), "--salt", Self.salt, "--secret"]
        var outcome = try await Program.run(right + ["Abbey"])
        #expect(outcome.status == 0)
        #expect(outcome.output == #"matches: the commitment is to "abbey""#)
        outcome = try await Program.run(right + ["abbot"])
        #expect(outcome.status == 1)
        #expect(outcome.output == "does not match: the commitment is to another word, or with another salt")
    }

    @Test("a game fits, alone or in what /v2 answers around it, from a file and from standard input")
    func games() async throws {
        let fits = #"matches: the commitment is to "abbey", and 2 guesses were judged by it"#
        let problem = #"{"type":"/problems/game-over","status":409,"code":"game-over","game":\#(Self.game())}"#
        for document in [Self.game(), #"{"game":\#(Self.game()),"energy":25}"#, problem] {
            let outcome = try await verify(document)
            #expect(outcome.status == 0, "\(outcome.notes)")
            #expect(outcome.output == fits)
        }
        let program = try await Program()
        let folder = try TemporaryFolder()
        let outcome = try await program.run(
            ["game", "verify", "-"], input: try folder.write("game.json", Self.game()))
        #expect(outcome.output == fits)
        let resigned = try await verify(Self.game(guesses: "", state: "lost"))
        #expect(resigned.output == #"matches: the commitment is to "abbey""#)
    }

    @Test("a day fits, and the game of it must be about the same commitment")
    func days() async throws {
        func day(_ commitment: String, _ game: String, _ end: String = "") -> String {
            #"{"day":"2026-11-21","number":325,"length":5,"commitment":"\#(commitment)",\#(end)"game":\#(game)}"#
        }
        let over = #""salt":"\#(Self.salt)","secret":"abbey","#
        #expect(
            try await verify(day(Self.commitment, Self.game(), over)).output
                == #"matches: the commitment is to "abbey", and 2 guesses were judged by it"#)
        // Today: who has ended their game knows the word.
        #expect(try await verify(day(Self.commitment, Self.game())).status == 0)
        let past = #"{"day":"2026-11-21","commitment":"\#(Self.commitment)","salt":"\#(Self.salt)","secret":"abbey"}"#
        #expect(try await verify(past).output == #"matches: the commitment is to "abbey""#)
        let other = String(Self.commitment.reversed())
        #expect(
            try await fault(day(other, Self.game()))
                == "does not match: the commitment of the game is not the day's")
    }

    @Test("the commitment that was noted at the beginning has to be the one at the end")
    func noted() async throws {
        #expect(try await verify(Self.game(), "--commitment", Self.commitment).status == 0)
        let outcome = try await verify(Self.game(), "--commitment", String(Self.commitment.reversed()))
        #expect(outcome.status == 1)
        #expect(outcome.output == "does not match: the commitment is not the one that was noted")
    }

    @Test("a service that cheats is caught, whatever it does")
    func cheats() async throws {
        let won = #"{"word":"abbey","marks":["correct","correct","correct","correct","correct"]}"#
        let lost = #"{"word":"babes","marks":["present","present","correct","correct","absent"]}"#
        #expect(
            try await fault(Self.game(end: #""salt":"\#(Self.salt)","secret":"abbot""#))
                == "does not match: the commitment is to another word, or with another salt")
        #expect(
            try await fault(Self.game(end: #""salt":"abc","secret":"abbey""#))
                == "does not match: the salt is not 32 hex digits")
        #expect(
            try await fault(Self.game(length: 6)) == "does not match: the word has 5 letters, the game said 6")
        #expect(
            try await fault(
                Self.game(
                    guesses: #"{"word":"babes","marks":["present","present","absent","correct","absent"]},"# + won))
                == "does not match: guess 1, \"babes\", was marked present present absent correct absent, which is not "
                + "present present correct correct absent")
        #expect(
            try await fault(Self.game(guesses: #"{"word":"a","marks":["correct"]}"#, state: "lost"))
                .hasPrefix(#"does not match: guess 1, "a", was marked correct"#))
        #expect(
            try await fault(Self.game(guesses: lost, state: "won"))
                == "does not match: the game is called won, but the word was not guessed")
        #expect(
            try await fault(Self.game(guesses: won, state: "lost"))
                == "does not match: the game is called lost, but the word was guessed")
        #expect(
            try await fault(Self.game(guesses: won + "," + lost, state: "lost"))
                == "does not match: the game went on after the word was guessed")
        #expect(
            try await fault(Self.game(guesses: Array(repeating: lost, count: 7).joined(separator: ","), state: "lost"))
                == "does not match: 7 guesses were made, and only 6 are allowed")
    }

    @Test("a game that is not over, and a file that is no game, end with status 2 and one line")
    func unknown() async throws {
        var outcome = try await verify(Self.game(guesses: "", state: "playing", end: #""day":null"#))
        #expect(outcome.status == 2)
        #expect(outcome.notes == "error: the game is not over: its word is still secret")
        for document in ["", "[]", "{}", #"{"games":[]}"#, #"{"commitment":5}"#] {
            outcome = try await verify(document)
            #expect(outcome.status == 2)
            #expect(outcome.notes.hasSuffix("game.json holds neither a game nor a day as /v2 answers them"))
        }
        outcome = try await Program.run(["game", "verify", "/nowhere"])
        #expect(outcome.status == 2)
        #expect(outcome.notes == "error: cannot read /nowhere")
    }

    @Test(
        "wrong usage is said at once",
        arguments: [
            [], ["--commitment", commitment], ["game.json", "--salt", salt],
            ["--commitment", "abc", "--salt", salt, "--secret", "abbey"],
            ["--commitment", commitment, "--salt", "abc", "--secret", "abbey"],
        ])
    func usage(arguments: [String]) async throws {
        #expect(try await Program.run(["game", "verify"] + arguments).status == 64)
    }

    @Test("judges as the database does: ten thousand guesses with repeated letters, and no other marks for any of them")
    func judging() async throws {
        let program = try await Program.migrated()
        let games = try await program.psql(
            """
            SELECT setseed(0.5);
            SELECT json_build_object('commitment', encode(commitment(salt, secret), 'hex'),
                'salt', replace(salt::text, '-', ''), 'secret', secret, 'guesses', json_build_array(json_build_object(
                'word', guess, 'marks', (SELECT json_agg(CASE mark WHEN 'c' THEN 'correct' WHEN 'p' THEN 'present'
                    ELSE 'absent' END) FROM string_to_table(mark_guess(guess, secret), NULL) AS mark))))
            FROM (SELECT gen_random_uuid() AS salt, string_agg(substr('abc', ceil(random() * 3)::integer, 1), '') AS secret,
                    string_agg(substr('abcd', ceil(random() * 4)::integer, 1), '') AS guess
                FROM generate_series(1, 10000) AS game, generate_series(1, 5) GROUP BY game) AS games
            """
        ).split(separator: "\n")
        #expect(games.count == 10000)
        for game in games {
            let answer = try JSONDecoder().decode(GameProof.Answer.self, from: Data(game.utf8))
            #expect(throws: Never.self, "\(game)") { try GameProof.check(answer.proofs) }
        }
        for game in games.prefix(100) {
            let forged =
                game.contains("\"absent\"")
                ? game.replacing("\"absent\"", with: "\"present\"", maxReplacements: 1)
                : game.replacing("\"correct\"", with: "\"absent\"", maxReplacements: 1)
            let answer = try JSONDecoder().decode(GameProof.Answer.self, from: Data(forged.utf8))
            #expect(throws: GameProof.Failure.self, "\(forged)") { try GameProof.check(answer.proofs) }
        }
    }
}
