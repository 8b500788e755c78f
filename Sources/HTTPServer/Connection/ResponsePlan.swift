/// How a response is sent on its connection.
struct ResponsePlan: Equatable {
    /// What is sent behind the head.
    enum Content {
        case none
        case bytes
        case stream
    }

    let framing: ResponseEncoder.Framing
    let persistence: ResponseEncoder.Persistence
    let content: Content
}
