/// One statement of an SQL file, which ends where PostgreSQL's grammar ends it.
///
/// Migrations run statement by statement, so that a failure names the line it began on.
public struct SQLStatement: Sendable, Hashable {
    /// The text from its first to its last character, without the semicolon and without comments before it.
    public let text: String
    /// The line of the file on which the statement begins, counted from 1.
    public let line: Int
    /// Its key words and names, at most 12: enough to tell what kind it is. In upper case, which PostgreSQL folds like
    /// any other, but for quoted names; `schema.table` is one word.
    let words: [String]
}

extension SQLStatement {
    /// Why a text cannot be split into statements.
    struct SyntaxError: Error, Hashable {
        let line: Int
        let problem: String
    }

    /// Splits a text into its statements.
    ///
    /// It understands everything that can contain a semicolon: quoted strings and names, `E'\''`, dollar quotes, line comments,
    /// nested block comments, parentheses, and `BEGIN ATOMIC … END` bodies
    /// (PostgreSQL manual, "Lexical Structure"; psql's scanner does the same).
    ///
    /// - Parameters:
    ///   - text: SQL in UTF-8 with LF line ends.
    ///   - firstLine: The number of its first line in the file.
    static func statements(in text: some StringProtocol, firstLine: Int = 1) throws(SyntaxError) -> [SQLStatement] {
        var splitter = StatementSplitter(bytes: Array(text.utf8), line: firstLine)
        return try splitter.split()
    }
}

/// The scanner behind `SQLStatement.statements(in:firstLine:)`: one pass over the bytes.
private struct StatementSplitter {
    private let bytes: [UInt8]
    private var index = 0
    private var line: Int
    private var statements: [SQLStatement] = []

    /// Where the statement under way began; nil between statements.
    private var start: (index: Int, line: Int)?
    private var words: [String] = []
    private var parentheses = 0
    /// Open `BEGIN ATOMIC` and `CASE` blocks, inside which a semicolon ends nothing.
    private var blocks = 0

    init(bytes: [UInt8], line: Int) {
        self.bytes = bytes
        self.line = line
    }

