/// Which failures a request is tried again after, when, and how often.
///
/// Conditions combine: one that matches is enough. `RetryPolicy.standard.retrying(.statuses([409]))` adds one.
public struct RetryPolicy: Codable, Hashable, Sendable {
    /// A kind of failure.
    public enum Condition: Codable, Hashable, Sendable {
        /// No answer came, for one of these reasons.
        case errors(Set<ClientError.Code>)
        /// The server answered with one of these statuses.
        case statuses(Set<Int>)
        /// The server answered with a status that is none of these.
        case allStatusesBut(Set<Int>)
        /// The answer's error code is one of these.
        case errorCodes(Set<String>)
        /// The answer has an error code, and it is none of these.
        case allErrorCodesBut(Set<String>)
        /// The answer is a refusal that is not the service's own: a proxy's 403 or 404, for instance.
        case foreignRefusals

        /// There was no network, or the connection broke.
        public static let lostNetwork = Condition.errors([.noNetwork, .connectionLost])
        /// No answer came in time.
        public static let timeOut = Condition.errors([.timedOut])
        /// The server could not be reached: no address, no listener, no secure connection.
        public static let unreachable = Condition.errors([
            .connectionRefused, .hostNotFound, .tls, .insecureConnection,
        ])
        /// The server is busy or broken: 408, 425, 429 and 5xx.
        public static let busyServer = Condition.statuses(Set([408, 425, 429] + Array(500..<600)))
        /// The answer does not match the request: a network's log-in page, an empty answer, another service's.
        public static let someoneElse = Condition.errors([
            .notHTTP, .unexpectedContent, .tooLarge, .decoding, .missingIdentifier,
        ])
        /// Something that an attempt needed was missing, such as a token, or the cause is unknown.
        public static let unprepared = Condition.errors([.preparation, .other])
    }

    /// One that holds is enough.
    public var conditions: [Condition]
    /// The wait after the first failure; it doubles with each further one. Up to half of each wait is left out at
    /// random, so that clients do not all return at once.
    public var firstDelay: Duration
    /// The longest wait, except one that the server asks for.
    public var maximumDelay: Duration
    /// The longest wait that a server's `Retry-After` can ask for.
    public var maximumRetryAfter: Duration
    /// How many attempts are answered in a way that concerns the request before it becomes a dead letter; nil: any number.
    ///
    /// Such answers are the service's own, 4xx refusals of others, and JSON that the request's type cannot read. Nothing
    /// else counts: no answer at all, 408, 425, 429, a 5xx other than the service's own 500, redirects, web pages, empty
    /// answers. So a request outlives any outage.
    public var maximumAttempts: Int?
    /// When a request that the service itself fails at (a 500 of its own) becomes a dead letter; nil: as any other.
    public var failureLimit: FailureLimit?

    /// How long the service may fail at a request: this often and for this long, both.
    public struct FailureLimit: Codable, Hashable, Sendable {
        /// How many attempts the service answered with 500.
        public var attempts: Int
        /// The time between them, at most `RetryPolicy.maximumDelay` from one to the next: it does not matter how long the
        /// app was not running, or whether the clock was set.
        public var time: Duration

        /// Describes a limit.
        public init(attempts: Int, time: Duration) {
            self.attempts = attempts
            self.time = time
        }
    }

    /// Describes a policy; the defaults are the queue's.
    public init(
        conditions: [Condition] = [
            .lostNetwork, .timeOut, .unreachable, .someoneElse, .foreignRefusals, .busyServer, .unprepared,
        ],
        firstDelay: Duration = .seconds(1), maximumDelay: Duration = .seconds(300),
        maximumRetryAfter: Duration = .seconds(3600), maximumAttempts: Int? = 100,
        failureLimit: FailureLimit? = FailureLimit(attempts: 20, time: .seconds(3600))
    ) {
        self.conditions = conditions
        self.firstDelay = firstDelay
        self.maximumDelay = maximumDelay
        self.maximumRetryAfter = maximumRetryAfter
        self.maximumAttempts = maximumAttempts
        self.failureLimit = failureLimit
    }

    /// Retries after lost networks, time-outs, servers out of reach, answers that are not the service's, 408, 425, 429
    /// and 5xx, 1 s to 5 min apart, however long that takes. It gives up after 100 answers that concern the request, or
    /// after 20 times 500 of the service's own in an hour or more.
    public static let standard = RetryPolicy()
    /// Tries once.
    public static let never = RetryPolicy(conditions: [])

    /// The same policy with one more condition.
    public func retrying(_ condition: Condition) -> RetryPolicy {
        var policy = self
        policy.conditions.append(condition)
        return policy
    }

    /// Whether a failure is one to try again after.
    func retries(after error: ClientError) -> Bool {
        conditions.contains { condition in
            switch condition {
            case .errors(let codes): error.refusal == nil && codes.contains(error.code)
            case .statuses(let statuses): error.refusal.map { statuses.contains($0.status) } ?? false
            case .allStatusesBut(let statuses): error.refusal.map { !statuses.contains($0.status) } ?? false
            case .errorCodes(let codes): error.refusal?.code.map { codes.contains($0) } ?? false
            case .allErrorCodesBut(let codes): error.refusal?.code.map { !codes.contains($0) } ?? false
            case .foreignRefusals: error.refusal.map { !$0.isOfService } ?? false
            }
        }
    }

    /// How long to wait before the next attempt.
    ///
    /// - Parameters:
    ///   - failures: How many attempts have failed, 1 or more.
    ///   - retryAfter: What the server asked for.
    ///   - random: 0 ..< 1.
    func delay(afterFailures failures: Int, retryAfter: Duration?, random: Double) -> Duration {
        if let retryAfter {
            // Never sooner than asked.
            return max(min(retryAfter, maximumRetryAfter) * (1 + random / 10), firstDelay * (1 - random / 2))
        }
        var delay = min(firstDelay, maximumDelay)
        for _ in 1..<max(failures, 1) where delay < maximumDelay { delay = min(delay * 2, maximumDelay) }
        return delay * (1 - random / 2)
    }
}
