import Crypto
package import JulietAPI
import Postgres

/// A token or recovery code as the records know it: only its SHA-256. It is long enough that nobody finds it by trying.
package struct Credential: Sendable, Hashable {
    /// The SHA-256 (32 bytes), and after it the player's id if the secret tells it: what the schema's functions take.
    let proof: [UInt8]
    /// Whose it is, if it is anybody's; nil: the secret does not tell.
    let player: User.ID?

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

    /// Orders the statements of a player; of a secret that does not tell whose it is: of that secret, by a part of the digest.
    var orderingKey: String { player?.rawValue ?? hexadecimal(Array(proof[..<7])) }
}
