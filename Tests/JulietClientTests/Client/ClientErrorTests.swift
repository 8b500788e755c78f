import JulietClient
import Testing

@Suite("Client errors")
struct ClientErrorTests {
    private func refusal(_ status: Int, _ body: String) -> ClientError.Refusal {
        ClientError.Refusal(reading: HTTPResponse(status: status, body: Array(body.utf8)))
    }

    @Test("the envelope's error and problem details are read; anything else is a status alone")
    func reading() {
        let envelope = refusal(
            404,
            #"{"lambdaInvocationHttpsStatusCode":200,"body":{"dynamoDBInvocationHttpsStatusCode":404},"error":{"code":"energy.insufficient","message":"Not enough."}}"#
        )
        #expect(envelope.code == "energy.insufficient")
        #expect(envelope.message == "Not enough.")
        let problem = refusal(409, #"{"type":"/p","title":"T","status":409,"detail":"D","code":"game-over"}"#)
        #expect(problem.code == "game-over")
        #expect(problem.message == "D")
        #expect(envelope.isOfService && !problem.isOfService)
        #expect(
            refusal(409, #"{"type":"/problems/game-over","title":"T","status":409,"code":"game-over"}"#).isOfService)
        #expect(
            !refusal(404, #"{"type":"/problems/game-over","title":"T","status":409,"code":"game-over"}"#).isOfService)
        let gateway = refusal(403, #"{"error":{"code":"AccessDenied","message":"No."}}"#)
        #expect(gateway.code == "AccessDenied" && !gateway.isOfService)
        for body in ["", "<html>", "[]", #"{"error":"no"}"#, #"{"message":"Forbidden"}"#] {
            let other = refusal(502, body)
            #expect(other.status == 502)
            #expect(other.code == nil)
            #expect(other.message == nil)
            #expect(other.response.body == Array(body.utf8))
        }
    }

    @Test("descriptions say what kind of error it is, and nothing anybody sent")
    func descriptions() {
        let secret = HTTPResponse(
            status: 401, headers: [HeaderField("Set-Cookie", "secret")], body: Array("secret".utf8))
        let errors: [(ClientError, String)] = [
            (ClientError(.timedOut), "timedOut"),
            (ClientError(.decoding, codingPath: ["games", "0"]), "decoding at games.0"),
            (ClientError(.decoding), "decoding"),
            (
                ClientError(
                    ClientError.Refusal(status: 401, code: "auth.invalid", message: "secret", response: secret)),
                "refused 401 auth.invalid"
            ),
            (
                ClientError(ClientError.Refusal(status: 500, code: "a secret\nline", response: secret)), "refused 500"
            ),
            (ClientError(ClientError.Refusal(status: 418, response: secret)), "refused 418"),
            (ClientError(.other, underlying: ClientError(.tls)), "other"),
        ]
        for (error, text) in errors {
            #expect("\(error)" == text)
            #expect(String(reflecting: error) == text)
        }
    }

    @Test("a success is 200..<300 and 304")
    func success() {
        let successes = (100..<600).filter { HTTPResponse(status: $0).isSuccess }
        #expect(successes == Array(200..<300) + [304])
    }
}
