internal import Postgres

extension MigrationSession {
    /// Releases the lock; the end of the session that holds it does so as well.
    typealias Release = () async -> Void

    /// Makes the ledger's tables, which have the lock, and takes it, trying again until the deadline.
    ///
    /// - Parameter connect: Opens the session that holds it.
    /// - Throws: `MigrationError.locked` after `Options.lockWait`, naming who holds it.
    func lock(
        connect: @Sendable () async throws(PostgresError) -> PostgresConnection
    ) async throws(MigrationError) -> Release {
        try await makeLedger()
        let holder: PostgresConnection
        do { holder = try await connect() } catch { throw .database(error) }
        do throws(MigrationError) {
            try await takeLock(on: holder)
        } catch {
            await holder.close()
            throw error
        }
        return { await holder.close() }
    }

    private func takeLock(on holder: PostgresConnection) async throws(MigrationError) {
        let start = ContinuousClock.now
        var saidSo = false
        while true {
            let session: DatabaseSession?
            do throws(PostgresError) {
                do throws(PostgresError) {
                    return try await holder.executeScript(MigrationLock.take(in: options.schema))
                } catch  where error.sqlState == .lockNotAvailable {
                    try await holder.executeScript("ROLLBACK")
                }
                session = try await connection.first(MigrationLock.Holder())
            } catch {
                throw .database(error)
            }
            guard ContinuousClock.now - start < options.lockWait else {
                throw .locked(by: session, after: options.lockWait)
            }
            if !saidSo { report(.waiting(for: session)) }
            saidSo = true
            do { try await Task.sleep(for: .milliseconds(Int.random(in: 150...350))) } catch { throw .cancelled }
        }
    }
}
