import Foundation
import JulietAPI
import TestSupport
import Testing

#if os(Linux)  // The peer uses epoll.
    /// `Benchmarks/peer.c`, which the benchmark compares the service with: a server that is fast and wrong would not count.
    @Suite("The benchmark's peer", .defaultLayout("the peer knows one server"))
    struct BenchmarkPeerTests {
        /// What the loads ask, for one player.
        private static func game(of player: String, word: String) -> [GameRequest] {
            [
                .fetchUserWins(userID: player), .singleGameEnergyUpdate(userID: player),
                .handleEnergyPurchase(userID: player, energyPurchaseAmount: 5), .statNewGameSession(userID: player),
                .updateUserPlayedWordsList(userID: player, playedWord: word), .updateUserWins(userID: player),
                .fetchUserWins(userID: player),
            ]
        }

        /// Sends requests at the same moment, each on a connection of its own.
        ///
        /// - Returns: The bodies of the answers in their order. A word that was drawn is "a word" there.
        private static func answers(to requests: [GameRequest], at port: UInt16) async throws -> [String] {
            try await offPool {
                let connections = try requests.map { _ in try ClientConnection(port: port) }
                for (connection, request) in zip(connections, requests) {
                    try connection.send(TestService.post(request.encoded(), to: request.type.endpoint.path))
                }
                return try connections.map {
                    try $0.receive().text.replacing(/"secretWord":\["[A-Z]"(,"[A-Z]"){4}\]/, with: "a word")
                }
            }
        }

        /// Starts the peer and calls a closure with its port, once it listens.
        private static func withPeer(
            _ program: String, _ mode: String, _ options: [String], on database: TestDatabase,
            _ body: (UInt16) async throws -> Void
        ) async throws {
            let port = try Command.freePort()
            let notes = try OutputFile()
            let variables = [
                "PGHOST": database.cluster.directory, "PGPORT": "\(database.cluster.port)", "PGUSER": "postgres",
                "PGDATABASE": database.name,
            ]
            let peer = try ChildProcess(
                [program, mode, "\(port)", "3"] + options,
                environment: ProcessInfo.processInfo.environment.merging(variables) { $1 }, errors: notes.stream)
            do {
                let deadline = ContinuousClock.now + .seconds(30)
                while (try? ClientConnection(port: UInt16(port))) == nil {
                    try #require(peer.isRunning && ContinuousClock.now < deadline, "\(notes.text)")
                    try await Task.sleep(for: .milliseconds(10))
                }
                try await body(UInt16(port))
            } catch {
                peer.signal(SIGKILL)
                await peer.end()
                throw error
            }
            peer.signal(SIGTERM)
            let end = await peer.end()
            #expect(end == .signal(SIGTERM), "\(notes.text)")
        }

        @Test(
            "is built with a C compiler and libpq, and answers the loads' requests as the service does, in each of its modes"
        )
        func answers() async throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "juliet-peer-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let (sources, program) = (TestDatabase.root.appending(path: "Benchmarks").path, "\(folder.path)/peer")
            try await Command.run([
                "/bin/sh", "-c", "cc -O2 -o \"$0\" \"$1\" $(pkg-config --cflags --libs libpq)", program,
                "\(sources)/peer.c",
            ])
            let database = try await TestDatabase.create()
            let word = try #require(database.secrets.min())
            let player = TestService.newUser()
            let service = try await TestService.start(on: database)
            _ = try await service.answer(to: .initialRegistration(vendorID: player))
            try await database.psql(try String(contentsOfFile: "\(sources)/peer.sql", encoding: .utf8))
            // Both begin with the same player, and are asked the same.
            let modes: [(String, [String])] = [("single", []), ("single", ["--ledger"]), ("batch", [])]
            for (mode, options) in modes {
                try await Self.withPeer(program, mode, options, on: database) { port in
                    for request in Self.game(of: player, word: word) {
                        let expected = try await Self.answers(to: [request], at: service.port)
                        let found = try await Self.answers(to: [request], at: port)
                        #expect(found == expected, "\(mode) \(options)")
                    }
                    // More than there are connections with the database: some wait, and some are a batch.
                    let wins = [GameRequest](repeating: .updateUserWins(userID: player), count: 20)
                    let expected = try await Self.answers(to: wins, at: service.port).sorted()
                    #expect(Set(expected).count == 20)
                    #expect(try await Self.answers(to: wins, at: port).sorted() == expected, "\(mode) \(options)")
                }
            }
            try await service.stop()
            let rows = try await database.psql("SELECT energy, wins FROM users")
            #expect(rows == "15|63")
            #expect(try await database.psql("SELECT energy, wins FROM peer.users") == rows)
            #expect(try await database.psql("SELECT count(*), sum(delta), max(entry) FROM peer.ledger") == "3|-5|3")
            #expect(try await database.psql("SELECT count(*) FROM peer.purchases") == "2")
            let played = "SELECT word FROM peer.played_words JOIN peer.words ON words.id = word_id"
            #expect(try await database.psql(played) == word)
        }
    }
#endif
