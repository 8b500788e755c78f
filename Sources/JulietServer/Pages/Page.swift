import Crypto
import HTTPCompression
import HTTPServer
import StrictEncoding

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
    /// The file.
    let bytes: [UInt8]
    /// The SHA-256 of the bytes, in lower-case hexadecimal digits.
    let digest: String
    private let content: StaticContent

    /// A file with the headers it is sent with.
    ///
    /// - Parameters:
    ///   - keeping: How long a browser keeps it.
    ///   - isCompressed: Whether it is compressed, once and here, for clients that accept gzip.
    ///   - isShared: Whether pages of other origins may read it.
    ///   - isPrivate: Whether it is for operators: browsers do not keep it, and send its requests with their Origin.
    init(
        _ name: String, _ bytes: [UInt8], keeping: Keeping = .whileSame, isCompressed: Bool = true,
        isShared: Bool = false, isPrivate: Bool = false
    ) {
        self.name = name
        self.bytes = bytes
        digest = Self.digest(of: bytes)
        content = StaticContent(
            bytes, type: Self.contentType(of: name), etag: digest,
            headers: Self.headers(keeping: keeping, isShared: isShared, isPrivate: isPrivate),
            encoded: isCompressed ? [.gzip: GzipEncoder.compressed(bytes)] : [:])
    }

    /// What is sent with every file, whatever its type; the parameters are those of a file.
    static func headers(keeping: Keeping = .whileSame, isShared: Bool = false, isPrivate: Bool = false) -> Headers {
        var headers: Headers = [
            "Cache-Control": isPrivate ? Keeping.never.rawValue : keeping.rawValue,
            "Content-Security-Policy": contentSecurityPolicy,
            "X-Content-Type-Options": "nosniff",
            // Without a referrer some browsers send the Origin of a change as "null".
            "Referrer-Policy": isPrivate ? "same-origin" : "no-referrer",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": isShared ? "cross-origin" : "same-origin",
            "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
        ]
        if isShared { headers.append("Access-Control-Allow-Origin", "*") }
        return headers
    }

    /// The SHA-256 of bytes, in lower-case hexadecimal digits.
    static func digest(of bytes: [UInt8]) -> String {
        Hexadecimal.encode(SHA256.hash(data: bytes))
    }

    /// Tells the file's bytes that they are no longer kept here: they are freed when no connection sends them any more.
    func letGo() { content.letGo() }

    /// The file, or what the request's conditions make of it.
    func response(to request: Request) -> Response { content.response(to: request) }

    /// The same for an address of another release: browsers do not keep it.
    func unkeptResponse(to request: Request) -> Response {
        var response = response(to: request)
        response.headers["Cache-Control"] = Keeping.never.rawValue
        return response
    }

    /// The page runs scripts of this origin only, sends requests to it only, and may not be framed.
    private static let contentSecurityPolicy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
        manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
        """

    private static func contentType(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "json": "application/json"
        case "md": "text/markdown; charset=utf-8"
        case "png": "image/png"
        case "svg": "image/svg+xml"
        case "webmanifest": "application/manifest+json"
        default: preconditionFailure("\(name) has a type that nobody knows")
        }
    }
}
