import CLibPQ

/// Owns one `PGresult`; `deinit` is the only caller of `PQclear`.
@safe struct ResultHandle: ~Copyable {
    private let pointer: OpaquePointer

    @unsafe init(_ pointer: OpaquePointer) { unsafe self.pointer = unsafe pointer }

    deinit { unsafe PQclear(pointer) }

    /// What kind of result this is, as far as the module tells them apart.
    enum Status {
        /// Done, perhaps with rows.
        case done
        /// The server refused, or the connection broke.
        case failed
        /// A sync point: what came before it is committed or rolled back.
        case sync
        /// Skipped, because a statement before it failed.
        case aborted
        /// The server waits for data.
        case copyIn
        /// The server sends data.
        case copyOut
        /// One row of several, in single-row mode.
        case row
        /// Something that no caller asks for, such as the start of replication.
        case unexpected
    }

    var status: Status {
        switch unsafe PQresultStatus(pointer) {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: .done
        case PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE: .failed
        case PGRES_PIPELINE_SYNC: .sync
        case PGRES_PIPELINE_ABORTED: .aborted
        case PGRES_COPY_IN: .copyIn
        case PGRES_COPY_OUT: .copyOut
        case PGRES_SINGLE_TUPLE: .row
        default: .unexpected
        }
    }

    var rowCount: Int { Int(unsafe PQntuples(pointer)) }

    /// What the last column has in each row; `nil`: it is no `bigint` in binary, or is NULL somewhere.
    func lastIntegers() -> [Int]? {
        let column = unsafe PQnfields(pointer) - 1
        guard column >= 0, unsafe PQftype(pointer, column) == PostgresType.int8.oid,
            unsafe PQfformat(pointer, column) == 1
        else { return nil }
        var integers: [Int] = []
        integers.reserveCapacity(rowCount)
        for row in 0..<(unsafe PQntuples(pointer)) {
            guard unsafe PQgetlength(pointer, row, column) == 8, let bytes = unsafe PQgetvalue(pointer, row, column)
            else { return nil }
            let bigEndian = unsafe UnsafeRawPointer(bytes).loadUnaligned(as: Int64.self)
            integers.append(Int(Int64(bigEndian: bigEndian)))
        }
        return integers
    }

    /// How many bytes it takes (libpq, `PQresultMemorySize`).
    var memorySize: Int { unsafe PQresultMemorySize(pointer) }

    /// Appends the first row of a result with the same columns (libpq, `PQsetvalue`); without columns nothing is appended.
    /// `false`: no memory.
    func append(_ other: borrowing ResultHandle) -> Bool {
        let row = unsafe PQntuples(pointer)
        for column in 0..<(unsafe PQnfields(pointer)) {
            let isNull = unsafe PQgetisnull(other.pointer, 0, column) != 0
            let value = unsafe isNull ? nil : PQgetvalue(other.pointer, 0, column)
            let length = unsafe isNull ? -1 : PQgetlength(other.pointer, 0, column)
            guard unsafe PQsetvalue(pointer, row, column, value, length) != 0 else { return false }
        }
        return true
    }

    /// How many rows the command changed, or returned; 0 for commands that count none.
    var affectedRows: Int {
        guard let text = unsafe PQcmdTuples(pointer) else { return 0 }
        return Int(unsafe String(cString: text)) ?? 0
    }

    /// What the server calls the command, such as `INSERT 0 1`; empty if it failed.
    var commandTag: String {
        guard let text = unsafe PQcmdStatus(pointer) else { return "" }
        return unsafe String(cString: text)
    }

    /// What reads the rows, at the first one. It must not outlive the result.
    ///
    /// - Parameter hiddenColumns: How many columns at the end it does not show.
    func makeDecoder(hiddenColumns: Int = 0) -> RowDecoder {
        unsafe RowDecoder(result: pointer, hiddenColumns: hiddenColumns)
    }

    /// Whether it was the server that reported an error. Those that libpq makes have no SQLSTATE, those of PgBouncer no
    /// severity that is the same in all languages: neither knows what the server has committed.
    var isServers: Bool {
        unsafe PQresultErrorField(pointer, PG_DIAG_SQLSTATE) != nil
            && PQresultErrorField(pointer, PG_DIAG_SEVERITY_NONLOCALIZED) != nil
    }

    var error: PostgresError {
        let sqlState = field(PG_DIAG_SQLSTATE).flatMap { SQLState($0) }
        // Without an SQLSTATE it is libpq that speaks: the connection broke.
        var error = PostgresError(sqlState == nil ? .outcomeUnknown : .server)
        error.sqlState = sqlState
        error.severity = field(PG_DIAG_SEVERITY_NONLOCALIZED)
        error.schema = field(PG_DIAG_SCHEMA_NAME)
        error.table = field(PG_DIAG_TABLE_NAME)
        error.column = field(PG_DIAG_COLUMN_NAME)
        error.constraint = field(PG_DIAG_CONSTRAINT_NAME)
        error.position = field(PG_DIAG_STATEMENT_POSITION).flatMap { Int($0) }
        error.routine = field(PG_DIAG_SOURCE_FUNCTION)
        error.serverMessage = field(PG_DIAG_MESSAGE_PRIMARY) ?? message
        let more = [field(PG_DIAG_MESSAGE_DETAIL), field(PG_DIAG_MESSAGE_HINT)].compactMap { $0 }
        error.serverDetail = more.isEmpty ? nil : more.joined(separator: "\n")
        return error
    }

    private var message: String? {
        guard let text = unsafe PQresultErrorMessage(pointer) else { return nil }
        return unsafe trimmed(String(cString: text))
    }

    private func field(_ code: Int32) -> String? {
        guard let text = unsafe PQresultErrorField(pointer, code) else { return nil }
        return unsafe String(cString: text)
    }
}

// Macros of postgres_ext.h, which are character literals that Swift does not import.
private let PG_DIAG_SEVERITY_NONLOCALIZED = Int32(UInt8(ascii: "V"))
private let PG_DIAG_SQLSTATE = Int32(UInt8(ascii: "C"))
private let PG_DIAG_MESSAGE_PRIMARY = Int32(UInt8(ascii: "M"))
private let PG_DIAG_MESSAGE_DETAIL = Int32(UInt8(ascii: "D"))
private let PG_DIAG_MESSAGE_HINT = Int32(UInt8(ascii: "H"))
private let PG_DIAG_STATEMENT_POSITION = Int32(UInt8(ascii: "P"))
private let PG_DIAG_SCHEMA_NAME = Int32(UInt8(ascii: "s"))
private let PG_DIAG_TABLE_NAME = Int32(UInt8(ascii: "t"))
private let PG_DIAG_COLUMN_NAME = Int32(UInt8(ascii: "c"))
private let PG_DIAG_CONSTRAINT_NAME = Int32(UInt8(ascii: "n"))
private let PG_DIAG_SOURCE_FUNCTION = Int32(UInt8(ascii: "R"))
