import HTTPServer
import JulietAPI
import Testing

@testable import JulietServer

@Suite("Answers of /v2 with an ETag")
struct TaggedAnswerTests {
    private func answer(_ fields: Headers = [:]) -> Response {
        .tagged(V2.Problem(.notFound), for: Request(method: .get, path: "/", headers: fields))
    }

    @Test("a client that has it gets a 304, by any list of tags (RFC 9110 §8.8.3, §13.1.2)")
    func known() throws {
        let whole = answer()
        let tag = try #require(whole.headers["ETag"])
        #expect(tag.wholeMatch(of: /"[0-9a-f]{32}"/) != nil)
        for known in [tag, "W/\(tag)", "\"a, b\", \(tag)", "*"] {
            let response = answer(["If-None-Match": known])
            #expect(response.status == .notModified && response.body.bytesAtHand == [], "\(known)")
            for name in ["ETag", "Cache-Control", "Vary"] {
                #expect(response.headers[name] == whole.headers[name])
            }
        }
        for other in ["\"other\"", "", "\"a,*,b\""] {
            #expect(answer(["If-None-Match": other]).body.bytesAtHand == whole.body.bytesAtHand, "\(other)")
        }
    }

    @Test("there are no parts, and no condition but If-None-Match")
    func others() throws {
        let tag = try #require(answer().headers["ETag"])
        #expect(answer(["If-Match": "\"other\""]).status == .ok)
        #expect(answer(["If-Match": "\"other\"", "If-None-Match": tag]).status == .notModified)
        let part = answer(["Range": "bytes=0-1"])
        #expect(part.status == .ok && part.headers["Accept-Ranges"] == "none")
    }
}
