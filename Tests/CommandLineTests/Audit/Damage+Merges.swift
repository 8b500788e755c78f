extension Damage {
    private static let (dora, eve) = (Someone.dora, Someone.eve)

    static let toMerges: [Damage] = [
        Damage(
            "who was merged is held by nobody", "UPDATE merges SET holder = 'nobody'", "players.merged",
            "merge of \(dora)"),
        Damage(
            "who was merged is there again",
            "INSERT INTO users (id, energy, ledger_entry, ledger_seal) VALUES ('\(dora)', 0, 1, 0)", "players.merged",
            "merge of \(dora)"),
        Damage(
            "a game is said to be paid for by another ledger",
            "UPDATE judged_games SET ledger = 'nobody' WHERE ledger IS NOT NULL", "games.mergedUnpaid",
            "ledger nobody"),
        Damage(
            "a game that was paid for before a merge is deleted",
            "DELETE FROM judged_games WHERE ledger IS NOT NULL AND kind = 'game'", "games.mergedGone", "ledger \(dora)"),
        Damage(
            "a reward of before a merge is altered",
            "UPDATE judged_games SET reward = 6 WHERE ledger IS NOT NULL AND reward = 5", "games.mergedReward",
            "6 here, 5 in the ledger"),
        Damage(
            "the second game of a day is the day's again",
            "UPDATE judged_games SET kind = 'daily' WHERE former_day IS NOT NULL", "games.merged", eve),
        Damage(
            "the first game of a day is gone",
            "DELETE FROM judged_games WHERE user_id = '\(eve)' AND day IS NOT NULL", "games.merged", eve),
        Damage(
            "more came over than lasted", "UPDATE merges SET energy = energy + 1", "energy.mergeMisstated",
            "player \(dora)"),
        Damage("an entry of a merge is another's", "UPDATE merges SET entry = entry + 9", "energy.mergeStrange", eve),
        Damage("a merge is forgotten", "DELETE FROM merges", "energy.mergeStrange", dora),
        Damage(
            "the ledger of a transaction is altered", "UPDATE purchases SET credit_ledger = NULL",
            "energy.purchaseUncredited", "Production/T6"),
        Damage(
            "the payer of a challenge is altered", "UPDATE challenges SET ledger = NULL", "challenges.unpaid",
            eve),
    ]
}
