import Crypto
import HTTPServer

/// One file of the page: its bytes, and what goes along with them.
struct Page: Sendable {
    /// The file's name.
    let name: String
    /// The file.
    let bytes: [UInt8]
    /// Its strong entity tag, quotes included: the SHA-256 of the bytes.
    let entityTag: String

    private var headers: Headers

    /// A file with the headers it is sent with.
    ///
    /// - Parameters:
    ///   - isShared: Whether pages of other origins may read it.
    ///   - isPrivate: Whether no browser keeps it. Its forms may then be sent here, and say where they stand.
    init(_ name: String, _ bytes: [UInt8], isShared: Bool = false, isPrivate: Bool = false) {
        self.name = name
        self.bytes = bytes
        let digits = SHA256.hash(data: bytes).flatMap { [$0 >> 4, $0 & 15] }.map { String($0, radix: 16) }
        entityTag = "\"\(digits.joined())\""
        headers = [
            "Content-Type": Self.contentType(of: name),
            "Cache-Control": isPrivate ? "no-store" : "no-cache",
            "ETag": entityTag,
            "Content-Security-Policy": Self.contentSecurityPolicy(formAction: isPrivate ? "'self'" : "'none'"),
            "X-Content-Type-Options": "nosniff",
            // Without a referrer browsers send the Origin of a form as "null".
            "Referrer-Policy": isPrivate ? "same-origin" : "no-referrer",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": isShared ? "cross-origin" : "same-origin",
            "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
        ]
        if isShared { headers.append("Access-Control-Allow-Origin", "*") }
    }

    /// The file.
    var response: Response { Response(headers: headers, body: .bytes(bytes)) }

    /// The file; 412 to who wants another one, then 304 to a browser that has it (RFC 9110 §13.1.1, §13.1.2, §13.2.2).
    func response(to request: Request) -> Response {
        if let wanted = request.headers["If-Match"], !matches(wanted, isStrong: true) { return Response(status: 412) }
        let isKnown = request.headers["If-None-Match"].map { matches($0, isStrong: false) } ?? false
        return Response(
            status: isKnown ? 304 : .ok, headers: headers, body: isKnown ? .none : .bytes(bytes))
    }

    /// Whether one of a list of entity tags is this file's. No comma can be within a tag of ours.
    ///
    /// - Parameter isStrong: Whether weak ones do not count. For `If-None-Match` they do: proxies that compress make them of
    ///   ours.
    private func matches(_ list: String, isStrong: Bool) -> Bool {
        list.split(separator: ",").contains { element in
            var tag = element.drop { $0 == " " || $0 == "\t" }
            while tag.last == " " || tag.last == "\t" { tag.removeLast() }
            return tag == "*" || (!isStrong && tag.hasPrefix("W/") ? tag.dropFirst(2) : tag) == entityTag
        }
    }

    /// The page runs what comes from here, asks here, and is framed nowhere.
    private static func contentSecurityPolicy(formAction: String) -> String {
        """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
        manifest-src 'self'; base-uri 'none'; form-action \(formAction); frame-ancestors 'none'
        """
    }

    private static func contentType(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "json": "application/json"
        case "svg": "image/svg+xml"
        case "webmanifest": "application/manifest+json"
        default: preconditionFailure("\(name) has a type that nobody knows")
        }
    }
}
