extension V2 {
    /// Why a request is not accepted: the answer is 400, and nothing has happened.
    package struct RequestFault: Error, Hashable, Sendable {
        /// Where: a JSON Pointer into the body, `/word` for instance and empty for all of it, or the name of a query
        /// parameter or header field.
        package let path: String
        /// What to correct, for people. It quotes nothing that the client sent.
        package let detail: String

        /// Describes a fault.
        package init(path: String, detail: String) {
            self.path = path
            self.detail = detail
        }

        /// A member of an object is missing.
        ///
        /// - Parameter parent: A JSON Pointer to the object; empty for the body.
        static func missing(_ name: String, below parent: String = "") -> RequestFault {
            RequestFault(path: "\(parent)/\(name)", detail: "\"\(name)\" is missing.")
        }
    }
}

extension V2.Problem {
    /// The problem for a fault in a request.
    package init(_ fault: V2.RequestFault) {
        self.init(.requestInvalid, detail: fault.detail, path: fault.path)
    }
}
