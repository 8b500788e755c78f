/// The rule a request broke. After any of these the connection is closed: nothing behind the fault is read as a
/// request.
enum HTTPParseError: Error, Equatable, CaseIterable {
    // MARK: Request line

    /// RFC 9112 §3.1: the method is a token and one blank follows it.
    case malformedMethod
    /// RFC 9112 §3: a method longer than any that exists.
    case methodTooLong
    /// RFC 9112 §3.2: the target has none of the four forms, or not the one its method asks for.
    case malformedTarget
    /// RFC 9110 §4.2.4: user information in a target's authority.
    case userInformation
    /// RFC 9112 §2.3: no `HTTP/` digit `.` digit at the end of the request line.
    case malformedVersion
    /// RFC 9110 §15.6.6: a major version other than 1.
    case unsupportedVersion
    /// RFC 9112 §3: the request line is over the limit.
    case requestLineTooLong
    /// RFC 9110 §7.4: an `https` target on a connection that is not secured.
    case misdirected

    // MARK: Field lines

    /// RFC 9112 §2.2: a CR without LF or a LF without CR.
    case bareLineEnd
    /// RFC 9112 §5: a field line without name or colon, or a name that is no token.
    case malformedFieldName
    /// RFC 9112 §5.1: a blank between field name and colon.
    case blankBeforeColon
    /// RFC 9112 §2.2 and §5.2: a field line that starts with a blank.
    case foldedLine
    /// RFC 9110 §5.5: a control character in a field value.
    case malformedFieldValue
    /// RFC 6585 §5: the field lines are over the limit.
    case headTooLarge
    /// RFC 6585 §5: too many field lines.
    case tooManyFields

    // MARK: Host

    /// RFC 9112 §3.2: HTTP/1.1 without `Host`.
    case missingHost
    /// RFC 9112 §3.2: more than one `Host`.
    case repeatedHost
    /// RFC 9112 §3.2: `Host` is not a host with at most one port.
    case malformedHost

    // MARK: Framing

    /// RFC 9110 §8.6: `Content-Length` is not a number.
    case malformedContentLength
    /// RFC 9112 §6.3: `Content-Length` more than once.
    case repeatedContentLength
    /// RFC 9112 §6.1, §6.3: `Transfer-Encoding` does not end in `chunked`, has it twice, comes twice, or is no list of
    /// tokens.
    case malformedTransferEncoding
    /// RFC 9112 §6.1: a coding this server does not know, before a last `chunked`.
    case unsupportedTransferEncoding
    /// RFC 9112 §6.1: `Transfer-Encoding` and `Content-Length`.
    case ambiguousLength
    /// RFC 9112 §6.1: `Transfer-Encoding` in HTTP/1.0.
    case transferEncodingInHTTP10
    /// RFC 9110 §10.1.1: an expectation other than `100-continue`.
    case unknownExpectation

    // MARK: Body

    /// RFC 9110 §15.5.14: the body is over the limit.
    case bodyTooLarge
    /// RFC 9112 §7.1: the size of a chunk is not a number of at most 16 hexadecimal digits.
    case malformedChunkSize
    /// RFC 9112 §7.1.1: the extensions of a chunk break their grammar.
    case malformedChunkExtension
    /// RFC 9112 §7.1.1: the extensions of all chunks together are over the limit.
    case chunkExtensionsTooLarge
    /// RFC 9112 §7.1: no CRLF where the size said that a chunk ends.
    case unterminatedChunk
    /// RFC 9112 §8: the peer stopped sending before the request was whole.
    case incomplete
}

extension HTTPParseError {
    var status: HTTPStatus {
        switch self {
        case .methodTooLong, .unsupportedTransferEncoding: .notImplemented
        case .unsupportedVersion: .httpVersionNotSupported
        case .requestLineTooLong: .uriTooLong
        // This status exists for this case: the client may repeat the request on a correct connection (RFC 9110 §15.5.20).
        case .misdirected: .misdirectedRequest
        case .headTooLarge, .tooManyFields: .requestHeaderFieldsTooLarge
        case .bodyTooLarge: .contentTooLarge
        case .unknownExpectation: .expectationFailed
        default: .badRequest
        }
    }

    var code: HTTPFailure.Code {
        switch self {
        case .methodTooLong: .methodUnknown
        case .unsupportedVersion: .versionUnsupported
        case .requestLineTooLong: .targetTooLong
        case .misdirected: .misdirected
        case .headTooLarge, .tooManyFields: .headTooLarge
        case .bodyTooLarge: .bodyTooLarge
        case .unsupportedTransferEncoding: .transferCodingUnsupported
        case .unknownExpectation: .expectationFailed
        default: .malformed
        }
    }

    /// For people; names the rule, never what was sent.
    var message: String {
        switch self {
        case .malformedMethod: "The request line does not start with a method and one blank (RFC 9112 section 3.1)."
        case .methodTooLong: "The method is too long (RFC 9112 section 3)."
        case .malformedTarget: "The request target is not valid for its method (RFC 9112 section 3.2)."
        case .userInformation: "The request target holds user information (RFC 9110 section 4.2.4)."
        case .malformedVersion: "The request line does not end in an HTTP version (RFC 9112 section 2.3)."
        case .unsupportedVersion: "Only HTTP/1.1 and HTTP/1.0 are supported."
        case .requestLineTooLong: "The request line is too long."
        case .misdirected: "An https resource was requested without TLS (RFC 9110 section 7.4)."
        case .bareLineEnd: "A line does not end in CR LF (RFC 9112 section 2.2)."
        case .malformedFieldName: "A field line has no valid name (RFC 9112 section 5)."
        case .blankBeforeColon: "There is a blank between a field name and its colon (RFC 9112 section 5.1)."
        case .foldedLine: "A field line starts with a blank (RFC 9112 section 5.2)."
        case .malformedFieldValue: "A field value holds a control character (RFC 9110 section 5.5)."
        case .headTooLarge: "The header fields are too large."
        case .tooManyFields: "There are too many header fields."
        case .missingHost: "The Host field is missing (RFC 9112 section 3.2)."
        case .repeatedHost: "There is more than one Host field (RFC 9112 section 3.2)."
        case .malformedHost: "The Host field is not a host with at most one port (RFC 9112 section 3.2)."
        case .malformedContentLength: "The Content-Length field is not a number (RFC 9110 section 8.6)."
        case .repeatedContentLength: "There is more than one Content-Length (RFC 9112 section 6.3)."
        case .malformedTransferEncoding: "Transfer-Encoding does not end in one chunked (RFC 9112 section 6.3)."
        case .unsupportedTransferEncoding: "Only the transfer coding chunked is supported (RFC 9112 section 6.1)."
        case .ambiguousLength: "Transfer-Encoding and Content-Length exclude each other (RFC 9112 section 6.1)."
        case .transferEncodingInHTTP10: "HTTP/1.0 has no Transfer-Encoding (RFC 9112 section 6.1)."
        case .unknownExpectation: "Only the expectation 100-continue can be met (RFC 9110 section 10.1.1)."
        case .bodyTooLarge: "The content is too large."
        case .malformedChunkSize: "A chunk does not start with its size (RFC 9112 section 7.1)."
        case .malformedChunkExtension: "A chunk extension is malformed (RFC 9112 section 7.1.1)."
        case .chunkExtensionsTooLarge: "The chunk extensions are too large (RFC 9112 section 7.1.1)."
        case .unterminatedChunk: "A chunk does not end where its size says (RFC 9112 section 7.1)."
        case .incomplete: "The request ended before it was complete (RFC 9112 section 8)."
        }
    }
}
