import EventLoop
import HTTPServer
import JulietAPI
import JulietGame

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `/admin/api/figures`: what happened today and on the thirty days before.
///
/// A day is a statement of its own, so that none takes long; what is known already is not asked again.
final class AdminFiguresHandler: Sendable {
    private let desk: AdminDesk
    private let known = Locked(DayFigures())

    init(desk: AdminDesk) { self.desk = desk }

    var routes: [AdminRoute] { [AdminRoute(.get, "/figures") { try await self.figures(for: $0.key) }] }

    private func figures(for key: AdminKey) async throws -> Response {
        // What is known is told to owners alone, too.
        if case .refused(let refusal) = try await desk.figures(of: [], by: key) { return .of(.refused(refusal)) }
        let now = V2.Timestamp(microsecondsSince1970: Int64(Date().timeIntervalSince1970 * 1_000_000))
        var days: [String] = []
        for day in DayFigures.days(at: now) {
            if let json = known.withLock({ $0.json(of: day, at: now) }) {
                days.append(json)
                continue
            }
            guard case .done(let array) = try await desk.figures(of: [day], by: key) else {
                return .of(.refused(.unauthorized))
            }
            let json = String(array.dropFirst().dropLast())
            known.withLock { $0.keep(json, of: day, at: now) }
            days.append(json)
        }
        let readAt = known.withLock { $0.readAt } ?? now
        return .json(bytes: Array(#"{"readAt":"\#(readAt)","days":[\#(days.joined(separator: ","))]}"#.utf8))
    }
}
