import EventLoop
import Postgres
import Testing

@Suite("Types of the database and codecs of one's own")
struct TypeRegistryTests {
    enum Mood: String, PostgresEncodable, PostgresDecodable {
        case sad, happy
        static var postgresTypeName: String? { "mood" }
    }

    /// A composite with an enum, an array of it, and another composite.
    struct Person: PostgresEncodable, PostgresDecodable, Equatable {
        struct Place: PostgresEncodable, PostgresDecodable, Equatable {
            var name: String?
            var rank: Int32

            static var postgresType: PostgresType { .unspecified }
            static var postgresTypeName: String? { "geo.place" }

            init(name: String?, rank: Int32) { (self.name, self.rank) = (name, rank) }

            func encode(to writer: inout ParameterWriter) {
                writer.appendComposite { fields in
                    fields.append(name, as: .varchar)
                    fields.append(rank)
                }
            }

            init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
                var fields = CompositeReader()
                name = try fields.next(in: bytes)
                rank = try fields.next(in: bytes)
            }
        }

        var mood: Mood?
        var moods: [Mood]
        var home: Place
        var places: [Place?]

        static var postgresType: PostgresType { .unspecified }
        static var postgresTypeName: String? { "person" }

        init(mood: Mood?, moods: [Mood], home: Place, places: [Place?]) {
            (self.mood, self.moods, self.home, self.places) = (mood, moods, home, places)
        }

        func encode(to writer: inout ParameterWriter) {
            writer.appendComposite { fields in
                fields.append(mood)
                fields.append(moods)
                fields.append(home)
                fields.append(places)
            }
        }

