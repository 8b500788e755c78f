extension PostgresNumeric: ExpressibleByIntegerLiteral {
    /// A whole number.
    public init(integerLiteral value: Int) { self.init(value) }

    /// A whole number, scale 0.
    public init(_ value: Int) { self = Self(unscaled: value, scale: 0) ?? .nan }  // it always fits

    /// A number in units of its last digit: 1999 of scale 2 is 19.99.
    ///
    /// - Parameter unscaled: All digits as one whole number.
    /// - Parameter scale: How many digits are after the point; `nil` is returned for one out of 0...16383.
    public init?(unscaled: Int, scale: Int) {
        let digits = String(unscaled.magnitude).utf8.map { $0 - UInt8(ascii: "0") }
        guard 0...Self.maximumScale ~= scale else { return nil }
        self.init(digits: digits, whole: digits.count - scale, scale: scale, isNegative: unscaled < 0)
    }

    /// The shortest decimal number that is read back as this one, as Swift prints it: 0.1 is 0.1, of scale 1.
    public init(_ value: Double) {
        guard value.isFinite else {
            self = value.isNaN ? .nan : value < 0 ? .negativeInfinity : .infinity
            return
        }
        let text = value.description
        // It has at most 310 digits before the point and 340 after it, which fit.
        self = Self(text.hasSuffix(".0") ? String(text.dropLast(2)) : text) ?? .nan
    }
}

extension Int {
    /// A whole number; `nil` if there is anything but zeros after the point, or it does not fit, or is none.
    public init?(exactly numeric: PostgresNumeric) {
        guard numeric.isFinite, numeric.groups.isEmpty || numeric.groups.count <= numeric.weight + 1 else { return nil }
        // Below zero, where there is one number more.
        var negative = 0
        for index in 0..<(numeric.isZero ? 0 : numeric.weight + 1) {
            let group = numeric.groups.indices.contains(index) ? Int(numeric.groups[index]) : 0
            let (product, overflow) = negative.multipliedReportingOverflow(by: 10_000)
            let (difference, borrows) = product.subtractingReportingOverflow(group)
            guard !overflow, !borrows else { return nil }
            negative = difference
        }
        guard !numeric.isNegative else { self = negative; return }
        guard negative != .min else { return nil }
        self = -negative
    }
}

extension Double {
    /// The nearest number; one that is too great becomes an infinity, one too small zero.
    public init(_ numeric: PostgresNumeric) {
        switch numeric.kind {
        case .nan: self = .nan
        case .infinity: self = .infinity
        case .negativeInfinity: self = -.infinity
        case .positive, .negative: self = Double(numeric.description) ?? .nan  // digits are always a number
        }
    }
}
