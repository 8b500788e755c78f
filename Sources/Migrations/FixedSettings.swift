/// The settings that decide what SQL means and what the server prints, with the values that migrations, and comparisons
/// with what was printed earlier, are written for. A database or a role may carry others (`ALTER DATABASE … SET`).
///
/// They are set for one transaction, because behind a pooler a session belongs to many: by ``setLocal`` at its beginning,
/// or inside a statement that compares, by `set_config` with ``names`` and ``values``. Every role may set them.
public enum FixedSettings {
    private static let all = [
        // How literals are read.
        ("standard_conforming_strings", "on"), ("DateStyle", "ISO, MDY"), ("IntervalStyle", "postgres"),
        ("TimeZone", "UTC"),
        // How definitions are printed, with the literals in them.
        ("quote_all_identifiers", "off"), ("bytea_output", "hex"), ("extra_float_digits", "1"),
        // What is taken for a fault of a function that is made.
        ("plpgsql.extra_errors", "none"), ("plpgsql.extra_warnings", "none"),
    ]

    /// The names, in the order of ``values``.
    public static let names = all.map(\.0)
    /// The values.
    public static let values = all.map(\.1)

    /// Statements that set them until the end of the transaction.
    public static let setLocal = all.map { "SET LOCAL \($0.0) = '\($0.1)'" }

    /// The same for the session, for what cannot run in a transaction.
    static let set = all.map { "SET \($0.0) = '\($0.1)'" }
}
