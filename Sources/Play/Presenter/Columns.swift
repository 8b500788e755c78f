// How many columns a terminal gives to text.

extension Unicode.Scalar {
    /// 2 for a wide letter, 0 for what is drawn onto the letter before, otherwise 1.
    var columns: Int {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: 0
        default: Self.joining.contains { $0.contains(value) } ? 0 : Self.wide.contains { $0.contains(value) } ? 2 : 1
        }
    }

    /// Vowels and ends of Korean syllables.
    private static let joining: [ClosedRange<UInt32>] = [0x1160...0x11FF, 0xD7B0...0xD7FF]

    /// Unicode's wide and full-width characters (Standard Annex #11), block by block.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3040...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7AF,
        0xF900...0xFAFF, 0xFE10...0xFE1F, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1_6FE0...0x1_B2FF,
        0x1_F300...0x1_F64F, 0x1_F680...0x1_F6FF, 0x1_F900...0x1_F9FF, 0x2_0000...0x3_FFFD,
    ]
}

extension Character {
    /// Columns it takes.
    var columns: Int { unicodeScalars.reduce(0) { $0 + $1.columns } }

    /// Whether words that begin with it are written from right to left.
    var runsFromRight: Bool {
        switch unicodeScalars.first?.value ?? 0 {
        case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x1_0800...0x1_0FFF, 0x1_E800...0x1_EFFF: true
        default: false
        }
    }
}

extension StringProtocol {
    /// Columns it takes.
    var columns: Int { unicodeScalars.reduce(0) { $0 + $1.columns } }

    /// As many characters from the beginning as so many columns hold.
    func prefix(columns: Int) -> SubSequence {
        var left = columns
        return prefix { character in
            left -= character.columns
            return left >= 0
        }
    }
}
