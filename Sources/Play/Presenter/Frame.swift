import PlayUseCase

/// What is to be seen: lines from the top, as values. Whoever shows it knows how a style looks.
package struct Frame: Equatable, Sendable {
    /// From the top; fewer than the window has rows, or as many.
    package var lines: [Line]

    package init(_ lines: [Line] = []) {
        self.lines = lines
    }

    /// The letters alone, for tests and people.
    package var text: String {
        lines.map(\.text).joined(separator: "\n")
    }
}

/// One line of styled text.
package struct Line: Equatable, Sendable {
    /// From the left.
    package private(set) var spans: [Span] = []

    package init(_ spans: [Span] = []) {
        self.spans = spans
    }

    init(_ text: String, _ style: Style = .plain) {
        self.init([Span(text, style)])
    }

    /// Without its styles.
    package var text: String { spans.map(\.text).joined() }

    /// Columns it takes.
    var width: Int { spans.reduce(0) { $0 + $1.text.columns } }

    static func + (left: Line, right: Line) -> Line { Line(left.spans + right.spans) }

    static func blank(_ count: Int) -> Line {
        count > 0 ? Line(String(repeating: " ", count: count)) : Line()
    }

    /// In the middle of so many columns.
    func centred(in columns: Int) -> Line { .blank((columns - width) / 2) + self }

    /// No more than so many columns.
    func clipped(to columns: Int) -> Line {
        var left = columns
        var kept: [Span] = []
        for span in spans where left > 0 {
            let text = String(span.text.prefix(columns: left))
            // A wide letter that does not fit leaves a column free: nothing comes after it.
            left = text == span.text ? left - text.columns : 0
            kept.append(Span(text, span.style))
        }
        return Line(kept)
    }
}

/// Text in one style.
package struct Span: Equatable, Sendable {
    package let text: String
    package let style: Style

    package init(_ text: String, _ style: Style = .plain) {
        self.text = text
        self.style = style
    }
}

/// What a piece of text means; the view knows how that looks.
package enum Style: CaseIterable, Sendable {
    case plain
    /// A name or a number that matters.
    case strong
    /// Less important than what is around it.
    case faint
    /// Something to look at.
    case alert
    /// A letter that stands here.
    case correct
    /// A letter that stands elsewhere.
    case present
    /// A letter that the word does not have.
    case absent
    /// A letter that is typed, or a key whose letter was not guessed yet.
    case fresh
}

/// The size of the window.
package struct Size: Equatable, Sendable {
    package var columns: Int
    package var rows: Int

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}
