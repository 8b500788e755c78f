import TestSupport
import Testing

/// `/c/{code}`, as programs read it that show where a link leads.
@Suite("Links to challenges", .everyLayout)
struct ChallengeLinkTests {
    /// A service of its own, because unknown codes are counted.
    private func service(_ settings: [String: String] = [:]) async throws -> (TestService, TestDatabase) {
        let database = try await TestDatabase.create()
        return (try await TestService.start(settings, on: database), database)
    }

    /// Makes a challenge and returns its code.
    private func make(
        _ client: V2Client, _ body: String = #"{"word": "crane"}"#, basePath: String = ""
    ) async throws -> String {
        let reply = try await client.post("\(basePath)/v2/challenges", body)
        #expect(reply.status == 201, "\(reply)")
        return reply.json.challenge.code.text
    }

    private func open(
        _ code: String, on service: TestService, basePath: String = "", method: String = "GET", fields: [String] = []
    ) async throws -> HTTPReply {
        let head = ["\(method) \(basePath)/c/\(code) HTTP/1.1", "Host: juliet.test"] + fields
        let request = Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8)
        return try await service.exchange(request, isHead: method == "HEAD")
    }

    /// What the head of a page says, by the names of its elements.
    private func head(_ reply: HTTPReply) throws -> [String: String] {
        let head = try #require(reply.text.split(separator: "</head>").first)
        var texts = ["lang": String(head.firstMatch(of: #/<html lang="([a-z]+)"/#)?.1 ?? "")]
        texts["title"] = head.firstMatch(of: #/<title>([^<]*)</title>/#).map { String($0.1) }
        for match in head.matches(of: #/<meta (?:name|property)="([^"]+)" content="([^"]*)">/#) {
            texts[String(match.1)] = String(match.2)
        }
        return texts
    }

    @Test(
        "the head says who challenges, how many letters, and until which day, in two languages; nothing tells the word")
    func running() async throws {
        let (service, database) = try await service(["game.timeZone": "Pacific/Kiritimati"])
        let ada = try await V2Client.player(on: service, named: "Ada")
        let code = try await make(ada)
        let day = try await database.psql(
            "SELECT to_char(ends_at AT TIME ZONE 'Pacific/Kiritimati', 'FMDD FMMonth YYYY') FROM challenges")
        let reply = try await open(code, on: service)
        #expect(reply.status == 200)
        #expect(reply["Cache-Control"] == "no-store")
        #expect(reply["Content-Type"] == "text/html; charset=utf-8")
        #expect(reply["Content-Security-Policy"]?.hasPrefix("default-src 'none'; script-src 'self'; ") == true)
        #expect(reply["X-Request-Id"]?.isEmpty == false)
        let texts = try head(reply)
        #expect(texts["lang"] == "en")
        #expect(texts["title"] == "Ada challenges you · Juliet" && texts["og:title"] == texts["title"])
        #expect(texts["og:description"] == "A word of 5 letters. You can play until \(day).")
        #expect(texts["description"] == texts["og:description"])
        #expect(texts["og:type"] == "website")
        #expect(texts["og:url"] == "http://juliet.test/c/\(code)")
        let image = try #require(texts["og:image"])
        let picture = try await service.exchange(
            Array("GET \(image.trimmingPrefix("http://juliet.test")) HTTP/1.1\r\nHost: h\r\n\r\n".utf8))
        #expect(picture.status == 200 && picture["Content-Type"] == "image/png")
        #expect(picture["Cache-Control"]?.hasPrefix("public") == true)

        let german = try await open(code, on: service, fields: ["Accept-Language: de-DE,de;q=0.9,en;q=0.7"])
        #expect(try head(german)["lang"] == "de")
        #expect(try head(german)["og:title"] == "Ada fordert dich heraus · Juliet")
        #expect(try head(german)["og:description"]?.hasPrefix("Ein Wort mit 5 Buchstaben. Du kannst bis zum ") == true)
        // A session changes nothing, not even its maker's.
        let own = try await open(code, on: service, fields: ["Authorization: Bearer \(ada.token ?? "")"])
        #expect(own.text == reply.text)
        let salt = try await database.psql("SELECT replace(salt::text, '-', '') FROM challenges")
        for page in [reply, german] {
            #expect(!page.text.lowercased().contains("crane") && !page.text.contains(salt))
        }

        let spelled = try await open(
            "%20\(code.lowercased().replacing("-", with: ""))", on: service, fields: ["Accept-Language: en"])
        #expect(spelled.text == reply.text)
        let onlyHead = try await open(code, on: service, method: "HEAD")
        #expect(onlyHead.status == 200 && onlyHead.body.isEmpty)
        #expect(onlyHead["Content-Length"] == "\(reply.body.count)" && onlyHead["Cache-Control"] == "no-store")
        try await service.stop()
    }

    @Test("what ends at midnight ends with the day before; what is over says so, as long as it is not deleted")
    func over() async throws {
        let (service, database) = try await service(["game.timeZone": "America/New_York"])
        let ada = try await V2Client.player(on: service, named: "Ada")
        let code = try await make(ada)
        let day = try await database.psql(
            """
            UPDATE challenges
            SET ends_at = ((now() AT TIME ZONE 'America/New_York')::date + 20)::timestamp AT TIME ZONE 'America/New_York';
            SELECT to_char((now() AT TIME ZONE 'America/New_York')::date + 19, 'FMDD FMMonth YYYY')
            """)
        #expect(
            try head(await open(code, on: service))["og:description"]
                == "A word of 5 letters. You can play until \(day).")

        try await database.psql("UPDATE challenges SET ends_at = now()")
        let over = try await open(code, on: service)
        #expect(over.status == 200)
        #expect(
            try head(over)["og:description"]?.hasPrefix("A word of 5 letters. The challenge ended on ") == true)
        #expect(!over.text.lowercased().contains("crane"))

        #expect(try await ada.delete("/v2/players/me").status == 204)
        #expect(try head(await open(code, on: service))["og:title"] == "A challenge · Juliet")
        try await database.psql("UPDATE challenges SET deleted_at = now()")
        let gone = try await open(code, on: service)
        #expect(gone.status == 404 && gone["Cache-Control"] == "no-store")
        #expect(try head(gone)["og:title"] == "No such challenge · Juliet")
        try await service.stop()
    }

    @Test("a name is text, whatever stands in it")
    func names() async throws {
        let (service, _) = try await service()
        let code = try await make(V2Client.player(on: service, named: #"<b>&'\"דנה"#))
        let reply = try await open(code, on: service)
        #expect(try head(reply)["title"] == "\u{2068}&lt;b&gt;&amp;&#39;&quot;דנה\u{2069} challenges you · Juliet")
        #expect(!reply.text.contains("<b>"))
        try await service.stop()
    }

    @Test("unknown and malformed codes are 404, and count with those of /v2: thirty of them, and every code is 429")
    func unknown() async throws {
        let (service, _) = try await service()
        let ada = try await V2Client.player(on: service)
        let code = try await make(ada)
        for number in 0..<10 {
            #expect(try await open(code, on: service).status == 200, "one that exists never counts")
            let unknown = try await open("AAAA-AAA\(number)", on: service)
            #expect(unknown.status == 404 && unknown["Cache-Control"] == "no-store")
            #expect(try head(unknown)["description"] == "This challenge was deleted, or never existed.")
            #expect(
                unknown.text.contains("<html lang=\"en\" data-unknown "),
                "the page does not ask again, and count it twice")
            let malformed = try await open("%3Cx%3E\(number)", on: service, fields: ["Accept-Language: de"])
            #expect(malformed.status == 404 && malformed["Content-Type"] == "text/html; charset=utf-8")
            #expect(try head(malformed)["title"] == "Keine Herausforderung · Juliet")
            #expect(try await ada.get("/v2/challenges/x\(number)").summary == "404 not-found")
        }
        for other in [code, "x"] {
            let refused = try await open(other, on: service)
            #expect(refused.status == 429 && refused["Content-Type"] == "text/html; charset=utf-8")
            #expect((500...600).contains(Int(refused["Retry-After"] ?? "") ?? 0))
            #expect(try head(refused)["title"] == "A challenge · Juliet", "not what the link leads to")
        }
        #expect(try await ada.get("/v2/challenges/\(code)").summary == "429 too-many-requests")
        try await service.stop()
    }

    @Test("below a base path links are there, and their addresses are of the origin that the settings name")
    func basePath() async throws {
        let service = try await TestService.shared(.basePath)
        let ada = try await V2Client.newcomer(on: service).post("/prod/v2/players", "{}").client
        let code = try await make(ada, basePath: "/prod")
        let reply = try await open(code, on: service, basePath: "/prod")
        #expect(reply.status == 200)
        #expect(try head(reply)["og:url"] == "https://juliet.example/prod/c/\(code)")
        #expect(try head(reply)["og:image"]?.hasPrefix("https://juliet.example/prod/pages/") == true)
        for match in reply.text.matches(of: #/(?:src|href)="([^"#]*pages\/[^"]+)"/#) {
            let part = try await service.exchange(Array("GET \(match.1) HTTP/1.1\r\nHost: h\r\n\r\n".utf8))
            #expect(part.status == 200, "\(match.1)")
        }
    }

    @Test(
        "without the page or without challenges there is nothing",
        arguments: [["web.enabled": "false"], ["play.challenges": "off"]])
    func off(settings: [String: String]) async throws {
        let (service, _) = try await service(settings)
        let reply = try await open("AAAA-AAAA", on: service)
        #expect(reply.status == 404)
        #expect(reply.text == (try await service.exchange(Array("GET /x HTTP/1.1\r\nHost: h\r\n\r\n".utf8))).text)
        try await service.stop()
    }
}
