/// What a `CREATE OR REPLACE FUNCTION` statement says, in the terms of the catalog `pg_proc`.
///
/// Reads what code files use: named arguments, one language, one body, the common attributes.
public struct FunctionDefinition: Sendable, Hashable {
    /// The name, without a schema.
    public let name: String
    /// The types of the arguments that are part of the signature (`IN`, `INOUT`, `VARIADIC`), as `format_type()` prints
    /// them.
    public let argumentTypes: [String]
    /// `plpgsql`, `sql` …
    public let language: String
    /// `i`, `s` or `v`, as in `provolatile`.
    public let volatility: Character
    /// Whether a NULL argument makes the result NULL without a call.
    public let isStrict: Bool
    /// Whether it runs with its owner's rights.
    public let isSecurityDefiner: Bool
    /// The settings it runs with, as in `proconfig`: `search_path=juliet, pg_temp`.
    public let settings: [String]
    /// The text that the language gets, as in `prosrc`.
    public let body: String

    /// `pay_for_game(text, text, bigint)`
    public var signature: String { "\(name)(\(argumentTypes.joined(separator: ", ")))" }

    /// Reads a statement; nil when it makes no function.
    ///
    /// - Throws: `SQLStatement.SyntaxError` for a function that is not written as code files must be.
    init?(_ statement: SQLStatement, isCode: Bool = true) throws(SQLStatement.SyntaxError) {
        var reader = FunctionReader(statement)
        if !reader.skip("create", "or", "replace", "function") {
            guard reader.skip("create", "function") else { return nil }
            if isCode {
                throw reader.error("write CREATE OR REPLACE FUNCTION: code is installed over what is there")
            }
        }
        name = try reader.name()
        argumentTypes = try reader.argumentTypes()
        let attributes = try reader.attributes()
        guard let language = attributes.language else { throw reader.error("\(name): no LANGUAGE") }
        guard let body = attributes.body else { throw reader.error("\(name): no body AS '…'") }
        self.language = language
        self.body = body
        volatility = attributes.volatility
        isStrict = attributes.isStrict
        isSecurityDefiner = attributes.isSecurityDefiner
        settings = attributes.settings
    }

    /// The functions that migrations make because an index, a default or a generated column needs them.
    public static func made(by migrations: [Migration]) -> [FunctionDefinition] {
        migrations.flatMap(\.up).compactMap { try? FunctionDefinition($0, isCode: false) }
    }

    /// A type as `format_type()` prints it.
    static func canonical(_ type: String) -> String {
        let suffix = type.hasSuffix("[]") ? "[]" : ""
        let base = String(type.dropLast(suffix.count))
        let names = [
            "timestamptz": "timestamp with time zone", "timestamp": "timestamp without time zone", "int": "integer",
            "int4": "integer", "int8": "bigint", "int2": "smallint", "bool": "boolean", "varchar": "character varying",
            "varbit": "bit varying", "float8": "double precision", "float4": "real", "decimal": "numeric",
        ]
        return (names[base] ?? base) + suffix
    }
}

/// The attributes of a function, with PostgreSQL's defaults.
private struct FunctionAttributes {
    var language: String?
    var body: String?
    var volatility: Character = "v"
    var isStrict = false
    var isSecurityDefiner = false
    var settings: [String] = []
}

/// Goes through the tokens of a `CREATE FUNCTION` statement.
struct FunctionReader {
    private let line: Int
    private var tokens: ArraySlice<SQLToken>

    init(_ statement: SQLStatement) {
        line = statement.line
        tokens = SQLToken.tokens(of: statement)[...]
    }

    func error(_ problem: String) -> SQLStatement.SyntaxError {
        SQLStatement.SyntaxError(line: line, problem: problem)
    }

    var isAtEnd: Bool { tokens.isEmpty }

    /// Whether these words come next; if so, they are skipped.
    mutating func skip(_ words: String...) -> Bool {
        guard tokens.starts(with: words.map(SQLToken.word)) else { return false }
        tokens = tokens.dropFirst(words.count)
        return true
    }

