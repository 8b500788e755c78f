import Foundation

@testable import juliet

/// Something that operators, the admin page or the lottery ask of a database, or do to it.
enum Question: Sendable, CustomStringConvertible {
    /// A statement.
    case sql(String)
    /// A command. `{folder}` is one of the database's own, with what ``TemporaryFolder/writeQuestions()`` writes.
    case command([String])

    var description: String {
        switch self {
        case .sql(let sql): sql
        case .command(let arguments): "juliet \(arguments.joined(separator: " "))"
        }
    }
}

extension TemporaryFolder {
    /// The files that questions name.
    func writeQuestions() throws {
        try write("english-secret.txt", "apple\nbread\nzebra\n")
        try write("english-guessable.txt", "apple\nbread\nzebra\ncrane\nslate\nyacht\n")
        try write("blocked.txt", "bread\n")
        try write("meanings.txt", "apple\ta fruit\nnowhere\tno word\n")
        let days = [4, 5, 500].map { Date(timeIntervalSinceNow: $0 * 86400).formatted(.iso8601.year().month().day()) }
        try write("plan.txt", "\(days[0]) lemon\n\(days[1]) Lemon # again\n")
        try write("wrong-plan.txt", "2020-01-01 lemon\n\(days[0]) nowhere\n\(days[2]) lemon\n")
        // FRESH was registered here before.
        let players = ["MOVED", "FRESH"].map {
            #"{"userID": "\#($0)", "energy": 7, "playedWords": ["CRANE", "APPLE"], "userWins": 2}"# + "\n"
        }
        try write("players.jsonl", players.joined())
        try write(
            "users.json",
            #"{"items": [{"userId": 7, "name": "Xenia", "username": "x", "regDate": "2020-01-01"}, {"userId": 8, "name": "Zoë", "username": "z", "regDate": "2020-10-21"}]}"#
        )
        try write("list.json", #"{"lotteryList": [{"userId": 8, "void": true}]}"#)
    }
}

extension Question {
    private static let (kim, mia) = ("sha256('key')", "sha256('words')")
    private static let players = [
        "ANNA", "BEN", "DEVICE-1", "OLD-1", "OLD-30", Someone.ada, Someone.bob, Someone.cleo, Someone.dora, Someone.eve,
    ]

    /// What only reads.
    static func reads(_ facts: Facts) -> [Question] { functions(facts) + commands(facts) }

    /// What only reads, and is a function.
    static func functions(_ facts: Facts) -> [Question] { page(facts) + lottery + exports }

