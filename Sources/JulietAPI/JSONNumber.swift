/// A number as JSON spells it, grammar checked.
package struct JSONNumber {
    /// Where it lies.
    package let range: Range<Int>

    /// The value if it is an integer, however it is spelled: `5`, `5.0`, `50e-1` and `0.5e1` are 5, `-0` is 0. What is
    /// beyond `Int` becomes the largest or the lowest one.
    ///
    /// Works on the decimal digits, exactly: `5.0000000000000000001` is no integer and `9007199254740993` is itself.
    /// - Returns: nil for fractions, whatever their exponent.
    func integer(in bytes: Span<UInt8>) -> Int? {
        var position = range.lowerBound
        let isNegative = bytes[position] == UInt8(ascii: "-")
        if isNegative {
            position += 1
        }

        // The value is magnitude × 10^scale; zeros wait until another digit shows that they count.
        var magnitude: Int = 0
        var pendingZeros = 0
        var scale = 0
        var isFraction = false
        var overflows = false
        scan: while position < range.upperBound {
            let byte = bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: "."):
                isFraction = true
                continue
            case UInt8(ascii: "e"), UInt8(ascii: "E"):
                break scan
            case UInt8(ascii: "0"):
                pendingZeros += 1
            default:
                let digit = Int(byte - UInt8(ascii: "0"))
                overflows = overflows || !Self.shift(&magnitude, by: pendingZeros + 1, adding: digit)
                pendingZeros = 0
            }
            if isFraction {
                scale -= 1
            }
        }
        if magnitude == 0 && !overflows {
            return 0
        }
        scale += pendingZeros + exponent(in: bytes, from: position)
        guard scale >= 0 else { return nil }
        guard !overflows, Self.shift(&magnitude, by: scale, adding: 0) else { return isNegative ? .min : .max }
        return isNegative ? -magnitude : magnitude
    }

    /// The exponent after the `e`, 0 without one, limited to ±2^40, which is far more than the digits of any body can offset.
    private func exponent(in bytes: Span<UInt8>, from start: Int) -> Int {
        var exponent = 0
        var isNegative = false
        for position in start..<range.upperBound {
            switch bytes[position] {
            case UInt8(ascii: "-"): isNegative = true
            case UInt8(ascii: "+"): break
            case let digit: exponent = min(exponent * 10 + Int(digit - UInt8(ascii: "0")), 1 << 40)
            }
        }
        return isNegative ? -exponent : exponent
    }

    /// Multiplies by 10^`count` and adds; returns false if that overflows; then the value is meaningless.
    private static func shift(_ magnitude: inout Int, by count: Int, adding digit: Int) -> Bool {
        guard magnitude != 0 || digit != 0 else { return true }
        if magnitude != 0 {
            for _ in 0..<count {
                let (product, overflows) = magnitude.multipliedReportingOverflow(by: 10)
                guard !overflows else { return false }
                magnitude = product
            }
        }
        let (sum, overflows) = magnitude.addingReportingOverflow(digit)
        magnitude = sum
        return !overflows
    }
}
