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

    @Test("is mended where the old data allows nonsense, and it is said how")
    func repairs() throws {
        let user = try user(
            """
            {"userID": "a", "energy": "-5", "userWins": -1.5, "playedWords": ["Music", "music", "x", 7, null, "MUSIC"]}
            """)
        #expect(user.energy == 0)
        #expect(user.wins == 0)
        #expect(user.playedWords == ["music"])
        #expect(
            user.repairs == [.negativeEnergy: 1, .negativeWins: 1, .fraction: 1, .repeatedWord: 2, .malformedWord: 3])
        #expect(try self.user(#"{"userID": "a"}"#).repairs == [.missingEnergy: 1])
        #expect(try self.user(#"{"userID": "a", "energy": {"NULL": true}}"#).energy == 30)
    }

    @Test(
        "has bought energy when the old backend said so in any way",
        arguments: [
            ("true", true), ("false", false), ("1", true), ("0", false), (#"{"BOOL": true}"#, true), ("null", false),
            (#"{"NULL": true}"#, false), (#""true""#, false), ("[]", false), ("{}", false),
        ])
    func purchase(json: String, bought: Bool) throws {
        #expect(try user(#"{"userID": "a", "energy": 5, "hasMadePurchase": \#(json)}"#).hasMadePurchase == bought)
    }

    @Test(
        "has a whole number, however it is written",
        arguments: [
            ("5", 5), ("5.0", 5), ("50e-1", 5), (#""5""#, 5), (#"{"N": "5"}"#, 5), (#"{"N": 5}"#, 5), ("5.9", 5),
            ("2147483647", Int32.max), ("true", 1),
        ])
    func numbers(json: String, number: Int32) throws {
        #expect(try user(#"{"userID": "a", "energy": \#(json)}"#).energy == number)
    }

    @Test(
        "is refused when nobody could say who or how much",
        arguments: [
            ("{", LegacyUser.Refusal.malformed), ("[]", .malformed), ("{}", .userID), (#"{"userID": ""}"#, .userID),
            (#"{"userID": 5}"#, .userID), (#"{"userID": "a\u0000b"}"#, .userID),
            (#"{"userID": "a", "energy": "many"}"#, .number("energy")),
            (#"{"userID": "a", "energy": 5000000000}"#, .number("energy")),
            (#"{"userID": "a", "energy": "nan"}"#, .number("energy")),
            (#"{"userID": "a", "energy": 5, "userWins": []}"#, .number("userWins")),
        ])
    func refused(json: String, refusal: LegacyUser.Refusal) {
        #expect(throws: refusal) { try user(json) }
    }
}

@Suite("An export of the old backend")
struct LegacyItemsTests {
    private func items(_ text: String, pieces size: Int) -> [String] {
        var found: [String] = []
        var items = LegacyItems()
        let bytes = Array(text.utf8)
        func note(_ item: LegacyItems.Item) {
            found.append("\(item.line):" + (item.bytes.map { String(decoding: $0, as: UTF8.self) } ?? "too large"))
        }
        for start in stride(from: 0, to: bytes.count, by: size) {
            items.consume(Array(bytes[start..<min(start + size, bytes.count)]), item: note)
        }
        items.finish(item: note)
        return found
    }

    @Test("is JSON lines, of which a broken one spoils no other", arguments: [1, 2, 3, 7, 1000])
    func lines(size: Int) {
        #expect(
            items("\u{FEFF}\n{\"a\": 1}\r\n\n{broken\n{\"b\": 2}", pieces: size) == [
                "2:{\"a\": 1}\r", "4:{broken", "5:{\"b\": 2}",
            ])
    }

    @Test("or one array, however it is laid out", arguments: [1, 2, 3, 7, 1000])
    func array(size: Int) {
        let text = "[\n  {\"a\": [1, \"]}\\\"\"]},\n  {\n    \"b\": {}\n  }, {\"c\": 3}\n]\n"
        #expect(
            items(text, pieces: size) == [
                "2:{\"a\": [1, \"]}\\\"\"]}", "3:{\n    \"b\": {}\n  }", "5:{\"c\": 3}",
            ])
    }

    @Test("takes no memory for an item without end")
    func endless() {
        var items = LegacyItems()
        let piece = Array(repeating: UInt8(ascii: "a"), count: 1 << 20)
        for _ in 0..<8 { items.consume(piece) { _ in } }
        var isTooLarge = false
        items.finish { isTooLarge = $0.bytes == nil }
        #expect(isTooLarge)
    }
}
