/// The tables of the schema that have secrets.
public enum SecretTables {
    /// Words, salts and seeds are in four of them. Which row of `words` is read tells a word, because the service may read
    /// that table.
    public static let names: Set<String> = ["challenges", "daily_words", "judged_games", "lottery_draws", "words"]
}
