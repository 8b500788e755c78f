/// A file of variables as systemd reads those that a unit names (`EnvironmentFile=`, systemd.exec(5)): `NAME=value` a line, with
/// the quotes and backslashes of a shell, but without `$` expansion.
struct EnvironmentFile: Equatable {
    /// The variables, each with the last value that it got.
    private(set) var variables: [String: String] = [:]
    /// Texts in the place of a name that are not names. systemd ignores their lines.
    private(set) var ignored: [String] = []

    /// The state of the reader, with the names of systemd's reader (`parse_env_file` in src/basic/env-file.c).
    private enum Place {
        case beforeName, name, beforeValue, value, escape, singleQuotes, doubleQuotes, escapeInDoubleQuotes
        case comment, escapeInComment
    }

    /// Reads a file's text. Every text is valid.
    init(_ text: String) {
        var (place, name, value) = (Place.beforeName, "", "")
        // The end of the value if the line ends here, without trailing blanks.
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
                // Since systemd 254 a comment ends with its line; before, a backslash continued it.
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
