import Foundation
import TestSupport

/// Chromium, or WebKit, with a profile of its own: a device that nobody has played on yet.
final class Browser: Sendable {
    /// What differs from a phone with all defaults.
    struct Device: Sendable {
        var width = 390
        var height = 844
        var isDark = false
        /// The language that the browser asks for.
        var language = "en-US"
        /// Tiles turn and rows shake. Off by default: tests need not wait for it.
        var hasMotion = false
        /// Whether it lets a page write to the clipboard, as only the whole Chromium does.
        var hasClipboard = false
    }

    /// Chromium without the parts that people see, if it is here: it starts in a quarter of the time. Else the driver finds one.
    private static let binary: String = {
        let shell = "/usr/lib/chromium/chromium-headless-shell"
        return FileManager.default.isExecutableFile(atPath: shell) ? "\"binary\": \(shell.literal), " : ""
    }()

    private let driver: WebDriver
    private let session: String
    /// Chromium's.
    private let process: pid_t?
    /// WebKit's screen.
    private let screen: ChildProcess?

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
                if let process { kill(process, SIGKILL) }
            }
            await driver.end()
            screen?.signal(SIGTERM)
            await screen?.end()
        }.value
    }

    /// Does something in WebKit, on a screen that nobody sees, and closes it.
    static func withWebKit<Result: Sendable>(_ body: (Browser) async throws -> Result) async throws -> Result {
        let browser = try await Browser()
        do {
            let result = try await body(browser)
            await browser.close()
            return result
        } catch {
            await browser.close()
            throw error
        }
    }

    private init() async throws {
        let display = ":\(100 + (try Command.freePort()))"
        let screen = try ChildProcess(["Xvfb", display, "-screen", "0", "1280x1024x24", "-nolisten", "tcp"])
        self.screen = screen
        process = nil
        var driver: WebDriver?
        do {
            var environment = ProcessInfo.processInfo.environment
            environment.merge(["DISPLAY": display, "GDK_BACKEND": "x11", "NO_AT_BRIDGE": "1", "LANG": "C.UTF-8"]) { $1 }
            // No other machine's pages are shown, and root may have no sandbox.
            if geteuid() == 0 { environment["WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS"] = "1" }
            let programs = try FileManager.default.contentsOfDirectory(atPath: "/usr/lib")
                .map { "/usr/lib/\($0)/webkit2gtk-4.1/MiniBrowser" }
            guard let program = programs.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
                throw Failure(description: "WebKit's MiniBrowser is not here: scripts/setup test installs it")
            }
            let socket = "/tmp/.X11-unix/X\(display.dropFirst())"
            let deadline = ContinuousClock.now + .seconds(20)
            while !FileManager.default.fileExists(atPath: socket) {
                guard screen.isRunning, ContinuousClock.now < deadline else {
                    throw Failure(description: "Xvfb does not start: scripts/setup test installs it")
                }
                try await Task.sleep(for: .milliseconds(20))
            }
            let started = try await WebDriver(["WebKitWebDriver"], environment: environment)
            driver = started
            let capabilities = """
                {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions":
                 {"binary": \(program.literal), "args": ["--automation"]}}}}
                """
            struct Session: Decodable { let sessionId: String }
            session = try JSONDecoder().decode(
                Session.self, from: await started.request("POST", "/session", capabilities)
            ).sessionId
            self.driver = started
            try await post("/window/rect", #"{"width": 420, "height": 900}"#)
        } catch {
            await driver?.end()
            screen.signal(SIGTERM)
            throw error
        }
    }

    private init(_ driver: WebDriver, _ device: Device) async throws {
        self.driver = driver
        screen = nil
        var arguments = [
            "--headless=new", "--window-size=1280,900", "--no-first-run", "--disable-background-networking",
            "--disable-component-update", "--disable-gpu", "--disable-dev-shm-usage", "--lang=\(device.language)",
            "--accept-lang=\(device.language)",
            // Nothing is found but this machine, which has a name besides, one that browsers do not trust.
            "--host-resolver-rules=MAP juliet.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
        ]
        if geteuid() == 0 { arguments.append("--no-sandbox") }
        if !device.hasMotion { arguments.append("--force-prefers-reduced-motion") }
        let capabilities = """
            {"capabilities": {"alwaysMatch": {"browserName": "chrome", "timeouts": {"script": 170000},
             "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
             "goog:chromeOptions": {\(device.hasClipboard ? "" : Self.binary)"args": [\(arguments.map(\.literal).joined(separator: ","))]}}}}
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

    /// Sends a command of the DevTools protocol and returns the answer to it.
    private func ask<Answer: Decodable>(_ name: String, _ parameters: String) async throws -> Answer {
        try JSONDecoder().decode(
            Answer.self, from: await post("/goog/cdp/execute", #"{"cmd": "\#(name)", "params": \#(parameters)}"#))
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

    /// Puts colours of the system's in the place of the page's.
    func forceColours() async throws {
        try await command(
            "Emulation.setEmulatedMedia", #"{"features": [{"name": "forced-colors", "value": "active"}]}"#)
    }

    /// Cuts the network, or gives it back.
    func setOffline(_ isOffline: Bool) async throws {
        try await post(
            "/chromium/network_conditions",
            #"{"network_conditions": {"offline": \#(isOffline), "latency": 0, "throughput": -1}}"#)
    }

    /// Lets nothing through of some addresses, `*` for anything in them, and everything of all others.
    func setBlocked(_ addresses: String...) async throws {
        try await command("Network.enable", "{}")
        let list = addresses.map { "\"\($0)\"" }.joined(separator: ", ")
        try await command("Network.setBlockedURLs", #"{"urls": [\#(list)]}"#)
    }

    /// Makes the network as slow as a phone's: so many milliseconds until an answer begins, so many bytes a second.
    func setNetwork(latency: Int, throughput: Int) async throws {
        try await post(
            "/chromium/network_conditions",
            """
            {"network_conditions": {"offline": false, "latency": \(latency), "download_throughput": \(throughput),
             "upload_throughput": \(throughput)}}
            """)
    }

    /// The same for the service workers that run: their network is not the page's.
    func setWorkersNetwork(latency: Int, throughput: Int) async throws {
        struct Targets: Decodable {
            struct Target: Decodable {
                let targetId: String
                let type: String
            }
            let targetInfos: [Target]
        }
        struct Session: Decodable { let sessionId: String }
        let targets: Targets = try await ask("Target.getTargets", "{}")
        let workers = targets.targetInfos.filter { $0.type == "service_worker" }
        guard !workers.isEmpty else { throw Failure(description: "no service worker runs") }
        let conditions =
            #"{"offline": false, "latency": \#(latency), "downloadThroughput": \#(throughput), "uploadThroughput": \#(throughput)}"#
        for worker in workers {
            let session: Session = try await ask(
                "Target.attachToTarget", #"{"targetId": \#(worker.targetId.literal), "flatten": false}"#)
            for message in [
                #"{"id": 1, "method": "Network.enable"}"#,
                #"{"id": 2, "method": "Network.emulateNetworkConditions", "params": \#(conditions)}"#,
            ] {
                try await command(
                    "Target.sendMessageToTarget",
                    #"{"sessionId": \#(session.sessionId.literal), "message": \#(message.literal)}"#)
            }
        }
    }

    /// Has every page run a script before its own.
    func runBeforePages(_ script: String) async throws {
        try await command("Page.addScriptToEvaluateOnNewDocument", #"{"source": \#(script.literal)}"#)
    }

    /// Makes the window so large, with so many dots a pixel: 2 is what a zoom of 200 % does.
    ///
    /// - Parameter isPhone: Whether it has no room for scroll bars.
    func resize(width: Int, height: Int, scale: Int = 1, isPhone: Bool = false) async throws {
        try await command(
            "Emulation.setDeviceMetricsOverride",
            #"{"width": \#(width), "height": \#(height), "deviceScaleFactor": \#(scale), "mobile": \#(isPhone)}"#)
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

// MARK: - Passkeys

/// Something that keeps passkeys for a device, as WebDriver has it (WebAuthn Level 3 §11).
struct Authenticator: Sendable {
    /// A passkey in it, private key included.
    struct Credential: Codable, Sendable {
        let credentialId: String
        let isResidentCredential: Bool
        let rpId: String
        var privateKey: String
        let signCount: Int
        let userHandle: String?
        let backupEligibility: Bool?
        let backupState: Bool?
    }

    /// How the driver names it.
    let id: String
}

extension Browser {
    /// Gives the device what keeps passkeys, and a player who agrees to whatever it asks.
    func addAuthenticator() async throws -> Authenticator {
        let id = try await post(
            "/webauthn/authenticator",
            """
            {"protocol": "ctap2", "transport": "internal", "hasResidentKey": true, "hasUserVerification": true,
             "isUserConsenting": true, "isUserVerified": true}
            """)
        return Authenticator(id: try JSONDecoder().decode(String.self, from: id))
    }

    /// What an authenticator keeps.
    func credentials(in authenticator: Authenticator) async throws -> [Authenticator.Credential] {
        let list = try await driver.request(
            "GET", "/session/\(session)/webauthn/authenticator/\(authenticator.id)/credentials")
        return try JSONDecoder().decode([Authenticator.Credential].self, from: list)
    }

    /// Puts a passkey into an authenticator, as an account does that devices share.
    func add(_ credential: Authenticator.Credential, to authenticator: Authenticator) async throws {
        let body = String(decoding: try JSONEncoder().encode(credential), as: UTF8.self)
        try await post("/webauthn/authenticator/\(authenticator.id)/credential", body)
    }
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

    /// Goes to the page before, as the browser's button does. A script that does it may be run again by the driver when the page
    /// that it ran in goes, and then it goes back twice.
    func goBack() async throws { try await post("/back") }

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

    /// Clicks a place of the window.
    func clickAt(x: Int, y: Int) async throws {
        try await post(
            "/actions",
            """
            {"actions": [{"type": "pointer", "id": "mouse", "actions": [
                {"type": "pointerMove", "x": \(x), "y": \(y)}, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]}]}
            """)
    }

    /// Clicks the first element of a selector, where a finger would: it must be in sight.
    func click(_ selector: String) async throws {
        try await wait(for: "document.querySelector(\(selector.literal)) !== null")
        do {
            try await clickOnce(selector)
        } catch let failure as Failure where failure.description.contains("stale element") {
            // The page drew it anew between finding and clicking, or in answer to the click: then it may be gone.
            guard try await value("document.querySelector(\(selector.literal)) !== null") else { return }
            try await clickOnce(selector)
        }
    }

    /// Activates the first element of a selector, as a keyboard or a screen reader does: it may be in motion, or below a heading.
    func activate(_ selector: String) async throws {
        try await wait(for: "document.querySelector(\(selector.literal)) !== null")
        try await run("document.querySelector(\(selector.literal)).click()")
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

    /// Waits until an expression is true, or a promise is kept with what is true, for 20 s at most.
    func wait(for expression: String) async throws {
        let deadline = ContinuousClock.now + .seconds(20)
        while try await !value("Promise.resolve(\(expression)).then(Boolean)", as: Bool.self) {
            guard ContinuousClock.now < deadline else {
                let page = try await text(of: "body")
                // An empty page tells nothing else of itself.
                let state: String = try await value(
                    """
                    [location.href, document.readyState, history.length, navigator.serviceWorker?.controller?.state,
                     ...performance.getEntriesByType("resource").map(({ name }) => name.split("/").at(-1))].join(" ")
                    """)
                throw Failure(
                    description: "never came true: \(expression)\n\(page)\n\(state)\n\(try await complaints())")
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
    ///
    /// Nothing in WebKit, which does not tell.
    func complaints() async throws -> [String] {
        // Chromium remarks that the page will offer by itself to install it.
        process == nil
            ? []
            : try await log("browser").map(\.message).filter {
                !$0.contains("beforeinstallpromptevent.preventDefault()")
            }
    }

    /// How many bytes came over the wire, head lines included, since this or what was asked for was asked last.
    func receivedBytes() async throws -> Int {
        struct Event: Decodable {
            struct Message: Decodable {
                struct Parameters: Decodable { let encodedDataLength: Double? }
                let method: String
                let params: Parameters?
            }
            let message: Message
        }
        return try await log("performance").reduce(0) { sum, entry in
            let event = try JSONDecoder().decode(Event.self, from: Data(entry.message.utf8)).message
            guard event.method == "Network.loadingFinished" else { return sum }
            return sum + Int(event.params?.encodedDataLength ?? 0)
        }
    }

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
