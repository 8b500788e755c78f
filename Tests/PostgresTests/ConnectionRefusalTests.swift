import EventLoop
import TestSupport
import Testing

@testable import Postgres

@Suite("Why a connection was refused")
struct ConnectionRefusalTests {
    private static let password = "password authentication failed for user"

    @Test(
        "the SQLSTATE is what stands behind the severity of an error, and nothing that looks like one",
        arguments: [
            // One host.
            (
                """
                connection to server at "127.0.0.1", port 5432 failed: FATAL:  28P01: \(password) "a"
                LOCATION:  auth_failed, auth.c:334
                """,
                "28P01", #"connection to server at "127.0.0.1", port 5432 failed: FATAL:  \#(password) "a""#
            ),
            (
                """
                connection to server on socket "/tmp/.s.PGSQL.5432" failed: FATAL:  3D000: database "d" does not exist
                DETAIL:  It was dropped.
                HINT:  Make it.
                LOCATION:  InitPostgres, postinit.c:948
                """,
                "3D000",
                """
                connection to server on socket "/tmp/.s.PGSQL.5432" failed: FATAL:  database "d" does not exist
                DETAIL:  It was dropped.
                HINT:  Make it.
                """
            ),
            // Several: the last server that refused counts.
            (
                """
                connection to server at "a.test" (192.0.2.1), port 1 failed: FATAL:  57P03: the database system is starting up
                LOCATION:  ProcessStartupPacket, postmaster.c:2386
                connection to server at "b.test" (192.0.2.2), port 2 failed: FATAL:  28000: no entry
                LOCATION:  ClientAuthentication, auth.c:544
                connection to server at "c.test" (192.0.2.3), port 3 failed: Connection refused
                \tIs the server running on that host and accepting TCP/IP connections?
                """,
                "28000",
                """
                connection to server at "a.test" (192.0.2.1), port 1 failed: FATAL:  the database system is starting up
                connection to server at "b.test" (192.0.2.2), port 2 failed: FATAL:  no entry
                connection to server at "c.test" (192.0.2.3), port 3 failed: Connection refused
                \tIs the server running on that host and accepting TCP/IP connections?
                """
            ),
            (
                """
                connection to server at "127.0.0.1", port 1 failed: Connection refused
                \tIs the server running on that host and accepting TCP/IP connections?
                connection to server at "127.0.0.1", port 2 failed: FATAL:  53300: sorry, too many clients already
                """,
                "53300",
                """
                connection to server at "127.0.0.1", port 1 failed: Connection refused
                \tIs the server running on that host and accepting TCP/IP connections?
                connection to server at "127.0.0.1", port 2 failed: FATAL:  sorry, too many clients already
                """
            ),
            // Other languages: the server's, and libpq's.
            (
                """
                connection to server at "127.0.0.1", port 5432 failed: ВАЖНО:  28P01: пользователь "a" не прошёл проверку
                LOCATION:  auth_failed, auth.c:334
                """,
                "28P01",
                #"connection to server at "127.0.0.1", port 5432 failed: ВАЖНО:  пользователь "a" не прошёл проверку"#
            ),
            (
                """
                la connexion au serveur sur « 127.0.0.1 », port 5432 a échoué : FATAL:  28P01: refusé
                DÉTAIL :  pas de mot de passe
                EMPLACEMENT :  auth_failed, auth.c:334
                la connexion au serveur sur « 127.0.0.2 », port 5432 a échoué : FATAL:  28000: refusé
                EMPLACEMENT :  ClientAuthentication, auth.c:544
                """,
                "28000",
                """
                la connexion au serveur sur « 127.0.0.1 », port 5432 a échoué : FATAL:  refusé
                DÉTAIL :  pas de mot de passe
                la connexion au serveur sur « 127.0.0.2 », port 5432 a échoué : FATAL:  refusé
                """
            ),
            // Without the host, as libpq had it before version 14.
            ("FATAL:  28P01: refused\nLOCATION:  auth_failed, auth.c:334", "28P01", "FATAL:  refused"),
            // None: no server was reached, or an old one wrote plain text.
            (
                #"could not translate host name "a" to address: Name or service not known"#, nil,
                #"could not translate host name "a" to address: Name or service not known"#
            ),
            (
                #"connection to server at "127.0.0.1", port 1 failed: session is read-only"#, nil,
                #"connection to server at "127.0.0.1", port 1 failed: session is read-only"#
            ),
            ("FATAL:  sorry, too many clients already", nil, "FATAL:  sorry, too many clients already"),
            ("", nil, ""),
            // The names and the message have such letters themselves.
            (
                #"connection to server on socket "/x:  ABCDE: y" failed: No such file or directory"#, nil,
                #"connection to server on socket "/x:  ABCDE: y" failed: No such file or directory"#
            ),
            (
                #"connection to server on socket "/x:  ABCDE: y" failed: FATAL:  28000: b:  FGHIJ: c"#, "28000",
                #"connection to server on socket "/x:  ABCDE: y" failed: FATAL:  b:  FGHIJ: c"#
            ),
            (
                """
                connection to server at "127.0.0.1", port 5432 failed: FATAL:  3D000: database "a
                x:  ABCDE: b

                y, z.c:1" does not exist
                DETAIL:  FGHIJ: it was dropped
                LOCATION:  InitPostgres, postinit.c:948
                """,
                "3D000",
                """
                connection to server at "127.0.0.1", port 5432 failed: FATAL:  database "a
                x:  ABCDE: b

                y, z.c:1" does not exist
                DETAIL:  FGHIJ: it was dropped
                """
            ),
        ] as [(String, String?, String)])
    func table(text: String, sqlState: String?, message: String) {
        let refusal = ConnectionRefusal(verbose: text)
        #expect(refusal.sqlState?.description == sqlState)
        #expect(refusal.message == message)
    }

    @Test("what a real server and libpq say is read so")
    func real() async throws {
        try await Fixture.run { fixture in
            var configuration = fixture.configuration(tcp: true)
            configuration.parameters = [
                "host": "127.0.0.1,127.0.0.1", "port": "1,\(fixture.cluster.port)", "dbname": "x:  ABCDE: y",
            ]
            let error = await #expect(throws: PostgresError.self) {
                _ = try await PostgresConnection.connect(configuration, on: fixture.loop)
            }
            #expect(error?.sqlState == "3D000")
            #expect(error?.serverMessage?.contains(#"failed: FATAL:  database "x:  ABCDE: y" does not exist"#) == true)
            #expect(error?.serverMessage?.contains(".c:") == false)
        }
    }
}
