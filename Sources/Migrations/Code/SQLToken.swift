/// A word, a value or a sign of an SQL statement, as PostgreSQL's scanner splits it (manual, "Lexical Structure").
enum SQLToken: Hashable {
    /// A key word or a name; in lower case unless it was quoted.
    case word(String)
    /// The content of a quoted or dollar-quoted string.
    case string(String)
    /// A number or a parameter, as it is spelled.
    case number(String)
    /// Any other character.
    case sign(Character)

    /// The statement's tokens; comments and white space are left out.
    static func tokens(of statement: SQLStatement) -> [SQLToken] {
        var scanner = TokenScanner(bytes: Array(statement.text.utf8))
        return scanner.scan()
    }

    /// The token as SQL that means the same.
    var text: String {
        switch self {
        case .word(let word), .number(let word): word
        case .string(let content): "'" + content.replacing("'", with: "''") + "'"
        case .sign(let sign): String(sign)
        }
    }
}

/// The scanner behind `SQLToken.tokens(of:)`. The statement was cut out before, so its quotes are closed.
private struct TokenScanner {
    let bytes: [UInt8]
    private var index = 0
    private var tokens: [SQLToken] = []

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func scan() -> [SQLToken] {
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: " "), 0x09...0x0D: index += 1
            case UInt8(ascii: "-") where follows("--"): skip { $0 == UInt8(ascii: "\n") }
            case UInt8(ascii: "/") where follows("/*"): skipBlockComment()
            case UInt8(ascii: "'"): tokens.append(.string(quoted(by: byte)))
            case UInt8(ascii: "\""): tokens.append(.word(quoted(by: byte)))
            case UInt8(ascii: "$"): scanDollar()
            case _ where Self.isWordStart(byte): scanWord()
            case UInt8(ascii: "0")...UInt8(ascii: "9"): tokens.append(.number(run(where: Self.isNumber)))
            default:
                tokens.append(.sign(Character(UnicodeScalar(byte))))
                index += 1
            }
        }
        return tokens
    }

    private func follows(_ text: StaticString) -> Bool { bytes[index...].starts(with: text.description.utf8) }

    private mutating func skip(until isEnd: (UInt8) -> Bool) {
        while index < bytes.count, !isEnd(bytes[index]) { index += 1 }
    }

    private mutating func skipBlockComment() {
        var depth = 0
        repeat {
            if follows("/*") {
                depth += 1
                index += 2
            } else if follows("*/") {
                depth -= 1
                index += 2
            } else {
                index += 1
            }
        } while depth > 0 && index < bytes.count
    }

    private mutating func run(where isPart: (UInt8) -> Bool) -> String {
        let first = index
        while index < bytes.count, isPart(bytes[index]) { index += 1 }
        return String(decoding: bytes[first..<index], as: UTF8.self)
    }

    /// The content between two quotes, a doubled quote being one.
    private mutating func quoted(by quote: UInt8) -> String {
        index += 1
        var content: [UInt8] = []
        while index < bytes.count {
            if bytes[index] == quote {
                guard index + 1 < bytes.count, bytes[index + 1] == quote else { break }
                index += 1
            }
            content.append(bytes[index])
            index += 1
        }
        index += 1
        return String(decoding: content, as: UTF8.self)
    }

    private mutating func scanDollar() {
        var end = index + 1
        while end < bytes.count, Self.isWordStart(bytes[end]) || (Self.isDigit(bytes[end]) && end > index + 1) {
            end += 1
        }
        guard end < bytes.count, bytes[end] == UInt8(ascii: "$") else {
            index += 1
            tokens.append(.number("$" + run(where: Self.isDigit)))
            return
        }
        let tag = Array(bytes[index...end])
        let first = index + tag.count
        var sign = bytes.place(of: UInt8(ascii: "$"), from: first)
        while let place = sign, !bytes[place...].starts(with: tag) {
            sign = bytes.place(of: UInt8(ascii: "$"), from: place + 1)
        }
        index = sign ?? bytes.count
        tokens.append(.string(String(decoding: bytes[first..<index], as: UTF8.self)))
        index += tag.count
    }

    private mutating func scanWord() {
        let word = run { Self.isWordStart($0) || Self.isDigit($0) || $0 == UInt8(ascii: "$") }
        tokens.append(.word(word.lowercased()))
    }

    private static func isNumber(_ byte: UInt8) -> Bool { isDigit(byte) || byte == UInt8(ascii: ".") }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isWordStart(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "_") || byte >= 0x80
    }
}
