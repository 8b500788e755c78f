public import JulietAPI

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension ClientError {
    /// What the second contract says of a refusal, with the balance or the game where that helps; nil for anything else.
    ///
    /// It is decoded anew each time.
    public var problem: V2.Problem? {
        guard let body = refusal?.response.body else { return nil }
        return try? JSONDecoder().decode(V2.Problem.self, from: Data(body))
    }
}
