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

        fileprivate var token: String?
        fileprivate var recoveryCode: String?
        fileprivate var passkey: SignedCredential?
        fileprivate var provider: String?
        fileprivate var idToken: String?
        fileprivate var nonce: String?

        /// Takes a proof.
        package init(_ proof: Proof) {
            switch proof {
            case .token(let text): token = text
            case .way(.recoveryCode(let code)): recoveryCode = code
            case .way(.passkey(let signed)): passkey = signed
            case .way(.identity(let proof)):
                (provider, idToken, nonce) = (proof.provider, proof.idToken, proof.nonce)
            }
        }

        fileprivate init() {}

        /// The proof: the only one that was given.
        package func proof() throws(V2.RequestFault) -> Proof {
            let isAlone = recoveryCode == nil && passkey == nil && provider == nil && idToken == nil && nonce == nil
            if let token, isAlone { return .token(token) }
            guard token == nil,
                let way = try SignIn.Way(
                    recoveryCode: recoveryCode, passkey: passkey, provider: provider, idToken: idToken, nonce: nonce)
            else {
                throw V2.RequestFault(
                    path: "",
                    detail: "Give exactly one of the other player's ways to sign in: none was given, or several.")
            }
            return .way(way)
        }

        /// Reads the members that prove who the other is.
        ///
        /// - Parameter ways: The ways that are read, in addition to tokens and recovery codes; members of others are
        ///   ignored.
        package static func decode(_ body: Span<UInt8>, knowing ways: SignIn.Ways) throws(V2.RequestFault) -> Self {
            try decode(
                body,
                ignoring: (ways.contains(.passkeys) ? [] : [\.passkey])
                    + (ways.contains(.identities) ? [] : [\.provider, \.idToken, \.nonce]))
        }
    }
}

extension V2.MergePlayer: V2.Body {
    package static var blank: Self { Self() }

    package func check() throws(V2.RequestFault) { _ = try proof() }

    /// The members.
    package static let jsonMembers = JSONMembers<V2.MergePlayer>(
        "MergePlayer",
        "Merges another player into the calling one. One member proves who the other player is.",
        [
            .accepted(
                "token", \.token, "The other player's token: what their device sends as `Authorization: Bearer …`."),
            .accepted("recoveryCode", \.recoveryCode, "The other player's recovery code, as people type it."),
            .accepted("passkey", \.passkey, "What a passkey of the other player has signed."),
            .accepted("provider", \.provider, "What the service calls the provider of an identity token."),
            .accepted("idToken", \.idToken, "The ID token as the provider signed it. A secret."),
            .accepted("nonce", \.nonce, "The nonce that the token was requested with."),
        ])
}
