/// The character classes of RFC 9110 §5.6 and RFC 3986 §2. The switches compile to bit tests.
enum CharacterClass {
    /// tchar (RFC 9110 §5.6.2).
    @inline(__always) static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case "a"..."z", "A"..."Z", "0"..."9": true
        case "!", "#", "$", "%", "&", "'", "*", "+", "-", ".", "^", "_", "`", "|", "~": true
        default: false
        }
    }

    /// VCHAR, obs-text, SP or HTAB (RFC 9110 §5.5).
    @inline(__always) static func isFieldContent(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != 0x7F || byte == 0x09
    }

    /// SP or HTAB (RFC 9110 §5.6.3).
    @inline(__always) static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09
    }

    /// unreserved (RFC 3986 §2.3).
    @inline(__always) static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~": true
        default: false
        }
    }

    /// sub-delims (RFC 3986 §2.2).
    @inline(__always) static func isSubDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case "!", "$", "&", "'", "(", ")", "*", "+", ",", ";", "=": true
        default: false
        }
    }

    /// What a request target may hold: pchar, "/", "?" and the "%" of an encoded octet (RFC 3986 §3.3, §3.4). The
    /// brackets of an IPv6 address are looked at where an authority is due.
    @inline(__always) static func isTarget(_ byte: UInt8) -> Bool {
        switch byte {
        case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~": true
        case "!", "$", "&", "'", "(", ")", "*", "+", ",", ";", "=", ":", "@", "/", "?", "%": true
        default: false
        }
    }

    @inline(__always) static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    @inline(__always) static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

    /// The value of a hexadecimal digit, nil for anything else.
    @inline(__always) static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case "0"..."9": byte - 0x30
        case "A"..."F": byte - 0x41 + 10
        case "a"..."f": byte - 0x61 + 10
        default: nil
        }
    }
}

/// Lets a switch over bytes name ASCII characters.
@inline(__always) func ~= (pattern: Unicode.Scalar, byte: UInt8) -> Bool {
    UInt8(ascii: pattern) == byte
}

/// Lets a switch over bytes name ranges of ASCII characters.
@inline(__always) func ~= (pattern: ClosedRange<Unicode.Scalar>, byte: UInt8) -> Bool {
    byte >= UInt8(ascii: pattern.lowerBound) && byte <= UInt8(ascii: pattern.upperBound)
}

/// The bytes the grammar names.
enum ASCII {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let blank: UInt8 = 0x20
    static let quote = UInt8(ascii: "\"")
    static let percent = UInt8(ascii: "%")
    static let asterisk = UInt8(ascii: "*")
    static let comma = UInt8(ascii: ",")
    static let slash = UInt8(ascii: "/")
    static let zero = UInt8(ascii: "0")
    static let colon = UInt8(ascii: ":")
    static let semicolon = UInt8(ascii: ";")
    static let equals = UInt8(ascii: "=")
    static let questionMark = UInt8(ascii: "?")
    static let at = UInt8(ascii: "@")
    static let openBracket = UInt8(ascii: "[")
    static let closeBracket = UInt8(ascii: "]")
    static let backslash = UInt8(ascii: "\\")
}
