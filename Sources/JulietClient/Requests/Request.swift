/// A request to a server and the type of its answer: an endpoint as a value.
///
/// Everything but the path has a default, so most endpoints are a few lines:
///
/// ```swift
/// struct FetchBoard: Request {
///     typealias Response = [Place]
///     let day: String?
///     let path = "/v2/board"
///     var query: RequestQuery { ["day": day, "limit": 10] }
/// }
/// ```
///
/// A `Decodable` response is read from JSON; `Void` takes every success but a web page. Anything else brings its own
/// `decode(_:)`. A request that sends `If-None-Match` or `If-Modified-Since` has an optional `Decodable` response: nil is 304,
/// the app's copy still holds.
public protocol Request<Response>: Sendable {
    /// What a success is decoded to.
    associatedtype Response: Sendable

    /// What is done to the resource; default GET.
    var method: HTTPMethod { get }
    /// The path behind the base URL, beginning with a slash; percent-encoding not applied.
    ///
    /// Slashes part its segments, so a value that may hold one belongs into the query or the body.
    var path: String { get }
    /// The query; default none.
    var query: RequestQuery { get }
    /// The media type that a success has, sent as `Accept`; default `application/json`. An answer of another type is somebody
    /// else's, a network's log-in page for instance, and is `ClientError` `.unexpectedContent`. Nil: any type. An `Accept` in
    /// `headers` replaces it.
    var accept: String? { get }
    /// Header fields beyond those the client adds; default none.
    var headers: [HeaderField] { get }
    /// The content; default none.
    var body: RequestBody? { get throws }
    /// How it is sent and treated.
    var options: RequestOptions { get }
    /// Where a success has the server's identifier of what the request creates, for `QueueOptions.creates`; default the
    /// member `id` of a JSON body.
    var identifierSource: IdentifierSource { get }

    /// Reads a success. It is a function of the type, because answers to requests of an earlier launch are read too.
    ///
    /// - Parameter response: Its status is 200..<300, or 304 if the request was conditional.
    /// - Throws: `ClientError`, or any other error, which the client reports as `ClientError.Code.decoding`.
    static func decode(_ response: HTTPResponse) throws -> Response
}

extension Request {
    /// GET.
    public var method: HTTPMethod { .get }
    /// None.
    public var query: RequestQuery { [:] }
    /// JSON.
    public var accept: String? { "application/json" }
    /// None.
    public var headers: [HeaderField] { [] }
    /// None.
    public var body: RequestBody? { nil }
    /// The defaults.
    public var options: RequestOptions { RequestOptions() }
    /// The member `id` of a JSON body.
    public var identifierSource: IdentifierSource { .json(["id"]) }

    /// The request as it is kept and sent.
    ///
    /// - Throws: `ClientError` `.encoding`: the body could not be made.
    public func message() throws(ClientError) -> RequestMessage {
        let content: RequestBody?
        do {
            content = try body
        } catch {
            throw ClientError(.encoding, underlying: error)
        }
        var fields = headers
        if let accept, fields.value(of: "Accept") == nil { fields.insert(HeaderField("Accept", accept), at: 0) }
        if let type = content?.contentType, fields.value(of: "Content-Type") == nil {
            fields.append(HeaderField("Content-Type", type))
        }
        return RequestMessage(
            method: method, path: path, query: query.items, headers: fields, body: content?.bytes, options: options)
    }

    /// Reads a success, every error a `ClientError`.
    public static func response(from response: HTTPResponse) throws(ClientError) -> Response {
        do {
            return try decode(response)
        } catch let error as ClientError {
            throw error
        } catch {
            throw ClientError(decoding: error, of: response)
        }
    }
}
