import Foundation
import TestSupport
import Testing

@testable import JulietClient

@Suite("The system's transport, on real sockets", .timeLimit(.minutes(1)))
struct TransportTests {
    /// What a server does to a client, and what the client is to call it.
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: ClientError.Code
        let serve: @Sendable (ScriptedServer.Connection) -> Void

        init(_ name: String, _ code: ClientError.Code, _ serve: @escaping @Sendable (ScriptedServer.Connection) -> Void)
        {
            testDescription = name
            self.code = code
            self.serve = serve
        }

        /// Reads the request, sends bytes and closes.
        init(_ name: String, _ code: ClientError.Code, sending text: String) {
            self.init(name, code) { connection in
                _ = connection.request()
                connection.send(text)
            }
        }
    }

    static let faults = [
        Fault("closed before the first byte", .connectionLost, sending: ""),
        Fault("reset before the first byte", .connectionLost) { connection in
            _ = connection.request()
            connection.resetAtEnd()
        },
        Fault(
            "closed in the middle of a body", .connectionLost,
            sending: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"),
        Fault("reset in the middle of a body", .connectionLost) { connection in
            _ = connection.request()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")
            connection.resetAtEnd()
        },
        Fault(
            "closed in the middle of a chunk", .connectionLost,
            sending: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\nabc"),
        Fault("silence", .timedOut) { connection in connection.waitForEnd() },
        Fault("silence in the middle of a body", .timedOut) { connection in
            _ = connection.request()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")
            connection.waitForEnd()
        },
        Fault("a body without end, bit by bit", .timedOut) { connection in
            _ = connection.request()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
            for _ in 0..<100 {
                connection.send("a")
                usleep(20_000)
            }
        },
        Fault("another protocol", .notHTTP, sending: "220 mail.example.org ESMTP\r\n"),
        Fault("noise", .notHTTP, sending: String(repeating: "\u{1}\u{7F}?", count: 400)),
        Fault("a status that is none", .notHTTP, sending: "HTTP/1.1 2xx OK\r\nContent-Length: 0\r\n\r\n"),
        Fault(
            "chunks that are none", .notHTTP, sending: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc"),
    ]

    @Test("each fault of a server has its name", arguments: faults, [HTTPMethod.get, .post])
    func fault(fault: Fault, method: HTTPMethod) async throws {
        let server = try ScriptedServer(fault.serve)
        let message = RequestMessage(method: method, path: "/", body: method == .post ? Array("body".utf8) : nil)
        let timeout = fault.code == .timedOut ? Duration.milliseconds(300) : .seconds(20)
        let error = await error(of: message, to: server.baseURL, timeout: timeout)
        #expect(error?.code == fault.code)
        #expect(error.map { "\($0)" } == fault.code.rawValue)
    }

    @Test("the connection is refused")
    func refused() async throws {
        let error = await error(of: RequestMessage(path: "/"), to: "http://127.0.0.1:\(try Command.freePort())")
        #expect(error?.code == .connectionRefused)
        #expect(error?.isUnsent == true)
    }

    @Test("a host without an address; a machine without a network has no network instead")
    func unknownHost() async {
        let error = await error(of: RequestMessage(path: "/"), to: "http://no-such-host.invalid")
        #expect(error?.code == (NetworkRoute.exists ? .hostNotFound : .noNetwork))
    }

    #if canImport(CCurl)
        @Test("without a route every host but this one is out of reach for want of a network")
        func offline() throws {
            func code(_ number: Int, host: String) -> ClientError.Code {
                CurlFailure.code(of: number, url: "http://\(host)/", isOnline: { false })
            }
            #expect(code(6, host: "words.example.org") == .noNetwork)
            #expect(code(7, host: "192.0.2.1:80") == .noNetwork)
            #expect(code(7, host: "127.0.0.1:8080") == .connectionRefused)
            #expect(code(7, host: "[::1]:8080") == .connectionRefused)
            #expect(code(28, host: "words.example.org") == .timedOut)
        }

        @Test("a request that was sent never counts as unsent, even when libcurl's second try is refused")
        func sentBefore() async throws {
            let gate = Gate()
            let server = try ScriptedServer { connection in
                connection.answer(connection.request())
                // The second request on this connection has come, and may be done.
                guard !connection.request().isEmpty else { return }
                gate.pass()
                connection.resetAtEnd()
            }
            let message = RequestMessage(method: .post, path: "/", body: Array("tap".utf8))
            let transport = SystemTransport()
            _ = try await transport.send(message, to: server.baseURL, timeout: .seconds(10))
            let second = Task {
                try await transport.send(message, to: server.baseURL, timeout: .seconds(10))
            }
            #expect(try await eventually { gate.count == 1 })
            server.stopListening()
            gate.open()
            let error = await #expect(throws: ClientError.self) { try await second.value }
            #expect(error?.code == .connectionLost && error?.isUnsent == false)
            #expect((error?.underlying as? CurlFailure)?.number == 7)
        }

        @Test("a request that is given up while its host is looked up does not keep the others waiting")
        func slowLookup() async throws {
            let server = try ScriptedServer { connection in connection.answer(connection.request()) }
            let folder = try TemporaryFolder()
            try folder.write(Array(Self.slowLookup.utf8), to: folder.path + "/slow.c")
            let library = folder.path + "/slow.so"
            try await Command.run(["clang", "-shared", "-fPIC", "-o", library, folder.path + "/slow.c"])
            let output = try await Command.run([
                "env", "LD_PRELOAD=\(library)", QueueProcessTests.program, "look-up", server.baseURL,
            ])
            #expect(output == "timedOut\n200")
        }

        /// Takes the place of the system's function: a host in `.slow` takes a minute to be not found.
        private static let slowLookup = """
            #define _GNU_SOURCE
            #include <dlfcn.h>
            #include <netdb.h>
            #include <string.h>
            #include <unistd.h>

            int getaddrinfo(
                const char *host, const char *service, const struct addrinfo *hints, struct addrinfo **found) {
                int (*next)(const char *, const char *, const struct addrinfo *, struct addrinfo **);
                if (host && strstr(host, ".slow")) {
                    sleep(60);
                    return EAI_AGAIN;
                }
                next = dlsym(RTLD_NEXT, "getaddrinfo");
                return next(host, service, hints, found);
            }
            """

        @Test("an answer cut off at any byte, closed or reset, is a lost connection, and the next one is whole")
        func cuts() async throws {
            let answer =
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nwhole"
            let transport = SystemTransport()
            for count in 0...answer.utf8.count {
                for isReset in [false, true] where count < answer.utf8.count || !isReset {
                    let server = try ScriptedServer { connection in
                        _ = connection.request()
                        connection.send(String(decoding: answer.utf8.prefix(count), as: UTF8.self))
                        if isReset { connection.resetAtEnd() }
                    }
                    let result: Result<HTTPResponse, any Error>
                    do {
                        let message = RequestMessage(method: .post, path: "/", body: Array("tap".utf8))
                        result = .success(
                            try await transport.send(message, to: server.baseURL, timeout: .seconds(10)))
                    } catch {
                        result = .failure(error)
                    }
                    if count == answer.utf8.count {
                        #expect(try result.get().body == Array("whole".utf8))
                        continue
                    }
                    let error = #expect(throws: ClientError.self) { try result.get() }
                    // Of "HTTP/" and less nobody knows what it was to become.
                    let isKnown = error?.code == .connectionLost || count < 16 && error?.code == .notHTTP
                    #expect(isKnown, "\(count) bytes, \(isReset ? "reset" : "closed"): \(String(describing: error))")
                }
            }
        }

        @Test("whatever bytes come, there is an answer or an error")
        func noise() async throws {
            let seed = UInt64.random(in: 0...1_000_000_000)
            let parts = [
                "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200", "HTTP/1.0 404 Not Found\r\n", "HTTP/9.9 200 OK\r\n", "\r\n",
                "\n",
                ":", " ", "Content-Length: 3\r\n", "Content-Length: -1\r\n", "Content-Length: 99999999999999999999\r\n",
                "Transfer-Encoding: chunked\r\n", "Content-Encoding: gzip\r\n", "abc", "3\r\nabc\r\n", "0\r\n\r\n",
                "zz",
                "\u{1}\u{7F}", "Location: /x\r\n", "HTTP/1.1 101 Switching Protocols\r\n", "HTTP/1.1 999 X\r\n",
            ]
            let transport = SystemTransport()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<300 as Range<UInt64> {
                    var random = SplitMix(seed: seed + number)
                    let text = (0..<Int.random(in: 0...8, using: &random))
                        .compactMap { _ in parts.randomElement(using: &random) }.joined()
                    if number >= 20 { try await group.next() }
                    group.addTask {
                        let server = try ScriptedServer { connection in
                            _ = connection.request()
                            connection.send(text)
                        }
                        do {
                            let response = try await transport.send(
                                RequestMessage(path: "/"), to: server.baseURL, timeout: .seconds(10))
                            #expect((200..<600).contains(response.status), "seed \(seed + number)")
                        } catch let error as ClientError {
                            let what = error.underlying.map { "\($0)" } ?? "\(error)"
                            #expect(error.code != .timedOut && error.code != .other, "seed \(seed + number): \(what)")
                        }
                    }
                }
                try await group.waitForAll()
            }
        }

        @Test("a header field without a value, and one that is empty in an answer, are what they are")
        func emptyFields() async throws {
            let server = try ScriptedServer { connection in
                connection.answer(connection.request(), headers: "X-Empty:\r\nX-Blank:  a b \t\r\n")
            }
            let message = RequestMessage(method: .post, path: "/", headers: [HeaderField("X-None", "")])
            let response = try await response(to: message, from: server.baseURL)
            let echo = String(decoding: response.body, as: UTF8.self)
            #expect(echo.contains("\r\nX-None:\r\n") && echo.contains("\r\nContent-Length: 0\r\n"))
            #expect(!echo.contains("Content-Type") && !echo.contains("Expect"))
            #expect(response[header: "x-empty"] == "" && response[header: "x-blank"] == "a b")
        }
    #endif

    // MARK: Answers without end

    /// Zeros, 64 MiB of them, compressed to some 64 KiB.
    private static func bomb() async throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let file = folder.path + "/bomb.gz"
        try await Command.run(["sh", "-c", "head -c 67108864 /dev/zero | gzip -9 > \(file)"])
        return Array(try Data(contentsOf: URL(fileURLWithPath: file)))
    }

    @Test("an answer is taken up to the limit, counted after decompression, and not beyond")
    func tooLarge() async throws {
        let bomb = try await Self.bomb()
        #expect(bomb.count < 1 << 17)
        let server = try ScriptedServer { connection in
            let isPlain = connection.request().hasPrefix("GET /plain")
            if isPlain { return connection.answer(String(repeating: "a", count: 1_000_000)) }
            connection.send(
                "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n")
            connection.send(bomb)
            connection.waitForEnd()
        }
        #expect(await error(of: RequestMessage(path: "/bomb"), to: server.baseURL)?.code == .tooLarge)
        #expect(await error(of: RequestMessage(path: "/plain"), to: server.baseURL) == nil)
        let (small, large) = (
            SystemTransport(maximumResponseSize: 900_000), SystemTransport(maximumResponseSize: 100 << 20)
        )
        let error = await #expect(throws: ClientError.self) {
            try await small.send(RequestMessage(path: "/plain"), to: server.baseURL, timeout: .seconds(10))
        }
        #expect(error?.code == .tooLarge && error?.isUnsent == false)
        // What answered so is not the service.
        #expect(error.map { RetryPolicy.standard.retries(after: $0) } == true)
        let whole = try await large.send(RequestMessage(path: "/bomb"), to: server.baseURL, timeout: .seconds(30))
        #expect(whole.body.count == 64 << 20)
    }

    @Test("a stream may be longer than the limit, but what is unread of it is limited")
    func unread() async throws {
        let bomb = try await Self.bomb()
        let hasEnded = Gate()
        let server = try ScriptedServer { connection in
            if connection.request().hasPrefix("GET /slow") {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n")
                for _ in 0..<9 { connection.send(String(repeating: "a", count: 1000)) }
            } else {
                connection.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n")
                connection.send(bomb)
                connection.waitForEnd()
                hasEnded.open()
                hasEnded.pass()
            }
        }
        let transport = SystemTransport(maximumResponseSize: 1000)
        var size = 0
        for try await part in try transport.stream(
            RequestMessage(path: "/slow"), to: server.baseURL, timeout: .seconds(10))
        {
            if case .content(let bytes) = part { size += bytes.count }
        }
        #expect(size == 9000)
        let stream = try transport.stream(RequestMessage(path: "/bomb"), to: server.baseURL, timeout: .seconds(10))
        // Nothing is read before the transport has given up.
        #expect(try await eventually { hasEnded.count == 1 })
        size = 0
        let error = await #expect(throws: ClientError.self) {
            for try await part in stream { if case .content(let bytes) = part { size += bytes.count } }
        }
        #expect(error?.code == .tooLarge)
        #expect(size <= 16 << 20)
    }

    #if canImport(CCurl)
        @Test("a head without end is too large")
        func endlessHead() async throws {
            let server = try ScriptedServer { connection in
                _ = connection.request()
                connection.send("HTTP/1.1 200 OK\r\n")
                for number in 0..<2000 { connection.send("X-\(number): some value\r\n") }
                connection.waitForEnd()
            }
            let error = await #expect(throws: ClientError.self) {
                try await SystemTransport(maximumResponseSize: 10_000).send(
                    RequestMessage(path: "/"), to: server.baseURL, timeout: .seconds(10))
            }
            #expect(error?.code == .tooLarge)
        }
    #endif

    @Test("TLS to a port without TLS")
    func plainPort() async throws {
        let server = try ScriptedServer { connection in
            _ = connection.request()
            connection.send("HTTP/1.1 400 Bad Request\r\n\r\n")
        }
        // What the client sends first ends in no empty line: the server waits until the client gives up or goes.
        let plain = try ScriptedServer { connection in connection.send("HTTP/1.1 400 Bad Request\r\n\r\n") }
        let secure = plain.baseURL.replacingOccurrences(of: "http:", with: "https:")
        #expect(await error(of: RequestMessage(path: "/"), to: secure)?.code == .tls)
        let silent = server.baseURL.replacingOccurrences(of: "http:", with: "https:")
        #expect(await error(of: RequestMessage(path: "/"), to: silent, timeout: .milliseconds(300))?.code == .timedOut)
    }

    @Test("a certificate that no trusted authority signed")
    func selfSigned() async throws {
        try await withSelfSignedServer { baseURL in
            #expect(await error(of: RequestMessage(path: "/"), to: baseURL)?.code == .tls)
        }
    }

    @Test("no URL, no request: nothing is sent")
    func unsendable() async throws {
        let seen = Gate()
        let server = try ScriptedServer { _ in seen.pass() }
        #expect(await error(of: RequestMessage(path: "x"), to: server.baseURL)?.code == .invalidURL)
        #expect(await error(of: RequestMessage(path: "/"), to: "no url")?.code == .invalidURL)
        let injected = RequestMessage(path: "/", headers: [HeaderField("X", "a\r\nY: b")])
        #expect(await error(of: injected, to: server.baseURL)?.code == .invalidRequest)
        #expect(seen.count == 0)
    }

    @Test("a cancelled request ends at once, before it is sent and while it waits")
    func cancelled() async throws {
        let gate = Gate()
        let server = try ScriptedServer { connection in
            _ = connection.request()
            gate.pass()
        }
        defer { gate.open() }
        let waiting = Task { await error(of: RequestMessage(path: "/"), to: server.baseURL) }
        #expect(try await eventually { gate.count == 1 })
        let start = ContinuousClock.now
        waiting.cancel()
        #expect(await waiting.value?.code == .cancelled)
        #expect(ContinuousClock.now - start < .seconds(5))

        let early = Task {
            while !Task.isCancelled { await Task.yield() }
            return await error(of: RequestMessage(path: "/"), to: server.baseURL)
        }
        early.cancel()
        #expect(await early.value?.code == .cancelled)
        #expect(gate.count == 1)
    }

    @Test("cancellations at any moment leave nothing behind: the next request is answered")
    func cancelledAnyTime() async throws {
        let server = try ScriptedServer { connection in
            while !connection.request().isEmpty { connection.answer("done") }
        }
        let transport = SystemTransport()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let task = Task {
                        try await transport.send(RequestMessage(path: "/"), to: server.baseURL, timeout: .seconds(10))
                    }
                    try? await Task.sleep(for: .microseconds(number * 50))
                    task.cancel()
                    _ = await task.result
                }
            }
        }
        let response = try await transport.send(RequestMessage(path: "/"), to: server.baseURL, timeout: .seconds(10))
        #expect(response.body == Array("done".utf8))
    }

    @Test("what is sent is what was asked: method, target, fields in any number, body")
    func request() async throws {
        let server = try ScriptedServer { connection in connection.answer(connection.request()) }
        let message = RequestMessage(
            method: .patch, path: "/a b", query: [QueryItem("q", "1+1")],
            headers: [HeaderField("X-One", "1"), HeaderField("Content-Type", "text/plain")], body: Array("höher".utf8))
        let echo = String(decoding: try await response(to: message, from: server.baseURL).body, as: UTF8.self)
        #expect(echo.hasPrefix("PATCH /a%20b?q=1%2B1 HTTP/1.1\r\n"))
        #expect(echo.contains("\r\nX-One: 1\r\n"))
        #expect(echo.contains("\r\nContent-Type: text/plain\r\n"))
        #expect(echo.hasSuffix("\r\n\r\nhöher"))
    }

    @Test(
        "answers of any status are answers",
        arguments: [
            ("200 OK", ""), ("204 No Content", ""), ("304 Not Modified", ""), ("404 Not Found", ""),
            ("401 Unauthorized", "WWW-Authenticate: Basic realm=\"x\"\r\n"),
            ("401 Unauthorized", "WWW-Authenticate: Bearer\r\n"), ("429 Too Many Requests", "Retry-After: 7\r\n"),
            ("503 Service Unavailable", ""),
        ])
    func statuses(status: String, headers: String) async throws {
        let hasBody = !status.hasPrefix("204") && !status.hasPrefix("304")
        let server = try ScriptedServer { connection in
            _ = connection.request()
            if hasBody {
                connection.answer("abc", status: status, headers: headers)
            } else {
                connection.send("HTTP/1.1 \(status)\r\n\r\n")
            }
        }
        let response = try await response(to: RequestMessage(path: "/"), from: server.baseURL)
        #expect(status.hasPrefix("\(response.status)"))
        #expect(response.body == (hasBody ? Array("abc".utf8) : []))
        if status.hasPrefix("429") {
            #expect(response[header: "retry-after"] == "7")
        }
    }

    @Test("a redirect is an answer: no other server gets the request", arguments: [301, 302, 303, 307, 308])
    func redirect(status: Int) async throws {
        let elsewhere = Gate()
        let other = try ScriptedServer { _ in elsewhere.pass() }
        defer { elsewhere.open() }
        let server = try ScriptedServer { connection in
            _ = connection.request()
            connection.answer("moved", status: "\(status) Elsewhere", headers: "Location: \(other.baseURL)/\r\n")
        }
        let message = RequestMessage(method: .post, path: "/", headers: [HeaderField("AuthToken", "key")], body: [])
        let response = try await response(to: message, from: server.baseURL)
        #expect(response.status == status)
        #expect(response[header: "location"] == other.baseURL + "/")
        #expect(elsewhere.count == 0)
    }

    @Test("cookies are not kept, and answers not cached")
    func nothingIsKept() async throws {
        let server = try ScriptedServer { connection in
            while case let request = connection.request(), !request.isEmpty {
                connection.answer(request, headers: "Set-Cookie: a=b\r\nCache-Control: max-age=1000\r\n")
            }
        }
        let transport = SystemTransport()
        for _ in 0..<2 {
            let response = try await transport.send(
                RequestMessage(path: "/"), to: server.baseURL, timeout: .seconds(10))
            let echo = String(decoding: response.body, as: UTF8.self).lowercased()
            #expect(echo.hasPrefix("get / "))
            #expect(!echo.contains("cookie"))
        }
    }

    private func response(to message: RequestMessage, from baseURL: String) async throws -> HTTPResponse {
        try await SystemTransport().send(message, to: baseURL, timeout: .seconds(10))
    }

    private func error(
        of message: RequestMessage, to baseURL: String, timeout: Duration = .seconds(10)
    ) async -> ClientError? {
        do {
            _ = try await SystemTransport().send(message, to: baseURL, timeout: timeout)
            return nil
        } catch {
            return error as? ClientError
        }
    }
}
