import JulietAPI
import TestSupport
import Testing

@Suite("The recorded requests", .everyLayout)
struct AppRequestTests {
    @Test("all nine are read, each with the length its head states")
    func wellFormed() throws {
        let requests = try AppRequest.recorded()
        #expect(
            requests.map(\.name) == [
                "initialRegistration", "fetchUserWins", "statNewGameSession", "updateUserPlayedWordsList",
                "updateUserWins",
                "fetchNewSecretWord", "handleEnergyPurchase 5", "handleEnergyPurchase 30", "singleGameEnergyUpdate",
            ])
        for request in requests {
            let head = String(decoding: request.head, as: UTF8.self)
            #expect(head.hasPrefix("POST /Juliet_"))
            #expect(head.hasSuffix("\r\nContent-Length: \(request.body.count)\r\n\r\n"))
        }
    }

    @Test("each is decoded strictly at the URL it was sent to")
    func decoded() throws {
        for request in try AppRequest.recorded() {
            let type = try #require(request.type)
            #expect(request.name.hasPrefix(type.name))
            #expect(String(decoding: request.head, as: UTF8.self).hasPrefix("POST \(type.endpoint.path) HTTP/1.1\r\n"))
            let decoded = try GameRequest.decode(request.body.span, at: type.endpoint)
            #expect(decoded.userID == "6A1F0C1E-4B52-4C8E-9A55-0E2D7C0B1231")
        }
    }
}
