public import LotteryEntities

/// Users and entries from the two documents, from any place: over HTTP, with any client of an app.
///
/// ```swift
/// DocumentRepository { path in
///     Array(try await URLSession.shared.data(from: service.appending(path: path)).0)
/// }
/// ```
public struct DocumentRepository: ParticipantRepository {
    /// Where the document of users is, below the service's address.
    public static let usersPath = "API/SimpleLottery/users.json"
    /// Where the document of those who take part is.
    public static let entriesPath = "API/SimpleLottery/usersInLottery.json"

    private let fetch: @Sendable (String) async throws -> [UInt8]

    /// Reads documents.
    ///
    /// - Parameter fetch: Gets what is at a path; throws unless the answer is 200.
    public init(fetch: @escaping @Sendable (_ path: String) async throws -> [UInt8]) { self.fetch = fetch }

    /// All users, in the order of the document.
    ///
    /// - Throws: What `fetch` throws; `LotteryDocumentError`.
    public func users() async throws -> [LotteryUser] {
        try LotteryDocuments.users(in: try await fetch(Self.usersPath))
    }

    /// Those who take part, in the order of the document.
    ///
    /// - Throws: What `fetch` throws; `LotteryDocumentError`.
    public func entries() async throws -> [LotteryEntry] {
        try LotteryDocuments.entries(in: try await fetch(Self.entriesPath))
    }
}
