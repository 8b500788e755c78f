package import JulietClient

/// What outlives the program where it speaks `/v2`.
package struct SavedDesk: Codable, Equatable, Sendable {
    /// A player's session on this device.
    package struct Session: Codable, Equatable, Sendable {
        /// The session's token. A secret.
        package var token: String
        /// The recovery code, until the player has said that it is written down. A secret.
        package var newCode: String?

        package init(token: String, newCode: String? = nil) {
            self.token = token
            self.newCode = newCode
        }
    }

    /// nil: nobody is signed in.
    package var session: Session?
    /// The player as last heard.
    package var player: V2.Player?
    /// The game on the board, as last heard.
    package var game: V2.Game?
    /// Whether the board is shown.
    package var isAtBoard = false
    /// What the player did and the service has not answered yet.
    package var pending: DeskRequest?
    /// Whether new games are in hard mode.
    package var isHard = false
    /// The list that games for energy are of; nil: the service's first.
    package var list: V2.Service.Language?

    package init(session: Session? = nil) {
        self.session = session
    }
}
