internal import Postgres

extension MigrationSession {
    /// The session that has the lock. Its end releases the lock.
    struct HeldLock {
        fileprivate let holder: PostgresConnection

        /// - Throws: `MigrationError.database` if the session has ended, and with it the lock.
        func check() async throws(MigrationError) {
            do { try await holder.executeScript("SELECT") } catch { throw .database(error) }
        }

        func release() async { await holder.close() }
    }

    /// Makes the ledger's tables, which have the lock, and takes it, trying again until the deadline.
    ///
    /// - Parameter connect: Opens the session that holds it.
    /// - Throws: `MigrationError.locked` after `Options.lockWait`, naming who holds it.
    func lock(
        connect: @Sendable () async throws(PostgresError) -> PostgresConnection
    ) async throws(MigrationError) -> HeldLock {
        try await makeLedger()
        let holder: PostgresConnection
        do { holder = try await connect() } catch { throw .database(error) }
        do throws(MigrationError) {
            try await takeLock(on: holder)
        } catch {
            await holder.close()
            throw error
        }
        return HeldLock(holder: holder)
    }

    private func takeLock(on holder: PostgresConnection) async throws(MigrationError) {
        let start = ContinuousClock.now
        var saidSo = false
        while true {
            let session: DatabaseSession?
            do throws(PostgresError) {
                do throws(PostgresError) {
                    return try await holder.executeScript(
                        MigrationLock.take(in: options.schema, for: connection.backendPID))
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
