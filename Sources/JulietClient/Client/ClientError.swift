/// Why a request was not answered successfully.
///
/// `description` and `debugDescription` contain no address, header, body or text of the server, so they can be logged.
public struct ClientError: Error, Sendable {
    /// The kind of error. There may be more kinds in later versions: a `switch` needs a `default`.
    public struct Code: RawRepresentable, Hashable, Codable, Sendable {
        /// The code's name, stable.
        public let rawValue: String

        /// Names a code.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// There is no network: the device is offline, or has no route. Nothing was sent.
        public static let noNetwork = Code(rawValue: "noNetwork")
        /// The connection broke before the complete answer came: the server may or may not have done it.
        public static let connectionLost = Code(rawValue: "connectionLost")
        /// No answer within the time-out: the server may or may not have done it.
        public static let timedOut = Code(rawValue: "timedOut")
        /// The name of the host could not be resolved. Nothing was sent.
        public static let hostNotFound = Code(rawValue: "hostNotFound")
        /// Nothing listens at the address. Nothing was sent.
        public static let connectionRefused = Code(rawValue: "connectionRefused")
        /// No secure connection, or a certificate that is not to be trusted. Nothing was sent.
        public static let tls = Code(rawValue: "tls")
        /// The system does not allow HTTP without TLS to this host (App Transport Security). Nothing was sent. An app that
        /// talks to a server on the local network sets `NSAllowsLocalNetworking` in its `Info.plist`.
        public static let insecureConnection = Code(rawValue: "insecureConnection")
        /// The caller cancelled it: the server may or may not have done it.
        public static let cancelled = Code(rawValue: "cancelled")
        /// Base URL, path and query do not make a URL. Nothing was sent.
        public static let invalidURL = Code(rawValue: "invalidURL")
        /// The method or a header field holds characters that HTTP forbids there. Nothing was sent.
        public static let invalidRequest = Code(rawValue: "invalidRequest")
        /// The body could not be made. Nothing was sent.
        public static let encoding = Code(rawValue: "encoding")
        /// The `prepare` hook failed: `underlying` is its error. Nothing was sent.
        public static let preparation = Code(rawValue: "preparation")
        /// The answer was not HTTP.
        public static let notHTTP = Code(rawValue: "notHTTP")
        /// A success came with content that the request cannot decode: `codingPath` says where.
        public static let decoding = Code(rawValue: "decoding")
        /// Something else answered instead of the server, with a type that the request's `Accept` does not name: a
        /// network's log-in page, a proxy.
        public static let unexpectedContent = Code(rawValue: "unexpectedContent")
        /// The answer is larger than the transport takes (`maximumResponseSize`), or an event than 1 MiB, or a stream came
        /// faster than it was read. The server may have done what was asked.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The answer is 304: the copy that the request names still holds. A request whose `Response` is optional gets nil
        /// instead.
        public static let notModified = Code(rawValue: "notModified")
        /// The server answered with a refusal, which is in `refusal`.
        public static let refused = Code(rawValue: "refused")
        /// The `checkResponse` hook did not accept the answer: `underlying` is its error. The server has done what it says.
        public static let rejected = Code(rawValue: "rejected")
        /// Any other error, which is in `underlying`.
        public static let other = Code(rawValue: "other")
    }

    /// An answer other than a success.
    public struct Refusal: Sendable {
        /// HTTP's status, or the worse code of the envelope.
        public var status: Int
        /// The server's stable code, `energy.insufficient` for instance; nil when the answer has none.
        public var code: String?
        /// The server's sentence for people; nil when the answer has none.
        public var message: String?
        /// The complete answer, with its raw body.
        public var response: HTTPResponse
        /// Whether the service itself refused, and not a proxy or a network's log-in page. A queue accepts no other
        /// refusal as an answer.
        public var isOfService: Bool

        /// Describes a refusal.
        ///
        /// - Parameters:
        ///   - status: HTTP's status, or the worse code of the envelope.
        ///   - code: The server's stable code.
        ///   - message: The server's sentence for people.
        ///   - response: The whole answer.
        ///   - isOfService: Nil: it is the service's own if it has a code.
        public init(
            status: Int, code: String? = nil, message: String? = nil, response: HTTPResponse, isOfService: Bool? = nil
        ) {
            self.status = status
            self.code = code
            self.message = message
            self.response = response
            self.isOfService = isOfService ?? (code != nil)
        }
    }

    /// The kind of error.
    public var code: Code
    /// The server's refusal; only with `.refused`.
    public var refusal: Refusal?
    /// The way to the value that could not be decoded, `["games", "0", "word"]` for instance; only with `.decoding`.
    public var codingPath: [String]
    /// The underlying error.
    public var underlying: (any Error)?

    /// Describes an error.
    public init(_ code: Code, codingPath: [String] = [], underlying: (any Error)? = nil) {
        self.code = code
        self.codingPath = codingPath
        self.underlying = underlying
    }

    /// Describes a refusal.
    public init(_ refusal: Refusal) {
        self.init(.refused)
        self.refusal = refusal
    }

    /// Describes what is wrong with a success.
    init(decoding error: any Error, of response: HTTPResponse) {
        let path =
            switch error as? DecodingError {
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
                context.codingPath
            case .keyNotFound(let key, let context):
                context.codingPath + [key]
            default:
                [] as [any CodingKey]
            }
        self.init(.decoding, codingPath: path.map { $0.intValue.map(String.init) ?? $0.stringValue }, underlying: error)
    }

    /// Whether the server certainly did not get the request.
    public var isUnsent: Bool {
        switch code {
        case .noNetwork, .hostNotFound, .connectionRefused, .tls, .insecureConnection, .invalidURL, .invalidRequest,
            .encoding, .preparation, .unusableIdentifier, .otherOwner:
            true
        default:
            false
        }
    }
}

extension ClientError: CustomStringConvertible, CustomDebugStringConvertible {
    /// The code, and the parts of the context that are not secret.
    public var description: String {
        switch code {
        case .refused:
            ([code.rawValue] + [refusal.map { String($0.status) }, refusal?.safeCode].compactMap(\.self))
                .joined(separator: " ")
        case .decoding where !codingPath.isEmpty:
            "\(code.rawValue) at \(codingPath.joined(separator: "."))"
        default:
            code.rawValue
        }
    }

    /// The same. The request and the answer are in the properties.
    public var debugDescription: String { description }
}

extension ClientError.Refusal {
    /// The code if it looks like one: a server can write anything there.
    fileprivate var safeCode: String? {
        guard let code, (1...64).contains(code.utf8.count), code.utf8.allSatisfy(Self.isCodeCharacter) else {
            return nil
        }
        return code
    }

    private static func isCodeCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default:
            false
        }
    }
}
