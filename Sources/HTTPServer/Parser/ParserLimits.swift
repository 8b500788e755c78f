/// What a parser enforces; see `HTTPServerConfiguration`.
struct ParserLimits: Sendable {
    /// What holds for the bodies of some requests: one object, since the limits are passed on several times a request.
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

    /// The most bytes of a body at a path where it may be larger than elsewhere; 0 at the others.
    func largerBodySize(at path: String) -> Int { bodies?.sizes[path] ?? 0 }

    /// The most bytes of a body that is handed over as it comes; nil for one that is gathered first.
    func streamedBodySize(of head: Request) -> Int? { bodies?.streamed?(head) }
}
