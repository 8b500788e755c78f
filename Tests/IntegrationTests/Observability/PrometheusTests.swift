import Foundation
import JulietAPI
import JulietServer
import TestSupport
import Testing

/// A real Prometheus reads the metrics of a running service.
@Suite("Prometheus", .defaultLayout("about the service, not the database"))
struct PrometheusTests {
    @Test("scrapes what was played, refused and failed; promtool, the dashboard and the alerts find what they ask for")
    func scrape() async throws {
        let database = try await TestDatabase.create()
        let admin = UInt16(try Command.freePort())
        let service = try await TestService.start(["admin.port": "\(admin)"], on: database)
        let prometheus = try await Prometheus.start(scraping: admin)
        try await play(service, on: database)

        // Rates take two readings.
        let games = #"sum(increase(juliet_games_started_total{job="juliet"}[5m])) >= 0"#
        try await prometheus.wait(for: games)
        // And one after the last that was played.
        try await prometheus.wait(for: #"juliet_games_ended_total{state="lost"} == 1"#)
        for (query, value) in [
            (
                #"juliet_http_requests_total{route="/Juliet_IAPManager",type="handleEnergyPurchase",status="200",code="200"}"#,
                "1"
            ),
            (
                #"juliet_http_requests_total{route="/Juliet_IAPManager",type="handleEnergyPurchase",status="200",code="404"}"#,
                "1"
            ),
            (#"juliet_http_requests_total{route="/Juliet_IAPManager",type="unknown",status="400",code="400"}"#, "2"),
            (
                #"juliet_http_requests_total{route="/Juliet_WordManager",type="fetchNewSecretWord",status="500",code="none"}"#,
                "1"
            ),
            (#"juliet_http_requests_total{route="/v2/games",type="POST",status="201",code="ok"}"#, "1"),
            (#"juliet_http_requests_total{route="/v2/games",type="POST",status="409",code="game-unfinished"}"#, "1"),
            (#"juliet_http_request_duration_seconds_count{route="/v2/games",type="POST"}"#, "2"),
            (#"juliet_http_refusals_total{reason="http.notFound"}"#, "3"),
            (#"juliet_players_registered_total{contract="app"}"#, "1"),
            (#"juliet_players_registered_total{contract="v2"}"#, "2"),
            (#"juliet_players_merged_total{by="recoveryCode"}"#, "1"),
            (#"sum(juliet_players_merged_total)"#, "1"),
            (#"juliet_games_started_total{kind="app"}"#, "1"), (#"juliet_games_started_total{kind="game"}"#, "1"),
            (#"juliet_games_ended_total{state="lost"}"#, "1"), (#"juliet_wins_total{kind="app"}"#, "1"),
            (#"juliet_energy_granted_total"#, "90"), (#"juliet_energy_spent_total"#, "10"),
            (#"juliet_energy_bought_total"#, "30"), (#"juliet_database_errors_total{class="42"}"#, "1"),
            ("juliet_ready", "1"), (#"up{job="juliet"}"#, "1"), ("juliet_http_connections_total > bool 10", "1"),
            ("juliet_http_received_bytes_total > bool 1000", "1"), ("juliet_http_sent_bytes_total > bool 1000", "1"),
            ("sum(juliet_database_connections) >= bool 2", "1"),
            (#"juliet_database_connection_events_total{event="opened"} >= bool 2"#, "1"),
            ("juliet_database_batch_statements_count > bool 10", "1"),
            ("process_resident_memory_bytes > bool 1e6", "1"),
        ] {
            let answer = try await prometheus.query(query)
            #expect(answer.contains("=> \(value) @"), "\(query): \(answer)")
        }

        for query in try Prometheus.dashboardQueries() {
            #expect(!(try await prometheus.query(query)).isEmpty, "\(query)")
        }
        try await Command.run(["promtool", "check", "rules", Prometheus.rules])
        let alerts = try Prometheus.alertQueries()
        #expect(alerts.count >= 8)
        for query in alerts { _ = try await prometheus.query(query) }

        // Nothing said of the metrics: no name or help it would have otherwise.
        let text = try await metrics(on: admin)
        let file = FileManager.default.temporaryDirectory.appending(path: "juliet-metrics-\(UUID().uuidString)")
        try text.write(to: file, atomically: true, encoding: .utf8)
        let remarks = try await Command.run(["sh", "-c", "promtool check metrics < \(file.path)"])
        try FileManager.default.removeItem(at: file)
        #expect(remarks == "")
        #expect(!text.contains(Self.player), "a player's id")
        prometheus.stop()
        try await service.stop()
    }

    @Test("an admin port that is taken is said, and games are served all the same")
    func portTaken() async throws {
        let port = UInt16(try Command.freePort())
        let first = try await TestService.start(["admin.port": "\(port)"], on: .shared())
        let log = LogLines()
        let second = try await TestService.start(["admin.port": "\(port)"], on: .shared(), logger: log.logger)
        #expect(
            log.all.contains(
                "warning: no metrics and no admin page: cannot listen on 127.0.0.1:\(port): port \(port) on 127.0.0.1 is in use by another process. Give each instance an admin.port of its own, or 0"
            ), "\(log.all)")
        #expect(try await second.waitUntilReady(is: 200) < .seconds(60))
        try await second.stop()
        #expect(try await metrics(on: port).contains("juliet_build_info{version=\"\(Release.version)\"} 1\n"))
        try await first.stop()
        await #expect(throws: (any Error).self) { try await metrics(on: port) }
    }

    private static let player = "a-player-nobody-else-is"

    /// Asks a bit of everything: done, refused, failed.
    private func play(_ service: TestService, on database: TestDatabase) async throws {
        let player = Self.player
        for request in [
            GameRequest.initialRegistration(vendorID: player), .statNewGameSession(userID: player),
            .handleEnergyPurchase(userID: player, energyPurchaseAmount: 30),
            .handleEnergyPurchase(userID: player, energyPurchaseAmount: 31), .updateUserWins(userID: player),
            .fetchUserWins(userID: player), .updateUserPlayedWordsList(userID: player, playedWord: "music"),
        ] { _ = try await service.reply(to: request) }
        // A type nobody knows, one of another URL, paths that are not there.
        _ = try await service.post(#"{"requestType":"\#(player)"}"#, to: "/Juliet_IAPManager")
        _ = try await service.post(#"{"requestType":"fetchUserWins","userID":"x"}"#, to: "/Juliet_IAPManager")
        for path in ["/\(player)", "/v2/\(player)", "/metrics"] { _ = try await service.post("", to: path) }
        try await database.psql("ALTER FUNCTION deal_word(text, text, integer, text) RENAME TO deal_no_word")
        #expect(try await service.answer(to: .fetchNewSecretWord(userID: player)).httpStatus == 500)
        try await database.psql("ALTER FUNCTION deal_no_word(text, text, integer, text) RENAME TO deal_word")
        let client = try await V2Client.newcomer(on: service).post("/v2/players").client
        let game = try await client.start()
        _ = try await client.post("/v2/games")
        _ = try await client.post("/v2/games/\(game.id.text)/resign")
        let other = try await V2Client.newcomer(on: service).post("/v2/players")
        let proof = #"{"recoveryCode": "\#(other.json.recoveryCode.text)"}"#
        _ = try await client.post("/v2/players/me/merge", #"{"recoveryCode": "none"}"#)
        _ = try await client.post("/v2/players/me/merge", proof)
    }

    private func metrics(on port: UInt16) async throws -> String {
        let reply = try await offPool {
            let connection = try ClientConnection(port: port)
            try connection.send(Array("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
            return try connection.receive()
        }
        #expect(reply["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
        return reply.text
    }
}
