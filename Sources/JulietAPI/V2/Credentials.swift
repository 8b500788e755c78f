extension V2 {
    /// What a device gets when a player is created or signs in with a recovery code: the player and the credentials.
    ///
    /// Token and recovery code are only in this answer, and the service cannot recover them. Whoever has one can act as the player.
    public struct PlayerCredentials: Codable, Hashable, Sendable {
        /// The player.
        public var player: Player
        /// The device sends it with each request: `Authorization: Bearer …`. A secret.
        public var token: String
        /// It signs another device in, once. It is in groups for people to copy. A secret.
        public var recoveryCode: String

        /// Takes a player and the credentials.
        public init(player: Player, token: String, recoveryCode: String) {
            self.player = player
            self.token = token
            self.recoveryCode = recoveryCode
        }
    }

    /// What a device gets when it is signed in.
    public struct OpenedSession: Codable, Hashable, Sendable {
        /// The player.
        public var player: Player
        /// The device sends it with each request: `Authorization: Bearer …`. A secret.
        public var token: String
        /// The next recovery code, which signs another device in, once; nil: none was used up. A secret.
        public var recoveryCode: String?

        /// Takes a player and the credentials.
        public init(player: Player, token: String, recoveryCode: String? = nil) {
            self.player = player
            self.token = token
            self.recoveryCode = recoveryCode
        }
    }

    /// A new recovery code. The old one no longer works.
    public struct RenewedRecoveryCode: Codable, Hashable, Sendable {
        /// It signs another device in, once. It is in groups for people to copy. A secret.
        public var recoveryCode: String

        /// Takes a code.
        public init(recoveryCode: String) {
            self.recoveryCode = recoveryCode
        }
    }
}

extension V2.PlayerCredentials: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.PlayerCredentials>(
        "PlayerCredentials",
        "What a device gets when a player is created. Whoever has the token or the recovery code can act as the player.",
        [
            .member("player", \.player, "The player."),
            .member(
                "token", \.token, "The device sends it with each request: `Authorization: Bearer …`. A secret.",
                .pattern("^jt_[A-Za-z0-9_-]{43}$")),
            .member("recoveryCode", \.recoveryCode, "It signs another device in, once. A secret.", .recoveryCode),
        ])
}

extension V2.OpenedSession: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.OpenedSession>(
        "OpenedSession",
        "What a device gets when it is signed in. Whoever has the token can act as the player.",
        [
            .member("player", \.player, "The player."),
            .member(
                "token", \.token, "The device sends it with each request: `Authorization: Bearer …`. A secret.",
                .pattern("^jt_[A-Za-z0-9_-]{43}$")),
            .optional(
                "recoveryCode", \.recoveryCode, "The next recovery code, if one was used up. A secret.",
                .recoveryCode),
        ])
}

extension V2.RenewedRecoveryCode: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.RenewedRecoveryCode>(
        "RenewedRecoveryCode",
        "A new recovery code. The old one no longer works.",
        [
            .member("recoveryCode", \.recoveryCode, "It signs another device in, once. A secret.", .recoveryCode)
        ])
}
