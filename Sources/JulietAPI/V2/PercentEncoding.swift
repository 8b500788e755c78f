/// Percent-encoding (RFC 3986 §2.1).
package enum PercentEncoding {
    /// The text behind an encoding; nil when an escape is broken or the bytes are not UTF-8.
    package static func decode(_ encoded: some Sequence<UInt8>) -> String? {
        var bytes: [UInt8] = []
        var rest = encoded.makeIterator()
        while let byte = rest.next() {
            if byte == UInt8(ascii: "%") {
                guard let high = rest.next().flatMap(value), let low = rest.next().flatMap(value) else { return nil }
                bytes.append(high << 4 | low)
            } else {
                bytes.append(byte)
            }
        }
        return String(wellFormed: bytes)
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
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
