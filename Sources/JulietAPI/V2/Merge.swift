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

        private(set) var token: String?
        private(set) var signIn = SignIn()

        /// Takes a proof.
        package init(_ proof: Proof) {
            switch proof {
            case .token(let text): token = text
            case .way(let way): signIn = SignIn(way)
            }
        }

        fileprivate init() {}

        /// The proof: the only one that was given.
        ///
        /// - Throws: `RequestFault` if none was, or several, or an incomplete one.
        package func proof() throws(V2.RequestFault) -> Proof {
            if let token, signIn == SignIn() { return .token(token) }
            guard token == nil, let way = try signIn.onlyWay() else {
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
                body, ignoring: SignIn.unknown(ways).compactMap { (\Self.signIn as PartialKeyPath).appending(path: $0) }
            )
        }
    }
}

extension V2.MergePlayer: V2.Body {
    package static var blank: Self { Self() }

    package func check() throws(V2.RequestFault) { _ = try proof() }

    /// The members.
    package static let jsonMembers = JSONMembers<V2.MergePlayer>(
        "MergePlayer",
        "Merges another player into the calling one. Exactly one member of the body proves who the other player is.",
        [
            .accepted(
                "token", \.token, "The other player's token: what their device sends as `Authorization: Bearer …`."),
            .accepted("recoveryCode", \.signIn.recoveryCode, "The other player's recovery code, as people type it."),
            .accepted("passkey", \.signIn.passkey, "What a passkey of the other player has signed."),
            .accepted("provider", \.signIn.provider, "What the service calls the provider of an identity token."),
            .accepted("idToken", \.signIn.idToken, "The ID token as the provider signed it. A secret."),
            .accepted("nonce", \.signIn.nonce, "The nonce that the token was requested with."),
        ])
}
