package import LotteryPresentation

/// The lottery in a terminal: states as lines of text, and what the keys mean. It writes nothing and reads nothing itself.
package struct LotteryTerminalView: Sendable {
    /// What a key asks for.
    package enum Action: Hashable, Sendable {
        /// Start the draw that is shown as the next.
        case start(LotteryViewState.Landing)
        case leave
    }

    /// The state that is shown; nil: none yet.
    private var state: LotteryViewState?
    /// An additional message for the player.
    private var notice: String?
    /// The rounds of the shown draw that were seen.
    private var names: [Int: String] = [:]
    private var draw = 0

    package init() {}

    /// Takes another state in.
    package mutating func show(_ state: LotteryViewState) {
        if state.number != draw {
            draw = state.number
            names = [:]
            notice = nil
        }
        if case .round(let round, _, let name, _) = state { names[round] = name }
        self.state = state
    }

    /// Shows an additional message until another draw is shown.
    package mutating func say(_ notice: String?) { self.notice = notice }

    /// What a line from the keyboard means: an empty line starts, `q` leaves.
    package func action(for line: String) -> Action? {
        let line = line.filter { !$0.isWhitespace }
        if line.lowercased() == "q" { return .leave }
        guard line.isEmpty, case .landing(let landing) = state, landing.canStart else { return nil }
        return .start(landing)
    }

    /// The picture, from the top; each line fits 78 columns.
    package var lines: [String] {
        (picture + [notice].compactMap { $0 } + [help]).map { String($0.prefix(78)) }
    }

    /// The state in one line, for outputs that are not terminals.
    package static func line(of state: LotteryViewState) -> String {
        switch state {
        case .landing(let landing):
            "draw \(landing.draw): \(counted(landing.entries)), commitment \(landing.commitment)"
        case .loading(let running): "draw \(running.draw): loading, list \(running.listDigest)"
        case .round(let round, let userID, let name, let running):
            "draw \(running.draw): \(round) of 10: \(name) (\(userID))"
        case .winner(let result):
            "draw \(result.running.draw): \(result.name) (\(result.userID)) wins, \(verdict(result))"
        case .noWinner(let result):
            "draw \(result.running.draw): nobody wins, the entry of \(result.name) (\(result.userID)) is void, \(verdict(result))"
        case .failure(let message): message
        }
    }

    private var picture: [String] {
        switch state {
        case nil: ["Looking for the lottery …"]
        case .landing(let landing):
            Self.result(landing.last)
                + [
                    "Draw \(landing.draw): \(Self.counted(landing.entries))"
                        + (landing.prize > 0 ? ", the winner gets \(landing.prize) energy" : ""),
                    "Commitment: \(landing.commitment)",
                ]
        case .loading(let running):
            ["Draw \(running.draw): loading, \(Self.counted(running.entries))", "Its list: \(running.listDigest)"]
        case .round(let round, _, let name, let running):
            ["Draw \(running.draw): \(round) of 10"]
                + (1...round).map { "\($0 < 10 ? " " : "")\($0)  \($0 == round ? name : names[$0] ?? "…")" }
        case .winner(let result), .noWinner(let result): Self.result(result)
        case .failure(let message): [message]
        }
    }

    private var help: String {
        if case .landing(let landing) = state, landing.canStart {
            "Enter starts the draw; q and Enter leave."
        } else {
            "q and Enter leave."
        }
    }

    private static func result(_ result: LotteryViewState.Result?) -> [String] {
        guard let result else { return [] }
        return [
            "Draw \(result.running.draw): "
                + (result.hasWon ? "\(result.name) wins." : "nobody wins: the entry of \(result.name) is void."),
            result.isVerified
                ? "Its rounds follow from seed and list, and the commitment is the one shown."
                : "IT DOES NOT MATCH: seed, list and commitment do not give this draw.",
            "Its seed: \(result.seed)",
        ]
    }

    private static func verdict(_ result: LotteryViewState.Result) -> String {
        "seed \(result.seed), \(result.isVerified ? "verified" : "NOT VERIFIED")"
    }

    private static func counted(_ entries: Int) -> String { entries == 1 ? "1 entry" : "\(entries) entries" }
}

extension LotteryViewState {
    /// The draw that a state is about.
    fileprivate var number: Int {
        switch self {
        case .landing(let landing): landing.draw
        case .loading(let running), .round(_, _, _, let running): running.draw
        case .winner(let result), .noWinner(let result): result.running.draw
        case .failure: 0
        }
    }
}
