import Testing

@testable import JulietClient

@Suite("Queue rules")
struct QueueStateTests {
    private struct Rules {
        var state: QueueState
        var now = QueueState.Moment(uptime: .zero, date: 1_000_000)

        init(
            policy: RetryPolicy = RetryPolicy(), scheduler: any QueueScheduler = StandardScheduler(),
            canRefreshToken: Bool = true, _ entries: [QueueEntry], contents: JournalContents = JournalContents()
        ) {
            state = QueueState(
                limit: 5, policy: policy, scheduler: scheduler, canRefreshToken: canRefreshToken, contents: contents,
                seed: 1)
            handle(.opened)
            handle(.appended(entries))
        }

        /// What is sent, what ends, and whether a token is wanted.
        @discardableResult
        mutating func handle(_ event: QueueState.Event, after wait: Duration = .zero) -> [String] {
            now.uptime += wait
            now.date += wait.components.seconds * 1000
            return state.handle(event, at: now).compactMap { action in
                switch action {
                case .send(let id): "send \(id)"
                case .callOff(let id): "call off \(id)"
                case .note: nil
                case .end(let ending): "end \(ending.entry.id)" + (ending.isDead ? " dead" : "")
                case .refreshToken: "refresh"
                }
            }
        }

        mutating func fail(_ id: UInt64, _ error: ClientError, after wait: Duration = .zero) -> [String] {
            handle(.attemptEnded(RequestID(number: id), .failure(error)), after: wait)
        }

        mutating func succeed(_ id: UInt64) -> [String] {
            let response = HTTPResponse(status: 200, headers: [HeaderField("Name", "server-\(id)")])
            return handle(.attemptEnded(RequestID(number: id), .success(response)))
        }
    }

    private static func entry(
        _ id: UInt64, isBarrier: Bool = true, policy: RetryPolicy? = nil, group: String? = nil,
        creates: LocalIdentifier? = nil, references: [LocalIdentifier] = []
    ) -> QueueEntry {
        QueueEntry(
            id: RequestID(number: id), appendedAt: 1_000_000, name: "Test", idempotencyKey: "k", isBarrier: isBarrier,
            creates: creates.map { CreatedIdentifier(local: $0, source: .header("Name")) }, references: references,
            policy: policy, group: group)
    }

    private func refused(_ status: Int, retryAfter: String? = nil, code: String? = "c") -> ClientError {
        let fields = retryAfter.map { [HeaderField("retry-after", $0)] } ?? []
        return ClientError(
            ClientError.Refusal(status: status, code: code, response: HTTPResponse(status: status, headers: fields)))
    }

    @Test("at most five run side by side, the next starts when one ends")
    func limit() {
        var rules = Rules((1...7).map { Self.entry($0, isBarrier: false) })
        #expect(rules.handle(.started) == (1...5).map { "send \($0)" })
        #expect(rules.succeed(3) == ["end 3", "send 6"])
        #expect(rules.succeed(1) == ["end 1", "send 7"])
    }

    @Test("waits double, with up to half of each left out, up to the longest")
    func backoff() {
        let policy = RetryPolicy(firstDelay: .seconds(1), maximumDelay: .seconds(10))
        for (failures, longest) in [(1, 1), (2, 2), (3, 4), (4, 8), (5, 10), (50, 10)] {
            let whole = policy.delay(afterFailures: failures, retryAfter: nil, random: 0)
            let half = policy.delay(afterFailures: failures, retryAfter: nil, random: 1)
            #expect(whole == .seconds(longest) && half == .seconds(longest) / 2)
        }
        #expect(policy.delay(afterFailures: 1, retryAfter: .seconds(70), random: 0) == .seconds(70))
        #expect(policy.delay(afterFailures: 9, retryAfter: .seconds(2), random: 0) == .seconds(2))
        #expect(policy.delay(afterFailures: 1, retryAfter: .zero, random: 0) == .seconds(1))
        #expect(policy.delay(afterFailures: 1, retryAfter: .seconds(1_000_000), random: 0) == .seconds(3600))
    }

