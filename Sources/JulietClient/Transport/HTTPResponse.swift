/// What a server answered.
public struct HTTPResponse: Hashable, Sendable {
    /// How many bytes of an answer the transports take unless told otherwise: 8 MiB.
    public static let maximumSize = 8 << 20

    /// The status code, 200...599.
    public var status: Int
    /// Header fields, in no particular order.
    public var headers: [HeaderField]
    /// The content; empty when there was none.
    public var body: [UInt8]

    /// Describes an answer.
    public init(status: Int, headers: [HeaderField] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The first field of a name, in any letter case.
    public subscript(header name: String) -> String? {
        headers.value(of: name)
    }

    /// 200..<300 and 304 (RFC 9110 §15.4.5: the caller's copy still holds).
    public var isSuccess: Bool {
        (200..<300).contains(status) || status == 304
    }
}
