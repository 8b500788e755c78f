package import PlayPresenter
package import PlayRepository
package import PlayUseCase
package import PlayView

/// Connects the layers: passes events of the player and the service to the use case, its effects to the repository,
/// and its picture to the view.
package struct PlayLoop: Sendable {
    /// What comes in, from the player or from the service.
    package enum Input: Sendable {
        case view(TerminalView.Event)
        case play(Play.Event)
    }

    /// How a session ended.
    package enum End: Equatable, Sendable {
        /// The player left, or the terminal did.
        case left
        /// A signal asked for it.
        case signal(Int32)
    }

    private let repository: any GameRepository
    private let presenter: Presenter
    private let show: @Sendable (Frame) -> Void

    /// - Parameter show: Shows a frame, and returns at once.
    package init(repository: any GameRepository, presenter: Presenter, show: @escaping @Sendable (Frame) -> Void) {
        self.repository = repository
        self.presenter = presenter
        self.show = show
    }

    /// Plays until the player leaves.
    ///
    /// - Returns: How it ended, and the use case as it is then.
    package func run(_ play: Play, inputs: AsyncStream<Input>) async -> (end: End, play: Play) {
        var play = play
        var size: Size?
        var end = End.left
        await perform(play.begin(), &play)
        inputs: for await input in inputs {
            switch input {
            case .view(.resized(let new)):
                size = new
            case .view(.ended(let signal)):
                end = signal.map(End.signal) ?? .left
                break inputs
            case .view(.key(.control("c"))), .view(.key(.control("d"))):
                break inputs
            case .view(.key(let key)):
                guard let event = Play.Event(key) else { continue }
                await perform(play.handle(event), &play)
            case .play(let event):
                await perform(play.handle(event), &play)
            }
            if let size { show(presenter.frame(of: play, size: size)) }
        }
        return (end, play)
    }

    private func perform(_ effects: [Play.Effect], _ play: inout Play) async {
        for effect in effects {
            let outcome: Play.Event
            switch effect {
            case .retry:
                await repository.retry()
                continue
            case .save(let saved):
                do {
                    try await repository.save(saved)
                    continue
                } catch {
                    outcome = .notSaved("\(error)")
                }
            case .append(let deeds):
                do {
                    try await repository.append(deeds)
                    outcome = .appended(deeds)
                } catch {
                    outcome = .notAppended(deeds, "\(error)")
                }
            }
            await perform(play.handle(outcome), &play)
        }
    }
}

extension Play.Event {
    /// What a key means; nil: nothing.
    init?(_ key: Key) {
        switch key {
        case .character("?"): self = .help
        case .character("5"): self = .buy(.small)
        case .character("3"): self = .buy(.large)
        case .character(let character): self = .letter(character)
        case .enter: self = .enter
        case .backspace: self = .erase
        case .escape: self = .escape
        case .up, .down, .control: return nil
        }
    }
}
