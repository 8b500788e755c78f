import HTTPServer
import JulietAPI
import Postgres

/// The metrics of one service, each made once.
package struct ServiceMetrics: Sendable {
    /// Where they are read.
    let registry: MetricsRegistry
    /// The metrics of games.
    let games: GameMetrics
    /// The metrics of the database.
    let database: DatabaseMetrics

    private let refusals = ReasonCounters(label: "reason")

    /// Adds a service's metrics to a registry.
    ///
    /// - Parameter droppedLines: How many lines of the log were dropped.
    package init(
        _ registry: MetricsRegistry = MetricsRegistry(), droppedLines: @escaping @Sendable () -> Int = { 0 }
    ) {
        self.registry = registry
        games = GameMetrics(registry)
        database = DatabaseMetrics(registry)
        registry.add(
            "juliet_http_refusals_total", .counter, "Requests that were refused before a handler, by reason.", refusals)
        let dropped = registry.add(
            "juliet_log_lines_dropped_total", .counter,
            "Lines of the log that were dropped because nobody read them in time.", Gauge())
        registry.beforeReading { dropped.value = Double(droppedLines()) }
        registry.add(
            "juliet_build_info", .gauge, "1, with the release.",
            Gauge(labels: MetricsText.labels([("version", Release.version)]), 1))
    }

    /// The HTTP server has answered by itself.
    func refused(_ code: HTTPFailure.Code) { refusals.add(code.rawValue) }

    /// The requests of one of the app's URLs. The types are those of the URL, in the order of ``RequestType``; the last
    /// stands for all else.
    func requests(of endpoint: Endpoint) -> RequestMetrics {
        RequestMetrics(
            registry, route: endpoint.path, types: endpoint.types.map(\.name) + ["unknown"],
            outcomes: AnswerCodes.count,
            codes: AnswerCodes.labels)
    }

    /// The requests of one URL and method of `/v2`.
    func requests(_ method: HTTPMethod, _ route: String) -> RequestMetrics {
        RequestMetrics(
            registry, route: route, types: [method.rawValue], outcomes: V2Codes.count, codes: V2Codes.labels)
    }

    /// Figures that server, pool and process keep are read when the metrics are read.
    func read(
        _ server: HTTPServer, _ database: PostgresClient, isReady: @escaping @Sendable () async -> Bool,
        _ process: ProcessFigures = ProcessFigures()
    ) {
        func counter(_ name: String, _ help: String, _ labels: [(String, String)] = []) -> Gauge {
            registry.add(name, .counter, help, Gauge(labels: MetricsText.labels(labels)))
        }
        func gauge(_ name: String, _ help: String, _ labels: [(String, String)] = []) -> Gauge {
            registry.add(name, .gauge, help, Gauge(labels: MetricsText.labels(labels)))
        }
        let ready = gauge("juliet_ready", "1: games can be served.")
        let connections = gauge("juliet_http_connections", "Connections that are open.")
        let accepted = counter("juliet_http_connections_total", "Connections that were accepted.")
        let overLimit = counter("juliet_http_connections_refused_total", "Connections over a limit, answered 503.")
        let cutOff = counter(
            "juliet_http_connections_cut_off_total", "Connections cut off because all together held too many bytes.")
        let buffered = gauge("juliet_http_buffered_bytes", "Bytes that connections hold for slow clients.")
        let received = counter("juliet_http_received_bytes_total", "Bytes read from clients.")
        let sent = counter("juliet_http_sent_bytes_total", "Bytes sent to clients.")
        let waiting = gauge("juliet_database_statements_waiting", "Statements that wait for a connection.")
        let idle = gauge(
            "juliet_database_connections", "Connections of the pool, by what they do.", [("state", "idle")])
        let inUse = gauge(
            "juliet_database_connections", "Connections of the pool, by what they do.", [("state", "in_use")])
        let memory = gauge("process_resident_memory_bytes", "Resident memory in bytes.")
        let processor = counter("process_cpu_seconds_total", "Processor time, the system's included.")
        let start = gauge("process_start_time_seconds", "When the process started, in seconds since 1970.")
        registry.beforeReading {
            ready.value = await isReady() ? 1 : 0
            let http = server.statistics
            connections.value = Double(http.connections)
            accepted.value = Double(http.connectionsAccepted)
            overLimit.value = Double(http.connectionsRefused)
            cutOff.value = Double(http.connectionsCutOff)
            buffered.value = Double(http.bytesBuffered)
            received.value = Double(http.bytesReceived)
            sent.value = Double(http.bytesSent)
            let pool = await database.statistics()
            waiting.value = Double(pool.statementsWaiting)
            idle.value = Double(pool.connections - pool.connectionsInUse)
            inUse.value = Double(pool.connectionsInUse)
            memory.value = process.residentBytes
            processor.value = process.processorSeconds
            start.value = process.startTime
        }
    }
}

extension Endpoint {
    /// The types of its requests, in the order of ``RequestType``.
    fileprivate var types: [RequestType] { RequestType.allCases.filter { $0.endpoint == self } }

    /// The place of each type, by its raw value, among the URL's own; the last for all others.
    var places: [Int] { RequestType.allCases.map { types.firstIndex(of: $0) ?? types.count } }
}