    private static func page(_ facts: Facts) -> [Question] {
        var asked = [
            "has_admin_keys()", "admin_show_session(\(kim), 'support')", "admin_show_session(\(mia), NULL)",
            "admin_show_session(\(mia), 'support')", "admin_show_session(sha256('none'), NULL)",
            "admin_find(\(kim), 'OLD', NULL, NULL, 'c/', 7)", "admin_find(\(kim), 'a', NULL, NULL, NULL, 20)",
            "admin_find(\(kim), '', NULL, NULL, NULL, 20)", "admin_find(\(kim), '', NULL, NULL, 'n/1/x', 7)",
            "admin_find(\(kim), 'T1', NULL, NULL, NULL, 20)", "admin_find(\(kim), 'T6', NULL, NULL, NULL, 20)",
            "admin_find(\(kim), '\(facts.code)', '\(facts.code)', NULL, NULL, 20)",
            "admin_find(\(kim), '\(facts.lastGame)', NULL, '\(facts.lastGame)', NULL, 20)",
            "admin_find(\(mia), 'a', NULL, NULL, NULL, 20)",
            "admin_parts(\(kim), NULL, 50)", "admin_word_lists(\(kim))", "admin_word(\(kim), 'en', 'apple')",
            "admin_word(\(mia), 'en', 'igloo')", "admin_word(\(kim), 'en', 'xxxxx')",
            "admin_together(\(kim), NULL, NULL, 20)", "admin_together(\(kim), 'crew', NULL, 20)",
            "admin_together(\(kim), '\(Someone.cleo)', NULL, 20)", "admin_together(\(kim), '\(Someone.bob)', NULL, 20)",
            "admin_together(\(kim), '\(facts.code)', '\(facts.code)', 20)",
            "admin_together(\(kim), '\(facts.invite)', '\(facts.invite)', 20)",
            "admin_league(\(kim), '\(facts.league)')",
            "admin_count_day(\(kim), today())", "admin_count_day(\(kim), today() - 9)",
            "admin_count_day(\(mia), today())",
            "admin_read_figures(\(kim), today() - 399, today())", "admin_trail(\(kim), NULL, NULL, 50)",
            "admin_trail(\(kim), NULL, 5, 3)", "admin_trail(\(kim), 'BEN', NULL, 50)",
            "admin_trail(\(mia), NULL, NULL, 50)",
        ].map { "SELECT juliet.\($0)" }
        for player in players {
            asked += [
                "admin_find(\(kim), '\(player)', NULL, NULL, NULL, 20)", "admin_player(\(kim), '\(player)')",
                "admin_ledger(\(kim), '\(player)', NULL, 50)", "admin_ledger(\(kim), '\(player)', 3, 1)",
                "admin_games(\(kim), '\(player)', NULL, 50)",
                "admin_games(\(kim), '\(player)', '\(facts.lastGame)', 2)", "admin_ways(\(kim), '\(player)')",
            ].map { "SELECT juliet.\($0)" }
        }
        // Not the state of the server, of which both are.
        asked += [7, 14, 42].map { ago in
            """
            SELECT juliet.count_cohorts(day), juliet.count_newcomers(day),
                juliet.count_active(juliet.start_of(day), juliet.start_of(day + 7))
            FROM (SELECT date_trunc('week', now() AT TIME ZONE 'UTC')::date - \(ago) AS day) AS week
            """
        }
        asked.append("SELECT refusal, body::jsonb - 'postgres' - 'warnings' FROM admin_live(\(kim))")
        return asked.map { .sql($0) }
    }

    private static let lottery: [Question] =
        [
            "lottery_users()", "lottery_list()", "lottery_users_parts()", "lottery_list_parts()", "lottery_version()",
        ].map { .sql("SELECT * FROM juliet.\($0)") }
        // Not elapsed.
        + ["show_lottery()", "show_draw(1)", "show_draw(NULL)", "show_draw(9)"].map {
            .sql(
                """
                SELECT number, commitment, prize, entries, started_at, loading, pace, pause, list_digest, numbers, names,
                    has_ended, seed, winner, list FROM juliet.\($0)
                """)
        }

    private static let exports: [Question] =
        ["ada", "bob", "eve", "dora"].map { .sql("SELECT juliet.export_player(\(Someone.token($0)))") }
        + players.map { .sql("SELECT juliet.all_records('\($0)'), juliet.player_records('\($0)')") }

