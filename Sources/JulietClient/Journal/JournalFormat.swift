/// The format of a journal's file: a header, then records one behind the other.
///
/// A header is `JULIETQU`, the format's version, the file's marker and a checksum. A record is the marker, its length,
/// its kind, which part of a group it is, a checksum, and its content. The marker is random and
/// the file's own. So nothing that a request carries can look like a record, and behind a damaged record the next one
/// is found even if the damaged one's length is wrong.
enum JournalFormat {
    /// The version that is read and written.
    static let version: UInt32 = 4
    static let headerLength = 32
    static let recordHeaderLength = 20
    /// How long the content of a record may be.
    static let maximumLength = 1 << 28

    private static let magic = Array("JULIETQU".utf8)

    /// What a file says about itself.
    struct Header: Equatable {
        var version: UInt32 = JournalFormat.version
        var marker: UInt64

        var bytes: [UInt8] {
            var writer = ByteWriter()
            for byte in magic { writer.integer(byte) }
            writer.integer(version)
            writer.integer(UInt32(0))
            writer.integer(marker)
            writer.integer(Checksum.of(writer.bytes))
            writer.integer(UInt32(0))
            return writer.bytes
        }

        init(version: UInt32 = JournalFormat.version, marker: UInt64) {
            self.version = version
            self.marker = marker
        }

        /// Reads a header; nil: the bytes are not one.
        init?(_ bytes: ArraySlice<UInt8>) {
            var reader = ByteReader(bytes.dropFirst(magic.count))
            guard bytes.count == headerLength, bytes.starts(with: magic),
                let version = try? reader.integer(UInt32.self),
                (try? reader.integer(UInt32.self)) != nil, let marker = try? reader.integer(UInt64.self),
                let checksum = try? reader.integer(UInt32.self), checksum == Checksum.of(Array(bytes.prefix(24)))
            else { return nil }
            self.init(version: version, marker: marker)
        }

        /// Whether bytes are a header or its beginning, but for one wrong byte of the first eight.
        static func isBeginning(_ bytes: [UInt8]) -> Bool {
            !bytes.isEmpty && zip(bytes, magic).count { $0 != $1 } <= (bytes.count < magic.count ? 0 : 1)
        }
    }

    /// Which part of a group a record is: after a crash either the whole group is there or nothing of it.
    struct Part: OptionSet {
        let rawValue: UInt8

        /// The next record belongs to it.
        static let continues = Part(rawValue: 1)
        /// It belongs to the record before it.
        static let follows = Part(rawValue: 2)
        /// A group of one.
        static let whole: Part = []
    }

    /// What stands before the content of a record.
    struct RecordHeader {
        let marker: UInt64
        let length: Int
        let kind: UInt8
        let part: Part
        let checksum: UInt32

        /// Reads it; nil: no record of this file begins here.
        init?(_ bytes: ArraySlice<UInt8>, marker: UInt64) {
            var reader = ByteReader(bytes)
            guard let found = try? reader.integer(UInt64.self), found == marker,
                let length = try? reader.integer(UInt32.self), length <= maximumLength,
                let kind = try? reader.integer(UInt8.self), let part = try? reader.integer(UInt8.self), part <= 3,
                (try? reader.integer(UInt16.self)) == 0, let checksum = try? reader.integer(UInt32.self)
            else { return nil }
            self.marker = marker
            self.length = Int(length)
            self.kind = kind
            self.part = Part(rawValue: part)
            self.checksum = checksum
        }
    }

    /// A record as it is in the file.
    static func record(kind: UInt8, part: Part, content: some Collection<UInt8>, marker: UInt64) -> [UInt8] {
        var writer = ByteWriter()
        writer.integer(marker)
        writer.integer(UInt32(content.count))
        writer.integer(kind)
        writer.integer(part.rawValue)
        writer.integer(UInt16(0))
        writer.integer(checksum(ofHeader: writer.bytes[8..<16], content: Array(content)[...]))
        return writer.bytes + content
    }

    /// Whether a record's checksum, which stands for its header without the marker and its content, is right.
    static func isIntact(_ record: ArraySlice<UInt8>, _ header: RecordHeader) -> Bool {
        let start = record.startIndex
        return checksum(
            ofHeader: record[start + 8..<start + 16], content: record[(start + recordHeaderLength)...])
            == header.checksum
    }

    /// Whether a record's checksum is right when its length is taken for another.
    static func isIntact(_ record: ArraySlice<UInt8>, length: Int) -> Bool {
        var mended = Array(record)
        var writer = ByteWriter()
        writer.integer(UInt32(length))
        mended.replaceSubrange(8..<12, with: writer.bytes)
        var reader = ByteReader(mended[16...])
        guard let checksum = try? reader.integer(UInt32.self) else { return false }
        return self.checksum(ofHeader: mended[8..<16], content: mended[recordHeaderLength...]) == checksum
    }

    private static func checksum(ofHeader header: ArraySlice<UInt8>, content: ArraySlice<UInt8>) -> UInt32 {
        var checksum = Checksum()
        header.withUnsafeBytes { checksum.update($0) }
        content.withUnsafeBytes { checksum.update($0) }
        return checksum.value
    }
}

extension JournalFormat.Part {
    /// The part that the record at an index of a group is.
    init(_ index: Int, of count: Int) {
        self = index < count - 1 ? .continues : .whole
        if index > 0 { insert(.follows) }
    }
}
