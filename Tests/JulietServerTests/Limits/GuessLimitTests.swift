import EventLoop
import HTTPServer
import JulietAPI
import Testing

@testable import JulietServer

@Suite("Secrets cannot be found by trying")
struct GuessLimitTests {
    private let address = SocketAddress(192, 0, 2, 1, port: 80).ip

    // MARK: Looking up

    @Test("addresses count for themselves: whole in IPv4, the /64 in IPv6, and a mapped one is IPv4")
    func addresses() async throws {
        let limit = GuessLimit(30)
        let home: UInt64 = 0x2001_0DB8_0000_0001
        for number in 0..<30 {
            #expect(try await look(limit, .init(ipv6High: home, low: UInt64(number)), isKnown: false) == 404)
        }
        #expect(try await look(limit, .init(ipv6High: home, low: .max), isKnown: false) == 429)
        #expect(try await look(limit, .init(ipv6High: home + 1, low: 1), isKnown: false) == 404)
        for _ in 0..<30 { #expect(try await look(limit, address, isKnown: false) == 404) }
        #expect(try await look(limit, .init(ipv6High: 0, low: 0xFFFF_C000_0201), isKnown: false) == 429)
        #expect(try await look(limit, SocketAddress(192, 0, 2, 2, port: 80).ip, isKnown: false) == 404)
    }

    @Test("known ones never count; once thirty were unknown, they are refused too")
    func known() async throws {
        let limit = GuessLimit(30)
        for _ in 0..<100 { #expect(try await look(limit, address, isKnown: true) == 200) }
        for _ in 0..<30 { #expect(try await look(limit, address, isKnown: false) == 404) }
        #expect(try await look(limit, address, isKnown: true) == 429)
    }

    @Test("what are tried at the same moment are answered as if one came after the other")
    func sameMoment() async throws {
        let limit = GuessLimit(30)
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    try await look(limit, address, isKnown: false) { try await Task.sleep(for: .milliseconds(20)) }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count { $0 == 404 } == 30)
        #expect(statuses.count { $0 == 429 } == 170)
    }

    @Test("known ones at the same moment are all answered")
    func knownTogether() async throws {
        let limit = GuessLimit(30)
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    try await look(limit, address, isKnown: true) { try await Task.sleep(for: .milliseconds(20)) }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.allSatisfy { $0 == 200 })
    }

    @Test("what fails counts as nothing")
    func failures() async throws {
        struct Failure: Error {}
        let limit = GuessLimit(30)
        for _ in 0..<100 {
            await #expect(throws: Failure.self) {
                _ = try await look(limit, address, isKnown: false) { throw Failure() }
            }
            await #expect(throws: Failure.self) {
                _ = try await limit.attempt(from: address) { throw Failure() }
            }
        }
        #expect(try await look(limit, address, isKnown: true) == 200)
        #expect(try await attempt(limit, isWrong: false) == 200)
    }

    // MARK: Using up

    @Test("of what is used up, ten may be wrong; then it is not looked at, and the answer says how long to wait")
    func attempts() async throws {
        let limit = GuessLimit(10)
        for _ in 0..<9 { #expect(try await attempt(limit, isWrong: true) == 401) }
        for _ in 0..<50 { #expect(try await attempt(limit, isWrong: false) == 200, "right ones do not count") }
        #expect(try await attempt(limit, isWrong: true) == 401)
        let looks = Locked(0)
        let refused = try await limit.attempt(from: address) {
            looks.withLock { $0 += 1 }
            return (Response(status: .ok, headers: [:]), isWrong: false)
        }
        #expect(refused.status == 429 && looks.withLock { $0 } == 0)
        #expect((590...600).contains(refused.headers["Retry-After"].flatMap { Int($0) } ?? 0))
    }

    @Test("of 50 attempts at the same moment ten are looked at")
    func attemptsTogether() async throws {
        let limit = GuessLimit(10)
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    try await attempt(limit, isWrong: true) { try await Task.sleep(for: .milliseconds(20)) }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count { $0 == 401 } == 10)
        #expect(statuses.count { $0 == 429 } == 40)
    }

    @Test(
        "of fifty right ones at the same moment ten are looked at; the others wait a second, and none counts after it",
        .timeLimit(.minutes(1)))
    func rightTogether() async throws {
        let limit = GuessLimit(10)
        let refusals = Locked<[String]>([])
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    let response = try await limit.attempt(from: address) {
                        // The ten end when the others are refused.
                        while refusals.withLock({ $0.count }) < 40 { try await Task.sleep(for: .milliseconds(1)) }
                        return (Response(status: .ok, headers: [:]), isWrong: false)
                    }
                    if let wait = response.headers["Retry-After"] { refusals.withLock { $0.append(wait) } }
                    return response.status.code
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count { $0 == 200 } == 10)
        #expect(refusals.withLock { $0 } == Array(repeating: "1", count: 40))
        for _ in 0..<10 { #expect(try await attempt(limit, isWrong: true) == 401) }
        #expect(try await attempt(limit, isWrong: false) == 429)
    }

    @Test("a right one that is under way while wrong ones are ten minutes old takes none of the later wrong ones back")
    func edge() async throws {
        let time = Locked(Duration.seconds(5))
        let limit = GuessLimit(10) { time.withLock { $0 } }
        for _ in 0..<9 { #expect(try await attempt(limit, isWrong: true) == 401) }
        let status = try await attempt(limit, isWrong: false) { () async throws in
            #expect(try await attempt(limit, isWrong: true) == 429, "nine, and one under way")
            time.withLock { $0 = .seconds(605) }
            for _ in 0..<9 { #expect(try await attempt(limit, isWrong: true) == 401) }
            #expect(try await attempt(limit, isWrong: true) == 429)
        }
        #expect(status == 200)
        #expect(try await attempt(limit, isWrong: true) == 401, "the tenth since the nine")
        #expect(try await attempt(limit, isWrong: true) == 429)
    }

    @Test("in any ten minutes ten may be wrong, also around the moment when the first is ten minutes old")
    func window() async throws {
        let time = Locked(Duration.seconds(5))
        let limit = GuessLimit(10) { time.withLock { $0 } }
        #expect(try await attempt(limit, isWrong: true) == 401)
        time.withLock { $0 = .milliseconds(604_999) }
        for _ in 0..<9 { #expect(try await attempt(limit, isWrong: true) == 401) }
        for (seconds, tried) in [(605, 0), (686, 1), (1204, 0)] {
            time.withLock { $0 = .seconds(seconds) }
            let statuses = [try await attempt(limit, isWrong: true), try await attempt(limit, isWrong: true)]
            #expect(statuses.count { $0 == 401 } == tried, "the first comes back, and the nine do not")
        }
        time.withLock { $0 = .seconds(1804) }
        for _ in 0..<10 { #expect(try await attempt(limit, isWrong: true) == 401) }
        #expect(try await attempt(limit, isWrong: true) == 429)
    }

    private func look(
        _ limit: GuessLimit, _ address: SocketAddress.IP, isKnown: Bool, after: () async throws -> Void = {}
    ) async throws -> Int {
        let client = RequestLimits.Client(address: address, isExempt: false)
        let response = try await limit.answer(client) {
            try await after()
            return isKnown ? Response(status: .ok, headers: [:]) : nil
        }
        return response.status.code
    }

    private func attempt(
        _ limit: GuessLimit, isWrong: Bool, after: () async throws -> Void = {}
    ) async throws -> Int {
        let response = try await limit.attempt(from: address) {
            try await after()
            return (Response(status: isWrong ? 401 : 200, headers: [:]), isWrong: isWrong)
        }
        return response.status.code
    }
}
