/// Counts from one moment, the same for all loops of the process.
///
/// An instant's layout is not known at compile time, so the runtime handles every structure that holds one; a duration's
/// is known.
enum LoopClock {
    private static let origin = ContinuousClock.now

    /// The time since then.
    static var elapsed: Duration { origin.duration(to: .now) }
}
