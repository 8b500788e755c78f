public import HTTPServer

extension Response {
    /// This response with its content compressed, if that is worth it and the client takes it.
    ///
    /// **Not for an answer that holds a secret** (a token, a code, a session) beside anything that a client can choose:
    /// an attacker who sees the length of many such answers can guess the secret (BREACH). That is why nothing is
    /// compressed by default: ask for it answer by answer, or by ``gzip(from:level:)`` for routes, which leaves out
    /// what looks private.
    ///
    /// Compressed are texts, JSON, XML, JavaScript, SVG, WebAssembly and the like, by `Content-Type`, unless there is a
    /// `Content-Encoding`, a range (206) or `Cache-Control: no-transform`. `Vary: Accept-Encoding` is added to every
    /// answer that might have been compressed, a strong `ETag` becomes weak (RFC 9110 §8.8.1), and `Accept-Ranges`
    /// goes. More than 16 KiB are compressed off the event loop. A stream is compressed as it is written, so that each
    /// piece can be read when it comes. A 304 says of `Vary` and `ETag` what the answer that it stands for would: it
    /// has no `Content-Type` to see whether that one is compressed, so its `ETag` becomes weak for every client that
    /// takes gzip.
    ///
    /// - Parameters:
    ///   - request: The request that is answered; its `Accept-Encoding` counts, with its weights.
    ///   - minimumSize: Less is left as it is, in bytes; default 1024. A stream is always compressed.
    ///   - level: 1 (fast) to 9 (small); default 6.
    public func gzipped(for request: Request, from minimumSize: Int = 1024, level: Int = 6) async -> Response {
        var response = self
        let coding = AcceptEncoding(request.headers).best(of: [.gzip])
        if status == .notModified, !isKeptAsItIs {
            response.headers.vary(on: "Accept-Encoding")
            if coding == .gzip { response.headers.weakenETag() }
            return response
        }
        guard isCompressible else { return self }
        let bytes = body.bytesAtHand
        if let bytes, bytes.count < minimumSize { return self }
        response.headers.vary(on: "Accept-Encoding")
        guard coding == .gzip else { return response }
        if let bytes {
            let compressed = await GzipEncoder(level: level).encodeAside(bytes, flush: .end)
            guard compressed.count < bytes.count else { return response }
            response.body = .bytes(compressed)
        } else if case .stream(let write) = body {
            response.body = .stream { writer in
                let encoder = GzipEncoder(level: level)
                let compressing = ResponseWriter(
                    { bytes throws(ResponseStreamError) in
                        guard !bytes.isEmpty else { return }
                        try await writer.write(await encoder.encodeAside(bytes, flush: .all))
                    }, onPeerGone: { writer.whenPeerIsGone($0) })
                try await write(compressing)
                try await writer.write(encoder.encode([], flush: .end))
            }
        }
        response.headers["Content-Encoding"] = ContentCoding.gzip.rawValue
        response.headers.remove("Accept-Ranges")
        response.headers.weakenETag()
        return response
    }

    /// Whether its headers forbid to change its content.
    private var isKeptAsItIs: Bool {
        headers.contains("Content-Encoding") || headers.cacheControl.contains("no-transform")
    }

    private var isCompressible: Bool {
        guard status.allowsBody, status != .partialContent, !isKeptAsItIs, !headers.contains("Content-Range"),
            let type = headers["Content-Type"]?.split(separator: ";").first?.filter({ $0 != " " }).lowercased()
        else { return false }
        if type.hasPrefix("text/") || type.hasSuffix("+json") || type.hasSuffix("+xml") { return true }
        return [
            "application/json", "application/javascript", "application/xml", "application/wasm",
            "application/x-ndjson", "application/manifest+json", "image/bmp", "font/ttf", "font/otf",
        ].contains(type)
    }

    /// Whether it looks as if it were for one client only.
    fileprivate func looksPrivate(to request: Request) -> Bool {
        let control = headers.cacheControl
        return request.headers.contains("Authorization") || request.headers.contains("Cookie")
            || headers.contains("Set-Cookie") || control.contains("private") || control.contains("no-store")
    }
}

extension Headers {
    /// Makes a strong `ETag` weak.
    fileprivate mutating func weakenETag() {
        if let etag = self["ETag"], etag.hasPrefix("\"") { self["ETag"] = "W/" + etag }
    }

    /// The names of the directives, lower case.
    fileprivate var cacheControl: Set<String> {
        Set(
            (self["Cache-Control"] ?? "").split(separator: ",").map {
                ($0.split(separator: "=").first ?? "").filter { $0 != " " && $0 != "\t" }.lowercased()
            })
    }
}

/// Middleware that compresses the answers of the routes of a group (`Router.group`), as
/// `Response.gzipped` does one.
///
/// Left as they are: answers to requests with `Authorization` or `Cookie`, and answers with `Set-Cookie` or with
/// `Cache-Control: private` or `no-store`, since such answers may hold secrets (BREACH). A secret in an answer that has
/// none of these marks is not noticed: put no such route into the group.
///
/// - Parameters:
///   - minimumSize: Less is left as it is, in bytes; default 1024.
///   - level: 1 (fast) to 9 (small); default 6.
public func gzip(from minimumSize: Int = 1024, level: Int = 6) -> Middleware {
    { request, next in
        let response = await next(request)
        guard !response.looksPrivate(to: request) else { return response }
        return await response.gzipped(for: request, from: minimumSize, level: level)
    }
}
