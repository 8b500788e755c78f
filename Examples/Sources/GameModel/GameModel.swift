public import JulietClient
public import Observation

/// The word of the day as a view shows it, and what the player does.
///
/// The service judges: the model holds what it last said. A guess has its number, so one whose answer was lost can be sent again and counts
/// once.
@available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
@MainActor
@Observable
public final class GameModel {
    /// The game, as last heard; nil: not yet.
    public private(set) var game: V2.Game?
    /// What has been typed of the next guess, in upper case.
    public private(set) var entry = ""
    /// What the player should know; nil: nothing.
    public private(set) var message: String?
    /// Whether the service is being asked.
    public private(set) var isBusy = false
    /// Whether the service takes this device's token no more: offer `signInAgain()`.
    public private(set) var needsSignIn = false
    /// The code that signs another device in, to be written down; nil: there is none here.
    public private(set) var recoveryCode: String?

    private let session: Session

    /// A game of whoever is signed in.
    public init(session: Session) {
        self.session = session
    }

    /// Whether a guess can be sent.
    public var canSubmit: Bool {
        guard let game, game.state == .playing, !isBusy else { return false }
        return entry.count == game.length
    }

    // MARK: What the player does

    /// Begins: signs up at the first start, goes on with what an earlier one had begun, and gets today's game.
    public func begin() async {
        await ask {
            if await session.interrupted != nil { try await session.resume() }
            if await session.state == .signedOut { try await session.createPlayer() }
            game = try await session.juliet.send(StartDailyGame()).game
        }
    }

    /// Signs in again by the recovery code on this device: the player has said so.
    public func signInAgain() async {
        await ask {
            try await session.renew()
            game = try await session.juliet.send(StartDailyGame()).game
        }
    }

    /// Types a letter.
    public func type(_ letter: Character) {
        guard letter.isLetter, let game, entry.count < game.length else { return }
        entry += letter.uppercased()
        message = nil
    }

    /// Takes the last letter back.
    public func erase() {
        if !entry.isEmpty { entry.removeLast() }
    }

    /// Sends the guess.
    public func submit() async {
        guard canSubmit, let game else { return }
        let guess = SubmitGuess(game: game.id, word: entry.lowercased(), number: game.guesses.count + 1)
        await ask {
            self.game = try await session.juliet.send(guess)
            entry = ""
        }
    }

    /// Asks the service, and says in words what went wrong.
    private func ask(_ body: () async throws -> Void) async {
        guard !isBusy else { return }
        isBusy = true
        message = nil
        do {
            try await body()
        } catch {
            message = Self.sentence(for: error)
        }
        if case .refused = await session.state { needsSignIn = true } else { needsSignIn = false }
        recoveryCode = await session.recoveryCode
        isBusy = false
    }

    private static func sentence(for error: any Error) -> String {
        if let error = error as? SessionError {
            return switch error.code {
            case .codeUsedUp: "That recovery code was used up. Have a new one made on another device of yours."
            case .notSaved, .storeUnavailable: "This device cannot keep who you are. Is its storage full?"
            default: "You cannot be signed in here (\(error))."
            }
        }
        guard let error = error as? ClientError else { return "Something went wrong." }
        return switch error.problem?.knownCode {
        case .wordUnknown: "That is no word I know."
        case .unauthorized: "This device is signed in no more."
        case nil: error.refusal == nil ? "There is no answer. Try again." : "The service cannot do that now."
        default: error.problem?.detail ?? error.problem?.title ?? "The service says no."
        }
    }
}
