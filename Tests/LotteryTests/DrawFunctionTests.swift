import Lottery
import Testing

@Suite("The draw function")
struct DrawFunctionTests {
    private let seed = [UInt8](0..<32)

    // Computed by the Python of docs/lottery.md.
    @Test(
        "makes of a seed and a list what others make of them",
        arguments: [
            ("10 0\n11 1\n12 0\n", [11, 12, 11, 10, 11, 10, 10, 12, 12, 12]),
            ((1...1000).map { "\($0) 0\n" }.joined(), [427, 587, 191, 788, 133, 618, 431, 84, 262, 710]),
        ])
    func known(text: String, numbers: [Int]) throws {
        let list = try #require(FrozenList(text: text))
        #expect(list.rounds(seed: seed).map(\.userID) == numbers)
    }

    @Test("throws numbers away that would favour the first entries, and takes the next")
    func rejection() {
        // Of such a count three go into 2^64, and a quarter is left over: which these rounds meet: 1, 2, 7, 9.
        let count = (1 << 62) + 1
        let places = (1...10).map {
            DrawFunction.place(seed: seed, listDigest: DrawFunction.digest([]), round: $0, count: count)
        }
        #expect(
            places == [
                3870031649894808809, 2751258092102448842, 1881506607712498261, 1805127116963334829, 1241342178449245529,
                2249118776554487075, 1815674096807109428, 2729411044846179537, 1850011174365960715, 4198066134712850379,
            ])
    }

    @Test("shows every entry equally often, in each round", arguments: [1, 2, 3, 7, 10, 64, 100])
    func uniformity(count: Int) {
        let digest = DrawFunction.digest([UInt8(count)])
        let draws = 200 * count
        var hits = [[Int]](repeating: [Int](repeating: 0, count: count), count: DrawFunction.rounds)
        for draw in 0..<draws {
            let seed = DrawFunction.digest([UInt8(draw & 255), UInt8(draw >> 8)])
            for (round, place) in DrawFunction.places(seed: seed, listDigest: digest, count: count).enumerated() {
                hits[round][place] += 1
            }
        }
        // Chi-square: its mean is count - 1, its variance twice that. Seeds are fixed, so this passes always or never.
        for hits in hits {
            let chi = hits.reduce(0.0) { sum, hits in
                let difference = Double(hits - draws / count)
                return sum + difference * difference / Double(draws / count)
            }
            let freedom = Double(count - 1)
            #expect(chi <= freedom + 4.5 * (2 * freedom).squareRoot(), "\(hits)")
        }
    }

    @Test("an empty list shows no names")
    func empty() { #expect(FrozenList([]).rounds(seed: seed).isEmpty) }

    @Test(
        "a text that no list was frozen to is none",
        arguments: [
            "10 0", "10 2\n", "10 0\n\n", "010 0\n", "10  0\n", "x 0\n", "10 0 \n", "10\n", "+10 0\n", "10 0\r\n", "\n",
        ])
    func malformed(text: String) { #expect(FrozenList(text: text) == nil) }

    @Test("a list is read as it was written")
    func text() throws {
        let list = FrozenList([LotteryEntry(userID: 10), LotteryEntry(userID: 9, isVoid: true)])
        #expect(list.text == "10 0\n9 1\n")
        #expect(FrozenList(text: list.text) == list)
    }
}
