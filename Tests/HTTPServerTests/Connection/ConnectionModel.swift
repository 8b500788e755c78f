@testable import HTTPServer

/// Plays the shell around a connection's state, and its peer: a clock, an input, a window, a worker. Notes what is
/// done, and complains of what must never be.
struct ConnectionModel {
    /// What the worker is at.
    enum Worker: Equatable {
        case idle
        case submitted
        case handling
        case streaming(ResponsePlan)
    }

    private(set) var state: ConnectionState
    private(set) var now: Duration
    private(set) var worker = Worker.idle
    /// The requests that were taken, as `Reading.summary` writes them.
    private(set) var requests: [String] = []
    private(set) var refusals: [Refusal] = []
    /// What the handler has heard of the body that it takes as it comes.
    private(set) var pieces: [ConnectionState.Piece] = []
    /// Whether it waits for more.
    private(set) var isReading = false
    private var isStreamed = false
    /// Whether bodies are handed over as they come.
    let streams: Bool
    private(set) var continues = 0
    /// Whether a response has announced the end.
    private(set) var hasAnnouncedClose = false
    private(set) var hasEndedOutput = false
    /// Whether and how the transport was closed.
    private(set) var closed: (abort: Bool, at: Duration)?
    private(set) var complaints: [String] = []

    /// What the peer has sent and nobody has received, and whether it will send more.
    var arriving: [UInt8] = []
    var hasEndedInput = false
    /// Bytes the peer will take, and bytes that wait for that.
    var window = Int.max
    private(set) var waiting = 0
    /// Writers of a stream that wait for the peer.
    private(set) var writers = 0

    init(
        _ configuration: HTTPServerConfiguration = HTTPServerConfiguration(), isOverload: Bool = false,
        isDraining: Bool = false
    ) {
        now = .zero
        streams = configuration.streamedBody != nil
        state = ConnectionState(
            limits: ConnectionLimits(configuration), isOverload: isOverload, isDraining: isDraining, now: now)
        check()
    }

    // MARK: The peer

    /// Receives up to so many of the bytes that have arrived, or the end behind them.
    mutating func receive(_ count: Int = .max) {
        guard state.takesInput else { return }
        let piece = Array(arriving.prefix(count))
        arriving.removeFirst(piece.count)
        if !piece.isEmpty {
            take(state.received(piece.span, now: now))
        } else if hasEndedInput {
            take(state.inputEnded(now: now))
        }
    }

    /// The text arrives and is received.
    mutating func receive(_ text: String) {
        arriving += Array(text.utf8)
        receive()
    }

    /// The peer takes so many of the bytes that wait.
    mutating func read(_ count: Int) {
        guard waiting > 0, count > 0 else { return }
        waiting -= min(count, waiting)
        if waiting == 0 {
            take(state.outputEmptied(now: now))
        } else {
            state.outputTaken(now: now)
            settle()
        }
    }

    mutating func hangUp() {
        take(state.close(abort: false))
    }

    // MARK: The worker

    mutating func takeRequest() {
        guard worker == .submitted else { return }
        worker = .handling
        let request = state.takeRequest(from: SocketAddress(127, 0, 0, 1, port: 1)) { _ in
            RequestContent.Source { nil }
        }
        if let request {
            isStreamed = request.contentSource != nil
            pieces = []
            requests.append(Reading.summary(request))
        } else {
            worker = .idle
            if state.isOpen { complaints.append("a request that was not there") }
        }
    }

    /// Answers the request; a stream then goes on by `write` and `endStream`.
    mutating func answer(_ response: Response = .text("ok")) {
        guard worker == .handling else { return }
        guard let plan = state.begin(response) else {
            worker = .idle
            if state.isOpen { complaints.append("an answer that was not wanted") }
            return
        }
        if plan.persistence == .close { hasAnnouncedClose = true }
        send(100)
        guard plan.content == .stream else {
            worker = .idle
            take(state.responseEnded(now: now))
            return
        }
        worker = .streaming(plan)
    }

    /// The handler asks for more of the body.
    mutating func readBody() {
        guard worker != .idle, worker != .submitted, isStreamed, !isReading else { return }
        isReading = true
        settle()
        guard state.takeContinue() else { return }
        if case .streaming = worker { complaints.append("a 100 behind a response") }
        continues += 1
        send(25)
        settle()
    }

