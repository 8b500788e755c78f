import Testing

@testable import JulietGame

@Suite("A player of the old backend")
struct LegacyUserTests {
    private func user(_ json: String) throws(LegacyUser.Refusal) -> LegacyUser {
        try LegacyUser(json: Array(json.utf8), spelling: WordSpelling(language: "en"), startingEnergy: 30)
    }

    @Test(
        "is read from plain and from DynamoDB's JSON",
        arguments: [
            """
            {"userID": "A-1", "energy": 15, "playedWords": ["MUSIC", "drunk"], "userWins": 2, "hasMadePurchase": true,
            "saltHash": "x"}
            """,
            """
            {"Item": {"userID": {"S": "A-1"}, "energy": {"N": "15.0"}, "playedWords": {"L": [{"S": "MUSIC"}, {"S": "drunk"}]},
            "userWins": {"N": "2"}, "hasMadePurchase": {"BOOL": true}, "saltHash": {"S": "x"}}}
            """,
            """
            {"userID": {"S": "A-1"}, "energy": "15", "playedWords": {"SS": ["music", "Drunk"]}, "userWins": 2.0,
            "hasMadePurchase": true}
            """,
        ])
    func forms(json: String) throws {
        let user = try user(json)
        #expect(user.id.rawValue == "A-1")
        #expect(user.energy == 15)
        #expect(user.wins == 2)
        #expect(user.playedWords == ["music", "drunk"])
        #expect(user.hasMadePurchase)
        #expect(user.repairs.isEmpty)
    }

    @Test("with energy only has won and played nothing")
    func energyOnly() throws {
        let user = try user(#"{"userID": "a", "energy": 5}"#)
        #expect(user.energy == 5)
        #expect(user.wins == 0)
        #expect(user.playedWords.isEmpty)
        #expect(!user.hasMadePurchase)
        #expect(user.repairs.isEmpty)
    }

    @Test("is mended where the old data allows nonsense, and it is said what was and what is")
    func repairs() throws {
        let user = try user(
            """
            {"userID": "a", "energy": "-5", "userWins": 1.5, "playedWords": ["Music", "drunk", "x", 7, null, "MUSIC"]}
            """)
        #expect(user.energy == 0)
        #expect(user.wins == 1)
        #expect(
            user.repairs == [
                LegacyUser.Repair(kind: .energyNegative, was: .exactNumber(-5), now: .number(0)),
                LegacyUser.Repair(kind: .winsFraction, was: .exactNumber(1.5), now: .number(1)),
                LegacyUser.Repair(kind: .wordRepeated, was: .words(["music"]), now: nil),
                LegacyUser.Repair(kind: .wordMalformed, was: .number(3), now: nil),
            ])
        let missing = [LegacyUser.Repair(kind: .energyMissing, was: .nothing, now: .number(30))]
        #expect(try self.user(#"{"userID": "a"}"#).repairs == missing)
        #expect(try self.user(#"{"userID": "a", "energy": {"NULL": true}}"#).repairs == missing)
    }

    @Test("keeps the order of the words; one that comes twice counts where it was played last")
    func order() throws {
        let words = try user(
            #"{"userID": "a", "energy": 5, "playedWords": ["zebra", "apple", "music", "apple", "ZEBRA", "bread"]}"#
        ).playedWords
        #expect(words == ["music", "apple", "zebra", "bread"])
    }

