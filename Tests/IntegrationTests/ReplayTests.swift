import JulietAPI
import TestSupport
import Testing

/// The published app's requests, byte for byte, against a fresh service each time.
@Suite("Replay of the published app", .everyLayout)
struct ReplayTests {
    /// How the bytes of a request are cut into segments.
    enum Segments: String, CaseIterable {
        case whole, headAndBody, bytes

        func cut(_ request: AppRequest) -> [[UInt8]] {
            switch self {
            case .whole: [request.head + request.body]
            case .headAndBody: [request.head, request.body]
            case .bytes: (request.head + request.body).map { [$0] }
            }
        }
    }

    @Test("answers the app can decode, on one connection", arguments: Segments.allCases)
    func replay(segments: Segments) async throws {
        let requests = try AppRequest.recorded()
        let service = try await TestService.start(on: .create())
        let port = service.port
        let replies = try await offPool {
            let connection = try ClientConnection(port: port)
            return try requests.map { request in
                for segment in segments.cut(request) {
                    try connection.send(segment)
                }
                return try connection.receive()
            }
        }
        try await service.stop()
        try check(zip(requests, replies), secrets: service.secrets)
    }

    @Test("the same on a connection for each request, and pipelined on one")
    func connections() async throws {
        let requests = try AppRequest.recorded()
        let service = try await TestService.start(on: .create())
        var replies: [HTTPReply] = []
        for request in requests {
            replies.append(try await service.exchange(request.head + request.body))
        }
        try await service.stop()
        try check(zip(requests, replies), secrets: service.secrets)

        let second = try await TestService.start(on: .create())
        let port = second.port
        let pipelined = try await offPool {
            let connection = try ClientConnection(port: port)
            try connection.send(requests.flatMap { $0.head + $0.body })
            return try requests.map { _ in try connection.receive() }
        }
        try await second.stop()
        try check(zip(requests, pipelined), secrets: second.secrets)
    }

    /// What the recorded requests are answered in their order: 30 energy, a game, two purchases, a game.
    private func check(_ exchanges: some Sequence<(AppRequest, HTTPReply)>, secrets: Set<String>) throws {
        var texts: [String] = []
        for (request, reply) in exchanges {
            let answer = try reply.answer(to: request.type)
            #expect(reply.status == 200)
            #expect(reply["Content-Type"] == "application/json")
            let word = answer.secretWord.joined()
            #expect(answer.secretWord.isEmpty || secrets.contains(word.lowercased()))
            let letters = "[" + answer.secretWord.map { "\"\($0)\"" }.joined(separator: ",") + "]"
            texts.append(answer.secretWord.isEmpty ? reply.text : reply.text.replacing(letters, with: "*"))
        }
        #expect(
            texts == [
                #"{"lambdaInvocationHttpsStatusCode":200,"body":{"dynamoDBInvocationHttpsStatusCode":200}}"#,
                #"{"lambdaInvocationHttpsStatusCode":200,"body":{"dynamoDBInvocationHttpsStatusCode":200,"userWins":0}}"#,
                #"{"lambdaInvocationHttpsStatusCode":200,"body":{"dynamoDBInvocationHttpsStatusCode":200,"userEnergy":25,"secretWord":*}}"#,
                #"{"lambdaInvocationHttpsStatusCode":200,"body":{"dynamoDBInvocationHttpsStatusCode":200}}"#,
                #"{"lambdaInvocationHttpsStatusCode":200,"body":{"dynamoDBInvocationHttpsStatusCode":200,"userWins":1}}"#,
                #"{"lambdaInvocationHttpsStatusCode":200,"body":{"secretWord":*}}"#,
                #"{"lambdaInvocationHttpsStatusCode":200,"body":{"dynamoDBInvocationHttpsStatusCode":200,"userEnergy":30}}"#,
                #"{"lambdaInvocationHttpsStatusCode":200,"body":{"dynamoDBInvocationHttpsStatusCode":200,"userEnergy":60}}"#,
                #"{"lambdaInvocationHttpsStatusCode":200,"body":{"dynamoDBInvocationHttpsStatusCode":200,"userEnergy":55}}"#,
            ])
    }
}
