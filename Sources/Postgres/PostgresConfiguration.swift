/// Where the database is and how a ``PostgresClient`` or ``PostgresConnection`` behaves.
public struct PostgresConfiguration: Sendable {
    /// What stands between us and the server.
    public enum Route: Sendable, Hashable {
        /// The server itself, or a pooler in session mode: prepared statements, session settings.
        case direct
        /// A pooler that gives each transaction another session (PgBouncer, `pool_mode = transaction`): statements are
        /// unnamed, nothing depends on the session.
        case transactionPooler
        /// The same, and the pooler follows prepared statements from session to session (PgBouncer 1.21 and later with
        /// `max_prepared_statements` above 0).
        case preparingTransactionPooler
    }

    /// A libpq connection string: a URI (`postgres://…`) or `keyword=value` pairs, several hosts included (libpq,
    /// "Connection Strings"). Empty: libpq's `PG*` variables and defaults. Secret: it may hold a password.
    public var connectionString: String
    /// Further libpq keywords, which take precedence over the connection string, such as `["dbname": "juliet"]`.
    public var parameters: [String: String] = [:]
    /// The name in `pg_stat_activity`, unless the connection string or `PGAPPNAME` gives one.
    public var applicationName = "swift-postgres"
    /// Server settings for each session, such as `["work_mem": "16MB"]`. Not with ``Route/transactionPooler``.
    public var sessionSettings: [String: String] = [:]
    /// What stands between us and the server. Default: nothing.
    public var route = Route.direct

    /// How long one attempt to connect may take, name resolution, TLS and authentication included. Default: 5 s.
    public var connectTimeout: Duration = .seconds(5)
    /// Waits between attempts to connect: doubling from the first to the last, each shortened by up to half at random
    /// so that many clients do not come back at once. Default: 50 ms to 500 ms.
    public var reconnectDelay: ClosedRange<Duration> = .milliseconds(50) ... .milliseconds(500)
    /// After how long without work a pooled connection is asked for a sign of life, so that no firewall forgets it and
    /// a dead one is noticed before somebody needs it; `nil`: never. Default: 60 s.
    public var keepAliveInterval: Duration? = .seconds(60)
    /// How long bytes may stay unacknowledged before the kernel gives a connection up (`TCP_USER_TIMEOUT`, Linux;
    /// libpq, `tcp_user_timeout`). Default: `nil`, as the kernel or the connection string has it.
    public var tcpUserTimeout: Duration?
    /// After how long a pooled connection is replaced, shortened by up to a tenth at random. Default: 1 h.
    public var connectionLifetime: Duration = .seconds(3600)

    /// At most so many connections per event loop for statements that write, and for those that read unless
    /// ``readConnectionsPerLoop`` sets others apart. One is made at the start. A further one is made when a batch could
    /// begin and all others are busy, and closed when it has had nothing to do for ``leasedConnectionIdleTimeout``. How
    /// many batches run at once follows the load: a statement leaves at once while the client has fewer than eight under
    /// way; above that each loop has one batch under way, and the whole client as many as the machine has processors.
    /// More than one pay where commits take long, as with a synchronous standby or a distant server; with commits of a
    /// third of a millisecond they made batches smaller and 64 clients a tenth slower. Default: 1.
    public var connectionsPerLoop = 1
    /// The same for ``StatementAccess/read``, so that no read waits for a writer's commit; 0: reads travel with the
    /// writes, which is as fast where there are only reads or only writes. Default: 2.
    public var readConnectionsPerLoop = 2
    /// From when on a read is slow, where reads have connections of their own: it then goes on by itself, on one of the
    /// further connections, and holds up no others. Later where all reads take long (eight times as long as they do);
    /// `nil`: never. Default: 250 ms.
    public var slowReadTime: Duration? = .milliseconds(250)
    /// Further connections per event loop, made when needed: for transactions, leases and statements that wait for a
    /// lock. Default: 2.
    public var leasedConnectionsPerLoop = 2
    /// After how long without use a further connection is closed, of these and of the others. Default: 60 s.
    public var leasedConnectionIdleTimeout: Duration = .seconds(60)
    /// How many statements may share a transaction and its commit. A limit for bursts: 16, 64 and 128 were alike for 64
    /// busy clients, whose batches are 10 to 20. Default: 64.
    public var batchSize = 64

