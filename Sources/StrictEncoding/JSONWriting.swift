/// JSON that is written: members in the order in which they are given.
package enum JSONText {
    /// A string with its quotes, escaped where JSON asks for it.
    package static func string(_ text: String) -> String {
        var written = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": written += "\\\""
            case "\\": written += "\\\\"
            case "\u{0}"..<" ":
                let digits = String(scalar.value, radix: 16)
                written += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: written.unicodeScalars.append(scalar)
            }
        }
        return written + "\""
    }

    /// An object of members that are JSON already.
    package static func object(_ members: KeyValuePairs<String, String>) -> String {
        "{" + members.map { string($0.key) + ":" + $0.value }.joined(separator: ",") + "}"
    }

    /// An array of elements that are JSON already.
    package static func array(_ elements: [String]) -> String { "[" + elements.joined(separator: ",") + "]" }
}
