package import Migrations

/// Which folder of `schema/` touches which table: the picture in `schema/README.md`.
package struct SchemaMap {
    private let rooms: [String]
    private let tables: [String]
    /// By table, then by folder: whether its functions write to the table; no entry: they do not use it.
    private let touches: [String: [String: Bool]]

    /// - Parameters:
    ///   - code: The functions.
    ///   - catalog: The tables' columns, as in `schema/catalog.txt`.
    package init(code: SchemaCode, catalog: String) {
        var names: [String] = []
        for line in catalog.split(separator: "\n") where line.hasPrefix("the column ") {
            let table = String(line.dropFirst("the column ".count).prefix { $0 != "." })
            if names.last != table { names.append(table) }
        }
        let known = Set(names)
        var touches: [String: [String: Bool]] = [:]
        var rooms: Set<String> = []
        for piece in code.functions {
            guard let function = piece.function, let room = piece.file.split(separator: "/").first else { continue }
            for (table, isWrite) in Self.tables(in: function.body) where known.contains(table) {
                rooms.insert(String(room))
                let earlier = touches[table]?[String(room)] ?? false
                touches[table, default: [:]][String(room)] = earlier || isWrite
            }
        }
        self.touches = touches
        self.rooms = rooms.sorted()
        tables = names
    }

    /// A table in Markdown: `w` where functions of a folder write, `r` where they only read.
    package var text: String {
        let head = ["", "| table | \(rooms.joined(separator: " | ")) |", "|---|\(rooms.map { _ in "---|" }.joined())"]
        let rows = tables.map { table in
            let cells = rooms.map { room in touches[table]?[room].map { $0 ? "w" : "r" } ?? "" }
            return "| `\(table)` | \(cells.joined(separator: " | ")) |"
        }
        return (head + rows).joined(separator: "\n") + "\n"
    }

    /// The words after those that name a table, and whether they write to it.
    private static func tables(in body: String) -> [(table: String, isWrite: Bool)] {
        let lines = body.split(separator: "\n").map { line -> Substring in
            guard let comment = line.firstRange(of: "--") else { return line }
            return line[..<comment.lowerBound]
        }
        let code = lines.joined(separator: " ")
        let words = code.split { !($0.isLetter || $0 == "_") }.map { $0.lowercased() }.filter { $0 != "juliet" }
        return zip(words.indices, words).dropFirst().compactMap { index, word in
            let before = words[index - 1]
            let isDelete = before == "from" && index > 1 && words[index - 2] == "delete"
            switch before {
            case "into", "update", "table": return (word, true)
            case "from", "join", "only": return (word, isDelete)
            default: return nil
            }
        }
    }
}
