import Foundation

/// A program before a test cluster that speaks TLS for it, in records as large as TLS allows (16 KiB): the server's own
/// are 8 KiB, those of a pooler or a cloud's proxy need not be.
public final class TLSTerminator: Intermediary, @unchecked Sendable {
    /// It answers libpq's question for TLS, then passes on what comes. What the server sends within 3 ms leaves
    /// together.
    private static let program = """
        import select, socket, ssl, sys, threading
        folder, target, port = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(folder + "/tls.crt", folder + "/tls.key")
        def upward(client, server):
            try:
                while data := client.recv(65536):
                    server.sendall(data)
            except OSError:
                pass
            server.close()
        def serve(plain):
            try:
                plain.recv(8)
                plain.sendall(b"S")
                client = context.wrap_socket(plain, server_side=True)
                server = socket.create_connection(("127.0.0.1", target))
                threading.Thread(target=upward, args=(client, server), daemon=True).start()
                while data := server.recv(1 << 20):
                    while select.select([server], [], [], 0.003)[0]:
                        more = server.recv(1 << 20)
                        if not more:
                            break
                        data += more
                    client.sendall(data)
            except OSError:
                pass
            plain.close()
        listener = socket.create_server(("127.0.0.1", port), backlog=64)
        while True:
            threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
        """

    /// Starts one. It needs the programs `python3` and `openssl`.
    public static func start(for cluster: PostgresCluster) async throws -> TLSTerminator {
        let directory = try Command.temporaryDirectory()
        let port = try Command.freePort()
        try await Command.run([
            "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=127.0.0.1",
            "-keyout", "\(directory)/tls.key", "-out", "\(directory)/tls.crt",
        ])
        let command = ["python3", "-c", program, directory, "\(cluster.port)", "\(port)"]
        let terminator = try TLSTerminator(command, port: port, directory: directory)
        try await terminator.untilItAnswers(database: "postgres", "sslmode=require")
        return terminator
    }
}
