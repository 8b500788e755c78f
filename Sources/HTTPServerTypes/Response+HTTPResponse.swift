public import HTTPServer
public import HTTPTypes

extension HTTPResponse {
    /// The head of a response. The reason phrase is `HTTPStatus.reasonPhrase`; field lines are there as
    /// `HTTPFields.init(_:)` says; the content is lost, see `Response.body`.
    ///
    /// - Throws: `HTTPTypesError.tooManyFields`.
    public init(_ response: Response) throws(HTTPTypesError) {
        self.init(
            status: Status(code: response.status.code, reasonPhrase: response.status.reasonPhrase),
            headerFields: try HTTPFields(response.headers))
    }
}

extension Response {
    /// A response of a head and content.
    ///
    /// The reason phrase is lost: the server sends its own (clients should ignore it, RFC 9112 §4). Field lines are there as
    /// `Headers.init(_:)` says; what the server does with its own (`Date`, `Content-Length` and the like) is at
    /// `Response`. There are no trailer fields.
    ///
    /// - Parameters:
    ///   - head: Status and field lines.
    ///   - body: The content; default none.
    /// - Throws: `HTTPTypesError.statusNotFinal` for a status below 200, which no client would take for the answer;
    ///   `.pseudoField`.
    public init(_ head: HTTPResponse, body: ResponseBody = .none) throws(HTTPTypesError) {
        let code = head.status.code
        guard code >= 200 else { throw .statusNotFinal }
        self.init(status: HTTPStatus(code), headers: try Headers(head.headerFields), body: body)
    }
}
