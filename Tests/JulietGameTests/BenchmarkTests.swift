import Foundation
import JulietAPI
import Postgres
import Testing

@testable import JulietGame

/// The benchmark compares with pgbench "with the same SQL": here it is made sure of.
@Suite("The benchmark's statements")
struct BenchmarkTests {
    private static let scripts = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Benchmarks/pgbench").standardized

    /// The statements of a script, blanks folded, with parameters in the place of pgbench's values.
    private func statements(
        _ script: String, player: String = ":a || '-0000-4000-8000-' || :b", _ values: [(String, String)] = []
    ) throws -> [String] {
        let text = try String(contentsOf: Self.scripts.appending(path: "\(script).sql"), encoding: .utf8)
        var sql = text.split(separator: "\n").filter { !$0.hasPrefix("\\") && !$0.hasPrefix("--") }
            .joined(separator: "\n")
        for (value, parameter) in [(player, "$1")] + values {
            #expect(sql.contains(value), "\(script).sql no longer has \(value)")
            sql = sql.replacing(value, with: parameter)
        }
        return sql.split(separator: ";").map { Self.folded(String($0)) }.filter { !$0.isEmpty }
    }

    private static func folded(_ sql: String) -> String {
        sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private func sql(_ statement: some Statement) -> String { Self.folded(statement.sql.description) }
    private func sql(_ call: FunctionCall<AnswerRow<AppState>>) -> String { Self.folded(call.sql.description) }

    private static let player = User.ID("ANNA")
    private static let user = AppUser(player)
    private static let session = Credential(V2.RecoveryCode.random())

    @Test("a read is the service's")
    func read() throws {
        #expect(try statements("read") == [sql(ReadWins(user: Self.player))])
    }

    @Test("a payment is the service's")
    func debit() throws {
        #expect(
            try statements("debit", [("NULL, NULL, NULL", "$2, $3, $4")]) == [
                sql(.payForGame(user: Self.user, operation: nil))
            ])
    }

    @Test("a purchase is the service's")
    func purchase() throws {
        #expect(
            try statements("purchase", [("5, NULL, NULL, NULL", "$2, $3, $4, $5")]) == [
                sql(.buyEnergy(user: Self.user, amount: 5, operation: nil))
            ])
    }

    @Test("a win is the service's")
    func win() throws {
        #expect(
            try statements("win", [("NULL, NULL, NULL", "$2, $3, $4")]) == [
                sql(.addWin(user: Self.user, operation: nil))
            ])
    }

    /// The digest of a token, and the player's id.
    private static let token = #"""
        sha256(uuid_send((:a || '-0000-8000-8000-' || :b)::uuid) || '\x0000000000000000'::bytea || int8send(:n)) || \#
        convert_to((:a || '-0000-8000-8000-' || :b), 'UTF8')
        """#

    @Test("a guess is the service's, but that pgbench names a word by its place")
    func guess() throws {
        let values = [
            ("('00000000-0000-7000-8000-' || :b)::uuid", "$2"),
            ("(SELECT word FROM juliet.words WHERE place = :w)", "$3"), (":number, 'en'", "$4, $5"),
        ]
        let guess = FunctionCall.guessKnownWord(
            session: Self.session, game: nil, word: "crane", number: nil, language: "en")
        #expect(try statements("guess", player: Self.token, values) == [sql(guess)])
    }

    @Test("a part of a leaderboard is the service's")
    func leaderboard() throws {
        let values = [("'daily'", "$2"), ("date '1970-01-01' + :day::integer, 20, true", "$3, $4, $5")]
        let page = FunctionCall.readBoard(session: Self.session, board: "daily", day: nil, limit: 20, isAroundMe: true)
        #expect(try statements("leaderboard", player: Self.token, values) == [sql(page)])
    }

    @Test("a game's statements are the service's, but that pgbench, which has no texts, names a word by its place")
    func game() throws {
        let values = [
            ("'en', 5, NULL, NULL, NULL", "$2, $3, $4, $5, $6"), ("NULL, NULL, NULL", "$2, $3, $4"),
            ("(SELECT word FROM juliet.words WHERE place = :w), 'en', NULL", "$2, $3, $4"),
        ]
        let list = WordList(language: "en", letters: 5)
        #expect(
            try statements("game", values)
                == [
                    sql(.startGame(user: Self.user, list: list, operation: nil)),
                    sql(.recordPlayedWord(user: Self.user, word: "crane", language: "en")),
                    sql(.addWin(user: Self.user, operation: nil)), sql(ReadWins(user: Self.player)),
                ])
    }
}