    @Test("a server's Retry-After is waited for, and flush waits for nothing")
    func retryAfter() {
        var rules = Rules([Self.entry(1), Self.entry(2)])
        #expect(rules.handle(.started) == ["send 1"])
        #expect(rules.fail(1, refused(429, retryAfter: "30")).isEmpty)
        #expect(rules.state.wakeAt.map { $0 >= .seconds(30) && $0 <= .seconds(33) } == true)
        #expect(rules.handle(.ticked, after: .seconds(29)).isEmpty)
        #expect(rules.handle(.ticked, after: .seconds(5)) == ["send 1"])
        #expect(rules.fail(1, refused(503, retryAfter: "300")).isEmpty)
        #expect(rules.handle(.flushed) == ["send 1"])
        #expect(rules.succeed(1) == ["end 1", "send 2"])
    }

    @Test(
        "Retry-After is seconds or a date",
        arguments: [
            ("0", 0), ("120", 120), ("Sun, 06 Nov 1994 08:49:37 GMT", 37), ("Sun, 06 Nov 1994 08:48:00 GMT", 0),
            ("Thu, 29 Feb 1996 00:00:00 GMT", 41_440_260), ("-1", nil), ("soon", nil), ("", nil), ("1.5", nil),
            ("Sun, 06 Xxx 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 08:49 GMT", nil),
            // The obsolete forms, RFC 9110 §5.6.7.
            ("Sunday, 06-Nov-94 08:49:37 GMT", 37), ("Sun Nov  6 08:49:37 1994", 37),
            ("Monday, 06-Nov-44 08:49:37 GMT", 1_577_923_237), ("Monday, 06-Nov-45 08:49:37 GMT", 0),
            ("Sunday, 06-Nov-94 08:49:37", nil), ("Sun Nov  6 24:49:37 1994", nil), ("Sun Nov 6 1994", nil),
        ] as [(String, Int?)])
    func retryAfterValues(value: String, seconds: Int?) {
        let response = HTTPResponse(status: 503, headers: [HeaderField("Retry-After", value)])
        #expect(RetryAfter.delay(in: response, now: 784_111_740) == seconds.map { .seconds($0) })
    }

    @Test(
        "a date in Retry-After is taken by the answer's own Date, whatever the device's clock says",
        arguments: [0, 784_111_740, 4_000_000_000, -5_000_000_000] as [Int64])
    func retryAfterByDate(now: Int64) {
        for date in ["Sun, 06 Nov 1994 08:49:00 GMT", "Sun Nov  6 08:49:00 1994"] {
            let fields = [HeaderField("Date", date), HeaderField("Retry-After", "Sun, 06 Nov 1994 08:51:00 GMT")]
            let response = HTTPResponse(status: 503, headers: fields)
            #expect(RetryAfter.delay(in: response, now: now) == .seconds(120))
        }
    }

    @Test("a timer looks at the clock every few seconds, for it may have slept")
    func steps() {
        #expect(QueueTimer.step(until: .seconds(4000), now: .zero) == .seconds(5))
        #expect(QueueTimer.step(until: .seconds(4000), now: .seconds(3999)) == .seconds(1))
        #expect(QueueTimer.step(until: .seconds(4000), now: .seconds(9999)) == .zero)
    }

