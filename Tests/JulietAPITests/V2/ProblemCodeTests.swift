import JulietAPI
import Testing

@Suite("/v2: problem codes")
struct V2ProblemCodeTests {
    @Test("codes and statuses are stable")
    func stable() {
        #expect(
            V2.ProblemCode.allCases.map { "\($0.rawValue) \($0.status)" } == [
                "request-invalid 400", "unauthorized 401", "origin-refused 403", "not-found 404",
                "method-not-allowed 405",
                "request-timeout 408", "content-too-large 413", "uri-too-long 414", "header-fields-too-large 431",
                "too-many-requests 429", "idempotency-key-reused 422",
                "claim-refused 409", "claimed 409", "name-refused 422", "energy-insufficient 409",
                "refill-early 409", "refill-full 409",
                "game-unfinished 409", "game-over 409", "game-running 409", "no-review 409", "guess-taken 409",
                "guess-early 409", "list-unknown 422",
                "word-unknown 422", "word-refused 422", "hint-tells 422",
                "guess-hard 422", "too-many 409", "challenge-own-word 409", "challenge-over 409",
                "challenge-full 409", "not-owner 403", "league-full 409", "merge-self 409",
                "merge-unfinished 409", "energy-full 409", "transaction-refused 422",
                "passkey-refused 422", "identity-refused 422", "identity-unknown 422", "identity-taken 409",
                "identity-linked 409",
                "internal-error 500", "unavailable 503",
            ])
    }

    @Test("each says what went wrong in a few words, and what to do in a sentence", arguments: V2.ProblemCode.allCases)
    func sentences(code: V2.ProblemCode) throws {
        #expect(code.title.first?.isUppercase == true && !code.title.hasSuffix(".") && code.title.count <= 40)
        let detail = try #require(V2.Problem(code).detail)
        #expect(detail.first?.isUppercase == true && detail.contains(where: { ".…".contains($0) }))
        #expect(V2.Problem(code).type == "/problems/\(code.rawValue)")
        #expect(V2.Problem(code).knownCode == code)
    }
}
