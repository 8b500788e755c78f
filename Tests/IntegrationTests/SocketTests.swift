import Foundation
import TestSupport
import Testing

@Suite("On a socket", .defaultLayout("about the service, not the database"), .timeLimit(.minutes(2)))
struct SocketTests {
    /// Calls a closure with a folder whose path is short.
    private func inFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "s-\(UUID().uuidString.prefix(8))").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    /// What is served at a path, and its status on a line of its own.
    private func curl(_ path: String, _ socket: String) async throws -> String {
        try await Command.run([
            "curl", "--silent", "--show-error", "--retry", "50", "--retry-delay", "0", "--retry-max-time", "30",
            "--retry-all-errors", "--unix-socket", socket, "--write-out", "\n%{http_code}", "http://localhost\(path)",
        ])
    }

    @Test("the game and the admin address are served on Unix sockets, which go with the service")
    func unix() async throws {
        let database = try await TestDatabase.shared()
        try await inFolder { folder in
            let (game, admin) = ("\(folder)/game.sock", "\(folder)/admin.sock")
            let service = try ServiceProcess(
                database: database, environment: ["JULIET_ADMIN_SOCKET": admin], socket: game)
            defer { service.stop() }
            try await service.waitUntil(itSays: "listening on")
            #expect(service.notes.contains("listening on unix:\(game)"))
            #expect(try await curl("/ready", game).hasSuffix("\n200"))
            #expect(try await curl("/", game).contains("<html"))
            #expect(try await curl("/metrics", admin).contains("juliet_"))
            // A second one does not take the socket away.
            let second = try ServiceProcess(database: database, socket: game)
            #expect(try await second.status() == 1)
            #expect(second.notes.contains("cannot listen on unix:\(game): another process listens on \(game)"))
            #expect(try await curl("/ready", game).hasSuffix("\n200"))
            service.signal(SIGTERM)
            #expect(try await service.status() == 0)
            for path in [game, admin] { #expect(!FileManager.default.fileExists(atPath: path)) }
        }
    }

    #if os(Linux)
        @Test("systemd's sockets are served, each under its name, and stay when the service ends")
        func activated() async throws {
            let database = try await TestDatabase.shared()
            try await inFolder { folder in
                let (game, admin) = ("\(folder)/game.sock", "\(folder)/admin.sock")
                let service = try ServiceProcess(
                    database: database,
                    prefix: [
                        "systemd-socket-activate", "--listen=\(game)", "--listen=\(admin)", "--fdname=game:admin",
                        "--setenv=JULIET_ADMIN_SOCKET=systemd:admin",
                    ], socket: "systemd:game")
                defer { service.stop() }
                try await service.waitUntil(itSays: "Listening on")
                // The first request starts it, and waits until it is there.
                #expect(try await curl("/ready", game).hasSuffix("\n200"))
                try await service.waitUntil(itSays: "listening on inherited:game")
                #expect(service.notes.contains("listening on inherited:game"))
                #expect(try await curl("/metrics", admin).contains("juliet_"))
                service.signal(SIGTERM)
                #expect(try await service.status() == 0)
                #expect(FileManager.default.fileExists(atPath: game))
            }
        }
    #endif
}
