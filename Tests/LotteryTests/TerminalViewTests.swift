import LotteryPresentation
import Testing

@testable import LotteryPresentation
@testable import LotteryTerminal

@Suite("The lottery in a terminal")
struct TerminalViewTests {
    private static let running = LotteryViewState.Running(
        draw: 7, commitment: String(repeating: "c", count: 64), listDigest: "d", entries: 3, prize: 0)

    private static func landing(
        _ draw: Int, canStart: Bool = true, prize: Int = 0, last: LotteryViewState.Result? = nil
    ) -> LotteryViewState.Landing {
        LotteryViewState.Landing(
            draw: draw, commitment: running.commitment, prize: prize, entries: 3, canStart: canStart, wait: 0,
            last: last)
    }

    private static func result(hasWon: Bool, isVerified: Bool) -> LotteryViewState.Result {
        LotteryViewState.Result(
            running: running, name: "Jack", userID: 10, hasWon: hasWon, seed: "5e", isVerified: isVerified)
    }

    @Test("Enter starts the draw that is shown, where anybody may, and q leaves")
    func keys() {
        var view = LotteryTerminalView()
        #expect(view.action(for: "") == nil && view.action(for: " Q\r") == .leave)
        view.show(.landing(Self.landing(7)))
        #expect(view.action(for: "\r") == .start(Self.landing(7)) && view.action(for: "x") == nil)
        #expect(view.lines.last == "Enter starts the draw; q and Enter leave.")
        view.show(.landing(Self.landing(7, canStart: false, prize: 5)))
        #expect(view.action(for: "") == nil && view.lines.first == "Draw 7: 3 entries, the winner gets 5 energy")
        view.show(.loading(Self.running))
        #expect(view.action(for: "") == nil)
    }

    @Test("a round shows the names so far, and what is said besides stays until the next draw")
    func rounds() {
        var view = LotteryTerminalView()
        view.show(.round(1, userID: 10, name: "Jack", Self.running))
        view.say("Somebody else started it.")
        view.show(.round(3, userID: 11, name: "Ben", Self.running))
        #expect(
            view.lines == [
                "Draw 7: 3 of 10", " 1  Jack", " 2  …", " 3  Ben", "Somebody else started it.", "q and Enter leave.",
            ])
        view.show(.landing(Self.landing(8, last: Self.result(hasWon: true, isVerified: true))))
        #expect(
            view.lines == [
                "Draw 7: Jack wins.", "Its rounds follow from seed and list, and the commitment is the one shown.",
                "Its seed: 5e", "Draw 8: 3 entries", "Commitment: \(Self.running.commitment)",
                "Enter starts the draw; q and Enter leave.",
            ])
    }

    @Test("a draw without a winner, and a record that does not fit, is reported")
    func ends() {
        var view = LotteryTerminalView()
        view.show(.noWinner(Self.result(hasWon: false, isVerified: false)))
        #expect(view.lines[0] == "Draw 7: nobody wins: the entry of Jack is void.")
        #expect(view.lines[1] == "IT DOES NOT MATCH: seed, list and commitment do not give this draw.")
        #expect(
            LotteryTerminalView.line(of: .noWinner(Self.result(hasWon: false, isVerified: false)))
                == "draw 7: nobody wins, the entry of Jack (10) is void, seed 5e, NOT VERIFIED")
        #expect(
            LotteryTerminalView.line(of: .winner(Self.result(hasWon: true, isVerified: true)))
                == "draw 7: Jack (10) wins, seed 5e, verified")
        view.show(.round(1, userID: 1, name: String(repeating: "x", count: 200), Self.running))
        #expect(view.lines.allSatisfy { $0.count <= 78 })
    }
}