    mutating func write(_ count: Int) {
        guard case .streaming = worker, state.isStreaming(state.requestNumber) else { return }
        send(count)
        if state.outputWaits { writers += 1 }
        settle()
    }

    mutating func endStream(failing: Bool = false) {
        guard case .streaming(let plan) = worker else { return }
        worker = .idle
        if failing {
            take(state.responseFailed(now: now))
        } else {
            if plan.framing == .chunked { send(5) }
            take(state.responseEnded(now: now))
        }
    }

    // MARK: Time and the server

    /// Lets time pass; a deadline that is then over is reported.
    mutating func pass(_ duration: Duration) {
        now += duration
        take(state.deadlinePassed(now: now))
    }

    /// Lets the time pass that the deadline leaves.
    ///
    /// - Returns: Whether there is one.
    @discardableResult
    mutating func passDeadline() -> Bool {
        guard let deadline = state.deadline else { return false }
        pass(max(.zero, deadline.end - now))
        return true
    }

    mutating func drain() {
        state.beginDraining(now: now)
        settle()
    }

    // MARK: Steps

    private mutating func take(_ step: ConnectionState.Step) {
        if closed != nil, step != .wait { complaints.append("\(step) after the end") }
        switch step {
        case .wait: break
        case .sendContinue:
            continues += 1
            send(25)
        case .handle:
            if worker != .idle { complaints.append("two requests at a time") }
            if hasAnnouncedClose { complaints.append("a request behind the last response") }
            worker = .submitted
        case .refuse(let refusal):
            if worker != .idle { complaints.append("a refusal while a request is handled") }
            if hasAnnouncedClose { complaints.append("a refusal behind the last response") }
            refusals.append(refusal)
            var failure = HTTPFailure(code: .malformed, status: .badRequest, message: "")
            state.describe(&failure)
            guard let plan = state.begin(.text("no")) else { return complaints.append("a refusal that was not wanted") }
            if plan.persistence != .close { complaints.append("a refusal that does not close") }
            hasAnnouncedClose = true
            send(100)
            take(state.responseEnded(now: now))
        case .look:
            receive()
            take(state.looked())
        case .endOutput:
            if hasEndedOutput || waiting > 0 { complaints.append("an end that is none") }
            hasEndedOutput = true
        case .close(let abort):
            closed = (abort, now)
            waiting = 0
        }
        settle()
    }

    private mutating func send(_ count: Int) {
        guard state.isOpen else { return }
        if hasEndedOutput { complaints.append("bytes after the end") }
        let sent = waiting == 0 ? min(count, window) : 0
        if window != .max { window -= sent }
        guard sent < count else { return }
        waiting += count - sent
        state.outputBlocked(now: now)
    }

    private mutating func settle() {
        if isReading, let piece = state.takePiece(state.requestNumber, now: now) {
            isReading = false
            if case .bytes(let bytes) = piece, let body = pieces.first, case .bytes(let before) = body {
                pieces[0] = .bytes(before + bytes)
            } else {
                pieces.append(piece)
            }
        }
        if !state.outputWaits { writers = 0 }
        check()
    }

    /// What must hold between any two events.
    private mutating func check() {
        func expect(_ condition: Bool, _ complaint: String) {
            if !condition { complaints.append(complaint) }
        }
        let deadline = state.deadline
        expect(state.isOpen == (closed == nil), "closed without a word")
        expect(
            !state.takesInput || worker == .idle || isStreamed || worker == .submitted,
            "reads while a request is handled")
        expect(state.readerWaits == isReading, "does not know who reads")
        expect(state.inputSize <= 65536 + 2 * 16384 + 400, "keeps \(state.inputSize) bytes")
        expect(!isReading || deadline?.kind == .piece || deadline?.kind == .write, "reads without bound")
        expect(state.outputWaits == (waiting > 0), "does not know what waits")
        expect(!state.outputWaits || deadline?.kind == .write, "waits for the peer without bound")
        expect(!state.isOpen || worker != .idle || deadline != nil, "waits for nothing: \(state.phase)")
        expect(state.isOpen || deadline == nil && !state.takesInput && !state.outputWaits, "lives on when closed")
        expect(
            deadline?.kind == state.row(at: now)?.kind, "\(state.phase) with deadline \(String(describing: deadline))")
        // An answer that nobody asked for goes nowhere.
        if worker == .idle { expect(state.begin(.text("ok")) == nil, "answers nobody") }
    }
}
