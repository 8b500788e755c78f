import JulietAPI
import Testing

@Suite("/v2: queries")
struct V2ListQueryTests {
    private func read(
        _ query: String?, knowing names: [V2.ListQuery.Name] = V2.ListQuery.Name.allCases
    ) throws(V2.RequestFault) -> V2.ListQuery {
        try V2.ListQuery.decode(query, knowing: names)
    }

    @Test("no query asks for everything", arguments: [nil, "", "&", "&&", "x", "=", "=5", "x=1&y"])
    func nothing(query: String?) throws {
        #expect(try read(query) == V2.ListQuery())
    }

    @Test("every parameter is read, in any order")
    func parameters() throws {
        var expected = V2.ListQuery()
        expected.before = "n-1"
        expected.limit = 7
        expected.state = .won
        expected.kind = .archive
        expected.isAroundMe = true
        expected.period = .week
        for query in [
            "before=n-1&limit=7&state=won&kind=archive&around=me&period=week",
            "period=week&around=me&x=1&&kind=archive&state=won&limit=007&before=n-1&",
            "p%65riod=%77eek&around=%6De&kin%64=archiv%65&state=won&limit=%37&before=n%2D1",
        ] {
            #expect(try read(query) == expected)
        }
        #expect(try read("before=a=b%3D+").before == "a=b=+")
        #expect(try V2.Game.Kind.allCases.map { try read("kind=\($0.rawValue)").kind } == V2.Game.Kind.allCases)
        #expect(try V2.Period.allCases.map { try read("period=\($0.rawValue)").period } == V2.Period.allCases)
    }

    @Test(
        "a parameter that cannot be read is named",
        arguments: [
            ("limit", ["", "0", "-1", "+5", "5.0", "1e1", " 5", "5+", "five", "%", "%3", "%zz", "٣", "%FF", "5%00"]),
            ("before", ["", "%20", "a%00", "a+b%20", "é", "%C3%A9", "%C3", String(repeating: "x", count: 65)]),
            ("state", ["", "Won", "over", "won,lost", "%77on%"]), ("around", ["", "you", "ME", "1"]),
            ("kind", ["", "Game", "archives", "game,daily"]), ("period", ["", "year", "WEEK", "all+"]),
        ])
    func unreadable(name: String, values: [String]) {
        for value in values {
            let error = #expect(throws: V2.RequestFault.self) { try read("x=1&\(name)=\(value)") }
            #expect(error?.path == name)
            #expect(error?.detail.hasPrefix("\"\(name)\" must be ") == true)
        }
        #expect(throws: V2.RequestFault.self) { try read(name) }
    }

    @Test("a parameter that comes twice is a fault, also when both say the same", arguments: V2.ListQuery.Name.allCases)
    func twice(name: V2.ListQuery.Name) {
        let value =
            ["limit": "5", "state": "won", "kind": "game", "around": "me", "period": "all"][name.rawValue] ?? "n"
        let query = "\(name.rawValue)=\(value)&\(name.rawValue)=\(value)"
        let error = #expect(throws: V2.RequestFault.self) { try read(query) }
        #expect(error == V2.RequestFault(path: name.rawValue, detail: "\"\(name.rawValue)\" must not be given twice."))
    }

    @Test(
        "a parameter that the URL does not know is ignored, whatever it holds",
        arguments: [
            "e%CC%81=0", "state=x&state=y", "period=%zz", "around", "Limit=0", "limit%=0", "limit%00=0", "x=%&x=%",
        ])
    func unknown(query: String) throws {
        #expect(try read(query + "&limit=5", knowing: [.before, .limit]).limit == 5)
    }

    @Test("more than a list has counts as what it has")
    func limits() throws {
        #expect(try read(nil).limit(atMost: 100) == 50)
        #expect(try read("limit=7").limit(atMost: 50) == 7)
        #expect(try read("limit=51").limit(atMost: 50) == 50)
        #expect(try read("limit=99999999999999999999").limit(atMost: 100) == 100)
    }
}
