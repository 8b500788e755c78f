/// What a request was answered: the value, and the answer it was read from.
public struct DecodedResponse<Value: Sendable>: Sendable {
    /// What the request's type made of the answer.
    public var value: Value
    /// Status, header fields and content as they came.
    public var response: HTTPResponse

    /// Puts both together.
    public init(value: Value, response: HTTPResponse) {
        self.value = value
        self.response = response
    }
}
