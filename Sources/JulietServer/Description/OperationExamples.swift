import JulietAPI

/// What requests and answers look like: what a test asked a real service, and what it was answered.
///
/// `examples.txt` has a line for each: the operation, `request` or the answer's status, what tells it from others of the same place
/// (a problem's code, a request type), and the JSON without blanks. `ExampleTests` plays it all again, compares, and writes the
/// file when requests or answers look otherwise.
enum OperationExamples {
    /// Where in an operation an example stands.
    private struct Place: Hashable {
        let operation: String
        /// The status of an answer; nil: a request.
        let status: Int?
    }

    /// Requests of an operation.
    static func requests(of operation: String) -> [APIOperation.Example] {
        all[Place(operation: operation, status: nil)] ?? []
    }

    /// Answers to it with a status.
    static func answers(of operation: String, _ status: Int) -> [APIOperation.Example] {
        all[Place(operation: operation, status: status)] ?? []
    }

    private static let all: [Place: [APIOperation.Example]] = {
        let lines = PackageResources.examples_txt.split(separator: UInt8(ascii: "\n"))
        return lines.reduce(into: [:]) { examples, line in
            let words = line.split(separator: UInt8(ascii: " "), maxSplits: 3).map { Array($0) }
            guard words.count == 4, words[0] != [UInt8(ascii: "#")] else { return }
            let (operation, place, name) = (text(words[0]), text(words[1]), text(words[2]))
            examples[Place(operation: operation, status: Int(place)), default: []].append(
                .init(name: name, json: words[3]))
        }
    }()

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
