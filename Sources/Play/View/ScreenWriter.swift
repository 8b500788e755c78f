import PlayPresenter

/// Makes the bytes for a terminal (ECMA-48) from frames: only the lines that changed, in one piece.
struct ScreenWriter: Sendable {
    /// Whether styles have colours; without, they differ by weight alone.
    let hasColours: Bool

    /// What the terminal shows; nil: unknown, everything is to be written.
    private var shown: [Line]?

    init(hasColours: Bool) {
        self.hasColours = hasColours
    }

    /// Takes over the screen and leaves what was on it untouched: the other buffer, no cursor, no wrapping.
    static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
    /// Gives the screen back, also in the middle of a frame.
    static let leave = "\u{1B}[?2026l\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

    /// The terminal may show anything now: it was resized, or somebody else wrote on it.
    mutating func forget() { shown = nil }

    /// What to send so that a frame is seen; empty when it is seen already.
    mutating func show(_ frame: Frame) -> String {
        var text = shown == nil ? "\u{1B}[0m\u{1B}[2J" : ""
        let old = shown ?? []
        for row in 0..<max(frame.lines.count, old.count) {
            let line = row < frame.lines.count ? frame.lines[row] : Line()
            let before = row < old.count ? old[row] : Line()
            guard line != before else { continue }
            text += "\u{1B}[\(row + 1);1H" + line.spans.map(styled).joined() + "\u{1B}[K"
        }
        shown = frame.lines
        // Terminals that know synchronised output show it at once, others pass over these.
        return text.isEmpty ? "" : "\u{1B}[?2026h" + text + "\u{1B}[?2026l"
    }

    private func styled(_ span: Span) -> String {
        // A server's text must not control the terminal.
        let scalars = span.text.unicodeScalars.filter { $0.properties.generalCategory != .control }
        let text = String(String.UnicodeScalarView(scalars))
        let codes = hasColours ? span.style.colour : span.style.weight
        return codes.isEmpty ? text : "\u{1B}[\(codes)m\(text)\u{1B}[0m"
    }
}

extension Style {
    /// Parameters of SGR (ECMA-48 §8.3.117), with the sixteen colours that follow the player's theme.
    fileprivate var colour: String {
        switch self {
        case .plain: ""
        case .strong: "1"
        case .faint: "90"
        case .alert: "1;33"
        case .correct: "1;30;42"
        case .present: "1;30;43"
        case .absent: "90"
        case .fresh: "1"
        }
    }

    /// The same without colours.
    fileprivate var weight: String {
        switch self {
        case .plain: ""
        case .strong, .alert, .fresh, .correct, .present: "1"
        case .faint, .absent: "2"
        }
    }
}
