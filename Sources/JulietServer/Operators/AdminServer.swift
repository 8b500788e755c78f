import EventLoop
import HTTPServer

/// The server for operators, on its own address: metrics, health, the admin page. It has its own loop, so that no game waits
/// while the metrics are read.
struct AdminServer: Sendable {
    private let loop: EventLoop
    private let server: HTTPServer

    /// - Parameters:
    ///   - configuration: Where to listen.
    ///   - names: The names that it answers to, so that no page of another site reads anything here.
    init(
        _ configuration: HTTPServerConfiguration, names: HostNames, metrics: MetricsRegistry, health: Health,
        page: AdminPage
    ) throws {
        loop = try EventLoop(label: "juliet.admin")
        var router = Router(errorRenderer: AdminPage.errorRenderer)
        health.add(to: &router)
        router.on(.get, "/metrics") { _ in
            Response(headers: ["Content-Type": MetricsText.contentType], body: .bytes(await metrics.text()))
        }
        page.add(to: &router)
        let guards = [names.middleware(setting: "admin.names", errorRenderer: AdminPage.errorRenderer)]
        server = HTTPServer(configuration: configuration, loops: [loop], middleware: guards, router: router)
    }

    /// Listens, and serves from now on.
    func start() async throws(HTTPServerError) { try await server.start() }

    /// Stops at once: interrupted reads can be repeated.
    func stop() async {
        await server.shutdown(deadline: .zero)
        loop.shutdown()
    }
}
