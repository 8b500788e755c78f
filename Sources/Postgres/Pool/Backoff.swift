/// Capped exponential backoff with jitter: how long to wait before the next attempt.
struct Backoff {
    private let delays: ClosedRange<Duration>
    private var next: Duration

    init(_ delays: ClosedRange<Duration>) {
        self.delays = delays
        next = delays.lowerBound
    }

    /// The wait after one more failure.
    ///
    /// - Parameter random: 0 ..< 1: shortens the wait by up to half.
    mutating func failed(random: Double = .random(in: 0..<1)) -> Duration {
        defer { next = min(next * 2, delays.upperBound) }
        return next * (1 - random / 2)
    }

    /// Forgets the failures.
    mutating func succeeded() { next = delays.lowerBound }
}
