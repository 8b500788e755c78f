import Foundation
import TestSupport
import Testing

/// The lottery as browsers ask for it.
@Suite("The lottery over HTTP", .everyLayout, .timeLimit(.minutes(3)))
struct LotteryHTTPTests {
    private let database: TestDatabase

    /// A database of its own for each test: there is one lottery in each.
    init() async throws {
        database = try await TestDatabase.create()
        try await database.psql(
            """
            SELECT import_lottery('tests', '{10,4}', '{Jack Alexy,Mia}', '{JAlex,mia}', '{2020-10-19,2021-01-02}', '{10,4}',
                '{false,true}')
            """)
    }

    private func request(_ method: String, _ path: String, _ fields: [String] = []) -> [UInt8] {
        Array(
            ([("\(method) \(path) HTTP/1.1"), "Host: juliet.test"] + fields + ["", ""]).joined(separator: "\r\n").utf8)
    }

    private func ask(
        _ service: TestService, _ method: String, _ path: String, _ fields: [String] = []
    ) async throws -> HTTPReply {
        try await service.exchange(request(method, path, fields))
    }

    private func draw(_ service: TestService, _ number: Int) async throws -> DrawAnswer {
        let reply = try await ask(service, "GET", "/lottery/draws/\(number)")
        #expect(reply.status == 200 && reply["Cache-Control"] == "no-store")
        return try JSONDecoder().decode(DrawAnswer.self, from: Data(reply.body))
    }

