import Foundation
import JulietAPI
import Testing

/// A request of the published app, byte for byte (`Fixtures/app-requests.txt`).
struct AppRequest: Sendable, CustomTestStringConvertible {
    /// The request type, and what tells two recordings of it apart.
    let name: String
    let head: [UInt8]
    let body: [UInt8]

    /// What is asked.
    var type: RequestType? {
        RequestType.peek(in: body.span)
    }

    var testDescription: String {
        name
    }

    /// All recorded requests in their order.
    static func recorded() throws -> [AppRequest] {
        let file = try Bundle.module.url(forResource: "Fixtures/app-requests", withExtension: "txt").map {
            try String(contentsOf: $0, encoding: .utf8)
        }
        return parse(file ?? "")
    }

    /// Reads requests from the notation the file explains.
    static func parse(_ file: String) -> [AppRequest] {
        file.components(separatedBy: "\n=== ").dropFirst().map { section in
            var lines = section.split(separator: "\n", omittingEmptySubsequences: false)[...]
            let name = String(lines.popFirst() ?? "")
            var head = ""
            while let line = lines.popFirst() {
                head += line.replacingOccurrences(of: "\\r\\n", with: "\r\n")
                if line == "\\r\\n" { break }
            }
            return AppRequest(name: name, head: Array(head.utf8), body: Array((lines.popFirst() ?? "").utf8))
        }
    }
}