        init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
            var fields = CompositeReader()
            mood = try fields.next(in: bytes)
            moods = try fields.next(in: bytes)
            home = try fields.next(in: bytes)
            places = try fields.next(in: bytes)
        }
    }

    /// Seconds since 1970 as a `timestamptz`.
    enum UnixTime: PostgresCodec {
        static var postgresType: PostgresType { .timestamptz }
        static func encode(_ seconds: Double, to writer: inout ParameterWriter) {
            PostgresTimestamp(microsecondsSince1970: Int64(seconds * 1_000_000)).encode(to: &writer)
        }
        static func decode(
            _ bytes: Span<UInt8>, type: PostgresType
        ) throws(PostgresDecodingError.Reason) -> Double {
            Double(try PostgresTimestamp(binary: bytes, type: type).microsecondsSince1970) / 1_000_000
        }
    }

    /// The people of a database.
    struct Add: Statement {
        var sql: StaticString { "SELECT $1::person, $2::person[]" }
        let person: Person
        func bind(to parameters: inout Parameters) { parameters.append(person, [person, person]) }
        static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> [Person] {
            [try row.next(Person.self)] + (try row.next([Person].self))
        }
    }

    private let person = Person(
        mood: .happy, moods: [.sad, .happy], home: .init(name: "Vérona", rank: 1),
        places: [nil, .init(name: nil, rank: -2)])

    private let types = """
        CREATE TYPE mood AS ENUM ('sad', 'happy'); CREATE SCHEMA geo;
        CREATE TYPE geo.place AS (name varchar, rank int4);
        CREATE TYPE person AS (mood mood, moods mood[], home geo.place, places geo.place[]);
        """

    private func registry() -> PostgresTypeRegistry {
        var registry = PostgresTypeRegistry()
        registry.register(Mood.self)
        registry.register(Person.self)
        registry.register(Person.Place.self)
        return registry
    }

    @Test("arrays of enums and composites in composites go both ways, on sessions, in pools, pipelines and rows")
    func everywhere() async throws {
        try await Fixture.run { fixture in
            try await fixture.psql(types)
            var configuration = fixture.configuration()
            configuration.types = registry()
            let connection = try await PostgresConnection.connect(configuration, on: fixture.loop)
            let expected = [person, person, person]
            #expect(try await connection.execute(Add(person: person)) == [expected])
            #expect(try await connection.pipelined(Add(person: person)) == [expected])
            for try await people in connection.rows(Add(person: person)) { #expect(people == expected) }
            #expect(
                try await connection.read("SELECT $1::mood[]", [[Mood.sad, nil]], as: [Mood?].self) == [.sad, nil])
            #expect(try await connection.read("SELECT 'sad'::mood = ANY ($1)", [[Mood.sad]], as: Bool.self))
            #expect(
                try await connection.read("SELECT $1::mood[]", [[[Mood.sad], [.happy]]]) == [[Mood.sad], [.happy]])
            #expect(try await connection.read("SELECT $1::mood[]", [[Mood]()]) == [Mood]())
            await connection.close()
            let person = person
            try await fixture.withClient({ $0.types = configuration.types }) { client in
                let pooled = try await client.execute(Add(person: person))
                let leased = try await client.withConnection { try await $0.execute(Add(person: person)) }
                #expect(pooled == [expected] && leased == [expected])
            }
        }
    }

    @Test("a type that is not registered, or not there, fails its statement; what is made later is looked up again")
    func unknown() async throws {
        try await Fixture.run { fixture in
            var configuration = fixture.configuration()
            configuration.types = registry()
            let connection = try await PostgresConnection.connect(configuration, on: fixture.loop)
            try await fixture.psql(types)
            #expect(await connection.failure("SELECT $1::mood[]", [[Mood.sad]])?.code == .misuse)
            try await connection.reloadTypes()
            #expect(try await connection.execute(Add(person: person)).count == 1)
            await connection.close()
            try await fixture.withConnection { (other) async throws in
                #expect(await other.failure("SELECT $1::mood[]", [[Mood.sad]])?.code == .misuse)
                // What needs no number needs no registration.
                #expect(try await other.read("SELECT $1::mood", [Mood.sad]) == Mood.sad)
                let place = Person.Place(name: "x", rank: 1)
                #expect(try await other.read("SELECT $1::geo.place", [place]) == place)
            }
        }
    }

    @Test("a session whose types cannot be looked up in time is not opened")
    func slowLookUp() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { (other) async throws in
                try await other.executeScript("BEGIN; LOCK TABLE pg_catalog.pg_type IN ACCESS EXCLUSIVE MODE")
                var configuration = fixture.configuration()
                configuration.types = registry()
                configuration.connectTimeout = .seconds(3)
                let slow = configuration
                let error = await #expect(throws: PostgresError.self) {
                    try await PostgresConnection.connect(slow, on: fixture.loop)
                }
                #expect(error?.code == .connectionFailed && error?.reason?.contains("types") == true)
            }
        }
    }

    @Test("a pool whose type cannot be looked up says so, and goes on trying")
    func failingLookUp() async throws {
        try await Fixture.run { fixture in
            let watcher = Watcher()
            try await fixture.withClient({
                $0.types.register(name: "no type (")
                $0.observer = watcher
                $0.queueTimeout = .milliseconds(300)
            }) { client in
                let error = await #expect(throws: PostgresError.self) { try await client.execute(Sleep(seconds: 0)) }
                #expect(error?.code == .queueTimeout || error?.code == .connectionFailed)
            }
            #expect(watcher.seen.opened == 0 && watcher.seen.failed.contains { $0.sqlState == .syntaxError })
        }
    }

    @Test("a codec carries a type that knows nothing of PostgreSQL")
    func codec() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { (connection) async throws in
                struct Later: Statement {
                    var sql: StaticString { "SELECT $1 + interval '1 s', $2" }
                    let seconds: Double
                    func bind(to parameters: inout Parameters) {
                        parameters.append(seconds, by: UnixTime.self)
                        parameters.append([PostgresCoded<UnixTime>(seconds), nil])
                    }
                    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> [Double?] {
                        [try row.next(by: UnixTime.self)]
                            + (try row.next([PostgresCoded<UnixTime>?].self)).map { $0?.value }
                    }
                }
                #expect(try await connection.execute(Later(seconds: 1.5)) == [[2.5, 1.5, nil]])
                #expect(
                    await connection.refusal("SELECT 1", as: PostgresCoded<UnixTime>.self)?.reason == .type(.int4))
            }
        }
    }
}
