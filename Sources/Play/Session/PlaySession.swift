import PlayPresenter
package import PlayRepository
package import PlayUseCase
import PlayView

/// The whole game in this process's terminal, until the player leaves.
package struct PlaySession: Sendable {
    /// How it ended.
    package struct Ending: Sendable {
        /// The signal that asked for it, if one did.
        package let signal: Int32?
        /// What the player should know; nil: nothing.
        package let farewell: String?
    }

    private let repository: any GameRepository
    private let list: GuessList
    private let hasColours: Bool
    private let makeID: @Sendable () -> String

    /// - Parameters:
    ///   - list: The words that may be guessed.
    ///   - hasColours: Whether the terminal may be sent colours; without them, signs take their place.
    ///   - makeID: Makes unique names.
    package init(
        repository: any GameRepository, list: GuessList, hasColours: Bool, makeID: @escaping @Sendable () -> String
    ) {
        self.repository = repository
        self.list = list
        self.hasColours = hasColours
        self.makeID = makeID
    }

    /// Plays. When it returns or throws, the terminal is as it was.
    ///
    /// - Parameter term: The variable `TERM`.
    /// - Throws: What keeps the game from being played: its files, the terminal.
    package func run(term: String?) async throws -> Ending {
        let play = Play(try repository.load() ?? SavedPlay(), list: list, makeID: makeID)
        let presenter = Presenter(usesSigns: !hasColours)
        let ended: (PlayLoop.End, Play) = try await TerminalSession.run(
            hasColours: hasColours, term: term, input: PlayLoop.Input.view,
            loop: { inputs, show in
                await PlayLoop(repository: repository, presenter: presenter, show: show).run(play, inputs: inputs)
            },
            beside: [{ inputs in try await repository.run { inputs.yield(.play($0)) } }])
        return Ending(ended)
    }
}

extension PlaySession.Ending {
    fileprivate init(_ ended: (PlayLoop.End, Play)) {
        let (end, play) = ended
        if case .signal(let number) = end { signal = number } else { signal = nil }
        let waiting = play.outbox.count
        var sentences: [String] = []
        if let game = play.game, game.outcome == nil { sentences.append("Your game waits for you.") }
        if waiting > 0 { sentences.append("Not sent yet: \(waiting). Play again to send the rest.") }
        farewell = sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }
}
