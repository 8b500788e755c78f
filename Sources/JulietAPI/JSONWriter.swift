/// Appends JSON (RFC 8259) to bytes: UTF-8, no blanks, members in the order they are written.
struct JSONWriter {
    /// What has been written so far.
    private(set) var bytes: [UInt8] = []

    init(capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    mutating func openObject() {
        bytes.append(UInt8(ascii: "{"))
    }

    mutating func closeObject() {
        bytes.append(UInt8(ascii: "}"))
    }

    /// Starts a member: its value must follow.
    ///
    /// - Parameter name: A constant of ours that needs no escape.
    mutating func name(_ name: String) {
        separate(after: UInt8(ascii: "{"))
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: name.utf8)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    mutating func member(_ name: String, _ value: Int) {
        self.name(name)
        integer(value)
    }

    mutating func member(_ name: String, _ value: String) {
        self.name(name)
        string(value)
    }

    mutating func member(_ name: String, _ values: [String]) {
        self.name(name)
        bytes.append(UInt8(ascii: "["))
        for value in values {
            separate(after: UInt8(ascii: "["))
            string(value)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    /// A finished value or name never ends in an opening bracket, so the last byte tells whether a comma is due.
    private mutating func separate(after opening: UInt8) {
        if bytes.last != opening {
            bytes.append(UInt8(ascii: ","))
        }
    }

    private mutating func string(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        if text.utf8.contains(where: Self.needsEscape) {
            escaped(text)
        } else {
            bytes.append(contentsOf: text.utf8)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func escaped(_ text: String) {
        for byte in text.utf8 {
            if !Self.needsEscape(byte) {
                bytes.append(byte)
            } else if byte < 0x20 {
                bytes.append(contentsOf: "\\u00".utf8)
                bytes.append(Self.hexDigit(byte >> 4))
                bytes.append(Self.hexDigit(byte & 0xF))
            } else {
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            }
        }
    }

    private mutating func integer(_ value: Int) {
        if value < 0 {
            bytes.append(UInt8(ascii: "-"))
        }
        let magnitude = value.magnitude
        var unit: UInt = 1
        while magnitude / unit >= 10 {
            unit *= 10
        }
        while unit > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(magnitude / unit % 10))
            unit /= 10
        }
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
