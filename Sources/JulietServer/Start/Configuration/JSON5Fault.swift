/// Where a text stops being JSON5, for a message. Foundation's decoder does not say it on Linux.
struct JSON5Fault: Equatable {
    /// The line, from 1.
    let line: Int
    /// The character in the line, from 1.
    let column: Int
    /// What is wrong there.
    let reason: String

    /// Looks for the first fault.
    ///
    /// - Returns: nil: there is none.
    init?(in text: String) {
        var scanner = Scanner(text)
        do {
            try scanner.document()
            return nil
        } catch {
            guard let stop = error as? Scanner.Stop else { return nil }
            let before = scanner.letters[..<stop.place]
            line = before.count { $0 == "\n" } + 1
            column = stop.place - (before.lastIndex(of: "\n") ?? -1)
            reason = stop.reason
        }
    }
}

/// Reads a text by the grammar of JSON5 (spec.json5.org), up to the first fault.
private struct Scanner {
    struct Stop: Error {
        let place: Int
        let reason: String
    }

    let letters: [Character]
    private var place = 0
    private var depth = 0
    /// Foundation's decoder takes 512 brackets in one another.
    private static let maximumDepth = 512

    init(_ text: String) {
        // A line of Windows ends with one character of two scalars.
        letters = text.map { $0 == "\r\n" ? "\n" : $0 }
    }

    private var next: Character? { place < letters.count ? letters[place] : nil }

    mutating func document() throws {
        try value()
        try skipBlanks()
        if next != nil { throw stop("something follows the end") }
    }

    private func stop(_ reason: String, at place: Int? = nil) -> Stop {
        let place = place ?? self.place
        return Stop(place: place, reason: place < letters.count ? reason : "the file ends too early")
    }

    private mutating func skipBlanks() throws {
        while let letter = next {
            if letter.isWhitespace || letter == "\u{FEFF}" {
                place += 1
            } else if letters[place...].starts(with: "//") {
                while let letter = next, !letter.isNewline { place += 1 }
            } else if letters[place...].starts(with: "/*") {
                let start = place
                place += 2
                while next != nil, !letters[place...].starts(with: "*/") { place += 1 }
                if next == nil { throw stop("this comment has no end", at: start) }
                place += 2
            } else {
                return
            }
        }
    }

    private mutating func value() throws {
        try skipBlanks()
        switch next {
        case "{": try members(until: "}", of: "a name") { scanner in try scanner.member() }
        case "[": try members(until: "]", of: "a value") { scanner in try scanner.value() }
        case "\"", "'": try text()
        default: try word()
        }
    }

    /// Reads what is between brackets, separated by commas; one may follow the last.
    private mutating func members(
        until end: Character, of what: String, _ read: (inout Scanner) throws -> Void
    ) throws {
        guard depth < Self.maximumDepth else { throw stop("more than \(Self.maximumDepth) brackets in one another") }
        depth += 1
        defer { depth -= 1 }
        place += 1
        try skipBlanks()
        while next != end {
            if next == "," { throw stop("expected \(what) or \(end) before the comma") }
            try read(&self)
            try skipBlanks()
            guard next != end else { break }
            guard next == "," else { throw stop("expected a comma or \(end)") }
            place += 1
            try skipBlanks()
        }
        place += 1
    }

    private mutating func member() throws {
        if next == "\"" || next == "'" {
            try text()
        } else {
            let start = place
            while let letter = next, letter.isLetter || letter.isNumber || letter == "_" || letter == "$" { place += 1 }
            if start == place { throw stop("expected a name or }") }
        }
        try skipBlanks()
        guard next == ":" else { throw stop("expected a colon after the name") }
        place += 1
        try value()
    }

    private mutating func text() throws {
        let start = place
        let quote = letters[place]
        place += 1
        while let letter = next, letter != quote {
            if letter == "\n" || letter == "\r" || letter == "\r\n" { throw stop("this text has no end", at: start) }
            let escape = letters[place...].prefix(6)
            if escape.starts(with: "\\u"), escape.count(where: \.isHexDigit) < 4 {
                throw stop("four hexadecimal digits must follow \\u")
            }
            place += letter == "\\" ? 2 : 1
        }
        if next == nil { throw stop("this text has no end", at: start) }
        place += 1
    }

    /// A number, true, false or null.
    private mutating func word() throws {
        let start = place
        while let letter = next, letter.isLetter || letter.isNumber || "+-._$".contains(letter) { place += 1 }
        let word = String(letters[start..<place])
        if word.isEmpty { throw stop("expected a value") }
        let isNumber =
            word.wholeMatch(
                of: #/[-+]?(0[xX][0-9a-fA-F]+|([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?|Infinity|NaN)/#) != nil
        guard isNumber || ["true", "false", "null"].contains(word) else {
            // It may be a secret.
            throw stop("this is not a value: write a text in quotes", at: start)
        }
    }
}
