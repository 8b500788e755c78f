import HTTPServer
import Testing

@Suite("Where a request comes from")
struct ForwardingTests {
    private static let proxy = SocketAddress(10, 0, 0, 1, port: 4711)

    private static func ip(_ text: String) throws -> SocketAddress.IP { try #require(SocketAddress.IP(text)) }

    private static func proxies(_ ranges: String...) throws -> TrustedProxies {
        TrustedProxies(try ranges.map { try #require(AddressRange($0)) })
    }

    private func origin(
        _ headers: Headers, from peer: SocketAddress = Self.proxy, trusting range: String = "10.0.0.0/8"
    ) throws -> TrustedProxies.Origin {
        try Self.proxies(range).origin(of: Request(method: .get, path: "/", headers: headers, remoteAddress: peer))
    }

    @Test("from the peer, whatever its headers say, unless the peer is a trusted proxy")
    func untrusted() throws {
        let headers: Headers = ["X-Forwarded-For": "198.51.100.1", "Forwarded": "for=198.51.100.1"]
        let stranger = SocketAddress(203, 0, 113, 9, port: 80)
        #expect(try origin(headers, from: stranger) == .known(stranger.ip))
        let request = Request(method: .get, path: "/", headers: headers, remoteAddress: Self.proxy)
        #expect(TrustedProxies().origin(of: request) == .known(Self.proxy.ip))
        #expect(try origin([:]) == .known(Self.proxy.ip), "the proxy itself asks")
    }

    @Test(
        "from the nearest hop that is not a trusted proxy: what a client made up before it does not count",
        arguments: [
            ("198.51.100.1", "198.51.100.1"),
            ("1.2.3.4, 198.51.100.1", "198.51.100.1"),
            ("1.2.3.4,198.51.100.1 ,\t10.0.0.7, 10.2.0.1", "198.51.100.1"),
            ("nonsense, 198.51.100.1", "198.51.100.1"),
            ("198.51.100.1:5060", "198.51.100.1"),
            ("2001:db8::1", "2001:db8::1"),
            ("[2001:db8::1]:443", "2001:db8::1"),
            ("[2001:db8::1]", "2001:db8::1"),
            ("::ffff:198.51.100.1", "198.51.100.1"),
            ("10.0.0.9, 10.0.0.7", "10.0.0.9"),
        ])
    func plain(value: String, client: String) throws {
        #expect(try origin(["X-Forwarded-For": value]) == .known(Self.ip(client)))
    }

    @Test("several lines of a header are one list")
    func lines() throws {
        let headers: Headers = ["X-Forwarded-For": "198.51.100.1", "X-Forwarded-For": "10.0.0.7"]
        #expect(try origin(headers) == .known(Self.ip("198.51.100.1")))
    }

    @Test(
        "RFC 7239 says the same in its own words",
        arguments: [
            ("for=198.51.100.1", "198.51.100.1"),
            ("For=\"198.51.100.1:80\";proto=https;by=10.0.0.1", "198.51.100.1"),
            ("for=1.2.3.4, proto=http; for=\"[2001:db8::1]:4711\"", "2001:db8::1"),
            ("for=unknown, for=198.51.100.1,for=10.0.0.7", "198.51.100.1"),
            ("for=1.2.3.4;by=\"a, for=6.6.6.6\", , for=198.51.100.1", "198.51.100.1"),
            ("for=1.2.3.4;by=\"\\\", for=6.6.6.6\", for=198.51.100.1;host=\"a;b\"", "198.51.100.1"),
        ])
    func standard(value: String, client: String) throws {
        #expect(try origin(["Forwarded": value]) == .known(Self.ip(client)))
    }

    @Test(
        "what cannot be read is from behind the last proxy that can",
        arguments: [
            (["X-Forwarded-For": "nonsense"], "10.0.0.1"),
            (["X-Forwarded-For": ""], "10.0.0.1"),
            (["X-Forwarded-For": "198.51.100.1, "], "10.0.0.1"),
            (["X-Forwarded-For": "198.51.100.1, localhost, 10.0.0.7"], "10.0.0.7"),
            (["X-Forwarded-For": "[198.51.100.1"], "10.0.0.1"),
            (["X-Forwarded-For": "[2001:db8::1]x"], "10.0.0.1"),
            (["X-Forwarded-For": "198.51.100.1/8"], "10.0.0.1"),
            (["Forwarded": "for=unknown"], "10.0.0.1"),
            (["Forwarded": "for=\"_hidden\""], "10.0.0.1"),
            (["Forwarded": "proto=https"], "10.0.0.1"),
            (["Forwarded": "for=198.51.100.1;for=198.51.100.2"], "10.0.0.1"),
            (["Forwarded": "for=198.51.100.1, for=\"10.0.0.7"], "10.0.0.1"),
            (["X-Forwarded-For": "198.51.100.1", "Forwarded": "for=198.51.100.2"], "10.0.0.1"),
        ] as [(Headers, String)])
    func unreadable(headers: Headers, proxy: String) throws {
        #expect(try origin(headers) == .behind(Self.ip(proxy)))
    }

    @Test("both headers may say the same")
    func both() throws {
        let headers: Headers = ["X-Forwarded-For": "1.2.3.4, 198.51.100.1", "Forwarded": "for=198.51.100.1"]
        #expect(try origin(headers) == .known(Self.ip("198.51.100.1")))
    }

    @Test("a peer of IPv4 on a socket of IPv6 is the proxy that it is")
    func mapped() throws {
        let request = Request(
            method: .get, path: "/", headers: ["X-Forwarded-For": "198.51.100.1"], remoteAddress: Self.proxy)
        #expect(try Self.proxies("::ffff:10.0.0.1").origin(of: request) == .known(Self.ip("198.51.100.1")))
    }

    @Test("a range holds the addresses that begin like it")
    func ranges() throws {
        func contains(_ range: String, _ address: String) throws -> Bool {
            try #require(AddressRange(range)).contains(Self.ip(address))
        }
        for (range, inside, outside) in [
            ("192.0.2.0/24", ["192.0.2.0", "192.0.2.255"], ["192.0.3.0", "192.0.1.255", "::c000:201"]),
            ("192.0.2.7", ["192.0.2.7", "::ffff:192.0.2.7"], ["192.0.2.6", "192.0.2.8"]),
            ("128.0.0.0/1", ["128.0.0.0", "255.255.255.255"], ["127.255.255.255"]),
            ("0.0.0.0/0", ["0.0.0.0", "255.255.255.255"], ["::", "::1"]),
            (
                "2001:db8::/32", ["2001:db8::", "2001:db8:ffff::1"],
                ["2001:db9::", "32.1.13.184"]
            ),
            ("2001:db8::/64", ["2001:db8::ffff:ffff:ffff:ffff"], ["2001:db8:0:1::"]),
            ("2001:db8::8000:0:0:0/65", ["2001:db8::ffff:0:0:1"], ["2001:db8::7fff:0:0:1"]),
            ("::1", ["::1"], ["::2", "::"]),
            ("::/0", ["::", "ffff::"], ["10.0.0.1"]),
        ] {
            for address in inside { #expect(try contains(range, address), "\(range) \(address)") }
            for address in outside { #expect(try !contains(range, address), "\(range) \(address)") }
        }
    }

    @Test(
        "what is not a range is refused",
        arguments: [
            "", "/", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.1/8", "10.0.0/8", "::/129", "::1/64",
            "localhost",
            "10.0.0.0/8/8", "10.0.0.0 /8", "fe80::1%eth0",
        ])
    func noRange(text: String) {
        #expect(AddressRange(text) == nil)
    }
}
