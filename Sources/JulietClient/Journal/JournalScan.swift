#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// Goes through a journal's file from its header to its end, a megabyte at a time.
///
/// Behind a damaged record it goes on with the next intact one. What was being written when the system stopped (a
/// record that is cut short, or an incomplete group) is the file's torn end. A last record that has all of its bytes
/// but is wrong was written whole, and is damage. Of a group with a hole, a record that reads as zeros, nothing counts:
/// it was never on the disk as a whole.
struct JournalScan {
    /// What lies at a place of the file.
    enum Item {
        /// An intact record.
        case record(kind: UInt8, content: ArraySlice<UInt8>, at: Range<Int>)
        /// Bytes that are no record, and intact records behind them.
        case damage(Range<Int>)
        /// Nothing behind this place was written to its end.
        case end(Int)
    }

    private let file: JournalFile
    private let size: Int
    private let marker: UInt64
    private var offset: Int
    /// Where the group that is not whole yet begins.
    private var groupStart: Int?
    private var window = Window()

    /// - Parameter size: The file's length.
    init(_ file: JournalFile, size: Int, marker: UInt64) {
        self.file = file
        self.size = size
        self.marker = marker
        offset = JournalFormat.headerLength
    }

    /// Calls a closure with whole groups of records, damage and, at last, the end.
    mutating func forEach(_ body: ([Item]) throws(QueueError) -> Void) throws(QueueError) {
        var group: [Item] = []
        while offset < size {
            guard let (header, bytes) = try record(at: offset) else {
                guard let next = try intactRecord(behind: offset) else {
                    guard try wasWritten(at: offset) else { break }
                    return try body(group + [.damage(offset..<size), .end(size)])
                }
                if try hasHole(offset..<next) {
                    let start = groupStart ?? offset
                    offset = try endOfGroup(at: next)
                    try body([.damage(start..<offset)])
                } else {
                    // Records follow, so all before them was written: the group is whole, but for the damage.
                    try body(group + [.damage(offset..<next)])
                    offset = next
                }
                group = []
                groupStart = nil
                continue
            }
            let range = offset..<offset + bytes.count
            let content = bytes.dropFirst(JournalFormat.recordHeaderLength)
            if groupStart == nil { groupStart = offset }
            group.append(.record(kind: header.kind, content: content, at: range))
            offset = range.upperBound
            if !header.part.contains(.continues) {
                try body(group)
                group = []
                groupStart = nil
            }
        }
        try body([.end(groupStart ?? offset)])
    }

    /// Whether what should be records reads as zeros, from its beginning or for a block: it did not come to the disk.
    private mutating func hasHole(_ range: Range<Int>) throws(QueueError) -> Bool {
        let bytes = try window.bytes(of: file, at: range.lowerBound, count: range.count)
        return bytes.prefix(JournalFormat.recordHeaderLength).allSatisfy { $0 == 0 } || Self.hasBlank(bytes)
    }

    /// Where the group ends whose earlier records are missing, from an intact record on.
    private mutating func endOfGroup(at place: Int) throws(QueueError) -> Int {
        var place = place
        while let (header, bytes) = try record(at: place), header.part.contains(.follows) {
            place += bytes.count
        }
        return place
    }

    /// The intact record at a place.
    private mutating func record(at place: Int) throws(QueueError) -> (JournalFormat.RecordHeader, ArraySlice<UInt8>)? {
        let length = JournalFormat.recordHeaderLength
        guard place + length <= size,
            let header = JournalFormat.RecordHeader(
                try window.bytes(of: file, at: place, count: length), marker: marker),
            place + length + header.length <= size
        else { return nil }
        let bytes = try window.bytes(of: file, at: place, count: length + header.length)
        return bytes.count == length + header.length && JournalFormat.isIntact(bytes, header) ? (header, bytes) : nil
    }

    /// Whether the bytes from a place to the file's end are a record that was written to its end and is damaged now:
    /// its length leads to the end, or is the only thing that is wrong with it.
    private mutating func wasWritten(at place: Int) throws(QueueError) -> Bool {
        let length = size - place - JournalFormat.recordHeaderLength
        guard (0...JournalFormat.maximumLength).contains(length) else { return false }
        let bytes = try window.bytes(of: file, at: place, count: size - place)
        guard bytes.count == size - place else { return false }
        var reader = ByteReader(bytes.dropFirst(8))
        guard let claimed = try? reader.integer(UInt32.self) else { return false }
        if Int(claimed) == length { return !Self.hasBlank(bytes) && bytes.suffix(8).contains { $0 != 0 } }
        return JournalFormat.isIntact(bytes, length: length)
    }

