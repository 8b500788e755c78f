/// The proxies whose reports of a request's origin are trusted.
package struct TrustedProxies: Sendable {
    /// Where a request comes from.
    package enum Origin: Sendable, Hashable {
        /// From this address: the peer's, or what the proxies say.
        case known(SocketAddress.IP)
        /// From behind this proxy, which reports nothing readable, or two different addresses.
        case behind(SocketAddress.IP)
    }

    private let ranges: [AddressRange]

    /// Trusts these; none: the peer is the client, whatever it reports.
    package init(_ ranges: [AddressRange] = []) { self.ranges = ranges }

    /// Where a request comes from: the peer, or, if the peer is trusted, the nearest hop that is not trusted.
    ///
    /// Only hops that trusted proxies have added count, so nobody can pretend to be another. A proxy that sets one of
    /// the two headers may pass on the other, forged by a client: if they differ, neither is trusted.
    package func origin(of request: Request) -> Origin {
        let peer = request.remoteAddress.ip
        guard isTrusted(peer) else { return .known(peer) }
        let plain = request.headers["X-Forwarded-For"].map { origin(from: ForwardedFor.plain($0), peer) }
        let standard = request.headers["Forwarded"].map { origin(from: ForwardedFor.standard($0), peer) }
        switch (plain, standard) {
        case (nil, nil): return .known(peer)
        case (let origin?, nil), (nil, let origin?): return origin
        case (let origin?, let other?): return origin == other ? origin : .behind(peer)
        }
    }

    private func origin(from hops: [SocketAddress.IP?], _ peer: SocketAddress.IP) -> Origin {
        guard !hops.isEmpty else { return .behind(peer) }
        var nearest = peer
        for hop in hops.reversed() {
            guard let hop else { return .behind(nearest) }
            guard isTrusted(hop) else { return .known(hop) }
            nearest = hop
        }
        return .known(nearest)
    }

    private func isTrusted(_ ip: SocketAddress.IP) -> Bool {
        for range in ranges where range.contains(ip) { return true }
        return false
    }
}
