/// Why a body is not a request that one of our endpoints accepts. Nothing has happened yet.
package struct RequestFailure: Error, Equatable, Sendable {
    /// The stable code; its status is 400.
    package let code: ErrorCode
    /// The request type, if it is known, because the answer needs its keys.
    package let type: RequestType?
    /// What to correct, for people. It quotes nothing that the client sent.
    package let message: String

    /// Describes a failure; without a message of its own it has the code's.
    package init(_ code: ErrorCode, type: RequestType?, message: String? = nil) {
        self.code = code
        self.type = type
        self.message = message ?? code.message
    }

    init(_ error: JSONError, type: RequestType?) {
        switch error.reason {
        case .notAnObject: self.init(.jsonNotAnObject, type: type)
        case .duplicateName: self.init(.jsonDuplicateName, type: type)
        case .tooDeep: self.init(.jsonTooDeep, type: type)
        default:
            let message = "The body is not valid JSON: \(error.reason.rawValue), at byte \(error.offset)."
            self.init(.jsonMalformed, type: type, message: message)
        }
    }
}
