import Postgres

extension PostgresConnection {
    /// Runs work in a transaction of its own.
    ///
    /// - Parameter keeps: false: take back what the work did, when it has ended.
    /// - Throws: What the work or the transaction threw; nothing has changed, unless it is a `PostgresError` whose code is
    ///   `outcomeUnknown`.
    func inTransaction<Value>(keeps: Bool, _ work: () async throws -> Value) async throws -> Value {
        try await executeScript("BEGIN ISOLATION LEVEL READ COMMITTED")
        do {
            let value = try await work()
            try await executeScript(keeps ? "COMMIT" : "ROLLBACK")
            return value
        } catch {
            try? await executeScript("ROLLBACK")
            throw error
        }
    }
}
