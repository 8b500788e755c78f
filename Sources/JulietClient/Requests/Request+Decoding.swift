#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Request where Response == Void {
    /// Takes every success.
    public static func decode(_ response: HTTPResponse) {}
}

extension Request where Response: Decodable {
    /// Reads the content as JSON.
    public static func decode(_ response: HTTPResponse) throws -> Response {
        try JSONDecoder().decode(Response.self, from: Data(response.body))
    }
}