    mutating func skip(sign: Character) -> Bool {
        guard tokens.first == .sign(sign) else { return false }
        tokens = tokens.dropFirst()
        return true
    }

    mutating func next() -> SQLToken? { tokens.popFirst() }

    /// A name without a schema: the installer decides the schema.
    mutating func name() throws(SQLStatement.SyntaxError) -> String {
        guard case .word(let name) = tokens.popFirst() else { throw error("a name is missing") }
        if tokens.first == .sign(".") { throw error("\(name).…: names of code are written without their schema") }
        return name
    }

    /// The types of the arguments in the parentheses that come next.
    mutating func argumentTypes() throws(SQLStatement.SyntaxError) -> [String] {
        var types: [String] = []
        for argument in try list() where argument.first != .word("out") {
            var words = argument[...]
            if let first = words.first, [.word("in"), .word("inout"), .word("variadic")].contains(first) {
                words = words.dropFirst()
            }
            guard words.count > 1 else { throw error("an argument must have a name and a type") }
            types.append(Self.type(words.dropFirst()))
        }
        return types
    }

    /// The types in the parentheses that come next, without names.
    mutating func bareTypes() throws(SQLStatement.SyntaxError) -> [String] {
        try list().map { Self.type($0[...]) }
    }

    /// The parts of a list in parentheses, cut at its commas.
    mutating func list() throws(SQLStatement.SyntaxError) -> [[SQLToken]] {
        guard skip(sign: "(") else { throw error("a list in parentheses is missing") }
        var items: [[SQLToken]] = []
        var item: [SQLToken] = []
        var depth = 0
        while let token = tokens.popFirst() {
            switch token {
            case .sign(")") where depth == 0:
                if !item.isEmpty { items.append(item) }
                return items
            case .sign(",") where depth == 0:
                items.append(item)
                item = []
                continue
            case .sign("("), .sign("["): depth += 1
            case .sign(")"), .sign("]"): depth -= 1
            default: break
            }
            item.append(token)
        }
        throw error("a list in parentheses is never closed")
    }

    private static func type(_ tokens: ArraySlice<SQLToken>) -> String {
        let end = tokens.firstIndex { $0 == .word("default") || $0 == .sign("=") } ?? tokens.endIndex
        let isArray = tokens[..<end].contains(.sign("["))
        let words = tokens[..<end].compactMap { if case .word(let word) = $0 { word } else { nil } }
        return FunctionDefinition.canonical(words.joined(separator: " ") + (isArray ? "[]" : ""))
    }

    fileprivate mutating func attributes() throws(SQLStatement.SyntaxError) -> FunctionAttributes {
        var found = FunctionAttributes()
        while let token = tokens.popFirst() {
            switch token {
            case .word("language"): found.language = try name()
            case .word("immutable"): found.volatility = "i"
            case .word("stable"): found.volatility = "s"
            case .word("volatile"): found.volatility = "v"
            case .word("strict"): found.isStrict = true
            case .word("security"): found.isSecurityDefiner = skip("definer")
            case .word("set"): found.settings.append(try setting())
            case .word("as"):
                guard case .string(let body) = tokens.popFirst() else { throw error("a body must be a string") }
                found.body = body
            case .word("begin") where skip("atomic"), .word("return"):
                throw error("a body must be a string: a body in BEGIN ATOMIC cannot be compared with the database")
            case .word("table") where tokens.first == .sign("("): _ = try list()
            default: break
            }
        }
        return found
    }

    /// `search_path = juliet, pg_temp`, as `proconfig` holds it.
    private mutating func setting() throws(SQLStatement.SyntaxError) -> String {
        let key = try name()
        guard skip(sign: "=") || skip("to") else { throw error("SET \(key) FROM CURRENT depends on who installs it") }
        var values: [String] = []
        repeat {
            switch tokens.popFirst() {
            case .word(let value), .string(let value), .number(let value): values.append(value)
            default: throw error("SET \(key) has no value")
            }
        } while skip(sign: ",")
        return "\(key)=\(values.joined(separator: ", "))"
    }
}
