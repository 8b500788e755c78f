import JulietAPI

let user = "6A1F0C1E-4B52-4C8E-9A55-0E2D7C0B1231"

/// Decodes a body given as text.
func decode(_ body: String, at endpoint: Endpoint) throws(RequestFailure) -> GameRequest {
    try GameRequest.decode(Array(body.utf8).span, at: endpoint)
}

/// The failure a body is refused with; nil when it is taken.
func failure(of body: [UInt8], at endpoint: Endpoint) -> RequestFailure? {
    do {
        _ = try GameRequest.decode(body.span, at: endpoint)
        return nil
    } catch {
        return error
    }
}

/// The failure a body given as text is refused with; nil when it is taken.
func failure(of body: String, at endpoint: Endpoint) -> RequestFailure? {
    failure(of: Array(body.utf8), at: endpoint)
}

/// An answer as text.
func text(_ answer: Answer) -> String {
    String(decoding: answer.encoded(), as: UTF8.self)
}

/// Random numbers that a seed reproduces (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

private let splices: [[UInt8]] = [
    "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud800", "\\u0000", "\\udc00", "1e", "-", "0", ".",
    "e999999999999999999999", "null", "true",
    "\"requestType\":\"statNewGameSession\"", "\"userID\":\"v\"", "5.0", "99999999999999999999", " ", "\u{FEFF}",
    "é", "\u{0}",
    "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", "{\"a\":{\"a\":", "\"secretWord\":[\"A\"]",
].map { Array($0.utf8) }

/// Changes bytes in one to four places.
func mutate(_ seed: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
    var bytes = seed
    for _ in 0..<Int.random(in: 1...4, using: &random) {
        let position = Int.random(in: 0...bytes.count, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0 where position < bytes.count: bytes[position] = .random(in: 0...255, using: &random)
        case 1 where position < bytes.count: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 2 where position < bytes.count: bytes.remove(at: position)
        case 3: bytes.removeSubrange(position..<min(bytes.count, position + 5))
        case 4: bytes.removeSubrange(position...)
        default: bytes.insert(contentsOf: splices.randomElement(using: &random) ?? [], at: position)
        }
    }
    return bytes
}
