import JulietAPI

/// Examples of requests and answers: what a test sent to a real service, and the answers it got.
///
/// `examples.txt` has a line for each: the operation, `request` or the answer's status, what distinguishes it from others in the
/// same place (a problem's code, a request type), and the JSON without blanks. `ExampleTests` repeats everything, compares, and
/// writes the file if requests or answers have changed.
enum OperationExamples {
    /// The place of an example in an operation.
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
