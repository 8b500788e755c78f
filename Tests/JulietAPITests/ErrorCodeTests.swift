import JulietAPI
import Testing

@Suite("Error codes")
struct ErrorCodeTests {
    @Test("codes and statuses are stable")
    func stable() {
        let table = ErrorCode.allCases.map { "\($0.rawValue) \($0.status)" }
        #expect(
            table == [
                "request.json.malformed 400", "request.json.notAnObject 400", "request.json.duplicateName 400",
                "request.json.tooDeep 400",
                "request.type.missing 400", "request.type.invalid 400", "request.type.unknown 400",
                "request.type.misplaced 400",
                "request.parameter.missing 400", "request.parameter.invalid 400", "request.idempotencyKey.invalid 400",
                "request.idempotencyKey.reused 422", "request.tooMany 429",
                "origin.refused 403", "auth.required 401", "auth.invalid 401",
                "user.unknown 404", "word.unknown 404", "product.unknown 404", "energy.insufficient 404",
                "energy.full 404", "energy.clientUpdates.refused 404", "wins.full 404",
                "server.internal 500", "server.overloaded 503", "server.unavailable 503",
                "server.withoutWords 503",
            ])
    }

    @Test("every message is one sentence or more for people", arguments: ErrorCode.allCases)
    func messages(code: ErrorCode) {
        #expect(code.message.hasSuffix("."))
        #expect(
            code.message.first?.isUppercase == true || code.message.hasPrefix("\"requestType\"")
                || code == .idempotencyKeyInvalid)
        #expect(code.message.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F })
    }
}
