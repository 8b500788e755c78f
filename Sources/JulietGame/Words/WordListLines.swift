/// Cuts a word list into its lines while it is read, piece by piece, in constant memory.
///
/// Lines end with LF, CRLF or CR. A byte order mark, blank lines, comments (from `#` to the line's end) and blanks
/// around a line are ignored.
package struct WordListLines: ~Copyable {
    /// The bytes of a line that has not ended yet.
    private var rest: [UInt8] = []
    private var isFirst = true
    private var endedWithCarriageReturn = false
    /// How many lines have ended.
    package private(set) var count = 0

    /// Whether a comment can follow a word; else only a whole line can be one.
    private let commentsFollow: Bool

    /// No line that is accepted is nearly as long; the rest of a longer one is dropped.
    private static let lineLimit = 2048

    /// Begins a list.
    ///
    /// - Parameter commentsFollow: Whether a comment can follow a word on its line; else only a whole line can be one.
    package init(commentsFollow: Bool = true) { self.commentsFollow = commentsFollow }

    /// Takes the next piece.
    ///
    /// - Parameters:
    ///   - bytes: Of any size, cut anywhere.
    ///   - word: Called for each line that holds something, with the line's number from 1.
    package mutating func consume(_ bytes: [UInt8], word: (Int, ArraySlice<UInt8>) throws -> Void) rethrows {
        var start = bytes.startIndex
        if endedWithCarriageReturn, bytes.first == 0x0A { start += 1 }
        if !bytes.isEmpty { endedWithCarriageReturn = bytes.last == 0x0D }
        var index = start
        while index < bytes.endIndex {
            let byte = bytes[index]
            guard byte == 0x0A || byte == 0x0D else {
                index += 1
                continue
            }
            try end(with: bytes[start..<index], word: word)
            index += 1
            if byte == 0x0D, index < bytes.endIndex, bytes[index] == 0x0A { index += 1 }
            start = index
        }
        rest.append(contentsOf: bytes[start...].prefix(max(0, Self.lineLimit - rest.count)))
    }

    /// Takes the end of the file, where the last line may lack its end.
    package mutating func finish(word: (Int, ArraySlice<UInt8>) throws -> Void) rethrows {
        if !rest.isEmpty { try end(with: [], word: word) }
    }

    private mutating func end(with bytes: ArraySlice<UInt8>, word: (Int, ArraySlice<UInt8>) throws -> Void) rethrows {
        count += 1
        var line = bytes
        if !rest.isEmpty {
            rest.append(contentsOf: bytes)
            line = rest[...]
            rest = []
        }
        if isFirst, line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
        isFirst = false
        if commentsFollow, let comment = line.firstIndex(of: UInt8(ascii: "#")) { line = line[..<comment] }
        while let first = line.first, first == 0x20 || first == 0x09 { line = line.dropFirst() }
        while let last = line.last, last == 0x20 || last == 0x09 { line = line.dropLast() }
        if let first = line.first, first != UInt8(ascii: "#") { try word(count, line) }
    }
}
