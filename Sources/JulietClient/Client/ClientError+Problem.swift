public import JulietAPI

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension ClientError {
    /// The problem details of a refusal by `/v2`, with the balance or the game if that helps; nil for anything else.
    ///
    /// It is decoded each time.
    public var problem: V2.Problem? {
        guard let body = refusal?.response.body else { return nil }
        return try? JSONDecoder().decode(V2.Problem.self, from: Data(body))
    }
}
