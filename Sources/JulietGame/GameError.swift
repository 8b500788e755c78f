package import Postgres

/// Why the game did not do what was asked. Nothing has changed, unless ``database(_:)`` says otherwise.
package enum GameError: Error, Sendable {
    /// No such player.
    case userUnknown
    /// The balance does not cover a game.
    case energyInsufficient(balance: Energy)
    /// The amount is not on sale.
    case productUnknown(balance: Energy)
    /// Clients may not report their energy.
    case energyReportRefused(balance: Energy)
    /// Not a word of ours.
    case wordUnknown
    /// The operation's name was used for another request before.
    case operationReused
    /// No secret words have been imported, so no game can be dealt.
    case noWords
    /// PostgreSQL could not do it. With the code `outcomeUnknown` it may have been done all the same.
    case database(PostgresError)
}
