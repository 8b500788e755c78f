import JulietGame

extension InputFile {
    /// Everything in a file; of standard input for `-`.
    ///
    /// - Throws: ``CommandError`` that names the path.
    static func contents(of path: String) throws(CommandError) -> [UInt8] {
        var bytes: [UInt8] = []
        do {
            let file = path == "-" ? try standardInput() : try InputFile(path: path)
            while let piece = try file.read(upToCount: 1 << 16) { bytes += piece }
        } catch {
            throw CommandError("cannot read \(path)")
        }
        return bytes
    }
}
