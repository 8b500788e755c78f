/// The settings that `ALTER DATABASE … SET` can store, with values that no database of the tests has.
///
/// Those of a role reach a session in the same way, so what holds for a database's holds for a role's.
public enum DatabaseSettings {
    /// How often a database is to be changed until each setting has had several values.
    public static let rounds = 3

    /// What is left as it is, and why.
    public static let exceptions = [
        "exit_on_error": "each error ends the session, and errors are answers: a table that is not there",
        "default_transaction_read_only": "nobody may write: an operator wants that",
        "transaction_read_only": "it is of one transaction",
        "transaction_isolation": "it is of one transaction",
        "transaction_deferrable": "it is of one transaction",
        "session_replication_role": "no trigger fires, which the audit says: DamageTests",
        "log_statement_stats": "the three that it sums up are on",
        "local_preload_libraries": "a library that is not there ends each session",
        "temp_file_limit": "a sort that is not allowed its files ends its statement",
        "dynamic_library_path": "without plpgsql there are no functions",
    ]

    /// Values of settings that are neither switches nor choices. Of those that are not here, no value changes what is read,
    /// written or refused: they say how fast, or what is logged.
    private static let values = [
        // What is read, and how it is printed.
        "DateStyle": ["German, DMY", "SQL, MDY", "Postgres, YMD"], "TimeZone": ["Asia/Kathmandu", "Pacific/Apia"],
        "timezone_abbreviations": ["India"], "client_encoding": ["LATIN1", "SQL_ASCII"],
        "lc_messages": ["C.utf8"], "lc_monetary": ["C.utf8"], "lc_numeric": ["C.utf8"], "lc_time": ["C.utf8"],
        "default_text_search_config": ["pg_catalog.german"], "extra_float_digits": ["-15", "3"],
        "application_name": ["it''s \\ another"],
        // Where names are looked for, and where tables are made.
        "search_path": ["juliet", "public, pg_catalog", "''"], "default_tablespace": ["pg_default"],
        "temp_tablespaces": ["pg_default"],
        // What is a fault.
        "plpgsql.extra_errors": ["all", "none", "shadowed_variables"], "plpgsql.extra_warnings": ["all"],
        "restrict_nonsystem_relation_kind": ["view, foreign-table"],
        // How long, and with how much, a command works.
        "statement_timeout": ["2min"], "lock_timeout": ["2min"], "idle_session_timeout": ["2min"],
        "idle_in_transaction_session_timeout": ["2min"], "deadlock_timeout": ["100ms"],
        "client_connection_check_interval": ["10s"], "work_mem": ["64kB"], "temp_buffers": ["800kB"],
        "maintenance_work_mem": ["1MB"], "hash_mem_multiplier": ["1"], "max_stack_depth": ["200kB"],
        "commit_delay": ["100"], "gin_pending_list_limit": ["64kB"],
        // Which plans are chosen.
        "from_collapse_limit": ["1"], "join_collapse_limit": ["1"], "geqo_threshold": ["2"],
        "cursor_tuple_fraction": ["1"], "random_page_cost": ["0"], "seq_page_cost": ["0"],
        "parallel_setup_cost": ["0"], "parallel_tuple_cost": ["0"], "min_parallel_table_scan_size": ["0"],
        "min_parallel_index_scan_size": ["0"], "default_statistics_target": ["1"],
        // What is logged.
        "log_min_duration_statement": ["0"], "wal_consistency_checking": ["all"],
    ]

    /// Changes each setting of a database.
    ///
    /// - Parameter round: Which of its values each gets: 0..<``rounds``.
    /// - Returns: The names of those that were changed.
    @discardableResult
    public static func change(
        _ database: ThrowawayDatabase, of cluster: PostgresCluster, round: Int
    ) async throws -> Set<String> {
        // Settings of plpgsql are known when it is loaded.
        let known = try await cluster.psql(
            """
            LOAD 'plpgsql';
            SELECT name, CASE vartype WHEN 'bool' THEN (setting = 'off')::text
                WHEN 'enum' THEN array_to_string(array_remove(enumvals, setting), ';') END
            FROM pg_settings WHERE context IN ('user', 'superuser') ORDER BY name
            """)
        var statements: [String] = []
        var names: Set<String> = []
        for line in known.split(separator: "\n") {
            let columns = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            guard let name = columns.first, exceptions[name] == nil, columns.count == 2 else { continue }
            let choices = values[name] ?? columns[1].split(separator: ";").map(String.init)
            guard !choices.isEmpty else { continue }
            let value = choices[round % choices.count]
            // Lists are lists of names.
            let written = name == "search_path" ? value : "'\(value)'"
            statements.append("ALTER DATABASE \(database.name) SET \(name) = \(written)")
            names.insert(name)
        }
        // From another database, so that the session that makes the changes does not have them.
        try await cluster.psql(statements.joined(separator: ";\n"))
        return names
    }
}
