import Foundation
import HTTPServer
import JulietAPI
import JulietClient
import JulietServer
import TestSupport
import Testing

/// `/openapi.json` and the page of it.
@Suite("The description of the API", .defaultLayout("about what is written"))
struct DescriptionTests {
    private func get(_ path: String, on service: TestService, fields: [String] = []) async throws -> HTTPReply {
        let head = ["GET \(path) HTTP/1.1", "Host: h"] + fields
        return try await service.exchange(Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8))
    }

    @Test("docs/openapi.json is what the service says")
    func checkedIn() async throws {
        let reply = try await get("/openapi.json", on: TestService.shared(.standard))
        let written = try Array(Data(contentsOf: APIDocument.file))
        guard reply.body != written else { return }
        let new = APIDocument.file.deletingLastPathComponent().appending(path: "../.build/openapi.json").standardized
        try Data(reply.body).write(to: new)
        Issue.record("The description has changed. If it is meant: cp \(new.path) docs/openapi.json")
    }

    @Test("it is JSON for everybody, and is not sent again to whom has it")
    func headers() async throws {
        let service = try await TestService.shared(.standard)
        let reply = try await get("/openapi.json", on: service)
        #expect(reply.status == 200)
        #expect(reply["Content-Type"] == "application/json")
        #expect(reply["Access-Control-Allow-Origin"] == "*")
        let tag = try #require(reply["ETag"])
        let again = try await get("/openapi.json", on: service, fields: ["If-None-Match: \(tag)"])
        #expect(again.status == 304 && again.body.isEmpty)
        #expect(again["Access-Control-Allow-Origin"] == "*", "a page that asks by itself may read this, too")
    }

    @Test("the page of it is read below the same rules as the one that plays, and asks for nothing that is not here")
    func page() async throws {
        let service = try await TestService.shared(.standard)
        let reply = try await get("/docs", on: service)
        #expect(reply.status == 200)
        #expect(reply["Content-Type"] == "text/html; charset=utf-8")
        #expect(reply["Content-Security-Policy"]?.hasPrefix("default-src 'none'; script-src 'self'; ") == true)
        let links = reply.text.matches(of: #/(?:href|src)="(?<target>[^"#]+)"/#).map(\.target)
        #expect(links.contains("openapi.json"))
        for link in links {
            #expect(try await get("/" + link.drop { $0 == "." || $0 == "/" }, on: service).status == 200, "\(link)")
        }
        // Each operation and each type has an address of its own in the page.
        let names = Self.operations.map(\.name) + Array(APIDocument.checkedIn.json.components.schemas.names)
        #expect(Set(names).count == names.count)
    }

    @Test("what is described is served, with these methods and no others")
    func served() async throws {
        let service = try await TestService.shared(.standard)
        let paths = APIDocument.checkedIn.json.paths
        for path in paths.names {
            // A method that no URL offers, so that Allow says which ones this does.
            let target = path.replacing(#/{[a-z]+}/#, with: "x")
            let reply = try await service.exchange(Array("TRACE \(target) HTTP/1.1\r\nHost: h\r\n\r\n".utf8))
            let allowed = Set((reply["Allow"] ?? "").split(separator: ", ").map { $0.lowercased() })
            #expect(allowed.subtracting(["head", "options"]) == paths[dynamicMember: path].names, "\(path)")
        }
    }

    @Test("below a base path it says so")
    func basePath() async throws {
        let service = try await TestService.shared(.basePath)
        let document = try APIDocument((try await get("/prod/openapi.json", on: service)).body)
        #expect(document.json.servers[0].url == "/prod")
        #expect(document.json.paths == APIDocument.checkedIn.json.paths)
        #expect(try await get("/prod/docs", on: service).status == 200)
    }

    @Test("without the page there is no page of it either, but the document")
    func withoutPages() async throws {
        let service = try await TestService.start(["web.enabled": "false"], on: .shared())
        #expect(try await get("/docs", on: service).status == 404)
        #expect(try await get("/openapi.json", on: service).status == 200)
        try await service.stop()
    }

    /// Each operation that is described, by its name.
    private static let operations: [(name: String, operation: JSON)] = {
        let paths = APIDocument.checkedIn.json.paths
        return paths.names.sorted().flatMap { path in
            paths[dynamicMember: path].names.sorted().map { paths[dynamicMember: path][dynamicMember: $0] }
        }.map { ($0.operationId.text, $0) }
    }()

    @Test("each operation says more than its name, and shows a request and an answer that are as it describes them")
    func examples() throws {
        let document = APIDocument.checkedIn
        func check(_ media: JSON, of name: String, isNeeded: Bool = true) {
            let examples = media.examples
            #expect(!isNeeded || examples != .missing, "\(name) has no example")
            guard examples != .missing else { return }
            for example in examples.names {
                let value = examples[dynamicMember: example].value
                #expect(document.faults(of: value, by: media.schema) == [], "\(name): \(example)")
            }
        }
        for (name, operation) in Self.operations {
            #expect(operation.description.text.count > 30, "\(name)")
            let body = operation.requestBody.content[dynamicMember: "application/json"]
            if body != .missing { check(body, of: name) }
            for status in operation.responses.names {
                let answer = operation.responses[dynamicMember: status]
                let media = answer.content[dynamicMember: "application/json"]
                if media != .missing { check(media, of: name, isNeeded: status.hasPrefix("2")) }
                // Of a stream the data of an event.
                let stream = answer.content[dynamicMember: "text/event-stream"]
                for name in stream.examples.names {
                    let text = stream.examples[dynamicMember: name].value.text
                    let data = try JSON(Array(text.dropFirst("data: ".count).utf8))
                    #expect(document.faults(of: data, by: stream[dynamicMember: "x-itemSchema"]) == [], "\(name)")
                }
                #expect(stream == .missing || stream.examples.names.count > 2)
                let problem = answer.content[dynamicMember: "application/problem+json"]
                if problem != .missing { check(problem, of: name) }
                if status == "201" {
                    #expect(answer.headers.names.contains("Location"), "\(name)")
                }
            }
        }
    }

    @Test("every name of the description is used")
    func used() async throws {
        let text = try String(contentsOf: APIDocument.file, encoding: .utf8)
        let components = APIDocument.checkedIn.json.components
        for kind in ["schemas", "responses", "headers"] {
            for name in components[dynamicMember: kind].names {
                #expect(text.contains("#/components/\(kind)/\(name)\""), "\(kind) \(name)")
            }
        }
    }

    @Test("what is made is found where Location says")
    func location() async throws {
        let service = try await TestService.shared(.standard)
        let made = try await service.exchange(
            Array("POST /v2/players HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n{}".utf8))
        #expect(made.status == 201)
        #expect(made["Location"] == "/v2/players/me")
        let token = try JSON(made.body).token.text
        #expect(try await get("/v2/players/me", on: service, fields: ["Authorization: Bearer \(token)"]).status == 200)
    }

    @Test("what it says to write in Swift compiles")
    func swift() throws {
        let (token, signed): (String, String) = ("jt_x", "x.y.z")
        let (game, day): (V2.Game.ID, V2.Day) = ("g", V2.Day(daysSince1970: 20_779))
        var checked: Set<String> = []
        func check<R: JulietClient.Request>(_ text: String, _ request: R, _ method: String, _ path: String) {
            let operation = APIDocument.checkedIn.operation(method, path)
            let sample = operation[dynamicMember: "x-codeSamples"][0]
            #expect(sample.source.text == "try await juliet.send(\(text))", "\(method) \(path)")
            #expect(sample.lang == "Swift")
            checked.insert(operation.operationId.text)
        }
        check("FetchService()", FetchService(), "GET", "/v2/service")
        check("CreatePlayer(name: \"Ada\")", CreatePlayer(name: "Ada"), "POST", "/v2/players")
        check("FetchPlayer().authorized(by: token)", FetchPlayer().authorized(by: token), "GET", "/v2/players/me")
        check(
            "RenamePlayer(name: \"Ada\").authorized(by: token)", RenamePlayer(name: "Ada").authorized(by: token),
            "PATCH",
            "/v2/players/me")
        check("DeletePlayer().authorized(by: token)", DeletePlayer().authorized(by: token), "DELETE", "/v2/players/me")
        check(
            "FetchEnergyHistory().authorized(by: token)", FetchEnergyHistory().authorized(by: token), "GET",
            "/v2/players/me/energy")
        check(
            "MergePlayer(recoveryCode: \"2CH1D-2MND2-1VX5R-5M2XY\").authorized(by: token)",
            MergePlayer(recoveryCode: "2CH1D-2MND2-1VX5R-5M2XY").authorized(by: token), "POST", "/v2/players/me/merge")
        check("TakeRefill().authorized(by: token)", TakeRefill().authorized(by: token), "POST", "/v2/players/me/refill")
        check(
            "ExportPlayer().authorized(by: token)", ExportPlayer().authorized(by: token), "GET", "/v2/players/me/export"
        )
        check(
            "RenewRecoveryCode().authorized(by: token)", RenewRecoveryCode().authorized(by: token), "POST",
            "/v2/players/me/recovery-code")
        check(
            "SignIn(recoveryCode: \"2CH1D-2MND2-1VX5R-5M2XY\")", SignIn(recoveryCode: "2CH1D-2MND2-1VX5R-5M2XY"),
            "POST",
            "/v2/sessions")
        check("ListSessions().authorized(by: token)", ListSessions().authorized(by: token), "GET", "/v2/sessions")
        check(
            "RevokeSession(session: .current).authorized(by: token)",
            RevokeSession(session: .current).authorized(by: token), "DELETE", "/v2/sessions/{id}")
        check("StartJudgedGame().authorized(by: token)", StartJudgedGame().authorized(by: token), "POST", "/v2/games")
        check(
            "ListGames(state: .playing).authorized(by: token)", ListGames(state: .playing).authorized(by: token), "GET",
            "/v2/games")
        check(
            "FetchGame(game: game).authorized(by: token)", FetchGame(game: game).authorized(by: token), "GET",
            "/v2/games/{id}")
        check(
            "SubmitGuess(game: game, word: \"mucus\", number: 1).authorized(by: token)",
            SubmitGuess(game: game, word: "mucus", number: 1).authorized(by: token), "POST", "/v2/games/{id}/guesses")
        check(
            "ResignGame(game: game).authorized(by: token)", ResignGame(game: game).authorized(by: token), "POST",
            "/v2/games/{id}/resign")
        check(
            "FetchReview(game: game).authorized(by: token)", FetchReview(game: game).authorized(by: token), "GET",
            "/v2/games/{id}/review")
        check("FetchDailyWord()", FetchDailyWord(), "GET", "/v2/daily")
        check(
            "StartDailyGame().authorized(by: token)", StartDailyGame().authorized(by: token), "POST", "/v2/daily/game")
        check("FetchPastDay(day: day)", FetchPastDay(day: day), "GET", "/v2/daily/{day}")
        check("ListDays()", ListDays(), "GET", "/v2/daily/days")
        check(
            "StartArchiveGame(day: day).authorized(by: token)", StartArchiveGame(day: day).authorized(by: token),
            "POST",
            "/v2/daily/{day}/game")
        check("FetchDailyLeaderboard(day: day)", FetchDailyLeaderboard(day: day), "GET", "/v2/daily/{day}/leaderboard")
        check(
            "FetchWinsLeaderboard(period: .week)", FetchWinsLeaderboard(period: .week), "GET", "/v2/leaderboards/wins")
        check(
            "PresentPurchase(signedTransaction: signed).authorized(by: token)",
            PresentPurchase(signedTransaction: signed).authorized(by: token), "POST", "/v2/purchases")
        let code = try #require(V2.ShareCode("H7KQ-2MXP"))
        let league: V2.League.ID = "l"
        check(
            "MakeChallenge(days: 7).authorized(by: token)", MakeChallenge(days: 7).authorized(by: token), "POST",
            "/v2/challenges")
        check("ListChallenges().authorized(by: token)", ListChallenges().authorized(by: token), "GET", "/v2/challenges")
        check(
            "FetchChallenge(code: code).authorized(by: token)", FetchChallenge(code: code).authorized(by: token), "GET",
            "/v2/challenges/{code}")
        check(
            "StartChallengeGame(code: code).authorized(by: token)",
            StartChallengeGame(code: code).authorized(by: token), "POST", "/v2/challenges/{code}/game")
        check(
            "DeleteChallenge(code: code).authorized(by: token)", DeleteChallenge(code: code).authorized(by: token),
            "DELETE", "/v2/challenges/{code}")
        check(
            "CreateLeague(name: \"Family\").authorized(by: token)", CreateLeague(name: "Family").authorized(by: token),
            "POST", "/v2/leagues")
        check("ListLeagues().authorized(by: token)", ListLeagues().authorized(by: token), "GET", "/v2/leagues")
        check(
            "FetchLeague(league: league).authorized(by: token)", FetchLeague(league: league).authorized(by: token),
            "GET", "/v2/leagues/{id}")
        check(
            "RenameLeague(league: league, name: \"Family\").authorized(by: token)",
            RenameLeague(league: league, name: "Family").authorized(by: token), "PATCH", "/v2/leagues/{id}")
        check(
            "EndLeague(league: league).authorized(by: token)", EndLeague(league: league).authorized(by: token),
            "DELETE", "/v2/leagues/{id}")
        check(
            "RenewInvite(league: league).authorized(by: token)", RenewInvite(league: league).authorized(by: token),
            "POST", "/v2/leagues/{id}/invite")
        check("FetchInvitation(invite: code)", FetchInvitation(invite: code), "GET", "/v2/invites/{code}")
        check(
            "JoinLeague(invite: \"9F3K-QX7A\").authorized(by: token)",
            JoinLeague(invite: "9F3K-QX7A").authorized(by: token), "POST", "/v2/leagues/join")
        check(
            "ListLeagueMembers(league: league).authorized(by: token)",
            ListLeagueMembers(league: league).authorized(by: token), "GET", "/v2/leagues/{id}/members")
        check(
            "RemoveLeagueMember(league: league, member: .me).authorized(by: token)",
            RemoveLeagueMember(league: league, member: .me).authorized(by: token), "DELETE",
            "/v2/leagues/{id}/members/{member}")
        check(
            "FetchLeagueTable(league: league, period: .week).authorized(by: token)",
            FetchLeagueTable(league: league, period: .week).authorized(by: token), "GET", "/v2/leagues/{id}/table")
        let passkey: V2.Passkey.ID = "p"
        let credential = V2.NewCredential(id: [1], clientDataJSON: [2], attestationObject: [3])
        let identity = V2.IdentityProof(provider: "apple", idToken: "x.y.z", nonce: "AA")
        check(
            "RevokeOtherSessions().authorized(by: token)", RevokeOtherSessions().authorized(by: token), "DELETE",
            "/v2/sessions")
        check("FetchSignInOptions()", FetchSignInOptions(), "POST", "/v2/sessions/options")
        check(
            "FetchPasskeyOptions().authorized(by: token)", FetchPasskeyOptions().authorized(by: token), "POST",
            "/v2/passkeys/options")
        check(
            "RegisterPasskey(credential: credential).authorized(by: token)",
            RegisterPasskey(credential: credential).authorized(by: token), "POST", "/v2/passkeys")
        check("ListPasskeys().authorized(by: token)", ListPasskeys().authorized(by: token), "GET", "/v2/passkeys")
        check(
            "DeletePasskey(passkey: passkey).authorized(by: token)",
            DeletePasskey(passkey: passkey).authorized(by: token), "DELETE", "/v2/passkeys/{id}")
        check("MakeNonce()", MakeNonce(), "POST", "/v2/nonces")
        check(
            "LinkIdentity(identity: identity).authorized(by: token)",
            LinkIdentity(identity: identity).authorized(by: token), "POST", "/v2/identities")
        check(
            "ListIdentities().authorized(by: token)", ListIdentities().authorized(by: token), "GET", "/v2/identities")
        check(
            "UnlinkIdentity(provider: \"apple\").authorized(by: token)",
            UnlinkIdentity(provider: "apple").authorized(by: token), "DELETE", "/v2/identities/{provider}")
        let shown = Self.operations.filter { $0.operation[dynamicMember: "x-codeSamples"] != .missing }.map(\.name)
        #expect(checked == Set(shown))
    }
}