    @Test("conditions combine: errors, statuses, codes, all but some")
    func conditions() {
        let policy = RetryPolicy(conditions: [.lostNetwork, .statuses([409]), .errorCodes(["busy"])])
        #expect(policy.retries(after: ClientError(.noNetwork)) && policy.retries(after: ClientError(.connectionLost)))
        #expect(policy.retries(after: refused(409)) && policy.retries(after: refused(400, code: "busy")))
        #expect(!policy.retries(after: refused(400, code: "bad")) && !policy.retries(after: ClientError(.timedOut)))
        #expect(policy.retrying(.timeOut).retries(after: ClientError(.timedOut)))
        let most = RetryPolicy(conditions: [.allStatusesBut([400, 404])])
        #expect(most.retries(after: refused(500)) && !most.retries(after: refused(404)))
        let codes = RetryPolicy(conditions: [.allErrorCodesBut(["gone"])])
        #expect(codes.retries(after: refused(400, code: "x")) && !codes.retries(after: refused(400, code: "gone")))
        #expect(!codes.retries(after: refused(400, code: nil)))
        for status in [400, 403, 404, 409] { #expect(RetryPolicy.standard.retries(after: refused(status, code: nil))) }
        for status in [408, 425, 429, 500, 503, 599] { #expect(RetryPolicy.standard.retries(after: refused(status))) }
        for status in [400, 401, 404, 422] { #expect(!RetryPolicy.standard.retries(after: refused(status))) }
        for code in [ClientError.Code.connectionRefused, .hostNotFound, .timedOut, .connectionLost, .noNetwork] {
            #expect(RetryPolicy.standard.retries(after: ClientError(code)))
        }
        #expect(!RetryPolicy.never.retries(after: ClientError(.noNetwork)))
    }

    @Test("answers that concern the request make a dead letter in the end; nothing else counts")
    func attempts() {
        let policy = RetryPolicy(firstDelay: .zero, maximumDelay: .zero, maximumRetryAfter: .zero, maximumAttempts: 3)
        let outages =
            [
                .connectionRefused, .noNetwork, .hostNotFound, .tls, .connectionLost, .timedOut, .notHTTP,
                .unexpectedContent, .preparation, .other,
            ].map { (code: ClientError.Code) in ClientError(code) }
            + [503, 502, 504, 429, 408, 425].map { refused($0) }
            + [500, 502, 503, 511, 429, 407].map { refused($0, code: nil) }
            + [page(403), page(404), page(401)]
        for answer in [refused(403, code: nil), refused(404, code: nil), ClientError(.decoding), refused(500)] {
            var rules = Rules(policy: policy, [Self.entry(1)])
            rules.handle(.started)
            for _ in 0..<20 {
                for outage in outages { #expect(rules.fail(1, outage).last?.hasPrefix("end") != true) }
                rules.handle(.ticked)
                rules.handle(.tokenRefreshed)
            }
            for end in ["send 1", "send 1", "end 1 dead"] { #expect(rules.fail(1, answer) == [end]) }
            #expect(rules.state.deadLetters.count == 1)
        }
    }

    /// A page that asks to log in, or says that there is nothing.
    private func page(_ status: Int) -> ClientError {
        let fields = [HeaderField("Content-Type", "text/html; charset=utf-8")]
        let page = HTTPResponse(status: status, headers: fields, body: Array("<html>".utf8))
        return ClientError(ClientError.Refusal(status: status, response: page))
    }

    @Test(
        "clocks that jump by years, weeks without a network and outages for months end nothing: all are sent in order")
    func clocks() {
        // Appended when the clock stood in 2020, whenever that was.
        let count: UInt64 = 20
        var rules = Rules((1...count).map { Self.entry($0) })
        var sent = rules.handle(.started)
        var random = SplitMix(seed: 7)
        let years: [Int64] = [-30, -6, -1, 0, 1, 6, 30]
        let outages = [
            ClientError(.noNetwork), ClientError(.timedOut), ClientError(.connectionLost), refused(503), refused(502),
            refused(429, retryAfter: "7200"), page(404), ClientError(.unexpectedContent), refused(500),
        ]
        for id in 1...count {
            for round in 0..<40 {
                let jump = years.randomElement(using: &random) ?? 0
                rules.now.date += jump * 365 * 86_400_000 + .random(in: -100_000_000...100_000_000, using: &random)
                // The service's own 500 counts: seldom, and not for as long as the clock says.
                let outage = round % 10 == 9 ? outages[8] : outages[Int.random(in: 0..<8, using: &random)]
                #expect(rules.fail(id, outage).isEmpty)
                sent += rules.handle(.ticked, after: .seconds(30 * 86_400))
            }
            let next = rules.succeed(id)
            #expect(next.first == "end \(id)")
            sent += next.dropFirst()
        }
        #expect(rules.state.deadLetters.isEmpty && rules.state.requests.isEmpty)
        // Each forty times more than once, and none before the one ahead of it has ended.
        #expect(sent == (1...count).flatMap { id in [String](repeating: "send \(id)", count: 41) })
    }

    @Test("how long the service has failed is not what a clock that was set says")
    func failingTime() {
        let limit = RetryPolicy.FailureLimit(attempts: 3, time: .seconds(3600))
        let policy = RetryPolicy(maximumDelay: .seconds(300), maximumAttempts: nil, failureLimit: limit)
        var rules = Rules(policy: policy, [Self.entry(1)])
        rules.handle(.started)
        for round in 0..<12 {
            #expect(rules.fail(1, refused(500)).isEmpty, "\(round)")
            // Backwards it is no time, forwards at most five minutes.
            rules.now.date += (round % 2 == 0 ? 1 : -2) * 365 * 86_400_000
            rules.handle(.ticked, after: .seconds(400))
        }
        for _ in 0..<6 {
            #expect(rules.fail(1, refused(500)).isEmpty)
            rules.handle(.ticked, after: .seconds(400))
        }
        #expect(rules.fail(1, refused(500)) == ["end 1 dead"])
    }

    @Test("a flush tries at once what waits, and uses no attempts up")
    func flushDuringBackoff() {
        var rules = Rules(policy: RetryPolicy(firstDelay: .seconds(60), maximumAttempts: 3), [Self.entry(1)])
        #expect(rules.handle(.started) == ["send 1"])
        for _ in 0..<20 {
            #expect(rules.fail(1, refused(404, code: nil)).isEmpty)
            #expect(rules.handle(.flushed) == ["send 1"])
        }
        #expect(rules.fail(1, refused(404, code: nil)).isEmpty)
        for end in [[], ["end 1 dead"]] {
            #expect(rules.handle(.ticked, after: .seconds(300)) == ["send 1"])
            #expect(rules.fail(1, refused(404, code: nil)) == end)
        }
    }

    @Test("an attempt that somebody else called off is made again after a wait, or when the worker starts again")
    func calledOffElsewhere() {
        var rules = Rules([Self.entry(1)])
        #expect(rules.handle(.started) == ["send 1"])
        #expect(rules.fail(1, ClientError(.cancelled)).isEmpty)
        #expect(rules.handle(.ticked, after: .seconds(1)) == ["send 1"])
        #expect(rules.fail(1, ClientError(.cancelled)).isEmpty)
        #expect(rules.handle(.stopped).isEmpty)
        #expect(rules.handle(.started) == ["send 1"])
    }

    @Test("an append tries at once what waits, uses no attempts up, and respects what the server asked for")
    func appendDuringBackoff() {
        let policy = RetryPolicy(firstDelay: .seconds(60), maximumAttempts: 3)
        var rules = Rules(policy: policy, [Self.entry(1)])
        #expect(rules.handle(.started) == ["send 1"])
        #expect(rules.fail(1, refused(404, code: nil)).isEmpty)
        for id in 2...20 as ClosedRange<UInt64> {
            #expect(rules.handle(.appended([Self.entry(id)])) == ["send 1"])
            #expect(rules.fail(1, refused(404, code: nil)).isEmpty)
        }
        #expect(rules.handle(.ticked, after: .seconds(3600)) == ["send 1"])
        #expect(rules.fail(1, refused(404, retryAfter: "300", code: nil)).isEmpty)
        #expect(rules.handle(.appended([Self.entry(21)])).isEmpty)
        #expect(rules.handle(.ticked, after: .seconds(331)) == ["send 1"])
        #expect(rules.fail(1, refused(404, code: nil)).first == "end 1 dead")
    }

    @Test(
        "after a time-out of a change, offline or a lost connection, what is not tried again fails too, and only that",
        arguments: [ClientError.Code.timedOut, .noNetwork, .connectionLost])
    func failingBehind(code: ClientError.Code) {
        var rules = Rules([
            Self.entry(1), Self.entry(2, policy: .never), Self.entry(3),
            Self.entry(4, isBarrier: false, policy: .never),
        ])
        rules.handle(.started)
        #expect(rules.fail(1, ClientError(.connectionRefused)).isEmpty)
        #expect(rules.handle(.flushed) == ["send 1"])
        #expect(rules.fail(1, ClientError(code)) == ["end 2 dead", "end 4 dead"])
        #expect(rules.state.requests.keys.map(\.number).sorted() == [1, 3])
    }

    @Test("a read that takes too long ends nothing: what is tried once gets its turn")
    func slowRead() {
        var rules = Rules([
            Self.entry(1, isBarrier: false), Self.entry(2, policy: .never),
            Self.entry(3, isBarrier: false, policy: .never),
        ])
        rules.handle(.started)
        #expect(rules.fail(1, ClientError(.timedOut)).isEmpty)
        #expect(rules.handle(.flushed) == ["send 1"])
        #expect(rules.succeed(1) == ["end 1", "send 2"])
        #expect(rules.succeed(2) == ["end 2", "send 3"])
    }

    @Test("what the server keeps failing at lets other groups pass, holds its own, and ends after attempts and time")
    func poison() {
        let policy = RetryPolicy(
            firstDelay: .seconds(1), maximumDelay: .seconds(10),
            failureLimit: RetryPolicy.FailureLimit(attempts: 5, time: .seconds(45)))
        var rules = Rules(
            policy: policy,
            [
                Self.entry(1, group: "a"), Self.entry(2, group: "a"), Self.entry(3, group: "b"),
                Self.entry(4, group: "c"), Self.entry(5), Self.entry(6, group: "d"),
            ])
        #expect(rules.handle(.started) == ["send 1"])
        for _ in 0..<2 {
            #expect(rules.fail(1, refused(500)).isEmpty)
            #expect(rules.handle(.ticked, after: .seconds(10)) == ["send 1"])
        }
        #expect(rules.fail(1, refused(500)) == ["send 3"])
        #expect(rules.succeed(3) == ["end 3", "send 4"])
        // Beside what has passed it.
        #expect(rules.handle(.ticked, after: .seconds(10)) == ["send 1"])
        #expect(rules.fail(1, refused(500)).isEmpty)
        // What belongs to no group waits for all, and all behind wait for it.
        #expect(rules.succeed(4) == ["end 4"])
        // An append does not bring it forward.
        #expect(rules.handle(.appended([Self.entry(7, group: "e")])).isEmpty)
        #expect(rules.handle(.ticked, after: .seconds(10)) == ["send 1"])
        // Often enough, not for long enough.
        #expect(rules.fail(1, refused(500)).isEmpty)
        #expect(rules.handle(.ticked, after: .seconds(40)) == ["send 1"])
        #expect(rules.fail(1, refused(500)) == ["end 1 dead", "send 2"])
        #expect(rules.succeed(2) == ["end 2", "send 5"])
        #expect(RetryPolicy.standard.failureLimit == RetryPolicy.FailureLimit(attempts: 20, time: .seconds(3600)))
    }

    @Test("what the server keeps failing at is known also where appends bring each attempt forward")
    func earlyPoison() {
        var rules = Rules(policy: RetryPolicy(firstDelay: .seconds(60)), [Self.entry(1, group: "a")])
        #expect(rules.handle(.started) == ["send 1"])
        for id in [2, 3] as [UInt64] {
            #expect(rules.fail(1, refused(500)).isEmpty)
            #expect(rules.handle(.appended([Self.entry(id, group: "b")])) == ["send 1"])
        }
        #expect(rules.fail(1, refused(500)) == ["send 2"])
    }

    @Test("a 500 that is not the service's own says nothing of the request")
    func foreignFailures() {
        let policy = RetryPolicy(failureLimit: RetryPolicy.FailureLimit(attempts: 3, time: .zero))
        var rules = Rules(policy: policy, [Self.entry(1, group: "a"), Self.entry(2, group: "b")])
        #expect(rules.handle(.started) == ["send 1"])
        for _ in 0..<10 {
            #expect(rules.fail(1, refused(500, code: nil)).isEmpty)
            #expect(rules.handle(.ticked, after: .seconds(300)) == ["send 1"])
        }
        #expect(rules.succeed(1) == ["end 1", "send 2"])
    }

    @Test("what waits for the answer to a stuck request holds its own group, and lets others pass")
    func childrenOfPoison() {
        let (local, second) = (LocalIdentifier(), LocalIdentifier())
        var rules = Rules(
            policy: RetryPolicy(firstDelay: .seconds(1), maximumDelay: .seconds(1)),
            [
                Self.entry(1, group: "a", creates: local),
                Self.entry(2, group: "b", creates: second, references: [local]), Self.entry(3, group: "b"),
                Self.entry(4, group: "c", references: [second]), Self.entry(5, group: "d"),
                Self.entry(6, group: "c"),
            ])
        #expect(rules.handle(.started) == ["send 1"])
        for _ in 0..<2 {
            #expect(rules.fail(1, refused(500)).isEmpty)
            #expect(rules.handle(.ticked, after: .seconds(1)) == ["send 1"])
        }
        #expect(rules.fail(1, refused(500)) == ["send 5"])
        #expect(rules.succeed(5) == ["end 5"])
        #expect(rules.handle(.ticked, after: .seconds(1)) == ["send 1"])
        #expect(rules.succeed(1) == ["end 1", "send 2"])
        for id in 2...6 as ClosedRange<UInt64> where id != 5 { #expect(rules.succeed(id).first == "end \(id)") }
        #expect(rules.state.requests.isEmpty)
    }

    @Test("what dead letters refer to is not forgotten: they may be appended anew")
    func resolutionsOfDeadLetters() throws {
        var contents = JournalContents()
        let local = LocalIdentifier()
        contents.resolutions = [(local, "old")] + (0..<20_001).map { (LocalIdentifier(), "\($0)") }
        contents.requests = [
            JournalContents.Request(
                entry: Self.entry(1, references: [local]),
                ending: (.failure(ClientError(.timedOut)), isDead: true, isTold: true))
        ]
        var rules = Rules([], contents: contents)
        rules.state.trimResolutions()
        #expect(rules.state.resolutions.all.count == 10_001)
        try rules.state.check([Self.entry(2, references: [local])])
    }

    @Test("how often the server has failed outlives the process")
    func poisonAfterRestart() throws {
        let progress = JournalRecord.Progress(
            attempts: 4, answers: 4, mayHaveArrived: true, failures: 3, failingFor: .milliseconds(200_001),
            failedAt: 700_000)
        let content = try JournalRecord.progress(RequestID(number: 1), progress).content()
        let stored = try StoredRecord(kind: 10, content: content[...])
        guard case .other(.progress(_, let read)) = stored else {
            Issue.record("no progress")
            return
        }
        #expect(read == progress)
        var contents = JournalContents()
        contents.requests = [
            JournalContents.Request(entry: Self.entry(1, group: "a"), progress: read),
            JournalContents.Request(entry: Self.entry(2, group: "b")),
        ]
        let policy = RetryPolicy(failureLimit: RetryPolicy.FailureLimit(attempts: 4, time: .seconds(500)))
        var rules = Rules(policy: policy, [], contents: contents)
        #expect(rules.handle(.started) == ["send 1", "send 2"])
        #expect(rules.fail(1, refused(500)) == ["end 1 dead"])
    }

    @Test("several 401s at once ask for one token; late ones of an old token ask for no new one")
    func tokens() {
        var rules = Rules([1, 2, 3, 4].map { Self.entry($0, isBarrier: false) })
        #expect(rules.handle(.started).count == 4)
        #expect(rules.fail(1, refused(401)) == ["refresh"])
        #expect(rules.fail(2, refused(401)).isEmpty)
        #expect(rules.handle(.tokenRefreshed) == ["send 1", "send 2"])
        #expect(rules.fail(3, refused(401)) == ["send 3"])
        // The fresh one is refused too: the next is asked for after a wait.
        #expect(rules.fail(1, refused(401)).isEmpty)
        #expect(rules.handle(.ticked, after: .seconds(2)) == ["refresh"])
        #expect(rules.handle(.tokenRefreshFailed).isEmpty)
        #expect(rules.handle(.flushed) == ["refresh"])
        #expect(rules.handle(.resumed) == ["send 1"])
    }

    @Test("without a way to a fresh token a 401 of somebody else is tried again; the service's own waits for resume")
    func foreignTokens() {
        let policy = RetryPolicy(firstDelay: .seconds(1), maximumDelay: .seconds(1), maximumAttempts: 3)
        var rules = Rules(policy: policy, canRefreshToken: false, [Self.entry(1), Self.entry(2)])
        #expect(rules.handle(.started) == ["send 1"])
        #expect(rules.fail(1, refused(401)).isEmpty)
        #expect(rules.handle(.ticked, after: .seconds(3600)).isEmpty && rules.state.isUnauthorized)
        #expect(rules.handle(.resumed) == ["send 1"])
        for end in [[], [], ["end 1 dead"]] {
            #expect(rules.fail(1, refused(401, code: nil)).filter { $0 != "send 2" } == end)
            #expect(!rules.state.isUnauthorized)
            rules.handle(.ticked, after: .seconds(1))
        }
    }

    @Test("where fresh tokens can be had, somebody else's 401 asks for one, and counts as an attempt")
    func foreignTokensRefreshed() {
        let policy = RetryPolicy(firstDelay: .seconds(1), maximumDelay: .seconds(1), maximumAttempts: 3)
        var rules = Rules(policy: policy, [Self.entry(1)])
        #expect(rules.handle(.started) == ["send 1"])
        #expect(rules.fail(1, refused(401, code: nil)) == ["refresh"])
        #expect(rules.handle(.tokenRefreshed) == ["send 1"])
        #expect(rules.fail(1, refused(401, code: nil)).isEmpty)
        #expect(rules.handle(.ticked, after: .seconds(1)) == ["refresh"])
        #expect(rules.handle(.tokenRefreshed) == ["send 1"])
        #expect(rules.fail(1, refused(401, code: nil)) == ["end 1 dead"])
    }

    @Test("what was under way goes first after a crash, in its order")
    func inFlightFirst() {
        var contents = JournalContents()
        for id in 1...9 as ClosedRange<UInt64> {
            var request = JournalContents.Request(entry: Self.entry(id, isBarrier: false))
            if [4, 8].contains(id) { request.progress = .init(attempts: 1, isInFlight: true) }
            contents.requests.append(request)
        }
        var rules = Rules([], contents: contents)
        #expect(rules.handle(.started) == ["send 4", "send 8", "send 1", "send 2", "send 3"])
    }

    @Test("a scheduler of the app's decides when the next requests start")
    func scheduling() {
        struct Patient: QueueScheduler {
            mutating func decide(after event: SchedulingEvent) -> SchedulingDecision {
                switch event {
                case .enqueued, .succeeded: .after(.seconds(10))
                case .flushed: .now
                case .failed: .unchanged
                }
            }
        }
        var rules = Rules(scheduler: Patient(), [Self.entry(1), Self.entry(2)])
        #expect(rules.handle(.started) == ["send 1"])
        #expect(rules.succeed(1) == ["end 1"])
        #expect(rules.state.wakeAt == .seconds(10))
        #expect(rules.handle(.ticked, after: .seconds(10)) == ["send 2"])
    }

    @Test("one that is under way is not replaced by a newer one of its key; one that waits is")
    func uniquing() {
        func entry(_ id: UInt64) -> QueueEntry {
            QueueEntry(
                id: RequestID(number: id), appendedAt: 0, name: "Test", idempotencyKey: "k", uniquingKey: "energy")
        }
        var rules = Rules([entry(1)])
        rules.handle(.started)
        #expect(rules.handle(.appended([entry(2)])).isEmpty)
        #expect(rules.handle(.appended([entry(3)])) == ["end 2"])
        // It cannot have arrived, so the newer takes its place after all.
        #expect(rules.fail(1, ClientError(.noNetwork)).first == "end 1")
        #expect(rules.state.requests.keys.map(\.number) == [3])
    }
}
