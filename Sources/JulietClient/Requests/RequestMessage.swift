/// A request as it is kept and sent: what an endpoint was encoded to, without the host's answer or its type.
///
/// It is what the queue's journal stores, so it holds everything an attempt after a restart needs. Fields that are
/// made anew for every attempt, a token for instance, are not in it: the client's `prepare` hook adds those.
public struct RequestMessage: Codable, Hashable, Sendable {
    /// The HTTP method.
    public var method: HTTPMethod
    /// The path behind the base URL, percent-encoding not applied; begins with a slash.
    public var path: String
    /// The query's items in the order they are sent.
    public var query: [QueryItem]
    /// Header fields in the order they are sent; names match case-insensitively.
    public var headers: [HeaderField]
    /// The content; nil sends none.
    public var body: [UInt8]?
    /// How it is sent and treated.
    public var options: RequestOptions

    /// Describes a request.
    public init(
        method: HTTPMethod = .get, path: String, query: [QueryItem] = [], headers: [HeaderField] = [],
        body: [UInt8]? = nil, options: RequestOptions = RequestOptions()
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.options = options
    }

    /// The parts that identical requests share: all except the word for logs and the background, which only this side uses.
    var shared: RequestMessage {
        var message = self
        message.options.tag = nil
        message.options.isBackground = nil
        return message
    }
}
