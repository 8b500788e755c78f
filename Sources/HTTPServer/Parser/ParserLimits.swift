/// What a parser enforces; see `HTTPServerConfiguration`.
struct ParserLimits: Sendable {
    var requestLineSize = 8192
    var headSize = 16384
    var fieldCount = 100
    var bodySize = 65536
    var bodySizes: [String: Int] = [:]
    var acceptsHTTPS = false
}
