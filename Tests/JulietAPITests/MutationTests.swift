import JulietAPI
import Testing

/// Seeded fuzzing: nothing traps, and what the decoders say of mutated bytes is consistent.
@Suite("Mutated bytes")
struct MutationTests {
    @Test(
        "requests: taken or refused with 400, and what is taken is read back the same",
        arguments: 0..<9 as Range<UInt64>)
    func requests(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let example = GameRequestTests.examples[Int(seed)]
        let body = Array((example.body.dropLast() + #","x":[1.5e-3,{"é\u00e9":null}]}"#).utf8)
        for _ in 0..<20_000 {
            let mutated = mutate(body, using: &random)
            let type = RequestType.peek(in: mutated.span)
            let endpoint = example.request.type.endpoint
            if let failure = failure(of: mutated, at: endpoint) {
                #expect(failure.code.status == 400)
                #expect(failure.type == type)
                let answer = Answer.failed(failure)
                #expect(try Answer.decode(answer.encoded().span, to: type) == answer)
            } else {
                let request = try GameRequest.decode(mutated.span, at: endpoint)
                #expect(request.type == type)
                #expect(try GameRequest.decode(request.encoded().span, at: endpoint) == request)
            }
        }
    }

    @Test("answers: taken or refused, and what is taken is read back the same", arguments: 100..<103 as Range<UInt64>)
    func answers(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for original in [
            Answer.game(balance: 25, word: "größe"), .refused(.statNewGameSession, .energyInsufficient, energy: 3),
        ] {
            let bytes = original.encoded()
            for _ in 0..<10_000 {
                guard let answer = try? Answer.decode(mutate(bytes, using: &random).span, to: .statNewGameSession)
                else { continue }
                #expect(try Answer.decode(answer.encoded().span, to: .statNewGameSession) == answer)
            }
        }
    }
}
