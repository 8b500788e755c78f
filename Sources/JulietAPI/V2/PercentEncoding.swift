/// Percent-encoding (RFC 3986 §2.1) on both sides of the wire. `HTTPServer` has its own, for paths.
package enum PercentEncoding {
    /// The text behind an encoding; nil when an escape is broken or the bytes are not UTF-8.
    package static func decode(_ encoded: some Sequence<UInt8>) -> String? {
        var bytes: [UInt8] = []
        var rest = encoded.makeIterator()
        while let byte = rest.next() {
            if byte == UInt8(ascii: "%") {
                guard let high = rest.next().flatMap(HexDigit.value), let low = rest.next().flatMap(HexDigit.value)
                else { return nil }
                bytes.append(high << 4 | low)
            } else {
                bytes.append(byte)
            }
        }
        return String(wellFormed: bytes)
    }

    /// Encodes a text: every byte that is not kept becomes `%2F`, for instance.
    ///
    /// - Parameter keep: Which bytes stay as they are, of ASCII. Default: those that never need encoding.
    package static func encode(
        _ text: some StringProtocol, keeping keep: (UInt8) -> Bool = isUnreserved
    ) -> String {
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            if keep(byte) {
                encoded.append(byte)
            } else {
                let ten = UInt8(ascii: "A")
                encoded += [UInt8(ascii: "%"), HexDigit.of(byte >> 4, ten: ten), HexDigit.of(byte & 15, ten: ten)]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Whether a byte never needs encoding (RFC 3986 §2.3).
    package static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default:
            false
        }
    }
}

extension String {
    /// The text of bytes that are UTF-8; nil for others. `String(validating:as:)` is newer than the systems on which apps run.
    package init?(wellFormed bytes: some Collection<UInt8>) {
        let text = String(decoding: bytes, as: UTF8.self)
        // If it was not UTF-8, it has been repaired, and so differs.
        guard text.utf8.elementsEqual(bytes) else { return nil }
        self = text
    }
}
