import EventLoop
import JulietGame
import Postgres
import WebAuthn

/// Makes challenges and nonces. It recognises those of other services on the same database, because all sign with the database's key.
final class NonceMaker: Sendable {
    /// There is no valid key: somebody has tampered with the table.
    struct NoKey: Error {}

    /// How long a key is used before it is read again, and so how long until all services use a new one.
    private static let patience: Duration = .seconds(10)

    private let nonces: Nonces
    private let held = Locked<(signer: ChallengeSigner, until: ContinuousClock.Instant)?>(nil)

    init(_ nonces: Nonces) { self.nonces = nonces }

    /// What signs.
    ///
    /// - Throws: `PostgresError`, also ``NoKey``.
    func signer() async throws -> ChallengeSigner {
        let now = ContinuousClock.now
        if let held = held.withLock(\.self), now < held.until { return held.signer }
        guard let key = try await nonces.key(), let signer = try? ChallengeSigner(key: key) else { throw NoKey() }
        held.withLock { $0 = (signer, now + Self.patience) }
        return signer
    }

    /// Uses up a nonce whose answer was refused.
    ///
    /// - Parameter nonce: nil if there is none.
    /// - Returns: Whether it had been used before.
    func spend(_ nonce: [UInt8]?) async throws(PostgresError) -> Bool {
        guard let nonce else { return false }
        return try await !nonces.spend(nonce)
    }
}

extension ChallengeSigner.Purpose {
    /// An identity token.
    static let identity = Self("nonce")
}
