extension LoopContext {
    /// Why a request that is well-formed is not given to the handler, if it is not.
    func refusal(of request: Request) -> HTTPFailure? {
        if !request.method.isKnown || request.method == .connect {
            return HTTPFailure(
                code: .methodUnknown, status: .notImplemented, message: "No resource of this server knows the method.",
                request: request)
        }
        guard let coding = request.headers["Content-Encoding"]?.lowercased(), coding != "identity", coding != "",
            !configuration.acceptedContentCodings.contains(coding)
        else { return nil }
        let accepted = configuration.acceptedContentCodings + ["identity"]
        return HTTPFailure(
            code: .contentCodingUnsupported, status: .unsupportedMediaType,
            message: "The content has a coding that is not understood here.",
            headers: ["Accept-Encoding": accepted.joined(separator: ", ")], request: request)
    }
}

extension HTTPFailure {
    /// The answer to a request that broke a rule of the protocol.
    init(_ error: HTTPParseError) {
        self.init(code: error.code, status: error.status, message: error.message)
    }
}

extension Response {
    /// Whether the handler asked for the connection to end with this response.
    var wantsClose: Bool {
        headers.contains("Connection") && headers["Connection"]?.lowercased() == "close"
    }
}
