import JulietAPI

/// A response as a client sees it.
struct HTTPReply: Sendable, CustomStringConvertible {
    let status: Int
    /// The field lines in their order.
    let headers: [(name: String, value: String)]
    var body: [UInt8] = []

    /// Parses a response's head, without the empty line.
    init(head: String) throws {
        var lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)
        let statusLine = lines.removeFirst()
        guard statusLine.hasPrefix("HTTP/1.1 "), let status = Int(statusLine.dropFirst(9).prefix(3)) else {
            throw ClientConnection.Failure(description: "not a status line: \(statusLine)")
        }
        self.status = status
        headers = try lines.map { line in
            guard let colon = line.firstIndex(of: ":") else {
                throw ClientConnection.Failure(description: "not a field line: \(line)")
            }
            return (String(line[..<colon]), line[line.index(after: colon)...].trimmingPrefix(" ").description)
        }
    }

    /// The value of a header that comes once; letter case does not matter.
    subscript(name: String) -> String? {
        let values = headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
        return values.count == 1 ? values.first : nil
    }

    /// The body as text.
    var text: String {
        String(decoding: body, as: UTF8.self)
    }

    /// The body as the app decodes it.
    func answer(to type: RequestType?) throws -> Answer {
        try Answer.decode(body.span, to: type)
    }

    var description: String {
        "\(status) \(headers.map { "\($0.name): \($0.value)" }) \(text)"
    }
}
