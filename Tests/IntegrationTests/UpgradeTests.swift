import EventLoop
import Foundation
import JulietAPI
import JulietGame
import JulietServer
import Migrations
import Postgres
import TestSupport
import Testing

/// A release is replaced while it is played with.
@Suite("Upgrades")
struct UpgradeTests {
    /// A migration newer than this release.
    private func newer(backwardCompatible: Bool) throws -> Migration {
        let mark = backwardCompatible ? "-- migrate:backward-compatible\n" : ""
        let text = mark + "-- migrate:up\nALTER TABLE users ADD COLUMN nickname text;\n"
        return try Migration(fileName: "9000_add_nickname.sql", contents: Array(text.utf8))
    }

    private func apply(_ migration: Migration, to database: TestDatabase) async throws {
        let loop = try EventLoop(label: "upgrade")
        defer { loop.shutdown() }
        let configuration = PostgresConfiguration(
            connectionString: database.cluster.connectionString(database: database.name))
        let runner = MigrationRunner(connect: { () async throws(PostgresError) in
            try await PostgresConnection.connect(configuration, on: loop)
        })
        _ = try await runner.up(try MigrationFolder.load(path: TestDatabase.migrations) + [migration])
    }

    @Test("this release is written for the newest migration there is")
    func version() throws {
        #expect(try MigrationFolder.load(path: TestDatabase.migrations).last?.version == Schema.version)
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
        try await Task.sleep(for: .milliseconds(200))
        try await apply(try newer(backwardCompatible: true), to: database)
        try await Task.sleep(for: .milliseconds(200))
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
