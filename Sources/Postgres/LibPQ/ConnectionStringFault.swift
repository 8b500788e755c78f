/// Why libpq cannot read a connection string, in its words, fit to be shown.
///
/// libpq quotes what it could not read: the password, perhaps, or all of the string. Of what it quotes, only the name of an unknown
/// parameter is kept, and only where no password can be.
struct ConnectionStringFault {
    /// Empty if libpq's words cannot be told from the string's.
    let reason: String

    /// - Parameters:
    ///   - message: libpq's. It quotes with `"`, as long as the program does not call `setlocale`.
    ///   - text: The connection string.
    init(message: String, of text: String) {
        guard !text.contains("\""), message.utf8.allSatisfy({ $0 < 0x80 }) else {
            reason = ""
            return
        }
        let line = message.split(separator: "\n").joined(separator: " ")
        reason = line.replacing(#/"([^"]*)"/#) { match in
            let isShown = ["=", "]", ":", "/"].contains(match.output.1) || Self.isParameter(match.output.1, of: text)
            return isShown ? String(match.output.0) : "\"…\""
        }
    }

    /// Whether it is the name of a parameter: in a URL behind the credentials, elsewhere before "=" and any password.
    private static func isParameter(_ word: Substring, of text: String) -> Bool {
        guard word.wholeMatch(of: #/[A-Za-z0-9_]+/#) != nil else { return false }
        let isURL = text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
        return text.ranges(of: word).contains { place in
            let before = text[..<place.lowerBound]
            guard !before.lowercased().contains("password") else { return false }
            let next = text[place.upperBound...].first { !$0.isWhitespace }
            guard isURL else { return before.last?.isWhitespace != false && next == "=" }
            return (before.last == "?" || before.last == "&") && !text[place.upperBound...].contains("@")
        }
    }
}
