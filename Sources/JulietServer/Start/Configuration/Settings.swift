package import HTTPServer
package import JulietGame
import Logging
package import Postgres

/// All settings, read and checked once: from flags, environment variables, `config/juliet.json` and defaults, the first
/// source that has a key wins.
package struct Settings: Sendable {
    /// Which settings the caller needs.
    package enum Part: Sendable {
        /// All: to serve.
        case all
        /// Where the database is, for the commands that maintain it. The others keep their defaults, even if they are set.
        case database
        /// The same, and the rules of the game.
        case rules

        func has(_ key: String) -> Bool {
            // Providers' names are parts of other keys. Without this key those would be unknown.
            if key == "identities.providers" { return true }
            return switch self {
            case .all: true
            case .database: key.hasPrefix("database.")
            case .rules: key.hasPrefix("database.") || GameRules.Key(rawValue: key) != nil
            }
        }
    }

    /// The configuration of the HTTP server.
    package let http: HTTPServerConfiguration
    /// Its port; 0: a free one is taken.
    package var port: Int { Int(http.port) }
    /// Where metrics, health and the admin page are; nil: nowhere.
    package let admin: HTTPServerConfiguration?
    /// The names that the admin port answers to.
    package let adminNames: HostNames
    /// The URL of the admin page; nil: there is none, or it is on a socket.
    package var adminPage: String? {
        guard let admin, admin.listeners.isEmpty else { return nil }
        return "http://\(admin.place)/admin"
    }
    /// How long a stopping service says so on `/ready` but still serves, so that proxies notice, before it closes.
    /// Default 0 s.
    package let shutdownNotice: Duration
    /// What a gateway puts before the URLs: empty, or "/prod".
    package let basePath: String
    /// Event loops; 0: one per core.
    package let loops: Int
    /// Where the database is, and the shape of a service's pool.
    package var database: PostgresConfiguration
    /// Whom to ask at the start while the database does not answer: servers that keep players.
    package let workers: [PostgresServer]
    /// The API keys; only their digests are kept.
    package let keys: AccessKeys
    /// The rules of the game as set here. The database's rules apply (``RulesInForce``).
    package let rules: GameRules
    /// The rules that are set, without defaults.
    package var setRules: [GameRules.Key] {
        list.filter { $0.source != "default" }.compactMap { GameRules.Key(rawValue: $0.key) }
    }
    /// Settings of the game that may differ between services.
    package let game: GameSettings
    /// How purchases are verified, and the energy they bring.
    package let purchases: PurchaseSettings
    /// What browsers get.
    package let web: WebSettings
    /// The ways to sign in.
    package let accounts: AccountSettings
    /// Whether the lottery is served over HTTP: its documents, draws and page.
    package let isLotteryEnabled: Bool
    /// The limits on requests.
    package let limits: LimitSettings
    /// What is logged, and how.
    package let log: LogSettings

    /// Every setting and its value, in the order in which `juliet config` prints them.
    package let list: [Setting]

    /// Reads and checks every key.
    ///
    /// - Parameters:
    ///   - flags: What the command line set: key, value and the flag's name for messages.
    ///   - environment: The environment variables. `JULIET_…` are keys, and `JULIET_…_FILE` the files that hold secret
    ///     ones; `DATABASE_URL`, `DATABASE_URL_FILE` and `PGPASSWORD_FILE` stand for the database's.
    ///   - file: The settings file, if there is one.
    ///   - part: The settings that are needed. Unknown names are refused in any case.
    ///   - readSecret: Reads a secret's file.
    ///   - readFile: Reads a certificate's file.
    /// - Throws: ``SettingsError`` for the first unknown key or bad value.
    package init(
        flags: [(key: String, value: String, flag: String)] = [],
        environment: [String: String],
        file: SettingsFile?,
        part: Part = .all,
        readSecret: @escaping (String) throws -> String = readTextFile,
        readFile: (String) throws -> [UInt8] = readBinaryFile
    ) throws(SettingsError) {
        let sources = SettingsSources(flags: flags, environment: environment, file: file, readSecret: readSecret)
        var reader = SettingsReader(sources, part)
        var http = Self.http(&reader)
        shutdownNotice = reader.duration(
            "http.shutdownNotice", .zero, in: .zero ... .seconds(600),
            "How long /ready says 503 before a stopping service refuses connections, for a proxy that checks /ready"
        )
        basePath = reader.text(
            "http.basePath", "", expecting: "a path of letters, digits, - . _ ~ and slashes, such as /prod",
            "The path that a gateway puts before the URLs, such as /prod", rule: Self.basePath)
        loops = reader.integer(
            "http.loops", 0, in: 0...256,
            "Event loops; 0: one per core. Use fewer if the database is on the same machine or takes few connections")
        admin = Self.admin(&reader)
        adminNames = HostNames(Self.adminNames(&reader) + [admin?.host].compactMap { $0 })
        reader.refuseOneSocketForTwo()
        reader.refuseAddressOfInheritedSocket()
        database = Self.database(&reader)
        workers = Self.workers(&reader)
        keys = AccessKeys(
            reader.secrets(
                "auth.tokens",
                "API keys that the published app sends in AuthToken, for its URLs alone: /v2 and the page ask for none; several while you rotate them; none: no check"
            )
        )
        var rules = GameRules()
        game = Self.game(&reader, &rules)
        purchases = PurchaseSettings(&reader, &rules, readFile: readFile)
        self.rules = rules
        web = Self.web(&reader)
        accounts = AccountSettings(&reader, title: web.title)
        isLotteryEnabled =
            reader.choice(
                "lottery.enabled", Truth.true,
                "Whether the lottery's URLs and, if web.enabled is true, its page are served; false if you want no lottery"
            )
            == .true
        limits = Self.limits(&reader)
        http.addressesWithoutLimit = limits.exempt + limits.trustedProxies
        self.http = http
        log = Self.log(&reader)
        list = reader.settings
        try sources.checkNames(list)
        if let error = reader.error { throw error }
    }

    /// A table of all keys, secrets hidden, as `juliet config` prints it.
    package func table() -> String {
        list.map { setting in
            let source = setting.source == "default" ? "default" : "from \(setting.source)"
            return """
                \(setting.key) = \(setting.shown)
                    \(setting.summary). [\(source); \(setting.environmentVariable); \(setting.expectation)]
                """
        }.joined(separator: "\n")
    }
}

