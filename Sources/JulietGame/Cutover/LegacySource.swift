/// A file with an export of the old backend's table, read as it is: gzip is inflated, whatever the file is called.
package final class LegacySource {
    /// Why it cannot be imported, or not completely.
    package struct Fault: Error, Sendable, Hashable, CustomStringConvertible {
        /// What is wrong, with the file's name.
        package let description: String
    }

    /// The name in messages.
    package let name: String

    private let open: () throws -> InputFile
    private var file: InputFile?
    private var gunzip: Gunzip?
    /// Bytes that were looked at but not yet consumed.
    private var pending: [UInt8] = []

    private static let pieceSize = 1 << 18

    /// A source.
    ///
    /// - Parameters:
    ///   - name: The name in messages.
    ///   - open: Opens it; more than once if it can be read again.
    package init(name: String, open: @escaping () throws -> InputFile) {
        self.name = name
        self.open = open
    }

    /// Checks the beginning, so that a file that is not an export is found before anything is changed.
    ///
    /// - Returns: Whether it contains a player; nil if that is not known.
    /// - Throws: `Fault`: it cannot be read, is empty, or is another kind of file.
    package func holdsPlayers() throws(Fault) -> Bool? {
        // A compressed file may be a part of an export without items; an empty file may not.
        let beginning = try next() ?? []
        if beginning.allSatisfy({ [0x09, 0x0A, 0x0D, 0x20].contains($0) }) {
            guard gunzip != nil else { throw Fault(description: "\(name) is empty") }
            try forget(beginning)
            return nil
        }
        if let kind = FileSignature.name(of: beginning) {
            throw Fault(description: "\(name) is not an export of DynamoDB: it looks like \(kind)")
        }
        var items = LegacyItems()
        var count = 0
        var hasPlayer = false
        items.consume(beginning) { item in
            count += 1
            guard !hasPlayer, let bytes = item.bytes, let value = try? LegacyValue(json: bytes) else { return }
            if value.item?["userID"] != nil { hasPlayer = true }
        }
        try forget(beginning)
        return count == 0 ? nil : hasPlayer
    }

    /// The next piece of the text; nil at the end.
    package func read() throws(Fault) -> [UInt8]? {
        guard pending.isEmpty else {
            defer { pending = [] }
            return pending
        }
        return try next()
    }

    /// Closes a file that can be read again, because there may be more files than a process may have open.
    private func forget(_ beginning: [UInt8]) throws(Fault) {
        if let file, file.canBeReadAgain {
            self.file = nil
            gunzip = nil
        } else {
            pending = beginning
        }
    }

    private func next() throws(Fault) -> [UInt8]? {
        do {
            let isBeginning = file == nil
            let file = try file ?? open()
            self.file = file
            if isBeginning, let first = try file.read(upToCount: Self.pieceSize) {
                guard Gunzip.isGzip(first) else { return first }
                var pending: [UInt8]? = first
                let gunzip = Gunzip()
                self.gunzip = gunzip
                return try gunzip.read(upToCount: Self.pieceSize) {
                    if let first = pending {
                        pending = nil
                        return first
                    }
                    return try file.read(upToCount: Self.pieceSize)
                }
            }
            guard let gunzip else { return try file.read(upToCount: Self.pieceSize) }
            return try gunzip.read(upToCount: Self.pieceSize) { try file.read(upToCount: Self.pieceSize) }
        } catch let fault as Gunzip.Fault {
            let harm = fault == .truncated ? "end too early" : "are damaged"
            throw Fault(description: "\(name): the compressed data \(harm)")
        } catch {
            throw Fault(description: "cannot read \(name)")
        }
    }
}

/// Kinds of files that somebody might mistake for an export.
private enum FileSignature {
    private static let signatures: [(bytes: [UInt8], name: String)] = [
        ([0x50, 0x4B, 0x03, 0x04], "a ZIP archive"), (Array("BZh".utf8), "bzip2"), (Array("PAR1".utf8), "Parquet"),
        (Array("SQLite format 3".utf8), "an SQLite database"), (Array("$ion_1_0".utf8), "Amazon Ion"),
        (Array("%PDF".utf8), "PDF"), ([0xE0, 0x01, 0x00, 0xEA], "Amazon Ion"), ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "xz"),
        ([0x28, 0xB5, 0x2F, 0xFD], "Zstandard"), ([0xFF, 0xFE], "UTF-16"), ([0xFE, 0xFF], "UTF-16"),
    ]

    /// The name of the kind; nil if it may be JSON: the file or one of its lines begins with a bracket.
    static func name(of bytes: [UInt8]) -> String? {
        if let known = signatures.first(where: { bytes.starts(with: $0.bytes) }) { return known.name }
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        let content = text.drop { $0 <= 0x20 }
        if content.first == UInt8(ascii: "[") { return nil }
        let lines = content.split(separator: UInt8(ascii: "\n"))
        if lines.contains(where: { $0.first == UInt8(ascii: "{") }) { return nil }
        if content.contains(0) { return "binary data" }
        if content.first == UInt8(ascii: "<") { return "XML or HTML" }
        if lines.first?.contains(UInt8(ascii: ",")) == true { return "CSV" }
        return String(validating: content.dropLast(3), as: UTF8.self) == nil ? "binary data" : "plain text"
    }
}
