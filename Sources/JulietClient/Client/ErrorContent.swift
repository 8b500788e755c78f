#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension ClientError.Refusal {
    /// Reads the answers this product gives: the envelope's `error`, and problem details (RFC 9457) with a `code`.
    ///
    /// An answer of any other kind is a refusal with a status alone. It counts as the service's own (`isOfService`) if
    /// it is a complete envelope or problem of the contracts and its status is that of the answer. Similar answers of
    /// others do not count.
    public init(reading response: HTTPResponse) {
        let content = try? JSONDecoder().decode(ErrorContent.self, from: Data(response.body))
        self.init(
            status: response.status, code: content?.error?.code ?? content?.code,
            message: content?.error?.message ?? content?.detail ?? content?.title, response: response,
            isOfService: content?.isOfService(status: response.status) ?? false)
    }
}

/// The content of error bodies of both kinds.
private struct ErrorContent: Decodable {
    struct Problem: Decodable {
        let code: String
        let message: String
    }

    struct Inner: Decodable {
        let dynamoDBInvocationHttpsStatusCode: Int?
    }

    let error: Problem?
    let lambdaInvocationHttpsStatusCode: Int?
    let body: Inner?

    let code: String?
    let title: String?
    let detail: String?
    let type: String?
    let status: Int?

    func isOfService(status answered: Int) -> Bool {
        if error != nil, let outer = lambdaInvocationHttpsStatusCode, let body {
            return answered == max(outer, body.dynamoDBInvocationHttpsStatusCode ?? outer)
        }
        guard let code, title != nil else { return false }
        return type == "/problems/\(code)" && status == answered
    }
}