    mutating func split() throws(SQLStatement.SyntaxError) -> [SQLStatement] {
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\u{0C}"): advance()
            case UInt8(ascii: "-") where follows("--"): skipLineComment()
            case UInt8(ascii: "/") where follows("/*"): try skipBlockComment()
            case UInt8(ascii: ";") where parentheses == 0 && blocks == 0: endStatement()
            case UInt8(ascii: "'"): try skipQuoted(by: UInt8(ascii: "'"), backslashEscapes: false)
            case UInt8(ascii: "\""):
                let first = index
                try skipQuoted(by: UInt8(ascii: "\""), backslashEscapes: false)
                record(String(decoding: bytes[first..<index], as: UTF8.self), from: first)
            case UInt8(ascii: "$"): try skipDollarQuoteOrParameter()
            case let byte where isWordStart(byte): try scanWord()
            case let byte:
                begin()
                if byte == UInt8(ascii: "(") { parentheses += 1 }
                if byte == UInt8(ascii: ")") { parentheses -= 1 }
                advance()
            }
        }
        endStatement()
        return statements
    }

    private mutating func begin() {
        if start == nil { start = (index, line) }
    }

    private mutating func endStatement() {
        if let start {
            var end = index
            while end > start.index, isBlank(bytes[end - 1]) { end -= 1 }
            let text = String(decoding: bytes[start.index..<end], as: UTF8.self)
            statements.append(SQLStatement(text: text, line: start.line, words: words))
        }
        start = nil
        words = []
        parentheses = 0
        blocks = 0
        if index < bytes.count { advance() }
    }

    private mutating func advance(by count: Int = 1) {
        for _ in 0..<count where index < bytes.count {
            if bytes[index] == UInt8(ascii: "\n") { line += 1 }
            index += 1
        }
    }

    private func follows(_ text: StaticString) -> Bool {
        bytes[index...].starts(with: text.description.utf8)
    }

    private mutating func skipLineComment() {
        index = bytes.place(of: UInt8(ascii: "\n"), from: index) ?? bytes.count
    }

    private mutating func skipBlockComment() throws(SQLStatement.SyntaxError) {
        let opened = line
        var depth = 0
        repeat {
            guard index < bytes.count else {
                throw SQLStatement.SyntaxError(line: opened, problem: "this comment is never closed")
            }
            if follows("/*") {
                depth += 1
                advance(by: 2)
            } else if follows("*/") {
                depth -= 1
                advance(by: 2)
            } else {
                advance()
            }
        } while depth > 0
    }

    private mutating func skipQuoted(by quote: UInt8, backslashEscapes: Bool) throws(SQLStatement.SyntaxError) {
        begin()
        let opened = line
        advance()
        while index < bytes.count {
            if backslashEscapes, bytes[index] == UInt8(ascii: "\\") {
                advance(by: 2)
            } else if bytes[index] != quote {
                advance()
            } else if index + 1 < bytes.count, bytes[index + 1] == quote {
                advance(by: 2)
            } else {
                advance()
                return
            }
        }
        throw SQLStatement.SyntaxError(line: opened, problem: "this quote is never closed")
    }

    private mutating func skipDollarQuoteOrParameter() throws(SQLStatement.SyntaxError) {
        begin()
        let opened = line
        var end = index + 1
        while end < bytes.count, isWordStart(bytes[end]) || (isDigit(bytes[end]) && end > index + 1) { end += 1 }
        guard end < bytes.count, bytes[end] == UInt8(ascii: "$") else {
            advance()
            return
        }
        let tag = bytes[index...end]
        advance(by: tag.count)
        while let sign = bytes.place(of: UInt8(ascii: "$"), from: index) {
            while let end = bytes.place(of: UInt8(ascii: "\n"), from: index), end < sign {
                line += 1
                index = end + 1
            }
            index = sign
            let isEnd = bytes[sign...].starts(with: tag)
            advance(by: isEnd ? tag.count : 1)
            if isEnd { return }
        }
        throw SQLStatement.SyntaxError(line: opened, problem: "this dollar quote is never closed")
    }

    private mutating func scanWord() throws(SQLStatement.SyntaxError) {
        begin()
        let first = index
        while index < bytes.count,
            isWordStart(bytes[index]) || isDigit(bytes[index]) || bytes[index] == UInt8(ascii: "$")
        {
            index += 1
        }
        let word = String(decoding: bytes[first..<index], as: UTF8.self).uppercased()
        if index < bytes.count, bytes[index] == UInt8(ascii: "'"), word == "E" {
            try skipQuoted(by: UInt8(ascii: "'"), backslashEscapes: true)
            return
        }
        // Only the body of a routine may hold semicolons outside quotes, and there CASE has an END of its own.
        if word == "ATOMIC", words.first == "CREATE" { blocks += 1 }
        if word == "CASE", blocks > 0 { blocks += 1 }
        if word == "END", blocks > 0 { blocks -= 1 }
        record(word, from: first)
    }

    private mutating func record(_ word: String, from first: Int) {
        if first > 0, bytes[first - 1] == UInt8(ascii: "."), let qualifier = words.last {
            words[words.count - 1] = "\(qualifier).\(word)"
        } else if words.count < 12 {
            words.append(word)
        }
    }

    private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private func isWordStart(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "_") || byte >= 0x80
    }
}

extension [UInt8] {
    /// Where a byte is next; nil: nowhere. A build for debugging finds it ten times as fast as by their subscript.
    func place(of byte: UInt8, from start: Int) -> Int? {
        withUnsafeBufferPointer { bytes in
            var index = start
            while index < bytes.count {
                if bytes[index] == byte { return index }
                index += 1
            }
            return nil
        }
    }
}
