import JulietAPI

/// One of the contract's requests: where it goes, how it is written and read is the contract's to say.
protocol GameRequestConvertible: Request {
    static var type: RequestType { get }
    var request: GameRequest { get }
    static func response(_ answer: Answer) -> Response
}

extension GameRequestConvertible {
    /// POST.
    public var method: HTTPMethod { .post }
    /// The request type's URL.
    public var path: String { Self.type.endpoint.path }
    /// The request as the contract spells it.
    public var body: RequestBody? { RequestBody(request.encoded(), contentType: "application/json") }

    /// Reads the envelope. An answer that HTTP calls a success while a code inside says otherwise is a refusal.
    public static func decode(_ response: HTTPResponse) throws -> Response {
        let answer: Answer
        do {
            answer = try Answer.decode(response.body, to: type)
        } catch {
            throw ClientError(error)
        }
        guard answer.httpStatus < 400 else {
            throw ClientError(
                ClientError.Refusal(
                    status: answer.httpStatus, code: answer.problem?.code, message: answer.problem?.message,
                    response: response, isOfService: true))
        }
        return self.response(answer)
    }
}

extension ClientError {
    fileprivate init(_ failure: Answer.DecodingFailure) {
        switch failure {
        case .malformed: self.init(.decoding, underlying: failure)
        case .invalid(let key): self.init(.decoding, codingPath: Answer.path(to: key), underlying: failure)
        }
    }
}
