internal import Postgres

/// Installs code, inside the transaction of a run.
extension MigrationSession {
    /// Compares a release's code with the database's.
    func state(of code: SchemaCode) async throws(MigrationError) -> CodeState {
        do { return try await compare(code) } catch { throw .database(error) }
    }

    private func compare(_ code: SchemaCode) async throws(PostgresError) -> CodeState {
        // A database that was never migrated, or has no code.
        guard try await connection.first(FindRelation(name: "schema_code")) == true else {
            return CodeState(code: code, release: options.release, entries: [], releases: [], found: [], roles: [])
        }
        let entries = try await connection.execute(CodeLedger.Read())
        return CodeState(
            code: code, release: options.release, entries: entries,
            releases: try await connection.execute(CodeLedger.ReadReleases()),
            found: try await connection.execute(CodeLedger.Find(objects: entries.map(\.object))),
            roles: try await roles(of: code))
    }

    private func roles(of code: SchemaCode) async throws(PostgresError) -> Set<String> {
        var names: Set<String> = []
        for piece in code.pieces {
            names.formUnion(piece.callers)
            if case .grant(let role) = piece.kind { names.insert(role) }
        }
        return Set(try await connection.execute(CodeLedger.FindRoles(names: names.sorted())))
    }

    /// Installs what is pending. The transaction is the caller's.
    ///
    /// - Returns: What was done.
    func install(_ code: SchemaCode) async throws(StatementFailure) -> [CodeState.Line] {
        let state: CodeState
        let roles: Set<String>
        do {
            state = try await compare(code)
            roles = try await self.roles(of: code)
        } catch {
            throw StatementFailure(file: "schema_code", line: 1, error: error)
        }
        // Bodies are checked at the end, so the order of files does not matter.
        try await run("SET LOCAL check_function_bodies = off", in: "schema_code", line: 1)
        let pending = state.lines.filter(\.status.isPending)
        for line in pending {
            if let piece = line.piece {
                try await install(piece, over: line, roles)
            } else if let entry = line.entry {
                try await takeAway(entry, isKept: state.isKept(line))
            }
        }
        let pieces = pending.compactMap(\.piece)
        try await setCallers(of: pieces, among: roles)
        try await check(pieces)
        do {
            let found = try await connection.execute(CodeLedger.Find(objects: pieces.map(\.object)))
            let digests = Dictionary(found.map { ($0.object, $0.digest) }, uniquingKeysWith: { first, _ in first })
            _ = try await connection.execute(CodeLedger.Record(pieces: pieces, digests: digests))
            _ = try await connection.execute(
                CodeLedger.RecordRelease(checksum: code.checksum, release: options.release))
        } catch {
            throw StatementFailure(file: "schema_code", line: 1, error: error)
        }
        return pending
    }

    /// Drops all code, so that the tables below it can change. The release that fits them installs it again.
    func removeCode() async throws(StatementFailure) -> [CodeState.Line] {
        do {
            let entries = try await connection.execute(CodeLedger.Read())
            let ordered = entries.sorted(by: CodeEntry.goesBefore)
            for entry in ordered { try await connection.executeScript(entry.removal) }
            try await connection.executeScript("DELETE FROM schema_code")
            return ordered.map { CodeState.Line(status: .gone, object: $0.object, piece: nil, entry: $0) }
        } catch {
            throw StatementFailure(file: "schema_code", line: 1, error: error)
        }
    }

    /// Drops objects, all or none. A session that fails is closed by its owner, which rolls back.
    func drop(_ lines: [CodeState.Line]) async throws(MigrationError) {
        do {
            for sql in options.begin { try await connection.executeScript(sql) }
            for entry in lines.compactMap(\.entry) {
                try await connection.executeScript(entry.removal)
                _ = try await connection.execute(CodeLedger.Forget(object: entry.object))
            }
            try await connection.executeScript("COMMIT")
        } catch {
            throw .database(error)
        }
    }

    private func install(
        _ piece: CodePiece, over line: CodeState.Line, _ roles: Set<String>
    ) async throws(StatementFailure) {
        guard let first = piece.statements.first else { return }
        switch piece.kind {
        case .function(let function, _):
            if line.entry == nil {
                try await run(first.text, in: piece.file, line: first.line)
            } else {
                try await replace(piece, function)
            }
            for statement in piece.statements.dropFirst() where !statement.isGrant {
                try await run(statement.text, in: piece.file, line: statement.line)
            }
        case .trigger:
            // PostgreSQL 14 cannot replace constraint triggers.
            if first.words.contains("CONSTRAINT") { try await run(piece.removal, in: piece.file, line: first.line) }
            try await run(first.text, in: piece.file, line: first.line)
        case .grant(let role):
            if roles.contains(role) { try await run(first.text, in: piece.file, line: first.line) }
        case .comment:
            try await run(first.text, in: piece.file, line: first.line)
        case .withdrawal:
            return
        }
    }

