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
