import JulietAPI
import Testing

@Suite("Idempotency keys")
struct IdempotencyKeyTests {
    @Test(
        "bare and quoted values are read",
        arguments: [
            ("a", "a"), ("\"a\"", "a"),
            ("8e03978e-40d5-43dd-bc93-6894a57f9324", "8e03978e-40d5-43dd-bc93-6894a57f9324"),
            ("\"8e03978e-40d5-43dd-bc93-6894a57f9324\"", "8e03978e-40d5-43dd-bc93-6894a57f9324"),
            ("!#$%&'()*+,-./:;<=>?@[]^_`{|}~", "!#$%&'()*+,-./:;<=>?@[]^_`{|}~"),
            ("a\\b", "a\\b"), ("\"a\\\\b\"", "a\\b"), ("\"a\\\"b\"", "a\"b"), ("\"\\\"\"", "\""), ("A", "A"),
            (String(repeating: "x", count: 255), String(repeating: "x", count: 255)),
            ("\"" + String(repeating: "x", count: 255) + "\"", String(repeating: "x", count: 255)),
            ("\"" + String(repeating: "\\\\", count: 255) + "\"", String(repeating: "\\", count: 255)),
        ])
    func accepted(fieldValue: String, key: String) {
        #expect(IdempotencyKey(fieldValue: fieldValue)?.value == key)
    }

    @Test(
        "anything else is refused",
        arguments: [
            "", "\"\"", "\"", "\"\"\"", "\"a", "a\"", "a\"b", "\"a\"b", "\"a\"\"b\"", "\"a\";p=1", "\"a\", \"b\"",
            "a b", "\"a b\"", " a", "a ", "\"a\" ", "a\tb",
            "a\u{0}", "a\n", "\u{7F}", "é", "\"é\"", "🎉", "\"a\\", "\"a\\\"", "\"a\\n\"",
            String(repeating: "x", count: 256),
            "\"" + String(repeating: "x", count: 256) + "\"", String(repeating: "x", count: 100_000),
        ])
    func refused(fieldValue: String) {
        #expect(IdempotencyKey(fieldValue: fieldValue) == nil)
    }

    @Test("bare and quoted name the same operation; letter case does not")
    func equality() {
        #expect(IdempotencyKey(fieldValue: "op-1") == IdempotencyKey(fieldValue: "\"op-1\""))
        #expect(IdempotencyKey(fieldValue: "op-1") != IdempotencyKey(fieldValue: "OP-1"))
    }
}
