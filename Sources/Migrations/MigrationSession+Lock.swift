internal import Postgres

extension MigrationSession {
    /// Releases the lock; the end of the session that holds it does so as well.
    typealias Release = () async -> Void

    private enum Attempt {
        case granted(Release)
        case taken(by: DatabaseSession?)
        case unsupported
    }

    /// Takes the lock, trying again until the deadline.
    ///
    /// - Parameter connect: Opens the second session that a row lock needs.
    /// - Throws: `MigrationError.locked` after `Options.lockWait`, naming who holds it.
    func lock(
        connect: @Sendable () async throws(PostgresError) -> PostgresConnection
    ) async throws(MigrationError) -> Release {
        do {
            if options.lockStrategy != .row, let release = try await poll(tryAdvisoryLock) { return release }
            let holder = try await connect()
            do {
                try await prepareRowLock(on: holder)
                if let release = try await poll({ () async throws(PostgresError) in try await tryRowLock(on: holder) })
                {
                    return release
                }
            } catch {
                await holder.close()
                throw error
            }
        } catch let error as PostgresError {
            throw .database(error)
        } catch let error as MigrationError {
            throw error
        } catch {
            throw .cancelled
        }
        throw .locked(by: nil, after: .zero)
    }

    /// Tries until the lock is granted, or nil when the engine has no such lock.
    private func poll(_ attempt: () async throws(PostgresError) -> Attempt) async throws -> Release? {
        let start = ContinuousClock.now
        var saidSo = false
        while true {
            switch try await attempt() {
            case .granted(let release): return release
            case .unsupported: return nil
            case .taken(let session):
                guard ContinuousClock.now - start < options.lockWait else {
                    throw MigrationError.locked(by: session, after: options.lockWait)
                }
                if !saidSo { report(.waiting(for: session)) }
                saidSo = true
                try await Task.sleep(for: .milliseconds(Int.random(in: 150...350)))
            }
        }
    }

    private func tryAdvisoryLock() async throws(PostgresError) -> Attempt {
        do {
            guard try await connection.first(MigrationLock.TryAdvisory()) == true else {
                return .taken(by: try await connection.first(MigrationLock.AdvisoryHolder()))
            }
            if try await connection.first(MigrationLock.HoldsAdvisory()) == true {
                return .granted { [connection] in _ = try? await connection.first(MigrationLock.ReleaseAdvisory()) }
            }
            return .unsupported
        } catch  where error.sqlState == "0A000" || error.sqlState == "42883" {
            // feature_not_supported, undefined_function
            return .unsupported
        }
    }

    private func prepareRowLock(on holder: PostgresConnection) async throws(PostgresError) {
        for sql in MigrationLock.rowTable {
            do {
                try await holder.executeScript(sql)
            } catch  where [SQLState.uniqueViolation, "42P07", "42710"].contains(error.sqlState) {
                // Two sessions made it at the same moment, and the other one was faster.
            }
        }
    }

    private func tryRowLock(on holder: PostgresConnection) async throws(PostgresError) -> Attempt {
        do {
            try await holder.executeScript(MigrationLock.lockRow)
            return .granted { await holder.close() }
        } catch  where error.sqlState == .lockNotAvailable {
            try await holder.executeScript("ROLLBACK")
            return .taken(by: try await connection.first(MigrationLock.RowHolder()))
        }
    }
}
