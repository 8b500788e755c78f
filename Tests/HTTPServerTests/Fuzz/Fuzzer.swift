import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Makes streams by mutating good and bad ones, from a seed that is printed. A run is short; `HTTP_FUZZ_SECONDS=600`
/// makes it long, `HTTP_FUZZ_SEED=n` repeats one.
struct Fuzzer {
    private let seed: UInt64
    private let seconds: Double?
    private static let rounds = 40_000

    init() {
        seed = Self.setting("HTTP_FUZZ_SEED").flatMap { UInt64($0) } ?? .random(in: 0...UInt64.max)
        seconds = Self.setting("HTTP_FUZZ_SECONDS").flatMap(Double.init)
    }

    /// Runs the check on stream after stream until the time or the rounds are over.
    ///
    /// - Parameters:
    ///   - share: One of so many rounds is run, for dear checks.
    ///   - check: Returns what is wrong, nil if nothing is.
    mutating func run(
        share: Int = 1, _ check: ([UInt8], inout Random) async -> String?
    ) async throws {
        var random = Random(state: seed)
        var round = 0
        let start = ContinuousClock.now
        while goesOn(round * share, since: start) {
            let stream = random.stream()
            if let complaint = await check(stream, &random) { try fail(complaint, stream, round) }
            round += 1
        }
        print("fuzzing: seed \(seed), \(round) streams in \(ContinuousClock.now - start)")
    }

    private func goesOn(_ round: Int, since start: ContinuousClock.Instant) -> Bool {
        guard let seconds else { return round < Self.rounds }
        return !round.isMultiple(of: 100) || ContinuousClock.now - start < .seconds(seconds)
    }

    private func fail(_ complaint: String, _ stream: [UInt8], _ round: Int) throws {
        let text = String(decoding: stream, as: UTF8.self).debugDescription
        try #require(Bool(false), "seed \(seed), round \(round): \(complaint)\n\(text)")
    }

    private static func setting(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}

/// A generator whose numbers depend on its seed only (SplitMix64), and what is made with it.
struct Random: RandomNumberGenerator {
    var state: UInt64

    private static let corpus: [[UInt8]] =
        (RequestLineTests.methods + RequestLineTests.versions + RequestLineTests.lineEnds + RequestLineTests.targets
        + FieldLineTests.lines + FieldLineTests.hosts + FieldLineTests.connections + FieldLineTests.expectations
        + FramingTests.lengths + FramingTests.codings + FramingTests.unknown + ChunkedTests.chunks
        + ChunkedTests.extensions
        + ChunkedTests.trailers).map(\.bytes).filter { $0.count < 1000 }

    private static let words = [
        "\r\n", "\r", "\n", "\r\n\r\n", " ", "\t", ":", ";", ",", "\0", "0", "5", "F", "chunked", "Content-Length: 5",
        "Transfer-Encoding: chunked", "Host: a", "Connection: close", "HTTP/1.1", "HTTP/1.0", "GET / ", "%41", "[::1]",
        "\u{7F}", "\"", "\\", "Expect: 100-continue", "http://", "?", "#", "@", "*", "OPTIONS", "\r\n ", "0\r\n\r\n",
    ].map { Array($0.utf8) }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func stream() -> [UInt8] {
        var stream = Self.corpus[Int.random(in: 0..<Self.corpus.count, using: &self)]
        if Int.random(in: 0..<4, using: &self) == 0 {
            stream += Self.corpus[Int.random(in: 0..<Self.corpus.count, using: &self)]
        }
        for _ in 0..<Int.random(in: 0...4, using: &self) { mutate(&stream) }
        return stream
    }

    mutating func pieces(of stream: [UInt8]) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var start = 0
        while start < stream.count {
            let end = min(stream.count, start + Int.random(in: 1...24, using: &self))
            pieces.append(Array(stream[start..<end]))
            start = end
        }
        return pieces
    }

    private mutating func mutate(_ stream: inout [UInt8]) {
        let index = Int.random(in: 0...stream.count, using: &self)
        let end = min(stream.count, index + Int.random(in: 0...12, using: &self))
        let word = Self.words[Int.random(in: 0..<Self.words.count, using: &self)]
        switch Int.random(in: 0..<8, using: &self) {
        case 0 where index < stream.count: stream[index] = UInt8.random(in: 0...255, using: &self)
        case 1 where index < stream.count: stream[index] ^= 1 << UInt8.random(in: 0..<8, using: &self)
        case 2: stream.removeSubrange(index..<end)
        case 3: stream.insert(contentsOf: stream[index..<end], at: index)
        case 4: stream.insert(contentsOf: word, at: index)
        case 5: stream.replaceSubrange(index..<end, with: word)
        case 6:
            let other = Self.corpus[Int.random(in: 0..<Self.corpus.count, using: &self)]
            stream = Array(stream[..<index] + other[min(other.count, index)...])
        default:
            if index < stream.count { stream.swapAt(index, Int.random(in: 0..<stream.count, using: &self)) }
        }
    }
}
