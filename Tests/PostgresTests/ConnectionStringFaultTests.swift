import Testing

@testable import Postgres

@Suite("What libpq says of a connection string")
struct ConnectionStringFaultTests {
    @Test(
        "is shown without what may be a password",
        arguments: [
            ("postgres://ada:hush@h/d?foo=bar", "invalid URI query parameter: \"foo\""),
            ("postgres://h/d?sslmode=disable&foo=bar", "invalid URI query parameter: \"foo\""),
            ("postgres://h/d?foo", "missing key/value separator \"=\" in URI query parameter: \"foo\""),
            ("postgres://h/d?sslmode=a=b", "extra key/value separator \"=\" in URI query parameter: \"sslmode\""),
            ("host=h foo=bar", "invalid connection option \"foo\""),
            // A password that is not encoded as it should be.
            ("postgres://ada:a/b?hush=1@h", "invalid URI query parameter: \"…\""),
            ("postgres://h/d?password=se&hush=1", "invalid URI query parameter: \"…\""),
            ("password=a hush=1", "invalid connection option \"…\""),
            ("password=a hush", "missing \"=\" after \"…\" in connection info string"),
            ("hush", "missing \"=\" after \"…\" in connection info string"),
            ("host=h user=ada hush", "missing \"=\" after \"…\" in connection info string"),
            ("password=a h", "missing \"=\" after \"…\" in connection info string"),
            ("password='hush", "unterminated quoted string in connection info string"),
            ("postgres://ada:%hush@h", "invalid percent-encoded token: \"…\""),
            (
                "postgres://ada:hush@[",
                "end of string reached when looking for matching \"]\" in IPv6 host address in URI: \"…\""
            ),
            // Its quotes cannot be told from libpq's.
            ("password=a \"hush\" b", ""),
            ("postgres://ada:hush@h/d?sslmode=disable", nil), ("", nil),
        ] as [(String, String?)])
    func fault(text: String, shown: String?) {
        #expect(PostgresConfiguration.fault(in: text) == shown)
    }

    @Test("is not shown in another language, whose quotes are others")
    func otherLanguage() {
        #expect(ConnectionStringFault(message: "option de connexion « hush » invalide\n", of: "hush=1").reason == "")
    }
}
