import JulietAPI
package import Postgres

/// Operators' changes to a player. Each takes effect once under its name. The answer to a repeat has `isReplay`.
extension Operators {
    /// The ways to sign in other than the recovery code, and the open sessions.
    package enum WayKind: String, Sendable, CaseIterable {
        case session, passkey, identity, all
    }

    /// A player's sessions, passkeys and identities: `sessions`, `passkeys`, `identities`. Refused: not found.
    package func ways(of player: User.ID, by session: AdminSession) async throws(PostgresError) -> AdminAnswer {
        try await database.ask(.ways(session: session, player: player))
    }

    /// Removes ways to sign in: `taken`. Refused: not found, operation reused.
    ///
    /// - Parameters:
    ///   - one: A session's or passkey's id, or an identity's provider; nil: all of the kind.
    ///   - reason: One that ``EnergyLedger/isReason(_:)`` accepts; so with all that follow.
    package func takeWays(
        _ kind: WayKind, _ one: String?, of player: User.ID, reason: String, as id: Operation.ID,
        by session: AdminSession
    ) async throws(PostgresError) -> AdminAnswer {
        try await database.ask(
            .takeWays(
                session: session, player: player, kind: kind, one: one, reason: reason,
                operation: Operation(id, .takeWays, player.rawValue, kind.rawValue, one ?? "", reason)))
    }

    /// Makes another recovery code, and the old one stops working: `recoveryCode`, a secret that is only in this answer. Refused:
    /// not found; recovery made, for a repeat, because only the first answer had the code; operation reused.
    package func renewRecoveryCode(
        of player: User.ID, reason: String, as id: Operation.ID, by session: AdminSession
    ) async throws(PostgresError) -> AdminAnswer {
        let code = V2.RecoveryCode.random()
        return try await database.ask(
            .renewRecovery(
                session: session, player: player, code: Credential(code), reason: reason,
                operation: Operation(id, .renewRecovery, player.rawValue, reason))
        ).map { _ in
            // A code has letters, digits and hyphens.
            AdminDocument(json: #"{"recoveryCode": "\#(code.groups)"}"#)
        }
    }

    /// Gives a player energy, or takes some: `balance`. Refused: not found, energy full, energy insufficient, operation
    /// reused.
    ///
    /// - Parameters:
    ///   - amount: Within ``EnergyLedger/grants``, or negative within the same bounds.
    ///   - isShown: Whether the ledger has the reason, so that the player's export shows it.
    package func changeEnergy(
        of player: User.ID, by amount: Energy, reason: String, isShown: Bool, as id: Operation.ID,
        by session: AdminSession
    ) async throws(PostgresError) -> AdminAnswer {
        let operation =
            isShown
            ? Operation(id, .grantEnergy, "\(amount)", reason)
            : Operation(id, .grantEnergy, "\(amount)", reason, "hidden")
        return try await database.ask(
            .changeEnergy(
                session: session, player: player, amount: amount, isShown: isShown, reason: reason, operation: operation
            ))
    }

    /// Ends a running game, which is lost: `game`. Refused: not found, game over, operation reused.
    package func endGame(
        _ game: PostgresUUID, of player: User.ID, reason: String, as id: Operation.ID, by session: AdminSession
    ) async throws(PostgresError) -> AdminAnswer {
        try await database.ask(
            .endGame(
                session: session, player: player, game: game, reason: reason,
                operation: Operation(id, .endGame, player.rawValue, "\(game)", reason)))
    }

    /// Everything kept about a player, as ``PlayerAccounts/export(of:)`` has it. Refused: not found, operation reused.
    package func export(
        _ player: User.ID, reason: String, as id: Operation.ID, by session: AdminSession
    ) async throws(PostgresError) -> AdminAnswer {
        try await database.ask(
            .export(
                session: session, player: player, reason: reason,
                operation: Operation(id, .exportPlayer, player.rawValue, reason)))
    }

    /// Deletes a player for good, as ``PlayerAccounts/delete(by:)`` does. Refused: not found, operation reused.
    package func delete(
        _ player: User.ID, reason: String, as id: Operation.ID, by session: AdminSession
    ) async throws(PostgresError) -> AdminAnswer {
        try await database.ask(
            .delete(
                session: session, player: player, reason: reason,
                operation: Operation(id, .deletePlayer, player.rawValue, reason)))
    }
}

extension FunctionCall<AnswerRow<AdminDocument>> {
    fileprivate static func ways(session: AdminSession, player: User.ID) -> Self {
        Self("SELECT juliet.admin_ways($1, $2)", session: session, access: .read) { $0.append(player.rawValue) }
    }

    fileprivate static func takeWays(
        session: AdminSession, player: User.ID, kind: Operators.WayKind, one: String?, reason: String,
        operation: Operation
    ) -> Self {
        Self(
            "SELECT juliet.admin_take_ways($1, $2, $3, $4, $5, $6, $7)", session: session, orderingKey: player.rawValue
        ) {
            $0.append(player.rawValue, kind.rawValue, one, reason)
            $0.append(operation)
        }
    }

    fileprivate static func renewRecovery(
        session: AdminSession, player: User.ID, code: Credential, reason: String, operation: Operation
    ) -> Self {
        Self("SELECT juliet.admin_recovery($1, $2, $3, $4, $5, $6)", session: session, orderingKey: player.rawValue) {
            $0.append(player.rawValue, code.proof, reason)
            $0.append(operation)
        }
    }

    fileprivate static func changeEnergy(
        session: AdminSession, player: User.ID, amount: Energy, isShown: Bool, reason: String, operation: Operation
    ) -> Self {
        Self("SELECT juliet.admin_energy($1, $2, $3, $4, $5, $6, $7)", session: session, orderingKey: player.rawValue) {
            $0.append(player.rawValue, Int32(clamping: amount), isShown, reason)
            $0.append(operation)
        }
    }

    fileprivate static func endGame(
        session: AdminSession, player: User.ID, game: PostgresUUID, reason: String, operation: Operation
    ) -> Self {
        Self("SELECT juliet.admin_end_game($1, $2, $3, $4, $5, $6)", session: session, orderingKey: player.rawValue) {
            $0.append(player.rawValue, game, reason)
            $0.append(operation)
        }
    }

    fileprivate static func export(session: AdminSession, player: User.ID, reason: String, operation: Operation) -> Self
    {
        Self("SELECT juliet.admin_export($1, $2, $3, $4, $5)", session: session, orderingKey: player.rawValue) {
            $0.append(player.rawValue, reason)
            $0.append(operation)
        }
    }

    fileprivate static func delete(session: AdminSession, player: User.ID, reason: String, operation: Operation) -> Self
    {
        let pseudonym = User.randomPseudonym()
        return Self(
            "SELECT juliet.admin_delete($1, $2, $3, $4, $5, $6)", session: session, orderingKey: player.rawValue
        ) {
            $0.append(player.rawValue, pseudonym, reason)
            $0.append(operation)
        }
    }
}
