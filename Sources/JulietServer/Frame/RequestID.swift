import Synchronization

/// Names a request in the answer (`X-Request-Id`) and the log.
struct RequestID: Sendable, CustomStringConvertible {
    /// 1 to 128 characters.
    let description: String

    /// The header of requests and answers that carries it.
    static let headerName = "X-Request-Id"

    /// Counts through a scrambled sequence (Steele, Lea and Flood, 2014) that starts at random in each process.
    private static let next = Atomic<UInt64>(.random(in: .min ... .max))

    /// Takes over the client's id when it can stand in a log line: letters, digits and `-_.:/+=`, 1 to 128 of them;
    /// otherwise makes one.
    init(proposed: String?) {
        if let proposed, (1...128).contains(proposed.utf8.count), proposed.utf8.allSatisfy(Self.isAllowed) {
            description = proposed
        } else {
            // Twelve digits of a sequence with a random start, which repeats none: a system call for each would cost
            // more than the rest of the answer. Fifteen bytes or less need no allocation.
            var bits = Self.next.wrappingAdd(0x9e37_79b9_7f4a_7c15, ordering: .relaxed).newValue
            bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
            bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
            bits ^= bits >> 31
            description = String(unsafeUninitializedCapacity: 12) { buffer in
                for index in 0..<12 {
                    let digit = UInt8(bits & 31)
                    buffer[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
                    bits >>= 5
                }
                return 12
            }
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
