import CLibPQ

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Owns one `PGconn`; `deinit` and ``close()`` are the only callers of `PQfinish`.
///
/// After `close()` the pointer is NULL, which every function of libpq takes for a connection that is bad.
@safe struct ConnectionHandle: ~Copyable {
    private var pointer: OpaquePointer?
    private var notices: Unmanaged<NoticeReceiver>?
    /// Reused from statement to statement: where each value lies, and that each is binary.
    private var values: [UnsafePointer<CChar>?] = unsafe []
    private var formats: [Int32] = []

    /// Begins to connect without blocking (libpq, `PQconnectStartParams`). Names of hosts must have been resolved.
    ///
    /// - Parameter settings: Keywords and values; a later one wins, and the first `dbname` may be a connection string.
    init(settings: [(keyword: String, value: String)]) {
        let texts = unsafe settings.flatMap { unsafe [strdup($0.keyword), strdup($0.value)] }
        defer { unsafe texts.forEach { unsafe free($0) } }
        var keywords: [UnsafePointer<CChar>?] = unsafe []
        var values: [UnsafePointer<CChar>?] = unsafe []
        for index in stride(from: 0, to: unsafe texts.count, by: 2) {
            unsafe keywords.append(UnsafePointer(texts[index]))
            unsafe values.append(UnsafePointer(texts[index + 1]))
        }
        unsafe keywords.append(nil)
        unsafe values.append(nil)
        unsafe pointer = unsafe PQconnectStartParams(keywords, values, 1)
        // So that the text says the SQLSTATE of a refusal: `ConnectionRefusal`.
        _ = unsafe PQsetErrorVerbosity(pointer, PQERRORS_VERBOSE)
        unsafe notices = nil
    }

    deinit {
        unsafe PQfinish(pointer)
        unsafe notices?.release()
    }

    /// Closes the session and its socket, and frees the `PGconn`. Cancel the socket's registration first.
    mutating func close() {
        unsafe PQfinish(pointer)
        unsafe pointer = nil
    }

    // MARK: Connecting

    /// What to wait for while connecting.
    enum Progress { case reading, writing, connected, failed }

    /// The next step of connecting (`PQconnectPoll`). The socket may be another one afterwards.
    func connectPoll() -> Progress {
        switch unsafe PQconnectPoll(pointer) {
        case PGRES_POLLING_OK: .connected
        case PGRES_POLLING_READING: .reading
        case PGRES_POLLING_WRITING: .writing
        default: .failed
        }
    }

    /// The socket, -1 if there is none. Ask anew after every step of connecting.
    var descriptor: Int32 { unsafe PQsocket(pointer) }

    /// Whether the connection is lost or was never made.
    var isBad: Bool { unsafe PQstatus(pointer) == CONNECTION_BAD }

    /// All options in effect (libpq, `PQconninfo`); to be freed with `PQconninfoFree`.
    func options() -> UnsafeMutablePointer<PQconninfoOption>? { unsafe PQconninfo(pointer) }

    /// Where the connection goes.
    var address: ConnectionSettings.Address {
        func text(_ value: UnsafePointer<CChar>?) -> String { unsafe value.map { unsafe String(cString: $0) } ?? "" }
        return unsafe ConnectionSettings.Address(
            name: text(PQhost(pointer)), address: text(PQhostaddr(pointer)), port: text(PQport(pointer)))
    }

    /// Says that the connection is made: from now on libpq's texts are its usual ones.
    func endConnecting() { _ = unsafe PQsetErrorVerbosity(pointer, PQERRORS_DEFAULT) }

    /// Why the attempt to connect failed.
    var refusal: ConnectionRefusal { ConnectionRefusal(verbose: errorMessage) }

    /// libpq's text about the last failure: it may name hosts and users, never a password.
    var errorMessage: String {
        guard let text = unsafe PQerrorMessage(pointer) else { return "" }
        return unsafe trimmed(String(cString: text))
    }

    /// The server's version, `150004` for 15.4; 0 if not connected.
    var serverVersion: Int { Int(unsafe PQserverVersion(pointer)) }

    /// The process that serves this session.
    var backendPID: Int { Int(unsafe PQbackendPID(pointer)) }

    /// A setting that the server reports, such as `server_version` or `in_hot_standby`.
    func parameterStatus(_ name: String) -> String? {
        guard let value = unsafe PQparameterStatus(pointer, name) else { return nil }
        return unsafe String(cString: value)
    }

    /// Where the session stands with transactions, as of the last synchronisation.
    var transactionState: TransactionState {
        switch unsafe PQtransactionStatus(pointer) {
        case PQTRANS_IDLE: .idle
        case PQTRANS_ACTIVE: .active
        case PQTRANS_INTRANS: .open
        case PQTRANS_INERROR: .failed
        default: .unknown
        }
    }

    /// Whether no transaction is known to be open; also while further answers of a pipeline are due.
    var isOutsideTransaction: Bool {
        switch transactionState {
        case .open, .failed: false
        case .idle, .active, .unknown: true
        }
    }

