import EventLoop
import TestSupport
import Testing

@testable import Postgres

@Suite("Notifications", .timeLimit(.minutes(2)))
struct NotificationTests {
    private static let listeners = "FROM pg_stat_activity WHERE application_name = 'listener'"

    private func notifications(
        _ fixture: Fixture, _ channels: [String] = ["prices"], port: Int? = nil,
        _ configure: (inout PostgresConfiguration) -> Void = { _ in }
    ) -> PostgresNotifications {
        var configuration = fixture.configuration(tcp: port != nil)
        configuration.applicationName = "listener"
        if let port { configuration.parameters["port"] = "\(port)" }
        configure(&configuration)
        return PostgresNotifications(configuration: configuration, loop: fixture.loop, channels: channels)
    }

    private func listenerCount(_ fixture: Fixture) async throws -> String {
        try await fixture.psql("SELECT count(*) \(Self.listeners) AND datname = current_database()")
    }

    private func payload(_ event: PostgresNotificationEvent?) -> String? {
        if case .notification(let notification) = event { notification.payload } else { nil }
    }

    @Test("come in order, from several channels, with any text")
    func delivery() async throws {
        try await Fixture.run { fixture in
            let odd = #"Pri"ces; ünï"#
            let text = #"it's "quoted" \ 😀"#
            var iterator = notifications(fixture, ["prices", odd]).makeAsyncIterator()
            #expect(try await iterator.next() == .mayHaveMissed(.connected))
            try await fixture.withConnection { sender in
                let pid = sender.backendPID
                try await sender.run("SELECT pg_notify($1, $2)", [odd, text])
                try await sender.executeScript("NOTIFY prices; NOTIFY \"Prices\"; NOTIFY orders; NOTIFY prices, '2'")
                #expect(
                    try await iterator.next()
                        == .notification(PostgresNotification(channel: odd, payload: text, processID: pid)))
                #expect(
                    try await iterator.next()
                        == .notification(PostgresNotification(channel: "prices", payload: "", processID: pid)))
                #expect(payload(try await iterator.next()) == "2")
                for number in 0..<100 { try await sender.run("SELECT pg_notify('prices', $1)", ["\(number)"]) }
                for number in 0..<100 { #expect(payload(try await iterator.next()) == "\(number)") }
                let longest = String(repeating: "x", count: 7999)
                try await sender.run("SELECT pg_notify('prices', $1)", [longest])
                #expect(payload(try await iterator.next()) == longest)
            }
        }
    }

    @Test("come to who waits, and keep coming while the server is asked whether it is there")
    func probes() async throws {
        try await Fixture.run { fixture in
            var notifications = notifications(fixture)
            notifications.probeInterval = .milliseconds(20)
            let sequence = notifications
            let (events, continuation) = AsyncStream.makeStream(of: PostgresNotificationEvent.self)
            let task = Task {
                defer { continuation.finish() }
                for try await event in sequence {
                    continuation.yield(event)
                    if case .notification = event { break }
                }
            }
            var iterator = events.makeAsyncIterator()
            #expect(await iterator.next() == .mayHaveMissed(.connected))
            try await fixture.until(.seconds(10)) {
                // The last thing asked of it was nothing.
                let sql = "SELECT count(*) \(Self.listeners) AND datname = current_database() AND query = ''"
                return try await fixture.psql(sql) == "1"
            }
            try await fixture.psql("NOTIFY prices, '1'")
            #expect(payload(await iterator.next()) == "1")
            try await task.value
            // Whoever leaves the loop has closed the session.
            try await fixture.until(.seconds(10)) { try await listenerCount(fixture) == "0" }
        }
    }

    @Test("a session that was terminated is replaced, and what came meanwhile may have been missed")
    func termination() async throws {
        try await Fixture.run { fixture in
            let failures = Locked<[PostgresError]>([])
            var notifications = notifications(fixture)
            notifications.onFailure = { error in failures.withLock { $0.append(error) } }
            var iterator = notifications.makeAsyncIterator()
            #expect(try await iterator.next() == .mayHaveMissed(.connected))
            for round in 1...3 {
                try await fixture.psql(
                    "SELECT pg_terminate_backend(pid, 5000) \(Self.listeners) AND datname = current_database()")
                #expect(try await iterator.next() == .mayHaveMissed(.reconnected))
                try await fixture.psql("NOTIFY prices, '\(round)'")
                #expect(payload(try await iterator.next()) == "\(round)")
                #expect(failures.withLock { $0.count } == round)
            }
            #expect(try await listenerCount(fixture) == "1")
        }
    }

    @Test("a server that was restarted is found again")
    func restart() async throws {
        let cluster = try await PostgresCluster.start()
        defer { cluster.remove() }
        try await Fixture.run(cluster: cluster) { fixture in
            let failures = Locked(0)
            var notifications = notifications(fixture)
            notifications.onFailure = { _ in failures.withLock { $0 += 1 } }
            let sequence = notifications
            let (events, continuation) = AsyncStream.makeStream(of: PostgresNotificationEvent.self)
            let task = Task {
                defer { continuation.finish() }
                for try await event in sequence { continuation.yield(event) }
            }
            var iterator = events.makeAsyncIterator()
            #expect(await iterator.next() == .mayHaveMissed(.connected))
            try await cluster.stop()
            // The loss, and at least one attempt that failed.
            try await fixture.until(.seconds(10)) { failures.withLock { $0 } >= 2 }
            try await cluster.start()
            #expect(await iterator.next() == .mayHaveMissed(.reconnected))
            try await fixture.psql("NOTIFY prices, '1'")
            #expect(payload(await iterator.next()) == "1")
            task.cancel()
            try await task.value
        }
    }

    @Test("a connection that has died silently is noticed")
    func silence() async throws {
        try await Fixture.run { fixture in
            let proxy = try Proxy(to: fixture.cluster.port)
            defer { proxy.close() }
            var notifications = notifications(fixture, port: proxy.port) {
                $0.cancellationTimeout = .milliseconds(100)
                $0.connectTimeout = .milliseconds(200)
            }
            let failures = Locked<[PostgresError.Code]>([])
            notifications.probeInterval = .milliseconds(50)
            notifications.probeTimeout = .milliseconds(100)
            notifications.onFailure = { error in failures.withLock { $0.append(error.code) } }
            let sequence = notifications
            let (events, continuation) = AsyncStream.makeStream(of: PostgresNotificationEvent.self)
            let task = Task {
                defer { continuation.finish() }
                for try await event in sequence { continuation.yield(event) }
            }
            var iterator = events.makeAsyncIterator()
            #expect(await iterator.next() == .mayHaveMissed(.connected))
            // A busy machine may have been too slow for the first attempts.
            failures.withLock { $0 = [] }
            proxy.silence()
            try await fixture.until(.seconds(10)) { failures.withLock { $0.contains(.connectionFailed) } }
            proxy.resume()
            #expect(await iterator.next() == .mayHaveMissed(.reconnected))
            // A busy machine may be too slow for the probe: then it is another session that hears.
            var heard: String?
            while heard == nil, failures.withLock({ $0.count }) < 100 {
                try await fixture.psql("NOTIFY prices, '1'")
                heard = payload(await iterator.next())
            }
            #expect(heard == "1")
            task.cancel()
            try await task.value
        }
    }

    @Test("cancelling the task ends the sequence and its session, connected or not")
    func cancellation() async throws {
        try await Fixture.run { fixture in
            let sequence = notifications(fixture)
            let (events, continuation) = AsyncStream.makeStream(of: PostgresNotificationEvent.self)
            let task = Task {
                defer { continuation.finish() }
                for try await event in sequence { continuation.yield(event) }
            }
            var iterator = events.makeAsyncIterator()
            #expect(await iterator.next() == .mayHaveMissed(.connected))
            #expect(try await listenerCount(fixture) == "1")
            task.cancel()
            try await task.value
            try await fixture.until(.seconds(10)) { try await listenerCount(fixture) == "0" }

            let attempts = Locked(0)
            var nowhere = notifications(fixture) { $0.parameters["host"] = "/nowhere" }
            nowhere.onFailure = { _ in attempts.withLock { $0 += 1 } }
            let unreachable = nowhere
            let waiting = Task { for try await _ in unreachable {} }
            try await fixture.until(.seconds(10)) { attempts.withLock { $0 } >= 2 }
            waiting.cancel()
            try await waiting.value

            let early = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                var iterator = sequence.makeAsyncIterator()
                return try await iterator.next()
            }
            #expect(try await early.value == nil)
        }
    }

    @Test("one who is slow loses the oldest ones and is told how many")
    func slowConsumer() async throws {
        try await Fixture.run { fixture in
            var notifications = notifications(fixture)
            notifications.bufferLimit = 10
            var iterator = notifications.makeAsyncIterator()
            #expect(try await iterator.next() == .mayHaveMissed(.connected))
            // They come in one piece.
            try await fixture.psql("SELECT count(pg_notify('prices', i::text)) FROM generate_series(1, 100) AS i")
            #expect(try await iterator.next() == .mayHaveMissed(.overflow(dropped: 90)))
            for number in 91...100 { #expect(payload(try await iterator.next()) == "\(number)") }
            try await fixture.psql("NOTIFY prices, '101'")
            #expect(payload(try await iterator.next()) == "101")
        }
    }

    @Test("a client has them too, before it runs")
    func client() async throws {
        try await Fixture.run { fixture in
            let client = PostgresClient(configuration: fixture.configuration(), loops: [fixture.loop])
            var iterator = client.notifications(on: "prices").makeAsyncIterator()
            #expect(try await iterator.next() == .mayHaveMissed(.connected))
            try await fixture.psql("NOTIFY prices, '1'")
            #expect(payload(try await iterator.next()) == "1")
        }
    }

    @Test("what cannot be listened to is refused, once")
    func misuse() async throws {
        try await Fixture.run { fixture in
            for channels in [[], [""], ["a", "b\0"], [String(repeating: "ü", count: 32)]] {
                try await expectRefusal(notifications(fixture, channels), .misuse)
            }
            try await expectRefusal(notifications(fixture) { $0.route = .transactionPooler }, .misuse)
            try await expectRefusal(notifications(fixture) { $0.connectionString = "nonsense" }, .configuration)
            var longest = notifications(fixture, [String(repeating: "x", count: 63)]).makeAsyncIterator()
            let first = try await longest.next()
            #expect(first == .mayHaveMissed(.connected))
        }
    }

    private func expectRefusal(_ notifications: PostgresNotifications, _ code: PostgresError.Code) async throws {
        var iterator = notifications.makeAsyncIterator()
        do throws(PostgresError) {
            let event = try await iterator.next()
            Issue.record("got \(String(describing: event))")
        } catch {
            #expect(error.code == code)
        }
        let next = try await iterator.next()
        #expect(next == nil)
    }

    @Test("TCP keep-alives are set where nobody has said anything about them")
    func keepAlives() {
        var configuration = PostgresConfiguration(connectionString: "host=a")
        configuration.parameters["keepalives_idle"] = "7"
        let own = PostgresNotifications.keepingAlive(configuration).parameters
        #expect(own == ["keepalives_idle": "7", "keepalives_interval": "10", "keepalives_count": "3"])
        configuration = PostgresConfiguration(connectionString: "postgres://a/b?keepalives=0")
        #expect(PostgresNotifications.keepingAlive(configuration).parameters.isEmpty)
    }

    @Test("the buffer keeps the newest and says once what is missing")
    func buffer() {
        var buffer = NotificationBuffer(limit: 3)
        func notification(_ number: Int) -> PostgresNotification {
            PostgresNotification(channel: "c", payload: "\(number)")
        }
        #expect(buffer.next() == nil)
        buffer.mayHaveMissed(.connected)
        for number in 1...4 { buffer.append(notification(number)) }
        #expect(buffer.next() == .mayHaveMissed(.connected))
        #expect(buffer.next() == .notification(notification(2)))
        for number in 5...6 { buffer.append(notification(number)) }
        #expect(buffer.next() == .mayHaveMissed(.overflow(dropped: 1)))
        for number in 4...6 { #expect(buffer.next() == .notification(notification(number))) }
        #expect(buffer.next() == nil)
        for number in 0..<10_000 {
            buffer.append(notification(number))
            #expect(buffer.next() == .notification(notification(number)))
        }
        for number in 0..<10_000 { buffer.append(notification(number)) }
        #expect(buffer.next() == .mayHaveMissed(.overflow(dropped: 9997)))
        for number in 9997..<10_000 { #expect(buffer.next() == .notification(notification(number))) }
        #expect(buffer.next() == nil)
    }
}
