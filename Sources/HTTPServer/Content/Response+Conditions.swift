extension Response {
    /// The answer to a request that may have conditions and may want a part: this response, 304, 412, 206 or 416.
    ///
    /// `ETag` and `Last-Modified` of this response are compared with the conditions, in the order of RFC 9110
    /// §13.2.2: `If-Match`, `If-Unmodified-Since`, `If-None-Match`, `If-Modified-Since`, then `If-Range` and `Range`.
    /// An invalid date counts as no condition. `Range` is used for GET, for content in memory and for a single range,
    /// which then gets a 206 with `Content-Range`. Several ranges get the whole content, as RFC 9110 §14.2 allows, and
    /// so does a range of a stream, and one of a response with `Accept-Ranges: none`.
    ///
    /// 304 has neither the content nor the fields that describe it (RFC 9110 §15.4.5). The others stay: a browser looks
    /// for `Access-Control-Allow-Origin` in it, too. Any status but 200, and a method other than GET and HEAD, is left as
    /// it is: the condition of a change must be checked before the change.
    public func conditional(to request: Request) -> Response {
        guard status == .ok, request.method == .get || request.method == .head else { return self }
        let validators = Validators(headers)
        switch validators.outcome(for: request.headers) {
        case .failed: return Response(status: .preconditionFailed)
        case .notModified: return notModified
        case .fulfilled: break
        }
        guard headers["Accept-Ranges"] != "none", let bytes = body.bytesAtHand else { return self }
        var response = self
        if !headers.contains("Accept-Ranges") { response.headers.append("Accept-Ranges", "bytes") }
        guard request.method == .get, let field = request.headers["Range"],
            validators.allowsRange(request.headers["If-Range"])
        else { return response }
        switch ByteRange(field, size: bytes.count) {
        case .whole: return response
        case .part(let range):
            response.status = .partialContent
            response.headers.append("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(bytes.count)")
            if case .shared(let shared, nil) = body {
                response.body = .shared(shared, part: range)
            } else {
                response.body = .bytes(Array(bytes[range]))
            }
            return response
        case .unsatisfiable:
            return Response(
                status: .rangeNotSatisfiable,
                headers: ["Content-Range": "bytes */\(bytes.count)", "Accept-Ranges": "bytes"])
        }
    }

    private var notModified: Response {
        var headers = headers
        for name in ["Accept-Ranges", "Content-Encoding", "Content-Language", "Content-Range", "Content-Type"] {
            headers.remove(name)
        }
        return Response(status: .notModified, headers: headers)
    }
}

extension ResponseBody {
    /// The bytes, unless they are still to be written. A part is copied.
    package var bytesAtHand: [UInt8]? {
        switch self {
        case .none: []
        case .bytes(let bytes): bytes
        case .shared(let shared, let part): part.map { Array(shared.bytes[$0]) } ?? shared.bytes
        case .stream: nil
        }
    }
}

/// The validators of a resource's state (RFC 9110 §8.8).
struct Validators {
    enum Outcome {
        case fulfilled
        case notModified
        case failed
    }

    let etag: String?
    let lastModified: Int?

    init(_ headers: Headers) {
        etag = headers["ETag"]
        lastModified = headers["Last-Modified"].flatMap { HTTPDate.parse($0) }
    }

    /// The result of the conditions of a GET or HEAD.
    func outcome(for headers: Headers) -> Outcome {
        if let tags = headers["If-Match"] {
            guard Self.list(tags, has: etag, weakly: false) else { return .failed }
        } else if let date = headers["If-Unmodified-Since"].flatMap({ HTTPDate.parse($0) }), let lastModified {
            guard lastModified <= date else { return .failed }
        }
        if let tags = headers["If-None-Match"] {
            return Self.list(tags, has: etag, weakly: true) ? .notModified : .fulfilled
        }
        if let date = headers["If-Modified-Since"].flatMap({ HTTPDate.parse($0) }), let lastModified {
            return lastModified <= date ? .notModified : .fulfilled
        }
        return .fulfilled
    }

    /// Whether `If-Range` names this very state: a strong tag, or the date to the second (RFC 9110 §13.1.5).
    func allowsRange(_ field: String?) -> Bool {
        guard let field else { return true }
        if field.hasPrefix("\"") { return field == etag }
        if field.hasPrefix("W/") { return false }
        guard let date = HTTPDate.parse(field), let lastModified else { return false }
        return date == lastModified
    }

    /// Whether a list of tags is "*" or has this one. Commas may stand inside the quotes (RFC 9110 §8.8.3).
    static func list(_ field: String, has etag: String?, weakly: Bool) -> Bool {
        let bytes = Array(field.utf8)
        if bytes == [ASCII.asterisk] { return true }
        guard let etag, weakly || !etag.hasPrefix("W/") else { return false }
        let own = Array((etag.hasPrefix("W/") ? etag.dropFirst(2) : etag[...]).utf8)
        var index = 0
        while index < bytes.count {
            let isWeak = bytes[index...].starts(with: [UInt8(ascii: "W"), ASCII.slash])
            let start = isWeak ? index + 2 : index
            if start < bytes.count, bytes[start] == ASCII.quote {
                guard let end = bytes[(start + 1)...].firstIndex(of: ASCII.quote) else { return false }
                if weakly || !isWeak, bytes[start...end].elementsEqual(own) { return true }
                index = end + 1
            } else {
                index += 1
            }
        }
        return false
    }
}
