package import JulietAPI
package import Postgres
import StrictEncoding

/// The proof of the player who is to be merged into another one.
package enum MergeProof: Sendable {
    /// The token of one of their sessions; nil: the text was not a token.
    case token(Credential?)
    /// Their recovery code; nil: the text was not a code.
    case recoveryCode(Credential?)
    /// A signature of one of their passkeys; nil: it proves nothing, and the caller uses the challenge up.
    case passkey(PasskeyUse?, sent: [UInt8])
    /// Their identity at a provider; nil: it proves nothing. The nonce is one of ours, or nil.
    case identity(ProvenIdentity?, nonce: [UInt8]?, sent: V2.IdentityProof)

    /// The values for the request's fingerprint.
    fileprivate var parameters: [String] {
        switch self {
        case .token(let credential): ["token", credential.map { Hexadecimal.encode($0.proof) } ?? ""]
        case .recoveryCode(let credential): ["recoveryCode", credential.map { Hexadecimal.encode($0.proof) } ?? ""]
        case .passkey(_, let sent): ["passkey", String(decoding: sent, as: UTF8.self)]
        case .identity(_, _, let sent): ["identity", sent.provider, sent.idToken, sent.nonce]
        }
    }
}

/// The calling player after a merge, as first answered (`merge_answer`).
struct MergedPlayer: AnswerValue {
    let player: V2.Player

    static func read(
        _ fields: inout CompositeReader, in bytes: Span<UInt8>
    ) throws(PostgresDecodingError.Reason) -> V2Answer<Self>? {
        let refusal = try fields.refusal(in: bytes)
        let isReplay = try fields.next(Bool?.self, in: bytes) ?? false
        let player = try fields.next(AnswerRow<V2.Player>?.self, in: bytes)?.answer?.value
        let game = try fields.next(ShownGame?.self, in: bytes)?.game
        return answer(refusal, player.map(Self.init), isReplay: isReplay, details: V2Details(game: game))
    }
}

extension PlayerAccounts {
    /// Moves everything of another player to this one; the other no longer exists. Refused: proof unknown, merge self,
    /// merge unfinished with the game, too many, energy full.
    ///
    /// When it throws `outcomeUnknown`, it may have been done: ask again under the same name.
    ///
    /// - Parameter proof: The proof of the other player.
    package func merge(
        _ proof: MergeProof, into session: Credential, as id: Operation.ID? = nil
    ) async throws(PostgresError) -> V2Answer<V2.Player> {
        let parts = proof.parameters
        let operation = id.map { Operation($0, .mergePlayer, parts.joined(separator: "\n")) }
        let call: FunctionCall<AnswerRow<MergedPlayer>> =
            switch proof {
            case .token(let other): .mergePlayer(session: session, token: other, code: nil, operation: operation)
            case .recoveryCode(let code): .mergePlayer(session: session, token: nil, code: code, operation: operation)
            case .passkey(let use, _): .mergeByPasskey(session: session, use: use, operation: operation)
            case .identity(let identity, let nonce, _):
                .mergeByIdentity(session: session, nonce: nonce, identity: identity, operation: operation)
            }
        return try await database.ask(call).map(\.player)
    }
}

extension FunctionCall<AnswerRow<MergedPlayer>> {
    /// Two players may be on two servers; purchases, leagues and the lottery are on the coordinator.
    static func mergePlayer(
        session: Credential, token: Credential?, code: Credential?, operation: Operation?
    ) -> Self {
        Self("SELECT juliet.merge_player($1, $2, $3, $4, $5)", session: session, isSpread: false) {
            $0.append(token?.proof, code?.proof)
            $0.append(operation)
        }
    }

    /// As above.
    static func mergeByPasskey(session: Credential, use: PasskeyUse?, operation: Operation?) -> Self {
        Self("SELECT juliet.merge_by_passkey($1, $2, $3, $4, $5, $6, $7)", session: session, isSpread: false) {
            $0.append(use?.challenge, use?.credential, use.map { Int64($0.signCount) }, use?.isBackedUp)
            $0.append(operation)
        }
    }

    /// As above.
    static func mergeByIdentity(
        session: Credential, nonce: [UInt8]?, identity: ProvenIdentity?, operation: Operation?
    ) -> Self {
        Self("SELECT juliet.merge_by_identity($1, $2, $3, $4, $5, $6)", session: session, isSpread: false) {
            $0.append(nonce, identity?.issuer, identity?.subject)
            $0.append(operation)
        }
    }
}
