import StrictEncoding
import Testing

@testable import WebAuthn

@Suite("CBOR")
struct CBORTests {
    private func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = hexadecimal.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    private func error(_ hexadecimal: String, form: CBORReader.Form = .canonical) -> CBORError? {
        do {
            _ = try CBORReader.item(bytes(hexadecimal), form: form)
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
        "has one spelling in the canonical form",
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

    @Test("may have other spellings of the same value, where the form does not matter")
    func wellFormed() throws {
        let pair = CBOR.map([
            .init(key: .unsigned(3), value: .unsigned(4)), .init(key: .unsigned(1), value: .unsigned(2)),
        ])
        let items: [(String, CBOR)] = [
            ("1b0000000000000001", .unsigned(1)), ("3817", .integer(-24)), ("5f4101 40 420203ff", .bytes([1, 2, 3])),
            ("5fff", .bytes([])), ("5801 05", .bytes([5])), ("7f6161 626263ff", .text("abc")), ("7801 61", .text("a")),
            ("9f01 9fff ff", .array([.unsigned(1), .array([])])), ("9800", .array([])), ("bfff", .map([])),
            ("bf 0304 0102 ff", pair), ("b802 1803 04 01 1802", pair), ("a2 0304 0102", pair),
            ("c1 1a514b67b0", .tagged(1, .unsigned(1_363_896_240))), ("d9d9f7 f6", .tagged(55_799, .null)),
            ("e0", .simple(0)), ("f3", .simple(19)), ("f820", .simple(32)), ("f8ff", .simple(255)),
            ("f97e00", .float([0x7E, 0])),
        ]
        for (text, item) in items {
            #expect(try CBORReader.item(bytes(text), form: .wellFormed) == item, "\(text)")
            if text != "f97e00" { #expect(error(text) != nil, "\(text) is not canonical") }
        }
    }

    @Test(
        "is well-formed, and has no key twice, whatever its form",
        arguments: [
            ("ff", .indefiniteLength), ("1f", .indefiniteLength), ("3f", .indefiniteLength),
            ("df00", .indefiniteLength),
            ("5f6161ff", .indefiniteLength), ("7f4161ff", .indefiniteLength), ("5f5f4101ffff", .indefiniteLength),
            ("81ff", .indefiniteLength), ("bf01ff", .indefiniteLength), ("c0ff", .indefiniteLength),
            ("5f", .unexpectedEnd), ("9f00", .unexpectedEnd), ("bf0000", .unexpectedEnd), ("c0", .unexpectedEnd),
            ("f8", .unexpectedEnd), ("f800", .simpleValue), ("f814", .simpleValue), ("f81f", .simpleValue),
            ("1c", .reserved), ("9d", .reserved), ("dc00", .reserved), ("fe", .reserved), ("0000", .trailingBytes),
            ("9fffff", .trailingBytes), ("61ff", .invalidUTF8), ("7f61ffff", .invalidUTF8),
            ("a2 0100 0200", nil), ("a2 0200 0100", nil), ("a2 0100 0100", .keyTwice), ("a2 0100 1801 00", .keyTwice),
            ("bf 6161 00 7f6161ff 00 ff", .keyTwice), ("a2 4161 00 6161 00", nil), ("a2 01 00 20 00", nil),
            ("a2 f90000 00 fa00000000 00", nil), ("a2 80 00 9fff 00", .keyTwice), ("a2 c001 00 c101 00", nil),
        ] as [(String, CBORError?)])
    func notWellFormed(text: String, reason: CBORError?) { #expect(error(text, form: .wellFormed) == reason) }

    @Test("is nested eight deep and no deeper")
    func depth() {
        #expect(error(String(repeating: "81", count: 7) + "80") == nil)
        #expect(error(String(repeating: "81", count: 8) + "80") == .tooDeep)
        #expect(error(String(repeating: "a100", count: 8) + "00") == nil)
        #expect(error(String(repeating: "a100", count: 9) + "00") == .tooDeep)
        #expect(error(String(repeating: "81", count: 100_000)) == .tooDeep)
        for (head, end) in [("81", ""), ("9f", "ff"), ("a100", ""), ("bf00", "ff"), ("c0", ""), ("d9d9f7", "")] {
            func nested(_ count: Int) -> String {
                String(repeating: head, count: count) + "00" + String(repeating: end, count: count)
            }
            #expect(error(nested(8), form: .wellFormed) == nil, "\(head)")
            #expect(error(nested(9), form: .wellFormed) == .tooDeep, "\(head)")
            #expect(error(String(repeating: head, count: 100_000), form: .wellFormed) == .tooDeep, "\(head)")
        }
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
