import Postgres

extension PostgresConnection {
    /// Runs a closure between a script that begins a transaction and its commit.
    ///
    /// For operators' commands: errors are PostgreSQL's own, and nothing is tried again.
    ///
    /// - Parameter begin: `BEGIN`, settings and locks.
    /// - Throws: What `body` or the commit throws; rolled back, unless the code is `outcomeUnknown`.
    func inTransaction<Result>(
        _ begin: String = "BEGIN", _ body: () async throws(PostgresError) -> Result
    ) async throws(PostgresError) -> Result {
        try await executeScript(begin)
        do throws(PostgresError) {
            let result = try await body()
            try await executeScript("COMMIT")
            return result
        } catch {
            try? await executeScript("ROLLBACK")
            throw error
        }
    }
}
