import EventLoop
import Foundation
import Testing

@testable import Postgres

@Suite("What libpq would connect to")
struct ConnectionSettingsTests {
    @Test("a service that the string names, and the environment, are known before anything is connected")
    func probe() async throws {
        // The environment is the process's, and others read it: in one of its own.
        await #expect(processExitsWith: .success) {
            let listener = try Listener()
            for name in ["PGHOST", "PGHOSTADDR", "PGPORT", "PGSERVICE", "PGSSLMODE"] { unsetenv(name) }
            let services = """
                [near]
                host=database.test
                hostaddr=127.0.0.1
                port=\(listener.port)
                [proven]
                host=database.test
                port=6543
                sslmode=verify-full
                [unproven]
                host=database.test
                sslmode=require
                """
            let file = FileManager.default.temporaryDirectory.appending(path: "services-\(UUID().uuidString)").path
            try services.write(toFile: file, atomically: true, encoding: .utf8)
            defer { try? FileManager.default.removeItem(atPath: file) }
            setenv("PGSERVICEFILE", file, 1)

            func settings(_ text: String) throws -> ConnectionSettings {
                var settings = try ConnectionSettings(.init(connectionString: text), sessionSettings: [])
                settings.addresses = { $0.hasSuffix(".test") ? ["192.0.2.1"] : [] }
                return settings
            }
            func hosts(_ settings: ConnectionSettings) -> [String?] {
                var settings = settings
                settings.resolve()
                return ["host", "hostaddr", "port"].map { keyword in
                    settings.settings.last { $0.keyword == keyword }?.value
                }
            }
            let near = try settings("service=near")
            #expect(hosts(near) == ["database.test", "127.0.0.1", "\(listener.port)"])
            #expect(!near.needsResolution)
            let proven = try settings("service=proven")
            #expect(hosts(proven) == ["database.test", "192.0.2.1", "6543"])
            #expect(proven.needsResolution && proven.areServersProven)
            #expect(try !settings("service=unproven").areServersProven)

            setenv("PGHOST", "environment.test", 1)
            setenv("PGPORT", "7654", 1)
            #expect(try hosts(settings("dbname=a")) == ["environment.test", "192.0.2.1", "7654"])
            #expect(try !settings("dbname=a").areServersProven)
            setenv("PGSSLMODE", "verify-full", 1)
            #expect(try settings("dbname=a").areServersProven)
            #expect(try settings("").areServersProven)
            // What the string names goes before: the host itself, or its service.
            #expect(try hosts(settings("host=string.test port=1")) == ["string.test", "192.0.2.1", "1"])
            #expect(try hosts(settings("service=proven")) == hosts(proven))
            #expect(try !settings("service=unproven").areServersProven)
            #expect(try settings("service=unproven sslmode=verify-full").areServersProven)

            // An attempt to connect with what was found is the first that the listener hears of.
            let attempt = ConnectionHandle(settings: near.settings)
            let port = try localPort(of: attempt.descriptor)
            #expect(try listener.acceptedPort() == port)
        }
    }
}

/// A socket that listens on loopback.
private struct Listener {
    let port: Int
    private let descriptor: Int32

    init() throws {
        #if canImport(Darwin)
            descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let descriptor = descriptor
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard isBound == 0, listen(descriptor, 16) == 0 else { throw SystemError.last("listen") }
        port = try localPort(of: descriptor)
    }

    /// The port from which the connection came that waits longest.
    func acceptedPort() throws -> Int {
        var peer = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let accepted = withUnsafeMutablePointer(to: &peer) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { accept(descriptor, $0, &length) }
        }
        guard accepted >= 0 else { throw SystemError.last("accept") }
        close(accepted)
        return Int(UInt16(bigEndian: peer.sin_port))
    }
}

/// The port of a socket on this machine.
private func localPort(of descriptor: Int32) throws -> Int {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    guard status == 0 else { throw SystemError.last("getsockname") }
    return Int(UInt16(bigEndian: address.sin_port))
}
