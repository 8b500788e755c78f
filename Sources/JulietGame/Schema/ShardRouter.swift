import EventLoop
package import Postgres
import Synchronization

/// Sends a player's statements to the server that keeps the player, if the players are distributed over several servers.
///
/// It has the map of shards as it was last read. An old map does no harm: every server of the cluster finds the player's
/// rows, only slower if they are on another one.
package final class ShardRouter: PostgresRouter {
    private let map = Locked(ShardMap(shards: []))
    /// Whether there are several servers. With one server, this check is all that a statement costs.
    private let spread = Atomic(false)

    /// A router that knows of one server.
    package init() {}

    /// The servers and how many shards each keeps; empty: the players are on one server.
    package var servers: [PostgresServer: Int] { map.withLock { $0.servers } }

    /// Whether the players are distributed over several servers.
    package var isSpread: Bool { spread.load(ordering: .relaxed) }

    /// The player's server.
    package func server(of key: String) -> PostgresServer? {
        guard isSpread else { return nil }
        return map.withLock { $0.server(of: PostgresHash.text(key)) }
    }

    /// Reads the map. The database's client lets go of servers that are no longer on it.
    ///
    /// - Parameter database: The client that has this router.
    /// - Returns: Whether it has changed.
    /// - Throws: The old map stays.
    package func refresh(from database: PostgresClient, timeout: Duration = .seconds(10)) async throws(PostgresError)
        -> Bool
    {
        let isCitus = try await database.first(FindCitus(), timeout: timeout) == true
        let map = ShardMap(shards: isCitus ? try await database.execute(FindShards(), timeout: timeout) : [])
        let isNew = take(map)
        // Done each time, because a statement with an earlier map may have made a client for a server that is gone.
        database.forgetServers(except: Set(map.servers.keys))
        return isNew
    }

    /// The same in a session of its own: at the start, which can be cancelled.
    package func read(on connection: PostgresConnection, timeout: Duration) async throws(PostgresError) -> Bool {
        let isCitus = try await connection.first(FindCitus(), timeout: timeout) == true
        return take(ShardMap(shards: isCitus ? try await connection.execute(FindShards(), timeout: timeout) : []))
    }

    private func take(_ new: ShardMap) -> Bool {
        let isNew = map.withLock { map in
            defer { map = new }
            return map != new
        }
        spread.store(!new.isEmpty, ordering: .relaxed)
        return isNew
    }
}

/// Which server keeps which hashes.
struct ShardMap: Sendable, Equatable {
    /// A range of hashes, with both ends.
    struct Shard: Sendable, Equatable {
        let first: Int32
        let last: Int32
        /// nil: the coordinator, or a server that cannot be asked.
        let server: PostgresServer?
    }

    /// By their hashes.
    let shards: [Shard]

    var isEmpty: Bool { shards.isEmpty }

    var servers: [PostgresServer: Int] {
        shards.reduce(into: [:]) { servers, shard in
            if let server = shard.server { servers[server, default: 0] += 1 }
        }
    }

    /// nil: ask the coordinator.
    func server(of hash: Int32) -> PostgresServer? {
        var (low, high) = (0, shards.count)
        while low < high {
            let middle = (low + high) / 2
            if shards[middle].last < hash { low = middle + 1 } else { high = middle }
        }
        return low < shards.count && shards[low].first <= hash ? shards[low].server : nil
    }
}

/// The shards of `users`, with a server that keeps each; none while some players' tables are not distributed, because then a
/// player's rows are not all on one server.
struct FindShards: Statement {
    var sql: StaticString {
        """
        SELECT DISTINCT ON (shardminvalue::int) shardminvalue::int, shardmaxvalue::int, nodename, nodeport
        FROM pg_dist_partition JOIN pg_dist_shard USING (logicalrelid)
            LEFT JOIN (pg_dist_placement JOIN pg_dist_node ON pg_dist_node.groupid = pg_dist_placement.groupid
                AND pg_dist_node.groupid <> 0 AND noderole = 'primary' AND isactive AND hasmetadata AND metadatasynced)
            USING (shardid)
        WHERE logicalrelid = to_regclass('juliet.users') AND partmethod = 'h' AND NOT EXISTS (
            SELECT FROM unnest($1::text[]) AS name
            WHERE NOT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass(name)))
        ORDER BY shardminvalue::int, pg_dist_placement.groupid
        """
    }
    var access: StatementAccess { .read }

    func bind(to parameters: inout Parameters) {
        parameters.append(Distribution.references + Distribution.tables.map(\.0))
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> ShardMap.Shard {
        let (first, last) = (try row.next(Int32.self), try row.next(Int32.self))
        let (host, port) = (try row.next(String?.self), try row.next(Int32?.self))
        let server = host.flatMap { host in port.map { PostgresServer(host: host, port: Int($0)) } }
        return ShardMap.Shard(first: first, last: last, server: server)
    }
}
