/// The syntax of `uri-host [ ":" port ]` (RFC 9110 §7.2, RFC 3986 §3.2.2).
enum Authority {
    /// Whether the bytes are a host with at most one port.
    ///
    /// The host is a registered name, an IPv4 address, or an IPv6 address in brackets; not empty, since no `http` URI
    /// has an empty host (RFC 9110 §4.2.1). The port is digits, at most 65535; they may be left out behind their
    /// colon. IPvFuture addresses and zone identifiers are refused.
    static func isValid(_ bytes: Span<UInt8>, _ range: Range<Int>, portRequired: Bool = false) -> Bool {
        guard !range.isEmpty else { return false }
        let hostEnd: Int
        if bytes[range.lowerBound] == ASCII.openBracket {
            guard let close = range.first(where: { bytes[$0] == ASCII.closeBracket }),
                isIPv6(bytes, (range.lowerBound + 1)..<close)
            else { return false }
            hostEnd = close + 1
        } else {
            hostEnd = range.first { bytes[$0] == ASCII.colon } ?? range.upperBound
            guard isRegisteredName(bytes, range.lowerBound..<hostEnd) else { return false }
        }
        guard hostEnd < range.upperBound else { return !portRequired }
        guard bytes[hostEnd] == ASCII.colon else { return false }
        return isPort(bytes, range[from: hostEnd + 1], isRequired: portRequired)
    }

    /// Whether a "%" is followed by two hexadecimal digits.
    static func isPercentEncoded(_ bytes: Span<UInt8>, _ index: Int, before end: Int) -> Bool {
        index + 2 < end && CharacterClass.hexValue(bytes[index + 1]) != nil
            && CharacterClass.hexValue(bytes[index + 2]) != nil
    }

    private static func isPort(_ bytes: Span<UInt8>, _ range: Range<Int>, isRequired: Bool) -> Bool {
        guard !range.isEmpty else { return !isRequired }
        var port = 0
        for index in range {
            guard CharacterClass.isDigit(bytes[index]) else { return false }
            port = port * 10 + Int(bytes[index] - ASCII.zero)
            guard port <= 65535 else { return false }
        }
        return true
    }

    private static func isRegisteredName(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard !range.isEmpty else { return false }
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = bytes[index]
            if byte == ASCII.percent {
                guard isPercentEncoded(bytes, index, before: range.upperBound) else { return false }
                index += 2
            } else {
                guard CharacterClass.isUnreserved(byte) || CharacterClass.isSubDelimiter(byte) else { return false }
            }
            index += 1
        }
        return true
    }

    /// IPv6address: eight groups of at most four hexadecimal digits, one run of them replaced by "::", the last two
    /// maybe written as an IPv4 address.
    private static func isIPv6(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        var groups = 0
        var isCompressed = false
        var index = range.lowerBound
        if range.count >= 2, bytes[index] == ASCII.colon {
            guard bytes[index + 1] == ASCII.colon else { return false }
            isCompressed = true
            index += 2
        }
        while index < range.upperBound {
            let start = index
            while index < range.upperBound, CharacterClass.hexValue(bytes[index]) != nil { index += 1 }
            if index < range.upperBound, bytes[index] == UInt8(ascii: ".") {
                guard isIPv4(bytes, range[from: start]) else { return false }
                groups += 2
                return isCompressed ? groups <= 7 : groups == 8
            }
            guard (1...4).contains(index - start) else { return false }
            groups += 1
            guard index < range.upperBound else { break }
            guard bytes[index] == ASCII.colon, index + 1 < range.upperBound else { return false }
            index += 1
            if bytes[index] == ASCII.colon {
                guard !isCompressed else { return false }
                isCompressed = true
                index += 1
            }
        }
        return isCompressed ? groups <= 7 : groups == 8
    }

    /// Four decimal numbers up to 255 without leading zeros.
    private static func isIPv4(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        var octets = 1
        var digits = 0
        var value = 0
        for index in range {
            if bytes[index] == UInt8(ascii: ".") {
                guard digits > 0 else { return false }
                octets += 1
                digits = 0
                value = 0
            } else {
                guard CharacterClass.isDigit(bytes[index]), digits == 0 || value > 0 else { return false }
                digits += 1
                value = value * 10 + Int(bytes[index] - ASCII.zero)
                guard value <= 255 else { return false }
            }
        }
        return octets == 4 && digits > 0
    }
}
