import EventLoop

/// Names a request in the answer (`X-Request-Id`) and the log.
struct RequestID: Sendable, CustomStringConvertible {
    /// 1 to 128 characters.
    let description: String

    /// The header it comes and goes in.
    static let headerName = "X-Request-Id"

    private static let alphabet = Array("0123456789abcdefghijklmnopqrstuv".utf8)

    /// Takes over the client's id when it can stand in a log line: letters, digits and `-_.:/+=`, 1 to 128 of them;
    /// otherwise makes one.
    init(proposed: String?) {
        if let proposed, (1...128).contains(proposed.utf8.count), proposed.utf8.allSatisfy(Self.isAllowed) {
            description = proposed
        } else {
            // 75 random bits; fifteen bytes need no allocation.
            var random = SystemRandomNumberGenerator()
            var bits = (random.next() as UInt64, random.next() as UInt64)
            var text = ""
            for index in 0..<15 {
                if index == 12 { swap(&bits.0, &bits.1) }
                text.unicodeScalars.append(Unicode.Scalar(Self.alphabet[Int(bits.0 & 31)]))
                bits.0 >>= 5
            }
            description = text
        }
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
            UInt8(ascii: ":"), UInt8(ascii: "/"), UInt8(ascii: "+"), UInt8(ascii: "="):
            true
        default: false
        }
    }
}
