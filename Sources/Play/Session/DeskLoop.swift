package import PlayPresenter
package import PlayRepository
package import PlayUseCase
package import PlayView

/// Connects the layers where the service speaks `/v2`: passes events of the player and the service to the use case, its
/// effects to the repository, and its picture to the view.
package struct DeskLoop: Sendable {
    /// What comes in, from the player or from the service.
    package enum Input: Sendable {
        case view(TerminalView.Event)
        case desk(Desk.Event)
    }

    private let repository: any DeskRepository
    private let presenter: Presenter
    private let show: @Sendable (Frame) -> Void

    /// - Parameter show: Shows a frame, and returns at once.
    package init(repository: any DeskRepository, presenter: Presenter, show: @escaping @Sendable (Frame) -> Void) {
        self.repository = repository
        self.presenter = presenter
        self.show = show
    }

    /// Plays until the player leaves.
    ///
    /// - Parameter code: A recovery code to sign in with.
    /// - Returns: How it ended, and the use case as it is then.
    package func run(
        _ desk: Desk, signingInWith code: String? = nil, inputs: AsyncStream<Input>
    ) async -> (end: PlayLoop.End, desk: Desk) {
        var desk = desk
        var size: Size?
        var end = PlayLoop.End.left
        await perform(desk.begin(signingInWith: code), &desk)
        inputs: for await input in inputs {
            switch input {
            case .view(.resized(let new)):
                size = new
            case .view(.ended(let signal)):
                end = signal.map(PlayLoop.End.signal) ?? .left
                break inputs
            case .view(.key(.control("c"))), .view(.key(.control("d"))):
                break inputs
            case .view(.key(let key)):
                guard let event = Desk.Event(key) else { continue }
                await perform(desk.handle(event), &desk)
            case .desk(let event):
                await perform(desk.handle(event), &desk)
            }
            if let size { show(presenter.frame(of: desk, size: size)) }
        }
        return (end, desk)
    }

    private func perform(_ effects: [Desk.Effect], _ desk: inout Desk) async {
        for effect in effects {
            switch effect {
            case .retry:
                await repository.retry()
            case .send(let errand):
                await repository.send(errand)
            case .save(let saved):
                do {
                    try await repository.save(saved)
                } catch {
                    await perform(desk.handle(.notSaved("\(error)")), &desk)
                }
            }
        }
    }
}

extension Desk.Event {
    /// What a key means; nil: nothing.
    init?(_ key: Key) {
        switch key {
        case .character("?"): self = .help
        case .character(let character): self = .typed(character)
        case .enter: self = .enter
        case .backspace: self = .erase
        case .escape: self = .escape
        case .up: self = .up
        case .down: self = .down
        case .control: return nil
        }
    }
}
