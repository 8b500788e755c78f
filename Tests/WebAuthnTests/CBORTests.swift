import StrictEncoding
import Testing

@testable import WebAuthn

@Suite("CBOR")
struct CBORTests {
    private func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = hexadecimal.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    private func error(_ hexadecimal: String) -> CBORError? {
        do {
            _ = try CBORReader.item(bytes(hexadecimal))
            return nil
        } catch {
            return error
        }
    }

    @Test("is read as RFC 8949, appendix A, has it")
    func vectors() throws {
        let items: [(String, CBOR)] = [
            ("00", .unsigned(0)), ("17", .unsigned(23)), ("1818", .unsigned(24)), ("18ff", .unsigned(255)),
            ("190100", .unsigned(256)), ("1903e8", .unsigned(1000)), ("1a000f4240", .unsigned(1_000_000)),
            ("1b000000e8d4a51000", .unsigned(1_000_000_000_000)), ("1bffffffffffffffff", .unsigned(.max)),
            ("20", .integer(-1)), ("29", .integer(-10)), ("3863", .integer(-100)), ("390100", .integer(-257)),
            ("3bffffffffffffffff", .negative(.max)), ("40", .bytes([])), ("4401020304", .bytes([1, 2, 3, 4])),
            ("60", .text("")), ("6449455446", .text("IETF")), ("62c3bc", .text("ü")), ("80", .array([])),
            ("83010203", .array([.unsigned(1), .unsigned(2), .unsigned(3)])), ("a0", .map([])),
            (
                "a201020304",
                .map([.init(key: .unsigned(1), value: .unsigned(2)), .init(key: .unsigned(3), value: .unsigned(4))])
            ),
            ("f4", .boolean(false)), ("f5", .boolean(true)), ("f6", .null), ("f7", .undefined),
            ("f93c00", .float([0x3C, 0])), ("fa47c35000", .float([0x47, 0xC3, 0x50, 0])),
            ("fb3ff199999999999a", .float([0x3F, 0xF1, 0x99, 0x99, 0x99, 0x99, 0x99, 0x9A])),
        ]
        for (text, item) in items { #expect(try CBORReader.item(bytes(text)) == item, "\(text)") }
    }

    @Test(
        "has one spelling",
        arguments: [
            // Numbers and lengths longer than they must be.
            ("1800", .notShortest), ("1817", .notShortest), ("1900ff", .notShortest), ("1a0000ffff", .notShortest),
            ("1b00000000ffffffff", .notShortest), ("3817", .notShortest), ("5800", .notShortest),
            ("580141", .notShortest),
            ("7800", .notShortest), ("9800", .notShortest), ("b800", .notShortest), ("b90000", .notShortest),
            // Lengths that only an end tells, and that end.
            ("5f4101ff", .indefiniteLength), ("7f6161ff", .indefiniteLength), ("9f01ff", .indefiniteLength),
            ("bf0102ff", .indefiniteLength), ("ff", .indefiniteLength), ("1f", .indefiniteLength),
            // Keys out of order: bytewise, by length, by type; and twice.
            ("a203010101", .keyOrder), ("a220010101", .keyOrder), ("a2626161016162 01", .keyOrder),
            ("a2616201616101", .keyOrder), ("a2616101 0101", .keyOrder), ("a201010102", .keyOrder),
            ("a2616101616102", .keyOrder), ("a3010102020202", .keyOrder), ("a2190100 01 01 01", .keyOrder),
            // Tags, simple values, reserved lengths.
            ("c000", .tag), ("d9d9f700", .tag), ("c24101", .tag), ("e0", .simpleValue), ("f3", .simpleValue),
            ("f8ff", .simpleValue), ("f814", .simpleValue), ("1c", .reserved), ("5d", .reserved), ("fc", .reserved),
            ("61ff", .invalidUTF8), ("63eda080", .invalidUTF8), ("62c080", .invalidUTF8),
            // Too short, too long.
            ("", .unexpectedEnd), ("18", .unexpectedEnd), ("1901", .unexpectedEnd), ("41", .unexpectedEnd),
            ("6161 61", .trailingBytes), ("0000", .trailingBytes), ("8101 02", .trailingBytes), ("81", .unexpectedEnd),
            ("a101", .unexpectedEnd), ("5bffffffffffffffff", .unexpectedEnd), ("9bffffffffffffffff00", .unexpectedEnd),
            ("bb7fffffffffffffff", .unexpectedEnd), ("f93c", .unexpectedEnd), ("5b8000000000000000", .unexpectedEnd),
        ] as [(String, CBORError)])
    func refused(text: String, reason: CBORError) { #expect(error(text) == reason) }

    @Test("is nested eight deep and no deeper")
    func depth() {
        #expect(error(String(repeating: "81", count: 7) + "80") == nil)
        #expect(error(String(repeating: "81", count: 8) + "80") == .tooDeep)
        #expect(error(String(repeating: "a100", count: 8) + "00") == nil)
        #expect(error(String(repeating: "a100", count: 9) + "00") == .tooDeep)
        #expect(error(String(repeating: "81", count: 100_000)) == .tooDeep)
    }

    @Test("has keys of any type, by type, then length, then bytes")
    func order() {
        #expect(error("a6 00 00 17 00 1818 00 20 00 4100 00 6161 00") == nil)
    }

    @Test("that is read from the middle ends where it ends")
    func position() throws {
        var reader = CBORReader(bytes("ff 8101 02 ff")[1...])
        #expect(try reader.item() == .array([.unsigned(1)]))
        #expect(reader.position == 3)
        #expect(try reader.item() == .unsigned(2))
    }
}
