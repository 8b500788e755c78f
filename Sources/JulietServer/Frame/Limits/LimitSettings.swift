package import HTTPServer

/// The limits on requests. No honest player reaches the defaults.
package struct LimitSettings: Sendable {
    /// The proxies that are believed when they say where a request comes from. Default: none.
    package var trustedProxies: [AddressRange] = []
    /// Who is never limited. Default: the networks of `private`, because an unnamed proxy is in these, and all players
    /// behind it.
    package var exempt = AddressRange.private
    /// Requests a minute from one address (IPv6: /64); 0, the default: any number, because behind an unnamed proxy all
    /// have one address.
    package var requestsPerAddress = 0
    /// New players and further sign-ins an hour, together, from one address; 0: any number. Default: 600, because a mobile network shows
    /// thousands of players under one address.
    package var registrationsPerAddress = 600
    /// Requests a minute of one player; 0: any number. Default: 600.
    package var requestsPerPlayer = 600

    /// The defaults.
    package init() {}
}

extension AddressRange {
    /// This machine and the networks that the Internet does not route: loopback, RFC 1918, link-local, RFC 4193.
    package static let `private` = [
        "127.0.0.0/8", "::1", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "fc00::/7",
        "fe80::/10",
    ].compactMap { AddressRange($0) }

    /// Addresses and ranges as settings list them; `private` stands for ``private``. nil if one is malformed.
    static func list(_ texts: [String]) -> [AddressRange]? {
        var ranges: [AddressRange] = []
        for text in texts {
            if text == "private" {
                ranges += Self.private
            } else if let range = AddressRange(text) {
                ranges.append(range)
            } else {
                return nil
            }
        }
        return ranges
    }
}
