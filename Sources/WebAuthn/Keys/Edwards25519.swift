/// Points of the curve edwards25519 (RFC 8032 §5.1): checks that bytes are one with which a signature can be verified.
/// swift-crypto accepts any 32 bytes as a public key, and fails only when it verifies.
enum Edwards25519 {
    /// Whether bytes are a public key: a point (§5.1.3) in its canonical form, and none of the eight points of small
    /// order, for which a forged signature could be valid.
    static func isPublicKey(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == 32 else { return false }
        var y = SIMD4<UInt64>()
        for index in 0..<32 { y[index / 8] |= UInt64(bytes[index]) << UInt64(index % 8 * 8) }
        // The sign of x.
        y[3] &= .max >> 1
        guard y == canonical(y), !smallOrder.contains(y) else { return false }
        // x² = (y² - 1) / (d·y² + 1) has a solution if and only if the product of both is a square.
        let square = multiply(y, y)
        let product = multiply(add(square, minusOne), add(multiply(d, square), SIMD4(1, 0, 0, 0)))
        return canonical(halfPower(product)) == SIMD4(1, 0, 0, 0)
    }

    // Numbers modulo p = 2^255 - 19 in four words, the lowest first, below 2^256.

    private static let minusOne = SIMD4<UInt64>(0xFFFF_FFFF_FFFF_FFEC, .max, .max, .max >> 1)
    private static let d = SIMD4<UInt64>(
        0x75EB_4DCA_1359_78A3, 0x0070_0A4D_4141_D8AB, 0x8CC7_4079_7779_E898, 0x5203_6CEE_2B6F_FE73)

    /// y of the points whose order divides 8: 1, -1, 0, and the two of order 8.
    private static let smallOrder: [SIMD4<UInt64>] = [
        SIMD4(1, 0, 0, 0), minusOne, SIMD4(0, 0, 0, 0),
        SIMD4(0xB027_B2C2_8F95_E826, 0xF098_EFF2_89F4_C345, 0x3933_C6D3_05AC_DFD5, 0x05FC_536D_8802_38B1),
        SIMD4(0x4FD8_4D3D_706A_17C7, 0x0F67_100D_760B_3CBA, 0xC6CC_392C_FA53_202A, 0x7A03_AC92_77FD_C74E),
    ]

    private static func add(_ left: SIMD4<UInt64>, _ right: SIMD4<UInt64>) -> SIMD4<UInt64> {
        var (sum, carry) = (SIMD4<UInt64>(), 0 as UInt64)
        for index in 0..<4 {
            let first = left[index].addingReportingOverflow(right[index])
            let second = first.partialValue.addingReportingOverflow(carry)
            sum[index] = second.partialValue
            carry = (first.overflow ? 1 : 0) + (second.overflow ? 1 : 0)
        }
        // 2^256 is 38.
        return carry == 0 ? sum : add(sum, SIMD4(38, 0, 0, 0))
    }

    private static func multiply(_ left: SIMD4<UInt64>, _ right: SIMD4<UInt64>) -> SIMD4<UInt64> {
        var words = SIMD8<UInt64>()
        for i in 0..<4 {
            var carry: UInt64 = 0
            for j in 0..<4 {
                (carry, words[i + j]) = multiply(left[i], right[j], plus: words[i + j], carry)
            }
            words[i + 4] = carry
        }
        var carry: UInt64 = 0
        var product = SIMD4<UInt64>()
        for index in 0..<4 {
            (carry, product[index]) = multiply(words[index + 4], 38, plus: words[index], carry)
        }
        return add(product, SIMD4(carry * 38, 0, 0, 0))
    }

    /// left · right + two more words, which always fits into two.
    private static func multiply(
        _ left: UInt64, _ right: UInt64, plus first: UInt64, _ second: UInt64
    ) -> (high: UInt64, low: UInt64) {
        var (high, low) = left.multipliedFullWidth(by: right)
        for word in [first, second] {
            let sum = low.addingReportingOverflow(word)
            low = sum.partialValue
            high += sum.overflow ? 1 : 0
        }
        return (high, low)
    }

    /// The power (p - 1) / 2 = 2^254 - 10: 1 for a square, -1 for a number that is none (Euler's criterion).
    private static func halfPower(_ number: SIMD4<UInt64>) -> SIMD4<UInt64> {
        var power = SIMD4<UInt64>(1, 0, 0, 0)
        for bit in (0..<254).reversed() {
            power = multiply(power, power)
            // All bits are 1 but these two.
            if bit != 0 && bit != 3 { power = multiply(power, number) }
        }
        return power
    }

    /// The same number below p.
    private static func canonical(_ number: SIMD4<UInt64>) -> SIMD4<UInt64> {
        var number = number
        for _ in 0..<2 {
            // n - p = n + 19 - 2^255.
            var (sum, carry) = (SIMD4<UInt64>(), 19 as UInt64)
            for index in 0..<4 {
                let word = number[index].addingReportingOverflow(carry)
                sum[index] = word.partialValue
                carry = word.overflow ? 1 : 0
            }
            guard carry == 1 || sum[3] >> 63 == 1 else { return number }
            sum[3] ^= 1 << 63
            number = sum
        }
        return number
    }
}
