extension V2 {
    /// Merges another player into the one who asks.
    package struct MergePlayer: Hashable, Sendable {
        /// What proves that the other player agrees: one of their ways in.
        package enum Proof: Hashable, Sendable {
            /// The token of one of their sessions. A secret.
            case token(String)
            /// As people typed it. A secret.
            case recoveryCode(String)
        }

        /// The other's.
        package var proof: Proof

        /// Takes a proof.
        package init(_ proof: Proof) {
            self.proof = proof
        }

        /// The token; nil: the proof is another.
        fileprivate var token: String? {
            if case .token(let text) = proof { text } else { nil }
        }

        /// The recovery code; nil: the proof is another.
        fileprivate var recoveryCode: String? {
            if case .recoveryCode(let text) = proof { text } else { nil }
        }
    }
}

extension V2.MergePlayer: JSONObject {
    /// The members.
    package static let schema = Schema.request(
        "MergePlayer", of: V2.MergePlayer.self,
        "Merges another player into the one who asks. One member says who the other is.",
        [
            .optional("token", \.token, "The other's: what their device sends as `Authorization: Bearer …`."),
            .optional("recoveryCode", \.recoveryCode, "The other's, as people type it."),
        ])

    /// Writes the members.
    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("token", token)
        writer.member("recoveryCode", recoveryCode)
    }
}

extension V2.MergePlayer: V2.Body {
    /// Reads the one member that proves who the other is, a string.
    package static func decode(_ body: Span<UInt8>) throws(V2.RequestFault) -> Self {
        let members = try V2.BodyMembers(body, "token", "recoveryCode")
        switch (try members.first.text(in: body), try members.second.text(in: body)) {
        case (let token?, nil): return Self(.token(token))
        case (nil, let code?): return Self(.recoveryCode(code))
        default:
            throw V2.RequestFault(
                path: "", detail: "Say one of the other player's ways in: none was given, or several.")
        }
    }
}
