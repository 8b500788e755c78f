package import JulietAPI
package import Postgres

/// What proves who the player is that is to be merged into another one.
package enum MergeProof: Sendable {
    /// The token of one of their sessions; nil: the text was none.
    case token(Credential?)
    /// Their recovery code; nil: the text was none.
    case recoveryCode(Credential?)
    /// Whatever the service has verified already; nil: it was nobody's.
    case verified(User.ID?, fingerprint: String)

    /// What tells it from another, without telling what it is: the request's fingerprint is made of it.
    fileprivate var parameters: (kind: String, proof: String) {
        switch self {
        case .token(let credential): ("token", credential.map { hexadecimal($0.proof) } ?? "")
        case .recoveryCode(let credential): ("recoveryCode", credential.map { hexadecimal($0.proof) } ?? "")
        case .verified(_, let fingerprint): ("verified", fingerprint)
        }
    }
}

/// What became of a merge (`merge_answer`).
package struct MergeAnswer: Sendable {
    /// Why nothing was done; nil: it was.
    package let refusal: PlayRefusal?
    /// Whether this was answered before, under the operation's name.
    package let isReplay: Bool
    /// The player who asked, as they are after it, or were when this was answered first.
    package let player: V2.Player?
    /// The other's game that is not over.
    package let game: V2.Game?
}

extension MergeAnswer: PostgresDecodable {
    /// Reads a `merge_answer`.
    package init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        var fields = CompositeReader()
        refusal = try fields.refusal(in: bytes)
        isReplay = try fields.next(Bool?.self, in: bytes) ?? false
        player = try fields.next(PlayerAnswer?.self, in: bytes)?.value
        game = try fields.next(ShownGame?.self, in: bytes)?.game
    }
}

extension PlayerAccounts {
    /// Makes everything that is another player's this one's; the other is gone. Refused: the proof is nobody's, merge self,
    /// merge unfinished with the game, too many, energy full.
    ///
    /// When it throws `outcomeUnknown`, it may have been done all the same: ask again under the same name.
    ///
    /// - Parameter proof: Of the other player.
    package func merge(
        _ proof: MergeProof, into session: Credential, as id: Operation.ID? = nil
    ) async throws(PostgresError) -> MergeAnswer? {
        let (kind, parameter) = proof.parameters
        let operation = id.map { Operation($0, .mergePlayer, kind, parameter) }
        let call: FunctionCall<MergeAnswer> =
            switch proof {
            case .token(let other): .mergePlayer(session: session, token: other, code: nil, operation: operation)
            case .recoveryCode(let code): .mergePlayer(session: session, token: nil, code: code, operation: operation)
            case .verified(let other, _): .mergeProvenPlayer(session: session, other: other, operation: operation)
            }
        return try await database.first(call)
    }
}

extension FunctionCall<MergeAnswer> {
    /// Two players may be on two servers; purchases, leagues and the lottery are the coordinator's.
    static func mergePlayer(
        session: Credential, token: Credential?, code: Credential?, operation: Operation?
    ) -> Self {
        Self("SELECT juliet.merge_player($1, $2, $3, $4, $5)", session: session, isSpread: false) {
            $0.append(token?.proof, code?.proof)
            $0.append(operation)
        }
    }

    /// As above.
    static func mergeProvenPlayer(session: Credential, other: User.ID?, operation: Operation?) -> Self {
        Self("SELECT juliet.merge_proven_player($1, $2, $3, $4)", session: session, isSpread: false) {
            $0.append(other?.rawValue)
            $0.append(operation)
        }
    }
}
