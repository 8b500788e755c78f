#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Request where Response == Void {
    /// Takes every success but a web page, which is a network's log-in page or a proxy's.
    ///
    /// - Throws: `ClientError` `.unexpectedContent`.
    public static func decode(_ response: HTTPResponse) throws {
        if response.isPage { throw ClientError(.unexpectedContent) }
    }
}

extension Request where Response: Decodable {
    /// Reads the content as JSON. After a 304 an optional response is nil.
    ///
    /// - Throws: `ClientError` `.notModified` for a 304 if the response is not optional, or what the decoder throws.
    public static func decode(_ response: HTTPResponse) throws -> Response {
        if response.status == 304 {
            // Succeeds for optional types alone.
            guard let nothing = Any?.none as? Response else { throw ClientError(.notModified) }
            return nothing
        }
        return try JSONDecoder().decode(Response.self, from: Data(response.body))
    }
}

extension HTTPResponse {
    /// Whether the content is for a browser, whatever its type is said to be.
    var isPage: Bool {
        let types = ["text/html", "application/xhtml+xml"]
        if !body.isEmpty, let type = self[header: "Content-Type"]?.mediaType, types.contains(type) { return true }
        let blanks = Array(" \t\r\n".utf8) + [0xEF, 0xBB, 0xBF]
        return body.first { !blanks.contains($0) } == UInt8(ascii: "<")
    }
}
