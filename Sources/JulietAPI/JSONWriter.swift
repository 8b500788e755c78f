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
    mutating func name(_ name: String) {
        separate(after: UInt8(ascii: "{"))
        string(name)
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
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20:
                bytes.append(contentsOf: "\\u00".utf8)
                bytes.append(Self.hexDigit(byte >> 4))
                bytes.append(Self.hexDigit(byte & 0xF))
            default:
                bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func integer(_ value: Int) {
        if value < 0 {
            bytes.append(UInt8(ascii: "-"))
        }
        let start = bytes.count
        var rest = value.magnitude
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
