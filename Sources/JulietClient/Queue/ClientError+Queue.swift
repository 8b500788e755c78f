extension ClientError {
    /// Whether an attempt's end says something of the request, and would probably come again: it is an answer of the
    /// service's own, somebody's clear refusal, or JSON that the request's type cannot read.
    ///
    /// Outages say nothing of it, however long they last: no answer, 408, 425, 429 and 5xx but for the service's own 500,
    /// a network's log-in page, a proxy that wants a log-in (407).
    var concernsRequest: Bool {
        guard let refusal else { return [.decoding, .missingIdentifier].contains(code) }
        return switch refusal.status {
        case 407, 408, 425, 429: false
        case 500: refusal.isOfService
        case 400..<500: refusal.isOfService || !refusal.response.isPage
        default: false
        }
    }
}

extension HTTPResponse {
    /// Whether its content begins as JSON's objects and arrays do.
    var beginsAsJSON: Bool { firstByte == UInt8(ascii: "{") || firstByte == UInt8(ascii: "[") }

    private var firstByte: UInt8? { body.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } }
}
