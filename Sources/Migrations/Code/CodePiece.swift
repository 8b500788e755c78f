import Crypto
import StrictEncoding

/// One object of the code: a function with the rights to it, a trigger, a right on a table, a comment.
///
/// It is installed over an existing one, and dropped by ``removal``.
public struct CodePiece: Sendable, Hashable {
    /// What it is.
    public enum Kind: Sendable, Hashable {
        /// A function, and the roles that may call it.
        case function(FunctionDefinition, callers: [String])
        /// A trigger on a table.
        case trigger(name: String, table: String)
        /// A right on a table or schema, for a role.
        case grant(role: String)
        /// A comment on a table, column, type or schema.
        case comment
        /// An object that a release drops at once, even if somebody may still use it.
        case withdrawal(of: String)
    }

    /// What it is.
    public let kind: Kind
    /// The object's name in the ledger of code, unique among all: `function pay_for_game(text, text, bigint)`.
    public let object: String
    /// Its file, relative to the folder of the code.
    public let file: String
    /// The statements that install it, in order: the object first, then what belongs to it.
    public private(set) var statements: [SQLStatement]
    /// SQL that drops it.
    public let removal: String

    /// SHA-256 of the statements, in hexadecimal.
    public var checksum: String { Self.checksum(statements.map(\.text)) }

    /// The function, if it is one.
    public var function: FunctionDefinition? {
        if case .function(let function, _) = kind { function } else { nil }
    }

    /// The roles that may call it; empty if it is not a function.
    public var callers: [String] {
        if case .function(_, let callers) = kind { callers } else { [] }
    }

    static func checksum(_ texts: [String]) -> String {
        Hexadecimal.encode(SHA256.hash(data: Array(texts.joined(separator: ";\n").utf8)))
    }

    // MARK: Reading

    /// The pieces of a file, in its order.
    ///
    /// - Throws: `MigrationFileError` for a statement that is not code, or is before the function it is about.
    static func pieces(of text: String, file: String) throws(MigrationFileError) -> [CodePiece] {
        do {
            var pieces: [CodePiece] = []
            for statement in try SQLStatement.statements(in: text) {
                if let piece = try CodePiece(statement, file: file) {
                    pieces.append(piece)
                } else {
                    try add(statement, to: &pieces)
                }
            }
            return pieces
        } catch {
            throw MigrationFileError(fileName: file, line: error.line, problem: error.problem)
        }
    }

    private init(kind: Kind, object: String, file: String, statements: [SQLStatement], removal: String) {
        self.kind = kind
        self.object = object
        self.file = file
        self.statements = statements
        self.removal = removal
    }

    /// The piece that a statement begins; nil when it belongs to the function before it.
    private init?(_ statement: SQLStatement, file: String) throws(SQLStatement.SyntaxError) {
        func piece(_ kind: Kind, _ object: String, removal: String) -> CodePiece {
            CodePiece(kind: kind, object: object, file: file, statements: [statement], removal: removal)
        }
        if let function = try FunctionDefinition(statement) {
            self = piece(
                .function(function, callers: []), "function \(function.signature)",
                removal: "DROP FUNCTION IF EXISTS \(function.signature)")
            return
        }
        var reader = FunctionReader(statement)
        if reader.skip("create", "or", "replace", "trigger") || reader.skip("create", "constraint", "trigger") {
            let name = try reader.name()
            while let token = reader.next(), token != .word("on") {}
            let table = try reader.name()
            self = piece(
                .trigger(name: name, table: table), "trigger \(name) on \(table)",
                removal: "DROP TRIGGER IF EXISTS \(name) ON \(table)")
        } else if reader.skip("grant") {
            guard let right = try Right(statement) else { return nil }
            self = piece(.grant(role: right.role), right.object, removal: right.removal)
        } else if reader.skip("comment", "on") {
            if reader.skip("function") { return nil }
            let subject = Self.text(&reader, upTo: "is")
            self = piece(.comment, "comment on \(subject)", removal: "COMMENT ON \(subject) IS NULL")
        } else if reader.skip("drop", "function", "if", "exists") {
            let name = try reader.name()
            let object = "function \(name)(\(try reader.bareTypes().joined(separator: ", ")))"
            self = piece(.withdrawal(of: object), "withdrawal of \(object)", removal: "")
        } else {
            throw reader.error(
                "not code: a file of code may have functions, triggers, GRANT, COMMENT and DROP FUNCTION IF EXISTS; tables, types and data are migrations"
            )
        }
    }

    /// Adds a statement about the last function to its piece.
    private static func add(
        _ statement: SQLStatement, to pieces: inout [CodePiece]
    ) throws(SQLStatement.SyntaxError) {
        var reader = FunctionReader(statement)
        var role: String?
        let isGrant = reader.skip("grant", "execute", "on", "function")
        guard isGrant || reader.skip("comment", "on", "function") else {
            throw reader.error("write a right to a function as GRANT EXECUTE ON FUNCTION name(types) TO role")
        }
        let signature = "\(try reader.name())(\(try reader.bareTypes().joined(separator: ", ")))"
        if isGrant {
            guard reader.skip("to"), case .word(let name) = reader.next(), reader.isAtEnd else {
                throw reader.error("grant a right to one role, without WITH GRANT OPTION")
            }
            role = name
        }
        guard let last = pieces.indices.last, case .function(let function, var callers) = pieces[last].kind,
            function.signature == signature
        else { throw reader.error("statements about \(signature) must be directly after the function") }
        if let role { callers.append(role) }
        pieces[last] = CodePiece(
            kind: .function(function, callers: callers), object: pieces[last].object, file: pieces[last].file,
            statements: pieces[last].statements + [statement], removal: pieces[last].removal)
    }

    private static func text(_ reader: inout FunctionReader, upTo end: String) -> String {
        var words: [String] = []
        while let token = reader.next(), token != .word(end) { words.append(token.text) }
        return words.joined(separator: " ").replacing(" . ", with: ".")
    }
}

/// A right on a table or a schema.
public struct Right: Sendable, Hashable {
    /// `select`, `usage` …
    public let privilege: String
    /// The columns it is limited to; empty: all.
    public let columns: [String]
    /// `users`, `schema juliet`
    public let subject: String
    /// Who has it.
    public let role: String

    /// Reads a `GRANT`; nil when it is about a function.
    init?(_ statement: SQLStatement) throws(SQLStatement.SyntaxError) {
        var reader = FunctionReader(statement)
        _ = reader.skip("grant")
        let privilege = try reader.name()
        if privilege == "execute" { return nil }
        var columns: [String] = []
        if !reader.skip("on") {
            columns = try reader.list().map { $0.map(\.text).joined() }
            guard reader.skip("on") else {
                throw reader.error("write one right in a statement: GRANT right ON table TO role")
            }
        }
        _ = reader.skip("table")
        let isSchema = reader.skip("schema")
        subject = (isSchema ? "schema " : "") + (try reader.name())
        guard reader.skip("to"), case .word(let role) = reader.next(), reader.isAtEnd else {
            throw reader.error("grant a right to one role, without WITH GRANT OPTION")
        }
        self.privilege = privilege
        self.columns = columns
        self.role = role
    }

    private var text: String {
        privilege + (columns.isEmpty ? "" : " (\(columns.joined(separator: ", ")))") + " on \(subject)"
    }

    var object: String { "right \(text) for \(role)" }

    var removal: String { "REVOKE \(text) FROM \(role)" }
}
