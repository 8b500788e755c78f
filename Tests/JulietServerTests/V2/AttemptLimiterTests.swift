import HTTPServer
import Testing

@testable import JulietServer

@Suite("Recovery codes cannot be guessed")
struct AttemptLimiterTests {
    private let address = SocketAddress(192, 0, 2, 1, port: 80).ip

    /// Gives wrong codes, one a second from a moment on, and tells which were looked at.
    private func wrong(
        _ count: Int, from address: SocketAddress.IP, at start: Int, _ limiter: inout AttemptLimiter
    ) -> [Bool] {
        (0..<count).map { number in
            if case .admitted = limiter.begin(from: address, now: .seconds(start + number)) { true } else { false }
        }
    }

    @Test("after ten wrong ones the eleventh waits until the first is ten minutes old")
    func limit() {
        var limiter = AttemptLimiter()
        #expect(wrong(10, from: address, at: 100, &limiter) == Array(repeating: true, count: 10))
        #expect(limiter.begin(from: address, now: .seconds(110)) == .refused(wait: .seconds(590)))
        #expect(limiter.begin(from: address, now: .milliseconds(699_999)) == .refused(wait: .milliseconds(1)))
        #expect(wrong(2, from: address, at: 700, &limiter) == [true, true], "one a second falls out")
        #expect(limiter.begin(from: address, now: .milliseconds(701_500)) == .refused(wait: .milliseconds(500)))
    }

    @Test("what is refused does not count")
    func refusedDoNotCount() {
        var limiter = AttemptLimiter()
        _ = wrong(200, from: address, at: 0, &limiter)
        #expect(wrong(11, from: address, at: 609, &limiter) == Array(repeating: true, count: 10) + [false])
    }

    @Test("right ones do not count, and stay possible up to the limit")
    func rightDoNotCount() throws {
        var limiter = AttemptLimiter()
        _ = wrong(9, from: address, at: 0, &limiter)
        for second in 10..<100 {
            guard case .admitted(let attempt) = limiter.begin(from: address, now: .seconds(second)) else {
                Issue.record("refused at \(second) s")
                return
            }
            limiter.takeBack(attempt)
        }
        #expect(wrong(2, from: address, at: 100, &limiter) == [true, false])
    }

    @Test("at the same moment no more than ten are looked at")
    func sameMoment() {
        var limiter = AttemptLimiter()
        let verdicts = (0..<50).map { _ in limiter.begin(from: address, now: .zero) }
        #expect(verdicts.count { $0 == .refused(wait: AttemptLimiter.window) } == 40)
        guard case .admitted(let attempt) = verdicts[0] else { return }
        limiter.takeBack(attempt)
        #expect(limiter.begin(from: address, now: .zero) == .admitted(attempt), "one of them was right")
        #expect(limiter.begin(from: address, now: .zero) == .refused(wait: AttemptLimiter.window))
    }

    @Test("addresses count for themselves: whole in IPv4, the /64 in IPv6, and a mapped one is IPv4")
    func addresses() {
        var limiter = AttemptLimiter()
        _ = wrong(10, from: address, at: 0, &limiter)
        #expect(wrong(1, from: SocketAddress(192, 0, 2, 2, port: 80).ip, at: 20, &limiter) == [true])
        #expect(wrong(1, from: .init(ipv6High: 0, low: 0xFFFF_C000_0201), at: 20, &limiter) == [false])

        let home: UInt64 = 0x2001_0DB8_0000_0001
        for number in 1...10 {
            #expect(wrong(1, from: .init(ipv6High: home, low: UInt64(number)), at: 30, &limiter) == [true])
        }
        #expect(wrong(1, from: .init(ipv6High: home, low: .max), at: 30, &limiter) == [false])
        #expect(wrong(1, from: .init(ipv6High: home + 1, low: 1), at: 30, &limiter) == [true])
    }

    @Test("memory is bounded: the oldest attempts are forgotten first")
    func capacity() {
        var limiter = AttemptLimiter(capacity: 20)
        func elsewhere(_ number: UInt64) { _ = limiter.begin(from: .init(ipv6High: number, low: 1), now: .seconds(10)) }
        _ = wrong(10, from: address, at: 0, &limiter)
        for number in 1...10 { elsewhere(UInt64(number)) }
        #expect(limiter.begin(from: address, now: .seconds(11)) == .refused(wait: .seconds(589)))
        elsewhere(11)
        #expect(wrong(1, from: address, at: 11, &limiter) == [true])
    }
}
