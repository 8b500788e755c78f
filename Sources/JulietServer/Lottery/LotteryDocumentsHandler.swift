import HTTPServer
import JulietAPI
import JulietGame
import Lottery
import Postgres

/// The two documents of the lottery, at the addresses that apps use. The answer is 304 if the client's copy is current.
struct LotteryDocumentsHandler: Sendable {
    private let pages: LotteryPages

    /// Documents among these pages.
    init(pages: LotteryPages) { self.pages = pages }

    /// The documents by their paths below the base path.
    var documents: [(path: String, handler: LotteryResponder.LotteryHandler)] {
        [(DocumentRepository.usersPath, .users), (DocumentRepository.entriesPath, .entries)].map { path, document in
            (
                "/\(path)",
                { request, _ in
                    try await pages.page(.document(document))?.response(to: request) ?? .problem(V2.Problem(.notFound))
                }
            )
        }
    }
}
