import EventLoop
import Testing

@testable import HTTPServer
@testable import HTTPServerTesting

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Mutated requests. A run is short; `HTTP_FUZZ_SECONDS=600` makes it long, `HTTP_FUZZ_SEED=n` repeats one.
@Suite("Fuzzing", .serialized)
struct FuzzTests {
    @Test("whatever comes: no crash, the same reading however it is split, and nothing the RFCs forbid is let in")
    func parser() async throws {
        var fuzzer = Fuzzer()
        let limits = ParserLimits(requestLineSize: 120, headSize: 400, fieldCount: 12, bodySize: 64)
        try await fuzzer.run { stream, random in
            let whole = Reading(of: [stream], limits)
            let split = Reading(of: random.pieces(of: stream), limits)
            guard whole == split else { return "whole: \(whole), in pieces: \(split)" }
            return Oracle.complaint(about: stream, limits)
        }
    }

    @Test("whatever comes: each request gets a response, a broken one the last", .timeLimit(.minutes(60)))
    func connection() async throws {
        let loop = try EventLoop(label: "fuzz")
        defer { loop.shutdown() }
        var fuzzer = Fuzzer()
        try await fuzzer.run(share: 100) { stream, random in
            let client = await HTTPTestClient.inProcess(on: loop) { request in Response(body: .bytes(request.body)) }
            for piece in random.pieces(of: stream) { await client.send(piece) }
            await client.endOutput()
            let bytes = await client.rest()
            await client.close()
            return Oracle.complaint(aboutResponses: bytes, to: stream)
        }
    }
}

/// Makes streams by mutating good and bad ones, from a seed that is printed.
private struct Fuzzer {
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
private struct Random: RandomNumberGenerator {
    var state: UInt64

