import HTTPServer
import JulietAPI
import Testing

@testable import JulietServer

@Suite("Codes of challenges and leagues cannot be found by trying")
struct UnknownCodesTests {
    private let address = SocketAddress(192, 0, 2, 1, port: 80).ip

    @Test("after thirty unknown ones every code waits until the first of them is ten minutes old")
    func limit() {
        var counts = UnknownCodeCounts()
        for second in 100..<130 {
            #expect(counts.wait(address, now: .seconds(second)) == nil)
            counts.count(address, now: .seconds(second))
        }
        #expect(counts.wait(address, now: .seconds(130)) == .seconds(570))
        #expect(counts.wait(address, now: .milliseconds(699_999)) == .milliseconds(1))
        #expect(counts.wait(address, now: .seconds(700)) == nil, "one falls out")
        counts.count(address, now: .seconds(700))
        #expect(counts.wait(address, now: .milliseconds(700_500)) == .milliseconds(500))
    }

    @Test("memory is bounded: the address that has been quiet for the longest is forgotten first")
    func capacity() {
        var counts = UnknownCodeCounts(capacity: 20)
        for second in 0..<30 { counts.count(address, now: .seconds(second)) }
        for number in 1...19 { counts.count(.init(ipv6High: UInt64(number), low: 0), now: .seconds(30)) }
        #expect(counts.wait(address, now: .seconds(31)) != nil)
        counts.count(.init(ipv6High: 20, low: 0), now: .seconds(31))
        #expect(counts.wait(address, now: .seconds(31)) == nil)
    }

    @Test("addresses count for themselves: whole in IPv4, the /64 in IPv6")
    func addresses() async throws {
        let codes = UnknownCodes()
        let home: UInt64 = 0x2001_0DB8_0000_0001
        for number in 0..<30 {
            #expect(try await status(codes, .init(ipv6High: home, low: UInt64(number)), isKnown: false) == 404)
        }
        #expect(try await status(codes, .init(ipv6High: home, low: .max), isKnown: false) == 429)
        #expect(try await status(codes, .init(ipv6High: home + 1, low: 1), isKnown: false) == 404)
        #expect(try await status(codes, address, isKnown: false) == 404)
    }

    @Test("known ones never count; once thirty were unknown, they are refused too")
    func known() async throws {
        let codes = UnknownCodes()
        for _ in 0..<100 { #expect(try await status(codes, address, isKnown: true) == 200) }
        for _ in 0..<30 { #expect(try await status(codes, address, isKnown: false) == 404) }
        #expect(try await status(codes, address, isKnown: true) == 429)
    }

    @Test("what are tried at the same moment are answered as if one came after the other")
    func sameMoment() async throws {
        let codes = UnknownCodes()
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    try await status(codes, address, isKnown: false) { try await Task.sleep(for: .milliseconds(20)) }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count { $0 == 404 } == 30)
        #expect(statuses.count { $0 == 429 } == 170)
    }

    @Test("what fails counts as nothing")
    func failures() async throws {
        struct Failure: Error {}
        let codes = UnknownCodes()
        for _ in 0..<100 {
            await #expect(throws: Failure.self) {
                _ = try await status(codes, address, isKnown: false) { throw Failure() }
            }
        }
        #expect(try await status(codes, address, isKnown: true) == 200)
    }

    private func status(
        _ codes: UnknownCodes, _ address: SocketAddress.IP, isKnown: Bool, after: () async throws -> Void = {}
    ) async throws -> Int {
        let client = RequestLimits.Client(address: address, isExempt: false)
        let response = try await codes.answer(client) {
            try await after()
            return isKnown ? Response(status: .ok, headers: [:]) : nil
        }
        return response.status.code
    }
}
