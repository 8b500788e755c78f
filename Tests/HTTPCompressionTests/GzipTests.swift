import CZlib
import EventLoop
import HTTPCompression
import HTTPServer
import HTTPServerTesting
import TestSupport
import Testing

@Suite("Compression", .timeLimit(.minutes(1)))
struct GzipTests {
    private static let text = (0..<20_000).map { "line \($0)\n" }.joined()

    /// What zlib makes of the bytes; nil if they are not one whole stream.
    private static func decoded(_ bytes: [UInt8], whole: Bool = true) -> String? {
        var stream = z_stream()
        guard CZlib_beginGunzip(&stream) == Z_OK else { return nil }
        defer { inflateEnd(&stream) }
        var (input, output, status) = (bytes, [UInt8](), Z_OK)
        var buffer = [UInt8](repeating: 0, count: 65536)
        input.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(input.count)
            repeat {
                buffer.withUnsafeMutableBufferPointer { buffer in
                    stream.next_out = buffer.baseAddress
                    stream.avail_out = UInt32(buffer.count)
                    status = inflate(&stream, Z_NO_FLUSH)
                    output += buffer[..<(buffer.count - Int(stream.avail_out))]
                }
            } while status == Z_OK && stream.avail_out == 0
        }
        guard !whole || status == Z_STREAM_END && stream.avail_in == 0 else { return nil }
        return String(decoding: output, as: UTF8.self)
    }

    private func request(_ headers: Headers = ["Accept-Encoding": "gzip"]) -> Request {
        Request(method: .get, path: "/", headers: headers)
    }

    private func response(_ headers: Headers = ["Content-Type": "application/json"], status: HTTPStatus = .ok)
        -> Response
    {
        Response(status: status, headers: headers, body: .bytes(Array(Self.text.utf8)))
    }

    private func bytes(_ response: Response) -> [UInt8] { response.body.bytesAtHand ?? [] }

    @Test("what is compressed can be read, is smaller, and says so")
    func compressed() async {
        for level in [-1, 1, 6, 99] {
            let answer = await response(["Content-Type": "text/plain", "ETag": "\"a\"", "Accept-Ranges": "bytes"])
                .gzipped(for: request(), level: level)
            #expect(Self.decoded(bytes(answer)) == Self.text)
            #expect(bytes(answer).count < Self.text.utf8.count / 2)
            #expect(answer.headers["Content-Encoding"] == "gzip" && answer.headers["Vary"] == "Accept-Encoding")
            #expect(answer.headers["ETag"] == "W/\"a\"" && !answer.headers.contains("Accept-Ranges"))
        }
        let shared = Response(
            headers: ["Content-Type": "text/plain"], body: .shared(SharedBytes(Array(Self.text.utf8))))
        #expect(Self.decoded(bytes(await shared.gzipped(for: request()))) == Self.text)
        #expect(Self.decoded(GzipEncoder.compressed([])) == "")
    }

    @Test("what is left as it is; Vary tells of what another client might get")
    func leftAlone() async {
        for (headers, accept, varies) in [
            (["Content-Type": "text/plain"], [:], true),
            (["Content-Type": "text/plain"], ["Accept-Encoding": "gzip;q=0, br"], true),
            (["Content-Type": "text/plain"], ["Accept-Encoding": "identity, gzip;q=0.5"], true),
            (["Content-Type": "image/png"], ["Accept-Encoding": "gzip"], false),
            ([:], ["Accept-Encoding": "gzip"], false),
            (["Content-Type": "text/plain", "Content-Encoding": "br"], ["Accept-Encoding": "gzip"], false),
            (
                ["Content-Type": "text/plain", "Cache-Control": "max-age=1, No-Transform"], ["Accept-Encoding": "gzip"],
                false
            ),
        ] as [(Headers, Headers, Bool)] {
            let answer = await response(headers).gzipped(for: request(accept))
            #expect(bytes(answer) == Array(Self.text.utf8))
            #expect(answer.headers["Content-Encoding"] == headers["Content-Encoding"])
            #expect(answer.headers.contains("Vary") == varies)
        }
        let small = Response(headers: ["Content-Type": "text/plain"], body: .bytes(Array(repeating: 0x61, count: 1023)))
        #expect(await small.gzipped(for: request()).headers.count == 1)
        #expect(await response(status: .partialContent).gzipped(for: request()).headers.count == 1)
        var random = SystemRandomNumberGenerator()
        let noise = (0..<2000).map { _ in UInt8.random(in: 0...255, using: &random) }
        let incompressible = Response(headers: ["Content-Type": "text/plain"], body: .bytes(noise))
        #expect(bytes(await incompressible.gzipped(for: request())) == noise)
    }

    @Test("a 304 has the Vary and the ETag of the answer that it stands for")
    func notModified() async {
        for (headers, accept, etag, varies) in [
            (["ETag": "\"a\""], ["Accept-Encoding": "gzip"], "W/\"a\"", true),
            (["ETag": "W/\"a\""], ["Accept-Encoding": "gzip"], "W/\"a\"", true),
            (["ETag": "\"a\""], [:], "\"a\"", true),
            (["ETag": "\"a\"", "Cache-Control": "no-transform"], ["Accept-Encoding": "gzip"], "\"a\"", false),
        ] as [(Headers, Headers, String, Bool)] {
            let answer = await Response(status: .notModified, headers: headers).gzipped(for: request(accept))
            #expect(answer.headers["ETag"] == etag && answer.headers.contains("Vary") == varies)
            #expect(answer.status == .notModified && bytes(answer) == [])
        }
    }

    @Test("the middleware leaves alone what looks private (BREACH)")
    func privacy() async {
        let middleware = gzip()
        for (asked, answered, isCompressed) in [
            ([:], [:], true), (["Authorization": "Bearer a"], [:], false), (["Cookie": "a=b"], [:], false),
            ([:], ["Set-Cookie": "a=b"], false), ([:], ["Cache-Control": "Private, max-age=3"], false),
            ([:], ["Cache-Control": "no-store"], false), ([:], ["Cache-Control": "public"], true),
        ] as [(Headers, Headers, Bool)] {
            var (asks, answers) = (asked, answered)
            asks.append("Accept-Encoding", "gzip")
            answers.append("Content-Type", "text/plain")
            let given = response(answers)
            let answer = await middleware(request(asks)) { _ in given }
            #expect(answer.headers.contains("Content-Encoding") == isCompressed)
        }
    }

    @Test("a stream can be read piece by piece, over a socket and by curl; one that breaks off does not look whole")
    func streams() async throws {
        let loop = try EventLoop(label: "test")
        defer { loop.shutdown() }
        var router = Router()
        router.group(middleware: [gzip()]) { group in
            group.on(.get, "/pieces") { _ in
                Response(
                    headers: ["Content-Type": "text/event-stream"],
                    body: .stream { writer in
                        for number in 0..<3 { try await writer.write("piece \(number)\n") }
                        try await writer.write(Self.text)
                    })
            }
            group.on(.get, "/breaks") { _ in
                Response(
                    headers: ["Content-Type": "text/plain"],
                    body: .stream { writer in
                        try await writer.write("half")
                        throw CancellationError()
                    })
            }
            group.on(.get, "/large") { _ in response() }
        }
        let server = HTTPServer(loops: [loop], router: router)
        let address = try await server.start()
        let client = try await HTTPTestClient.connect(to: address, on: loop)
        await client.send("GET /pieces HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n")
        let expected = "piece 0\npiece 1\npiece 2\n" + Self.text
        #expect(Self.decoded(try await client.response().body) == expected)
        await client.send("GET /breaks HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n")
        await #expect(throws: HTTPTestError.self) { try await client.response() }
        for path in ["pieces", "large"] {
            let text = try await Command.run([
                "curl", "--silent", "--show-error", "--noproxy", "*", "--max-time", "20", "--compressed",
                "http://\(address)/\(path)",
            ])
            #expect(text + "\n" == (path == "large" ? Self.text : expected))
        }
        await client.close()
        await server.shutdown()
    }

    @Test("what was flushed can be decoded before the end; the pieces of any sizes come to the same")
    func pieces() {
        let encoder = GzipEncoder()
        var sent = encoder.encode(Array("hello".utf8), flush: .all)
        #expect(Self.decoded(sent, whole: false) == "hello")
        sent += encoder.encode(Array(Self.text.utf8), flush: .none)
        sent += encoder.encode([], flush: .all)
        sent += encoder.encode([], flush: .all)
        #expect(Self.decoded(sent, whole: false) == "hello" + Self.text)
        sent += encoder.encode(Array("end".utf8), flush: .end)
        #expect(Self.decoded(sent) == "hello" + Self.text + "end")
    }
}
