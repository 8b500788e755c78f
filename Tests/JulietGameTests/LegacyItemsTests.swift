import Testing

@testable import JulietGame

@Suite("An export of the old backend")
struct LegacyItemsTests {
    /// The items with their lines, and whether the export ends where one can end.
    private func cut(_ bytes: [UInt8], pieces size: Int) -> (items: [String], isWhole: Bool, unfinished: Int) {
        var found: [String] = []
        var items = LegacyItems()
        func note(_ item: LegacyItems.Item) {
            found.append("\(item.line):" + (item.bytes.map { String(decoding: $0, as: UTF8.self) } ?? "too large"))
        }
        for start in stride(from: 0, to: bytes.count, by: size) {
            items.consume(Array(bytes[start..<min(start + size, bytes.count)]), item: note)
        }
        let isWhole = items.finish(item: note)
        return (found, isWhole, items.unfinishedPages)
    }

    private func items(_ text: String, pieces size: Int) -> [String] { cut(Array(text.utf8), pieces: size).items }

    @Test("is JSON lines, of which a broken one spoils no other", arguments: [1, 2, 3, 7, 1000])
    func lines(size: Int) {
        #expect(
            items(
                "\u{FEFF}\n{\"a\": 1}\r\n\n{broken\ngarbage [\n{\"c\n{\"b\": 2}{\"d\": \"}\"}\n{\"e\": [1\n{}\n{\n",
                pieces: size)
                == [
                    "2:{\"a\": 1}", "4:{broken", "5:garbage [", "6:{\"c", "7:{\"b\": 2}", "7:{\"d\": \"}\"}",
                    "8:{\"e\": [1",
                    "9:{}", "10:{",
                ])
    }

    @Test("or one array, however it is laid out", arguments: [1, 2, 3, 7, 1000])
    func array(size: Int) {
        let text = "[\n  {\"a\": [1, \"]}\\\"\"]},\n  {\n    \"b\": {}\n  }, {\"c\": 3}, 7, \"x,y\"\n, [1]]\n"
        #expect(
            items(text, pieces: size) == [
                "2:{\"a\": [1, \"]}\\\"\"]}", "3:{\n    \"b\": {}\n  }", "5:{\"c\": 3}", "5:7", "5:\"x,y\"", "6:[1]",
            ])
    }

    @Test("or what a scan prints, indented or not, whatever comes first", arguments: [1, 2, 3, 7, 1000])
    func scan(size: Int) {
        let text = """
            {
                "Count": 2, "Items": [
                    {"a": "]"},
                    {
            "b": {
            }
            }
                ], "ScannedCount": 2, "Other": {"Items": [{"no": 1}]}, "Text": "Items", "ConsumedCapacity": null
            }
            {"Items":[{"c":3}],"LastEvaluatedKey":{"userID":{"S":"x"}}}{"Items":[],"NextToken":null}
            """
        let found = cut(Array(text.utf8), pieces: size)
        #expect(found.items == ["3:{\"a\": \"]\"}", "4:{\n\"b\": {\n}\n}", "10:{\"c\":3}"])
        #expect(found.isWhole)
        #expect(found.unfinished == 1)
    }

    @Test("or objects over several lines, one after the other", arguments: [1, 2, 3, 7, 1000])
    func objects(size: Int) {
        #expect(
            items("{\n  \"a\": [\n{\n}\n]\n}\n{\n  \"b\": 2\n}\n", pieces: size) == [
                "1:{\n  \"a\": [\n{\n}\n]\n}", "7:{\n  \"b\": 2\n}",
            ])
    }

    @Test(
        "that ends in the middle is known",
        arguments: [
            "[", "[{\"a\": 1}", "{\"Items\": [{}", "{\n\"a\": 1", "{\"Count\": 1", "{\"a\": 1}\n{\"b\":", "{\"a\"",
        ])
    func unfinished(text: String) {
        #expect(!cut(Array(text.utf8), pieces: 3).isWhole)
        #expect(cut(Array("{\"a\": 1}\n{\"b\":".utf8), pieces: 3).items == ["1:{\"a\": 1}"])
        // No object, so none that was cut.
        #expect(cut(Array("{\"a\": 1}\nnonsense".utf8), pieces: 3).isWhole)
    }

    @Test("takes no memory for an item without end, and the next is found")
    func endless() {
        var items = LegacyItems()
        let piece = Array(repeating: UInt8(ascii: "a"), count: 1 << 20)
        var found: [Bool] = []
        for _ in 0..<10 { items.consume(piece) { _ in } }
        items.consume(Array("\n{}".utf8)) { found.append($0.bytes == nil) }
        let isWhole = items.finish { found.append($0.bytes == nil) }
        #expect(isWhole)
        #expect(found == [true, false])
    }

    @Test("in any state is read to its end, in pieces as at once, and no good line is lost", arguments: UInt64(0)..<8)
    func mutations(seed: UInt64) {
        var random = Xorshift(state: seed &* 0x9E37_79B9_7F4A_7C15 | 1)
        let originals = [
            "{\"Item\":{\"userID\":{\"S\":\"A\"},\"energy\":{\"N\":\"5\"}}}\n{\"userID\":\"B\",\"energy\":7,\"playedWords\":[\"apple\"]}\n",
            "{\n \"Items\": [\n  {\"userID\": {\"S\": \"A\\\"\"}},\n  {}\n ],\n \"Count\": 2\n}\n",
            "[{\"userID\":\"\\u00e9\"},{\"energy\":-1e3}]",
        ].map { Array($0.utf8) }
        let alphabet = Array("{}[]\",:\\\n 0e-aIt\u{FEFF}".utf8)
        for _ in 0..<400 {
            var bytes = originals[Int.random(in: 0..<originals.count, using: &random)]
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[index] = alphabet.randomElement(using: &random) ?? 0
                case 1: bytes.insert(alphabet.randomElement(using: &random) ?? 0, at: index)
                default: if bytes.count > 1 { bytes.remove(at: index) }
                }
            }
            let whole = cut(bytes, pieces: bytes.count)
            let piecewise = cut(bytes, pieces: Int.random(in: 1...5, using: &random))
            #expect(whole.items == piecewise.items)
            #expect(whole.isWhole == piecewise.isWhole)
            for item in whole.items {
                let json = Array(item.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst())
                _ = try? LegacyUser(json: json, spelling: WordSpelling(language: "en"), startingEnergy: 30)
            }
        }
        // Lines: whatever stands in one, the next is read.
        for _ in 0..<400 {
            let garbage = (0..<Int.random(in: 1...12, using: &random)).map { _ in
                alphabet.filter { $0 != 0x0A }.randomElement(using: &random) ?? 0
            }
            let lines = Array("{\"first\":1}\n{".utf8) + garbage + Array("\n{\"last\":1}\n".utf8)
            guard garbage.contains(where: { $0 > 0x20 }) else { continue }
            #expect(cut(lines, pieces: 4).items.last == "3:{\"last\":1}")
        }
    }
}

/// Random numbers that come again.
private struct Xorshift: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
