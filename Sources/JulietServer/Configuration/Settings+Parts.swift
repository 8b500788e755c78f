package import HTTPServer
package import JulietGame
package import Logging
package import Postgres

extension Settings {
    /// What the HTTP server is to do.
    package var httpServer: HTTPServerConfiguration {
        var configuration = HTTPServerConfiguration(host: text("http.host"), port: UInt16(integer("http.port")))
        configuration.maximumConnections = integer("http.maximumConnections")
        let perAddress = integer("http.maximumConnectionsPerAddress")
        configuration.maximumConnectionsPerAddress = perAddress == 0 ? nil : perAddress
        configuration.maximumBodySize = integer("http.maximumBodySize")
        configuration.isBehindTLSProxy = text("http.proxy") == "tls"
        configuration.firstByteDeadline = duration("http.firstByteDeadline")
        configuration.headDeadline = duration("http.headDeadline")
        configuration.bodyDeadline = duration("http.bodyDeadline")
        configuration.keepAliveDeadline = duration("http.keepAliveDeadline")
        configuration.writeDeadline = duration("http.writeDeadline")
        configuration.shutdownDeadline = duration("http.shutdownDeadline")
        return configuration
    }

    /// Where the database is and how to use it.
    package var database: PostgresConfiguration {
        var configuration = PostgresConfiguration(connectionString: text("database.url"))
        configuration.applicationName = "juliet"
        if !text("database.password").isEmpty { configuration.parameters["password"] = text("database.password") }
        configuration.connectionsPerLoop = integer("database.connectionsPerLoop")
        configuration.readConnectionsPerLoop = integer("database.readConnectionsPerLoop")
        configuration.batchSize = integer("database.batchSize")
        // A session keeps its plans, and one made while a table was new and empty would read the whole table for every
        // statement until the next ANALYZE.
        configuration.sessionSettings["enable_seqscan"] = "off"
        // The tasks that answer requests are never cancelled: a request that has come is answered.
        configuration.followsCancellation = false
        configuration.statementTimeout = duration("database.statementTimeout")
        configuration.route = text("database.pooler") == "transaction" ? .transactionPooler : .direct
        return configuration
    }

    /// The rules of the game.
    package var rules: GameRules {
        var rules = GameRules()
        rules.clientUpdates = GameRules.ClientUpdates(rawValue: text("energy.clientUpdates")) ?? .refuse
        rules.maximumReportedEnergy = integer("energy.maximum")
        rules.unknownUsers = GameRules.UnknownUsers(rawValue: text("users.unknown")) ?? .refuse
        rules.language = text("game.language")
        rules.wordLength = integer("game.wordLength")
        return rules
    }

    /// The least that is logged.
    package var logLevel: Logger.Level { Logger.Level(rawValue: text("log.level")) ?? .info }
}
