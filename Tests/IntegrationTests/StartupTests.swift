import JulietAPI
import JulietServer
import TestSupport
import Testing

/// A service that could not keep its promises does not start, and says why; one that cannot keep them any more is not
/// ready.
@Suite("Startup")
struct StartupTests {
    /// What a service says that does not start on a database.
    private func refusal(on database: TestDatabase) async throws -> StartupError? {
        await #expect(throws: StartupError.self) { try await TestService.start(on: database) }
    }

    @Test("a restore that left out keys, a function that is missing or altered: each is named")
    func faults() async throws {
        let database = try await TestDatabase.create()
        // What breaks it, what is said of it, and what mends it.
        let harms: [(String, String, String)] = [
            (
                "ALTER TABLE users DROP CONSTRAINT users_pkey", "the key users_pkey is missing",
                "ALTER TABLE users ADD CONSTRAINT users_pkey PRIMARY KEY (id)"
            ),
            (
                "ALTER TABLE energy_ledger DROP CONSTRAINT energy_ledger_pkey", "the key energy_ledger_pkey is missing",
                "ALTER TABLE energy_ledger ADD CONSTRAINT energy_ledger_pkey PRIMARY KEY (user_id, operation_id)"
            ),
            (
                "ALTER FUNCTION add_win(text, text, bigint) RENAME TO add_no_win", "the function add_win is missing",
                "ALTER FUNCTION add_no_win(text, text, bigint) RENAME TO add_win"
            ),
            (
                "ALTER FUNCTION buy_energy(text, integer, text, bigint) SECURITY INVOKER",
                "the function buy_energy is altered",
                "ALTER FUNCTION buy_energy(text, integer, text, bigint) SECURITY DEFINER"
            ),
            (
                "ALTER TABLE energy_ledger ENABLE ROW LEVEL SECURITY", "row security hides rows of energy_ledger",
                "ALTER TABLE energy_ledger DISABLE ROW LEVEL SECURITY"
            ),
            (
                "CREATE RULE nothing AS ON INSERT TO energy_ledger DO INSTEAD NOTHING",
                "the rule nothing on energy_ledger is none of ours", "DROP RULE nothing ON energy_ledger"
            ),
        ]
        for (harm, fault, remedy) in harms {
            try await database.psql(harm)
            let error = try await refusal(on: database)
            guard case .schemaFaults(let faults) = error else {
                Issue.record("\(harm): \(String(describing: error))")
                return
            }
            #expect(faults == [fault])
            #expect(
                error?.description
                    == "the database's schema is not whole: \(fault): restore the database completely, or ask juliet energy audit"
            )
            try await database.psql(remedy)
        }
        try await TestService.start(on: database).stop()

        // A restore without what comes after the data.
        try await database.psql(
            """
            ALTER TABLE users DROP CONSTRAINT users_pkey; ALTER TABLE energy_ledger DROP CONSTRAINT energy_ledger_pkey;
            ALTER TABLE played_words DROP CONSTRAINT played_words_pkey
            """)
        let error = try await refusal(on: database)
        for key in ["users_pkey", "energy_ledger_pkey", "played_words_pkey"] {
            #expect(error?.description.contains("the key \(key) is missing") == true)
        }
    }

    @Test("a role that may do more than play: each right is named")
    func rights() async throws {
        let database = try await TestDatabase.create()
        let rights = [
            ("CREATE ON SCHEMA public", "player_service may CREATE in schema public"),
            ("TEMP ON DATABASE \(database.name)", "player_service may TEMP in database \(database.name)"),
            ("CREATE ON DATABASE \(database.name)", "player_service may CREATE in database \(database.name)"),
            ("SELECT (delta) ON energy_ledger", "player_service may SELECT energy_ledger.delta"),
            ("SELECT (energy) ON users", "player_service may SELECT users.energy"),
            ("UPDATE (wins) ON users", "player_service may UPDATE users"),
            ("INSERT ON energy_ledger", "player_service may INSERT energy_ledger"),
            ("TRUNCATE ON played_words", "player_service may TRUNCATE played_words"),
            (
                "EXECUTE ON FUNCTION change_energy(text, integer, energy_reason, text, text, bigint)",
                "player_service may EXECUTE change_energy"
            ),
        ]
        for (right, words) in rights {
            try await database.psql("GRANT \(right) TO player_service")
            let error = try await refusal(on: database)
            guard case .excessRights(let found) = error else {
                Issue.record("\(right): \(String(describing: error))")
                return
            }
            #expect(found == [words])
            #expect(error?.description.contains(words) == true)
            try await database.psql("REVOKE \(right) FROM player_service")
        }
        // A right that everybody has is the service's as well.
        try await database.psql("GRANT SELECT ON energy_ledger TO PUBLIC")
        guard case .excessRights(let found) = try await refusal(on: database) else {
            Issue.record("a right of everybody's was not seen")
            return
        }
        #expect(found.count > 5 && found.allSatisfy { $0.hasPrefix("player_service may SELECT energy_ledger.") })
        try await database.psql("REVOKE SELECT ON energy_ledger FROM PUBLIC")
        try await TestService.start(on: database).stop()
    }

    @Test("a superuser may start a service, and is warned")
    func superuser() async throws {
        let database = try await TestDatabase.create()
        let log = LogLines()
        let service = try await TestService.start(
            ["database.url": database.cluster.connectionString(database: database.name)], on: database,
            logger: log.logger)
        let warning = "warning: the service is connected as the owner of its tables"
        #expect(log.all.filter { $0.hasPrefix(warning) }.count == 1)
        #expect(
            try await service.answer(to: .initialRegistration(vendorID: TestService.newUser())).httpStatus == 200)
        try await service.stop()

        let quiet = LogLines()
        try await TestService.start(on: database, logger: quiet.logger).stop()
        #expect(!quiet.all.contains { $0.hasPrefix("warning: the service is connected as") })
    }

    @Test("/ready says no within two seconds of a guard's loss, and yes again when it is back")
    func readiness() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(on: database)
        #expect(try await service.readiness() == 200)
        let harms = [
            (
                "ALTER TABLE energy_ledger DROP CONSTRAINT energy_ledger_pkey",
                "ALTER TABLE energy_ledger ADD CONSTRAINT energy_ledger_pkey PRIMARY KEY (user_id, operation_id)"
            ),
            (
                "ALTER FUNCTION change_energy(text, integer, energy_reason, text, text, bigint) RENAME TO gone",
                "ALTER FUNCTION gone(text, integer, energy_reason, text, text, bigint) RENAME TO change_energy"
            ),
            (
                "ALTER TABLE users ENABLE ROW LEVEL SECURITY", "ALTER TABLE users DISABLE ROW LEVEL SECURITY"
            ),
        ]
        for (harm, remedy) in harms {
            try await database.psql(harm)
            #expect(try await service.waitUntilReady(is: 503) < .seconds(2), "\(harm)")
            try await database.psql(remedy)
            #expect(try await service.waitUntilReady(is: 200) < .seconds(2), "\(remedy)")
        }
        try await service.stop()
    }

    @Test("a thousand questions whether it is ready are one for the database")
    func readinessIsKept() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(on: database)
        #expect(try await service.readiness() == 200)
        // Nobody looks again before a second has passed.
        try await database.psql("ALTER TABLE users ENABLE ROW LEVEL SECURITY")
        let start = ContinuousClock.now
        let status = try await service.readiness()
        #expect(status == 200 || ContinuousClock.now - start > .milliseconds(500))
        #expect(try await service.waitUntilReady(is: 503) < .seconds(2))
        try await service.stop()
    }
}
