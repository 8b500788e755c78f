package import JulietClient
import PlayPresenter
package import PlayRepository
import PlayUseCase
import PlayView

/// The whole game of `/v2` in this process's terminal, until the player leaves.
package struct DeskSession: Sendable {
    private let repository: any DeskRepository
    private let hasColours: Bool
    private let hasAppGames: Bool
    private let now: @Sendable () -> V2.Timestamp
    private let makeKey: @Sendable () -> String

    /// How often the clock is looked at: what is left of the day, when energy is due.
    private static let tick = Duration.seconds(3)

    /// - Parameters:
    ///   - hasColours: Whether the terminal may be sent colours; without them, signs take their place.
    ///   - hasAppGames: Whether games by the app's contract are kept here too.
    ///   - makeKey: Makes unique names.
    package init(
        repository: any DeskRepository, hasColours: Bool, hasAppGames: Bool,
        now: @escaping @Sendable () -> V2.Timestamp, makeKey: @escaping @Sendable () -> String
    ) {
        self.repository = repository
        self.hasColours = hasColours
        self.hasAppGames = hasAppGames
        self.now = now
        self.makeKey = makeKey
    }

    /// Plays. When it returns or throws, the terminal is as it was.
    ///
    /// - Parameters:
    ///   - code: A recovery code to sign in with.
    ///   - term: The variable `TERM`.
    /// - Throws: What keeps the game from being played: its files, the terminal, or a code where somebody is signed in.
    package func run(signingInWith code: String? = nil, term: String?) async throws -> PlaySession.Ending {
        let saved = try repository.load() ?? SavedDesk()
        if code != nil, let player = saved.player, saved.session != nil {
            throw PlayFolder.Failure(
                description: "\(player.name) is signed in here: sign out in the game before you use a recovery code")
        }
        let desk = Desk(saved, now: now(), hasAppGames: hasAppGames, makeKey: makeKey)
        let presenter = Presenter(usesSigns: !hasColours)
        let ended: (PlayLoop.End, Desk) = try await TerminalSession.run(
            hasColours: hasColours, term: term, input: DeskLoop.Input.view,
            loop: { inputs, show in
                await DeskLoop(repository: repository, presenter: presenter, show: show)
                    .run(desk, signingInWith: code, inputs: inputs)
            },
            beside: [
                { inputs in await repository.run { inputs.yield(.desk($0)) } },
                { inputs in
                    while true {
                        inputs.yield(.desk(.tick(now())))
                        try await Task.sleep(for: Self.tick)
                    }
                },
            ])
        return PlaySession.Ending(ended)
    }
}

extension PlaySession.Ending {
    fileprivate init(_ ended: (PlayLoop.End, Desk)) {
        let (end, desk) = ended
        if case .signal(let number) = end { signal = number } else { signal = nil }
        var sentences: [String] = []
        if desk.saved.game?.state == .playing { sentences.append("Your game waits for you.") }
        if desk.saved.pending != nil { sentences.append("What you did last is sent the next time you play.") }
        farewell = sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }
}
