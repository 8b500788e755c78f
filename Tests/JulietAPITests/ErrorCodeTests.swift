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
                "auth.required 401", "auth.invalid 401",
                "user.unknown 404", "word.unknown 404", "product.unknown 404", "energy.insufficient 404",
                "energy.clientUpdates.refused 404",
                "http.badRequest 400", "http.notFound 404", "http.methodNotAllowed 405", "http.requestTimeout 408",
                "http.bodyTooLarge 413",
                "http.targetTooLong 414", "http.expectationFailed 417", "http.tooManyRequests 429",
                "http.headTooLarge 431",
                "http.methodUnknown 501", "http.versionNotSupported 505",
                "server.internal 500", "server.overloaded 503", "server.unavailable 503",
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

    @Test(
        "a bare HTTP status has a code",
        arguments: [
            (400, ErrorCode.badRequest), (401, .authRequired), (404, .notFound), (405, .methodNotAllowed),
            (408, .requestTimeout),
            (413, .bodyTooLarge), (414, .targetTooLong), (417, .expectationFailed), (418, .badRequest),
            (422, .badRequest),
            (429, .tooManyRequests), (431, .headTooLarge), (500, .serverInternal), (501, .methodUnknown),
            (502, .serverInternal),
            (503, .serverOverloaded), (504, .serverInternal), (505, .versionNotSupported), (599, .serverInternal),
        ])
    func statuses(status: Int, code: ErrorCode) {
        #expect(ErrorCode(httpStatus: status) == code)
    }
}
