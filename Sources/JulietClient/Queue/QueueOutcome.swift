/// The outcome of a request, of which there is exactly one.
public enum QueueOutcome<Response: Sendable>: Sendable {
    /// The server did it and answered.
    case success(Response)
    /// It will not be tried again.
    case failure(ClientError)
    /// It was cancelled. The server may have done it, if an attempt was under way or its answer was lost.
    case aborted(AbortReason)

    /// The response, or an error for everything else.
    ///
    /// - Throws: `ClientError`; `.aborted` or `.replaced` for a request that was cancelled.
    public func get() throws(ClientError) -> Response {
        switch self {
        case .success(let response): return response
        case .failure(let error): throw error
        case .aborted(.cancelled): throw ClientError(.aborted)
        case .aborted(.replaced): throw ClientError(.replaced)
        }
    }

    /// The same with a response read.
    func map<Other: Sendable>(_ read: (Response) throws(ClientError) -> Other) -> QueueOutcome<Other> {
        switch self {
        case .success(let response):
            do throws(ClientError) {
                return .success(try read(response))
            } catch {
                return .failure(error)
            }
        case .failure(let error): return .failure(error)
        case .aborted(let reason): return .aborted(reason)
        }
    }
}

/// Why a request was cancelled.
public enum AbortReason: Hashable, Sendable {
    /// Someone cancelled it.
    case cancelled
    /// A newer one with the same uniquing key took its place.
    case replaced
}

extension ClientError.Code {
    /// The queued request was cancelled.
    public static let aborted = ClientError.Code(rawValue: "aborted")
    /// A newer queued request with the same uniquing key took its place.
    public static let replaced = ClientError.Code(rawValue: "replaced")
    /// The queue was closed before the request ended: it continues when the queue is opened again.
    public static let queueClosed = ClientError.Code(rawValue: "queueClosed")
    /// The request that should have created the subject of this one failed. Nothing was sent.
    public static let parentFailed = ClientError.Code(rawValue: "parentFailed")
    /// The response does not contain the identifier of what was created.
    public static let missingIdentifier = ClientError.Code(rawValue: "missingIdentifier")
    /// The server's identifier of what was created cannot be used in this request's path, or path or query of a request that
    /// no queue sends has a local identifier. Nothing was sent.
    public static let unusableIdentifier = ClientError.Code(rawValue: "unusableIdentifier")
    /// The response has another identifier than the local identifier has already.
    public static let conflictingIdentifier = ClientError.Code(rawValue: "conflictingIdentifier")
    /// Another player than the journal's is signed in, or nobody. Nothing was sent: the queue waits for `resume()`.
    public static let otherOwner = ClientError.Code(rawValue: "otherOwner")
    /// The journal's record of the request is damaged: it is in the file of damaged records. Nothing was sent now.
    public static let damagedRecord = ClientError.Code(rawValue: "damagedRecord")
}
