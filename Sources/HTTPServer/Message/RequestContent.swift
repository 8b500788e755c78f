/// The content of a request as it comes, piece by piece, transfer coding removed.
///
/// For a request that was received completely it is one piece, ``Request/body``. For a streamed one
/// (``Router/on(_:_:aliases:streamingUpTo:handler:)``, ``HTTPServerConfiguration/streamedBody``) the pieces come while
/// the client sends them: the connection reads at most 64 KiB ahead of the reader, and leaves the rest to TCP's flow
/// control. A client that asked for `100 Continue` gets it when the first piece is asked for.
///
/// ```swift
/// router.on(.put, "/count", streamingUpTo: 1 << 30) { request in
///     var size = 0
///     for try await piece in request.content { size += piece.count }
///     return .text("\(size) bytes\n")
/// }
/// ```
///
/// It can be read once, by one task at a time: two tasks that wait at the same time are a programmer's mistake and
/// trap. Pieces that were not read when the response ends are discarded.
public struct RequestContent: AsyncSequence, Sendable {
    /// Bytes, never none.
    public typealias Element = [UInt8]
    /// Why the content ended.
    public typealias Failure = RequestContentError

    /// Where pieces come from.
    final class Source: Sendable {
        let next: @Sendable () async throws(RequestContentError) -> [UInt8]?

        init(_ next: @escaping @Sendable () async throws(RequestContentError) -> [UInt8]?) { self.next = next }
    }

    fileprivate enum Storage {
        case whole([UInt8])
        case source(Source)
    }

    private let storage: Storage

    /// Content in memory: one piece, or none if there are no bytes.
    public init(_ bytes: [UInt8]) { storage = .whole(bytes) }

    /// What a function returns: for tests of handlers, and for middleware that looks at another content as it passes.
    ///
    /// - Parameter next: Returns the next piece, nil at the end; not called again after an end or an error.
    public init(_ next: @escaping @Sendable () async throws(RequestContentError) -> [UInt8]?) {
        storage = .source(Source(next))
    }

    init(source: Source) { storage = .source(source) }

    /// Takes it out of the request that it is stored in: nil for content that is at hand.
    var source: Source? {
        guard case .source(let source) = storage else { return nil }
        return source
    }

    /// The bytes, if they are at hand.
    var bytes: [UInt8]? {
        guard case .whole(let bytes) = storage else { return nil }
        return bytes
    }

    /// Waits for the pieces one after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var storage: Storage

        fileprivate init(_ storage: Storage) { self.storage = storage }

        /// The next piece; nil at the end.
        ///
        /// - Throws: ``RequestContentError``. Nothing more comes after it, but for
        ///   ``RequestContentError/cancelled``, after which another task may go on.
        public mutating func next() async throws(RequestContentError) -> [UInt8]? {
            switch storage {
            case .whole(let bytes):
                storage = .whole([])
                return bytes.isEmpty ? nil : bytes
            case .source(let source):
                return try await source.next()
            }
        }

        /// The same, on the caller's actor.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(RequestContentError) -> [UInt8]? {
            switch storage {
            case .whole(let bytes):
                storage = .whole([])
                return bytes.isEmpty ? nil : bytes
            case .source(let source):
                return try await source.next()
            }
        }
    }

    /// Starts, or continues where the last iterator stopped.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(storage) }

    /// All of it in one array.
    ///
    /// - Parameter limit: The most bytes to take.
    /// - Throws: ``RequestContentError/tooLarge`` when there is more, and what reading throws. What was taken is lost.
    public func collect(upTo limit: Int) async throws(RequestContentError) -> [UInt8] {
        var bytes: [UInt8] = []
        var iterator = makeAsyncIterator()
        while let piece = try await iterator.next() {
            guard piece.count <= limit - bytes.count else { throw .tooLarge }
            bytes += piece
        }
        return bytes
    }
}

/// Why the content of a request ended before its end.
///
/// A handler that streams may throw it on: the answer is then the same as for a buffered request, and the connection
/// closes, because after a request that was not read to its end no other can be found.
public enum RequestContentError: Error, Sendable, Hashable {
    /// The client has gone or sends no more; or the response is whole. 400, if there is anyone to read it.
    case connectionClosed
    /// There is more than the limit. 413.
    case tooLarge
    /// The chunked coding is broken (RFC 9112 §7.1). 400.
    case malformed
    /// Nothing came for as long as ``HTTPServerConfiguration/bodyDeadline``. 408.
    case timedOut
    /// The task that waited was cancelled. Nothing is lost: another may go on reading.
    case cancelled
}

extension RequestContentError {
    /// What the server answers where a handler throws it on; nil where that is its own failure.
    func failure(of request: Request) -> HTTPFailure? {
        switch self {
        case .connectionClosed: failure(.incomplete, request)
        case .tooLarge: failure(.bodyTooLarge, request)
        case .malformed:
            HTTPFailure(
                code: .malformed, status: .badRequest,
                message: "The chunked content is malformed (RFC 9112 section 7.1).",
                request: request)
        case .timedOut:
            HTTPFailure(
                code: .timeout, status: .requestTimeout, message: "The request did not arrive in time.",
                request: request)
        case .cancelled: nil
        }
    }

    private func failure(_ error: HTTPParseError, _ request: Request) -> HTTPFailure {
        HTTPFailure(code: error.code, status: error.status, message: error.message, request: request)
    }
}
