import TestSupport
import Testing

/// A guess of a known word says the same as any other.
@Suite("Guesses of known words", .everyLayout)
struct KnownWordTests {
    @Test("are answered as any other: 400 random guesses of twin games, in and out of turn")
    func twins() async throws {
        let database = try await TestDatabase.shared()
        // A pair of players whose games have one word. Each guess goes to the one game as a word that is looked up, to the
        // other as one that is known; token 3 is nobody's, and the fourth game is another's.
        let differences = try await database.psql(
            """
            -- Citus says that nobody elsewhere will have a temporary function.
            SET client_min_messages = error;
            CREATE FUNCTION pg_temp.tell(a game_answer) RETURNS text LANGUAGE sql AS $$
                SELECT concat_ws('|', a.refusal, a.energy, a.is_replay, a.is_new, (a.game).day, (a.game).language,
                    (a.game).letters, (a.game).guesses, (a.game).marks, (a.game).is_won, (a.game).ended_at IS NOT NULL,
                    (a.game).word) $$;
            DO $$
            DECLARE
                tokens bytea[] := ARRAY(
                    SELECT sha256(('twin ' || i)::bytea) || ('7ed8320e-51c1-8a06-b8b0-00000000000' || i)::bytea
                    FROM generate_series(1, 3) AS i);
                digests bytea[] := ARRAY(SELECT session_digest(token) FROM unnest(tokens) AS token);
                spellings text[] := '{crane,slate,abbey,geese,eerie,llama}';
                games uuid[];
                spelling text;
                number integer;
                looked_up text;
                known text;
            BEGIN
                FOR i IN 1..2 LOOP
                    PERFORM create_player('7ed8320e-51c1-8a06-b8b0-00000000000' || i, 'Twin', NULL, tokens[i],
                        gen_random_uuid(), sha256(tokens[i]));
                END LOOP;
                FOR round IN 1..20 LOOP
                    games := '{}';
                    FOR i IN 1..2 LOOP
                        PERFORM change_energy('7ed8320e-51c1-8a06-b8b0-00000000000' || i, 5, 'support', NULL, NULL, NULL);
                        games[i] := ((start_judged_game(tokens[i], 'en', 5, false, NULL, NULL)).game).id;
                    END LOOP;
                    spelling := spellings[1 + (round % 6)];
                    UPDATE judged_games SET word = spelling WHERE id = ANY (games);
                    FOR turn IN 1..20 LOOP
                        spelling := spellings[1 + floor(random() * 6)];
                        IF turn = 3 THEN spelling := 'crab'; END IF;
                        number := CASE WHEN turn % 4 > 0 THEN 1 + floor(random() * 7) END;
                        looked_up := pg_temp.tell(guess(CASE WHEN turn = 5 THEN tokens[3] ELSE tokens[1] END,
                            CASE WHEN turn = 7 THEN games[2] ELSE games[1] END, spelling, number, NULL, NULL));
                        known := pg_temp.tell(guess_known_word(CASE WHEN turn = 5 THEN tokens[3] ELSE tokens[2] END,
                            CASE WHEN turn = 7 THEN games[1] ELSE games[2] END, spelling, number,
                            CASE WHEN turn = 9 THEN 'de' ELSE 'en' END));
                        IF known <> looked_up THEN
                            RAISE '% % in round %: looked up %, known %', spelling, number, round, looked_up, known;
                        END IF;
                        -- The hour is noted.
                        IF turn = 11 THEN
                            UPDATE sessions SET last_used_at = now() - interval '2 hours' WHERE token_hash = ANY (digests);
                        END IF;
                    END LOOP;
                    PERFORM resign_game(tokens[1], games[1]), resign_game(tokens[2], games[2]);
                END LOOP;
                IF (SELECT count(*) FROM sessions WHERE token_hash = ANY (digests) AND last_used_at < now() - interval '1 hour') > 0 THEN
                    RAISE 'a guess noted no hour';
                END IF;
            END
            $$;
            SELECT count(*), count(DISTINCT (played, won, current_streak, longest_streak, distribution)) FROM players
            WHERE name = 'Twin'
            """)
        #expect(differences == "2|1")
    }

    @Test("have the marks that the rules say, whatever letters come twice")
    func marks() async throws {
        let database = try await TestDatabase.shared()
        let pairs = (0..<4000).map { round in
            let letters = Array("abcpéß".prefix(2 + round % 5))
            func word() -> String {
                String((0..<(4 + round % 5)).map { _ in letters.randomElement()! })
            }
            return (guess: word(), secret: word())
        }
        let found = try await database.psql(
            "SELECT mark_guess(guess, secret) FROM unnest('{\(pairs.map(\.guess).joined(separator: ","))}'::text[], "
                + "'{\(pairs.map(\.secret).joined(separator: ","))}'::text[]) AS pairs (guess, secret)")
        let marks = found.split(separator: "\n").map(String.init)
        try #require(marks.count == pairs.count)
        for (pair, marks) in zip(pairs, marks) {
            #expect(marks == Self.marks(of: pair.guess, for: pair.secret), "\(pair.guess) for \(pair.secret)")
        }
    }

    /// The rule, by counting.
    private static func marks(of guess: String, for secret: String) -> String {
        let pairs = Array(zip(guess, secret))
        return String(
            pairs.indices.map { index in
                let (letter, right) = pairs[index]
                if letter == right { return "c" }
                let wanted = pairs.count { $0.1 == letter && $0.0 != letter }
                let taken = pairs[..<index].count { $0.0 == letter && $0.1 != letter }
                return taken < wanted ? "p" : "a"
            })
    }
}
