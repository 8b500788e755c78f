import Crypto
package import JulietAPI
import Postgres

/// A token or recovery code in the form for the database: only its SHA-256. It is too long to be guessed.
package struct Credential: Sendable, Hashable {
    /// The SHA-256 (32 bytes), and after it, of a token, the player's id: the argument of the schema's functions.
    let proof: [UInt8]
    /// The player it claims to belong to, whose statements are ordered by it; nil: it is a recovery code, or no token that
    /// the service made.
    package let player: User.ID?

    /// The token of a session.
    package init(_ token: V2.AccessToken) {
        let (high, low) = token.player
        player = User.ID(player: PostgresUUID(high: high, low: low))
        var proof: [UInt8] = []
        proof.reserveCapacity(68)
        proof.append(contentsOf: SHA256.hash(data: token.bytes))
        if let player { proof.append(contentsOf: player.rawValue.utf8) }
        self.proof = proof
    }

    /// A recovery code.
    package init(_ code: V2.RecoveryCode) {
        player = nil
        proof = Array(SHA256.hash(data: Array(code.characters.utf8)))
    }
}