    /// How many statements may wait per event loop, those included that wait alone for a lock; one more is refused with
    /// ``PostgresError/Code/queueFull``. Default: 10,000.
    public var waitingLimit = 10_000
    /// How long a statement may be expected to wait for its turn; one that would wait longer, by what batches take now, is
    /// refused at once with ``PostgresError/Code/queueFull``, so that what is taken is answered in time. As many as one
    /// batch of each connection may always wait. Default: `nil`, no such limit.
    public var expectedWaitLimit: Duration?
    /// How long a statement may wait for a connection, then ``PostgresError/Code/queueTimeout``. Default: 5 s.
    public var queueTimeout: Duration = .seconds(5)
    /// How long a statement may take in all, waiting included, unless the call says otherwise. Default: 10 s.
    public var statementTimeout: Duration = .seconds(10)
    /// How long a batch waits for a lock; whoever made it wait then runs alone. Default: 250 ms.
    public var lockTimeout: Duration = .milliseconds(250)
    /// How long a statement that runs alone waits for a lock, then SQLSTATE 55P03. Default: 5 s.
    public var loneLockTimeout: Duration = .seconds(5)
    /// How long the server lets one statement run, whatever becomes of us (`statement_timeout`), then SQLSTATE 57014:
    /// nobody cancels a statement whose client is gone. Longer than any deadline of ours, or it goes before them. For
    /// all sessions of a ``PostgresClient``. Default: `nil`, as the server has it.
    public var serverStatementTimeout: Duration?
    /// Whether a task that is cancelled has its statement cancelled at once. Listening for that costs 0.3 µs a statement,
    /// which a server can save: then it is looked at before a statement is sent, and every 50 ms while it runs. Leases and
    /// transactions follow it always. Default: `true`.
    public var followsCancellation = true
    /// How long a statement may still finish after its task was cancelled, before the server is asked to stop it. One that
    /// shares its batch is not stopped, unless all of them were cancelled: its neighbours would have to run again. Default:
    /// 50 ms.
    public var cancellationGrace: Duration = .milliseconds(50)
    /// How long the server may take to stop a statement when asked to, before the connection is dropped. Default: 2 s.
    public var cancellationTimeout: Duration = .seconds(2)

    /// How many one-off statements (``PostgresConnection/query(_:_:timeout:decode:)``,
    /// ``PostgresConnection/run(_:_:timeout:)``) a session may have prepared; the least recently used makes room for the next.
    /// 0: none are prepared. Behind a pooler of transactions none are, whatever this is. Default: 100.
    public var preparedQueryLimit = 100
    /// At which use a session prepares a one-off statement, 1 or more. Default: 5.
    ///
    /// `'now'`, `'today'` and their like, and dates written as literals, are read when the statement is prepared: use `now()`,
    /// `current_date` or a parameter, or set ``preparedQueryLimit`` to 0.
    public var preparedQueryThreshold = 5

    /// Says whether rows are spread over servers, where no executions run as one (``Statement/gatheredSQL``); `nil`: they are
    /// not.
    var router: (any PostgresRouter)?

    /// Who sees statements, batches, connections and notices. Default: nobody.
    public var observer: (any PostgresObserver)?

    /// A configuration for a connection string; `nil` or empty: libpq's `PG*` variables and defaults.
    public init(connectionString: String? = nil) { self.connectionString = connectionString ?? "" }

    /// Finds out whether libpq can read the connection string. Connects to nothing.
    ///
    /// - Throws: ``PostgresError`` `.configuration`.
    public func validate() throws(PostgresError) { _ = try ConnectionSettings(self, sessionSettings: []) }

    /// The passwords that a connection string contains, the server's and that of a client's key, as libpq reads them.
    /// Connects to nothing.
    ///
    /// - Returns: nil: libpq cannot read the string.
    package static func passwords(in connectionString: String) -> [String]? {
        ConnectionSettings.passwords(in: connectionString)
    }

    /// What libpq says is wrong with a connection string, without what may be a password in it. Connects to nothing.
    ///
    /// - Returns: nil: libpq can read the string; empty: it says nothing that can be shown.
    package static func fault(in connectionString: String) -> String? { ConnectionSettings.fault(in: connectionString) }

    /// Whether every server is on this machine or has to prove who it is (libpq, `sslmode=verify-full`), as the connection
    /// string, ``parameters`` and the environment have it. Otherwise whoever controls the network can pretend to be the
    /// server. Connects to nothing.
    ///
    /// - Throws: ``PostgresError`` `.configuration`.
    public var areServersProven: Bool {
        get throws(PostgresError) { try ConnectionSettings(self, sessionSettings: []).areServersProven }
    }
}

extension PostgresConfiguration: CustomStringConvertible, CustomDebugStringConvertible {
    /// The pool's shape, without the connection string, which may hold a password.
    public var description: String {
        "PostgresConfiguration(route: \(route), connectionsPerLoop: \(connectionsPerLoop), "
            + "readConnectionsPerLoop: \(readConnectionsPerLoop), batchSize: \(batchSize))"
    }

    /// The same as the description.
    public var debugDescription: String { description }
}
