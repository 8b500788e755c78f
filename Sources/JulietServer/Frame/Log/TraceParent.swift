/// The place of a request in a trace across services (W3C Trace Context, `traceparent`).
struct TraceParent: Sendable {
    /// 32 hexadecimal digits, the same for all requests of the trace.
    let traceID: String

    /// The header it comes in.
    static let headerName = "traceparent"
    /// The header of the answer that carries it (W3C Trace Context, the draft after level 2).
    static let responseHeaderName = "traceresponse"

    /// Reads a header's value. nil for a malformed one, which counts as none (§3.2): a version of two digits other than
    /// ff, trace and parent that are not all zero, flags; a newer version may say more after another hyphen.
    init?(_ fieldValue: String?) {
        guard let fieldValue else { return nil }
        let bytes = Array(fieldValue.utf8)
        let hyphen = UInt8(ascii: "-")
        guard bytes.count >= 55, bytes[2] == hyphen, bytes[35] == hyphen, bytes[52] == hyphen,
            Self.isHexadecimal(bytes[..<2]), bytes[..<2] != [UInt8(ascii: "f"), UInt8(ascii: "f")],
            Self.isIdentifier(bytes[3..<35]), Self.isIdentifier(bytes[36..<52]), Self.isHexadecimal(bytes[53..<55]),
            bytes.count == 55 || bytes[..<2] != [UInt8(ascii: "0"), UInt8(ascii: "0")] && bytes[55] == hyphen
        else { return nil }
        traceID = String(decoding: bytes[3..<35], as: UTF8.self)
    }

    /// The value in the answer: the same trace, and an id for the work of this service, which is not recorded.
    var response: String {
        let id = String(UInt64.random(in: 1 ... .max), radix: 16)
        return "00-\(traceID)-\(String(repeating: "0", count: 16 - id.utf8.count))\(id)-00"
    }

    private static func isIdentifier(_ bytes: ArraySlice<UInt8>) -> Bool {
        isHexadecimal(bytes) && bytes.contains { $0 != UInt8(ascii: "0") }
    }

    private static func isHexadecimal(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
        }
    }
}
