import TestSupport
import Testing

/// What names may be, by the database alone and over HTTP.
@Suite("/v2: names that can be seen", .everyLayout)
struct SeenNameTests {
    /// A text as SQL.
    private func literal(_ text: String) -> String {
        "convert_from('\\x\(text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())', 'UTF8')"
    }

    /// Those of some texts that the database does not allow as names, whoever asks.
    private func refused(_ texts: [String], _ database: TestDatabase) async throws -> Set<Int> {
        let array = texts.map(literal).joined(separator: ", ")
        let places = try await database.psql(
            """
            SELECT place FROM unnest(ARRAY[\(array)]) WITH ORDINALITY AS given (text, place)
            WHERE public_text(text, 24) IS NULL
            """)
        return Set(places.split(separator: "\n").compactMap { Int($0) })
    }

    @Test("the database and the service agree on each name")
    func table() async throws {
        let database = try await TestDatabase.create()
        #expect(try await refused(GivenNames.allowed, database) == [])
        #expect(try await refused(GivenNames.refused, database) == Set(1...GivenNames.refused.count))
        #expect(try await refused(["e\u{301}\u{302}\u{303}\u{304}", "\u{1FA7}\u{323}"], database) == [1, 2])
        #expect(try await refused([String(repeating: "x", count: 97)], database) == [1])
        #expect(try await refused(["  x\u{2003}"], database) == [])
    }