    /// Whether a block of the disk is still what a file system shows for what was not written.
    private static func hasBlank(_ bytes: ArraySlice<UInt8>) -> Bool {
        var zeros = 0
        for byte in bytes {
            zeros = byte == 0 ? zeros + 1 : 0
            if zeros >= 512 { return true }
        }
        return false
    }

    /// The first place behind another where an intact record begins.
    private mutating func intactRecord(behind place: Int) throws(QueueError) -> Int? {
        var place = place + 1
        while place + JournalFormat.recordHeaderLength <= size {
            let bytes = try window.rest(of: file, at: place, count: JournalFormat.recordHeaderLength)
            guard let found = firstOffset(of: UInt8(truncatingIfNeeded: marker), in: bytes) else {
                place += bytes.count
                continue
            }
            place += found
            if try record(at: place) != nil { return place }
            place += 1
        }
        return nil
    }

    private func firstOffset(of byte: UInt8, in bytes: ArraySlice<UInt8>) -> Int? {
        bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress, let found = memchr(base, Int32(byte), buffer.count) else { return nil }
            return UnsafeRawPointer(found) - base
        }
    }
}

// MARK: - Files without a header

extension JournalScan {
    /// How many bytes are read of what could be records while the first intact one is looked for: in zeros and small
    /// numbers almost every place could be one, of any length.
    private static let limit = 1 << 29

    /// The marker of the first intact record of a file, whatever stands before it.
    static func marker(in file: JournalFile, size: Int) throws(QueueError) -> UInt64? {
        var window = Window()
        let length = JournalFormat.recordHeaderLength
        var count = 0
        var place = 0
        while place + length <= size {
            let bytes = try window.rest(of: file, at: place, count: length)
            guard let found = firstCandidate(in: bytes) else {
                // A header may lie across the end.
                place += max(1, bytes.count - length + 1)
                continue
            }
            place += found
            let head = try window.bytes(of: file, at: place, count: length)
            var reader = ByteReader(head)
            if let marker = try? reader.integer(UInt64.self),
                let header = JournalFormat.RecordHeader(head, marker: marker), place + length + header.length <= size
            {
                count += length + header.length
                guard count <= limit else { return nil }
                let record = try window.bytes(of: file, at: place, count: length + header.length)
                if record.count == length + header.length, JournalFormat.isIntact(record, header) { return marker }
            }
            place += 1
        }
        return nil
    }

    /// The first place where a record's header can begin: a kind there is, a flag, two zeros.
    private static func firstCandidate(in bytes: ArraySlice<UInt8>) -> Int? {
        let count = bytes.count - JournalFormat.recordHeaderLength
        guard count >= 0 else { return nil }
        return bytes.withUnsafeBytes { buffer in
            (0...count).first { place -> Bool in
                let kind = buffer[place + 12]
                return kind >= JournalRecord.firstKind && kind <= JournalRecord.lastKind && buffer[place + 13] <= 3
                    && buffer[place + 14] == 0 && buffer[place + 15] == 0
            }
        }
    }

    /// Whether a file holds zeros alone, or nothing.
    static func isBlank(_ file: JournalFile, size: Int) throws(QueueError) -> Bool {
        var place = 0
        while place < size {
            let bytes = try file.read(at: place, count: min(1 << 20, size - place))
            guard !bytes.isEmpty, bytes.allSatisfy({ $0 == 0 }) else { return false }
            place += bytes.count
        }
        return true
    }
}

extension JournalScan {
    /// A part of the file in memory.
    private struct Window {
        static let length = 1 << 20

        private var start = 0
        private var bytes: [UInt8] = []

        /// Bytes of the file; fewer at its end. They share the window's storage until it moves.
        mutating func bytes(of file: JournalFile, at offset: Int, count: Int) throws(QueueError) -> ArraySlice<UInt8> {
            try rest(of: file, at: offset, count: count).prefix(count)
        }

        /// All that is in memory from an offset on: at least a count of bytes, or those up to the file's end.
        mutating func rest(of file: JournalFile, at offset: Int, count: Int) throws(QueueError) -> ArraySlice<UInt8> {
            if offset < start || offset + count > start + bytes.count {
                bytes = []
                bytes = try file.read(at: offset, count: max(count, Self.length))
                start = offset
            }
            return bytes[(offset - start)...]
        }
    }
}
