import Foundation
import TestSupport

/// Calls a closure with the base URL of a server that speaks TLS with a certificate of its own making.
///
/// It ends by itself after one request. It needs the program `openssl`.
func withSelfSignedServer(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("juliet-tls-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (key, certificate) = ("\(folder.path)/key.pem", "\(folder.path)/certificate.pem")
    try await Command.run([
        "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=127.0.0.1",
        "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate,
    ])
    let port = try Command.freePort()
    // Two connections: the one that sees that it listens, and the request's.
    let server = [
        "timeout", "20", "openssl", "s_server", "-quiet", "-www", "-naccept", "2", "-accept", "127.0.0.1:\(port)",
        "-key", key, "-cert", certificate,
    ]
    async let running = try? Command.run(server)
    guard try await eventually({ isListening(port) }) else {
        throw ServerFailure(description: "openssl s_server does not listen")
    }
    try await body("https://127.0.0.1:\(port)")
    _ = await running
}

private func isListening(_ port: Int) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(port).bigEndian)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
    }
}
