import EventLoop
import Foundation
import JulietAPI
import JulietGame
import JulietSchema
import JulietServer
import Migrations
import Postgres
import TestSupport
import Testing

/// A release is replaced while it is played with.
@Suite("Upgrades", .everyLayout)
struct UpgradeTests {
    /// A migration newer than this release.
    private func newer(backwardCompatible: Bool) throws -> Migration {
        let mark = backwardCompatible ? "-- migrate:backward-compatible\n" : ""
        let text = mark + "-- migrate:up\nALTER TABLE juliet.users ADD COLUMN nickname text;\n"
        return try Migration(fileName: "9000_add_nickname.sql", contents: Array(text.utf8))
    }

    private func apply(_ migration: Migration, to database: TestDatabase) async throws {
        try await withRunner(of: "9000.0.0", for: database) { runner in
            _ = try await runner.up(Schema.migrations + [migration])
        }
    }

    @Test("a service starts on a newer schema whose migrations promise to leave it working, and on no other")
    func newerSchema() async throws {
        let compatible = try await TestDatabase.create()
        try await apply(try newer(backwardCompatible: true), to: compatible)
        let service = try await TestService.start(on: compatible)
        #expect(try await service.reply(to: .initialRegistration(vendorID: TestService.newUser())).status == 200)
        try await service.stop()

        let breaking = try await TestDatabase.create()
        try await apply(try newer(backwardCompatible: false), to: breaking)
        let error = await #expect(throws: StartupError.self) { try await TestService.start(on: breaking) }
        #expect(
            error?.description
                == "the database's schema is newer than this release (9000): install the release that brought it")
    }

    @Test("a service without its schema says what to run")
    func missingSchema() async throws {
        let database = try await TestDatabase.create()
        try await database.psql("DELETE FROM schema_migrations WHERE version >= \(Schema.version)")
        let left = try await database.psql("SELECT max(version) FROM schema_migrations")
        var error = await #expect(throws: StartupError.self) { try await TestService.start(on: database) }
        #expect(
            error?.description
                == "the database's schema is at \(left), this release needs a newer one: run juliet migrate up"
        )
        try await database.psql("DROP TABLE schema_migrations")
        error = await #expect(throws: StartupError.self) { try await TestService.start(on: database) }
        #expect(error?.description == "the database has no schema yet: run juliet migrate up")
    }

    /// The code of a release to come: `add_win` has another body, `pay_for_game` takes a price's name more, and its former
    /// self is in no file.
    private func nextCode() throws -> SchemaCode {
        try SchemaCode(
            files: SchemaFiles.code.map { file in
                var text = String(decoding: file.contents, as: UTF8.self)
                text = text.replacing("wins = wins + 1", with: "wins = 1 + wins")
                text = text.replacing(
                    "pay_for_game(\n    player text, operation text, request bigint, account text DEFAULT NULL\n)",
                    with: "pay_for_game(\n    player text, operation text, request bigint, account text, what text\n)")
                text = text.replacing(
                    "pay_for_game(text, text, bigint, text)", with: "pay_for_game(text, text, bigint, text, text)")
                return (file.name, Array(text.utf8))
            })
    }

    private func install(_ code: SchemaCode, as release: String, in database: TestDatabase) async throws {
        try await withRunner(of: release, for: database) { runner in
            _ = try await runner.up(Schema.migrations, code: code)
        }
    }

    private func withRunner(
        of release: String, for database: TestDatabase, _ body: (MigrationRunner) async throws -> Void
    ) async throws {
        let loop = try EventLoop(label: "upgrade")
        defer { loop.shutdown() }
        let configuration = PostgresConfiguration(
            connectionString: database.cluster.connectionString(database: database.name))
        try await body(
            MigrationRunner(
                connect: { () async throws(PostgresError) in
                    try await PostgresConnection.connect(configuration, on: loop)
                }, options: Schema.runnerOptions(release: release)))
    }

    @Test(
        "the next release's functions are installed under load: both releases play, the former one restarts, then it is pruned"
    )
    func rollingCode() async throws {
        let database = try await TestDatabase.create()
        let old = try await TestService.start(on: database)
        let current = Locked(old.port)
        let isOver = Locked(false)
        async let played = withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await offPool { try play(on: { current.withLock { $0 } }, until: { isOver.withLock { $0 } }) }
                }
            }
            return try await group.reduce(0, +)
        }
        // Also where this fails: the players would go on for ever.
        defer { isOver.withLock { $0 = true } }
        try await Task.sleep(for: .milliseconds(200))
        try await install(try nextCode(), as: "2.0.0", in: database)
        // A proxy keeps sending to the release before: what it told before holds for a second.
        try await Task.sleep(for: .milliseconds(1100))
        #expect(try await old.waitUntilReady(is: 200) < .seconds(60))
        // The release before starts again on the new functions, and never brings its own back.
        let again = try await TestService.start(on: database)
        current.withLock { $0 = again.port }
        try await old.stop()
        try await install(Schema.code, as: Release.version, in: database)
        isOver.withLock { $0 = true }
        let wins = try await played
        #expect(wins > 100)
        #expect(try await database.psql("SELECT sum(wins) FROM users") == "\(wins)")

        // Both signatures do what they say, each for its release.
        let user = TestService.newUser()
        #expect(try await again.answer(to: .initialRegistration(vendorID: user)).httpStatus == 200)
        #expect(try await again.answer(to: .singleGameEnergyUpdate(userID: user)).userEnergy == 25)
        #expect(
            try await database.psql("SELECT energy FROM pay_for_game('\(user)', NULL, NULL, NULL, 'game')") == "20")
        #expect(
            try await database.psql("SELECT prosrc LIKE '%1 + wins%' FROM pg_proc WHERE proname = 'add_win'") == "t")

        // While the release before runs nothing is dropped.
        var others: [RunningServices.Service] = []
        try await withRunner(of: "2.0.0", for: database) { runner in
            await #expect(throws: CancellationError.self) {
                try await runner.prune(try nextCode()) { connection in
                    others = try await RunningServices.list(on: connection)
                    if !others.isEmpty { throw CancellationError() }
                }
            }
        }
        #expect(others.contains { $0.release == Release.version && $0.codeChecksum == Schema.codeChecksum })
        #expect(try await again.answer(to: .singleGameEnergyUpdate(userID: user)).userEnergy == 15)
        try await again.stop()
        try await withRunner(of: "2.0.0", for: database) { runner in
            let dropped = try await runner.prune(try nextCode()) { _ in }
            #expect(dropped.map(\.object) == ["function pay_for_game(text, text, bigint, text)"])
        }
        #expect(
            try await database.psql(
                "SELECT string_agg(pronargs::text, ' ') FROM pg_proc WHERE proname = 'pay_for_game'")
                == "5")
    }

    @Test("while games are played: the schema is migrated, the service replaced, and no request is lost")
    func rolling() async throws {
        let database = try await TestDatabase.create()
        let old = try await TestService.start(on: database)
        let current = Locked(old.port)
        let isOver = Locked(false)

        async let played = withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await offPool { try play(on: { current.withLock { $0 } }, until: { isOver.withLock { $0 } }) }
                }
            }
            return try await group.reduce(0, +)
        }
        // Also where this fails: the players would go on for ever.
        defer { isOver.withLock { $0 = true } }
        try await Task.sleep(for: .milliseconds(200))
        try await apply(try newer(backwardCompatible: true), to: database)
        try await Task.sleep(for: .milliseconds(1100))
        #expect(try await old.waitUntilReady(is: 200) < .seconds(60))
        let new = try await TestService.start(on: database)
        // What a balancer does as soon as the new one is ready and the old one is to go.
        current.withLock { $0 = new.port }
        try await old.stop()
        try await Task.sleep(for: .milliseconds(200))
        isOver.withLock { $0 = true }

        let wins = try await played
        #expect(wins > 100)
        #expect(try await database.psql("SELECT sum(wins) FROM users") == "\(wins)")
        try await new.stop()
    }
}

/// Counts wins of one player over connections that are kept, and moves on to another port when it changes.
///
/// - Returns: How many were answered, each with one more than the one before.
private func play(on port: () -> UInt16, until isOver: () -> Bool) throws -> Int {
    let user = TestService.newUser()
    var target = port()
    var connection = try ClientConnection(port: target)
    func ask(_ request: GameRequest) throws -> HTTPReply {
        if port() != target {
            target = port()
            connection = try ClientConnection(port: target)
        }
        try connection.send(TestService.post(request.encoded(), to: request.type.endpoint.path))
        let reply = try connection.receive()
        if reply["Connection"] == "close" { connection = try ClientConnection(port: port()) }
        return reply
    }
    guard try ask(.initialRegistration(vendorID: user)).status == 200 else {
        throw ClientConnection.Failure(description: "registration was refused")
    }
    var wins = 0
    while !isOver() {
        let answer = try ask(.updateUserWins(userID: user)).answer(to: .updateUserWins)
        wins += 1
        guard answer.httpStatus == 200, answer.userWins == wins else {
            throw ClientConnection.Failure(description: "win \(wins) was answered \(answer)")
        }
    }
    return wins
}
