/// What a statement locks, as batches are ordered by it: ascending by the bytes.
struct OrderingKey: Sendable {
    let text: String
    /// The first eight bytes as a number, zeros behind a shorter key: it orders most keys at one glance.
    let prefix: UInt64
    /// The same number for the same key, and seldom the same for two; 0 for a key that many share.
    let fingerprint: UInt64

    /// - Parameter isShared: Whether several statements of the key may be under way.
    init(_ text: String, isShared: Bool = false) {
        self.text = text
        var fingerprint: UInt64 = 0xCBF2_9CE4_8422_2325
        var prefix: UInt64 = 0
        var shift: UInt64 = 64
        let bytes = text.utf8.span
        for index in bytes.indices {
            // FNV-1a.
            fingerprint = (fingerprint ^ UInt64(bytes[index])) &* 0x0000_0100_0000_01B3
            if shift > 0 {
                shift -= 8
                prefix |= UInt64(bytes[index]) << shift
            }
        }
        self.prefix = prefix
        self.fingerprint = isShared ? 0 : max(1, fingerprint)
    }

    /// Whether a key comes before another; `nil`: they are the same. None comes before all.
    static func precedes(_ left: OrderingKey?, _ right: OrderingKey?) -> Bool? {
        switch (left, right) {
        case (let a?, let b?):
            if a.prefix != b.prefix { return a.prefix < b.prefix }
            return a == b ? nil : a.text.utf8.lexicographicallyPrecedes(b.text.utf8)
        case (nil, nil): return nil
        case (let a, _): return a == nil
        }
    }
}

extension OrderingKey: Hashable {
    /// By bytes, not by Unicode's equivalence: rows are locked by bytes.
    static func == (left: OrderingKey, right: OrderingKey) -> Bool {
        left.prefix == right.prefix && left.text.utf8.elementsEqual(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
