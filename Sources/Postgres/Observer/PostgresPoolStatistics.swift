/// How things stand with the connections of a ``PostgresClient``.
public struct PostgresPoolStatistics: Sendable, Hashable {
    /// Connections that are open.
    public internal(set) var connections = 0
    /// Those of them that have statements under way, or are lent.
    public internal(set) var connectionsInUse = 0
    /// Statements that wait for a connection.
    public internal(set) var statementsWaiting = 0
}
