/// Breaks JSON into lines, with two blanks a level. An array without objects and arrays stays on one line.
enum JSONIndentation {
    /// The same JSON for people, with a line feed at its end.
    ///
    /// - Parameter json: Valid, and without blanks.
    static func indent(_ json: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(json.count * 2)
        var level = 0
        var isInString = false
        var isEscaped = false
        var isFlat = false
        func line() { result += [UInt8(ascii: "\n")] + repeatElement(UInt8(ascii: " "), count: 2 * level) }
        for (index, byte) in json.enumerated() {
            if isInString {
                result.append(byte)
                isInString = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                continue
            }
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                result.append(byte)
                level += 1
                isFlat = isSimple(json[(index + 1)...])
                if !isFlat { line() }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                level -= 1
                if !isFlat { line() }
                isFlat = false
                result.append(byte)
            case UInt8(ascii: ","):
                result.append(byte)
                if isFlat { result.append(UInt8(ascii: " ")) } else { line() }
            case UInt8(ascii: ":"):
                result += [byte, UInt8(ascii: " ")]
            default:
                isInString = byte == UInt8(ascii: "\"")
                result.append(byte)
            }
        }
        result.append(UInt8(ascii: "\n"))
        return result
    }

    /// Whether what follows an opening bracket closes it without a member, an object or an array in between.
    private static func isSimple(_ rest: ArraySlice<UInt8>) -> Bool {
        var isInString = false
        var isEscaped = false
        for byte in rest {
            if isInString {
                isInString = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                continue
            }
            switch byte {
            case UInt8(ascii: "]"), UInt8(ascii: "}"): return true
            case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ":"): return false
            default: isInString = byte == UInt8(ascii: "\"")
            }
        }
        return true
    }
}
