/// Appends JSON (RFC 8259) to bytes: UTF-8, no blanks, members in the order they are written.
package struct JSONWriter {
    /// What has been written so far.
    package private(set) var bytes: [UInt8] = []

    /// Starts with nothing.
    package init(capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    // MARK: Objects and arrays

    /// Begins an object: members follow.
    package mutating func openObject() {
        bytes.append(UInt8(ascii: "{"))
    }

    /// Ends the innermost object.
    package mutating func closeObject() {
        bytes.append(UInt8(ascii: "}"))
    }

    /// Begins an array: elements follow.
    package mutating func openArray() {
        bytes.append(UInt8(ascii: "["))
    }

    /// Ends the innermost array.
    package mutating func closeArray() {
        bytes.append(UInt8(ascii: "]"))
    }

    /// Starts a member: its value must follow.
    ///
    /// - Parameter name: A constant of ours that needs no escape.
    package mutating func name(_ name: String) {
        separate(after: UInt8(ascii: "{"))
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: name.utf8)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    /// Writes a member.
    ///
    /// - Parameter name: A constant of ours that needs no escape.
    package mutating func member(_ name: String, _ value: some JSONWritable) {
        self.name(name)
        value.write(to: &self)
    }

    /// Writes a member that is left out when there is no value.
    package mutating func member(_ name: String, _ value: (some JSONWritable)?) {
        guard let value else { return }
        member(name, value)
    }

    /// Writes one more element of an array.
    package mutating func element(_ value: some JSONWritable) {
        next()
        value.write(to: &self)
    }

    /// Starts one more element of an array: its value must follow.
    package mutating func next() {
        separate(after: UInt8(ascii: "["))
    }

    /// A finished value or name never ends in an opening bracket, so the last byte tells whether a comma is due.
    private mutating func separate(after opening: UInt8) {
        if bytes.last != opening {
            bytes.append(UInt8(ascii: ","))
        }
    }

    // MARK: Values

    /// Writes a value that is JSON already.
    ///
    /// - Parameter json: One complete value, which is not checked.
    package mutating func raw(_ json: some Sequence<UInt8>) {
        bytes.append(contentsOf: json)
    }

    /// Writes `true` or `false`.
    package mutating func boolean(_ value: Bool) {
        raw((value ? "true" : "false").utf8)
    }

    /// Writes a string, escaped where JSON asks for it.
    package mutating func string(_ text: String) {
        var text = text
        bytes.append(UInt8(ascii: "\""))
        // As one piece of memory: byte by byte, a game of /v2 costs half as much again.
        text.withUTF8 { text in
            if text.contains(where: Self.needsEscape) {
                escaped(text)
            } else {
                bytes.append(contentsOf: text)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func escaped(_ text: UnsafeBufferPointer<UInt8>) {
        for byte in text {
            if !Self.needsEscape(byte) {
                bytes.append(byte)
            } else if byte < 0x20 {
                bytes.append(contentsOf: "\\u00".utf8)
                bytes.append(HexDigit.of(byte >> 4))
                bytes.append(HexDigit.of(byte & 0xF))
            } else {
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            }
        }
    }

    /// Writes a finite number as a value.
    package mutating func number(_ value: Double) {
        if let integer = Int(exactly: value) { return self.integer(integer) }
        raw(value.description.utf8)
    }

    /// Writes an integer.
    package mutating func integer(_ value: Int) {
        if value < 0 {
            bytes.append(UInt8(ascii: "-"))
        }
        var magnitude = value.magnitude
        let start = bytes.count
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: magnitude % 10))
            magnitude /= 10
        } while magnitude > 0
        // The last digit came first.
        var (first, last) = (start, bytes.count - 1)
        while first < last {
            bytes.swapAt(first, last)
            first += 1
            last -= 1
        }
    }
}
