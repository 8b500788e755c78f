import JulietAPI
import Testing

/// Seeded fuzzing: nothing traps, and what the decoders say of mutated bytes is consistent.
@Suite("Mutated bytes")
struct MutationTests {
    private static let splices: [[UInt8]] = [
        "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud800", "\\u0000", "\\udc00", "1e", "-", "0", ".",
        "e999999999999999999999", "null", "true",
        "\"requestType\":\"statNewGameSession\"", "\"userID\":\"v\"", "5.0", "99999999999999999999", " ", "\u{FEFF}",
        "é", "\u{0}",
        "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", "{\"a\":{\"a\":", "\"secretWord\":[\"A\"]",
    ].map { Array($0.utf8) }

    private func mutate(_ seed: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
        var bytes = seed
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let position = Int.random(in: 0...bytes.count, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0 where position < bytes.count: bytes[position] = .random(in: 0...255, using: &random)
            case 1 where position < bytes.count: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 2 where position < bytes.count: bytes.remove(at: position)
            case 3: bytes.removeSubrange(position..<min(bytes.count, position + 5))
            case 4: bytes.removeSubrange(position...)
            default: bytes.insert(contentsOf: Self.splices.randomElement(using: &random) ?? [], at: position)
            }
        }
        return bytes
    }

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
