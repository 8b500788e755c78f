import HTTPServer

/// The health of the service over HTTP: on the public port and on the admin port.
///
/// `/live` says that the process answers, `/ready` that games can be served, `/health` tells people what runs here. They
/// need no key and are not below the base path, so that a load balancer finds them, and they have nothing secret.
package struct Health: Sendable {
    private let readiness: Readiness
    private let start = ContinuousClock.now

    package init(_ readiness: Readiness) { self.readiness = readiness }

    /// Adds the URLs to a router.
    func add(to router: inout Router) {
        router.on(.get, "/live") { _ in Self.json(#"{"status":"live"}"#) }
        router.on(.get, "/ready") { _ in
            if await readiness.isReady() { return Self.json(#"{"status":"ready"}"#) }
            let text = readiness.hasStarted ? #"{"status":"not ready"}"# : #"{"status":"starting"}"#
            return Self.json(text, status: .serviceUnavailable)
        }
        router.on(.get, "/health") { _ in
            let uptime = (ContinuousClock.now - start).components.seconds
            return Self.json(#"{"status":"ok","version":"\#(Release.version)","uptime":\#(uptime)}"#)
        }
    }

    private static func json(_ text: String, status: HTTPStatus = .ok) -> Response {
        Response(
            status: status, headers: ["Content-Type": "application/json", "Cache-Control": "no-store"],
            body: .bytes(Array(text.utf8)))
    }
}
