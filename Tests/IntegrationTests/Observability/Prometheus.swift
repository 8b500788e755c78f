import Foundation
import TestSupport

/// A Prometheus with data of its own, which reads one service's metrics every half second.
final class Prometheus: Sendable {
    private let process: ChildProcess
    private let folder: URL
    private let url: String

    private static let packaging = TestDatabase.root.appending(path: "packaging/observability")
    /// The alert rules that are shipped.
    static let rules = packaging.appending(path: "juliet.rules.yml").standardized.path

    /// Starts it.
    static func start(scraping port: UInt16) async throws -> Prometheus {
        let prometheus = try Prometheus(port: port)
        try await prometheus.wait(for: #"up{job="juliet"} == 1"#)
        return prometheus
    }

    private init(port: UInt16) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "juliet-prometheus-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try """
        global: { scrape_interval: 500ms, evaluation_interval: 1s }
        rule_files: ["\(Self.rules)"]
        scrape_configs:
          - job_name: juliet
            static_configs: [{ targets: ["127.0.0.1:\(port)"] }]
        """.write(to: folder.appending(path: "prometheus.yml"), atomically: true, encoding: .utf8)
        let own = try Command.freePort()
        url = "http://127.0.0.1:\(own)"
        process = try ChildProcess([
            "prometheus", "--config.file=\(folder.path)/prometheus.yml", "--storage.tsdb.path=\(folder.path)/data",
            "--web.listen-address=127.0.0.1:\(own)", "--log.level=error",
        ])
    }

    deinit { stop() }

    /// Ends it.
    func stop() {
        process.signal(SIGKILL)
        process.waitForEnd()
        try? FileManager.default.removeItem(at: folder)
    }

    /// What promtool prints of the answer: a line for each value.
    func query(_ expression: String) async throws -> String {
        try await Command.run(["promtool", "query", "instant", url, expression])
    }

    /// Asks until there is an answer, for half a minute at most.
    func wait(for expression: String) async throws {
        let end = ContinuousClock.now + .seconds(30)
        while (try? await query(expression))?.isEmpty ?? true {
            guard ContinuousClock.now < end else {
                throw ClientConnection.Failure(description: "no answer after half a minute: \(expression)")
            }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    /// All queries of the dashboard that is shipped.
    static func dashboardQueries() throws -> [String] {
        struct Dashboard: Decodable {
            struct Panel: Decodable {
                struct Target: Decodable { let expr: String }
                let targets: [Target]
            }
            let panels: [Panel]
        }
        let data = try Data(contentsOf: packaging.appending(path: "grafana-dashboard.json"))
        return try JSONDecoder().decode(Dashboard.self, from: data).panels.flatMap { $0.targets.map(\.expr) }
    }

    /// All queries of the alert rules.
    static func alertQueries() throws -> [String] {
        try String(contentsOfFile: rules, encoding: .utf8).split(separator: "\n").compactMap { line in
            let line = line.drop { $0 == " " }
            return line.hasPrefix("expr: ") ? String(line.dropFirst("expr: ".count)) : nil
        }
    }
}
