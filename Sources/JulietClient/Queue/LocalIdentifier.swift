/// An identifier that the app gives to something before the server has given it one.
///
/// Use its ``placeholder`` wherever the server's identifier belongs: in paths, queries, headers and bodies of requests
/// that are appended after the one that creates the thing. The queue replaces it by the server's identifier before it
/// sends them.
public struct LocalIdentifier: Hashable, Codable, Sendable {
    /// The text in place of the server's identifier until that is known: ASCII letters, digits and hyphens, which need no encoding.
    public let placeholder: String

    private static let prefix = "juliet-local-"
    private static let digits = RandomName.length

    /// Makes a new one.
    public init() {
        placeholder = Self.prefix + RandomName.make()
    }

    /// Nil: the text is not a placeholder.
    public init?(placeholder: String) {
        guard placeholder.hasPrefix(Self.prefix), placeholder.utf8.count == Self.prefix.utf8.count + Self.digits,
            placeholder.utf8.dropFirst(Self.prefix.utf8.count).allSatisfy(Self.isDigit)
        else { return nil }
        self.placeholder = placeholder
    }

    init(from reader: inout ByteReader) throws(ByteReader.Failure) {
        guard let local = LocalIdentifier(placeholder: try reader.text()) else { throw ByteReader.Failure() }
        self = local
    }

    /// Those that occur in bytes, in their order.
    static func all(in bytes: some Sequence<UInt8>) -> [LocalIdentifier] {
        places(in: Array(bytes)).map(\.local)
    }

    /// Where they occur in bytes.
    static func places(in bytes: [UInt8]) -> [(local: LocalIdentifier, range: Range<Int>)] {
        var places: [(LocalIdentifier, Range<Int>)] = []
        let length = prefix.utf8.count + digits
        let first = UInt8(ascii: "j")
        var position = 0
        while position + length <= bytes.count {
            guard let start = bytes[position...].firstIndex(of: first), start + length <= bytes.count else { break }
            if bytes[start...].starts(with: prefix.utf8),
                let local = LocalIdentifier(
                    placeholder: String(decoding: bytes[start..<start + length], as: UTF8.self))
            {
                places.append((local, start..<start + length))
                position = start + length
            } else {
                position = start + 1
            }
        }
        return places
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}

/// Where a response contains the server's identifier of what was created.
public enum IdentifierSource: Hashable, Codable, Sendable {
    /// A text or a whole number in a JSON body: the names of the members that lead to it.
    case json([String])
    /// A header field.
    case header(String)
    /// The last segment of the path in a header field such as `Location`.
    case lastSegment(ofHeader: String)
}

extension IdentifierSource {
    func write(to writer: inout ByteWriter) {
        switch self {
        case .json(let path):
            writer.integer(UInt8(1))
            writer.list(path) { $0.text($1) }
        case .header(let name):
            writer.integer(UInt8(2))
            writer.text(name)
        case .lastSegment(let name):
            writer.integer(UInt8(3))
            writer.text(name)
        }
    }

    init(from reader: inout ByteReader) throws(ByteReader.Failure) {
        switch try reader.integer(UInt8.self) {
        case 1:
            self = .json(
                try reader.list { (reader: inout ByteReader) throws(ByteReader.Failure) in try reader.text() })
        case 2: self = .header(try reader.text())
        case 3: self = .lastSegment(ofHeader: try reader.text())
        default: throw ByteReader.Failure()
        }
    }
}
