import JulietGame
import Lottery
import SystemPackage

/// Shows a draw on a terminal, where names replace each other in one line, or as lines on standard error.
struct LotteryView {
    private let isOnTerminal: Bool

    init(isOnTerminal: Bool) { self.isOnTerminal = isOnTerminal }

    /// Shows a state.
    ///
    /// - Returns: Whether the draw goes on.
    mutating func show(_ state: LotteryViewState, of number: Int) -> Bool {
        switch state {
        case .loading(let running) where running.draw == number:
            say("loading: \(counted(running.entries, "entry", "entries")), list \(running.listDigest.prefix(16))…")
        case .round(let round, _, let name, let running) where running.draw == number:
            say("\(LotteryView.bar(round)) \(round) of \(DrawFunction.rounds): \(name)")
        case .failure: return ended(false)
        case .loading(let running), .round(_, _, _, let running): return running.draw < number
        case .winner(let result), .noWinner(let result): return ended(result.running.draw < number)
        case .landing(let landing): return ended((landing.last?.running.draw ?? 0) < number)
        }
        return true
    }

    private func ended(_ goesOn: Bool) -> Bool {
        if !goesOn, isOnTerminal { write("\r\u{1B}[K") }
        return goesOn
    }

    private static func bar(_ round: Int) -> String {
        String(repeating: "#", count: round) + String(repeating: "-", count: DrawFunction.rounds - round)
    }

    private func say(_ text: String) {
        guard isOnTerminal else { return Terminal.note(text) }
        // One line, cut to the narrowest terminal's width.
        write("\r\u{1B}[K" + text.prefix(78))
    }

    private func write(_ text: String) { _ = try? FileDescriptor.standardOutput.writeAll(text.utf8) }
}
