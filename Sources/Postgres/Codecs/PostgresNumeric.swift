/// A `numeric`: an exact decimal number of up to 131,072 digits before and 16,383 after the point, NaN or an infinity.
///
/// Compared as PostgreSQL does: 1.5 equals 1.50, NaN equals itself and is greater than everything else.
public struct PostgresNumeric: Sendable, PostgresEncodable, PostgresDecodable {
    /// What kind of number it is, with PostgreSQL's own sign words (`numeric.c`).
    enum Kind: UInt16 {
        case positive = 0x0000
        case negative = 0x4000
        case nan = 0xC000
        case infinity = 0xD000
        case negativeInfinity = 0xF000
    }

    /// Zero is positive.
    let kind: Kind
    /// Groups of four digits, 0...9999, the most significant first. Neither the first nor the last is 0. Zero, NaN and
    /// the infinities have none.
    let groups: [UInt16]
    /// The first group counts 10000 to this power, -4096...32767; 0 for zero.
    let weight: Int

    /// How many digits are written after the point, 0...16383; trailing zeros are among them. 0 for NaN and infinities.
    public let scale: Int

    /// The largest scale (`NUMERIC_DSCALE_MASK`).
    public static let maximumScale = 0x3FFF
    /// The largest weight of a group.
    static let maximumWeight = Int(Int16.max)

    /// A number that is not one.
    public static let nan = PostgresNumeric(special: .nan)
    /// PostgreSQL's `Infinity`, from version 14 on.
    public static let infinity = PostgresNumeric(special: .infinity)
    /// PostgreSQL's `-Infinity`, from version 14 on.
    public static let negativeInfinity = PostgresNumeric(special: .negativeInfinity)
    /// 0, with no digit after the point.
    public static let zero = PostgresNumeric(special: .positive)

    /// Whether it is below zero.
    public var isNegative: Bool { kind == .negative || kind == .negativeInfinity }
    /// Whether it is NaN.
    public var isNaN: Bool { kind == .nan }
    /// Whether it is a number: neither NaN nor an infinity.
    public var isFinite: Bool { kind == .positive || kind == .negative }
    /// Whether it is zero.
    public var isZero: Bool { isFinite && groups.isEmpty }

    /// Zero, NaN or an infinity.
    private init(special kind: Kind) {
        self.kind = kind
        groups = []
        weight = 0
        scale = 0
    }

    /// A number from its groups, whose digits beyond the scale are cut off, as `numeric_recv` does; `nil` if the first
    /// group that is not 0 has too great a weight.
    init?(isNegative: Bool, groups: ArraySlice<UInt16>, weight: Int, scale: Int) {
        var groups = groups
        var weight = weight
        // The groups that hold the digits of the scale, and the digits that are left of the last of them.
        let kept = max(0, weight + 1 + (scale + 3) / 4)
        if groups.count > kept { groups = groups.prefix(kept) }
        if groups.count == kept, scale % 4 != 0, let last = groups.indices.last {
            let unit: UInt16 = [1, 1000, 100, 10][scale % 4]
            groups[last] -= groups[last] % unit
        }
        while groups.first == 0 {
            groups.removeFirst()
            weight -= 1
        }
        while groups.last == 0 { groups.removeLast() }
        guard groups.isEmpty || weight <= Self.maximumWeight else { return nil }
        self.kind = isNegative && !groups.isEmpty ? .negative : .positive
        self.groups = Array(groups)
        self.weight = groups.isEmpty ? 0 : weight
        self.scale = scale
    }

    /// The type that the parameter is declared with.
    public static var postgresType: PostgresType { .numeric }

    /// Writes the binary form.
    public func encode(to writer: inout ParameterWriter) {
        writer.append(UInt16(truncatingIfNeeded: groups.count))
        writer.append(Int16(truncatingIfNeeded: weight))
        writer.append(kind.rawValue)
        writer.append(UInt16(truncatingIfNeeded: scale))
        for group in groups { writer.append(group) }
    }

    /// Reads the binary form.
    public init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        guard type == .numeric else { throw .type(type) }
        guard bytes.count >= 8 else { throw .malformed }
        let count = Int(bytes.integer(at: 0, as: UInt16.self))
        let scale = Int(bytes.integer(at: 6, as: UInt16.self))
        guard let kind = Kind(rawValue: bytes.integer(at: 4, as: UInt16.self)), bytes.count == 8 + 2 * count,
            scale <= Self.maximumScale
        else { throw .malformed }
        guard kind == .positive || kind == .negative else {
            self.init(special: kind)
            return
        }
        var groups: [UInt16] = []
        groups.reserveCapacity(count)
        for index in 0..<count {
            let group = bytes.integer(at: 8 + 2 * index, as: UInt16.self)
            guard group <= 9999 else { throw .malformed }
            groups.append(group)
        }
        let weight = Int(bytes.integer(at: 2, as: Int16.self))
        guard let value = Self(isNegative: kind == .negative, groups: groups[...], weight: weight, scale: scale) else {
            throw .malformed
        }
        self = value
    }
}

extension PostgresNumeric: Hashable, Comparable {
    /// Compares the numbers, not how many zeros follow them.
    public static func == (left: PostgresNumeric, right: PostgresNumeric) -> Bool {
        left.kind == right.kind && left.weight == right.weight && left.groups == right.groups
    }

    /// Hashes the number.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(weight)
        hasher.combine(groups)
    }

    /// Orders as PostgreSQL does: NaN is greater than everything else.
    public static func < (left: PostgresNumeric, right: PostgresNumeric) -> Bool {
        guard left.rank == right.rank else { return left.rank < right.rank }
        guard left.isFinite else { return false }
        return left.isNegative ? right.isCloserToZero(than: left) : left.isCloserToZero(than: right)
    }

    /// Puts the kinds in order; numbers of the same rank are to be compared digit by digit.
    private var rank: Int {
        switch kind {
        case .negativeInfinity: -2
        case .negative: -1
        case .positive: groups.isEmpty ? 0 : 1
        case .infinity: 2
        case .nan: 3
        }
    }

    private func isCloserToZero(than other: PostgresNumeric) -> Bool {
        weight == other.weight ? groups.lexicographicallyPrecedes(other.groups) : weight < other.weight
    }
}
