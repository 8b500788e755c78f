import HTTPServer
import JulietAPI

/// `/lottery/events`: the state of the lottery as a stream (HTML, "Server-sent events").
struct LotteryEvents: Sendable {
    let hub: LotteryHub
    /// Finds out where requests come from. An exempt client may have any number of streams.
    var limits = RequestLimits()

    private static let secondsToWait = 10
    /// How soon browsers connect again after a stream has ended, in milliseconds.
    private static let beginning = "retry: 2000\n\n"

    /// A stream of events, which ends with the service or when its reader goes; 503 if there are too many streams, 429 if
    /// there are too many to one address.
    func response(to request: Request) -> Response {
        // HEAD takes no place: it gets no stream.
        guard request.method != .head else { return Response(headers: Self.headers, body: .stream { _ in }) }
        let client = limits.client(of: request)
        let seat: LotterySeat
        do throws(LotteryHub.NoSeat) {
            seat = try hub.seat(for: client.isExempt ? nil : client.address)
        } catch {
            switch error {
            case .allTaken: return .problem(V2.Problem(.unavailable, retryAfter: Self.secondsToWait))
            case .addressHasEnough: return .tooManyRequests(retryAfter: Self.secondsToWait)
            }
        }
        return Response(
            headers: Self.headers,
            body: .stream { writer in
                writer.whenPeerIsGone { seat.leave() }
                try await writer.write(Self.beginning)
                while let event = await seat.next() { try await writer.write(event) }
            })
    }

    private static let headers: Headers = [
        "Content-Type": "text/event-stream",
        "Cache-Control": "no-store",
        // nginx would hold events back until a buffer is full.
        "X-Accel-Buffering": "no",
        "X-Content-Type-Options": "nosniff",
    ]
}
