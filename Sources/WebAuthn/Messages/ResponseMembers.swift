import StrictEncoding

/// Why a text is not a response.
public struct ResponseError: Error, Sendable, Equatable {
    /// What is wrong.
    public enum Problem: Sendable, Equatable {
        /// The text is not JSON, or no object.
        case notJSON
        /// The member is not there.
        case missing
        /// The member is of another type.
        case wrongType
    }

    /// What is wrong.
    public let problem: Problem
    /// Where: a JSON Pointer (RFC 6901), for example `/response/signature`; empty for the whole text.
    public let path: String
}

/// The members of a response, by their path.
struct ResponseMembers {
    private let root: JSON

    init(_ json: [UInt8]) throws(ResponseError) {
        guard let root = JSON(json), root.members != nil else { throw ResponseError(problem: .notJSON, path: "") }
        self.root = root
    }

    /// The text of a member that must be there.
    func text(_ path: String...) throws(ResponseError) -> String {
        let place = "/" + path.joined(separator: "/")
        guard let text = try text(at: path, place) else { throw ResponseError(problem: .missing, path: place) }
        return text
    }

    /// The text of a member that may be missing, or `null`.
    func optionalText(_ path: String...) throws(ResponseError) -> String? {
        if value(at: path) == .null { return nil }
        return try text(at: path, "/" + path.joined(separator: "/"))
    }

    /// Checks the type of a member that is not read, and may be missing, or `null`.
    func check(_ path: String..., is isRight: (JSON) -> Bool) throws(ResponseError) {
        guard let value = value(at: path), value != .null, !isRight(value) else { return }
        throw ResponseError(problem: .wrongType, path: "/" + path.joined(separator: "/"))
    }

    /// Checks the two members that all responses have.
    func checkCommonMembers() throws(ResponseError) {
        try check("authenticatorAttachment") { $0.text != nil }
        try check("clientExtensionResults") { $0.members != nil }
    }

    private func text(at path: [String], _ place: String) throws(ResponseError) -> String? {
        if path.count > 1, let parent = value(at: path.dropLast()), parent.members == nil {
            throw ResponseError(problem: .wrongType, path: "/" + path.dropLast().joined(separator: "/"))
        }
        guard let value = value(at: path) else { return nil }
        guard let text = value.text else { throw ResponseError(problem: .wrongType, path: place) }
        return text.string
    }

    private func value(at path: some Collection<String>) -> JSON? {
        path.reduce(root) { (value: JSON?, name) in value?.members?[ExactText(name)] }
    }
}
