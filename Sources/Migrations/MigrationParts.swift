/// The text of a migration's file, cut at its marks and checked.
struct MigrationParts {
    private(set) var up: [SQLStatement] = []
    private(set) var down: [SQLStatement]?
    private(set) var isTransactional = true
    private(set) var isBackwardCompatible: Bool?

    private struct Part {
        let line: Int
        var text: [Substring] = []
    }

    init(text: String, fileName: String) throws(MigrationFileError) {
        func refuse(_ line: Int?, _ problem: String) -> MigrationFileError {
            MigrationFileError(fileName: fileName, line: line, problem: problem)
        }
        func statements(of part: Part) throws(MigrationFileError) -> [SQLStatement] {
            do {
                return try SQLStatement.statements(in: part.text.joined(separator: "\n"), firstLine: part.line)
            } catch {
                throw refuse(error.line, error.problem)
            }
        }

        var header = Part(line: 1)
        var upPart: Part?
        var downPart: Part?
        let pattern = #/-- *migrate:(.*?)\s*/#
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let number = index + 1
            // A pattern takes longer to try than to see that most lines are no comment.
            guard line.utf8.starts(with: "--".utf8), let mark = line.wholeMatch(of: pattern)?.1 else {
                if downPart != nil {
                    downPart?.text.append(line)
                } else if upPart != nil {
                    upPart?.text.append(line)
                } else {
                    header.text.append(line)
                }
                continue
            }
            switch mark {
            case "up" where upPart == nil && downPart == nil: upPart = Part(line: number, text: [""])
            case "down" where upPart != nil && downPart == nil: downPart = Part(line: number, text: [""])
            case "up", "down": throw refuse(number, "write one migrate:up, then at most one migrate:down")
            case "no-transaction" where upPart == nil: isTransactional = false
            case "backward-compatible" where upPart == nil && isBackwardCompatible != false: isBackwardCompatible = true
            case "backward-incompatible" where upPart == nil && isBackwardCompatible != true:
                isBackwardCompatible = false
            case "backward-compatible" where upPart == nil, "backward-incompatible" where upPart == nil:
                throw refuse(number, "write either backward-compatible or backward-incompatible, once")
            case "no-transaction", "backward-compatible", "backward-incompatible":
                throw refuse(number, "migrate:\(mark) holds for the whole file: write it above migrate:up")
            default:
                throw refuse(
                    number,
                    "unknown mark migrate:\(mark); there are up, down, no-transaction, backward-compatible and backward-incompatible"
                )
            }
        }

        guard let upPart else { throw refuse(nil, "no line says -- migrate:up") }
        if let stray = try statements(of: header).first {
            throw refuse(stray.line, "a statement is above migrate:up")
        }
        up = try statements(of: upPart)
        if up.isEmpty { throw refuse(upPart.line, "nothing follows migrate:up") }
        if let downPart {
            let statements = try statements(of: downPart)
            down = statements.isEmpty ? nil : statements
        }

        for part in [up, down ?? []] {
            if !isTransactional, part.count > 1 {
                throw refuse(
                    part[1].line, "a migrate:no-transaction file holds one statement each way, so it is never half done"
                )
            }
            for statement in part {
                if let problem = statement.problem(inTransaction: isTransactional) {
                    throw refuse(statement.line, problem)
                }
            }
        }
    }
}

extension SQLStatement {
    /// Why this statement cannot be in a migration; nil if it can.
    fileprivate func problem(inTransaction: Bool) -> String? {
        let first = words.first ?? ""
        if ["BEGIN", "COMMIT", "END", "ABORT"].contains(first) || words.starts(with: ["START", "TRANSACTION"])
            || words.starts(with: ["PREPARE", "TRANSACTION"])
            || (first == "ROLLBACK" && !words.contains("TO"))
        {
            return
                "\(first) would separate the change from its record: remove it, because juliet migrate begins and ends the transaction"
        }
        if first == "COPY", words.contains("STDIN") {
            return "COPY FROM STDIN finds no data in a migration: use INSERT"
        }
        if case .create(name: nil, table: _) = ConcurrentIndex(self) {
            return "name the index, so that what a failed build leaves can be found"
        }
        guard inTransaction else { return nil }
        let concurrent = ["CREATE", "DROP", "REINDEX", "ALTER"].contains(first) && words.contains("CONCURRENTLY")
        if concurrent || first == "VACUUM" || words.starts(with: ["ALTER", "SYSTEM"]) {
            let what = concurrent ? "\(first) … CONCURRENTLY" : first
            return "\(what) cannot run in a transaction: give it a file of its own with -- migrate:no-transaction"
        }
        return nil
    }
}
