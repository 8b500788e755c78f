/// Counts from its making.
///
/// An instant's layout is not known at compile time, so the runtime handles every structure that holds one; a duration's
/// is known.
final class LoopClock: Sendable {
    private let origin = ContinuousClock.now

    /// The time since then.
    var elapsed: Duration { origin.duration(to: .now) }
}
