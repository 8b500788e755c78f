/// Breaks JSON into lines, with two blanks a level. An array without objects and arrays stays on one line.
enum JSONIndentation {
    /// The same JSON for people, with a line feed at its end.
    ///
    /// - Parameter json: Valid, and without blanks.
    static func indent(_ json: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(json.count * 2)
        var level = 0
        var isFlat = false
        var index = 0
        func line() {
            result.append(UInt8(ascii: "\n"))
            for _ in 0..<2 * level { result.append(UInt8(ascii: " ")) }
        }
        while index < json.count {
            let byte = json[index]
            switch byte {
            case UInt8(ascii: "\""):
                let end = endOfString(json, from: index)
                result += json[index..<end]
                index = end
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                result.append(byte)
                level += 1
                isFlat = isSimple(json, from: index + 1)
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
                result.append(byte)
                result.append(UInt8(ascii: " "))
            default:
                result.append(byte)
            }
            index += 1
        }
        result.append(UInt8(ascii: "\n"))
        return result
    }

    /// The index after the quote that ends the string whose first quote is at `start`.
    private static func endOfString(_ json: [UInt8], from start: Int) -> Int {
        var index = start + 1
        while index < json.count, json[index] != UInt8(ascii: "\"") {
            index += json[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index + 1, json.count)
    }

    /// Whether what follows an opening bracket closes it without a member, an object or an array in between.
    private static func isSimple(_ json: [UInt8], from start: Int) -> Bool {
        var index = start
        while index < json.count {
            switch json[index] {
            case UInt8(ascii: "]"), UInt8(ascii: "}"): return true
            case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ":"): return false
            case UInt8(ascii: "\""): index = endOfString(json, from: index)
            default: index += 1
            }
        }
        return true
    }
}