    @Test("a draw is told as far as it may be seen: the commitment, then the list, the rounds, at last the seed")
    func telling() async throws {
        let service = try await TestService.start(on: database)
        let reply = try await ask(service, "GET", "/lottery/draws/2")
        #expect(reply.status == 404)
        let before = try await draw(service, 1)
        #expect(before.commitment.wholeMatch(of: /[0-9a-f]{64}/) != nil)
        #expect(before == DrawAnswer(draw: 1, state: "next", commitment: before.commitment, prize: 0, entries: 2))
        for _ in 0..<2 {
            let started = try await ask(service, "POST", "/lottery/draws/1")
            #expect(started.status == 202 && started.body == [], "started, and started already")
        }
        let loading = try await draw(service, 1)
        #expect(loading.list == "10 0\n4 1\n" && loading.listDigest?.count == 64 && loading.state == "running")
        #expect(loading.rounds?.count ?? 10 < 10 && loading.seed == nil && loading.winner == nil)
        try await database.psql("UPDATE lottery_draws SET started_at = started_at - interval '7.5 s' WHERE number = 1")
        let over = try await draw(service, 1)
        #expect(
            over.seed == (try await database.psql("SELECT encode(seed, 'hex') FROM lottery_draws WHERE number = 1")))
        let numbers = try await database.psql("SELECT array_to_string(rounds, ' ') FROM lottery_draws WHERE number = 1")
        #expect(over.rounds?.map { "\($0.userId)" }.joined(separator: " ") == numbers)
        let last = try #require(over.rounds?.last)
        #expect(over.winner == (last.userId == 10 ? last : nil))
        #expect(last.name == (last.userId == 10 ? "Jack Alexy" : "Mia"))
        for path in ["3", "01", "+1", "0", "-1", "x", "99999999999999999999", "1/x"] {
            #expect(try await problem(service, "GET", "/lottery/draws/\(path)") == "404 not-found")
            #expect(try await problem(service, "POST", "/lottery/draws/\(path)") == "404 not-found")
        }
        #expect(try await problem(service, "DELETE", "/lottery/draws/1") == "405 method-not-allowed")
        try await service.stop()
    }

    @Test("a draw that cannot be started says why, and nothing has started")
    func refusals() async throws {
        let service = try await TestService.start(on: database)
        try await database.psql("SELECT show_lottery(); SELECT announce_prize('tests', 5)")
        #expect(try await problem(service, "POST", "/lottery/draws/1") == "403 operator")
        try await database.psql("SELECT announce_prize('tests', 0)")
        for origin in ["https://elsewhere.example", "http://juliet.test:81", "null"] {
            #expect(
                try await problem(service, "POST", "/lottery/draws/1", ["Origin: \(origin)"]) == "403 origin-refused")
        }
        #expect(try await problem(service, "PUT", "/lottery/entry", ["Origin: null"]) == "403 origin-refused")
        try await database.psql("DELETE FROM lottery_entries")
        #expect(try await problem(service, "POST", "/lottery/draws/1") == "409 empty")
        #expect(try await database.psql("SELECT count(started_at) FROM lottery_draws") == "0")
        try await database.psql("SELECT change_entry('tests', 10, 'enter')")
        #expect(try await ask(service, "POST", "/lottery/draws/1", ["Origin: http://juliet.test"]).status == 202)
        let paused = try await ask(service, "POST", "/lottery/draws/2")
        #expect(paused.status == 409 && paused.text.contains(#""code":"pause""#))
        let seconds = try #require(paused["Retry-After"].flatMap { Int($0) })
        #expect((30...38).contains(seconds))
        #expect(try await database.psql("SELECT count(started_at) FROM lottery_draws") == "1")
        try await service.stop()
    }

    @Test("a player takes part once, by their token alone")
    func entry() async throws {
        let service = try await TestService.start(on: database)
        for fields in [
            [], ["Authorization: Bearer x"], ["Authorization: Bearer jt_\(String(repeating: "A", count: 43))"],
        ] {
            let reply = try await ask(service, "PUT", "/lottery/entry", fields)
            #expect(reply.status == 401 && reply["WWW-Authenticate"] == "Bearer")
        }
        let token = try #require(try await V2Client.player(on: service).token)
        for _ in 0..<2 {
            let reply = try await ask(service, "PUT", "/lottery/entry", ["Authorization: Bearer \(token)"])
            #expect(reply.status == 200 && reply.text == #"{"entries":3,"userId":1000000000}"#)
        }
        #expect(try await database.psql("SELECT count(*) FROM lottery_entries") == "3")
        try await service.stop()
    }

    @Test("too many requests are 429, as everywhere")
    func limits() async throws {
        let settings = ["limits.requestsPerAddress": "2", "limits.exempt": "192.0.2.1"]
        let service = try await TestService.start(settings, on: database)
        var statuses: [Int] = []
        for _ in 0..<3 { statuses.append(try await ask(service, "GET", "/lottery/draws/9").status) }
        #expect(statuses == [404, 404, 429])
        #expect(try await problem(service, "GET", "/lottery/events") == "429 too-many-requests")
        try await service.stop()
    }

    @Test("events begin with how things stand and go on with what happens; HEAD and HTTP/1.0 are as they should be")
    func events() async throws {
        let service = try await TestService.start(["http.basePath": "/prod"], on: database)
        let port = service.port
        let (get, start) = (request("GET", "/prod/lottery/events"), request("POST", "/prod/lottery/draws/1"))
        try await offPool {
            let connection = try ClientConnection(port: port)
            try connection.send(get)
            let head = try connection.read(until: "\r\n\r\n")
            #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n"))
            for line in ["Content-Type: text/event-stream", "Transfer-Encoding: chunked", "Cache-Control: no-store"] {
                #expect(head.contains("\r\n\(line)\r\n"), "\(line)")
            }
            #expect(try connection.read(until: "\n\n").hasSuffix("retry: 2000\n\n"))
            let landing = try connection.read(until: "\n\n")
            #expect(landing.contains(#""state":"landing""#) && landing.contains(#""entries":2"#))
            let old = try ClientConnection(port: port)
            try old.send(Array("GET /prod/lottery/events HTTP/1.0\r\n\r\n".utf8))
            #expect(try old.read(until: "\r\n\r\n").contains("\r\nConnection: close\r\n"))
            #expect(try old.read(until: "\n\n") == "retry: 2000\n\n", "not in chunks")
            #expect(try old.read(until: "\n\n").hasPrefix("data: {"))
            let starter = try ClientConnection(port: port)
            try starter.send(start)
            #expect(try starter.receive().status == 202)
            for reader in [connection, old] { try reader.skip(to: "round") }
            let short = try ClientConnection(port: port)
            try short.send(Array("HEAD /prod/lottery/events HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n".utf8))
            let all = String(decoding: short.drain(), as: UTF8.self)
            #expect(all.contains("text/event-stream") && all.hasSuffix("\r\n\r\n"))
        }
        try await service.stop()
    }

    @Test("two nodes show a draw that one of them started; a stop ends all streams at once, whole")
    func nodes() async throws {
        let (one, two) = (try await TestService.start(on: database), try await TestService.start(on: database))
        let ports = [one.port, two.port]
        let (get, start) = (request("GET", "/lottery/events"), request("POST", "/lottery/draws/1"))
        let readers = try await offPool { () -> Readers in
            let readers = Readers(try ports.map { try ClientConnection(port: $0) })
            for reader in readers.connections {
                try reader.send(get)
                try reader.skip(to: "landing")
            }
            let starter = try ClientConnection(port: ports[0])
            try starter.send(start)
            #expect(try starter.receive().status == 202)
            for reader in readers.connections { try reader.skip(to: "round") }
            return readers
        }
        let begin = ContinuousClock.now
        try await one.stop()
        try await two.stop()
        #expect(ContinuousClock.now - begin < .seconds(5))
        try await offPool {
            for reader in readers.connections {
                #expect(String(decoding: reader.drain(), as: UTF8.self).hasSuffix("0\r\n\r\n"))
            }
        }
    }

    @Test("without PostgreSQL the state is a failure, and when it is back it goes on")
    func outage() async throws {
        let cluster = try await PostgresCluster.start()
        let database = try await TestDatabase.create(in: cluster)
        let service = try await TestService.start(["database.statementTimeout": "3s"], on: database)
        let port = service.port
        let get = request("GET", "/lottery/events")
        let reader = try await offPool { () -> Readers in
            let reader = try ClientConnection(port: port)
            try reader.send(get)
            try reader.skip(to: "landing")
            return Readers([reader])
        }
        try await cluster.stop()
        // Perhaps after a sign of life.
        _ = try await offPool { try reader.connections[0].read(until: #""state":"failure""#) }
        #expect(try await problem(service, "POST", "/lottery/draws/1") == "503 unavailable")
        try await cluster.start()
        try await offPool {
            try reader.connections[0].skip(to: "landing")
        }
        try await service.stop()
        cluster.remove()
    }

    /// Status and code of a problem.
    private func problem(
        _ service: TestService, _ method: String, _ path: String, _ fields: [String] = []
    ) async throws -> String {
        struct Problem: Decodable { let code: String }
        let reply = try await ask(service, method, path, fields)
        #expect(reply["Content-Type"] == "application/problem+json")
        return "\(reply.status) \(try JSONDecoder().decode(Problem.self, from: Data(reply.body)).code)"
    }
}

/// Connections that a test goes on with later.
private final class Readers: @unchecked Sendable {
    // Invariant: a test uses them on one thread at a time.
    let connections: [ClientConnection]

    init(_ connections: [ClientConnection]) { self.connections = connections }
}

/// A draw as it is told.
private struct DrawAnswer: Decodable, Equatable {
    struct Round: Decodable, Equatable {
        let userId: Int
        let name: String
    }
    var draw: Int
    var state: String
    var commitment: String
    var prize: Int
    var entries: Int
    var listDigest: String?
    var list: String?
    var rounds: [Round]?
    var seed: String?
    var winner: Round?
}

extension ClientConnection {
    /// Reads events up to one of this state. Those before it may be missing: a node looks once a second, and shows what is then.
    fileprivate func skip(to state: String) throws {
        while try !read(until: "\n\n").contains(#""state":"\#(state)""#) {}
    }
}
