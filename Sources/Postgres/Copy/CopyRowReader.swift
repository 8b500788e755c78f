/// Cuts what `COPY … TO STDOUT` sends into rows and values, however the bytes are cut on the way (PostgreSQL, `COPY`, "Text
/// Format", "Binary Format"). It does no I/O.
struct CopyRowReader {
    /// Why the bytes are no rows.
    enum Problem: Error, Hashable {
        case malformed
        /// A row has another number of values.
        case columnCount(Int)
    }

    /// What a binary copy begins with, before its flags and the length of what may follow them.
    static let signature = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00]

    let format: PostgresCopyFormat
    let columnCount: Int
    /// What has come. Append to it after ``removeRead()``.
    var bytes: [UInt8] = []
    /// Where each value of the row lies in the bytes; `nil` is NULL.
    private(set) var fields: [Range<Int>?] = []
    /// Where the next row begins.
    private var position = 0
    /// Up to where there is no line feed.
    private var scanned = 0
    private var hasHeader = false
    /// Whether the trailer of a binary copy has come.
    private(set) var isAtEnd = false

    init(format: PostgresCopyFormat, columnCount: Int) {
        self.format = format
        self.columnCount = columnCount
        fields.reserveCapacity(columnCount)
    }

    /// Goes to the next row.
    ///
    /// - Returns: Whether it has come in full.
    mutating func next() throws(Problem) -> Bool {
        switch format {
        case .binary: try nextBinary()
        case .text: try nextLine()
        }
    }

    /// Drops what has been read, the row included.
    mutating func removeRead() {
        guard position > 0 else { return }
        bytes.removeSubrange(..<position)
        scanned = max(0, scanned - position)
        position = 0
    }

    // MARK: Binary

    private mutating func nextBinary() throws(Problem) -> Bool {
        guard !isAtEnd, try passHeader(), bytes.count - position >= 2 else { return false }
        let count = Int(bytes.span.integer(at: position, as: Int16.self))
        guard count != -1 else {
            position += 2
            isAtEnd = true
            return false
        }
        guard count == columnCount else { throw Problem.columnCount(count) }
        fields.removeAll(keepingCapacity: true)
        var end = position + 2
        for _ in 0..<count {
            guard bytes.count - end >= 4 else { return false }
            let length = Int(bytes.span.integer(at: end, as: Int32.self))
            end += 4
            guard length >= 0 else {
                guard length == -1 else { throw .malformed }
                fields.append(nil)
                continue
            }
            guard bytes.count - end >= length else { return false }
            fields.append(end..<end + length)
            end += length
        }
        position = end
        return true
    }

    /// Passes over what comes before the first row. `false`: it has not come in full.
    private mutating func passHeader() throws(Problem) -> Bool {
        guard !hasHeader else { return true }
        guard bytes.starts(with: Self.signature.prefix(bytes.count)) else { throw .malformed }
        let fixed = Self.signature.count + 8
        guard bytes.count >= fixed else { return false }
        // The upper half of the flags changes what follows.
        guard bytes.span.integer(at: fixed - 8, as: UInt16.self) == 0 else { throw .malformed }
        let more = Int(bytes.span.integer(at: fixed - 4, as: Int32.self))
        guard more >= 0 else { throw .malformed }
        guard bytes.count >= fixed + more else { return false }
        position = fixed + more
        hasHeader = true
        return true
    }

    // MARK: Text

    private mutating func nextLine() throws(Problem) -> Bool {
        scanned = max(scanned, position)
        guard let end = bytes.index(of: UInt8(ascii: "\n"), in: scanned..<bytes.count) else {
            scanned = bytes.count
            return false
        }
        fields.removeAll(keepingCapacity: true)
        if columnCount > 0 || end > position {
            let hasBackslash = bytes.index(of: UInt8(ascii: "\\"), in: position..<end) != nil
            if hasBackslash { try splitEscaped(position..<end) } else { split(position..<end) }
        }
        position = end + 1
        guard fields.count == columnCount else { throw .columnCount(fields.count) }
        return true
    }

    private mutating func split(_ line: Range<Int>) {
        var start = line.lowerBound
        while let tab = bytes.index(of: UInt8(ascii: "\t"), in: start..<line.upperBound) {
            fields.append(start..<tab)
            start = tab + 1
        }
        fields.append(start..<line.upperBound)
    }

    /// Takes the backslashes out in place: the text gets no longer by that.
    private mutating func splitEscaped(_ line: Range<Int>) throws(Problem) {
        var (read, write, start) = (line.lowerBound, line.lowerBound, line.lowerBound)
        var isNull = false
        func field() -> Range<Int>? { isNull ? nil : start..<write }
        while read < line.upperBound {
            let byte = bytes[read]
            read += 1
            switch byte {
            case UInt8(ascii: "\t"):
                fields.append(field())
                (isNull, start, write) = (false, read, read)
            case UInt8(ascii: "\\"):
                guard read < line.upperBound else { throw .malformed }
                let letter = bytes[read]
                read += 1
                if letter == UInt8(ascii: "N") {
                    isNull = true
                } else {
                    bytes[write] = Self.byte(behindBackslash: letter)
                    write += 1
                }
            default:
                bytes[write] = byte
                write += 1
            }
        }
        fields.append(field())
    }

    private static func byte(behindBackslash letter: UInt8) -> UInt8 {
        switch letter {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "t"): 0x09
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "v"): 0x0B
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "r"): 0x0D
        default: letter
        }
    }
}
