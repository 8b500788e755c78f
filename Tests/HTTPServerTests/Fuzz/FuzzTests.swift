import EventLoop
import HTTPServerTesting
import Testing

@testable import HTTPServer

@Suite("Fuzzing", .serialized)
struct FuzzTests {
    @Test("whatever comes: no crash, the same reading however it is split, and nothing the RFCs forbid is let in")
    func parser() async throws {
        var fuzzer = Fuzzer()
        let limits = ParserLimits(requestLineSize: 120, headSize: 400, fieldCount: 12, bodySize: 64)
        try await fuzzer.run { stream, random in
            let whole = Reading(of: [stream], limits)
            let split = Reading(of: random.pieces(of: stream), limits)
            guard whole == split else { return "whole: \(whole), in pieces: \(split)" }
            return Oracle.complaint(about: stream, limits)
        }
    }

    @Test("whatever comes: a body that is handed over as it comes is the one that is gathered first")
    func streamedBodies() async throws {
        var fuzzer = Fuzzer()
        let gathered = ParserLimits(requestLineSize: 120, headSize: 400, fieldCount: 12, bodySize: 64)
        let streamed = ParserLimits(
            requestLineSize: 120, headSize: 400, fieldCount: 12, bodySize: 0, streamedBody: { _ in 64 })
        try await fuzzer.run { stream, random in
            let whole = Reading(of: [stream], gathered)
            let pieces = Reading(streaming: random.pieces(of: stream), streamed)
            // One that is announced to be too large is refused by its head, not by the byte that does not fit.
            guard whole == pieces || whole.requests == pieces.requests && pieces.error == .bodyTooLarge else {
                return "gathered: \(whole), streamed: \(pieces)"
            }
            return nil
        }
    }

    @Test("whatever comes: each request gets a response, a broken one the last", .timeLimit(.minutes(60)))
    func connection() async throws {
        let loop = try EventLoop(label: "fuzz")
        defer { loop.shutdown() }
        var fuzzer = Fuzzer()
        try await fuzzer.run(share: 100) { stream, random in
            let client = await HTTPTestClient.inProcess(on: loop) { request in Response(body: .bytes(request.body)) }
            for piece in random.pieces(of: stream) { await client.send(piece) }
            await client.endOutput()
            let bytes = await client.rest()
            await client.close()
            return Oracle.complaint(aboutResponses: bytes, to: stream)
        }
    }
}
