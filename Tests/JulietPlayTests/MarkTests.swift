import Testing

@testable import JulietPlay
@testable import PlayPresenter
@testable import PlayRepository
@testable import PlayUseCase
@testable import PlayView

@Suite("Marks")
struct MarkTests {
    @Test(
        "say of repeated letters what is left once the correct ones are taken",
        arguments: [
            ("SPEED", "ABIDE", "..Y.Y"), ("SPEED", "ERASE", "Y.YY."), ("SPEED", "STEAL", "G.G.."),
            ("SPEED", "CREPE", ".YGY."), ("ALLOY", "LLAMA", "YGY.."), ("EERIE", "THERE", "Y.Y.G"),
            ("LEVEL", "LEVEL", "GGGGG"), ("ÄÄÄÄÄ", "ÄRÄGÄ", "G.G.G"),
        ])
    func repeated(guess: String, secret: String, expected: String) {
        #expect(Self.text(Mark.marks(of: Array(guess), for: Array(secret))) == expected)
    }

    @Test("are what the definition says, for every guess and secret of up to five letters out of three")
    func exhaustive() {
        var count = 0
        for length in 1...5 {
            let words = Self.words(length)
            for secret in words {
                for guess in words {
                    count += 1
                    let marks = Mark.marks(of: guess, for: secret)
                    guard marks == Self.definition(guess, secret) else {
                        Issue.record("\(String(guess)) for \(String(secret)): \(Self.text(marks))")
                        return
                    }
                }
            }
        }
        #expect(count == 66_429)
    }

    /// The definition in other words: a letter that is not correct is present if fewer of its like stand left of it,
    /// not correct either, than the secret has at places that are not correct.
    private static func definition(_ guess: [Character], _ secret: [Character]) -> [Mark] {
        guess.indices.map { place in
            if guess[place] == secret[place] { return .correct }
            let open = guess.indices.filter { guess[$0] != secret[$0] }
            let before = open.filter { $0 < place && guess[$0] == guess[place] }.count
            let left = open.filter { secret[$0] == guess[place] }.count
            return before < left ? .present : .absent
        }
    }

    private static func words(_ length: Int) -> [[Character]] {
        guard length > 0 else { return [[]] }
        return words(length - 1).flatMap { word in "ABC".map { word + [$0] } }
    }

    private static func text(_ marks: [Mark]) -> String {
        marks.map { [".", "Y", "G"][$0.rawValue] }.joined()
    }
}
