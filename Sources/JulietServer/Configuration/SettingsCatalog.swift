extension Setting {
    /// Every key there is, in the order in which `juliet config` prints them.
    package static let catalog: [Setting] = [
        Setting("http.host", .text, default: "127.0.0.1", "Address to listen on; 0.0.0.0 or :: for all"),
        Setting("http.port", .integer(0...65535), default: "8080", "Port to listen on; 0 takes a free one"),
        Setting("http.basePath", .text, default: "", "What a gateway puts before the URLs, such as /prod"),
        Setting("http.loops", .integer(0...256), default: "0", "Event loops; 0: one per core"),
        Setting(
            "http.maximumConnections", .integer(1...1_000_000), default: "20000",
            "Connections served at a time; more get 503"),
        Setting(
            "http.maximumConnectionsPerAddress", .integer(0...1_000_000), default: "0",
            "The same for one client address; 0: no limit (behind a proxy all have one)"),
        Setting(
            "http.maximumBodySize", .integer(256...1_048_576), default: "16384",
            "Bytes of a request's body; more get 413"),
        Setting(
            "http.proxy", .choice(["none", "tls"]), default: "none",
            "tls: a proxy in front ends TLS, so https targets are served; else 421"),
        Setting(
            "http.firstByteDeadline", .duration(.milliseconds(100) ... .seconds(3600)), default: "10s",
            "For the first byte of a new connection; then it is closed"),
        Setting(
            "http.headDeadline", .duration(.milliseconds(100) ... .seconds(3600)), default: "10s",
            "For the head of a request to arrive; then 408"),
        Setting(
            "http.bodyDeadline", .duration(.milliseconds(100) ... .seconds(3600)), default: "30s",
            "For the body of a request to arrive; then 408"),
        Setting(
            "http.keepAliveDeadline", .duration(.milliseconds(100) ... .seconds(86400)), default: "75s",
            "For the next request of a connection; then it is closed"),
        Setting(
            "http.writeDeadline", .duration(.milliseconds(100) ... .seconds(3600)), default: "20s",
            "For a client to take bytes of an answer; then it is cut off"),
        Setting(
            "http.shutdownDeadline", .duration(.milliseconds(0) ... .seconds(3600)), default: "30s",
            "For requests under way when the service is stopped"),
        Setting(
            "database.url", .text, default: "", isSecret: true,
            "postgres://… or keyword=value; empty: DATABASE_URL, then libpq's PG* variables"),
        Setting(
            "database.password", .text, default: "", isSecret: true,
            "Goes before the one in database.url; PGPASSWORD_FILE may name its file"),
        Setting(
            "database.connectionsPerLoop", .integer(1...64), default: "1",
            "Connections per event loop that take batches of statements"),
        Setting(
            "database.readConnectionsPerLoop", .integer(0...64), default: "1",
            "Connections per event loop set apart for reads; 0: none"),
        Setting(
            "database.batchSize", .integer(1...1000), default: "64",
            "Statements that may share a transaction and its commit"),
        Setting(
            "database.statementTimeout", .duration(.milliseconds(10) ... .seconds(600)), default: "10s",
            "For a statement, waiting included; then 503"),
        Setting(
            "database.pooler", .choice(["none", "transaction"]), default: "none",
            "transaction: a PgBouncer in transaction mode stands between"),
        Setting(
            "auth.tokens", .list, default: "", isSecret: true,
            "API keys that AuthToken may hold, several while they rotate; none: no check"),
        Setting(
            "energy.clientUpdates", .choice(["accept", "lowerOnly", "refuse"]), default: "accept",
            "What becomes of the energy a client reports"),
        Setting(
            "energy.maximum", .integer(0...1_000_000_000), default: "1000000",
            "The highest balance a client can report itself to"),
        Setting(
            "users.unknown", .choice(["refuse", "register"]), default: "refuse",
            "What becomes of a request of an unknown user; register for a cut-over"),
        Setting("game.language", .text, default: "en", "The language of the words to deal"),
        Setting("game.wordLength", .integer(4...8), default: "5", "The number of letters of the words to deal"),
        Setting(
            "game.wordsRefresh", .duration(.seconds(1) ... .seconds(86400)), default: "30s",
            "How often the list of words is read again"),
        Setting(
            "log.level", .choice(["trace", "debug", "info", "notice", "warning", "error", "critical"]), default: "info",
            "The least that is logged; debug logs every request"),
    ]
}
