/// What a session keeps in its store: one value, so that it is replaced as a whole.
struct KeptSession: Codable, Equatable, Sendable {
    /// Something that was begun, and whose answer is not kept.
    struct Attempt: Codable, Equatable, Sendable {
        enum Step: Codable, Equatable, Sendable {
            case createPlayer(name: String?, claim: String?)
            /// By a code that was typed, or, for the player there is, by theirs.
            case signIn(recoveryCode: String)
            case renewRecoveryCode
        }

        let step: Step
        /// The operation's name, the same in each attempt at it.
        let key: String
        /// Whether an attempt may have reached the service.
        var isSent = false
    }

    var player: V2.Player?
    var token: String?
    /// nil: there is none on this device.
    var recoveryCode: String?
    /// Whether the service has refused the token.
    var isRefused = false
    var attempt: Attempt?

    static let signedOut = KeptSession()

    /// Takes over what signs a player in.
    init(_ session: V2.OpenedSession, recoveryCode: String?) {
        player = session.player
        token = session.token
        self.recoveryCode = session.recoveryCode ?? recoveryCode
    }

    init() {}
}
