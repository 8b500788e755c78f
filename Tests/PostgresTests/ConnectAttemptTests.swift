import Testing

@testable import Postgres

@Suite("An attempt to connect, as a value")
struct ConnectAttemptTests {
    private static func address(_ name: String) -> ConnectionSettings.Address {
        .init(name: name, address: "", port: "1")
    }

    private static func attempt() throws -> ConnectAttempt {
        ConnectAttempt(try ConnectionSettings(.init(connectionString: "host=a,b,c port=1"), sessionSettings: []))
    }

    /// What is to be done, in short: "others b,c", "wait", "open others", "failed".
    private static func text(_ actions: [ConnectAttempt.Action]) -> [String] {
        actions.map { action in
            switch action {
            case .open(let road, let settings):
                "\(road) \(settings.settings.last { $0.keyword == "host" }?.value ?? "all")"
            case .wait: "wait"
            case .end(.success(let road)): "open \(road)"
            case .end(.failure): "failed"
            }
        }
    }

    @Test("goes on to the next address after a silent one, and fails when all are silent")
    func silence() throws {
        var (attempt, addresses) = (try Self.attempt(), KnownAddresses())
        let silence = PostgresError.silence("no connection")
        #expect(Self.text(attempt.begin(&addresses)) == ["others all"])
        #expect(Self.text(attempt.failed(.others, silence, at: Self.address("a"), &addresses)) == ["others b,c"])
        #expect(Self.text(attempt.failed(.others, silence, at: Self.address("b"), &addresses)) == ["others c"])
        #expect(Self.text(attempt.failed(.others, silence, at: Self.address("c"), &addresses)) == ["failed"])
        #expect(attempt.failed(.others, silence, at: nil, &addresses).isEmpty)
        #expect(addresses.silent == ["a", "b", "c"].map(Self.address))
        // None is left that answered: the next attempt begins anew.
        var next = try Self.attempt()
        #expect(Self.text(next.begin(&addresses)) == ["others all"])
        #expect(addresses.silent.isEmpty)
    }

    @Test("a refusal of the others is asked again as long as a silent address may still answer")
    func refusal() throws {
        var attempt = try Self.attempt()
        var addresses = KnownAddresses(silent: [Self.address("a")])
        let refusal = PostgresError(.connectionFailed)
        #expect(Self.text(attempt.begin(&addresses)) == ["others b,c", "silent a"])
        #expect(Self.text(attempt.failed(.others, refusal, at: Self.address("c"), &addresses)) == ["wait"])
        #expect(Self.text(attempt.waited()) == ["others b,c"])
        #expect(attempt.waited().isEmpty)
        #expect(Self.text(attempt.opened(.silent, at: Self.address("a"), &addresses)) == ["open silent"])
        #expect(addresses.preferred == Self.address("a") && addresses.silent.isEmpty)
    }

    @Test("fails when the others refuse and the silent ones stay silent, in whichever order")
    func refusalAndSilence() throws {
        let (refusal, silence) = (PostgresError(.connectionFailed), PostgresError.silence("no connection"))
        for othersFirst in [true, false] {
            var attempt = try Self.attempt()
            var addresses = KnownAddresses(silent: [Self.address("a")])
            _ = attempt.begin(&addresses)
            if othersFirst {
                #expect(Self.text(attempt.failed(.others, refusal, at: nil, &addresses)) == ["wait"])
                #expect(Self.text(attempt.failed(.silent, silence, at: Self.address("a"), &addresses)) == ["failed"])
                #expect(attempt.waited().isEmpty)
            } else {
                #expect(attempt.failed(.silent, silence, at: Self.address("a"), &addresses).isEmpty)
                #expect(Self.text(attempt.failed(.others, refusal, at: nil, &addresses)) == ["failed"])
            }
        }
    }
}