    private static func commands(_ facts: Facts) -> [Question] {
        var asked = [
            ["admin", "keys", "list"], ["admin", "audit"], ["admin", "audit", "BEN"],
            ["admin", "audit", "--last", "3"],
            ["challenges", "list"], ["challenges", "list", "--last", "2"], ["challenges", "show", facts.code],
            ["challenges", "show", facts.ownCode], ["leagues", "list"], ["leagues", "list", "--last", "1"],
            ["leagues", "list", "--name", "CREW"], ["leagues", "list", "--player", Someone.bob],
            ["leagues", "show", facts.league], ["names", "list"], ["names", "list", "--shipped"],
            ["names", "list", "--players"],
            ["names", "list", "--players", "--first", "1"], ["purchases", "list"],
            ["purchases", "list", "--last", "2"],
            ["purchases", "show", "T1"], ["purchases", "show", "T6", "--environment", "Production"],
            ["lottery", "list"], ["lottery", "show"], ["lottery", "show", "1"], ["lottery", "verify"],
            ["lottery", "verify", "1", "--commitment", String(repeating: "0", count: 64)], ["rules", "show"],
            ["words", "list"], ["words", "list", "--secret", "--length", "5"], ["words", "list", "--retired"],
            ["words", "list", "--language", "de"], ["words", "check"], ["words", "check", "--language", "en"],
            ["words", "check", "--blocked", "{folder}/blocked.txt"],
            ["words", "check", "--guessable", "{folder}/english-guessable.txt"], ["words", "stats"],
            ["words", "check", "--kind", "secret", "{folder}/english-secret.txt"],
        ]
        asked += asked.map { $0 + ["--json"] }
        asked += [
            ["audit"], ["audit", "--quiet", "--since", "2026-01-01", "--json"], ["audit", "--only", "energy", "games"],
            ["energy", "audit"], ["energy", "audit", "--quiet", "--json"], ["users", "show", Someone.ada],
            ["energy", "history", "ANNA"],
        ]
        for player in players {
            asked += [
                ["users", "show", player, "--json"], ["users", "export", player],
                ["players", "show", player, "--json"],
                ["energy", "history", player, "--last", "9", "--json"],
            ]
        }
        return asked.map { .command($0) }
    }

