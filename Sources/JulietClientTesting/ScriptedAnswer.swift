public import JulietClient

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a scripted transport answers.
public enum ScriptedAnswer: Sendable {
    /// An answer of any status.
    case response(HTTPResponse)
    /// No answer, with the reason: `.noNetwork`, `.timedOut`, `.connectionLost` for instance.
    case failure(ClientError.Code)
    /// A stream of events, which then ends; the data of each, in one line.
    case events([String])

    /// A value of the contract, `V2.StartedGame` for instance, or any other, as JSON.
    ///
    /// - Throws: What the encoder throws.
    public static func json(_ value: some Encodable, status: Int = 200) throws -> ScriptedAnswer {
        let body = Array(try JSONEncoder().encode(value))
        return .response(HTTPResponse(status: status, headers: headers("application/json"), body: body))
    }

    /// Any JSON.
    public static func json(text: String, status: Int = 200) -> ScriptedAnswer {
        .response(HTTPResponse(status: status, headers: headers("application/json"), body: Array(text.utf8)))
    }

    /// A success without content, as the service's: `RevokeSession` and other deletions get it.
    public static var noContent: ScriptedAnswer {
        .response(HTTPResponse(status: 204, headers: [HeaderField("X-Request-Id", "test")]))
    }

    /// A refusal of `/v2`.
    ///
    /// - Throws: What the encoder throws.
    public static func problem(_ problem: V2.Problem) throws -> ScriptedAnswer {
        .response(
            HTTPResponse(
                status: problem.status, headers: headers("application/problem+json"),
                body: Array(try JSONEncoder().encode(problem))))
    }

    private static func headers(_ type: String) -> [HeaderField] {
        [HeaderField("Content-Type", type), HeaderField("X-Request-Id", "test")]
    }
}
