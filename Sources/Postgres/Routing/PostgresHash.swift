/// The hash functions of PostgreSQL that decide where rows are kept (`hash_bytes`, src/common/hashfn.c; Bob Jenkins,
/// lookup3): of hash partitions, and of extensions that spread tables over servers.
public enum PostgresHash {
    /// What `hashtext` says of a text: the hash of its bytes in UTF-8, where the collation is deterministic.
    public static func text(_ text: String) -> Int32 { Int32(bitPattern: bytes(text.utf8Span.span)) }

    /// What `hash_bytes` says of bytes.
    public static func bytes(_ bytes: Span<UInt8>) -> UInt32 {
        let start = 0x9e37_79b9 &+ UInt32(truncatingIfNeeded: bytes.count) &+ 3_923_095
        var (a, b, c) = (start, start, start)
        var index = 0
        func word(_ offset: Int) -> UInt32 {
            var word: UInt32 = 0
            for place in 0..<4 where offset + place < bytes.count {
                word |= UInt32(bytes[offset + place]) << (8 * UInt32(place))
            }
            return word
        }
        while bytes.count - index >= 12 {
            a &+= word(index)
            b &+= word(index + 4)
            c &+= word(index + 8)
            mix(&a, &b, &c)
            index += 12
        }
        // The last one's lowest byte is kept for the length.
        a &+= word(index)
        b &+= word(index + 4)
        c &+= word(index + 8) << 8
        finish(&a, &b, &c)
        return c
    }

    private static func mix(_ a: inout UInt32, _ b: inout UInt32, _ c: inout UInt32) {
        a &-= c; a ^= rotated(c, 4); c &+= b
        b &-= a; b ^= rotated(a, 6); a &+= c
        c &-= b; c ^= rotated(b, 8); b &+= a
        a &-= c; a ^= rotated(c, 16); c &+= b
        b &-= a; b ^= rotated(a, 19); a &+= c
        c &-= b; c ^= rotated(b, 4); b &+= a
    }

    private static func finish(_ a: inout UInt32, _ b: inout UInt32, _ c: inout UInt32) {
        c ^= b; c &-= rotated(b, 14)
        a ^= c; a &-= rotated(c, 11)
        b ^= a; b &-= rotated(a, 25)
        c ^= b; c &-= rotated(b, 16)
        a ^= c; a &-= rotated(c, 4)
        b ^= a; b &-= rotated(a, 14)
        c ^= b; c &-= rotated(b, 24)
    }

    private static func rotated(_ x: UInt32, _ count: UInt32) -> UInt32 { x << count | x >> (32 - count) }
}
