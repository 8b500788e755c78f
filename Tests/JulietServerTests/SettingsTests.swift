import HTTPServer
import Testing

@testable import JulietServer

@Suite("Settings")
struct SettingsTests {
    private func settings(
        flags: [(key: String, value: String, flag: String)] = [],
        environment: [String: String] = [:],
        file: String? = nil,
        secrets: [String: String] = [:]
    ) throws -> Settings {
        try Settings(
            flags: flags,
            environment: environment,
            file: try file.map { try SettingsFile(path: "config/juliet.json", text: $0) },
            readSecret: { path in
                guard let secret = secrets[path] else { throw SettingsError("no such file") }
                return secret
            })
    }

    private func error(_ body: () throws -> Settings) -> String? {
        do {
            _ = try body()
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test("have a valid default each", arguments: Setting.catalog)
    func defaults(setting: Setting) throws {
        #expect(setting.accepts(setting.defaultValue))
        #expect(try settings()[setting.key].text == setting.defaultValue)
        #expect(try settings()[setting.key].source == "default")
    }

    @Test("come from a flag before the environment, from it before the file, from it before the default")
    func precedence() throws {
        let file = #"{"http": {"port": 4}}"#
        let environment = ["JULIET_HTTP_PORT": "3"]
        let flags = [(key: "http.port", value: "2", flag: "--port")]
        #expect(try settings(flags: flags, environment: environment, file: file)["http.port"].text == "2")
        #expect(try settings(flags: flags, environment: environment, file: file)["http.port"].source == "--port")
        #expect(try settings(environment: environment, file: file)["http.port"].text == "3")
        #expect(try settings(environment: environment, file: file)["http.port"].source == "JULIET_HTTP_PORT")
        #expect(try settings(file: file)["http.port"].text == "4")
        #expect(try settings(file: file)["http.port"].source == "config/juliet.json")
        #expect(try settings()["http.port"].text == "8080")
    }

    @Test("have an environment variable each")
    func environmentNames() {
        let names = Setting.catalog.map { ($0.key, $0.environmentVariable) }
        #expect(names.contains { $0 == ("energy.clientUpdates", "JULIET_ENERGY_CLIENT_UPDATES") })
        #expect(names.contains { $0 == ("auth.tokens", "JULIET_AUTH_TOKENS") })
        #expect(names.contains { $0 == ("http.port", "JULIET_HTTP_PORT") })
    }

    @Test("each can be set by its variable", arguments: Setting.catalog)
    func environment(setting: Setting) throws {
        let value =
            switch setting.kind {
            case .text: "value"
            case .integer(let range): String(range.upperBound)
            case .duration(let range): range.upperBound.configurationText
            case .choice(let words): words[words.count - 1]
            case .list: "one,two"
            }
        #expect(try settings(environment: [setting.environmentVariable: value])[setting.key].text == value)
    }

    @Test("that are unknown or wrong stop the start with one line that names the key")
    func errors() {
        #expect(
            error { try settings(file: #"{"http": {"prot": 1}}"#) }
                == "config/juliet.json: unknown key http.prot; did you mean http.port?")
        #expect(
            error { try settings(file: #"{"colour": "red"}"#) }
                == "config/juliet.json: unknown key colour; juliet config lists all keys")
        #expect(
            error { try settings(environment: ["JULIET_HTTP_PROT": "1"]) }
                == "unknown environment variable JULIET_HTTP_PROT; did you mean JULIET_HTTP_PORT?")
        #expect(
            error { try settings(environment: ["JULIET_HTTP_PORT": "80 80"]) }
                == "http.port (JULIET_HTTP_PORT): \"80 80\" is not a whole number from 0 to 65535")
        #expect(
            error { try settings(flags: [("http.port", "65536", "--port")]) }
                == "http.port (--port): \"65536\" is not a whole number from 0 to 65535")
        #expect(
            error { try settings(file: #"{"energy": {"clientUpdates": "no"}}"#) }
                == "energy.clientUpdates (config/juliet.json): \"no\" is not accept or lowerOnly or refuse")
        #expect(
            error { try settings(file: #"{"http": {"headDeadline": 10}}"#) }
                == "http.headDeadline (config/juliet.json): \"10\" is not a duration from 100ms to 1h, such as 250ms, 30s, 5m or 1h"
        )
        #expect(
            error { try settings(file: #"{"http": {"port": true}}"#) }
                == "config/juliet.json: http.port must be a string, a whole number or a list of strings")
        #expect(error { try settings(file: "[]") } == "config/juliet.json: expected a JSON object")
        #expect(error { try settings(file: "{") }?.hasPrefix("config/juliet.json: not valid JSON") == true)
    }

    @Test("allow comments and trailing commas in the file")
    func comments() throws {
        let file = """
            // why
            { "http": { "port": 1, /* and why not */ }, "auth": { "tokens": ["a", "b"], }, }
            """
        #expect(try settings(file: file).integer("http.port") == 1)
        #expect(try settings(file: file).list("auth.tokens") == ["a", "b"])
    }

    @Test("say how long the HTTP server waits and whether a proxy ends TLS")
    func httpServer() throws {
        let defaults = try settings().httpServer
        #expect(!defaults.isBehindTLSProxy)
        #expect(defaults.firstByteDeadline == defaults.headDeadline)
        let file = #"{"http": {"proxy": "tls", "firstByteDeadline": "3s"}}"#
        let configuration = try settings(file: file).httpServer
        #expect(configuration.isBehindTLSProxy)
        #expect(configuration.firstByteDeadline == .seconds(3))
        #expect(
            error { try settings(file: #"{"http": {"proxy": "yes"}}"#) }
                == "http.proxy (config/juliet.json): \"yes\" is not none or tls")
    }

    @Test("split lists at commas and drop blanks and empty items")
    func lists() throws {
        let environment = ["JULIET_AUTH_TOKENS": " one, two ,,three,"]
        #expect(try settings(environment: environment).list("auth.tokens") == ["one", "two", "three"])
    }

    @Test("that are secret can come from a file, without its last line end")
    func secretFiles() throws {
        let environment = ["JULIET_AUTH_TOKENS_FILE": "/secret", "DATABASE_URL_FILE": "/url"]
        let settings = try settings(
            environment: environment, secrets: ["/secret": "key\n", "/url": "postgres://db\r\n"])
        #expect(settings.list("auth.tokens") == ["key"])
        #expect(settings.text("database.url") == "postgres://db")
        #expect(
            error { try self.settings(environment: ["JULIET_AUTH_TOKENS_FILE": "/gone"]) }
                == "auth.tokens (JULIET_AUTH_TOKENS_FILE): cannot read /gone: no such file")
    }

    @Test("take the database from DATABASE_URL unless JULIET_DATABASE_URL says otherwise")
    func databaseURL() throws {
        #expect(try settings(environment: ["DATABASE_URL": "a"]).text("database.url") == "a")
        #expect(
            try settings(environment: ["DATABASE_URL": "a", "JULIET_DATABASE_URL": "b"]).text("database.url") == "b")
    }

    @Test("never show a secret")
    func secrets() throws {
        let environment = ["JULIET_AUTH_TOKENS": "s3cret", "DATABASE_URL": "postgres://u:s3cret@db"]
        let table = try settings(environment: environment).table()
        #expect(!table.contains("s3cret"))
        #expect(table.contains("auth.tokens = (hidden)"))
        #expect(table.contains("database.url = (hidden)"))
        #expect(try settings().table().contains("auth.tokens = (none)"))
    }

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

@Suite("API keys")
struct AccessKeysTests {
    @Test("none configured: every request is accepted")
    func none() {
        #expect(AccessKeys([]).check(nil) == .accepted)
        #expect(AccessKeys([]).check("anything") == .accepted)
    }

    @Test("any of several is accepted, so that they can rotate")
    func rotation() {
        let keys = AccessKeys(["old", "new"])
        #expect(keys.check("old") == .accepted)
        #expect(keys.check("new") == .accepted)
        #expect(keys.check("New") == .wrong)
        #expect(keys.check("") == .wrong)
        #expect(keys.check(nil) == .missing)
    }
}

@Suite("A request's id")
struct RequestIDTests {
    @Test("is the client's when it can stand in a log line", arguments: ["a", "8f14e45f-ceea-4675", "A/b:c.d_e+f="])
    func proposed(id: String) {
        #expect(RequestID(proposed: id).description == id)
    }

    @Test(
        "is made when the client's cannot",
        arguments: [nil, "", "a b", "a\"b", "ü", String(repeating: "a", count: 129), "a\u{1b}[31m"])
    func made(id: String?) {
        let made = RequestID(proposed: id).description
        #expect(made.count == 12)
        #expect(made != RequestID(proposed: id).description)
    }
}

@Suite("A player in the log")
struct UserDigestTests {
    @Test("is ten digits of a hash, never the account id")
    func digest() {
        let digest = UserDigest("6A1F0C1E-4B52-4C8E-9A55-0E2D7C0B1231").description
        #expect(digest.count == 10)
        #expect(digest.allSatisfy { $0.isHexDigit })
        #expect(digest != UserDigest("6A1F0C1E-4B52-4C8E-9A55-0E2D7C0B1232").description)
    }
}
