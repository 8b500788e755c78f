import Foundation

/// One of packaging/https, the real program with the file as it is but for ports, name and certificate, before a service.
public final class HTTPSProxy: Intermediary, @unchecked Sendable {
    /// Which program.
    public enum Kind: String, Sendable, CaseIterable {
        case caddy, nginx
    }

    /// The name in its certificate, which leads nowhere.
    public static let name = "juliet.example.com"

    /// The certificate of the authority that vouches for it.
    public let authority: String
    /// Where it listens without TLS, on 127.0.0.1.
    public let plainPort: Int

    /// Starts one before a port of 127.0.0.1. It needs the program and `openssl`.
    ///
    /// - Parameters:
    ///   - file: The file of packaging/https, or what an operator has made of it.
    public static func start(_ kind: Kind, file: String, before service: UInt16) async throws -> HTTPSProxy {
        let directory = try Command.temporaryDirectory()
        try await makeCertificates(directory)
        let (port, plainPort) = (try Command.freePort(), try Command.freePort())
        var text = try String(contentsOfFile: file, encoding: .utf8)
        // Caddy makes its certificate, and an authority for it, itself.
        let vouchesItself = text.contains("\ttls internal\n")
        /// Changes what must be there to be changed.
        func change(_ old: String, to new: String) throws {
            guard text.contains(old) else { throw Command.Failure(command: file, output: "there is no \(old)") }
            text = text.replacing(old, with: new)
        }
        try change("127.0.0.1:8080", to: "127.0.0.1:\(service)")
        let command: [String]
        switch kind {
        case .caddy:
            // A busy machine may take longer than that to start a service.
            try change("lb_try_duration 5s", to: "lb_try_duration 60s")
            if !vouchesItself {
                try change(
                    "#tls /etc/caddy/juliet.pem /etc/caddy/juliet.key", to: "tls \(directory)/pem \(directory)/key")
            }
            // Not to be trusted by this machine: that is for the test alone.
            text = "{\nadmin off\nskip_install_trust\nhttp_port \(plainPort)\nhttps_port \(port)\n}\n\(text)"
            try text.write(toFile: "\(directory)/Caddyfile", atomically: true, encoding: .utf8)
            command = [
                "env", "XDG_DATA_HOME=\(directory)", "XDG_CONFIG_HOME=\(directory)", "HOME=\(directory)", "caddy",
                "run",
                "--config", "\(directory)/Caddyfile", "--adapter", "caddyfile",
            ]
        case .nginx:
            for line in ["    listen [::]:80;\n", "    listen [::]:443 ssl http2;\n"] { try change(line, to: "") }
            try change("listen 80;", to: "listen 127.0.0.1:\(plainPort);")
            try change("listen 443 ssl", to: "listen 127.0.0.1:\(port) ssl")
            try change("/etc/letsencrypt/live/\(name)/fullchain.pem", to: "\(directory)/pem")
            try change("/etc/letsencrypt/live/\(name)/privkey.pem", to: "\(directory)/key")
            let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
                .map { "\($0)_temp_path \(directory)/\($0);" }.joined(separator: " ")
            text = """
                daemon off; pid \(directory)/pid; error_log stderr; \(geteuid() == 0 ? "user root;" : "")
                events {}
                http { access_log off; \(temporary)
                \(text)
                }
                """
            try text.write(toFile: "\(directory)/nginx.conf", atomically: true, encoding: .utf8)
            command = [try Command.find("nginx"), "-p", directory, "-e", "stderr", "-c", "\(directory)/nginx.conf"]
        }
        let proxy = try HTTPSProxy(
            command, port: port, plainPort: plainPort, directory: directory,
            authority: "\(directory)/\(vouchesItself ? "caddy/pki/authorities/local/root.crt" : "authority.pem")")
        try await proxy.untilItListens()
        return proxy
    }

    private init(_ command: [String], port: Int, plainPort: Int, directory: String, authority: String) throws {
        self.authority = authority
        self.plainPort = plainPort
        try super.init(command, port: port, directory: directory)
    }

    /// Asks for a path, over HTTPS by the name in the certificate, which must be true.
    ///
    /// - Parameters:
    ///   - address: Where the client is: one of 127.0.0.0/8.
    ///   - arguments: More of curl's.
    /// - Returns: The version of HTTP and the status, a blank between them, and the body.
    /// - Throws: `Command.Failure` when there is no answer.
    public func ask(
        _ path: String, from address: String = "127.0.0.1", _ arguments: [String] = []
    ) async throws -> (status: String, body: String) {
        let answer = try await Command.run(
            curl(path, from: address) + ["--max-time", "30", "--write-out", "\n%{http_version} %{http_code}"]
                + arguments)
        let lines = answer.split(separator: "\n", omittingEmptySubsequences: false)
        return (String(lines.last ?? ""), lines.dropLast().joined(separator: "\n"))
    }

    /// The command that asks for a path and prints what comes as it comes.
    public func curl(_ path: String, from address: String = "127.0.0.1") -> [String] {
        [
            "curl", "--silent", "--show-error", "--no-buffer", "--noproxy", "*", "--cacert", authority, "--interface",
            address,
            "--resolve", "\(Self.name):\(port):127.0.0.1", "https://\(Self.name):\(port)\(path)",
        ]
    }

    private func untilItListens() async throws {
        for _ in 0..<500 {
            if (try? await Command.run(curl("/live"))) != nil { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        stop()
        throw Command.Failure(command: "\(type(of: self))", output: "it does not answer")
    }

    /// Makes an authority and a certificate by it.
    private static func makeCertificates(_ directory: String) async throws {
        try "subjectAltName=DNS:\(name)\n".write(toFile: "\(directory)/names", atomically: true, encoding: .utf8)
        let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        try await Command.run(
            ["openssl", "req", "-x509"] + key + [
                "-days", "1", "-subj", "/CN=Tests", "-keyout", "\(directory)/authority.key", "-out",
                "\(directory)/authority.pem",
            ])
        try await Command.run(
            ["openssl", "req"] + key + [
                "-subj", "/CN=\(name)", "-keyout", "\(directory)/key", "-out", "\(directory)/request",
            ])
        try await Command.run([
            "openssl", "x509", "-req", "-in", "\(directory)/request", "-CA", "\(directory)/authority.pem", "-CAkey",
            "\(directory)/authority.key", "-CAcreateserial", "-days", "1", "-extfile", "\(directory)/names", "-out",
            "\(directory)/pem",
        ])
    }
}
