import TestSupport
import Testing

@Suite("The tests' own server")
struct ClusterTests {
    @Test("starts, survives kill -9 and a pause, and leaves nothing behind")
    func lifeOfACluster() async throws {
        let cluster = try await PostgresCluster.start(settings: ["max_connections": "7"])
        #expect(try await cluster.psql("SHOW max_connections") == "7")
        #expect(try await cluster.psql("SHOW fsync") == "on")
        let database = try await cluster.createDatabase()
        try await cluster.kill()
        try await cluster.start()
        #expect(try await cluster.psql("SELECT current_database()", database: database.name) == database.name)
        try cluster.pause()
        try cluster.resume()
        #expect(try await cluster.psql("SELECT 1") == "1")
        cluster.remove()
    }
}
