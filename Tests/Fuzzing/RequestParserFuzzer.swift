/// The target of `scripts/fuzz-http`, compiled together with the parser's sources: whatever the bytes, the parser does
/// not trap, and reads the same whether they come whole, seven at a time, or one by one.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRequestParser(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let stream = Array(UnsafeBufferPointer(start: start, count: count))
    let whole = Reading(of: stream, inPiecesOf: max(1, count))
    for size in [1, 7] {
        let pieces = Reading(of: stream, inPiecesOf: size)
        if pieces != whole { fatalError("whole: \(whole), in pieces of \(size): \(pieces)") }
    }
    return 0
}

private struct Reading: Equatable {
    var requests: [String] = []
    var error: HTTPParseError?

    /// Small, so that the fuzzer reaches them.
    private static let limits = ParserLimits(requestLineSize: 120, headSize: 400, fieldCount: 12, bodySize: 64)

    init(of stream: [UInt8], inPiecesOf size: Int) {
        var parser = RequestParser()
        for start in stride(from: 0, to: stream.count, by: size) {
            let piece = Array(stream[start..<min(stream.count, start + size)])
            var position = 0
            while position < piece.count {
                do {
                    try parser.consume(piece.span, &position, limits: Self.limits)
                } catch {
                    self.error = error
                    return
                }
                guard let request = parser.takeRequest(from: SocketAddress(127, 0, 0, 1, port: 1)) else { continue }
                let fields = request.headers.map { "\($0.name)=\($0.value)" }
                requests.append(
                    "\(request.method) \(request.path) \(request.query ?? "-") \(request.authority) \(request.isKeepAlive) "
                        + "\(fields) \(request.body)")
            }
        }
    }
}