    /// How many notices have been parsed; parses what has been read.
    var noticeCount: Int {
        _ = isBusy
        return unsafe notices?.takeUnretainedValue().count ?? 0
    }

    /// Whether the socket has bytes that nobody has read.
    var hasInput: Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&waiting, 1, 0) > 0
    }

    /// Whether what nobody has read ends with the server's word that it is ready for the next statement (PostgreSQL,
    /// "Message Formats", ReadyForQuery). Within another message that cannot stand: a text ends with one zero, and a notice with
    /// two.
    ///
    /// No for an encrypted session. There each of the server's messages comes in a record of its own, which libpq reads alone.
    var isReadyForQueryWaiting: Bool {
        guard unsafe PQsslInUse(pointer) == 0, unsafe PQgssEncInUse(pointer) == 0 else { return false }
        let (socket, size) = (descriptor, 6)
        var room = 1 << 16
        while true {
            var count = 0
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, initialized in
                count = unsafe recv(socket, buffer.baseAddress, room, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
                initialized = max(0, count)
            }
            if count == room {
                room *= 2
                continue
            }
            guard count >= size else { return false }
            let end = bytes.suffix(size)
            return end.starts(with: [UInt8(ascii: "Z"), 0, 0, 0, 5]) && "ITE".utf8.contains(end[count - 1])
        }
    }

    /// Whether TLS has decrypted bytes that libpq has not fetched: the socket does not tell of them.
    ///
    /// A record larger than the room in libpq's buffer stays inside of OpenSSL. libpq offers its `SSL *`, but no way to
    /// ask it, so the function is looked up in the library that libpq uses; without it the answer is no.
    var hasBufferedBytes: Bool {
        guard let ssl = unsafe PQsslStruct(pointer, "OpenSSL"), let pending = unsafe Self.sslPending else {
            return false
        }
        return unsafe pending(ssl) > 0
    }

    private typealias SSLPending = @convention(c) (UnsafeMutableRawPointer) -> Int32

    private static let sslPending: SSLPending? = {
        guard let symbol = unsafe dlsym(dlopen(nil, RTLD_LAZY), "SSL_pending") else { return nil }
        return unsafe unsafeBitCast(symbol, to: SSLPending.self)
    }()

    /// Whether a transaction of the session was committed here and perhaps not on the synchronous standby: it was asked to stop
    /// while it waited for that one. The server warns, and reports it like any commit (`SyncRepWaitForLSN`).
    ///
    /// Known only while notices are received.
    var hasDoubtfulCommit: Bool { unsafe notices?.takeUnretainedValue().hasDoubtfulCommit ?? false }

    /// Hands notices to a closure, in the calls that read from the server.
    mutating func receiveNotices(_ handler: @escaping (PostgresNotice) -> Void) {
        unsafe notices?.release()
        let receiver = unsafe Unmanaged.passRetained(NoticeReceiver(handler))
        unsafe notices = unsafe receiver
        unsafe PQsetNoticeReceiver(
            pointer, { context, result in unsafe NoticeReceiver.receive(context, result) }, receiver.toOpaque())
    }

    // MARK: Sending

    /// Makes sending never wait for the socket.
    func setNonBlocking() -> Bool { unsafe PQsetnonblocking(pointer, 1) == 0 }

    /// Switches to pipeline mode, and out of single-row mode. Only between exchanges, and before a statement is sent.
    ///
    /// libpq ends single-row mode only when it sends the next statement outside of pipeline mode: the first one of a
    /// pipeline would still be in it. A statement that is refused at once does as well; nothing is sent, and the text
    /// about the refusal goes with the pipeline's first statement.
    func enterPipelineMode() -> Bool {
        _ = unsafe PQsendQuery(pointer, nil)
        return unsafe PQenterPipelineMode(pointer) == 1
    }

    /// Switches back. Only between exchanges.
    func exitPipelineMode() -> Bool { unsafe PQexitPipelineMode(pointer) == 1 }

    var isInPipelineMode: Bool { unsafe PQpipelineStatus(pointer) != PQ_PIPELINE_OFF }

    /// Queues a `Parse` under a name.
    func sendPrepare(name: String, sql: String, types: [UInt32]) -> Bool {
        unsafe PQsendPrepare(pointer, name, sql, Int32(types.count), types) == 1
    }

    /// Queues the execution of a prepared statement, with binary results.
    mutating func sendPrepared(name: String, _ parameters: borrowing Parameters) -> Bool {
        unsafe withValues(parameters) { pointer, values, formats, parameters in
            unsafe PQsendQueryPrepared(
                pointer, name, Int32(parameters.count), values, parameters.lengths, formats, 1) == 1
        }
    }

    /// Queues an unnamed statement, with binary results.
    mutating func sendUnnamed(sql: String, _ parameters: borrowing Parameters) -> Bool {
        unsafe withValues(parameters) { pointer, values, formats, parameters in
            unsafe PQsendQueryParams(
                pointer, sql, Int32(parameters.count), parameters.types, values, parameters.lengths, formats, 1) == 1
        }
    }

    /// Sends a script by the simple protocol, which takes several statements. Not in pipeline mode.
    func sendScript(_ sql: String) -> Bool { unsafe PQsendQuery(pointer, sql) == 1 }

    /// Has the rows of the statement just sent come one by one (libpq, "Retrieving Query Results Row-by-Row").
    func enterSingleRowMode() -> Bool { unsafe PQsetSingleRowMode(pointer) == 1 }

    /// Queues a sync point: the end of an implicit transaction.
    func sendSync() -> Bool { unsafe PQpipelineSync(pointer) == 1 }

    /// What has become of the bytes that were queued.
    enum FlushOutcome { case done, pending, failed }

    /// Writes what is queued as far as the socket takes it.
    func flush() -> FlushOutcome {
        switch unsafe PQflush(pointer) {
        case 0: .done
        case 1: .pending
        default: .failed
        }
    }

    /// Queues data of a `COPY … FROM STDIN`: at most what a message to the server may hold, 1 GiB without its header.
    func putCopyData(_ bytes: ArraySlice<UInt8>) -> Bool {
        unsafe bytes.withUnsafeBytes { buffer in
            let base = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            return unsafe PQputCopyData(pointer, base, Int32(clamping: buffer.count)) == 1
        }
    }

    /// Ends a copy, or makes it fail with a reason.
    func putCopyEnd(failure: String?) -> Bool {
        if let failure { unsafe PQputCopyEnd(pointer, failure) == 1 } else { unsafe PQputCopyEnd(pointer, nil) == 1 }
    }

    // MARK: Receiving

    /// Reads what the server has sent. `false`: the connection is lost; what had come before can still be taken.
    func consumeInput() -> Bool { unsafe PQconsumeInput(pointer) == 1 }

    /// Whether the next result has not come in full yet.
    var isBusy: Bool { unsafe PQisBusy(pointer) == 1 }

    /// The next result; `nil` after the last one of a statement. Only when not busy, or it waits.
    func nextResult() -> ResultHandle? {
        guard let result = unsafe PQgetResult(pointer) else { return nil }
        return unsafe ResultHandle(result)
    }

    /// What a look for the next data of a `COPY … TO STDOUT` has brought.
    enum CopyProgress { case data, pending, ended, failed }

    /// Appends the next data, as a rule one row, if it has come in full. After the end results are due (libpq,
    /// `PQgetCopyData`, asynchronous).
    func takeCopyData(into buffer: inout [UInt8]) -> CopyProgress {
        var data: UnsafeMutablePointer<CChar>?
        let count = unsafe PQgetCopyData(pointer, &data, 1)
        switch count {
        case 0: return .pending
        case -1: return .ended
        case 1...:
            unsafe buffer.append(contentsOf: UnsafeRawBufferPointer(start: data, count: Int(count)))
            unsafe PQfreemem(data)
            return .data
        default: return .failed
        }
    }

    /// The next notification that has come (libpq, "Asynchronous Notification").
    func nextNotification() -> PostgresNotification? {
        guard let notify = unsafe PQnotifies(pointer) else { return nil }
        defer { unsafe PQfreemem(notify) }
        return unsafe PostgresNotification(
            channel: String(cString: notify.pointee.relname), payload: String(cString: notify.pointee.extra),
            processID: Int(notify.pointee.be_pid))
    }

    /// What is needed to ask the server to stop the current statement, from any thread.
    func makeCanceller() -> Canceller? {
        guard let cancel = unsafe PQgetCancel(pointer) else { return nil }
        return unsafe Canceller(cancel)
    }

    private mutating func withValues(
        _ parameters: borrowing Parameters,
        _ body: (
            OpaquePointer?, [UnsafePointer<CChar>?], [Int32], borrowing Parameters
        ) -> Bool
    ) -> Bool {
        unsafe values.removeAll(keepingCapacity: true)
        while formats.count < parameters.count { formats.append(1) }
        return unsafe parameters.writer.bytes.withUnsafeBytes { bytes in
            for offset in parameters.offsets {
                let value = offset < 0 ? nil : unsafe bytes.baseAddress?.advanced(by: offset)
                unsafe values.append(value?.assumingMemoryBound(to: CChar.self))
            }
            return unsafe body(pointer, values, formats, parameters)
        }
    }
}

/// libpq ends its messages with line feeds.
func trimmed(_ text: String) -> String {
    var text = Substring(text)
    while let last = text.last, last.isNewline || last == " " { text.removeLast() }
    return String(text)
}

/// Where a session stands with transactions (libpq, `PQtransactionStatus`).
public enum TransactionState: Sendable {
    /// No transaction is open.
    case idle
    /// A statement is under way.
    case active
    /// A transaction is open.
    case open
    /// A transaction is open and has failed: only a rollback ends it.
    case failed
    /// The connection is lost.
    case unknown
}