// MARK: - The keys

extension Settings {
    private enum Proxy: String, CaseIterable { case none, tls }

    private static func http(_ reader: inout SettingsReader) -> HTTPServerConfiguration {
        let host = reader.text(
            "http.host", "127.0.0.1", expecting: "an address or a name",
            "Address to listen on; 0.0.0.0 or :: if there is no proxy on this machine",
            rule: Self.host)
        let port = reader.integer(
            "http.port", 8080, in: 0...65535,
            "Port to listen on; a second service on the machine needs another one; 0: a free one")
        var http = HTTPServerConfiguration(host: host, port: UInt16(port))
        http.listeners = reader.listeners(
            "http.socket",
            "Unix socket to listen on instead, for a proxy on this machine; systemd: the socket that systemd opened")
        http.connectionsPerLoop = reader.integer(
            "http.connectionsPerLoop", 16, in: 1...1_000_000,
            "Connections that one event loop serves before another is woken; 1 behind a proxy that makes few connections"
        )
        http.maximumConnections = reader.integer(
            "http.maximumConnections", 20000, in: 1...1_000_000,
            "Connections served at a time. For each further one an idle one is closed; if none is found, the new one gets 503. Lower it if memory is short"
        )
        let perAddress = reader.integer(
            "http.maximumConnectionsPerAddress", 2000, in: 0...1_000_000,
            "Connections from one client address at a time, so that none can take them all; 0: no limit. The addresses in http.trustedProxies and limits.exempt have no limit"
        )
        http.maximumConnectionsPerAddress = perAddress == 0 ? nil : perAddress
        http.maximumBodySize = reader.integer(
            "http.maximumBodySize", 16384, in: 256...1_048_576,
            "Largest body of a request in bytes; larger ones get 413. Raise it for a provider whose ID tokens are long")
        http.maximumBufferSize = reader.integer(
            "http.maximumBufferSize", 33_554_432, in: 1_048_576...1_073_741_824,
            "Bytes that all connections together may hold for slow clients; beyond that the slowest are cut off. Lower it if memory is short"
        )
        http.isBehindTLSProxy =
            reader.choice(
                "http.proxy", Proxy.none,
                "tls: a proxy in front terminates TLS, so requests for https URLs are served; otherwise they get 421")
            == .tls
        let wait: ClosedRange<Duration> = .milliseconds(100) ... .seconds(3600)
        http.headDeadline = reader.duration(
            "http.headDeadline", .seconds(10), in: wait,
            "How long a new connection may stay silent (then it is closed) and the head of a request may take (then 408); shorter against clients that stall"
        )
        // Who stalls before the first byte stalls as well as who does so after it.
        http.firstByteDeadline = http.headDeadline
        http.bodyDeadline = reader.duration(
            "http.bodyDeadline", .seconds(30), in: wait,
            "How long the body of a request may take (then 408); longer for players with slow networks")
        // A request waits for statements, each at most database.statementTimeout, which is shorter. This limit is for
        // handlers that run several, and for faults of ours.
        http.handlerDeadline = .seconds(60)
        http.keepAliveDeadline = reader.duration(
            "http.keepAliveDeadline", .seconds(75), in: .milliseconds(100) ... .seconds(86400),
            "How long a connection may be idle; set it longer than the proxy in front keeps idle connections")
        http.writeDeadline = reader.duration(
            "http.writeDeadline", .seconds(20), in: wait,
            "How long a client may accept no byte of its answer (then it is cut off); longer for players with slow networks"
        )
        http.shutdownDeadline = reader.duration(
            "http.shutdownDeadline", .seconds(30), in: .zero ... .seconds(3600),
            "How long requests under way may take when the service is stopped; shorter where your host kills it sooner")
        return http
    }

