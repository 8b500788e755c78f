import HTTPServer
import Lottery

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension LotteryViewState {
    /// The state as an event (HTML, "Server-sent events"): one line of JSON.
    var event: [UInt8] { Array("data: ".utf8) + lotteryJSON(self) + Array("\n\n".utf8) }
}

extension Response {
    /// What the lottery answers, in the form that its module gives it.
    static func lottery(_ answer: some Encodable) -> Response { .json(bytes: lotteryJSON(answer)) }
}

/// JSON without line ends, members by their names.
func lotteryJSON(_ value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
        return Array(try encoder.encode(value))
    } catch {
        preconditionFailure("a value of numbers and texts cannot be written: \(error)")
    }
}