    @Test(
        "with more than anybody can have gets the most that leaves room to buy and to win",
        arguments: [
            "1000001", "2147483647", "2147483648", "1e400", #"{"N": "99999999999999999999999999999999999999"}"#,
        ])
    func clamped(json: String) throws {
        let user = try user(#"{"userID": "a", "energy": \#(json), "userWins": \#(json)}"#)
        #expect(user.energy == 1_000_000)
        #expect(user.wins == 1_000_000)
        #expect(user.repairs.map(\.kind) == [.energyTooLarge, .winsTooLarge])
        #expect(Int(LegacyUser.maximum) == GameRules().maximumReportedEnergy)
    }

    @Test(
        "has bought energy when the old backend said so in any way",
        arguments: [
            ("true", true), ("false", false), ("1", true), ("0", false), (#"{"BOOL": true}"#, true), ("null", false),
            (#"{"NULL": true}"#, false), (#""true""#, true), (#"{"N": "1"}"#, true), (#"{"S": "false"}"#, false),
        ])
    func purchase(json: String, bought: Bool) throws {
        let user = try user(#"{"userID": "a", "energy": 5, "hasMadePurchase": \#(json)}"#)
        #expect(user.hasMadePurchase == bought && user.repairs.isEmpty)
    }

    @Test("has bought nothing where the value is unusable: a repair", arguments: ["[]", "{}", #""perhaps""#])
    func unusablePurchase(json: String) throws {
        let user = try user(#"{"userID": "a", "energy": 5, "hasMadePurchase": \#(json)}"#)
        #expect(!user.hasMadePurchase && user.repairs.map(\.kind) == [.purchaseUnusable])
    }

    @Test(
        "has a whole number, however it is written",
        arguments: [
            ("5", 5), ("5.0", 5), ("50e-1", 5), (#""5""#, 5), (#"{"N": "5"}"#, 5), (#"{"N": 5}"#, 5), ("5.9", 5),
            ("1000000", 1_000_000), ("-0", 0), ("-1e400", 0),
        ])
    func numbers(json: String, number: Int32) throws {
        #expect(try user(#"{"userID": "a", "energy": \#(json)}"#).energy == number)
    }

    @Test(
        "is who the contract says: 1 to 128 scalars, byte for byte",
        arguments: [
            "a", "é", "e\u{301}", String(repeating: "\u{301}", count: 128), "\\\u{301}", "a b",
            String(repeating: "\u{1D165}", count: 128),
        ])
    func ids(id: String) throws {
        let escaped = id.unicodeScalars.map { $0 == "\\" ? "\\\\" : String($0) }.joined()
        let user = try user("{\"userID\": \"\(escaped)\", \"energy\": 5}")
        #expect(Array(user.id.rawValue.utf8) == Array(id.utf8))
    }

    @Test(
        "is refused when the id, the energy, the wins or the words cannot be read",
        arguments: [
            ("{", ImportRemark.Kind.malformed), ("[]", .malformed), ("{}", .userID), (#"{"userID": ""}"#, .userID),
            (#"{"userID": 5}"#, .userID), (#"{"userID": "a\u0007b"}"#, .userID), (#"{"userID": "  "}"#, .userID),
            (#"{"userID": "a\u0000b"}"#, .malformed), (#"{"userID": "\u200b"}"#, .userID),
            (#"{"userID": "a", "userID": "b"}"#, .malformed),
            ("{\"userID\": \"\(String(repeating: "a\u{301}", count: 65))\"}", .userID),
            (#"{"userID": "a", "energy": "many"}"#, .energyUnusable),
            (#"{"userID": {"N": "5"}, "energy": 5}"#, .userID),
            (#"{"userID": "a", "energy": []}"#, .energyUnusable),
            (#"{"userID": "a", "energy": {"BOOL": true}}"#, .energyUnusable),
            (#"{"userID": "a", "energy": 5, "playedWords": {"S": "music"}}"#, .wordsUnusable),
            (#"{"userID": "a", "energy": 5, "playedWords": {"M": {"music": {"S": "x"}}}}"#, .wordsUnusable),
            (#"{"userID": "a", "energy": "nan"}"#, .energyUnusable),
            (#"{"userID": "a", "energy": 5, "userWins": []}"#, .winsUnusable),
            (#"{"userID": "a", "x": "# + String(repeating: "[", count: 100_000), .malformed),
        ])
    func refused(json: String, kind: ImportRemark.Kind) {
        let refusal = #expect(throws: LegacyUser.Refusal.self) { try user(json) }
        #expect(refusal?.kind == kind)
    }
}
