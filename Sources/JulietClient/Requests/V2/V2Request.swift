// The types of `/v2` that apps use belong to this module, too.
@_exported public import JulietAPI

/// One of `/v2`'s requests: JSON both ways, answers that the contract's types decode themselves.
protocol V2Request: Request {
    associatedtype Content: V2.Body
    var content: Content? { get }
}

extension V2Request {
    /// The content as the contract spells it.
    public var body: RequestBody? { content.map { RequestBody($0.encoded(), contentType: "application/json") } }
}

extension V2Request where Content == V2.NoMembers {
    var content: V2.NoMembers? { nil }
}

extension ClientError {
    /// Refuses a success without content that is not the contract's 204 with the `X-Request-Id` of the service's answers:
    /// it comes from elsewhere.
    static func checkNoContent(_ response: HTTPResponse) throws(ClientError) {
        guard response.status == 204, response[header: "X-Request-Id"] != nil else {
            throw ClientError(.unexpectedContent)
        }
    }
}