    private static func admin(_ reader: inout SettingsReader) -> HTTPServerConfiguration? {
        let host = reader.text(
            "admin.host", "127.0.0.1", expecting: "an address or a name",
            "Address for metrics and health, which need no key, and for the admin page; set another to reach them from other machines",
            rule: Self.host)
        let port = reader.integer(
            "admin.port", 9090, in: 0...65535,
            "Port for metrics, health and the admin page; a second service on the machine needs another one; 0: off")
        let listeners = reader.listeners("admin.socket", "Unix socket for metrics, health and the admin page instead")
        guard port > 0 || !listeners.isEmpty else { return nil }
        var admin = HTTPServerConfiguration(host: host, port: UInt16(port))
        admin.listeners = listeners
        admin.maximumConnections = 64
        return admin
    }

    private static func adminNames(_ reader: inout SettingsReader) -> [String] {
        reader.list(
            "admin.names", expecting: "names such as juliet or admin.example.com, separated by commas",
            "Names besides admin.host and localhost by which the admin port is reached: a proxy's, a container's; IP addresses need none"
        ) { $0.allSatisfy(HostNames.isName) ? $0 : nil }
    }

    /// A name or an address, without a port: one of IPv6 has several colons and no brackets.
    private static func host(_ text: String) -> String? {
        let isHost = text.wholeMatch(of: #/[^\s:\/\[\]]+|[0-9A-Fa-f.]*(:[0-9A-Fa-f.]*){2,}(%[^\s:\/\[\]]+)?/#) != nil
        return isHost ? text : nil
    }

    private enum Pooler: String, CaseIterable { case none, transaction }

    private static func database(_ reader: inout SettingsReader) -> PostgresConfiguration {
        let url = reader.secret(
            "database.url", expecting: "a postgres://… URL or keyword=value pairs, as libpq reads them",
            "Where the database is: postgres://… or keyword=value; empty: DATABASE_URL, then libpq's PG* variables"
        ) { text in
            PostgresConfiguration.fault(in: text) == nil ? text : nil
        } fault: { text in
            PostgresConfiguration.fault(in: text)
        }
        var database = PostgresConfiguration(connectionString: url)
        database.applicationName = "juliet"
        let password = reader.secret(
            "database.password", expecting: "text",
            "The password, instead of one in database.url; PGPASSWORD_FILE may name a file that has it"
        ) { $0 }
        if let password, !password.isEmpty { database.parameters["password"] = password }
        database.connectionsPerLoop = reader.integer(
            "database.connectionsPerLoop", 1, in: 1...64,
            "Connections per event loop for batches, at most; more where commits take long")
        database.readConnectionsPerLoop = reader.integer(
            "database.readConnectionsPerLoop", 2, in: 0...64,
            "Connections per event loop set apart for reads, at most; 0 where the database takes few connections")
        database.statementTimeout = reader.duration(
            "database.statementTimeout", .seconds(10), in: .milliseconds(10) ... .seconds(30),
            "How long a statement may take, waiting included (then 503); keep it shorter than the proxy in front waits")
        let maximumWait = reader.duration(
            "database.maximumWait", .seconds(1), in: .zero...database.queueTimeout,
            "A statement that would wait longer for its turn gets 503 at once; longer if your players would rather wait; 0ms: 503 after 5 s"
        )
        database.expectedWaitLimit = maximumWait == .zero ? nil : maximumWait
        let pooler = reader.choice(
            "database.pooler", Pooler.none, "transaction: the service connects through a PgBouncer in transaction mode")
        database.route = pooler == .transaction ? .transactionPooler : .direct
        return database
    }

    private static func workers(_ reader: inout SettingsReader) -> [PostgresServer] {
        let texts = reader.list(
            "database.workers", expecting: "names of servers, with a port if it is not 5432: worker1,worker2:5433",
            "With Citus: the workers, which the service asks at its start if the coordinator is down"
        ) { texts in texts.allSatisfy { server($0) != nil } ? texts : nil }
        return texts.compactMap { server($0) }
    }

    private static func server(_ text: String) -> PostgresServer? {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let host = host(parts[0]) else { return nil }
        guard parts.count == 2 else { return PostgresServer(host: host, port: 5432) }
        return Int(parts[1]).flatMap { (1...65535).contains($0) ? PostgresServer(host: host, port: $0) : nil }
    }

    /// The settings of the game; the rules among them go to `rules`.
    private static func game(_ reader: inout SettingsReader, _ rules: inout GameRules) -> GameSettings {
        var game = GameSettings()
        rules.startingEnergy = reader.integer(
            "energy.start", rules.startingEnergy, in: 0...1_000_000,
            "The energy that a new player gets; raise it for more games at the start")
        rules.gamePrice = reader.integer(
            "energy.price", rules.gamePrice, in: 0...1_000_000,
            "The energy that a game costs; 0 for a family or a class that plays for free")
        rules.clientUpdates = reader.choice(
            "energy.clientUpdates", rules.clientUpdates,
            "What to do with the energy that a client reports; set refuse once no app counts energy itself")
        rules.maximumReportedEnergy = reader.integer(
            "energy.maximum", rules.maximumReportedEnergy, in: 0...1_000_000_000,
            "The highest balance that a client can report; lower it against clients that lie")
        rules.refillAmount = reader.integer(
            "energy.refillAmount", rules.refillAmount, in: 0...1_000_000,
            "The energy that comes back to players of /v2 each time; 0 if they should buy it instead")
        rules.refillEvery = reader.seconds(
            "energy.refillEvery", rules.refillEvery, atMost: 31_536_000,
            "How long it takes until energy comes back, shorter for players who play more; 0s: none comes back")
        rules.refillUpTo = reader.integer(
            "energy.refillUpTo", rules.refillUpTo, in: 0...1_000_000,
            "The balance up to which energy comes back, higher for players who come once a day; 0: none comes back")
        rules.dailyReward = reader.integer(
            "energy.dailyReward", rules.dailyReward, in: 0...1_000_000,
            "The energy that a player gets for ending the word of the day on its day; raise it to have players come daily; 0: none"
        )
        game.unknownUsers = reader.choice(
            "users.unknown", game.unknownUsers,
            "What to do with a request of an unknown user; set register for a cut-over")
        rules.claims = reader.choice(
            "players.claims", rules.claims,
            "Whether a player of the published app may become one of /v2, once; set allow when your new client is out")
        rules.claimedApp = reader.choice(
            "players.claimedApp", rules.claimedApp,
            "What to do with requests of the published app for a player who became one of /v2; set accept while devices still have both"
        )
        game.daysGoneBy = reader.choice(
            "play.daysGoneBy", game.daysGoneBy,
            "Whether the words of past days can be played; off if a day should count only on its day (games that were begun can be finished)"
        )
        game.challenges = reader.choice(
            "play.challenges", game.challenges,
            "Whether there are challenges; off if players should not meet (games that were begun can be finished)")
        game.anyWords = reader.choice(
            "play.anyWords", game.anyWords,
            "Whether challenges can be of words that are in no list; off if players should only choose words of the lists"
        )
        game.leagues = reader.choice(
            "play.leagues", game.leagues,
            "Whether there are leagues; off if players should not meet (existing ones are kept, but not shown)")
        rules.language = reader.text(
            "game.language", rules.language, expecting: "a code of two or three lower-case letters",
            "The language of the words to deal: en, de, or one whose words you have imported"
        ) { $0.wholeMatch(of: #/[a-z]{2,3}/#) == nil ? nil : $0 }
        rules.wordLength = reader.integer(
            "game.wordLength", rules.wordLength, in: WordSpelling.lengths,
            "The number of letters of the words to deal, if you have imported words of another length")
        rules.timeZone = reader.text(
            "game.timeZone", rules.timeZone,
            expecting: "UTC, or a name of the time zone database such as Europe/Berlin",
            "The time zone whose midnight ends the day: UTC, or a name such as Europe/Berlin; a change takes effect on the third day after it"
        ) {
            $0.wholeMatch(of: #/UTC|[A-Za-z0-9_+\-]+(/[A-Za-z0-9_+\-]+)+/#) == nil || $0.hasPrefix("posix/") ? nil : $0
        }
        return game
    }

    private static func log(_ reader: inout SettingsReader) -> LogSettings {
        var log = LogSettings()
        log.format = reader.choice(
            "log.format", log.format,
            "How log lines look; text is easier to read in the journal; auto: text on a terminal, JSON elsewhere")
        log.level = reader.choice(
            "log.level", log.level,
            "The lowest level that is logged; debug to look for a fault. SIGUSR1 logs one level more, SIGUSR2 one less")
        log.requests = reader.choice(
            "log.requests", log.requests, "The level of the line for each request; info to keep a record of all")
        log.slowStatement = reader.duration(
            "log.slowStatement", log.slowStatement, in: .zero ... .seconds(600),
            "Statements that take longer, waiting included, are logged; lower it to look for what is slow; 0ms: none"
        )
        log.salt = reader.secret(
            "log.salt", expecting: "text",
            "Salt for the digests of players in the log; set the same salt for services whose logs you read together; none: a random salt"
        ) { $0 }
        if log.salt?.isEmpty == true { log.salt = nil }
        return log
    }

    private enum Truth: String, CaseIterable { case `true`, `false` }

    private static func web(_ reader: inout SettingsReader) -> WebSettings {
        var web = WebSettings()
        web.isEnabled =
            reader.choice(
                "web.enabled", Truth.true,
                "Whether the page is served at /; false where you have only clients of your own") == .true
        web.title = reader.text(
            "web.title", web.title, expecting: "1 to 60 printable characters",
            "The name of this service that players see; set your own"
        ) { text in
            let isPrintable = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7f...0x9f).contains($0.value) }
            return isPrintable && (1...60).contains(text.count) && !text.allSatisfy(\.isWhitespace) ? text : nil
        }
        web.allowedOrigins = reader.list(
            "web.allowedOrigins", expecting: "origins such as https://example.com, separated by commas, or *",
            "Origins whose pages may use /v2 in a browser; *: all; none: only the service's own page",
            rule: WebSettings.origins)
        web.leaderboards = reader.choice(
            "web.leaderboards", web.leaderboards,
            "Who may read the leaderboards: everybody, or only players with a token, if names are not for strangers")
        for (key, link, summary) in [
            (
                "web.imprint", \WebSettings.imprint,
                "The address of your imprint, where the law asks for one; the page links to it"
            ),
            (
                "web.privacy", \WebSettings.privacy,
                "The address of your privacy policy, where the law asks for one; the page links to it"
            ),
        ] {
            web[keyPath: link] = reader.text(
                key, "", expecting: "an address such as https://example.com/imprint, or a path such as /imprint",
                summary,
                rule: WebSettings.link)
        }
        return web
    }

    private static func limits(_ reader: inout SettingsReader) -> LimitSettings {
        var limits = LimitSettings()
        func ranges(_ key: String, _ summary: String, default defaultValue: [String] = []) -> [AddressRange] {
            let texts = reader.list(
                key, defaultValue,
                expecting: "addresses or networks such as 192.0.2.0/24, separated by commas, or private", summary
            ) { AddressRange.list($0) == nil ? nil : $0 }
            return AddressRange.list(texts) ?? []
        }
        limits.trustedProxies = ranges(
            "http.trustedProxies",
            "Proxies in front, whose X-Forwarded-For and Forwarded are believed; none: the headers are ignored")
        limits.requestsPerAddress = reader.integer(
            "limits.requestsPerAddress", limits.requestsPerAddress, in: 0...1_000_000_000,
            "Requests a minute from one client address, against floods; 0: no limit (behind a proxy that is not trusted all clients share one)"
        )
        limits.registrationsPerAddress = reader.integer(
            "limits.registrationsPerAddress", limits.registrationsPerAddress, in: 0...1_000_000_000,
            "New players and sign-ins an hour from one client address; 0: no limit")
        limits.requestsPerPlayer = reader.integer(
            "limits.requestsPerPlayer", limits.requestsPerPlayer, in: 0...1_000_000_000,
            "Requests a minute of one player; lower it against programs that play; 0: no limit")
        limits.exempt = ranges(
            "limits.exempt",
            "Addresses to which the limits above, and http.maximumConnectionsPerAddress, do not apply, such as a school's; the limits on wrong codes and passkeys always apply; private: this machine and private networks",
            default: ["private"])
        return limits
    }

    /// One slash before each part and none at the end: "prod", "/prod/" and "/prod" are the same.
    private static func basePath(_ text: String) -> String? {
        let parts = text.split(separator: "/")
        let areNames = parts.allSatisfy { part in
            part != "." && part != ".." && part.wholeMatch(of: #/[A-Za-z0-9\-._~]+/#) != nil
        }
        return areNames ? parts.map { "/\($0)" }.joined() : nil
    }
}
