/// A document that is the same for everyone: kept once in memory, in the codings that were made of it before, answered
/// with conditions and ranges.
///
/// ```swift
/// let page = StaticContent(bytes, type: "text/html; charset=utf-8", encoded: [.gzip: zipped])
/// router.on(.get, "/") { request in page.response(to: request) }
/// ```
///
/// It contains nothing from a client, so BREACH has nothing to guess and these codings are safe.
public struct StaticContent: Sendable {
    private struct Variant {
        let coding: ContentCoding
        let headers: Headers
        let body: SharedBytes
    }

    private let variants: [Variant]
    private let codings: [ContentCoding]

    /// Keeps a document.
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - type: The value of `Content-Type`.
    ///   - etag: The opaque text of the entity tag, without quotes; default a hash of the bytes. The other codings add
    ///     their names to it, so that all tags are strong (RFC 9110 §8.8.3.3).
    ///   - lastModified: Seconds since 1970; default no `Last-Modified`.
    ///   - headers: More field lines, `Cache-Control` for one.
    ///   - encoded: The same content in other codings. One that is not smaller is left out. Of those that a client
    ///     wants alike it gets the smallest.
    public init(
        _ bytes: [UInt8], type: String, etag: String? = nil, lastModified: Int? = nil, headers: Headers = [:],
        encoded: [ContentCoding: [UInt8]] = [:]
    ) {
        let smaller = encoded.filter { $0.value.count < bytes.count && $0.key != .identity }
            .sorted { ($0.value.count, $0.key.rawValue) < ($1.value.count, $1.key.rawValue) }
        let tag = etag ?? Self.hash(bytes)
        precondition(
            tag.utf8.allSatisfy { $0 > 0x20 && $0 != ASCII.quote && $0 != 0x7F },
            "an entity tag has no quotes or blanks")
        var common = headers
        common["Content-Type"] = type
        if let lastModified { common["Last-Modified"] = HTTPDate.format(lastModified) }
        if !smaller.isEmpty { common.vary(on: "Accept-Encoding") }
        variants =
            ([(.identity, bytes)] + smaller.map { ($0.key, $0.value) }).map { (coding: ContentCoding, bytes: [UInt8]) in
                var headers = common
                headers["ETag"] = coding == .identity ? "\"\(tag)\"" : "\"\(tag)-\(coding)\""
                if coding != .identity { headers["Content-Encoding"] = coding.rawValue }
                return Variant(coding: coding, headers: headers, body: SharedBytes(bytes))
            }
        codings = smaller.map(\.key)
    }

    /// The answer to a GET or HEAD: in the coding that the client wants most, or 304, 412, 206, 416, as
    /// ``Response/conditional(to:)`` says. A range is one of the coding's bytes (RFC 9110 §14.2), which are not copied.
    public func response(to request: Request) -> Response {
        var variant = variants[0]
        if !codings.isEmpty {
            let best = AcceptEncoding(request.headers).best(of: codings)
            variant = variants.first { $0.coding == best } ?? variant
        }
        return Response(headers: variant.headers, body: .shared(variant.body)).conditional(to: request)
    }

    /// Call this when other content takes its place: see ``SharedBytes/letGo()``.
    public func letGo() {
        for variant in variants { variant.body.letGo() }
    }

    /// FNV-1a of 64 bits and the size. It distinguishes versions of a document, and does not protect from forgery.
    private static func hash(_ bytes: [UInt8]) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return String(hash, radix: 36) + "-" + String(bytes.count, radix: 36)
    }
}