    /// What changes something, in this order. Where it has a name it is asked twice.
    static func deeds(_ facts: Facts) -> [Question] {
        let why = ["--reason", "ticket 9"]
        func session(_ number: Int) -> String { "'a2aa3ddc-2b7f-4a7b-9d2c-00000000000\(number)'" }
        let page = [
            "admin_energy(\(kim), 'ANNA', 20, true, 'ticket', 'd1', 1)",
            "admin_energy(\(kim), 'NOBODY', 20, true, 'ticket', 'd2', 1)",
            "admin_energy(\(kim), '\(Someone.ada)', 7, true, 'ticket', 'd3', 1)",
            "admin_energy(\(kim), 'BEN', -5, false, 'ticket', 'd4', 1)",
            "admin_energy(\(kim), 'BEN', -900000, false, 'ticket', 'd5', 1)",
            "admin_end_game(\(kim), '\(Someone.ada)', '\(facts.runningGame)', 'ticket', 'd6', 1)",
            "admin_end_game(\(kim), '\(Someone.ada)', '\(facts.lastGame)', 'ticket', 'd7', 1)",
            "admin_export(\(kim), '\(Someone.eve)', 'ticket', 'd8', 1)",
            "admin_export(\(kim), 'ANNA', 'ticket', 'd9', 1)",
            "admin_change_name(\(kim), '\(Someone.ada)', 'rename', 'Ade', 'ticket', 'd10', 1)",
            "admin_change_name(\(kim), '\(Someone.bob)', 'show', NULL, 'ticket', 'd11', 1)",
            "admin_change_name(\(kim), '\(Someone.eve)', 'hide', NULL, 'ticket', 'd12', 1)",
            "admin_change_part(\(kim), 'Ade', true, 'ticket', 'd13', 1)",
            "admin_change_part(\(kim), 'ade', true, 'ticket', 'd14', 1)",
            "admin_change_part(\(kim), 'ADE', false, 'ticket', 'd15', 1)",
            "admin_change_part(\(kim), 'bob', true, 'ticket', 'd15b', 1)",
            "admin_change_word(\(mia), 'en', 'house', 'retire', 'ticket', 'd16', 1)",
            "admin_change_word(\(kim), 'en', 'music', 'secret', 'ticket', 'd17', 1)",
            "admin_change_word(\(kim), 'en', 'fresh', 'addSecret', 'ticket', 'd18', 1)",
            "admin_change_word(\(kim), 'en', 'fresh', 'addGuessable', 'ticket', 'd19', 1)",
            "admin_planned_days(\(kim))", "admin_plan_day(\(kim), today() + 3, 'lemon', true)",
            "admin_plan_day(\(kim), today() + 2, 'lemon', true)", "admin_clear_day(\(kim), today() + 3, 'ticket')",
            "admin_clear_day(\(kim), today() + 3, 'ticket')",
            "admin_hide_hint(\(kim), '\(facts.code)', 'ticket', 'd19b', 1)",
            "admin_end(\(kim), NULL, '\(facts.code)', 'ticket', 'd20', 1)",
            "admin_end(\(kim), '\(facts.league)', NULL, 'ticket', 'd21', 1)",
            "admin_take_ways(\(kim), '\(Someone.ada)', 'passkey', '\(facts.passkey)', 'ticket', 'd22', 1)",
            "admin_take_ways(\(kim), '\(Someone.bob)', 'session', '\(facts.session)', 'ticket', 'd23', 1)",
            "admin_take_ways(\(kim), '\(Someone.bob)', 'identity', 'apple', 'ticket', 'd24', 1)",
            "admin_recovery(\(kim), '\(Someone.ada)', sha256('new code'), 'ticket', 'd25', 1)",
            "admin_delete(\(kim), 'OLD-30', E'gone\\tone', 'ticket', 'd26', 1)",
            "admin_delete(\(kim), '\(Someone.eve)', E'gone\\ttwo', 'ticket', 'd27', 1)",
            "admin_sign_in(\(kim), sha256('another'))", "admin_sign_in(sha256('none'), sha256('a third'))",
            "admin_sign_out(sha256('another'))",
        ].map { "SELECT juliet.\($0)" }
        // It counts for half a second, one day at least.
        let counted = [
            "SELECT count(juliet.count_figures()) FROM generate_series(1, 400)",
            "SELECT kind, starts_on, counts FROM figures WHERE kind = 'day' ORDER BY starts_on DESC LIMIT 10",
        ]
        let (fay, gus) = (Someone.token("fay"), Someone.token("gus"))
        let lottery = [
            "enter_lottery(\(Someone.token("bob")))", "enter_lottery(\(Someone.token("bob")))",
            "enter_lottery(sha256('none'))",
            "gather_lottery_changes()", "lottery_version()", "request_draw(9)", "request_draw(1)", "request_draw(1)",
            "rename_player(\(Someone.token("ada")), 'Adela')", "start_draw('os:test', 2)",
            "create_player('6ed8320e-51c1-8a06-b8b0-2ca148cbfb96', 'Fay', NULL, \(fay), \(session(6)), sha256('f'))",
            "create_player('6ed8320e-51c1-8a06-b8b0-2ca148cbfb97', 'Gus', NULL, \(gus), \(session(7)), sha256('g'))",
            "enter_lottery(\(fay))", "merge_player(\(gus), \(fay), NULL, 'merge-2', 7)",
            "register_user('FRESH', NULL, NULL)",
        ].map { "SELECT juliet.\($0)" }
        let commands: [[String]] = [
            ["energy", "grant", "OLD-5", "9", "--operation-id", "g1"] + why,
            ["energy", "grant", "OLD-5", "9", "--operation-id", "g1"] + why,
            ["energy", "grant", "NOBODY", "9", "--operation-id", "g2"] + why,
            ["names", "refuse", "Xyz", "Yzx"] + why, ["names", "allow", "xyz"] + why, ["names", "allow", "zzz"] + why,
            ["names", "allow", "--shipped"] + why, ["names", "refuse", "--shipped"] + why,
            ["players", "end-sessions", Someone.bob, "--session", facts.session] + why,
            ["players", "end-sessions", Someone.bob] + why,
            ["players", "remove-identity", Someone.bob, "apple"] + why,
            ["players", "remove-passkey", Someone.ada, facts.passkey] + why, ["players", "renew-nonces"] + why,
            ["challenges", "hide-hint", facts.ownCode] + why, ["challenges", "end", facts.ownCode] + why,
            ["leagues", "end", facts.league] + why,
            ["purchases", "replay"], ["lottery", "import", "{folder}/users.json", "{folder}/list.json"],
            ["lottery", "enter", "7"], ["lottery", "enter", "--player", "ANNA"], ["lottery", "void", "7", "8"],
            ["lottery", "void", "7", "--undo"], ["lottery", "leave", "8"], ["lottery", "leave", facts.participant],
            ["lottery", "announce", "--prize", "70"], ["lottery", "draw", "9"],
            ["words", "retire", "apple", "chair"], ["words", "restore", "apple", "igloo"],
            ["words", "retire", "nowhere", "--language", "en"], ["words", "restore", "apple", "--language", "en"],
            ["words", "block", "chair", "qwert", "--reason", "a name"], ["words", "block", "--list"],
            ["words", "restore", "chair"], ["words", "unblock", "chair", "apple", "--reason", "why"],
            ["words", "import", "--dry-run", "{folder}"],
            ["words", "import", "{folder}/english-secret.txt", "--kind", "guessable", "--language", "en"],
            ["words", "import", "--prune", "{folder}/english-secret.txt", "{folder}/english-guessable.txt"],
            ["words", "plan", "{folder}/wrong-plan.txt"], ["words", "plan", "{folder}/plan.txt"],
            ["words", "plan", "{folder}/plan.txt", "--repeat", "--dry-run"],
            ["words", "plan", "{folder}/plan.txt", "--repeat"], ["words", "plan", "--list"],
            ["words", "plan", "--list", "--json"],
            ["words", "plan", "--clear", "2020-01-01"], ["words", "plan", "--clear", "9999-12-31", "--json"],
            ["words", "meanings", "{folder}/meanings.txt", "--dry-run"],
            ["words", "meanings", "{folder}/meanings.txt", "--language", "en"], ["words", "meanings", "--clear"],
            ["rules", "apply", "--dry-run"], ["rules", "apply"], ["rules", "apply"],
            ["users", "import", "{folder}/players.jsonl", "--report", "{folder}/report", "--language", "en"],
            ["users", "import", "{folder}/players.jsonl", "--replace-untouched", "--report", "{folder}/report"],
            ["users", "show", "FRESH", "--json"], ["energy", "history", "FRESH", "--json"],
            ["users", "import", "{folder}/players.jsonl", "--replace-untouched"],
            ["users", "delete", "--yes", "BEN"], ["users", "delete", "--yes", Someone.ada],
            ["users", "delete", "--yes", "X"],
            ["admin", "keys", "revoke", "mia"], ["admin", "keys", "revoke", "mia"], ["energy", "archive"],
            ["energy", "archive", "--days", "401"], ["energy", "archive", "--to", "{folder}/old"],
            ["audit", "--archive", "{folder}/old"], ["energy", "audit", "--archive", "{folder}/old"],
            ["energy", "history", "OLD-1", "--archive", "{folder}/old"],
            ["energy", "prune"], ["energy", "prune", "--days", "500"],
        ]
        return (page.flatMap { [$0, $0] } + counted + lottery).map { .sql($0) } + commands.map { .command($0) }
    }

    /// The commands that ask nothing here, and why.
    static let notAsked: [[String]: String] = [
        ["dev"]: "has a server of its own", ["serve"]: "the tests of the contract",
        ["play"]: "asks a service", ["config"]: "asks no database", ["identity", "check"]: "asks no database",
        ["game", "verify"]: "asks no database", ["migrate", "up"]: "DistributedCommandTests",
        ["migrate", "down"]: "DistributedCommandTests", ["migrate", "status"]: "says how players are distributed",
        ["migrate", "verify"]: "DistributedCommandTests", ["migrate", "plan"]: "MigrateCommandTests",
        ["migrate", "new"]: "asks no database", ["migrate", "repair"]: "MigrateCommandTests",
        ["migrate", "wait"]: "MigrateCommandTests", ["migrate", "distribute"]: "DistributedCommandTests",
        ["migrate", "prune"]: "DistributedCommandTests",
        ["migrate", "catalog"]: "for scripts/catalog, of a database on one server",
        ["lottery", "watch"]: "LotteryCommandTests",
        ["players", "recovery-code"]: "prints what is new: PlayersCommandTests",
        ["admin", "keys", "add"]: "prints what is new: AdminCommandTests",
    ]
}
