/// When a deadline of a connection passes, and what happens then.
struct Deadline: Equatable {
    enum Kind {
        case write
        case linger
        case overload
        case drain
        case firstByte
        case keepAlive
        case head
        case body
        case piece
        case rest
        case handler
        case pause
    }

    enum Outcome: Equatable {
        case close(abort: Bool)
        case refuse(Refusal)
        /// Closes, unless a request has arrived in this very moment.
        case look
        /// The handler is told that its body timed out.
        case starve
    }

    let kind: Kind
    let end: Duration
    let outcome: Outcome

    init(_ start: Duration, _ kind: Kind, _ duration: Duration, _ outcome: Outcome) {
        self.kind = kind
        end = start + duration
        self.outcome = outcome
    }
}

extension ConnectionState {
    /// The table of deadlines: which one applies, when it ends if it starts now, and what happens then. The first row
    /// that matches applies. It starts when its row begins to apply; `write` starts again with every byte the peer
    /// takes, `pause` with every byte it sends.
    func row(at now: Duration) -> Deadline? {
        switch phase {
        case .closed: return nil
        case _ where outputWaits: return Deadline(now, .write, limits.write, .close(abort: true))
        case .handling where readerWaits, .streaming where readerWaits:
            return Deadline(now, .piece, limits.body, .starve)
        case .handling: return limits.handler.map { Deadline(now, .handler, $0, .refuse(.unanswered)) }
        // A stream takes the time it needs.
        case .streaming, .flushing: return nil
        case .skipping: return Deadline(now, .rest, limits.linger, .close(abort: false))
        // Not by a reset, because the peer may still have to read the response.
        case .lingering: return Deadline(now, .linger, limits.linger, .close(abort: false))
        case _ where isOverload: return Deadline(now, .overload, ConnectionLimits.overload, .refuse(.overloaded))
        case .opened where isDraining, .idle where isDraining: return Deadline(now, .drain, limits.drain, .look)
        case .opened: return Deadline(now, .firstByte, limits.firstByte, .close(abort: false))
        case .idle: return Deadline(now, .keepAlive, limits.keepAlive, .close(abort: false))
        case .head: return Deadline(now, .head, limits.head, .refuse(.late))
        case .body: return Deadline(now, .body, bodyEnd - now, .refuse(.late))
        case .oversizedBody:
            let pause = min(ConnectionLimits.pause, bodyEnd - now)
            return Deadline(now, .pause, pause, .refuse(.broken(.bodyTooLarge)))
        }
    }
}
