/// The handlers of requests' outcomes, in the order they were registered.
struct QueueHandlers {
    typealias Body = @Sendable (QueueState.Ending) async -> Void

    private struct Handler {
        let token: HandlerToken
        let interest: Interest
        let tag: String?
        let body: Body
    }

    /// Which requests a handler is for.
    enum Interest {
        case all
        /// Those of a type, without a name of the app's.
        case type(any Request.Type, RequestName)
        /// Those with a name of the app's.
        case named(String)

        /// - Parameter type: The request's, if it was appended in this launch.
        fileprivate func takes(_ entry: QueueEntry, of type: (any Request.Type)?) -> Bool {
            switch self {
            case .all: true
            case .named(let name): entry.name == name
            case .type(let wanted, let name):
                entry.name == name.full && type.map { RequestName.bare($0) == RequestName.bare(wanted) } ?? true
            }
        }
    }

    private var handlers: [Handler] = []
    private var lastToken = 0

    /// - Parameter tag: Of the requests it is for; nil: any.
    mutating func add(_ interest: Interest, tag: String?, _ body: @escaping Body) -> HandlerToken {
        lastToken += 1
        let token = HandlerToken(number: lastToken)
        handlers.append(Handler(token: token, interest: interest, tag: tag, body: body))
        return token
    }

    mutating func remove(_ token: HandlerToken) {
        handlers.removeAll { $0.token == token }
    }

    func contains(_ token: HandlerToken) -> Bool {
        handlers.contains { $0.token == token }
    }

    /// The handlers that are called for a request's end.
    ///
    /// - Parameter type: The request's, if it was appended in this launch.
    func all(for entry: QueueEntry, of type: (any Request.Type)?) -> [(token: HandlerToken, body: Body)] {
        handlers.filter { ($0.tag == nil || $0.tag == entry.tag) && $0.interest.takes(entry, of: type) }
            .map { ($0.token, $0.body) }
    }
}