    private static let corpus: [[UInt8]] =
        (RequestLineTests.methods + RequestLineTests.versions + RequestLineTests.lineEnds + RequestLineTests.targets
        + FieldLineTests.lines + FieldLineTests.hosts + FieldLineTests.connections + FieldLineTests.expectations
        + FramingTests.lengths + FramingTests.codings + FramingTests.unknown + ChunkedTests.chunks + ChunkedTests.extensions
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

/// What must hold of any reading, decided without the parser's own code.
private enum Oracle {
    /// Reads the stream and looks for requests that should not have been let in, or that end where they should not.
    static func complaint(about stream: [UInt8], _ limits: ParserLimits) -> String? {
        var parser = RequestParser()
        var start = 0
        while start < stream.count {
            var position = start
            do {
                try parser.consume(stream.span, &position, limits: limits)
            } catch {
                return nil
            }
            guard let request = parser.takeRequest(from: SocketAddress(127, 0, 0, 1, port: 1)) else { return nil }
            if let complaint = complaint(about: request, readFrom: Array(stream[start..<position]), limits) {
                return complaint
            }
            start = position
        }
        return nil
    }

    private static func complaint(about request: Request, readFrom bytes: [UInt8], _ limits: ParserLimits) -> String? {
        var bytes = bytes
        var emptyLines = 0
        while bytes.starts(with: [13, 10]) {
            bytes.removeFirst(2)
            emptyLines += 1
        }
        if emptyLines > 4 { return "too many empty lines" }
        guard let headEnd = bytes.firstRange(of: [13, 10, 13, 10]) else { return "no end of the head" }
        let head = Array(bytes[..<headEnd.lowerBound])
        let body = Array(bytes[headEnd.upperBound...])
        var lines = split(head)
        if lines.contains(where: { $0.contains { $0 != 9 && $0 < 32 || $0 == 127 } }) { return "a control character" }
        let parts = lines.removeFirst().split(separator: 32, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[2] == Array("HTTP/1.1".utf8)[...] || parts[2] == Array("HTTP/1.0".utf8)[...]
        else {
            return "a bad request line"
        }
        if parts[1].contains(where: { $0 <= 32 || $0 >= 127 || "\"<>\\^`{|}#".utf8.contains($0) }) {
            return "a bad target"
        }
        var values: [String: [String]] = [:]
        for line in lines {
            guard let colon = line.firstIndex(of: 58), colon > 0, line[0] != 32, line[0] != 9, line[colon - 1] != 32,
                line[colon - 1] != 9
            else { return "a bad field line" }
            let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
            let value = String(decoding: line[(colon + 1)...], as: UTF8.self)
            let isBlank = { (character: Character) in character == " " || character == "\t" }
            let start = value.firstIndex { !isBlank($0) } ?? value.endIndex
            let end = value.lastIndex { !isBlank($0) }.map(value.index(after:)) ?? start
            values[name, default: []].append(String(value[start..<end]))
        }
        if lines.count > limits.fieldCount || lines.count != request.headers.count { return "the number of fields" }
        if values["host", default: []].count > 1 { return "two hosts" }
        if request.version == .http11, values["host"] == nil { return "no host" }
        let lengths = values["content-length", default: []]
        let codings = values["transfer-encoding", default: []]
        if codings.isEmpty {
            guard lengths.count <= 1, let length = Int(lengths.first ?? "0"), length >= 0, length <= limits.bodySize
            else {
                return "a bad length"
            }
            return body.count == length && body == request.body ? nil : "the body ends elsewhere"
        }
        guard codings.count == 1, codings[0].lowercased() == "chunked", lengths.isEmpty, request.version == .http11
        else {
            return "a bad transfer coding"
        }
        return decode(body) == request.body ? nil : "the chunks end elsewhere"
    }

    /// Decodes chunks the simple way; nil if that fails.
    private static func decode(_ body: [UInt8]) -> [UInt8]? {
        var rest = body[...]
        var decoded: [UInt8] = []
        while true {
            guard let lineEnd = rest.firstRange(of: [13, 10]) else { return nil }
            let line = String(decoding: rest[..<lineEnd.lowerBound], as: UTF8.self)
            let digits = line.prefix { $0.isASCII && $0.isHexDigit }
            guard let size = Int(digits, radix: 16) else { return nil }
            rest = rest[lineEnd.upperBound...]
            if size == 0 { break }
            guard rest.count >= size + 2 else { return nil }
            decoded += rest.prefix(size)
            rest = rest.dropFirst(size)
            guard rest.starts(with: [13, 10]) else { return nil }
            rest = rest.dropFirst(2)
        }
        // What is left are trailer fields and the empty line.
        return rest == [13, 10] || rest.suffix(4) == [13, 10, 13, 10] ? decoded : nil
    }

    private static func split(_ head: [UInt8]) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var rest = head[...]
        while let end = rest.firstRange(of: [13, 10]) {
            lines.append(Array(rest[..<end.lowerBound]))
            rest = rest[end.upperBound...]
        }
        return lines + [Array(rest)]
    }

    /// Whether the responses are those the reading of the stream asks for.
    static func complaint(aboutResponses bytes: [UInt8], to stream: [UInt8]) -> String? {
        var expected: [(method: String, closes: Bool)] = []
        var parser = RequestParser()
        var position = 0
        var fails = false
        while position < stream.count, !fails, expected.last?.closes != true {
            do {
                try parser.consume(stream.span, &position, limits: ParserLimits())
            } catch {
                fails = true
                continue
            }
            if let request = parser.takeRequest(from: SocketAddress(127, 0, 0, 1, port: 1)) {
                expected.append((request.method.rawValue, !request.isKeepAlive || request.method == .connect))
            }
        }
        if expected.last?.closes != true, parser.hasBegun { fails = true }
        var rest = bytes
        var methods = expected.map(\.method)[...]
        var last: HTTPTestResponse?
        while !rest.isEmpty {
            let method = HTTPMethod(rawValue: methods.first ?? "")
            var parsed = try? HTTPTestResponse.parse(rest, hasEnded: true, method: method)
            // A broken HEAD request is answered without content.
            if parsed == nil, methods.isEmpty {
                parsed = try? HTTPTestResponse.parse(rest, hasEnded: true, method: .head)
            }
            guard let (response, count) = parsed else {
                return "no response: \(String(decoding: rest, as: UTF8.self).debugDescription)"
            }
            rest.removeFirst(count)
            if response.status == 100 { continue }
            last = response
            if methods.isEmpty {
                guard fails, rest.isEmpty, response.status >= 400 else { return "a response nobody asked for" }
                guard response.headers["Connection"] == "close" else { return "no close behind a broken request" }
                return nil
            }
            methods.removeFirst()
        }
        if !methods.isEmpty { return "\(methods.count) requests without a response" }
        if fails, last?.headers["Connection"] != "close" { return "no answer to a broken request" }
        return nil
    }
}
