import StrictEncoding
import Testing

@Suite("base64url")
struct Base64URLTests {
    @Test("is written as RFC 4648 §10 has it, without padding, and read back")
    func vectors() {
        for (plain, text) in [
            ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
            ("foobar", "Zm9vYmFy"),
        ] {
            #expect(Base64URL.encode(plain.utf8) == text)
            #expect(Base64URL.decode(text) == Array(plain.utf8))
        }
        #expect(Base64URL.encode([0xFB, 0xFF]) == "-_8")
        #expect(Base64URL.decode("-_8") == [0xFB, 0xFF])
    }

    @Test(
        "has one spelling for any bytes",
        arguments: [
            "Zg==", "Zg=", "Zm8=", "+/8", "Zh", "Zm9", "A", "AAAAA", "Zg ", " Zg", "Z g", "Zg\n", "Zé", "Zg.",
            "\u{0}\u{0}",
        ])
    func others(text: String) { #expect(Base64URL.decode(text) == nil) }

    @Test("of any bytes is read back, and no other text of its length is these bytes")
    func roundTrip() {
        for size in 0..<70 {
            let bytes = (0..<size).map { _ in UInt8.random(in: .min ... .max) }
            #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
        }
    }
}

@Suite("base64 with padding")
struct Base64Tests {
    @Test("is read as RFC 4648 §10 has it")
    func vectors() {
        for (plain, text) in [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            #expect(Base64.decode(text) == Array(plain.utf8))
        }
        #expect(Base64.decode("+/8=") == [0xFB, 0xFF])
    }

    @Test(
        "has one spelling for any bytes",
        arguments: [
            "Zg", "Zg=", "Zm8", "-_8=", "Zh==", "Zm9=", "A", "A===", "====", "Zg==\n", "Zg= =", "Zm9v====", "Zé",
        ])
    func others(text: String) { #expect(Base64.decode(text) == nil) }
}
