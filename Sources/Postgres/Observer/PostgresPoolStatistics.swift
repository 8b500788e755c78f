/// How things stand with the connections of a ``PostgresClient``.
public struct PostgresPoolStatistics: Sendable, Hashable {
    /// Connections that are open.
    public internal(set) var connections = 0
    /// Those of them that have statements under way, or are lent.
    public internal(set) var connectionsInUse = 0
    /// Statements that wait for a connection.
    public internal(set) var statementsWaiting = 0

    /// Adds those of another pool.
    static func += (sum: inout Self, part: Self) {
        sum.connections += part.connections
        sum.connectionsInUse += part.connectionsInUse
        sum.statementsWaiting += part.statementsWaiting
    }
}
