import JulietAPI
import Testing

@Suite("The request type of a broken body")
struct RequestTypePeekTests {
    private func peek(_ body: String) -> RequestType? {
        RequestType.peek(in: Array(body.utf8).span)
    }

    @Test("every type is told from a whole body and from one cut short after it", arguments: RequestType.allCases)
    func allTypes(type: RequestType) {
        #expect(peek(#"{"requestType":"\#(type.name)","userID":"u"}"#) == type)
        #expect(peek(#"{"userID":"u","requestType":"\#(type.name)"}"#) == type)
        #expect(peek(#"{"requestType":"\#(type.name)""#) == type)
        #expect(peek(#"{"requestType":"\#(type.name)","userID":"6A1F0"#) == type)
    }

    @Test(
        "the type is found wherever the body broke",
        arguments: [
            #"{"userID":"u,"requestType":"updateUserWins"}"#, #"{"userID":5.5.5,"requestType":"updateUserWins"}"#,
            #"{userID:"u","requestType":"updateUserWins"}"#, #"{"a":[1,"requestType":"updateUserWins""#,
            #""requestType":"updateUserWins""#,
            #"[{"requestType":"updateUserWins"}]"#, "\u{FEFF}{\"requestType\":\"updateUserWins\"}",
            "{\"a\":\n?,\"requestType\"\t:\r\n \"updateUserWins\"",
            #"{"requestType":"updateUserWins","a":\#(String(repeating: "[", count: 100))"#,
            #"{"request\u0054ype":"updateUserWin\u0073",?"#,
            #"{"x":"requestType","y":{"requestType":5},"# + #"?,"requestType":"updateUserWins"}"#,
            #"{"x":1,"x":2,"requestType":"updateUserWins"}"#,
            #"{"requestType":"updateUserWins","requestType":"fetchUserWins"}"#,
            #"{"requestType":"updateUserWins",?,"requestType":"fetchUserWins"}"#,
        ])
    func broken(body: String) {
        #expect(peek(body) == .updateUserWins)
    }

    @Test("bytes that are not UTF-8 do not hide the type")
    func invalidUTF8() {
        let body = [0xFF, 0xFE] + Array(#"{"requestType":"updateUserWins""#.utf8) + [0x80]
        #expect(RequestType.peek(in: body.span) == .updateUserWins)
    }

    @Test(
        "nothing is guessed from less",
        arguments: [
            "", "{", "{}", "requestType", #"{"requestType""#, #"{"requestType":"#, #"{"requestType":""#,
            #"{"requestType":"updateUserWins"#,
            #"{"requestType":"updateUserW""#, #"{"requestType":5,"x":?"#,
            #"{"requestType":"nothing",?,"requestType":"updateUserWins"}"#,
            #"{"requestType","updateUserWins"}"#, #"{"requesttype":"updateUserWins"}"#, #"{"x":"updateUserWins"}"#,
            "requestType=updateUserWins",
        ])
    func nothing(body: String) {
        #expect(peek(body) == nil)
    }

    @Test("hostile bodies of a megabyte are searched in linear time")
    func hostile() {
        for pattern in [
            "\"", "\\\"", "\"requestType\"", "\"requestType\":", "\"requestType\"   ", "{\"a\":", "[",
            "\"requestType\":\"fetchUserWin\"",
        ] {
            let body = "?" + String(repeating: pattern, count: 1_000_000 / pattern.utf8.count)
            #expect(peek(body) == nil)
        }
        #expect(
            peek("?\"requestType\"" + String(repeating: " ", count: 1_000_000) + ":\"fetchUserWins\"") == .fetchUserWins
        )
    }
}
