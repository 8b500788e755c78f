/// A file of variables as systemd reads those that a unit names (`EnvironmentFile=`, systemd.exec(5)): `NAME=value` a line, with
/// the quotes and backslashes of a shell but nothing that a shell puts in for `$`.
struct EnvironmentFile: Equatable {
    /// The variables, each with the last value that it got.
    private(set) var variables: [String: String] = [:]
    /// What stands where a name should and is none: systemd passes over the line.
    private(set) var ignored: [String] = []

    /// Where the reader is, by the names of systemd's own (`parse_env_file` in src/basic/env-file.c).
    private enum Place {
        case beforeName, name, beforeValue, value, escape, singleQuotes, doubleQuotes, escapeInDoubleQuotes
        case comment, escapeInComment
    }

    /// Reads a file's text. There is no text that is none.
    init(_ text: String) {
        var (place, name, value) = (Place.beforeName, "", "")
        // Up to where the value is kept if a line ends here: what is blank at its end is not part of it.
        var kept = ""
        func isBlank(_ letter: Unicode.Scalar) -> Bool { " \t\n\r".unicodeScalars.contains(letter) }
        func isLineEnd(_ letter: Unicode.Scalar) -> Bool { letter == "\n" || letter == "\r" }

        for letter in text.unicodeScalars {
            switch place {
            case .beforeName:
                if letter == "#" || letter == ";" {
                    place = .comment
                } else if !isBlank(letter) {
                    place = .name
                    name.unicodeScalars.append(letter)
                }
            case .name:
                if isLineEnd(letter) {
                    (place, name) = (.beforeName, "")
                } else if letter == "=" {
                    place = .beforeValue
                } else {
                    name.unicodeScalars.append(letter)
                }
            case .beforeValue where isLineEnd(letter), .value where isLineEnd(letter):
                take(name, place == .value ? kept : value)
                (place, name, value, kept) = (.beforeName, "", "", "")
            case .beforeValue where letter == "'": place = .singleQuotes
            case .beforeValue where letter == "\"": place = .doubleQuotes
            case .beforeValue where letter == "\\", .value where letter == "\\":
                place = .escape
            case .beforeValue where isBlank(letter): break
            case .beforeValue, .value:
                place = .value
                value.unicodeScalars.append(letter)
                if !isBlank(letter) { kept = value }
            case .escape:
                place = .value
                if !isLineEnd(letter) { value.unicodeScalars.append(letter) }
                kept = value
            case .singleQuotes:
                if letter == "'" { place = .beforeValue } else { value.unicodeScalars.append(letter) }
            case .doubleQuotes:
                if letter == "\"" {
                    place = .beforeValue
                } else if letter == "\\" {
                    place = .escapeInDoubleQuotes
                } else {
                    value.unicodeScalars.append(letter)
                }
            case .escapeInDoubleQuotes:
                place = .doubleQuotes
                if "\"\\`$".unicodeScalars.contains(letter) {
                    value.unicodeScalars.append(letter)
                } else if letter != "\n" {
                    value.unicodeScalars.append("\\")
                    value.unicodeScalars.append(letter)
                }
            case .comment:
                if letter == "\\" { place = .escapeInComment } else if isLineEnd(letter) { place = .beforeName }
            case .escapeInComment:
                // A comment goes on no further than its line since systemd 254; before, it did.
                place = isLineEnd(letter) ? .beforeName : .comment
            }
        }
        switch place {
        case .beforeName, .name, .comment, .escapeInComment: break
        case .value: take(name, kept)
        case .beforeValue, .escape, .singleQuotes, .doubleQuotes, .escapeInDoubleQuotes: take(name, value)
        }
    }

    private mutating func take(_ name: String, _ value: String) {
        var name = name[...]
        while name.last?.isWhitespace == true { name.removeLast() }
        let isName =
            name.first?.isNumber == false
            && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        if isName { variables[String(name)] = value } else { ignored.append(String(name)) }
    }
}
