import Foundation
import TestSupport

/// Chromium with a profile of its own: a device that nobody has played on yet.
final class Browser: Sendable {
    /// What differs from a phone with all defaults.
    struct Device: Sendable {
        var width = 390
        var height = 844
        var isDark = false
        /// Tiles turn and rows shake. Off by default: tests need not wait for it.
        var hasMotion = false
    }

    private let driver: WebDriver
    private let session: String
    private let process: pid_t

    /// Does something in a browser and closes it, whatever happens.
    static func with<Result: Sendable>(
        _ device: Device = Device(), _ body: (Browser) async throws -> Result
    ) async throws -> Result {
        let driver = try await WebDriver()
        let browser: Browser
        do {
            browser = try await Browser(driver, device)
        } catch {
            await driver.end()
            throw error
        }
        do {
            let result = try await body(browser)
            await browser.close()
            return result
        } catch {
            await browser.close()
            throw error
        }
    }

    /// Closes it, and ends the driver. Also for a test that is cancelled, and so in a task of its own.
    private func close() async {
        await Task {
            do {
                try await driver.request("DELETE", "/session/\(session)")
            } catch {
                kill(process, SIGKILL)
            }
            await driver.end()
        }.value
    }

    private init(_ driver: WebDriver, _ device: Device) async throws {
        self.driver = driver
        var arguments = [
            "--headless=new", "--window-size=1280,900", "--no-first-run", "--disable-background-networking",
            "--disable-component-update", "--disable-gpu", "--disable-dev-shm-usage", "--lang=en-US",
            // Nothing is found but this machine, which has a name besides, one that browsers do not trust.
            "--host-resolver-rules=MAP juliet.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        ]
        if geteuid() == 0 { arguments.append("--no-sandbox") }
        if !device.hasMotion { arguments.append("--force-prefers-reduced-motion") }
        let capabilities = """
            {"capabilities": {"alwaysMatch": {"browserName": "chrome",
             "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
             "goog:chromeOptions": {"args": [\(arguments.map(\.literal).joined(separator: ","))]}}}}
            """
        struct Session: Decodable {
            struct Capabilities: Decodable {
                let process: pid_t
                enum CodingKeys: String, CodingKey { case process = "goog:processID" }
            }
            let sessionId: String
            let capabilities: Capabilities
        }
        let opened = try JSONDecoder().decode(
            Session.self, from: await driver.request("POST", "/session", capabilities))
        session = opened.sessionId
        process = opened.capabilities.process
        try await command(
            "Emulation.setDeviceMetricsOverride",
            #"{"width": \#(device.width), "height": \#(device.height), "deviceScaleFactor": 1, "mobile": false}"#)
        try await setDark(device.isDark)
    }

    @discardableResult
    private func post(_ path: String, _ body: String = "{}") async throws -> Data {
        try await driver.request("POST", "/session/\(session)\(path)", body)
    }

    /// Sends a command of the DevTools protocol.
    private func command(_ name: String, _ parameters: String) async throws {
        try await post("/goog/cdp/execute", #"{"cmd": "\#(name)", "params": \#(parameters)}"#)
    }
}

// MARK: - The device

extension Browser {
    /// Makes the device dark or light.
    func setDark(_ isDark: Bool) async throws {
        try await command(
            "Emulation.setEmulatedMedia",
            #"{"features": [{"name": "prefers-color-scheme", "value": "\#(isDark ? "dark" : "light")"}]}"#)
    }

    /// Cuts the network, or gives it back.
    func setOffline(_ isOffline: Bool) async throws {
        try await post(
            "/chromium/network_conditions",
            #"{"network_conditions": {"offline": \#(isOffline), "latency": 0, "throughput": -1}}"#)
    }

    /// Opens a tab beside the one that is there, goes to it, and returns the names of both.
    func openTab() async throws -> (old: String, new: String) {
        let old = try JSONDecoder().decode(String.self, from: await driver.request("GET", "/session/\(session)/window"))
        struct Window: Decodable { let handle: String }
        let new = try JSONDecoder().decode(Window.self, from: await post("/window/new", #"{"type": "tab"}"#)).handle
        try await goTo(tab: new)
        return (old, new)
    }

    /// Goes to a tab.
    func goTo(tab: String) async throws { try await post("/window", #"{"handle": "\#(tab)"}"#) }
}

// MARK: - Playing

extension Browser {
    /// Opens an address and waits until the page shows what it is about.
    func open(_ address: String) async throws {
        try await post("/url", #"{"url": \#(address.literal)}"#)
        try await waitUntilShown()
    }

    /// Opens an address of another page and waits until an expression is true there.
    func open(_ address: String, until expression: String) async throws {
        try await post("/url", #"{"url": \#(address.literal)}"#)
        try await wait(for: expression)
    }

    /// Writes into a field as a person does, in the place of what is there.
    func fill(_ selector: String, _ text: String) async throws {
        try await click(selector)
        try await run("document.activeElement.select?.()")
        try await type(text)
    }

    /// Loads the page anew.
    func reload() async throws {
        try await post("/refresh")
        try await waitUntilShown()
    }

    private func waitUntilShown() async throws {
        try await wait(for: "document.querySelector('#keyboard:not([hidden]), #panel:not([hidden]) > *') !== null")
    }

    /// Presses keys of the real keyboard, one after the other. A line feed is Enter.
    func type(_ text: String) async throws {
        let actions = text.map { character in
            let key = (character == "\n" ? "\u{E007}" : String(character)).literal
            return #"{"type": "keyDown", "value": \#(key)}, {"type": "keyUp", "value": \#(key)}"#
        }
        try await post(
            "/actions",
            #"{"actions": [{"type": "key", "id": "keys", "actions": [\#(actions.joined(separator: ","))]}]}"#)
    }

    /// Clicks the first element of a selector, where a finger would: it must be in sight.
    func click(_ selector: String) async throws {
        try await wait(for: "document.querySelector(\(selector.literal)) !== null")
        do {
            try await clickOnce(selector)
        } catch let failure as Failure where failure.description.contains("stale element") {
            // The page drew it anew between finding and clicking.
            try await clickOnce(selector)
        }
    }

    private func clickOnce(_ selector: String) async throws {
        let data = try await post("/element", #"{"using": "css selector", "value": \#(selector.literal)}"#)
        guard let id = try JSONDecoder().decode([String: String].self, from: data).values.first else { return }
        try await post("/element/\(id)/click")
    }

    /// The value of an expression of JavaScript; of a promise, what it is kept with.
    func value<Value: Decodable>(_ expression: String, as type: Value.Type = Value.self) async throws -> Value {
        let script = "return Promise.resolve(\(expression)).then((value) => JSON.stringify(value))"
        let text = try JSONDecoder().decode(String.self, from: await post("/execute/sync", Self.body(of: script)))
        return try JSONDecoder().decode(Value.self, from: Data(text.utf8))
    }

    /// Runs statements of JavaScript.
    func run(_ script: String) async throws { try await post("/execute/sync", Self.body(of: script)) }

    private static func body(of script: String) -> String { #"{"script": \#(script.literal), "args": []}"# }

    /// The text of the first element of a selector, as a player sees it; empty without one.
    func text(of selector: String) async throws -> String {
        try await value("document.querySelector(\(selector.literal))?.innerText ?? ''")
    }

    /// Waits until an expression is true, for 20 s at most.
    func wait(for expression: String) async throws {
        let deadline = ContinuousClock.now + .seconds(20)
        while try await !value("Boolean(\(expression))", as: Bool.self) {
            guard ContinuousClock.now < deadline else {
                let page = try await text(of: "body")
                throw Failure(
                    description: "never came true: \(expression)\n\(page)\n\(try await complaints())")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Waits until an element of a selector shows a text, for 20 s at most.
    func wait(for text: String, in selector: String) async throws {
        try await wait(for: "document.querySelector(\(selector.literal))?.innerText.includes(\(text.literal))")
    }
}

// MARK: - What went on

extension Browser {
    private struct LogEntry: Decodable {
        let level: String
        let message: String
        let source: String?
    }

    private func log(_ type: String) async throws -> [LogEntry] {
        try JSONDecoder().decode([LogEntry].self, from: await post("/se/log", #"{"type": "\#(type)"}"#))
    }

    /// What the console has to say since it was asked last.
    func complaints() async throws -> [String] { try await log("browser").map(\.message) }

    /// Every address that was asked for since this was asked last.
    func requestedAddresses() async throws -> [String] {
        struct Event: Decodable {
            struct Message: Decodable {
                struct Parameters: Decodable {
                    struct Request: Decodable { let url: String }
                    let request: Request?
                }
                let method: String
                let params: Parameters?
            }
            let message: Message
        }
        return try await log("performance").compactMap { entry in
            let event = try JSONDecoder().decode(Event.self, from: Data(entry.message.utf8)).message
            return event.method == "Network.requestWillBeSent" ? event.params?.request?.url : nil
        }
    }
}
