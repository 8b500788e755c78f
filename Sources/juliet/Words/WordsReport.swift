import JulietGame

/// What `juliet words` prints, as values.
enum WordsReport {
    /// `juliet words import`
    static func imported(_ summaries: [WordListImport.Summary], dryRun: Bool) -> String {
        let rows = summaries.map { summary in
            [summary.kind] + [summary.added, summary.restored, summary.retired, summary.unchanged].map(grouped)
        }
        let table = Terminal.table([["list", "added", "restored", "retired", "unchanged"]] + rows, numbersFrom: 1)
        return dryRun ? table + "\n\ndry run: nothing was changed" : table
    }

    /// An import that was refused: the lines at fault.
    static func refused(_ refusal: WordListImport.Refusal) -> String {
        "\(counted(refusal.count, "line")) refused, nothing was changed\n\(refusal)"
    }

    /// `juliet words stats`
    static func stats(_ counts: [WordListRecords.Count]) -> String {
        guard !counts.isEmpty else { return "there are no words: import some with `juliet words import`" }
        let rows = counts.map { count in
            [count.language] + [count.length, count.guessable, count.secret, count.retired].map(grouped)
        }
        return Terminal.table([["language", "letters", "guessable", "secret", "retired"]] + rows, numbersFrom: 1)
    }

    /// `juliet words retire` and `restore`
    static func tended(_ changed: [String], unchanged: [String], verb: String) -> String {
        let lines =
            (changed.isEmpty ? [] : ["\(verb): \(changed.joined(separator: " "))"])
            + (unchanged.isEmpty ? [] : ["already \(verb): \(unchanged.joined(separator: " "))"])
        return lines.joined(separator: "\n")
    }

    /// `juliet words check`
    static func checked(_ findings: [WordListCheck.Finding], words: Int) -> String {
        let lines = findings.map(\.description)
        let verdict =
            findings.isEmpty
            ? "\(counted(words, "word")), nothing wrong"
            : "\(counted(words, "word")), \(counted(findings.count, "fault"))"
        return (lines + [verdict]).joined(separator: "\n")
    }
}
