/// Those who are told what becomes of requests, in the order they were registered.
struct QueueHandlers {
    typealias Body = @Sendable (QueueState.Ending) async -> Void

    private struct Handler {
        let token: HandlerToken
        let name: String?
        let tag: String?
        let body: Body

        func takes(_ entry: QueueEntry) -> Bool {
            (name == nil || name == entry.name) && (tag == nil || tag == entry.tag)
        }
    }

    private var handlers: [Handler] = []
    private var lastToken = 0

    /// - Parameters:
    ///   - name: Of the requests it is for; nil: any.
    ///   - tag: Of the requests it is for; nil: any.
    mutating func add(name: String?, tag: String?, _ body: @escaping Body) -> HandlerToken {
        lastToken += 1
        let token = HandlerToken(number: lastToken)
        handlers.append(Handler(token: token, name: name, tag: tag, body: body))
        return token
    }

    mutating func remove(_ token: HandlerToken) {
        handlers.removeAll { $0.token == token }
    }

    func contains(_ token: HandlerToken) -> Bool {
        handlers.contains { $0.token == token }
    }

    /// Those a request's end is told to.
    func all(for entry: QueueEntry) -> [(token: HandlerToken, body: Body)] {
        handlers.filter { $0.takes(entry) }.map { ($0.token, $0.body) }
    }
}
