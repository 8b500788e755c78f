extension PostgresNumeric: LosslessStringConvertible {
    /// Reads a decimal number as PostgreSQL does: a sign, digits with a point among them or not, an exponent; or `NaN`,
    /// `Infinity`, `inf`, the latter two with a sign or not, in either case. The scale is the number of digits after
    /// the point, less the exponent.
    ///
    /// - Returns: `nil` for any other text, blanks and underscores included, and for a number of more digits than
    ///   `numeric` holds.
    public init?(_ text: String) {
        var rest = text.utf8[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        let isSigned = isNegative || rest.first == UInt8(ascii: "+")
        if isSigned { rest.removeFirst() }
        switch rest.first {
        case UInt8(ascii: "n"), UInt8(ascii: "N"):
            guard !isSigned, text.lowercased() == "nan" else { return nil }
            self = .nan
        case UInt8(ascii: "i"), UInt8(ascii: "I"):
            guard ["inf", "infinity"].contains(Substring(rest).lowercased()) else { return nil }
            self = isNegative ? .negativeInfinity : .infinity
        default:
            self.init(decimal: rest, isNegative: isNegative)
        }
    }

    /// As PostgreSQL writes it: every digit of the scale, no exponent; `NaN`, `Infinity`, `-Infinity`.
    public var description: String {
        switch kind {
        case .nan: return "NaN"
        case .infinity: return "Infinity"
        case .negativeInfinity: return "-Infinity"
        case .positive, .negative: break
        }
        var text: [UInt8] = []
        text.reserveCapacity(max(1, (weight + 1) * 4) + scale + 2)
        for position in stride(from: max(weight, 0), through: 0, by: -1) { append(groupAt: position, to: &text) }
        let zeros = text.prefix { $0 == UInt8(ascii: "0") }.count
        text.removeFirst(min(zeros, text.count - 1))
        if isNegative { text.insert(UInt8(ascii: "-"), at: 0) }
        if scale > 0 {
            text.append(UInt8(ascii: "."))
            let end = text.count + scale
            for position in 1...(scale + 3) / 4 { append(groupAt: -position, to: &text) }
            text.removeLast(text.count - end)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the four digits of the group that counts 10000 to a power.
    private func append(groupAt power: Int, to text: inout [UInt8]) {
        let index = weight - power
        let group = groups.indices.contains(index) ? groups[index] : 0
        for unit: UInt16 in [1000, 100, 10, 1] { text.append(UInt8(ascii: "0") + UInt8(group / unit % 10)) }
    }

    /// Reads digits, point and exponent.
    private init?(decimal text: Substring.UTF8View, isNegative: Bool) {
        var digits: [UInt8] = []
        digits.reserveCapacity(text.count)
        var pointAt: Int?
        var rest = text
        while let byte = rest.first, byte != UInt8(ascii: "e"), byte != UInt8(ascii: "E") {
            rest.removeFirst()
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digits.append(byte - UInt8(ascii: "0"))
            case UInt8(ascii: ".") where pointAt == nil: pointAt = digits.count
            default: return nil
            }
        }
        guard !digits.isEmpty else { return nil }
        var exponent = 0
        if !rest.isEmpty {
            // Beyond a million there is no number that `numeric` holds.
            guard let number = Int(Substring(rest.dropFirst())), -1_000_000...1_000_000 ~= number else { return nil }
            exponent = number
        }
        let whole = (pointAt ?? digits.count) + exponent
        self.init(digits: digits, whole: whole, scale: max(0, digits.count - whole), isNegative: isNegative)
    }

    /// A number from its digits, the most significant first; `nil` if it has more than `numeric` holds.
    ///
    /// - Parameter whole: How many digits are before the point; negative, if zeros come between it and the first.
    init?(digits: [UInt8], whole: Int, scale: Int, isNegative: Bool) {
        guard 0...Self.maximumScale ~= scale else { return nil }
        guard let first = digits.firstIndex(where: { $0 != 0 }) else {
            self.init(isNegative: false, groups: [], weight: 0, scale: scale)
            return
        }
        let whole = whole - first
        guard whole <= (Self.maximumWeight + 1) * 4 else { return nil }
        // The zeros that fill the first group from the left, so that the point is between two groups.
        let lead = (4 - whole % 4) % 4
        var groups: [UInt16] = []
        groups.reserveCapacity((digits.count - first) / 4 + 2)
        var group: UInt16 = 0
        var filled = lead
        for digit in digits[first...] {
            group = group * 10 + UInt16(digit)
            filled += 1
            if filled == 4 {
                groups.append(group)
                (group, filled) = (0, 0)
            }
        }
        if filled > 0 {
            for _ in filled..<4 { group *= 10 }
            groups.append(group)
        }
        self.init(isNegative: isNegative, groups: groups[...], weight: (whole + lead) / 4 - 1, scale: scale)
    }
}
