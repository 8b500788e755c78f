import JulietAPI

extension RequestMessage {
    /// Where the request goes: base URL, path and query, percent-encoded (RFC 3986).
    ///
    /// Everything but letters, digits and `-._~` is encoded in the query, and the same in the path's segments but
    /// for what may stand there. So a `+` stays a plus, and no value can begin another parameter or segment.
    /// - Parameter baseURL: What `options.host` replaces, if that is set: `http` or `https`, an authority, maybe a
    ///   path; no query, no fragment, no user.
    /// - Throws: `ClientError` `.invalidURL`, also for `.` and `..` as segments, which would lead elsewhere.
    public func url(baseURL: String) throws(ClientError) -> String {
        var base = options.host ?? baseURL
        while base.last == "/" { base.removeLast() }
        guard Self.isBase(base), path.utf8.first == UInt8(ascii: "/") else { throw ClientError(.invalidURL) }
        var url = base
        for segment in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard segment != ".", segment != ".." else { throw ClientError(.invalidURL) }
            url +=
                "/"
                + PercentEncoding.encode(
                    segment, keeping: { PercentEncoding.isUnreserved($0) || "!$&'()*+,;=:@".utf8.contains($0) })
        }
        return query.isEmpty ? url : url + "?" + query.percentEncoded
    }

    /// Whether the request is for the server of a base URL: the same scheme, host and port.
    func goes(to baseURL: String) -> Bool {
        options.host.map { Self.origin(of: $0) == Self.origin(of: baseURL) } ?? true
    }

    private static func origin(of url: String) -> String {
        guard let start = url.firstRange(of: "://") else { return url }
        return (url[..<start.upperBound] + url[start.upperBound...].prefix { $0 != "/" }).lowercased()
    }

    private static func isBase(_ text: String) -> Bool {
        guard let colon = text.firstIndex(of: ":"), ["http", "https"].contains(text[..<colon].lowercased()) else {
            return false
        }
        let rest = text[text.index(after: colon)...]
        guard rest.hasPrefix("//"), let first = rest.dropFirst(2).utf8.first, first != UInt8(ascii: "/") else {
            return false
        }
        return rest.utf8.allSatisfy { PercentEncoding.isUnreserved($0) || "!$&'()*+,;=:[]/%".utf8.contains($0) }
    }
}
