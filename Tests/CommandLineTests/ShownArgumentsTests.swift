import EventLoop
import Foundation
import TestSupport
import Testing

@testable import juliet

@Suite("A password in --database", .defaultLayout("asks no database"))
struct ShownArgumentsTests {
    @Test(
        "is hidden from whoever lists the processes, and the program goes on with it", .timeLimit(.minutes(1)),
        arguments: [
            "postgres://ada:hush-Hush@127.0.0.1:PORT/db?sslmode=disable&gssencmode=disable",
            "postgres://ada:hush%2DHush@127.0.0.1:PORT/db?sslmode=disable&gssencmode=disable",
            "host=127.0.0.1 port=PORT user=ada password='hush-Hush' dbname=db sslmode=disable gssencmode=disable",
        ])
    func running(database: String) async throws {
        for isOneWord in [false, true] {
            let server = try PasswordServer()
            let url = database.replacing("PORT", with: "\(server.port)")
            let option = isOneWord ? ["--database=\(url)"] : ["--database", url]
            let program = try Program.start(["migrate", "status"] + option)
            #expect(try await server.password() == "hush-Hush")
            let shown = try await Command.run(["ps", "-ww", "-o", "args=", "-p", "\(program.id)"])
            #expect(shown.contains(" migrate status --database"), "\(shown)")
            #expect(shown.contains("xxxxxxxxx"), "\(shown)")
            #expect(!shown.localizedCaseInsensitiveContains("hush"), "\(shown)")
            server.close()
            #expect(await program.outcome().status == 1)
        }
    }

    @Test(
        "alone is hidden, if it can be told from the rest",
        arguments: [
            ("postgres://ada:secret@h/db", "postgres://ada:xxxxxx@h/db"),
            (
                "postgresql://ada:secret@h:1,i:2/db?a%70plication_name=n",
                "postgresql://ada:xxxxxx@h:1,i:2/db?a%70plication_name=n"
            ),
            ("postgres://h/db?user=ada&password=secret", "postgres://h/db?user=ada&password=xxxxxx"),
            ("postgres://h/db?sslpassword=secret&password=hush", "postgres://h/db?sslpassword=xxxxxx&password=xxxx"),
            ("host=h user=ada password=secret dbname=db", "host=h user=ada password=xxxxxx dbname=db"),
            ("password = 'two words' host=h", "password = 'xxxxxxxxx' host=h"),
            ("postgres://secret:secret@h/db", "postgres://xxxxxx:xxxxxx@h/db"),
            ("host=h dbname=db options=-crole=juliet_owner", "host=h dbname=db options=-crole=juliet_owner"),
            ("postgres://ada@h/db", "postgres://ada@h/db"), ("postgres://ada:@h/db", "postgres://ada:@h/db"),
            ("postgres://", "postgres://"), ("", ""),
        ])
    func alone(typed: String, shown: String) { #expect(Self.hidden(typed) == shown) }

    @Test(
        "is hidden with all around it, if it cannot",
        arguments: [
            // Written in another way than it reads, or like the rest.
            "postgres://ada:p%40ss@h/db", "postgres://aa:a%61@h/db", #"password='it\'s' host=h"#,
            #"password=a\ b host=h"#,
            "postgres://h/db?pass%77ord=p%61ss", "password=password host=h", "password=s host=h sslmode=disable",
            "password=xxx host=h",
            // No connection strings.
            "juliet:secret", "postgres://ada:se/cret@h/db?x", "pasword=secret", "password=secret host='h",
        ])
    func whole(typed: String) { #expect(Self.hidden(typed) == String(repeating: "x", count: typed.utf8.count)) }

    @Test("is looked for nowhere else")
    func elsewhere() {
        let url = "postgres://ada:secret@h/db"
        for arguments in [
            [url], ["juliet", "--data", url], ["juliet", "--database"], ["juliet", "--databases=\(url)"],
            ["--database", "host=h", url],
        ] { #expect(Self.hidden(arguments) == arguments) }
        let hidden = "postgres://ada:xxxxxx@h/db"
        #expect(
            Self.hidden(["juliet", "--database", url, "--database=\(url)", "--json"])
                == ["juliet", "--database", hidden, "--database=\(hidden)", "--json"])
    }

    private static func hidden(_ connectionString: String) -> String {
        let shown = hidden(["juliet", "--database", connectionString])
        #expect(hidden(["juliet", "--database=\(connectionString)"]) == ["juliet", "--database=\(shown[2])"])
        return shown[2]
    }

    private static func hidden(_ arguments: [String]) -> [String] {
        ShownArguments.hidingPasswords(in: arguments.map { Array($0.utf8) }).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// A server of PostgreSQL's protocol that asks whoever connects for a password, and answers nothing more.
private final class PasswordServer: Sendable {
    let port: Int
    private let listener: Int32
    private let client = Locked<Int32?>(nil)

    init() throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        Self.limit(listener)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let listener = listener
        // A free port, which nobody else is given.
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 4) == 0 && getsockname(listener, $0, &size) == 0
            }
        }
        guard bound else { throw SystemError.last("listen") }
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    /// The password that the first client sends, in clear text.
    func password() async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result { try self.ask() }) }
        }
    }

    /// Ends the connection.
    func close() {
        if let client = client.withLock(\.self) { Foundation.close(client) }
        Foundation.close(listener)
    }

    private func ask() throws -> String {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { throw SystemError.last("accept") }
        self.client.withLock { $0 = client }
        Self.limit(client)
        // PostgreSQL's manual, "Message Formats": StartupMessage, AuthenticationCleartextPassword, PasswordMessage.
        _ = try Self.body(from: client)
        let request: [UInt8] = [UInt8(ascii: "R"), 0, 0, 0, 8, 0, 0, 0, 3]
        guard write(client, request, request.count) == request.count else { throw SystemError.last("write") }
        guard try Self.bytes(1, from: client) == [UInt8(ascii: "p")] else {
            throw SystemError(code: EPROTO, call: "recv")
        }
        return String(decoding: try Self.body(from: client).dropLast(), as: UTF8.self)
    }

    /// What follows a length, which counts itself.
    private static func body(from client: Int32) throws -> [UInt8] {
        let length = try bytes(4, from: client).reduce(0) { $0 << 8 | Int($1) }
        return try bytes(max(0, length - 4), from: client)
    }

    private static func bytes(_ count: Int, from client: Int32) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        guard count == 0 || recv(client, &bytes, count, Int32(MSG_WAITALL)) == count else {
            throw SystemError.last("recv")
        }
        return bytes
    }

    /// Has whoever waits for a client or its bytes give up after 30 s.
    private static func limit(_ descriptor: Int32) {
        var patience = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }
}
