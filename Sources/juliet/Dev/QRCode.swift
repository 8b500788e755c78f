/// A QR code (ISO/IEC 18004) of a short text: byte mode, error correction level L, versions 1 to 5, which take up to 106
/// bytes.
struct QRCode: Equatable {
    /// How many modules a side has, without the quiet zone.
    private(set) var size: Int

    private var dark: [Bool]
    /// Modules that hold no data: finders, timing, alignment, format.
    private var isFunction: [Bool]

    /// Code words of each version from 1 on: of data, of error correction (Table 9).
    private static let capacities = [(19, 7), (34, 10), (55, 15), (80, 20), (108, 26)]

    /// Encodes a text; nil if it is too long.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        // The mode takes 4 bits and the count 8.
        guard let index = Self.capacities.firstIndex(where: { bytes.count + 2 <= $0.0 }) else { return nil }
        let (dataCount, correctionCount) = Self.capacities[index]
        size = 21 + 4 * index
        dark = Array(repeating: false, count: size * size)
        isFunction = dark
        drawFunctionModules()

        var nibbles: [UInt8] = [4, UInt8(bytes.count >> 4), UInt8(bytes.count & 15)]
        for byte in bytes { nibbles += [byte >> 4, byte & 15] }
        nibbles.append(0)
        var words = stride(from: 0, to: nibbles.count, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] }
        for index in 0..<(dataCount - words.count) { words.append(index.isMultiple(of: 2) ? 0xEC : 0x11) }
        draw(words + ReedSolomon.remainder(of: words, count: correctionCount))

        let masked = (0..<8).map { mask in
            var code = self
            code.apply(mask)
            return code
        }
        guard let best = masked.min(by: { $0.penalty < $1.penalty }) else { return nil }
        self = best
    }

    /// Whether a module is dark; modules outside the code are not.
    subscript(row: Int, column: Int) -> Bool {
        guard (0..<size).contains(row), (0..<size).contains(column) else { return false }
        return dark[row * size + column]
    }

    // MARK: Drawing

    private mutating func set(_ row: Int, _ column: Int, _ isDark: Bool) {
        dark[row * size + column] = isDark
        isFunction[row * size + column] = true
    }

    private mutating func drawFunctionModules() {
        for index in 0..<size {
            set(6, index, index.isMultiple(of: 2))
            set(index, 6, index.isMultiple(of: 2))
        }
        for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] { drawSquares(row, column, radius: 4) }
        if size > 21 { drawSquares(size - 7, size - 7, radius: 2) }
        drawFormat(mask: 0)
    }

    /// A finder with its separator (radius 4), or an alignment pattern (radius 2).
    private mutating func drawSquares(_ row: Int, _ column: Int, radius: Int) {
        for y in -radius...radius {
            for x in -radius...radius where (0..<size).contains(row + y) && (0..<size).contains(column + x) {
                let ring = max(abs(x), abs(y))
                set(row + y, column + x, radius == 4 ? ring != 2 && ring != 4 : ring != 1)
            }
        }
    }

    /// The level and the mask, twice, and the module that is always dark (§7.9).
    private mutating func drawFormat(mask: Int) {
        let data = 1 << 3 | mask
        var remainder = data
        for _ in 0..<10 { remainder = remainder << 1 ^ (remainder >> 9) * 0x537 }
        let bits = (data << 10 | remainder) ^ 0x5412
        for index in 0..<15 {
            let isDark = bits >> index & 1 == 1
            set(index < 6 ? index : index < 8 ? index + 1 : size - 15 + index, 8, isDark)
            set(8, index < 8 ? size - 1 - index : index == 8 ? 7 : 14 - index, isDark)
        }
        set(size - 8, 8, true)
    }

    /// Two columns at a time, from the right, up and down (§7.7.3).
    private mutating func draw(_ words: [UInt8]) {
        var next = 0
        for right in stride(from: size - 1, to: 0, by: -2).map({ $0 <= 6 ? $0 - 1 : $0 }) {
            for step in 0..<size {
                let isUpward = (right + 1) & 2 == 0
                let row = isUpward ? size - 1 - step : step
                for column in [right, right - 1] where !isFunction[row * size + column] {
                    if next < words.count * 8 {
                        dark[row * size + column] = words[next / 8] >> (7 - next % 8) & 1 == 1
                    }
                    next += 1
                }
            }
        }
    }

    private mutating func apply(_ mask: Int) {
        for row in 0..<size {
            for column in 0..<size where !isFunction[row * size + column] && Self.inverts(mask, row, column) {
                dark[row * size + column].toggle()
            }
        }
        drawFormat(mask: mask)
    }

    /// Table 10.
    private static func inverts(_ mask: Int, _ row: Int, _ column: Int) -> Bool {
        switch mask {
        case 0: (row + column) % 2 == 0
        case 1: row % 2 == 0
        case 2: column % 3 == 0
        case 3: (row + column) % 3 == 0
        case 4: (row / 2 + column / 3) % 2 == 0
        case 5: row * column % 2 + row * column % 3 == 0
        case 6: (row * column % 2 + row * column % 3) % 2 == 0
        default: ((row + column) % 2 + row * column % 3) % 2 == 0
        }
    }

    /// How badly a mask suits the code: the fewer, the better (§7.8.3).
    private var penalty: Int {
        var points = 0
        let finder = [true, false, true, true, true, false, true]
        let light = [Bool](repeating: false, count: 4)
        for lines in [
            (0..<size).map { row in (0..<size).map { self[row, $0] } },
            (0..<size).map { column in (0..<size).map { self[$0, column] } },
        ] {
            for line in lines {
                var run = 0
                for index in 0..<size {
                    run = index > 0 && line[index] == line[index - 1] ? run + 1 : 1
                    if run >= 5 { points += run == 5 ? 3 : 1 }
                }
                for start in 0...(size - 11) {
                    let part = Array(line[start..<(start + 11)])
                    if part == finder + light || part == light + finder { points += 40 }
                }
            }
        }
        for row in 1..<size {
            for column in 1..<size {
                let corner = self[row, column]
                if corner == self[row - 1, column], corner == self[row, column - 1], corner == self[row - 1, column - 1]
                {
                    points += 3
                }
            }
        }
        let percent = 100 * dark.count { $0 } / dark.count
        return points + abs(percent - 50) / 5 * 10
    }
}

