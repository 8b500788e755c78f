// For the tests, and for the fuzzer, which is one module with what it fuzzes.
import StrictEncoding

#if canImport(WebAuthn)
    @testable import WebAuthn
#endif

/// CBOR in its one spelling, written anew.
func written(_ item: CBOR) -> [UInt8] {
    switch item {
    case .unsigned(let value): head(0, value)
    case .negative(let value): head(1, value)
    case .bytes(let bytes): head(2, UInt64(bytes.count)) + bytes
    case .text(let text): head(3, UInt64(text.utf8.count)) + text.utf8
    case .array(let items): head(4, UInt64(items.count)) + items.flatMap(written)
    case .map(let entries): head(5, UInt64(entries.count)) + entries.flatMap { written($0.key) + written($0.value) }
    case .boolean(let value): [value ? 0xF5 : 0xF4]
    case .null: [0xF6]
    case .undefined: [0xF7]
    case .simple(let value): value < 24 ? [7 << 5 | value] : [0xF8, value]
    case .tagged(let tag, let item): head(6, tag) + written(item)
    case .float(let bytes): [bytes.count == 2 ? 0xF9 : bytes.count == 4 ? 0xFA : 0xFB] + bytes
    }
}

private func head(_ type: UInt8, _ value: UInt64) -> [UInt8] {
    func bytes(_ count: UInt64) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    return switch value {
    case ..<24: [type << 5 | UInt8(value)]
    case ..<0x100: [type << 5 | 24] + bytes(1)
    case ..<0x10000: [type << 5 | 25] + bytes(2)
    case ..<0x1_0000_0000: [type << 5 | 26] + bytes(4)
    default: [type << 5 | 27] + bytes(8)
    }
}
