/// What a terminal shows: as much of one as full-screen programs of ours use, and plain lines.
public struct ScreenImage: Sendable {
    /// Whether a program has taken the screen over.
    public private(set) var isTaken = false
    /// Whether the cursor is to be seen.
    public private(set) var hasCursor = true
    /// Whether a program has begun a frame it has not ended.
    public private(set) var isInFrame = false
    /// Whether anything ever had a colour.
    public private(set) var hadColours = false
    /// Sequences that were not understood.
    public private(set) var unknown: [String] = []

    private let columns: Int
    private let rows: Int
    private var cells: [[Character]]
    private var shell: [[Character]] = []
    private var row = 0
    private var column = 0
    private var pending: [UInt8] = []

    /// An empty screen.
    public init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
        cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
    }

    /// The lines, without the blanks at their ends.
    public var lines: [String] {
        cells.map { line in String(line.reversed().drop { $0 == " " }.reversed()) }
    }

    /// The lines as one text.
    public var text: String { lines.joined(separator: "\n") }

    /// Takes what a program wrote.
    public mutating func write(_ bytes: some Sequence<UInt8>) {
        // What is cut off by the end of a read waits for the rest.
        pending += bytes
        while let (text, count) = next() {
            pending.removeFirst(count)
            show(text)
        }
    }

    /// One character or sequence, and its bytes.
    private func next() -> (String, Int)? {
        guard let first = pending.first else { return nil }
        if first == 0x1B {
            guard pending.count > 1 else { return nil }
            guard pending[1] == UInt8(ascii: "[") else { return (String(decoding: pending[..<2], as: UTF8.self), 2) }
            guard let end = pending.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else { return nil }
            return (String(decoding: pending[...end], as: UTF8.self), end + 1)
        }
        let count = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard pending.count >= count else { return nil }
        return (String(decoding: pending[..<count], as: UTF8.self), count)
    }

    private mutating func show(_ text: String) {
        switch text {
        case "\r\n": lineFeed()
        case "\r": column = 0
        case "\n": lineFeed()
        case "\u{8}": column = max(column - 1, 0)
        case "\u{7}": break
        case _ where text.hasPrefix("\u{1B}["): control(String(text.dropFirst(2).dropLast()), text.last ?? " ")
        case _ where text.hasPrefix("\u{1B}"): unknown.append(text)
        default:
            if column == columns, !isTaken {
                column = 0
                lineFeed()
            }
            guard row < rows, column < columns, let character = text.first else { return }
            cells[row][column] = character
            column += 1
        }
    }

    private mutating func lineFeed() {
        row += 1
        guard row >= rows else { return }
        row = rows - 1
        cells.removeFirst()
        cells.append(Array(repeating: " ", count: columns))
    }

    private mutating func control(_ parameters: String, _ final: Character) {
        switch (parameters, final) {
        case ("?1049", "h"):
            if !isTaken { shell = cells }
            isTaken = true
        case ("?1049", "l"):
            if isTaken { cells = shell }
            isTaken = false
        case ("?25", _): hasCursor = final == "h"
        case ("?2026", _): isInFrame = final == "h"
        case ("?7", _): break
        case ("2", "J"): cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
        case ("", "K"):
            for column in column..<max(column, columns) { cells[row][column] = " " }
        case (_, "H"):
            let place = parameters.split(separator: ";").compactMap { Int($0) }
            row = min((place.first ?? 1) - 1, rows - 1)
            column = min((place.last ?? 1) - 1, columns)
        case (_, "m"):
            if parameters.split(separator: ";").contains(where: { (Int($0) ?? 0) >= 30 }) { hadColours = true }
        default: unknown.append("\(parameters)\(final)")
        }
    }
}
