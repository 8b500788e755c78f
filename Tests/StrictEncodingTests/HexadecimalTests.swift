import StrictEncoding
import Testing

@Suite("Hexadecimal digits")
struct HexadecimalTests {
    @Test("are written in lower case, two a byte, and read back in any case")
    func vectors() {
        let all = (0...255).map { UInt8($0) }
        let text = Hexadecimal.encode(all)
        #expect(text.hasPrefix("000102030405060708090a0b0c0d0e0f10") && text.hasSuffix("fcfdfeff"))
        #expect(text.utf8.count == 512)
        #expect(Hexadecimal.decode(text) == all)
        #expect(Hexadecimal.decode(text.uppercased()) == all)
        #expect(Hexadecimal.encode(all[3..<5]) == "0304")
        #expect(Hexadecimal.encode([]) == "" && Hexadecimal.decode("") == [])
    }

    @Test("are digits, and nothing else", arguments: ["0", "abc", "0g", "0x", " 00", "0 ", "é", "٣٣", "00\n0"])
    func others(text: String) { #expect(Hexadecimal.decode(text) == nil) }
}
