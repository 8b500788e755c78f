import TestSupport
import Testing

/// Everything about the page in a real browser: each test has a browser, a service and a database of its own.
@Suite("The page", .everyLayout, .timeLimit(.minutes(10)))
struct PageTests {
    /// Does something with a service and a browser.
    static func play(
        on device: Browser.Device = Browser.Device(), settings: [String: String] = [:], hasPasskeys: Bool = false,
        _ body: (PlayedService, Browser) async throws -> Void
    ) async throws {
        let service = try await PlayedService.start(settings, hasPasskeys: hasPasskeys)
        try await Browser.with(device) { browser in try await body(service, browser) }
    }

    /// Words to guess that are not the secret.
    static func words(otherThan secret: String) -> [String] {
        ["crane", "lotus", "might", "dwarf", "jumpy", "vixen", "bleak"].filter { $0 != secret }
    }
}
