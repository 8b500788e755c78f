import EventLoop
import HTTPServer
import JulietAPI

/// Prevents guessing of the codes of challenges and leagues: after thirty unknown or malformed codes within ten minutes,
/// at any URL, an address gets 429 for every code until the oldest of them is ten minutes old.
///
/// One for a process; each process counts for itself.
final class UnknownCodes: Sendable {
    private let counts = Locked(UnknownCodeCounts())
    private let start = ContinuousClock.now

    /// Answers a request for what has a code.
    ///
    /// A known code never counts, not even while it is looked up. So the limit is checked twice, before and after the
    /// lookup: otherwise many codes that are tried at the same moment would all be answered.
    ///
    /// - Parameters:
    ///   - client: Who asks.
    ///   - keepsAnswers: Whether an answer is given even if the limit was reached meanwhile, because something was done. Default: no.
    ///   - unknown: The answer to an unknown one; 404.
    ///   - answer: Looks the code up and answers; nil: there is no such code. If it throws, nothing is counted.
    /// - Returns: The answer, that to an unknown one, or 429.
    func answer(
        _ client: RequestLimits.Client, keepsAnswers: Bool = false,
        otherwise unknown: @autoclosure () -> Response = .problem(V2.Problem(.notFound)),
        _ answer: () async throws -> Response?
    ) async throws -> Response {
        let network = client.address.network
        if let wait = counts.withLock({ $0.wait(network, now: ContinuousClock.now - start) }) { return refusal(wait) }
        let answered = try await answer()
        if keepsAnswers, let answered { return answered }
        let late = counts.withLock { counts in
            let now = ContinuousClock.now - start
            let wait = counts.wait(network, now: now)
            if wait == nil, answered == nil { counts.count(network, now: now) }
            return wait
        }
        if let late { return refusal(late) }
        return answered ?? unknown()
    }

    private func refusal(_ wait: Duration) -> Response {
        .tooManyRequests(retryAfter: max(1, Int((wait / .seconds(1)).rounded(.up))))
    }
}

/// How many unknown codes, or other things that are limited, came from which network.
///
/// A value without a clock: moments are durations since any one moment.
struct UnknownCodeCounts {
    /// Unknown ones from one network within the window.
    static let limit = 30
    static let window: Duration = .seconds(600)

    /// Of each network, the oldest first. A network that had none for the window may still be here.
    private var times: [SocketAddress.IP: [Duration]] = [:]
    private let capacity: Int
    private let limit: Int
    private let window: Duration

    /// No unknown codes yet.
    ///
    /// - Parameters:
    ///   - limit: How many there may be from one network within the window.
    ///   - window: How long one counts.
    ///   - capacity: Networks that are remembered, default 4096, 2 MiB at most of thirty each; for one more, the
    ///     network is forgotten whose last unknown code is the oldest.
    init(limit: Int = Self.limit, window: Duration = Self.window, capacity: Int = 4096) {
        self.limit = limit
        self.window = window
        self.capacity = capacity
    }

    /// How long a network has to wait; nil: its next code may be looked at.
    func wait(_ network: SocketAddress.IP, now: Duration) -> Duration? {
        guard let times = times[network], times.count >= limit else { return nil }
        let end = times[times.count - limit] + window
        return end > now ? end - now : nil
    }

    /// Counts an unknown one.
    ///
    /// - Parameter now: Never earlier than in the calls before.
    mutating func count(_ network: SocketAddress.IP, now: Duration) {
        if times[network] == nil, times.count == capacity { makeRoom(now: now) }
        times[network, default: []].append(now)
        if times[network, default: []].count > limit { times[network]?.removeFirst() }
    }

    private mutating func makeRoom(now: Duration) {
        times = times.filter { $0.value.last.map { $0 + window > now } == true }
        guard times.count == capacity else { return }
        let quietest = times.min { ($0.value.last ?? .zero) < ($1.value.last ?? .zero) }
        if let quietest { times[quietest.key] = nil }
    }
}
