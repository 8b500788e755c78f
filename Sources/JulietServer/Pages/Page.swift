import Crypto
import HTTPServer

/// One file of the page: its bytes, and the headers that are sent with them.
struct Page: Sendable {
    /// For how long a browser may keep a file.
    enum Keeping: String {
        /// It asks each time whether the file is still the same.
        case whileSame = "no-cache"
        /// Forever: another file has another address.
        case forGood = "public, max-age=31536000, immutable"
        /// Not at all.
        case never = "no-store"
    }

    /// The file's name.
    let name: String
    private let content: SharedBytes
    /// The SHA-256 of the bytes, in lower-case hexadecimal digits.
    let digest: String

    /// The file compressed with gzip; nil if that is not smaller.
    private let compressed: SharedBytes?
    private let headers: Headers

    /// A file with the headers it is sent with.
    ///
    /// - Parameters:
    ///   - keeping: How long a browser keeps it.
    ///   - isCompressed: Whether it is compressed, once and here, for clients that accept gzip.
    ///   - isShared: Whether pages of other origins may read it.
    ///   - isPrivate: Whether it is for operators: browsers do not keep it, and its forms may be sent to this origin, with their Origin.
    init(
        _ name: String, _ bytes: [UInt8], keeping: Keeping = .whileSame, isCompressed: Bool = true,
        isShared: Bool = false, isPrivate: Bool = false
    ) {
        self.name = name
        content = SharedBytes(bytes)
        digest = Self.digest(of: bytes)
        let compressed = isCompressed ? Gzip.compressed(bytes) : bytes
        self.compressed = compressed.count < bytes.count ? SharedBytes(compressed) : nil
        var headers: Headers = [
            "Content-Type": Self.contentType(of: name),
            "Cache-Control": isPrivate ? Keeping.never.rawValue : keeping.rawValue,
            "Vary": "Accept-Encoding",
            "Content-Security-Policy": Self.contentSecurityPolicy(formAction: isPrivate ? "'self'" : "'none'"),
            "X-Content-Type-Options": "nosniff",
            // Without a referrer browsers send the Origin of a form as "null".
            "Referrer-Policy": isPrivate ? "same-origin" : "no-referrer",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": isShared ? "cross-origin" : "same-origin",
            "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
        ]
        if isShared { headers.append("Access-Control-Allow-Origin", "*") }
        self.headers = headers
    }

    /// The SHA-256 of bytes, in lower-case hexadecimal digits.
    static func digest(of bytes: [UInt8]) -> String {
        SHA256.hash(data: bytes).flatMap { [$0 >> 4, $0 & 15] }.map { String($0, radix: 16) }.joined()
    }

    /// The file.
    var bytes: [UInt8] { content.bytes }

    /// Tells the file's bytes that they are no longer kept here: they are freed when no connection sends them any more.
    func letGo() {
        content.letGo()
        compressed?.letGo()
    }

    /// The file as it is.
    var response: Response {
        var headers = headers
        headers.append("ETag", "\"\(digest)\"")
        return Response(headers: headers, body: .shared(content))
    }

    /// The file, compressed for a browser that accepts gzip; 412 if the client requires another version, 304 if it has this one
    /// (RFC 9110 §13.1.1, §13.1.2, §13.2.2). The two forms have different entity tags (§8.8.3.3).
    func response(to request: Request) -> Response {
        var headers = headers
        var body = content
        var entityTag = "\"\(digest)\""
        if let compressed, Self.takesGzip(request.headers.values(of: "Accept-Encoding")) {
            headers.append("Content-Encoding", "gzip")
            body = compressed
            entityTag = "\"\(digest)-gzip\""
        }
        headers.append("ETag", entityTag)
        if let wanted = request.headers["If-Match"], !Self.lists(wanted, entityTag, isStrong: true) {
            return Response(status: 412)
        }
        let isKnown = request.headers["If-None-Match"].map { Self.lists($0, entityTag, isStrong: false) } ?? false
        return Response(status: isKnown ? 304 : .ok, headers: headers, body: isKnown ? .none : .shared(body))
    }

    /// The same for an address of another release: browsers do not keep it.
    func unkeptResponse(to request: Request) -> Response {
        var response = response(to: request)
        response.headers.remove("Cache-Control")
        response.headers.append("Cache-Control", Keeping.never.rawValue)
        return response
    }

    /// Whether a browser accepts gzip (RFC 9110 §12.5.3): it lists it, and not with a weight of 0.
    private static func takesGzip(_ fields: [String]) -> Bool {
        fields.joined(separator: ",").split(separator: ",").contains { element in
            let parts = element.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            guard let coding = parts.first, ["gzip", "x-gzip"].contains(coding) else { return false }
            return !parts.dropFirst().contains { $0.hasPrefix("q=0") && $0.allSatisfy { "q=0.".contains($0) } }
        }
    }

    /// Whether an entity tag is in a list. No comma can be within a tag of ours.
    ///
    /// - Parameter isStrong: Whether weak ones do not count. For `If-None-Match` they do: proxies that compress make weak
    ///   tags of ours.
    static func lists(_ list: String, _ entityTag: String, isStrong: Bool) -> Bool {
        list.split(separator: ",").contains { element in
            var tag = element.drop { $0 == " " || $0 == "\t" }
            while tag.last == " " || tag.last == "\t" { tag.removeLast() }
            return tag == "*" || (!isStrong && tag.hasPrefix("W/") ? tag.dropFirst(2) : tag) == entityTag
        }
    }

    /// The page runs scripts of this origin only, sends requests to it only, and may not be framed.
    private static func contentSecurityPolicy(formAction: String) -> String {
        """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; font-src 'self'; \
        manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action \(formAction); frame-ancestors 'none'
        """
    }

    private static func contentType(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "json": "application/json"
        case "md": "text/markdown; charset=utf-8"
        case "png": "image/png"
        case "svg": "image/svg+xml"
        case "txt": "text/plain; charset=utf-8"
        case "webmanifest": "application/manifest+json"
        case "woff2": "font/woff2"
        default: preconditionFailure("\(name) has a type that nobody knows")
        }
    }
}
