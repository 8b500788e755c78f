import Testing

@testable import HTTPServer

/// Random events in random order. `HTTP_FUZZ_SECONDS` and `HTTP_FUZZ_SEED` as for the fuzz tests.
@Suite("A connection as a value, whatever happens")
struct ConnectionPropertyTests {
    @Test("answers in order and at most once, says nothing after the end, and comes to an end by its deadlines")
    func anything() async throws {
        var fuzzer = Fuzzer()
        try await fuzzer.run(share: 10) { stream, random in
            var model = Self.model(&random)
            model.arriving = Self.input(stream, &random)
            let expected = Reading(of: [model.arriving]).requests
            for _ in 0..<Int.random(in: 1...80, using: &random) {
                Self.event(&model, isCalm: false, &random)
                if let complaint = Self.complaint(about: model, expected) { return complaint }
            }
            // From here on nothing comes but what the handlers do and what the deadlines end.
            for _ in 0..<20 where model.state.isOpen {
                model.takeRequest()
                model.answer()
                model.endStream()
                model.passDeadline()
                if let complaint = Self.complaint(about: model, expected) { return complaint }
            }
            if model.state.isOpen { return "\(model.state.phase) has no end" }
            if model.isReading { return "a reader waits forever" }
            return model.writers == 0 ? nil : "\(model.writers) writers wait forever"
        }
    }

    @Test("every request is answered, up to the last, as long as nothing goes wrong")
    func calm() async throws {
        var fuzzer = Fuzzer()
        try await fuzzer.run(share: 40) { stream, random in
            var model = ConnectionModel()
            model.arriving = Self.input(stream, &random)
            model.hasEndedInput = true
            let expected = Reading(of: [model.arriving])
            for _ in 0..<10_000 where model.state.isOpen && !model.hasEndedOutput {
                Self.event(&model, isCalm: true, &random)
                if let complaint = Self.complaint(about: model, expected.requests) { return complaint }
            }
            guard !model.state.isOpen || model.hasEndedOutput else { return "no end" }
            if model.hasAnnouncedClose, model.refusals.isEmpty { return nil }
            if model.requests != expected.requests { return "answered only \(model.requests) of \(expected)" }
            return expected.error == nil || !model.refusals.isEmpty ? nil : "a broken request without an answer"
        }
    }

    private static func model(_ random: inout Random) -> ConnectionModel {
        var configuration = HTTPServerConfiguration()
        if Bool.random(using: &random) { configuration.streamedBody = { _ in 65536 } }
        configuration.maximumBodySize = Bool.random(using: &random) ? 4 : 65536
        return ConnectionModel(
            configuration, isOverload: Int.random(in: 0..<10, using: &random) == 0,
            isDraining: Int.random(in: 0..<10, using: &random) == 0)
    }

    /// A mutated stream, or a pipeline of sound requests before it.
    private static func input(_ stream: [UInt8], _ random: inout Random) -> [UInt8] {
        var input = ""
        for number in 0..<Int.random(in: 0...4, using: &random) {
            let requests = [
                Raw.get("/\(number)"), "HEAD /\(number) HTTP/1.1\r\nHost: a\r\n\r\n",
                "\r\n" + Raw.post("/\(number)", "hi"),
                Raw.post("/\(number)", "hi", "Expect: 100-continue\r\n"),
                "POST /\(number) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
                "GET /\(number) HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
            ]
            input += requests[Int.random(in: 0..<requests.count, using: &random)]
        }
        return Array(input.utf8) + stream
    }

    /// One event; a calm one loses nothing and does not let time pass.
    private static func event(_ model: inout ConnectionModel, isCalm: Bool, _ random: inout Random) {
        if Int.random(in: 0..<4, using: &random) == 0 { model.readBody() }
        switch Int.random(in: 0..<(isCalm ? 14 : 24), using: &random) {
        case 0...3: model.receive(Int.random(in: 1...60, using: &random))
        case 4, 5: model.takeRequest()
        case 6, 7: model.answer(response(isCalm: isCalm, &random))
        case 8, 9: model.write(Int.random(in: 1...300, using: &random))
        case 10: model.endStream()
        case 11: model.read(Int.random(in: 1...400, using: &random))
        case 12: model.window = Int.random(in: 0...300, using: &random)
        case 13: model.read(.max)
        case 14: model.endStream(failing: true)
        case 15...17: model.pass(.milliseconds(Int.random(in: 0...3000, using: &random)))
        case 18, 19: model.passDeadline()
        case 20: model.hasEndedInput = Bool.random(using: &random)
        case 21 where Int.random(in: 0..<4, using: &random) == 0: model.drain()
        case 22 where Int.random(in: 0..<8, using: &random) == 0: model.hangUp()
        default: model.receive()
        }
    }

    private static func response(isCalm: Bool, _ random: inout Random) -> Response {
        switch Int.random(in: 0..<(isCalm ? 5 : 6), using: &random) {
        case 0: Response()
        case 1: Response(status: 204)
        case 2, 3: Response(body: .stream { _ in })
        case 5: Response(headers: ["Connection": "close"])
        default: .text("ok")
        }
    }

    private static func complaint(about model: ConnectionModel, _ expected: [String]) -> String? {
        if let complaint = model.complaints.first { return complaint }
        var requests = model.requests
        if model.streams {
            // The last one's body may break off, and others need not have been read.
            guard requests.count <= expected.count + 1 else { return "\(requests) instead of \(expected)" }
            if requests.count > expected.count { requests.removeLast() }
            for (request, expected) in zip(requests, expected) where !expected.hasPrefix(request) {
                return "\(request) instead of \(expected)"
            }
            guard !model.requests.isEmpty, model.requests.count <= expected.count,
                case .bytes(let body) = model.pieces.first
            else { return nil }
            let last = expected[model.requests.count - 1]
            let whole = last.split(separator: " =", maxSplits: 1).dropFirst().first ?? ""
            let text = String(decoding: body, as: UTF8.self)
            if !whole.hasPrefix(text) { return "the body \(text) instead of \(whole)" }
            return model.pieces.last == .end && text != whole ? "the body ends at \(text) of \(whole)" : nil
        }
        return expected.starts(with: requests) ? nil : "\(requests) instead of \(expected)"
    }
}
