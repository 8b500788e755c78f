import HTTPServer
import JulietAPI
import Testing

@testable import JulietServer

@Suite("Limits of requests")
struct RequestLimitsTests {
    private let stranger = SocketAddress(203, 0, 113, 9, port: 80)

    private func limits(_ change: (inout LimitSettings) -> Void = { _ in }) -> RequestLimits {
        var settings = LimitSettings()
        settings.requestsPerAddress = 3
        settings.registrationsPerAddress = 2
        settings.requestsPerPlayer = 4
        change(&settings)
        return RequestLimits(settings)
    }

    private func client(
        _ limits: RequestLimits, from peer: SocketAddress, _ headers: Headers = [:]
    ) -> RequestLimits.Client {
        limits.client(of: Request(method: .get, path: "/", headers: headers, remoteAddress: peer))
    }

    private func address(_ text: String) throws -> RequestLimits.Client {
        .init(address: try #require(SocketAddress.IP(text)), isExempt: false)
    }

    @Test("an address may ask so often at once, and is then told how long to wait")
    func requests() {
        let limits = limits()
        let client = client(limits, from: stranger)
        for _ in 0..<3 { #expect(limits.secondsToWait(client) == nil) }
        #expect(limits.secondsToWait(client) == 20)
    }

    @Test("registrations count for the address, of both contracts together; other requests for the player")
    func registrations() throws {
        let limits = limits()
        let client = try address("203.0.113.9")
        #expect(limits.secondsToWait(registering: client) == nil)
        #expect(limits.secondsToWait(client, for: .initialRegistration(vendorID: "a")) == nil)
        let wait = try #require(limits.secondsToWait(client, for: .initialRegistration(vendorID: "b")))
        #expect((1790...1800).contains(wait))
        #expect(limits.secondsToWait(registering: try address("203.0.113.10")) == nil)
        for player in ["a", "b"] {
            for _ in 0..<4 { #expect(limits.secondsToWait(client, for: .fetchUserWins(userID: player)) == nil) }
            #expect(limits.secondsToWait(client, for: .fetchUserWins(userID: player)) == 15)
        }
        #expect(limits.secondsToWait(try address("203.0.113.10"), for: .fetchUserWins(userID: "a")) == 15, "anywhere")
    }

    @Test("addresses of IPv6 count by their /64, and those of IPv4 are the same however they are written")
    func networks() throws {
        let limits = limits()
        for number in 1...3 { #expect(limits.secondsToWait(try address("2001:db8::\(number)")) == nil) }
        #expect(limits.secondsToWait(try address("2001:db8::ffff:0:0:1")) != nil)
        #expect(limits.secondsToWait(try address("2001:db8:0:1::1")) == nil)
        for _ in 1...3 { #expect(limits.secondsToWait(try address("192.0.2.1")) == nil) }
        #expect(limits.secondsToWait(try address("::ffff:192.0.2.1")) != nil)
    }

    @Test("0 means no limit, and exempt clients have none")
    func unlimited() throws {
        let none = limits {
            $0.requestsPerAddress = 0
            $0.registrationsPerAddress = 0
            $0.requestsPerPlayer = 0
        }
        let some = limits()
        let clients = [
            (none, try address("203.0.113.9")), (some, client(some, from: SocketAddress(127, 0, 0, 1, port: 80))),
            (some, client(some, from: SocketAddress(192, 168, 1, 1, port: 80))),
        ]
        for (limits, client) in clients {
            for _ in 0..<100 {
                #expect(limits.secondsToWait(client) == nil)
                #expect(limits.secondsToWait(client, for: .initialRegistration(vendorID: "a")) == nil)
                #expect(limits.secondsToWait(client, as: "a") == nil)
            }
        }
    }

    @Test("behind a trusted proxy the client counts, and a client that the proxy hides is limited too")
    func proxies() throws {
        let proxy = SocketAddress(10, 0, 0, 1, port: 80)
        let limits = limits { $0.trustedProxies = [AddressRange("10.0.0.0/8")].compactMap(\.self) }
        let forged = client(limits, from: proxy, ["X-Forwarded-For": "10.0.0.2, 203.0.113.9"])
        #expect(forged.address == stranger.ip)
        #expect(!forged.isExempt)
        let hidden = client(limits, from: proxy, ["Forwarded": "for=_hidden"])
        #expect(!hidden.isExempt)
        for _ in 0..<3 { #expect(limits.secondsToWait(hidden) == nil) }
        #expect(limits.secondsToWait(hidden) != nil)
        #expect(client(limits, from: proxy).isExempt, "the proxy asks for itself")
        #expect(client(limits, from: stranger, ["X-Forwarded-For": "127.0.0.1"]).address == stranger.ip)
    }

    @Test("private networks and lists of addresses are read as settings write them")
    func lists() throws {
        let list = try #require(AddressRange.list(["192.0.2.0/24", "private", "::5"]))
        for text in [
            "192.0.2.9", "127.0.0.1", "::1", "10.9.9.9", "172.31.0.1", "192.168.0.1", "fd00::1", "fe80::1", "::5",
        ] {
            let ip = try #require(SocketAddress.IP(text))
            #expect(list.contains { $0.contains(ip) }, "\(text)")
        }
        for text in ["192.0.3.1", "172.32.0.1", "11.0.0.1", "::6", "2001:db8::1"] {
            let ip = try #require(SocketAddress.IP(text))
            #expect(!list.contains { $0.contains(ip) }, "\(text)")
        }
        #expect(AddressRange.list([])?.isEmpty == true)
        #expect(AddressRange.list(["localhost"]) == nil)
    }
}
