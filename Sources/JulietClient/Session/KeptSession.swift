#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

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

    /// Who is signed in.
    var state: Session.State {
        guard let player, token != nil else { return .signedOut }
        return isRefused ? .refused(player) : .signedIn(player)
    }

    /// What is open about the code that is kept: it may be used up, or another may have taken its place. Making another settles it.
    var openRenewal: Attempt? {
        switch attempt?.step {
        case .renewRecoveryCode: attempt
        case .signIn(let sent) where sent == recoveryCode:
            Attempt(step: .renewRecoveryCode, key: RandomName.make(), isSent: true)
        default: nil
        }
    }

    /// Takes over what signs a player in.
    init(_ session: V2.OpenedSession, recoveryCode: String?) {
        player = session.player
        token = session.token
        self.recoveryCode = session.recoveryCode ?? recoveryCode
    }

    init() {}

    /// What a store has; nil: nothing.
    ///
    /// - Throws: `SessionError` `.damaged`, or what the store throws.
    static func load(_ name: String, from store: any SecretStore) async throws -> KeptSession? {
        guard let bytes = try await store.load(name) else { return nil }
        do {
            return try JSONDecoder().decode(KeptSession.self, from: Data(bytes))
        } catch {
            throw SessionError(.damaged)
        }
    }
}

extension KeptSession: CustomStringConvertible, CustomReflectable {
    /// The type's name: all else is secret.
    var description: String { "KeptSession" }
    var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension KeptSession.Attempt: CustomStringConvertible, CustomReflectable {
    /// The type's name: its step may hold a code.
    var description: String { "Attempt" }
    var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension KeptSession.Attempt.Step: CustomStringConvertible, CustomReflectable {
    /// The type's name: it may hold a code.
    var description: String { "Step" }
    var customMirror: Mirror { Mirror(self, children: [:]) }
}
