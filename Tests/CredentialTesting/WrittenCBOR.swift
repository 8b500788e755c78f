/// CBOR that a test writes, well or not.
package enum WrittenCBOR {
    /// A major type and its number, as short as can be.
    package static func head(_ type: UInt8, _ number: Int) -> [UInt8] {
        switch number {
        case ..<24: [type << 5 | UInt8(number)]
        case ..<0x100: [type << 5 | 24, UInt8(number)]
        case ..<0x10000: [type << 5 | 25] + bytes(number, 2)
        default: [type << 5 | 26] + bytes(number, 4)
        }
    }

    /// A number in so many bytes.
    package static func bytes(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    package static func integer(_ value: Int) -> [UInt8] { value < 0 ? head(1, -1 - value) : head(0, value) }

    package static func string(_ bytes: [UInt8]) -> [UInt8] { head(2, bytes.count) + bytes }

    package static func text(_ text: String) -> [UInt8] { head(3, text.utf8.count) + Array(text.utf8) }

    package static func array(_ items: [[UInt8]]) -> [UInt8] { head(4, items.count) + items.flatMap(\.self) }

    /// A map in the order given.
    package static func map(_ entries: [([UInt8], [UInt8])]) -> [UInt8] {
        head(5, entries.count) + entries.flatMap { $0.0 + $0.1 }
    }
}
