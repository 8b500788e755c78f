import EventLoop
import HTTPServer
import JulietAPI
import JulietGame

/// `/admin/api/live`: what goes on at this moment, in this process and in the database.
///
/// The database is asked for it once in five seconds, however many people look. Each of them still needs a session and the
/// role.
final class AdminLiveHandler: Sendable {
    private struct Look {
        let json: String
        let readAt: V2.Timestamp
    }

    private let operators: Operators
    private let history: ProcessHistory
    private let last = Locked<Look?>(nil)

    private static let interval: Int64 = 5_000_000

    init(operators: Operators, history: ProcessHistory) {
        self.operators = operators
        self.history = history
    }

    var routes: [AdminRoute] { [AdminRoute(.get, "/live") { try await self.live(for: $0.session) }] }

    private func live(for session: AdminSession) async throws -> Response {
        let now = V2.Timestamp.now
        let look: Look
        if let known = last.withLock({ $0 }),
            (0..<Self.interval).contains(now.microsecondsSince1970 - known.readAt.microsecondsSince1970)
        {
            let allowed = try await operators.show(session, needing: .support)
            guard allowed.value != nil else { return .of(allowed) }
            look = known
        } else {
            let live = try await operators.live(by: session)
            guard let json = live.value?.json else { return .of(live) }
            look = Look(json: json, readAt: now)
            last.withLock { $0 = look }
        }
        let process = await history.json()
        let text =
            #"{"release":"\#(Release.version)","readAt":"\#(look.readAt)","database":\#(look.json),"process":\#(process)}"#
        return .json(bytes: Array(text.utf8))
    }
}
