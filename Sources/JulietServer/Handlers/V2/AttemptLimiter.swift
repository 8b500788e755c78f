import HTTPServer

/// Prevents guessing of recovery codes and of keys of the admin page: after ten wrong ones within ten minutes, an
/// address has to wait until the oldest of them is ten minutes old.
///
/// An attempt counts from its beginning, because otherwise many at the same moment would all pass. One that was not wrong is taken back.
/// A value without a clock: moments are durations since any one moment.
struct AttemptLimiter {
    /// One code or key that somebody gave.
    struct Attempt: Equatable {
        let network: SocketAddress.IP
        let time: Duration
    }

    enum Verdict: Equatable {
        /// It may be checked. Take the attempt back unless it is wrong.
        case admitted(Attempt)
        /// The next attempt may be made after this time.
        case refused(wait: Duration)
    }

    /// Wrong ones from one network within the window.
    static let limit = 10
    static let window: Duration = .seconds(600)

    /// The oldest first.
    private var attempts: [Attempt] = []
    private let capacity: Int

    /// A limiter without attempts.
    ///
    /// - Parameter capacity: Attempts that are remembered, default 4096, some 200 KiB; for one more the oldest is
    ///   forgotten.
    init(capacity: Int = 4096) {
        self.capacity = capacity
    }

    /// Decides on an attempt and counts it.
    mutating func begin(from address: SocketAddress.IP, now: Duration) -> Verdict {
        attempts.removeAll { $0.time + Self.window <= now }
        let attempt = Attempt(network: address.network, time: now)
        let earlier = attempts.filter { $0.network == attempt.network }
        if earlier.count >= Self.limit { return .refused(wait: earlier[0].time + Self.window - now) }
        if attempts.count == capacity { attempts.removeFirst() }
        attempts.append(attempt)
        return .admitted(attempt)
    }

    /// Forgets an attempt that was not wrong.
    mutating func takeBack(_ attempt: Attempt) {
        if let index = attempts.lastIndex(of: attempt) { attempts.remove(at: index) }
    }
}
