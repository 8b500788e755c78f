#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension ClientError.Refusal {
    /// Reads the answers this product gives: the envelope's `error`, and problem details (RFC 9457) with a `code`.
    ///
    /// An answer of any other kind is a refusal with a status alone.
    public init(reading response: HTTPResponse) {
        let content = try? JSONDecoder().decode(ErrorContent.self, from: Data(response.body))
        self.init(
            status: response.status, code: content?.error?.code ?? content?.code,
            message: content?.error?.message ?? content?.detail ?? content?.title, response: response)
    }
}

/// What error bodies say, of either kind.
private struct ErrorContent: Decodable {
    struct Problem: Decodable {
        let code: String
        let message: String
    }

    let error: Problem?
    let code: String?
    let title: String?
    let detail: String?
}
