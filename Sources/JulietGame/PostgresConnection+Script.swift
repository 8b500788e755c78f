import Postgres

extension PostgresConnection {
    /// Runs a closure between a script that begins a transaction and its commit.
    ///
    /// For operators' work: the error is PostgreSQL's own, and nothing runs a second time.
    ///
    /// - Parameter begin: `BEGIN` and what is to be set or locked.
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
