import JulietGame

/// What `juliet words` prints, as values.
enum WordsReport {
    /// `juliet words import` and `meanings`
    static func imported(_ outcome: WordListImport.Outcome, dryRun: Bool) -> String {
        let rows = outcome.lists.map { summary in
            [summary.kind] + [summary.added, summary.restored, summary.retired, summary.unchanged].map(grouped)
        }
        var parts: [String] = []
        if !rows.isEmpty {
            parts.append(
                Terminal.table([["list", "added", "restored", "retired", "unchanged"]] + rows, numbersFrom: 1))
        }
        if let meanings = outcome.meanings {
            let skipped =
                meanings.skipped > 0 ? ", \(grouped(meanings.skipped)) skipped because the word is in no list" : ""
            parts.append(
                "meanings: \(grouped(meanings.changed)) new, \(grouped(meanings.unchanged)) unchanged\(skipped)")
        }
        return (parts + (dryRun ? ["\ndry run: nothing was changed"] : [])).joined(separator: "\n")
    }

    /// `juliet words meanings --clear`
    static func cleared(_ count: Int, _ language: String, dryRun: Bool) -> String {
        "\(counted(count, "meaning")) of \(language) \(dryRun ? "would be deleted: dry run, nothing was changed" : "deleted")"
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
        tended(changed, unchanged: unchanged, (verb, "already \(verb)"))
    }

    /// `juliet words block` and `unblock`
    static func tended(
        _ changed: [String], unchanged: [String], _ verbs: (changed: String, unchanged: String)
    ) -> String {
        let lines =
            (changed.isEmpty ? [] : ["\(verbs.changed): \(changed.joined(separator: " "))"])
            + (unchanged.isEmpty ? [] : ["\(verbs.unchanged): \(unchanged.joined(separator: " "))"])
        return lines.joined(separator: "\n")
    }

    /// `juliet words plan --list`
    static func plan(_ planned: [DayPlanRecords.Planned]) -> String {
        guard !planned.isEmpty else { return "no day is planned" }
        return Terminal.table(
            planned.map { day in
                [day.day, day.word ?? "(not shown any more)"] + (day.isRetired ? ["retired since; it stays"] : [])
            })
    }

    /// `juliet words plan`
    static func planned(_ change: DayPlanRecords.Change, clears: Bool, dryRun: Bool) -> String {
        let verbs = clears ? ("chosen by chance again", "not planned") : ("planned", "planned so already")
        return tended(change.changed, unchanged: change.unchanged, verbs)
            + (dryRun ? "\ndry run: nothing was changed" : "")
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
