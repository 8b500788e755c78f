extension V2 {
    /// Merges another player into the calling one.
    package struct MergePlayer: Hashable, Sendable {
        /// The proof of the other player: one of their ways to sign in.
        package enum Proof: Hashable, Sendable {
            /// The token of one of their sessions. A secret.
            case token(String)
            /// What signs them in.
            case way(SignIn.Way)
        }

        /// The other's.
        package var proof: Proof

        /// Takes a proof.
        package init(_ proof: Proof) {
            self.proof = proof
        }

        fileprivate var token: String? { if case .token(let text) = proof { text } else { nil } }
        fileprivate var recoveryCode: String? {
            if case .way(.recoveryCode(let text)) = proof { text } else { nil }
        }
        fileprivate var passkey: SignedCredential? {
            if case .way(.passkey(let signed)) = proof { signed } else { nil }
        }
        fileprivate var identity: IdentityProof? {
            if case .way(.identity(let proof)) = proof { proof } else { nil }
        }
    }
}

extension V2.MergePlayer: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.MergePlayer>.request(
        "MergePlayer",
        "Merges another player into the calling one. One member proves who the other player is.",
        [
            .optional(
                "token", \.token, "The other player's token: what their device sends as `Authorization: Bearer …`."),
            .optional("recoveryCode", \.recoveryCode, "The other player's recovery code, as people type it."),
            .optional("passkey", \.passkey, "What a passkey of the other player has signed."),
            .optional("provider", \.provider, "What the service calls the provider of an identity token."),
            .optional("idToken", \.idToken, "The ID token as the provider signed it. A secret."),
            .optional("nonce", \.nonce, "The nonce that the token was requested with."),
        ])

    private var provider: String? { identity?.provider }
    private var idToken: String? { identity?.idToken }
    private var nonce: String? { identity?.nonce }
}

extension V2.MergePlayer: V2.Body {
    /// Reads the members that prove who the other is.
    package static func decode(_ body: Span<UInt8>) throws(V2.RequestFault) -> Self {
        try decode(body, knowing: [.passkeys, .identities])
    }

    /// The same.
    ///
    /// - Parameter ways: The ways that are read, in addition to tokens and recovery codes; members of others are ignored.
    package static func decode(_ body: Span<UInt8>, knowing ways: V2.SignIn.Ways) throws(V2.RequestFault) -> Self {
        let names = V2.IdentityProof.names
        let members = try V2.BodyMembers(
            body,
            ["token", "recoveryCode"] + (ways.contains(.passkeys) ? ["passkey"] : [])
                + (ways.contains(.identities) ? names : []))
        let token = try members["token"].text(in: body)
        let code = try members["recoveryCode"].text(in: body)
        let passkey = try members["passkey"].object(in: body)
        var hasIdentity = false
        for name in names where try members[name].text(in: body) != nil { hasIdentity = true }
        switch (token, code, passkey, hasIdentity) {
        case (let token?, nil, nil, false): return Self(.token(token))
        case (nil, let code?, nil, false): return Self(.way(.recoveryCode(code)))
        case (nil, nil, let signed?, false): return Self(.way(.passkey(V2.SignedCredential(json: signed))))
        case (nil, nil, nil, true): return Self(.way(.identity(try V2.IdentityProof(members, in: body))))
        default:
            throw V2.RequestFault(
                path: "", detail: "Give exactly one of the other player's ways to sign in: none was given, or several.")
        }
    }
}
