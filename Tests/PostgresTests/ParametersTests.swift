import Testing

@testable import Postgres

@Suite("Parameters")
struct ParametersTests {
    /// A value that has no binary form.
    private struct Unwritable: PostgresEncodable {
        static let postgresType = PostgresType.text
        let reason: String
        func encode(to writer: inout ParameterWriter) { writer.fail(reason) }
    }

    @Test("of more bytes than a message may have fail, whichever value is too much")
    func size() {
        var parameters = Parameters(sizeLimit: 10)
        parameters.append("12345")
        parameters.append("67890")
        #expect(parameters.failure == nil)
        parameters.append(nil as String?)
        parameters.append("")
        #expect(parameters.failure == nil)
        parameters.append(true)
        #expect(parameters.failure?.description == "misuse: parameters of more than 10 bytes")
        parameters.removeAll()
        #expect(parameters.failure == nil)
        parameters.append([1, 2] as [Int])
        #expect(parameters.failure?.code == .misuse)
    }

    @Test("may be a gigabyte less what a message has besides")
    func defaultSize() {
        // PostgreSQL's `PQ_LARGE_MESSAGE_LIMIT` is `MaxAllocSize` less one. Besides the values there are two bytes of
        // format and four of length for each of 65,535 parameters, and two names.
        #expect(Parameters.defaultSizeLimit + 65_535 * 6 + 1000 < 0x3FFF_FFFE)
        #expect(Parameters.defaultSizeLimit < Int32.max)
    }

    @Test("that failed say why the first one did, until they are emptied")
    func failures() {
        var parameters = Parameters()
        parameters.append(1)
        #expect(parameters.failure == nil)
        parameters.append(Unwritable(reason: "first"))
        parameters.append(Unwritable(reason: "second"))
        parameters.append("well")
        #expect(parameters.failure?.description == "misuse: first")
        #expect(parameters.count == 4)
        parameters.removeAll()
        #expect(parameters.failure == nil)
        #expect(parameters.count == 0)
    }

    @Test("that failed are not sent, and the session goes on")
    func session() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { (connection) async throws in
                let failure = await connection.failure("SELECT $1, $2", ["x", Unwritable(reason: "no form")])
                #expect(failure?.description == "misuse: no form")
                #expect(try await connection.read("SELECT $1", ["x"]) == "x")
            }
        }
    }
}
