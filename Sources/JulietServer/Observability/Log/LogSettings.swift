package import Logging

/// What is logged, and how.
package struct LogSettings: Sendable {
    /// How lines look.
    package enum Format: String, Sendable, CaseIterable {
        /// For people where standard error is a terminal, else JSON.
        case auto
        /// For people.
        case text
        /// One JSON object a line.
        case json
    }

    /// How lines look. Default: as standard error is.
    package var format = Format.auto
    /// The least that is logged at the start. Default: info.
    package var level = Logger.Level.info
    /// The level of the line for each request. Default: debug.
    package var requests = Logger.Level.debug
    /// From what duration on a statement is logged, waiting included; zero: never. Default: 1 s.
    package var slowStatement: Duration = .seconds(1)
    /// What players' digests are made with, so that only who knows it can tell whose line it is; nil: at random in each
    /// process.
    package var salt: String?

    /// The defaults.
    package init() {}
}
