import EventLoop
import HTTPServer

/// What operators ask, on an address of its own: metrics, health, the admin page. It has a loop of its own, so that nobody's
/// game waits for whoever reads the metrics.
struct AdminServer: Sendable {
    private let loop: EventLoop
    private let server: HTTPServer

    /// - Parameter configuration: Where to listen.
    init(
        _ configuration: HTTPServerConfiguration, metrics: MetricsRegistry, health: Health, page: AdminPage
    ) throws {
        loop = try EventLoop(label: "juliet.admin")
        var router = Router(errorRenderer: AdminPage.errorRenderer)
        health.add(to: &router)
        router.on(.get, "/metrics") { _ in
            Response(headers: ["Content-Type": MetricsText.contentType], body: .bytes(await metrics.text()))
        }
        page.add(to: &router)
        server = HTTPServer(configuration: configuration, loops: [loop], router: router)
    }

    /// Listens, and serves from now on.
    func start() async throws(HTTPServerError) { try await server.start() }

    /// Stops at once: what is read here can be read again.
    func stop() async {
        await server.shutdown(deadline: .zero)
        loop.shutdown()
    }
}
