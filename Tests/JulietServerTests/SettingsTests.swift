import Foundation
import HTTPServer
import JulietGame
import Postgres
import Testing

@testable import JulietServer

@Suite("Settings")
struct SettingsTests {
    static func settings(
        flags: [(key: String, value: String, flag: String)] = [],
        environment: [String: String] = [:],
        file: String? = nil,
        part: Settings.Part = .all,
        secrets: [String: String] = [:]
    ) throws -> Settings {
        try Settings(
            flags: flags,
            environment: environment,
            file: try file.map { try SettingsFile(path: "config/juliet.json", text: $0) },
            part: part,
            readSecret: { path in
                guard let secret = secrets[path] else { throw SettingsError("no such file") }
                return secret
            })
    }

    static func error(_ body: () throws -> Settings) -> String? {
        do {
            _ = try body()
            return nil
        } catch {
            return "\(error)"
        }
    }

    static func error(
        environment: [String: String] = [:], file: String? = nil, secrets: [String: String] = [:]
    ) -> String? {
        error { try settings(environment: environment, file: file, secrets: secrets) }
    }

    /// A setting as it came out.
    static func setting(_ key: String, _ settings: Settings) throws -> Setting {
        try #require(settings.list.first { $0.key == key })
    }

    @Test("a socket takes the place of a host and a port; the admin page has no URL then")
    func sockets() throws {
        let settings = try Self.settings(environment: [
            "JULIET_HTTP_SOCKET": "/run/juliet.sock", "JULIET_ADMIN_SOCKET": "systemd:admin", "JULIET_ADMIN_PORT": "0",
        ])
        #expect(settings.http.listeners == [.unix(path: "/run/juliet.sock")])
        #expect(settings.http.place == "unix:/run/juliet.sock")
        #expect(settings.admin?.listeners == [.inherited(name: "admin")] && settings.adminPage == nil)
        let plain = try Self.settings(environment: ["JULIET_ADMIN_HOST": "::1"])
        #expect(plain.http.listeners.isEmpty && plain.http.place == "127.0.0.1:8080")
        #expect(plain.adminPage == "http://[::1]:9090/admin")
        #expect(try Self.settings(environment: ["JULIET_HTTP_SOCKET": "systemd"]).http.listeners == [.inherited()])
        for text in ["systemd:", "/", "/run/", "/" + String(repeating: "a", count: 100), "unix:/run/a"] {
            #expect(Self.error(environment: ["JULIET_HTTP_SOCKET": text]) != nil)
        }
        for (socket, admin) in [
            ("/run/a", "/run/a"), ("systemd", "systemd"), ("systemd", "systemd:a"), ("systemd:a", "systemd"),
        ] {
            let error = Self.error(environment: ["JULIET_HTTP_SOCKET": socket, "JULIET_ADMIN_SOCKET": admin])
            #expect(error?.contains("are one socket") == true)
        }
        for (socket, admin) in [("/run/a", "/run/b"), ("systemd", "/run/a"), ("systemd:a", "systemd:b")] {
            #expect(Self.error(environment: ["JULIET_HTTP_SOCKET": socket, "JULIET_ADMIN_SOCKET": admin]) == nil)
        }
    }

    @Test("an address is refused beside a socket that systemd has opened, for that has its own")
    func addressOfInheritedSocket() {
        #expect(
            Self.error(environment: ["JULIET_HTTP_SOCKET": "systemd"], file: #"{"http": {"host": "0.0.0.0"}}"#)
                == "http.host (config/juliet.json) has no effect, because systemd opens the socket (http.socket, JULIET_HTTP_SOCKET): remove it, and write the address into the socket's unit (ListenStream=)"
        )
        let port = ["JULIET_HTTP_SOCKET": "systemd", "JULIET_HTTP_PORT": "8081"]
        #expect(Self.error(environment: port) == nil)
        for socket in ["", "/run/a"] {
            #expect(Self.error(environment: ["JULIET_HTTP_SOCKET": socket, "JULIET_HTTP_HOST": "::1"]) == nil)
        }
    }

    @Test("the admin port answers to admin.host and to the names of the setting, which have no port")
    func adminNames() throws {
        let plain = try Self.settings(environment: [:])
        #expect(plain.adminNames.admits("localhost:9090") && !plain.adminNames.admits("juliet"))
        let named = try Self.settings(environment: [
            "JULIET_ADMIN_HOST": "Host.internal", "JULIET_ADMIN_NAMES": "juliet, admin.example.com",
        ])
        for name in ["host.internal", "juliet:9090", "admin.example.com"] {
            #expect(named.adminNames.admits(name), "\(name)")
        }
        #expect(!named.adminNames.admits("example.com"))
        for text in ["juliet:9090", "http://juliet", "*", "a b"] {
            #expect(Self.error(environment: ["JULIET_ADMIN_NAMES": text])?.contains("admin.names") == true, "\(text)")
        }
    }

