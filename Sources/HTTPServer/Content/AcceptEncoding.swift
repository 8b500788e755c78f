/// A content coding of a response (RFC 9110 §8.4.1).
public struct ContentCoding: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name in `Content-Encoding`, lower case.
    public let rawValue: String

    /// Wraps a name, which is a token in lower case.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// gzip (RFC 1952).
    public static let gzip = ContentCoding(rawValue: "gzip")
    /// Brotli (RFC 7932).
    public static let brotli = ContentCoding(rawValue: "br")
    /// Zstandard (RFC 8878).
    public static let zstd = ContentCoding(rawValue: "zstd")
    /// None.
    public static let identity = ContentCoding(rawValue: "identity")

    /// The name.
    public var description: String { rawValue }
}

/// The codings that a client accepts (RFC 9110 §12.5.3).
public struct AcceptEncoding: Sendable {
    /// In thousandths, 0...1000; a coding that is named twice has its last.
    private var qualities: [String: Int] = [:]
    private let isAbsent: Bool

    /// Reads the values of all `Accept-Encoding` lines of a request. A part that breaks the grammar is ignored.
    public init(_ headers: Headers) {
        let values = headers.values(of: "Accept-Encoding")
        isAbsent = values.isEmpty
        for part in values.joined(separator: ",").split(separator: ",") {
            let pieces = part.split(separator: ";", omittingEmptySubsequences: false).map(Self.trimmed)
            guard let name = pieces.first, !name.isEmpty, pieces.count <= 2,
                name.utf8.allSatisfy(CharacterClass.isToken)
            else { continue }
            var quality = 1000
            if pieces.count == 2 {
                guard let given = Self.quality(pieces[1]) else { continue }
                quality = given
            }
            let coding = name.lowercased()
            qualities[coding == "x-gzip" ? "gzip" : coding] = quality
        }
    }

    /// How much the client wants a coding, in thousandths; 0: not at all.
    ///
    /// Without the field any coding would be acceptable, but a client that does not send it most likely decodes none: then only `identity`.
    public func quality(of coding: ContentCoding) -> Int {
        if let quality = qualities[coding.rawValue] { return quality }
        if coding == .identity { return qualities["*"] == 0 ? 0 : 1 }
        return isAbsent ? 0 : qualities["*"] ?? 0
    }

    /// The coding that the client wants most; of those it wants alike, the first. `identity` if it wants none of them,
    /// even if it refuses that, too: such a client gets content that it can ignore, instead of an error.
    public func best(of codings: [ContentCoding]) -> ContentCoding {
        var (best, bestQuality) = (ContentCoding.identity, 0)
        for coding in codings where coding != .identity {
            let quality = quality(of: coding)
            if quality > bestQuality { (best, bestQuality) = (coding, quality) }
        }
        return bestQuality >= quality(of: .identity) ? best : .identity
    }

    /// "q=" and 0 to 1 with at most three digits (RFC 9110 §12.4.2).
    private static func quality(_ text: Substring) -> Int? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 3, CharacterClass.lowercased(bytes[0]) == UInt8(ascii: "q"), bytes[1] == ASCII.equals,
            bytes[2] == ASCII.zero || bytes[2] == ASCII.zero + 1, bytes.count <= 7
        else { return nil }
        var quality = Int(bytes[2] - ASCII.zero) * 1000
        if bytes.count > 3 {
            guard bytes[3] == UInt8(ascii: ".") else { return nil }
            var weight = 100
            for byte in bytes[4...] {
                guard CharacterClass.isDigit(byte) else { return nil }
                quality += Int(byte - ASCII.zero) * weight
                weight /= 10
            }
        }
        return quality <= 1000 ? quality : nil
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}

extension Headers {
    /// Says that the answer depends on a field of the request (RFC 9110 §12.5.5), unless that is said already.
    public mutating func vary(on name: String) {
        let named = (self["Vary"] ?? "").split(separator: ",").map {
            $0.filter { $0 != " " && $0 != "\t" }.lowercased()
        }
        guard !named.contains("*"), !named.contains(name.lowercased()) else { return }
        append("Vary", name)
    }
}
