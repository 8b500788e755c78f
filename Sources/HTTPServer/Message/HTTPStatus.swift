/// A status code with its reason phrase (RFC 9110 §15).
public struct HTTPStatus: Hashable, Sendable, ExpressibleByIntegerLiteral, CustomStringConvertible {
    /// The code, 100...999.
    public let code: Int

    /// Wraps a code; one outside 100...999 is a programmer's mistake and traps.
    public init(_ code: Int) {
        precondition((100...999).contains(code), "a status code has three digits")
        self.code = code
    }

    /// Wraps a literal code.
    public init(integerLiteral value: Int) {
        self.init(value)
    }

    /// 200
    public static let ok: HTTPStatus = 200
    /// 201
    public static let created: HTTPStatus = 201
    /// 204, never with a body
    public static let noContent: HTTPStatus = 204
    /// 206, with `Content-Range`
    public static let partialContent: HTTPStatus = 206
    /// 304, never with a body
    public static let notModified: HTTPStatus = 304
    /// 400
    public static let badRequest: HTTPStatus = 400
    /// 404
    public static let notFound: HTTPStatus = 404
    /// 405, with `Allow`
    public static let methodNotAllowed: HTTPStatus = 405
    /// 408
    public static let requestTimeout: HTTPStatus = 408
    /// 412
    public static let preconditionFailed: HTTPStatus = 412
    /// 413
    public static let contentTooLarge: HTTPStatus = 413
    /// 414
    public static let uriTooLong: HTTPStatus = 414
    /// 415
    public static let unsupportedMediaType: HTTPStatus = 415
    /// 416, with `Content-Range`
    public static let rangeNotSatisfiable: HTTPStatus = 416
    /// 417
    public static let expectationFailed: HTTPStatus = 417
    /// 421
    public static let misdirectedRequest: HTTPStatus = 421
    /// 431
    public static let requestHeaderFieldsTooLarge: HTTPStatus = 431
    /// 500
    public static let internalServerError: HTTPStatus = 500
    /// 501
    public static let notImplemented: HTTPStatus = 501
    /// 503
    public static let serviceUnavailable: HTTPStatus = 503
    /// 505
    public static let httpVersionNotSupported: HTTPStatus = 505

    /// Whether a response of this status may carry content (RFC 9110 §6.4.1, §15.3.6).
    public var allowsBody: Bool {
        code >= 200 && code != 204 && code != 205 && code != 304
    }

    /// What RFC 9110 §15 (and RFC 6585) call the code; empty for the rest.
    public var reasonPhrase: String {
        switch code {
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 204: "No Content"
        case 206: "Partial Content"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 303: "See Other"
        case 304: "Not Modified"
        case 307: "Temporary Redirect"
        case 308: "Permanent Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 406: "Not Acceptable"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 410: "Gone"
        case 411: "Length Required"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 416: "Range Not Satisfiable"
        case 417: "Expectation Failed"
        case 421: "Misdirected Request"
        case 422: "Unprocessable Content"
        case 426: "Upgrade Required"
        case 428: "Precondition Required"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        case 505: "HTTP Version Not Supported"
        default: ""
        }
    }

    /// The code and its phrase.
    public var description: String {
        reasonPhrase.isEmpty ? "\(code)" : "\(code) \(reasonPhrase)"
    }
}
