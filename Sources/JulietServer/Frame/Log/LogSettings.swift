package import Logging

/// What is logged, and how.
package struct LogSettings: Sendable {
    /// How lines look.
    package enum Format: String, Sendable, CaseIterable {
        /// For people if standard error is a terminal, otherwise JSON.
        case auto
        /// For people.
        case text
        /// One JSON object a line.
        case json
    }

    /// How lines look. Default: auto.
    package var format = Format.auto
    /// The lowest level that is logged at the start. Default: info.
    package var level = Logger.Level.info
    /// The level of the line for each request. Default: debug.
    package var requests = Logger.Level.debug
    /// The duration from which a statement is logged, with its waiting; zero: never. Default: 1 s.
    package var slowStatement: Duration = .seconds(1)
    /// The salt of players' digests, so that only somebody who knows it can find a player's lines; nil: a random one in
    /// each process.
    package var salt: String?

    /// The defaults.
    package init() {}
}
