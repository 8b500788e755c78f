import HTTPServer
import JulietAPI
import JulietGame
import Lottery

/// `/lottery/draws` and `/lottery/entry`: draws to look at and to start, and taking part.
struct LotteryHandler: Sendable {
    let draws: LotteryDraws
    let pages: LotteryPages

    /// A draw without what is still secret, with its frozen list once it has started.
    func show(_ request: Request) async throws -> Response {
        guard let number = Self.number(of: request), let page = try await pages.page(.draw(number)) else {
            return .problem(V2.Problem(.notFound))
        }
        return page.response(to: request)
    }

    /// Starts a draw. One that has started goes on.
    func start(_ request: Request) async throws -> Response {
        guard let number = Self.number(of: request) else { return .problem(V2.Problem(.notFound)) }
        switch try await draws.start(number) {
        case .started: return Response(status: 202, headers: ["Cache-Control": "no-store"])
        case .refused(let refusal): return .problem(V2.Problem(for: refusal))
        }
    }

    /// Lets the player take part, once.
    func enter(_ session: Credential?) async throws -> Response {
        guard let session, let place = try await draws.enter(session) else {
            return .problem(V2.Problem(.unauthorized))
        }
        return .lottery(place)
    }

    /// The number in the path, which has one spelling.
    private static func number(of request: Request) -> Int? {
        guard let text = request.parameters["number"], let number = Int(text), "\(number)" == text else { return nil }
        return number
    }
}

extension V2.Problem {
    /// Every reason why an existing draw may not start.
    static let ofDraws = [
        V2.Problem(for: .operatorOnly), V2.Problem(for: .empty), V2.Problem(for: .pause(seconds: 12)),
    ]

    /// Why a draw has not started.
    init(for refusal: DrawRefusal) {
        switch refusal {
        case .unknownDraw: self.init(.notFound)
        case .empty:
            self.init(
                code: "empty", status: 409, title: "Nobody takes part",
                detail: "A draw needs at least one entry.")
        case .pause(let seconds):
            self.init(
                code: "pause", status: 409, title: "Too soon after the last draw",
                detail: "The next draw can start in \(seconds) s.")
            retryAfter = seconds
        case .operatorOnly:
            self.init(
                code: "operator", status: 403, title: "Only the operator may start it",
                detail: "A draw with a prize is started by the operator.")
        }
    }
}
