/// Counts from its making.
///
/// An instant has no layout that is known when we compile, so every structure that holds one is handled by the runtime; a
/// duration has.
final class LoopClock: Sendable {
    private let origin = ContinuousClock.now

    /// The time since then.
    var elapsed: Duration { origin.duration(to: .now) }
}
