import Foundation
import TestSupport
import Testing

@Suite("The lottery's documents over HTTP", .everyLayout)
struct LotteryDocumentTests {
    private let users = "/API/SimpleLottery/users.json"
    private let list = "/API/SimpleLottery/usersInLottery.json"

    private func get(_ path: String, _ method: String = "GET", from service: TestService, fields: String = "")
        async throws
        -> HTTPReply
    {
        try await service.exchange(
            Array("\(method) \(path) HTTP/1.1\r\nHost: h\r\n\(fields)\r\n".utf8), isHead: method == "HEAD")
    }

    @Test("both are served as they are, with a tag that holds until they change")
    func documents() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(on: database)
        #expect(try await get(users, from: service).text == #"{"items": []}"#)
        #expect(try await get(list, from: service).text == #"{"lotteryList": []}"#)
        try await database.psql(
            """
            SELECT import_lottery('os:x', '{10,11}', '{Jack Alexy,"Zo\\"ë"}', '{JAlex,z}', '{2020-10-19,2020-10-20}',
                '{11,10}', '{f,t}')
            """)
        let reply = try await get(users, from: service)
        #expect(
            reply.status == 200 && reply["Content-Type"] == "application/json" && reply["Cache-Control"] == "no-cache")
        #expect(
            reply.text == """
                {"items": [{"userId": 10, "name": "Jack Alexy", "username": "JAlex", "regDate": "2020-10-19"}, \
                {"userId": 11, "name": "Zo\\"ë", "username": "z", "regDate": "2020-10-20"}]}
                """)
        #expect(
            try await get(list, from: service).text
                == #"{"lotteryList": [{"userId": 11, "void": false}, {"userId": 10, "void": true}]}"#)
        let tag = try #require(reply["ETag"])
        let head = try await get(users, "HEAD", from: service)
        #expect(head.status == 200 && head["ETag"] == tag && head["Content-Length"] == "\(reply.body.count)")
        let known = try await get(
            users, from: service, fields: "If-None-Match: \"x, y\"\r\nIf-None-Match: W/\(tag)\r\n")
        #expect(known.status == 304 && known.body.isEmpty && known["ETag"] == tag)
        #expect(try await get(users, from: service, fields: "If-None-Match: \"x,*,y\"\r\n").status == 200)
        let part = try await get(users, from: service, fields: "Range: bytes=1-7\r\nIf-Range: \(tag)\r\n")
        #expect(part.status == 206 && part.text == #""items""# && part["ETag"] == tag)
        #expect(part["Content-Range"] == "bytes 1-7/\(reply.body.count)")
        for (accepted, coding) in [("gzip", "gzip"), ("*", "gzip"), ("gzip;q=0.5, identity;q=1", nil)] {
            let answer = try await get(users, from: service, fields: "Accept-Encoding: \(accepted)\r\n")
            #expect(answer["Content-Encoding"] == coding && answer["Vary"] == "Accept-Encoding", "\(accepted)")
        }
        try await database.psql("UPDATE lottery_participants SET name = 'Jack' WHERE number = 10")
        #expect(try await get(users, from: service, fields: "If-None-Match: \(tag)\r\n").status == 200)
        #expect(try await get(users, "POST", from: service).status == 405)
        try await service.stop()
    }

    @Test("a player is in them under the name of /v2 while they take part, and never under their id")
    func players() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(on: database)
        let ada = try await V2Client.player(on: service, named: "Ada")
        let id = try await database.psql("SELECT user_id FROM players")
        let token =
            "sha256(decode(translate(substr('\(ada.token ?? "")', 4) || '=', '-_', '+/'), 'base64')) || '\(id)'::bytea"
        for _ in 1...2 {
            #expect(
                try await database.psql(
                    "SET ROLE player_service; SELECT participant, entries FROM enter_lottery(\(token))")
                    == "1000000000|1")
        }
        #expect(
            try await database.psql("SET ROLE player_service; SELECT refusal FROM enter_lottery(sha256('nobody'))")
                == "unauthorized")
        try await database.psql(
            "SELECT register_user('VENDOR-ID', NULL, NULL); SELECT enter_player('os:x', 'VENDOR-ID')")
        let text = try await get(users, from: service).text
        #expect(text.contains(#""userId": 1000000000, "name": "Ada", "username": "player1000000000""#))
        #expect(text.contains(#""userId": 1000000001, "name": "Player 1000000001""#))
        #expect(!text.contains(id) && !text.contains("VENDOR"))
        _ = try await ada.patch("/v2/players/me", #"{"name": "Bea"}"#)
        #expect(try await get(users, from: service).text.contains(#""name": "Bea""#))
        #expect(try await ada.get("/v2/players/me/export").http.text.contains(#""lottery""#))
        #expect(try await ada.delete("/v2/players/me").status == 204)
        let left = try await get(users, from: service).text
        #expect(!left.contains("1000000000") && !left.contains("Bea") && !left.contains("deleted"))
        #expect(!(try await get(list, from: service).text.contains("1000000000")))
        try await service.stop()
    }

    @Test("a player of the app who is claimed goes on under their number")
    func claimed() async throws {
        let database = try await TestDatabase.create()
        try await database.psql(
            """
            SELECT register_user('DEVICE', NULL, NULL);
            SELECT enter_player('os:x', 'DEVICE'), announce_prize('os:x', 5);
            SELECT start_draw('os:x'::text, 1);
            SELECT apply_rules('test', '{"players.claims": "allow"}');
            SELECT create_player('6ed8320e-51c1-8a06-b8b0-2ca148cbfb98', 'Ada', 'DEVICE',
                sha256('token') || '6ed8320e-51c1-8a06-b8b0-2ca148cbfb98'::bytea, gen_random_uuid(), sha256('code'))
            """)
        #expect(
            try await database.psql(
                """
                SELECT lottery_name(p), user_id = credited_to, user_id FROM lottery_participants AS p, lottery_draws
                WHERE winner = p.number
                """) == "Ada|t|6ed8320e-51c1-8a06-b8b0-2ca148cbfb98")
        #expect(try await database.psql("SELECT count(*) FROM lottery_entries") == "1")
    }
}