/// Reed-Solomon codes over the field of 256 elements of QR codes, by x^8 + x^4 + x^3 + x^2 + 1.
private enum ReedSolomon {
    static func remainder(of data: [UInt8], count: Int) -> [UInt8] {
        // The product of (x - 2^i), highest power first, without the leading 1.
        var divisor = [UInt8](repeating: 0, count: count - 1) + [1]
        var root: UInt8 = 1
        for _ in 0..<count {
            for index in divisor.indices {
                divisor[index] = multiply(divisor[index], root) ^ (index + 1 < count ? divisor[index + 1] : 0)
            }
            root = multiply(root, 2)
        }
        var remainder = [UInt8](repeating: 0, count: count)
        for byte in data {
            let factor = byte ^ remainder.removeFirst()
            remainder.append(0)
            for index in remainder.indices { remainder[index] ^= multiply(divisor[index], factor) }
        }
        return remainder
    }

    private static func multiply(_ a: UInt8, _ b: UInt8) -> UInt8 {
        var product: UInt8 = 0
        for bit in stride(from: 7, through: 0, by: -1) {
            product = product << 1 ^ (product >> 7) * 0x1D
            if b >> bit & 1 == 1 { product ^= a }
        }
        return product
    }
}

extension QRCode {
    /// The code for a terminal: two modules a character, with the quiet zone of four modules, black on white whatever the
    /// terminal's colours are.
    var terminalText: String {
        stride(from: -4, to: size + 4, by: 2).map { row in
            let line = (-4..<(size + 4)).map { column in
                switch (self[row, column], self[row + 1, column]) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }.joined()
            return "\u{1B}[38;5;16;48;5;231m\(line)\u{1B}[0m"
        }.joined(separator: "\n")
    }
}
