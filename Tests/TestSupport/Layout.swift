public import Testing

/// Where a suite runs: each suite that uses a service, a command or a page says so with one of the first three, or a test fails.
extension Trait where Self == ConditionTrait {
    /// With all players on one server, and once more, with `TEST_LAYOUT=citus`, with the players on several.
    public static var everyLayout: Self { .enabled(if: true) }

    /// Not with `TEST_LAYOUT=citus`.
    ///
    /// - Parameter reason: What there is about the suite that would not be another test there.
    public static func defaultLayout(_ reason: Comment) -> Self { .disabled(if: CitusCluster.isWanted, reason) }

    /// Only with `TEST_LAYOUT=citus`.
    public static var citusLayout: Self { .enabled(if: CitusCluster.isWanted, "TEST_LAYOUT is not citus") }

    /// Only where Citus can be started, in either layout.
    public static var needsCitus: Self {
        .enabled(if: CitusCluster.isInstalled, "Citus is not installed beside PostgreSQL")
    }
}
