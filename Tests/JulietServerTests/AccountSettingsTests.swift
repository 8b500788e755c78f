import OpenIDConnect
import Testing
import WebAuthn

@testable import JulietServer

@Suite("Settings of accounts and identities")
struct AccountSettingsTests {
    private static func accounts(_ json: String) throws -> AccountSettings {
        try SettingsTests.settings(file: "{\"accounts\": {\(json)}}").accounts
    }

    @Test(
        "the relying party is the origin's host, or the end of it that is named",
        arguments: [
            (#""origin": "https://juliet.example""#, "juliet.example", "https://juliet.example"),
            (#""origin": "HTTPS://Juliet.example:443/""#, "juliet.example", "https://juliet.example"),
            (#""origin": "https://juliet.example:8443""#, "juliet.example", "https://juliet.example:8443"),
            (#""origin": "http://localhost:8080""#, "localhost", "http://localhost:8080"),
            (
                #""origin": "https://play.juliet.example", "relyingParty": "juliet.example""#, "juliet.example",
                "https://play.juliet.example"
            ),
        ])
    func origin(json: String, id: String, origin: String) throws {
        let party = try #require(try Self.accounts(json).relyingParty)
        #expect(party.id == id)
        #expect(party.origins == [origin])
        #expect(party.name == "Juliet")
    }

    @Test("without an origin there is no relying party; other origins are taken too")
    func others() throws {
        #expect(try Self.accounts("").relyingParty == nil)
        let android = "android:apk-key-hash:R7m0nBzCMOTTKxnnbvZnWzHd2rq84yrBbAnKMYTBnLM"
        let party = try Self.accounts(
            #""origin": "https://juliet.example", "otherOrigins": ["\#(android)", "https://b.juliet.example/"]"#
        ).relyingParty
        #expect(party?.origins == ["https://juliet.example", android, "https://b.juliet.example"])
    }

    @Test(
        "what cannot be is refused",
        arguments: [
            #""origin": "http://juliet.example""#, #""origin": "juliet.example""#, #""origin": "*""#,
            #""origin": "https://192.0.2.1""#, #""origin": "https://[::1]""#,
            #""origin": "https://juliet.example", "relyingParty": "example""#,
            #""origin": "https://juliet.example", "relyingParty": "uliet.example""#,
            #""origin": "https://juliet.example", "relyingParty": "other.example""#,
            #""otherOrigins": ["android:apk-key-hash:x"]"#, #""otherOrigins": ["*"]"#,
            #""appleApps": ["com.example.juliet/x"]"#, #""androidApps": ["com.example.juliet"]"#,
            #""androidApps": ["com.example.juliet=00:11"]"#,
        ])
    func refused(json: String) {
        let error = SettingsTests.error(file: "{\"accounts\": {\(json)}}")
        #expect(error?.hasPrefix("accounts.") == true, "\(error ?? "taken")")
    }

    private static let apple =
        #""apple": {"issuers": ["https://appleid.apple.com"], "audiences": ["a", "b"], "keys": "/keys.json"}"#

    @Test("each provider has settings of its own, in the file and in variables")
    func providers() throws {
        let file = "{\"identities\": {\"providers\": [\"apple\", \"my-idp\"], \(Self.apple)}}"
        let settings = try SettingsTests.settings(
            environment: [
                "JULIET_IDENTITIES_MY_IDP_ISSUERS": "https://id.example",
                "JULIET_IDENTITIES_MY_IDP_AUDIENCES": "juliet", "JULIET_IDENTITIES_MY_IDP_KEYS": "/idp.json",
            ], file: file)
        let providers = settings.accounts.providers
        #expect(providers.map(\.name) == ["apple", "my-idp"])
        #expect(providers.map(\.keysFile) == ["/keys.json", "/idp.json"])
        #expect(providers[0].rules.audiences == ["a", "b"])
        #expect(providers[1].rules.issuers == ["https://id.example"])
        // Commands that need the database alone pass it over, and know its names.
        for part in [Settings.Part.database, .rules] {
            #expect(
                try SettingsTests.settings(file: file, part: part).list.contains { $0.key == "identities.apple.keys" })
        }
    }

    @Test("a missing setting of a provider is named, and names that sessions use otherwise are refused")
    func incomplete() {
        #expect(
            SettingsTests.error(file: #"{"identities": {"providers": ["apple"]}}"#)
                == "identities.apple.issuers: identities.providers names apple, so set this key")
        for name in ["passkey", "registration", "Apple", "a b", "1", "apple,apple"] {
            #expect(SettingsTests.error(environment: ["JULIET_IDENTITIES_PROVIDERS": name]) != nil, "\(name)")
        }
        #expect(
            SettingsTests.error(file: "{\"identities\": {\(Self.apple)}}")?.contains("unknown key identities.apple.")
                == true)
    }
}
