import Testing

/// Everything about the page in a real browser, one test after the other: each has a browser and a service of its own.
@Suite("The page", .serialized, .timeLimit(.minutes(3)))
struct PageTests {
    /// Does something with a service and a browser.
    static func play(
        on device: Browser.Device = Browser.Device(), settings: [String: String] = [:],
        _ body: (PlayedService, Browser) async throws -> Void
    ) async throws {
        let service = try await PlayedService.start(settings)
        try await Browser.with(device) { browser in try await body(service, browser) }
    }

    /// Words to guess that are not the secret.
    static func words(otherThan secret: String) -> [String] {
        ["crane", "lotus", "might", "dwarf", "jumpy", "vixen", "bleak"].filter { $0 != secret }
    }
}