    @Test("what looks like a refused part is refused, in whatever letters it is written")
    func looks() async throws {
        let database = try await TestDatabase.create()
        #expect(try await refused(GivenNames.admins, database) == [])
        try await database.psql("SELECT change_part('test', 'admin', true, 'why', NULL, NULL)")
        #expect(try await refused(GivenNames.admins, database) == Set(1...GivenNames.admins.count))
        #expect(try await refused(GivenNames.noAdmins, database) == [])
        let service = try await TestService.start(on: database)
        let player = try await V2Client.player(on: service)
        for name in GivenNames.admins {
            let reply = try await player.patch("/v2/players/me", #"{"name": "\#(name)"}"#)
            #expect(reply.summary == "422 name-refused", "\(name)")
            #expect(reply.json.detail.text.hasSuffix("and nothing that is refused here."), "\(reply)")
        }
        try await service.stop()
    }

    @Test("a whole word is refused with digits beside it and from a capital on, but not inside another word")
    func words() async throws {
        let database = try await TestDatabase.create()
        try await database.psql(
            "SELECT change_part('test', part, true, 'why', NULL, NULL) FROM unnest('{=ass,=Sieg Heil}'::text[]) AS part"
        )
        let bad = ["ass", "Big ASS!", "ass7", "7ass7", "BigAss", "x_аss", "Sieg-Heil", "der sieg heil 8", "S1eg He1l"]
        #expect(try await refused(bad, database) == Set(1...bad.count))
        #expect(try await refused(["Bass", "Assessor", "Klasse", "Heil Sieg", "Sieg Heilig"], database) == [])
        for wrong in ["=a", "=a-b", "= ass", "=", "==ass", "x"] {
            let changed = try await database.psql(
                "SELECT change_part('test', '\(wrong)', true, 'why', NULL, NULL) IS NULL")
            #expect(changed == "t", "\(wrong)")
        }
    }

    @Test("leagues, passkeys and hints are named by the same rule, and each refusal says what is wrong")
    func everywhere() async throws {
        let database = try await TestDatabase.create()
        try await database.psql("SELECT change_part('test', 'admin', true, 'why', NULL, NULL)")
        let service = try await TestService.start(["accounts.origin": "https://juliet.example"], on: database)
        let player = try await V2Client.player(on: service)
        let league = try await player.createLeague("Us")
        let options = try await player.passkeyOptions()
        for (name, reason, detail) in [
            ("\u{3164}", "character", "U+3164 (HANGUL FILLER)"),
            ("\u{2800}", "invisible", "at least one visible character"),
            ("a\u{200D}b", "place", "U+200D (ZERO WIDTH JOINER)"),
            ("a\u{301}\u{302}\u{303}\u{304}", "marks", "three marks"), ("аdmin", "refused", "refused here"),
            (String(repeating: "x", count: 81), "length", "1 to "),
        ] {
            var phone = Phone()
            let body = #"{"name": "\#(name)"}"#
            for reply in [
                try await player.post("/v2/leagues", body),
                try await player.patch(V2Client.path(league), body),
                try await player.patch("/v2/players/me", body),
                try await phone.register(with: player, options: options, name: name),
                try await player.post("/v2/challenges", #"{"word": "crane", "hint": "\#(name)"}"#),
            ] {
                #expect(reply.summary == "422 name-refused", "\(name): \(reply)")
                #expect(
                    reply.json.detail.text.contains(detail) && reply.json.reason.text == reason, "\(name): \(reply)")
            }
        }
        for name in [
            "👨\u{200D}👩\u{200D}👧", "می\u{200C}خواهم", "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
        ] {
            #expect(try await player.patch("/v2/players/me", #"{"name": "\#(name)"}"#).json.name.text == name)
            #expect(try await player.createLeague(name).name.text == name)
        }
        try await service.stop()
    }

    @Test("a service that was taken over cannot give a name that nobody sees, or one that is refused")
    func takeover() async throws {
        let database = try await TestDatabase.create()
        let token = ServiceFunction.token("01")
        try await database.psql(
            """
            SELECT create_player(\(ServiceFunction.id("01")), 'Ann', NULL, \(token), gen_random_uuid(), sha256('01'));
            SELECT change_part('test', 'admin', true, 'why', NULL, NULL)
            """)
        for name in ["\u{3164}", "\u{2800}", "a\u{FE0F}dmin", "аdmin", ""] {
            for call in ["rename_player(\(token), NAME)", "create_league(\(token), NAME, NULL, NULL)"] {
                let refusal = try await database.psql(
                    "SET ROLE player_service; SELECT (\(call.replacing("NAME", with: literal(name)))).refusal")
                #expect(refusal.hasSuffix("name-refused"), "\(name): \(refusal)")
            }
        }
        #expect(try await database.psql("SELECT name FROM players") == "Ann")
    }

    @Test("the release's parts are refused after an upgrade, those that an operator allowed stay allowed")
    func carried() async throws {
        let database = try await TestDatabase.create()
        let innocent = [
            "Badminton", "Stafford", "Modena", "Scunthorpe", "Dick", "Essex", "Assessor", "Classic", "Klasse", "Nazim",
            "amazing", "Pompeii", "Pom", "Anaïs", "Mutter", "Tischlampe", "Marsch", "Ökosystem", "Supporters",
            "Ace of Ass",
            "Player 4821",
        ]
        let bad = [
            "Admin", "TheAdmin", "Administrator", "Moderator", "support", "Official 1", "STAFF", "system", "Hitlerin",
            "H1tler",
            "fuсk", "Scheiße", "SCHEISSE", "n1gger", "Sieg Heil",
        ]
        #expect(try await refused(bad, database) == [])
        try await database.psql("SELECT refresh_refused_names()")
        #expect(try await refused(innocent, database) == [])
        #expect(try await refused(bad, database) == Set(1...bad.count))
        let change = "SELECT change_part('test', PART, IS, 'why', NULL, NULL)"
        func changed(_ part: String, _ isRefused: Bool) async throws -> String {
            try await database.psql(
                change.replacing("PART", with: "'\(part)'").replacing("IS", with: "\(isRefused)"))
        }
        #expect(try await changed("=STAFF", false) == "t")
        #expect(try await changed("=staff", false) == "f")
        #expect(try await changed("badger", true) == "t")
        #expect(try await refused(["Staff", "Badger"], database) == [2])
        try await database.psql(
            """
            UPDATE refused_names SET look = 'x' WHERE part = 'badger';
            INSERT INTO refused_names (bare, part, look, is_carried) VALUES ('old', 'old', 'old', true);
            SELECT refresh_refused_names();
            """)
        #expect(try await refused(["Staff", "Badger", "old", "Admin"], database) == [2, 4])
        #expect(try await changed("=staff", true) == "t")
        #expect(try await changed("badger", false) == "t")
        #expect(try await refused(["Staff", "Badger"], database) == [1])
    }
}
