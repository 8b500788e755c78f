/// The limits that a parser enforces; see `HTTPServerConfiguration`.
struct ParserLimits: Sendable {
    /// The limits for the bodies of some requests, in one object, because limits are passed several times for each request.
    private final class Bodies: Sendable {
        let sizes: [String: Int]
        let streamed: (@Sendable (Request) -> Int?)?

        init(_ sizes: [String: Int], _ streamed: (@Sendable (Request) -> Int?)?) {
            (self.sizes, self.streamed) = (sizes, streamed)
        }
    }

    let requestLineSize: Int
    let headSize: Int
    let fieldCount: Int
    var bodySize: Int
    let acceptsHTTPS: Bool
    private let bodies: Bodies?

    init(
        requestLineSize: Int = 8192, headSize: Int = 16384, fieldCount: Int = 100, bodySize: Int = 65536,
        bodySizes: [String: Int] = [:], acceptsHTTPS: Bool = false,
        streamedBody: (@Sendable (Request) -> Int?)? = nil
    ) {
        self.requestLineSize = requestLineSize
        self.headSize = headSize
        self.fieldCount = fieldCount
        self.bodySize = bodySize
        self.acceptsHTTPS = acceptsHTTPS
        bodies = bodySizes.isEmpty && streamedBody == nil ? nil : Bodies(bodySizes, streamedBody)
    }

    /// The most bytes of a body at a path with a limit of its own; 0 for other paths.
    func largerBodySize(at path: String) -> Int { bodies?.sizes[path] ?? 0 }

    /// The most bytes of a streamed body; nil for one that is received completely first.
    func streamedBodySize(of head: Request) -> Int? { bodies?.streamed?(head) }
}
