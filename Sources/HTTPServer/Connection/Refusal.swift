/// Why the server answers a request by itself before it was received completely.
enum Refusal: Equatable {
    case broken(HTTPParseError)
    case late
    case overloaded
    /// The handler takes too long.
    case unanswered
}

extension LoopContext {
    /// The answer to a request that was not received whole, of which nothing is known yet.
    func failure(for refusal: Refusal) -> HTTPFailure {
        switch refusal {
        case .broken(let error): HTTPFailure(code: error.code, status: error.status, message: error.message)
        case .late:
            HTTPFailure(code: .timeout, status: .requestTimeout, message: "The request did not arrive in time.")
        case .unanswered:
            HTTPFailure(
                code: .unanswered, status: .serviceUnavailable, message: "The service did not answer in time.",
                headers: ["Retry-After": String(configuration.retryAfterSeconds)])
        case .overloaded:
            HTTPFailure(
                code: .overloaded, status: .serviceUnavailable,
                message: "The server has as many connections as it can serve.",
                headers: ["Retry-After": String(configuration.retryAfterSeconds)])
        }
    }

    /// Why a request that is well-formed is not given to the handler, if it is not.
    func failure(for request: Request, isOverload: Bool) -> HTTPFailure? {
        if isOverload {
            var failure = failure(for: .overloaded)
            failure.describe(request)
            return failure
        }
        if !request.method.isKnown || request.method == .connect {
            return HTTPFailure(
                code: .methodUnknown, status: .notImplemented, message: "No resource of this server knows the method.",
                request: request)
        }
        guard let coding = request.headers["Content-Encoding"]?.lowercased(), coding != "identity", coding != "" else {
            return nil
        }
        return HTTPFailure(
            code: .contentCodingUnsupported, status: .unsupportedMediaType,
            message: "The content coding is not supported.",
            headers: ["Accept-Encoding": "identity"], request: request)
    }
}