    @Test("each has a default, and takes it from its variable and from the file as well")
    func defaults() throws {
        let defaults = try Self.settings()
        #expect(defaults.list.count > 25)
        #expect(Set(defaults.list.map(\.key)).count == defaults.list.count)
        for setting in defaults.list {
            #expect(setting.source == "default")
            #expect(setting.shown == (setting.defaultText.isEmpty ? "(none)" : setting.defaultText))
            guard !setting.isSecret else { continue }
            let set = try Self.settings(environment: [setting.environmentVariable: setting.defaultText])
            #expect(try Self.setting(setting.key, set).source == setting.environmentVariable)
            #expect(try Self.setting(setting.key, set).shown == setting.shown)
            let parts = setting.key.split(separator: ".")
            let file = #"{"\#(parts[0])": {"\#(parts[1])": "\#(setting.defaultText)"}}"#
            #expect(try Self.setting(setting.key, Self.settings(file: file)).source == "config/juliet.json")
        }
    }

    @Test(
        "each stands in config/juliet.json with its default and what `juliet config` says of it, and nothing else does")
    func shippedFile() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        let path = root.appending(path: "config/juliet.json")
        let text = try String(contentsOf: path, encoding: .utf8)
        #expect(try SettingsFile(path: "", text: text).values.isEmpty)
        let expected = Self.file(of: try Self.settings().list)
        guard text != expected else { return }
        let new = root.appending(path: ".build/juliet.json")
        try expected.write(to: new, atomically: true, encoding: .utf8)
        Issue.record("The settings have changed. If it is meant: cp \(new.path) \(path.path)")
    }

    /// The settings file that says of each setting what it is, and sets none.
    private static func file(of settings: [Setting]) -> String {
        var lines = [
            "// Juliet's settings. Every key is here with its default; comments and trailing commas are allowed. `juliet config`",
            "// prints each value and where it comes from. Flags and environment variables override this file: the key",
            "// energy.clientUpdates is JULIET_ENERGY_CLIENT_UPDATES. All commands use the keys of \"database\".",
            "//",
            "// Keys marked \"rule\" are rules of the game, which the database keeps for all its services: after a change run",
            "// `juliet rules apply`. Keys marked \"secret\" can be read from files: docs/settings.md.",
            "{",
        ]
        var sections: [Substring] = []
        for setting in settings where !sections.contains(setting.section) { sections.append(setting.section) }
        for section in sections {
            lines.append("    \"\(section)\": {")
            for setting in settings where setting.section == section {
                lines += wrapped(
                    (GameRules.Key(rawValue: setting.key) != nil ? "rule: " : setting.isSecret ? "secret: " : "")
                        + "\(setting.summary). [\(setting.expectation)]")
                let shown = setting.isSecret && setting.isList ? #"["…"]"# : setting.json
                lines.append("        // \"\(setting.name)\": \(shown),")
                lines.append("")
            }
            if section == "identities" {
                lines +=
                    wrapped("Of each provider:") + [
                        #"        // "apple": { "issuers": ["https://appleid.apple.com"], "audiences": ["com.example.juliet"],"#,
                        #"        //            "keys": "/var/lib/juliet-keys/apple.json" },"#, "",
                    ]
            }
            lines.removeLast()
            lines.append("    },")
        }
        return (lines + ["}", ""]).joined(separator: "\n")
    }

    /// A comment, in lines of at most 120 characters.
    private static func wrapped(_ comment: String) -> [String] {
        comment.split(separator: " ").reduce(into: []) { lines, word in
            if let last = lines.last, last.count + 1 + word.count <= 120 {
                lines[lines.count - 1] += " \(word)"
            } else {
                lines.append("        // \(word)")
            }
        }
    }

    @Test("come from a flag before the environment, from it before the file, from it before the default")
    func precedence() throws {
        let file = #"{"http": {"port": 4}}"#
        let environment = ["JULIET_HTTP_PORT": "3"]
        let flags = [(key: "http.port", value: "2", flag: "--port")]
        let cases: [(Settings, UInt16, String)] = [
            (try Self.settings(flags: flags, environment: environment, file: file), 2, "--port"),
            (try Self.settings(environment: environment, file: file), 3, "JULIET_HTTP_PORT"),
            (try Self.settings(file: file), 4, "config/juliet.json"),
            (try Self.settings(), 8080, "default"),
        ]
        for (settings, port, source) in cases {
            #expect(settings.http.port == port)
            #expect(try Self.setting("http.port", settings).source == source)
        }
    }

    @Test("have an environment variable each")
    func environmentNames() throws {
        let names = try Self.settings().list.map { ($0.key, $0.environmentVariable) }
        #expect(names.contains { $0 == ("energy.clientUpdates", "JULIET_ENERGY_CLIENT_UPDATES") })
        #expect(names.contains { $0 == ("auth.tokens", "JULIET_AUTH_TOKENS") })
        #expect(names.contains { $0 == ("http.port", "JULIET_HTTP_PORT") })
        #expect(names.contains { $0 == ("purchases.bundleId", "JULIET_PURCHASES_BUNDLE_ID") })
        #expect(names.contains { $0 == ("purchases.appAppleId", "JULIET_PURCHASES_APP_APPLE_ID") })
        #expect(Set(names.map(\.1)).count == names.count)
    }

    @Test(
        "an acronym in a key is one word of its variable",
        arguments: [
            ("purchases.bundleID", "JULIET_PURCHASES_BUNDLE_ID"), ("http.useTLSProxy", "JULIET_HTTP_USE_TLS_PROXY"),
            ("http.URLPath", "JULIET_HTTP_URL_PATH"), ("http.tlsURL", "JULIET_HTTP_TLS_URL"), ("a.bC", "JULIET_A_B_C"),
            ("a.bCDe", "JULIET_A_B_C_DE"), ("a.http2Port", "JULIET_A_HTTP2_PORT"), ("a.ID", "JULIET_A_ID"),
        ])
    func acronyms(key: String, variable: String) {
        #expect(Setting.environmentVariable(for: key) == variable)
    }

    @Test("that are unknown or wrong stop the start with one line that names the key")
    func errors() {
        let cases = [
            (
                Self.error(file: #"{"http": {"prot": 1}}"#),
                "config/juliet.json: unknown key http.prot; did you mean http.port?"
            ),
            (
                Self.error(file: #"{"colour": "red"}"#),
                "config/juliet.json: unknown key colour; juliet config lists all keys"
            ),
            (
                // What was a setting once.
                Self.error(file: #"{"database": {"batchSize": 64}}"#),
                "config/juliet.json: unknown key database.batchSize; juliet config lists all keys"
            ),
            (
                Self.error(environment: ["JULIET_GAME_WORDS_REFRESH": "30s"]),
                "unknown environment variable JULIET_GAME_WORDS_REFRESH; juliet config lists all keys"
            ),
            (
                Self.error(file: #"{"colours": []}"#),
                "config/juliet.json: unknown key colours; juliet config lists all keys"
            ),
            (
                Self.error(environment: ["JULIET_HTTP_PROT": "1"]),
                "unknown environment variable JULIET_HTTP_PROT; did you mean JULIET_HTTP_PORT?"
            ),
            (
                Self.error(environment: ["JULIET_HTTP_PORT_FILE": "1"]),
                "unknown environment variable JULIET_HTTP_PORT_FILE; juliet config lists all keys"
            ),
            (
                Self.error(environment: ["JULIET_HTTP_PORT": "80 80"]),
                "http.port (JULIET_HTTP_PORT): \"80 80\" is not a whole number from 0 to 65535"
            ),
            (
                Self.error { try Self.settings(flags: [("http.port", "65536", "--port")]) },
                "http.port (--port): \"65536\" is not a whole number from 0 to 65535"
            ),
            (
                Self.error { try Self.settings(flags: [("http.prot", "1", "--port")]) },
                "--port: unknown key http.prot; did you mean http.port?"
            ),
            (
                Self.error(file: #"{"energy": {"clientUpdates": "no"}}"#),
                "energy.clientUpdates (config/juliet.json): \"no\" is not accept or lowerOnly or refuse"
            ),
            (
                Self.error(file: #"{"http": {"headDeadline": 10}}"#),
                "http.headDeadline (config/juliet.json): \"10\" is not a duration from 100ms to 1h, such as 250ms, 30s, 5m or 1h"
            ),
            (
                Self.error(file: #"{"http": {"port": 1.5}}"#),
                "config/juliet.json: http.port must be a string, a whole number, true, false or a list of strings"
            ),
            (
                Self.error(file: #"{"http": {"port": true}}"#),
                "http.port (config/juliet.json): \"true\" is not a whole number from 0 to 65535"
            ),
            (
                Self.error(file: #"{"http": {"host": ""}}"#),
                "http.host (config/juliet.json): \"\" is not an address or a name"
            ),
            (
                Self.error(environment: ["JULIET_HTTP_SOCKET": "run/juliet.sock"]),
                "http.socket (JULIET_HTTP_SOCKET): \"run/juliet.sock\" is not an absolute path of at most 100 bytes, systemd or systemd:NAME"
            ),
            (Self.error(file: "[]"), "config/juliet.json: expected a JSON object"),
        ]
        for (error, expected) in cases { #expect(error == expected) }
    }

    @Test(
        "name the line and the character where a file stops being JSON",
        arguments: [
            ("{", "1:2", "the file ends too early"), ("", "1:1", "the file ends too early"),
            ("{\n  \"http\": {\n    \"port\": 1,,\n}}", "3:15", "expected a name or } before the comma"),
            ("{\"a\": \"b\" \"c\": 1}", "1:11", "expected a comma or }"),
            ("{\r\n\"a\" 1}", "2:5", "expected a colon after the name"), ("{\"a\": }", "1:7", "expected a value"),
            ("{;}", "1:2", "expected a name or }"), ("{\"a\": [1 2]}", "1:10", "expected a comma or ]"),
            ("{\"a\": yes}", "1:7", "this is not a value: write a text in quotes"),
            ("{\"a\": \"\\u12\"}", "1:8", "four hexadecimal digits must follow \\u"),
            ("{\"a\": \"b\n}", "1:7", "this text has no end"), ("{} /* c", "1:4", "this comment has no end"),
            ("{}}", "1:3", "something follows the end"),
            (String(repeating: "[", count: 100_000), "1:513", "more than 512 brackets in one another"),
        ])
    func place(file: String, place: String, reason: String) {
        #expect(
            Self.error(file: file)
                == "config/juliet.json:\(place): not valid JSON (comments and trailing commas are allowed): \(reason)")
    }

    @Test("find no fault in a file that can be read")
    func noFault() throws {
        let shipped = URL(filePath: #filePath).appending(path: "../../../config/juliet.json").standardized
        for text in [
            try String(contentsOf: shipped, encoding: .utf8),
            "{a: [1, 2,], // b\n 'c': 'd\\'e', /* { */ f: {g: -.5e3, h: 0x1F, i: true, j: null,},}",
        ] {
            #expect(JSON5Fault(in: text) == nil)
            #expect(Self.error(file: text)?.contains("not valid JSON") != true)
        }
    }

    @Test("say whether a flag has the bad value, or something else")
    func usage() {
        let error = #expect(throws: SettingsError.self) {
            try Self.settings(flags: [("http.port", "x", "--port")])
        }
        #expect(error?.isUsage == true)
        let other = #expect(throws: SettingsError.self) { try Self.settings(environment: ["JULIET_HTTP_PORT": "x"]) }
        #expect(other?.isUsage == false)
        // A flag that does not go with something else.
        let systemd = ["JULIET_HTTP_SOCKET": "systemd"]
        let together = #expect(throws: SettingsError.self) {
            try Self.settings(flags: [("http.host", "127.0.0.1", "--host")], environment: systemd)
        }
        #expect(together?.isUsage == true)
        let without = #expect(throws: SettingsError.self) {
            try Self.settings(environment: systemd.merging(["JULIET_HTTP_HOST": "127.0.0.1"]) { $1 })
        }
        #expect(without?.isUsage == false)
    }

    @Test("that Kubernetes makes of services called juliet, and juliet-http, are no settings")
    func kubernetes() throws {
        let settings = try Self.settings(environment: [
            "JULIET_SERVICE_HOST": "10.0.0.1", "JULIET_SERVICE_PORT": "80", "JULIET_SERVICE_PORT_HTTP": "80",
            "JULIET_PORT": "tcp://10.0.0.1:80", "JULIET_PORT_80_TCP": "tcp://10.0.0.1:80",
            "JULIET_PORT_80_TCP_PROTO": "tcp", "JULIET_PORT_80_TCP_PORT": "80", "JULIET_PORT_80_TCP_ADDR": "10.0.0.1",
            "JULIET_HTTP_SERVICE_HOST": "10.0.0.2", "JULIET_HTTP_PORT": "tcp://10.0.0.2:80",
        ])
        #expect(settings.http.port == 8080)
        #expect(Self.error(environment: ["JULIET_PORT": "8080"])?.hasPrefix("unknown environment variable") == true)
        #expect(Self.error(environment: ["JULIET_PROT_80_TCP": "1"])?.hasPrefix("unknown environment") == true)
    }

    @Test("allow comments and trailing commas in the file")
    func comments() throws {
        let file = """
            // why
            { "http": { "port": 1, /* and why not */ }, "auth": { "tokens": ["a", "b"], }, }
            """
        let settings = try Self.settings(file: file)
        #expect(settings.http.port == 1)
        #expect(settings.keys.check("b") == .accepted)
    }

    @Test("say how long the HTTP server waits and whether a proxy ends TLS")
    func httpServer() throws {
        let defaults = try Self.settings().http
        #expect(!defaults.isBehindTLSProxy)
        #expect(defaults.firstByteDeadline == defaults.headDeadline)
        let file = #"{"http": {"proxy": "tls", "headDeadline": "3s"}}"#
        let configuration = try Self.settings(file: file).http
        #expect(configuration.isBehindTLSProxy)
        #expect(configuration.headDeadline == .seconds(3) && configuration.firstByteDeadline == .seconds(3))
        #expect(
            Self.error(file: #"{"http": {"proxy": "yes"}}"#)
                == "http.proxy (config/juliet.json): \"yes\" is not none or tls")
    }

    @Test("a statement's limits end before those that they are within")
    func statementLimits() throws {
        let settings = try Self.settings(file: #"{"database": {"maximumWait": "5s", "statementTimeout": "30s"}}"#)
        #expect(settings.database.expectedWaitLimit == settings.database.queueTimeout)
        #expect(settings.database.statementTimeout < settings.http.handlerDeadline ?? .zero)
        for file in [#"{"database": {"maximumWait": "6s"}}"#, #"{"database": {"statementTimeout": "31s"}}"#] {
            #expect(Self.error(file: file)?.contains("is not a duration from ") == true)
        }
    }

    @Test(
        "a base path is one however its slashes are set",
        arguments: [
            ("prod", "/prod"), ("/prod", "/prod"), ("/prod/", "/prod"), ("a/b-1.2_~", "/a/b-1.2_~"), ("", ""),
            ("/", ""),
        ])
    func basePath(text: String, path: String) throws {
        let settings = try Self.settings(environment: ["JULIET_HTTP_BASE_PATH": text])
        #expect(settings.basePath == path)
        #expect(try Self.setting("http.basePath", settings).shown == (path.isEmpty ? "(none)" : path))
    }

    @Test(
        "a base path that no URL has is refused", arguments: ["/a b", "/pröd", "/a?b", "/../a", "%41", "http://a"])
    func badBasePath(text: String) {
        #expect(
            Self.error(environment: ["JULIET_HTTP_BASE_PATH": text])
                == "http.basePath (JULIET_HTTP_BASE_PATH): \"\(text)\" is not a path of letters, digits, - . _ ~ and slashes, such as /prod"
        )
    }

    @Test(
        "a host is an address or a name, and has no port",
        arguments: ["127.0.0.1:80", "[::1]", "[::1]:80", "localhost:80", "http://a", "a b", ":80"])
    func badHost(text: String) {
        for variable in ["JULIET_HTTP_HOST", "JULIET_ADMIN_HOST"] {
            #expect(Self.error(environment: [variable: text])?.hasSuffix("is not an address or a name") == true)
        }
    }

    @Test(
        "every address and name that a host can have is taken",
        arguments: [
            "127.0.0.1", "0.0.0.0", "::", "::1", "fe80::1%eth0", "2001:db8::192.0.2.1", "localhost", "a.example",
            "my_host",
        ])
    func host(text: String) throws {
        #expect(try Self.settings(environment: ["JULIET_HTTP_HOST": text]).http.host == text)
    }

    @Test("numbers and durations take the bounds that are said of them, and nothing beyond; words, each that is said")
    func bounds() throws {
        func error(_ setting: Setting, _ text: String) -> String? {
            Self.error(environment: [setting.environmentVariable: text])
        }
        var count = 0
        for setting in try Self.settings().list {
            let said = setting.expectation
            if let range = said.wholeMatch(of: #/a whole number from (\d+) to (\d+)/#) {
                let (lowest, highest) = (try #require(Int(range.1)), try #require(Int(range.2)))
                for value in [lowest, highest] { #expect(error(setting, "\(value)") == nil, "\(setting.key)") }
                for value in [lowest - 1, highest + 1] { #expect(error(setting, "\(value)") != nil, "\(setting.key)") }
                count += 1
            } else if let range = said.firstMatch(of: #/from (\w+) to (\w+), such as/#) {
                let highest = try #require(Duration(configurationText: String(range.2)))
                for text in [range.1, range.2] { #expect(error(setting, String(text)) == nil, "\(setting.key)") }
                #expect(
                    error(setting, (highest + .seconds(1)).configurationText) != nil,
                    "\(setting.key)")
                count += 1
            } else if said.wholeMatch(of: #/[A-Za-z]+( or [A-Za-z]+)+/#) != nil {
                for word in said.split(separator: " or ") {
                    // Some ask for others.
                    let refusal = error(setting, String(word))
                    #expect(refusal?.contains("is not") != true, "\(setting.key): \(refusal ?? "")")
                }
                #expect(error(setting, "other")?.hasSuffix("is not \(said)") == true, "\(setting.key)")
                count += 1
            }
        }
        #expect(count > 40)
    }

    @Test("docs/settings.md says the variables and defaults that they have")
    func documented() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        let page = try String(contentsOf: root.appending(path: "docs/settings.md"), encoding: .utf8)
        let settings = try Self.settings().list
        var count = 0
        for row in page.split(separator: "\n") where row.hasPrefix("| `") {
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            let names = cells[1].matches(of: #/`(\w+)`/#).map { String($0.1) }
            let told = cells[2].replacing("`", with: "")
            let keys = cells[0].matches(of: #/`([^`]+)`/#).map { String($0.1) }
            for (place, key) in keys.enumerated() {
                let setting = try #require(settings.first { $0.key == key }, "\(key)")
                #expect(names.contains(setting.environmentVariable), "\(key)")
                count += 1
                // Where there is none, it may say what holds then.
                guard !setting.isSecret else { continue }
                let defaults = told.split(separator: ", ")
                let own = defaults.isEmpty ? "" : String(defaults.count == keys.count ? defaults[place] : defaults[0])
                #expect(
                    own == setting.defaultText || ["", "none"].contains(own) && setting.defaultText.isEmpty, "\(key)")
            }
        }
        #expect(count > 25)
    }

    // MARK: The web

    @Test("say whether the page is served, by true and false")
    func page() throws {
        #expect(try Self.settings().web.isEnabled)
        #expect(try !Self.settings(file: #"{"web": {"enabled": false}}"#).web.isEnabled)
        #expect(try !Self.settings(environment: ["JULIET_WEB_ENABLED": "false"]).web.isEnabled)
        #expect(
            Self.error(environment: ["JULIET_WEB_ENABLED": "no"])
                == "web.enabled (JULIET_WEB_ENABLED): \"no\" is not true or false")
    }

    @Test(
        "an origin is spelled as browsers do, however it is given",
        arguments: [
            ("https://a.example", ["https://a.example"]), ("HTTPS://A.Example/", ["https://a.example"]),
            ("https://a.example:443, http://b:80,http://c:8080", ["https://a.example", "http://b", "http://c:8080"]),
            ("http://[::1]:3000", ["http://[::1]:3000"]), ("capacitor://localhost", ["capacitor://localhost"]),
            ("http://a:443", ["http://a:443"]), ("*", ["*"]), ("", []), (" , ", []),
        ])
    func origins(text: String, origins: [String]) throws {
        let settings = try Self.settings(environment: ["JULIET_WEB_ALLOWED_ORIGINS": text])
        #expect(settings.web.allowedOrigins == origins)
        #expect(
            try Self.setting("web.allowedOrigins", settings).shown
                == (origins.isEmpty ? "(none)" : origins.joined(separator: ",")))
        let list = text.split(separator: ",").map { "\"\($0)\"" }.joined(separator: ",")
        #expect(
            try Self.settings(file: #"{"web": {"allowedOrigins": [\#(list)]}}"#).web.allowedOrigins == origins)
    }

    @Test(
        "an origin that no browser sends is refused",
        arguments: [
            "a.example", "https://a.example/path", "https://", "https://a b", "null", "*, https://a", "https://*.a",
            "https://u@a", "https://a:", "https://a:0443", "https://a:65536", "https://a?b", "://a",
            "https://ä.example",
        ])
    func badOrigins(text: String) {
        #expect(
            Self.error(environment: ["JULIET_WEB_ALLOWED_ORIGINS": text])
                == "web.allowedOrigins (JULIET_WEB_ALLOWED_ORIGINS): \"\(text)\" is not origins such as https://example.com, separated by commas, or *"
        )
    }

    @Test(
        "the operator's own pages are addresses of HTTPS or paths, and nowhere unless they are set",
        arguments: [
            "https://example.com", "https://example.com/imprint", "https://a-b.example:8443/x?y=1&z=%20#top",
            "https://example.com?page=imprint", "/imprint", "/", "/legal/imprint.html?lang=de", "",
        ])
    func links(text: String) throws {
        let settings = try Self.settings(
            environment: ["JULIET_WEB_IMPRINT": text], file: #"{"web": {"privacy": "\#(text)"}}"#)
        #expect(settings.web.imprint == text && settings.web.privacy == text)
        #expect(try Self.setting("web.imprint", settings).shown == (text.isEmpty ? "(none)" : text))
        #expect(try Self.settings().web.imprint.isEmpty)
    }

    @Test(
        "an invalid address of a page stops the start",
        arguments: [
            "http://example.com", "imprint", "//example.com", "/\\example.com", "javascript:alert(1)", "https://",
            "https://a b",
            "https://example.com/\"><script>", "https://u@example.com", "/a b", "/ä", "HTTPS://example.com",
            "data:text/html,x",
        ])
    func badLinks(text: String) {
        #expect(
            Self.error(environment: ["JULIET_WEB_PRIVACY": text])
                == "web.privacy (JULIET_WEB_PRIVACY): \"\(text)\" is not an address such as https://example.com/imprint, or a path such as /imprint"
        )
    }

    @Test("keep the app's players to the app, and show leaderboards to everybody, unless told otherwise")
    func players() throws {
        let defaults = try Self.settings()
        #expect(defaults.rules.claims == .refuse)
        #expect(defaults.rules.claimedApp == .refuse)
        #expect(defaults.web.leaderboards == .public)
        let file =
            #"{"players": {"claims": "allow", "claimedApp": "accept"}, "web": {"leaderboards": "players"}}"#
        let settings = try Self.settings(file: file)
        #expect(settings.rules.claims == .allow)
        #expect(settings.rules.claimedApp == .accept)
        #expect(settings.web.leaderboards == .players)
    }

    @Test("has leagues unless told otherwise")
    func leagues() throws {
        #expect(try Self.settings().game.leagues == .on)
        #expect(try Self.settings(file: #"{"play": {"leagues": "off"}}"#).game.leagues == .off)
        #expect(
            Self.error(environment: ["JULIET_PLAY_LEAGUES": "no"])
                == "play.leagues (JULIET_PLAY_LEAGUES): \"no\" is not on or off")
    }

    @Test("let past days be played unless told otherwise")
    func daysGoneBy() throws {
        #expect(try Self.settings().game.daysGoneBy == .on)
        #expect(try Self.settings(file: #"{"play": {"daysGoneBy": "off"}}"#).game.daysGoneBy == .off)
        #expect(
            Self.error(environment: ["JULIET_PLAY_DAYS_GONE_BY": "no"])
                == "play.daysGoneBy (JULIET_PLAY_DAYS_GONE_BY): \"no\" is not on or off")
    }

    @Test("let challenges be played unless told otherwise")
    func challenges() throws {
        #expect(try Self.settings().game.challenges == .on)
        #expect(try Self.settings(file: #"{"play": {"challenges": "off"}}"#).game.challenges == .off)
    }

    @Test("bring energy back every four hours, counted in whole seconds, and reward the day, unless told otherwise")
    func refills() throws {
        let defaults = try Self.settings().rules
        #expect(defaults.refillAmount == 5)
        #expect(defaults.refillEvery == 14400)
        #expect(defaults.refillUpTo == 30)
        #expect(defaults.dailyReward == 5)
        let file =
            #"{"energy": {"refillAmount": 1, "refillEvery": "90m", "refillUpTo": 100, "dailyReward": 0}}"#
        let rules = try Self.settings(file: file).rules
        #expect(rules.refillAmount == 1)
        #expect(rules.refillEvery == 5400)
        #expect(rules.refillUpTo == 100)
        #expect(rules.dailyReward == 0)
        for text in ["1500ms", "-1s", "366d", "4"] {
            let error = Self.error(environment: ["JULIET_ENERGY_REFILL_EVERY": text]) ?? ""
            #expect(error.contains("\"\(text)\" is not a duration of whole seconds from 0s to "), "\(error)")
        }
    }

    @Test("hold the lottery unless told otherwise")
    func lottery() throws {
        #expect(try Self.settings().isLotteryEnabled)
        #expect(try !Self.settings(file: #"{"lottery": {"enabled": false}}"#).isLotteryEnabled)
        #expect(
            Self.error(environment: ["JULIET_LOTTERY_ENABLED": "no"])
                == "lottery.enabled (JULIET_LOTTERY_ENABLED): \"no\" is not true or false")
    }

    @Test("an empty list is a value, the same one from everywhere, and not the default")
    func emptyList() throws {
        #expect(try !Self.settings().limits.exempt.isEmpty)
        for settings in [
            try Self.settings(flags: [(key: "limits.exempt", value: "", flag: "--exempt")]),
            try Self.settings(environment: ["JULIET_LIMITS_EXEMPT": ""]),
            try Self.settings(file: #"{"limits": {"exempt": ""}}"#),
            try Self.settings(file: #"{"limits": {"exempt": []}}"#),
        ] {
            #expect(settings.limits.exempt.isEmpty)
            #expect(try Self.setting("limits.exempt", settings).shown == "(none)")
        }
        #expect(
            Self.error(file: #"{"http": {"port": []}}"#)
                == "http.port (config/juliet.json): \"\" is not a whole number from 0 to 65535")
    }

    // MARK: Secrets

    @Test("API keys are split at commas and line ends, without blanks and empty ones")
    func lists() throws {
        let keys = try Self.settings(environment: ["JULIET_AUTH_TOKENS": " one, two ,,three,\nfour"]).keys
        for key in ["one", "two", "three", "four"] { #expect(keys.check(key) == .accepted) }
        for key in ["", " one", ","] { #expect(keys.check(key) == .wrong) }
    }

    @Test(
        "API keys that are set and hold no key are an error, never a service without keys",
        arguments: ["", " ", ",", " , ,\n"])
    func noKeys(text: String) {
        let error = "auth.tokens (JULIET_AUTH_TOKENS): this value is not at least one key, several separated by commas"
        #expect(Self.error(environment: ["JULIET_AUTH_TOKENS": text]) == error)
        let file = Self.error(environment: ["JULIET_AUTH_TOKENS_FILE": "/keys"], secrets: ["/keys": text + "\n"])
        #expect(
            file
                == (text.isEmpty
                    ? "auth.tokens (JULIET_AUTH_TOKENS_FILE): /keys is empty"
                    : "auth.tokens (JULIET_AUTH_TOKENS_FILE): this value is not at least one key, several separated by commas")
        )
        for list in ["[]", #"[""]"#] {
            #expect(
                Self.error(file: #"{"auth": {"tokens": \#(list)}}"#)
                    == "auth.tokens (config/juliet.json): this value is not at least one key, several separated by commas"
            )
        }
    }

    @Test("that are secret can come from a file, without its last line end")
    func secretFiles() throws {
        let settings = try Self.settings(
            environment: [
                "JULIET_AUTH_TOKENS_FILE": "/secret", "DATABASE_URL_FILE": "/url", "PGPASSWORD_FILE": "/password",
            ],
            secrets: ["/secret": "key\n", "/url": "postgres://db\r\n", "/password": "p w\n"])
        #expect(settings.keys.check("key") == .accepted)
        #expect(settings.database.connectionString == "postgres://db")
        #expect(settings.database.parameters == ["password": "p w"])
        #expect(try Self.setting("database.url", settings).source == "DATABASE_URL_FILE")
        #expect(
            Self.error(environment: ["JULIET_AUTH_TOKENS_FILE": "/gone"])
                == "auth.tokens (JULIET_AUTH_TOKENS_FILE): cannot read /gone: no such file")
        #expect(
            Self.error(environment: ["PGPASSWORD_FILE": "/p"], secrets: ["/p": "\n"])
                == "database.password (PGPASSWORD_FILE): /p is empty")
        #expect(
            Self.error(
                environment: ["JULIET_AUTH_TOKENS": "a", "JULIET_AUTH_TOKENS_FILE": "/b"], secrets: ["/b": "b"])
                == "auth.tokens: JULIET_AUTH_TOKENS and JULIET_AUTH_TOKENS_FILE are both set: keep one of them")
    }

    @Test("never show a secret")
    func secrets() throws {
        let environment = [
            "JULIET_AUTH_TOKENS": "s3cret", "DATABASE_URL": "postgres://u:s3cret@db",
            "JULIET_DATABASE_PASSWORD": "s3cret",
        ]
        let settings = try Self.settings(environment: environment)
        #expect(!settings.table().contains("s3cret"))
        #expect(!"\(settings)".contains("s3cret"))
        for key in ["auth.tokens", "database.url", "database.password"] {
            #expect(settings.table().contains("\(key) = (hidden)"))
            #expect(try Self.settings().table().contains("\(key) = (none)"))
        }
        #expect(
            Self.error(environment: ["DATABASE_URL": "postgres://u:s3cret@["])
                == "database.url (DATABASE_URL): this value is not a postgres://… URL or keyword=value pairs, as libpq reads them: end of string reached when looking for matching \"]\" in IPv6 host address in URI: \"…\""
        )
    }

    // MARK: The database

    @Test("take the database from a flag, JULIET_DATABASE_URL, DATABASE_URL, the file, and then leave it to libpq")
    func databaseOrder() throws {
        let flags = [(key: "database.url", value: "dbname=1", flag: "--database")]
        var environment = ["JULIET_DATABASE_URL": "dbname=2", "DATABASE_URL": "dbname=3"]
        let file = #"{"database": {"url": "dbname=4"}}"#
        for part in [Settings.Part.all, .database] {
            let url = {
                (flags: [(key: String, value: String, flag: String)], environment: [String: String], file: String?) in
                try Self.settings(flags: flags, environment: environment, file: file, part: part).database
                    .connectionString
            }
            environment = ["JULIET_DATABASE_URL": "dbname=2", "DATABASE_URL": "dbname=3"]
            #expect(try url(flags, environment, file) == "dbname=1")
            #expect(try url([], environment, file) == "dbname=2")
            environment["JULIET_DATABASE_URL"] = ""
            #expect(try url([], environment, file) == "dbname=3")
            environment["DATABASE_URL"] = ""
            #expect(try url([], environment, file) == "dbname=4")
            #expect(try url([], environment, #"{"database": {"url": ""}}"#) == "")
            #expect(try url([], environment, nil) == "")
        }
    }

    @Test("the commands that need only the database look at nothing else, and still refuse unknown names")
    func databaseOnly() throws {
        let environment = [
            "JULIET_AUTH_TOKENS_FILE": "/not for us", "JULIET_HTTP_PORT": "x", "DATABASE_URL": "dbname=a",
        ]
        let settings = try Self.settings(environment: environment, part: .database)
        #expect(settings.database.connectionString == "dbname=a")
        #expect(settings.http.port == 8080)
        #expect(
            Self.error { try Self.settings(environment: ["JULIET_DATABASE_ULR": "a"], part: .database) }
                == "unknown environment variable JULIET_DATABASE_ULR; did you mean JULIET_DATABASE_URL?")
    }

    // MARK: Durations

    @Test("read and write durations in whole units", arguments: ["250ms", "30s", "5m", "1h", "90s", "1500ms"])
    func durations(text: String) throws {
        let duration = try #require(Duration(configurationText: text))
        #expect(duration.configurationText == text)
    }

    @Test("refuse what is no duration", arguments: ["", "5", "s", "-1s", "1.5s", "1 s", "1d", "99999999999s"])
    func badDurations(text: String) {
        #expect(Duration(configurationText: text) == nil)
    }
}

extension Setting {
    /// What is before the dot of the key.
    fileprivate var section: Substring { key.prefix { $0 != "." } }
    /// What is after it.
    fileprivate var name: Substring { key.dropFirst(section.count + 1) }

    /// The default as the settings file has it.
    fileprivate var json: String {
        if isList {
            return "[\(defaultText.split(separator: ",").map { "\"\($0)\"" }.joined(separator: ", "))]"
        }
        return defaultText.wholeMatch(of: /\d+|true|false/) != nil ? defaultText : "\"\(defaultText)\""
    }
}
