/// The list of an export's data files, which DynamoDB writes beside them: JSON lines.
package enum LegacyManifest {
    /// The names of the data files, as they were called in S3.
    ///
    /// - Throws: `LegacySource.Fault`.
    package static func dataFiles(in path: String) throws(LegacySource.Fault) -> [String] {
        let source = LegacySource(name: path) { try InputFile(path: path) }
        var items = LegacyItems()
        var names: [String] = []
        func note(_ item: LegacyItems.Item) {
            guard let bytes = item.bytes, case .object(let line) = try? LegacyValue(json: bytes),
                case .text(let name) = line["dataFileS3Key"]
            else { return }
            names.append(name)
        }
        while let piece = try source.read() { items.consume(piece, item: note) }
        _ = items.finish(item: note)
        return names
    }
}
