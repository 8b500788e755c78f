import EventLoop
import HTTPServer
import JulietAPI
import JulietGame

/// `/admin/api/figures`: what happened on the last days, weeks and months.
///
/// Past days were counted once and cost a row each to read. Only today is counted again, and yesterday until a service has
/// counted it. Days that are not counted yet are left out, and `left` is their number: no reader waits for them.
final class AdminFiguresHandler: Sendable {
    private let operators: Operators
    private let known = Locked(DayFigures())

    init(operators: Operators) { self.operators = operators }

    var routes: [AdminRoute] {
        [AdminRoute(.get, "/figures") { try await self.figures($0.query.days(), for: $0.session) }]
    }

    private func figures(_ count: Int, for session: AdminSession) async throws -> Response {
        let now = V2.Timestamp.now
        let (first, last) = DayFigures.days(count, at: now)
        let figures = try await operators.figures(from: first, to: last, by: session)
        guard let kept = figures.value?.json else { return .of(figures) }
        var open: [String] = []
        var readAt = now
        for day in DayFigures.open(at: now) {
            if let entry = known.withLock({ $0.known(day, at: now) }) {
                open.append(entry.json)
                readAt = min(readAt, entry.readAt)
                continue
            }
            let counted = try await operators.count(day, by: session)
            guard let json = counted.value?.json else { return .of(counted) }
            known.withLock { $0.keep(json, of: day, at: now) }
            open.append(json)
        }
        let text = #"{"readAt":"\#(readAt)","open":[\#(open.joined(separator: ","))],"kept":\#(kept)}"#
        return .json(bytes: Array(text.utf8))
    }
}

extension AdminQuery {
    /// How many days are requested, including today; default 30.
    fileprivate func days() throws(V2.RequestFault) -> Int {
        guard let text = self[.days] else { return 30 }
        guard let count = Int(text), DayFigures.ranges.contains(count) else {
            throw Self.fault(.days, "must be 7, 30, 90 or 365")
        }
        return count
    }
}
