import Foundation
import TestSupport
import Testing

@Suite("Everything at once", .defaultLayout("starts servers of its own"))
struct EverythingTests {
    @Test(
        "for a minute, while backends, services and PostgreSQL are killed: no deadlock, no difference from the model of the records, and the audit finds nothing"
    )
    func held() async throws {
        let output = try await Command.run([
            "/usr/bin/env", "python3", Program.root.appending(path: "Benchmarks/faults").path, "--everything",
            "--minutes", "1",
            "--clients", "8", "--port", "\(Int.random(in: 20_000...29_000))", "--program", Program.executable.path,
        ])
        #expect(output.hasSuffix("held"), "\(output)")
    }
}
