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
    ///   - hasColours: Whether the terminal may be sent colours; without, signs tell what they would.
    ///   - makeID: Makes names nobody else uses.
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
        let (inputs, continuation) = AsyncStream.makeStream(of: PlayLoop.Input.self)
        let view = TerminalView(hasColours: hasColours) { continuation.yield(.view($0)) }
        try await view.open(term: term)
        let loop = PlayLoop(repository: repository, presenter: Presenter(usesSigns: !hasColours)) { view.show($0) }
        let result: Result<(PlayLoop.End, Play), any Error>
        do {
            result = .success(
                try await withThrowingTaskGroup(of: (PlayLoop.End, Play)?.self) { group in
                    group.addTask {
                        let ended = await loop.run(play, inputs: inputs)
                        // At once: closing the queue may take a moment.
                        await view.close()
                        return ended
                    }
                    group.addTask {
                        try await repository.run { continuation.yield(.play($0)) }
                        return nil
                    }
                    defer { group.cancelAll() }
                    while let ended = try await group.next() {
                        if let ended { return ended }
                    }
                    return (.left, play)
                })
        } catch {
            result = .failure(error)
        }
        await view.close()
        return try Ending(result.get())
    }
}

extension PlaySession.Ending {
    fileprivate init(_ ended: (PlayLoop.End, Play)) {
        let (end, play) = ended
        if case .signal(let number) = end { signal = number } else { signal = nil }
        let waiting = play.outbox.count
        var sentences: [String] = []
        if let game = play.game, game.outcome == nil { sentences.append("Your game waits for you.") }
        if waiting > 0 { sentences.append("\(waiting) to tell the service the next time you play.") }
        farewell = sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }
}