    /// Creates a function, or replaces the existing one. PostgreSQL cannot replace a function if its result or its
    /// arguments' names differ. Then a function that no role may call is dropped first; any other may still be used by
    /// a running service.
    private func replace(_ piece: CodePiece, _ function: FunctionDefinition) async throws(StatementFailure) {
        guard let statement = piece.statements.first else { return }
        try await run("SAVEPOINT code", in: piece.file, line: statement.line)
        do throws(StatementFailure) {
            try await run(statement.text, in: piece.file, line: statement.line)
        } catch {
            guard error.error?.sqlState == "42P13", piece.callers.isEmpty else { throw error }
            try await run(
                "ROLLBACK TO code; DROP FUNCTION \(function.signature)", in: piece.file, line: statement.line)
            try await run(statement.text, in: piece.file, line: statement.line)
        }
        try await run("RELEASE code", in: piece.file, line: statement.line)
    }

    /// Lets the roles call functions that the files name, and nobody else.
    private func setCallers(of pieces: [CodePiece], among roles: Set<String>) async throws(StatementFailure) {
        let functions = pieces.filter { $0.function != nil }
        do {
            let found = try await connection.execute(CodeLedger.Find(objects: functions.map(\.object)))
            let wanted = Dictionary(
                functions.map { ($0.object, $0.callers.filter(roles.contains)) },
                uniquingKeysWith: { first, _ in first })
            let statements = found.flatMap { function in
                Self.changes(of: function.qualifiedName, from: function.callers, to: wanted[function.object] ?? [])
            }
            guard !statements.isEmpty else { return }
            // Citus passes these on in its own form, without schemas that this session's path makes unnecessary.
            try await connection.executeScript("SET LOCAL search_path = pg_catalog")
            try await connection.executeScript(statements.joined(separator: ";\n"))
            try await connection.executeScript(options.goHome)
        } catch {
            throw StatementFailure(file: "rights", line: 1, error: error)
        }
    }

    /// SQL that grants and revokes the right to call a function.
    private static func changes(of function: String, from old: [String], to new: [String]) -> [String] {
        Set(old).subtracting(new).sorted().map { role in
            "REVOKE ALL ON FUNCTION \(function) FROM \(role == "public" ? "PUBLIC" : SQLText(identifier: role).text)"
        }
            + Set(new).subtracting(old).sorted().map { role in
                "GRANT EXECUTE ON FUNCTION \(function) TO \(SQLText(identifier: role).text)"
            }
    }

    /// Makes PostgreSQL check the bodies of functions, which it did not do when they were made. Now all functions exist.
    private func check(_ pieces: [CodePiece]) async throws(StatementFailure) {
        try await run("SET LOCAL check_function_bodies = on", in: "schema_code", line: 1)
        try await run("SAVEPOINT code", in: "schema_code", line: 1)
        do {
            let signatures = pieces.compactMap { $0.function?.signature }
            _ = try await connection.execute(CheckBodies(signatures: signatures))
        } catch {
            // One by one, to name the one at fault.
            try await run("ROLLBACK TO code", in: "schema_code", line: 1)
            for piece in pieces {
                guard let function = piece.function else { continue }
                do { _ = try await connection.execute(CheckBodies(signatures: [function.signature])) } catch {
                    throw StatementFailure(
                        file: piece.file, line: piece.statements.first?.line ?? 1, error: error)
                }
            }
            throw StatementFailure(file: "schema_code", line: 1, error: error)
        }
        try await run("RELEASE code", in: "schema_code", line: 1)
    }

    private func takeAway(_ entry: CodeEntry, isKept: Bool) async throws(StatementFailure) {
        do {
            if isKept {
                _ = try await connection.execute(CodeLedger.Retire(object: entry.object))
            } else {
                try await connection.executeScript(entry.removal)
                _ = try await connection.execute(CodeLedger.Forget(object: entry.object))
            }
        } catch {
            throw StatementFailure(file: entry.object, line: 1, error: error)
        }
    }
}

extension SQLStatement {
    fileprivate var isGrant: Bool { words.first == "GRANT" }
}

/// Makes PostgreSQL check functions' bodies: their syntax, and in SQL every name (manual, `CREATE LANGUAGE`, VALIDATOR).
private struct CheckBodies: Statement {
    var sql: StaticString {
        """
        SELECT CASE lanname WHEN 'sql' THEN fmgr_sql_validator(pg_proc.oid)
            WHEN 'plpgsql' THEN plpgsql_validator(pg_proc.oid) END IS NULL AS checked
        FROM unnest($1::text[]) AS signature JOIN pg_proc ON pg_proc.oid = to_regprocedure(signature)
            JOIN pg_language ON pg_language.oid = prolang
        """
    }
    typealias Row = NoRow
    let signatures: [String]

    func bind(to parameters: inout Parameters) { parameters.append(signatures) }
}
