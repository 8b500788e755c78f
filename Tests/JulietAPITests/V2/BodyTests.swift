import JulietAPI
import Testing

/// What a body is read as; nil when it is refused.
private func read<Body: V2.Body>(_ body: String, as type: Body.Type = Body.self) -> Body? {
    try? Body.decode(Array(body.utf8).span)
}

/// Why a body is refused; nil when it is taken.
private func fault(_ body: [UInt8], in type: (some V2.Body).Type) -> V2.RequestFault? {
    do {
        _ = try type.decode(body.span)
        return nil
    } catch {
        return error
    }
}

private func fault(_ body: String, in type: (some V2.Body).Type) -> V2.RequestFault? {
    fault(Array(body.utf8), in: type)
}

@Suite("/v2: bodies of requests")
struct V2BodyTests {
    @Test("each is read, and spelled in one way")
    func examples() {
        func check<Body: V2.Body>(_ text: String, _ body: Body) {
            #expect(read(text) == body)
            #expect(String(decoding: body.encoded(), as: UTF8.self) == text)
        }
        check("{}", V2.NoMembers())
        check("{}", V2.NewGame())
        check(#"{"hard":true}"#, V2.NewGame(isHard: true))
        check("{}", V2.NewPlayer())
        check(#"{"name":"Zoë"}"#, V2.NewPlayer(name: "Zoë"))
        check(#"{"name":"Zoë","claim":"v"}"#, V2.NewPlayer(name: "Zoë", claim: "v"))
        check(#"{"recoveryCode":"a-b"}"#, V2.SignIn(recoveryCode: "a-b"))
        let proof = V2.IdentityProof(provider: "p", idToken: "x.y.z", nonce: "n")
        check(#"{"provider":"p","idToken":"x.y.z","nonce":"n"}"#, proof)
        check(#"{"provider":"p","idToken":"x.y.z","nonce":"n"}"#, V2.SignIn(.identity(proof)))
        check(#"{"identity":{"provider":"p","idToken":"x.y.z","nonce":"n"}}"#, V2.NewPlayer(identity: proof))
        let (made, signed) = (V2.NewCredential(json: Array("{}".utf8)), V2.SignedCredential(json: Array("{}".utf8)))
        check(#"{"credential":{},"name":"P"}"#, V2.NewPasskey(credential: made, name: "P"))
        check(#"{"passkey":{}}"#, V2.SignIn(.passkey(signed)))
        check("{}", V2.Rename(name: nil))
        check(#"{"name":""}"#, V2.Rename(name: ""))
        check(#"{"word":"crane"}"#, V2.GuessWord(word: "crane"))
        check(#"{"word":"CRANE","number":6}"#, V2.GuessWord(word: "CRANE", number: 6))
        check("{}", V2.NewChallenge(days: 7))
        check(#"{"word":"CRANE","hard":true,"days":8}"#, V2.NewChallenge(word: "CRANE", isHard: true, days: 8))
        check(#"{"token":"t"}"#, V2.MergePlayer(.token("t")))
        check(#"{"provider":"p","idToken":"x.y.z","nonce":"n"}"#, V2.MergePlayer(.way(.identity(proof))))
    }

    @Test("members of what a service does not offer are ignored, whatever they are")
    func ignored() throws {
        let player = Array(#"{"name":"Ann","identity":5}"#.utf8)
        #expect(throws: V2.RequestFault.self) { try V2.NewPlayer.decode(player.span) }
        #expect(try V2.NewPlayer.decode(player.span, ignoring: [\.identity]) == V2.NewPlayer(name: "Ann"))
        let code = Array(#"{"recoveryCode":"a","passkey":5,"nonce":[]}"#.utf8)
        #expect(throws: V2.RequestFault.self) { try V2.SignIn.decode(code.span) }
        #expect(try V2.SignIn.decode(code.span, knowing: []) == V2.SignIn(recoveryCode: "a"))
        #expect(try V2.MergePlayer.decode(code.span, knowing: []).proof() == .way(.recoveryCode("a")))
        #expect(throws: V2.RequestFault.self) { try V2.MergePlayer.decode(code.span, knowing: [.identities]) }
    }

    @Test(
        "of a proof that is incomplete, the first member that is missing is named; several proofs are none",
        arguments: [
            (#"{"idToken":"x","nonce":"n"}"#, "/provider"), (#"{"provider":"p"}"#, "/idToken"),
            (#"{"provider":"p","idToken":"x"}"#, "/nonce"), (#"{"recoveryCode":"a","nonce":"n"}"#, ""),
            (#"{"recoveryCode":"a","passkey":{}}"#, ""), ("{}", ""),
        ])
    func proofs(body: String, path: String) {
        let bytes = Array(body.utf8)
        let signIn = #expect(throws: V2.RequestFault.self) { try V2.SignIn.decode(bytes.span) }
        let merge = #expect(throws: V2.RequestFault.self) { try V2.MergePlayer.decode(bytes.span) }
        #expect(signIn?.path == path && merge?.path == path)
        let both = Array(#"{"token":"t",\#(body.dropFirst())"#.replacing(",}", with: "}").utf8)
        let merged = try? V2.MergePlayer.decode(both.span)
        #expect((merged == nil) == (body != "{}"))
    }

    @Test(
        "order, blanks, escapes, unknown members, nulls and the spelling of integers mean nothing",
        arguments: [
            #"{"number":2,"word":"crane"}"#, "\r\n{ \"word\"\t: \"crane\" , \"number\":2 }\n",
            #"{"w\u006frd":"\u0063rane","number":2.0}"#, #"{"number":20e-1,"x":[{"word":1}],"word":"crane","y":null}"#,
            #"{"WORD":"x","word":"crane","number":0.2e1,"":{}}"#,
        ])
    func spellings(body: String) throws {
        let guess = try #require(read(body, as: V2.GuessWord.self))
        #expect(String(decoding: guess.encoded(), as: UTF8.self) == #"{"word":"crane","number":2}"#)
    }

    @Test("no body is an empty object, and null an absent member")
    func absent() {
        #expect(read("", as: V2.NoMembers.self) != nil)
        #expect(read("", as: V2.NewPlayer.self) == V2.NewPlayer())
        for body in ["", #"{"hard":false}"#, #"{"hard":null}"#] { #expect(read(body) == V2.NewGame()) }
        #expect(read("", as: V2.Rename.self) == V2.Rename(name: nil))
        #expect(read(#"{"name":null,"claim":null}"#, as: V2.NewPlayer.self) == V2.NewPlayer())
        #expect(read(#"{"word":"a","number":null}"#, as: V2.GuessWord.self) == V2.GuessWord(word: "a"))
    }

    @Test("a member that is missing or ill-typed is named, with the path to it")
    func members() {
        for body in ["", "{}", #"{"word":null}"#, #"{"Word":"a"}"#, #"{"number":1}"#] {
            #expect(
                fault(body, in: V2.GuessWord.self) == V2.RequestFault(path: "/word", detail: #""word" is missing."#))
        }
        let several = #"{"recoveryCode":"a","nonce":"b"}"#
        for body in ["", #"{"recoveryCode":null}"#, #"{"passkey":{},"recoveryCode":"a"}"#, several] {
            #expect(
                fault(body, in: V2.SignIn.self)
                    == V2.RequestFault(path: "", detail: "Give exactly one way to sign in: none was given, or several.")
            )
        }
        #expect(fault(#"{"identity":{"provider":"a"}}"#, in: V2.NewPlayer.self)?.path == "/identity/idToken")
        #expect(fault(#"{"identity":{"nonce":5}}"#, in: V2.NewPlayer.self)?.path == "/identity/provider")
        #expect(fault(#"{"credential":[]}"#, in: V2.NewPasskey.self)?.path == "/credential")
        for value in ["5", "true", "false", "[]", "{}", #"["a"]"#] {
            #expect(
                fault(#"{"word":\#(value)}"#, in: V2.GuessWord.self)
                    == V2.RequestFault(path: "/word", detail: #""word" must be a string."#))
            #expect(
                fault(#"{"name":\#(value)}"#, in: V2.NewPlayer.self)
                    == V2.RequestFault(path: "/name", detail: #""name" must be a string."#))
            #expect(fault(#"{"name":\#(value)}"#, in: V2.Rename.self)?.path == "/name")
            #expect(fault(#"{"recoveryCode":\#(value)}"#, in: V2.SignIn.self)?.path == "/recoveryCode")
        }
        for value in ["0", "7", "-1", "1.5", "1e400", "-1e400", #""1""#, "true", "[1]", "99999999999999999999"] {
            #expect(
                fault(#"{"word":"crane","number":\#(value)}"#, in: V2.GuessWord.self)
                    == V2.RequestFault(path: "/number", detail: #""number" must be an integer from 1 to 6."#))
        }
        for value in ["0", "1", #""true""#, "[]", "{}"] {
            #expect(
                fault(#"{"hard":\#(value)}"#, in: V2.NewGame.self)
                    == V2.RequestFault(path: "/hard", detail: #""hard" must be true or false."#))
        }
        for value in ["5", #""""#, #"" ""#, #""a\n""#, "\"\(String(repeating: "x", count: 129))\""] {
            #expect(
                fault(#"{"claim":\#(value)}"#, in: V2.NewPlayer.self)
                    == V2.RequestFault(
                        path: "/claim", detail: #""claim" must be a string of 1 to 128 printable characters."#))
        }
    }

    @Test(
        "a body that is not an object is a fault of the whole body",
        arguments: [
            (" ", "The body is not valid JSON: it is empty, at byte 1."), ("5", "The body is JSON, but not an object."),
            ("null", "The body is JSON, but not an object."), ("[]", "The body is JSON, but not an object."),
            ("{", "The body is not valid JSON: it ends too early, at byte 1."),
            ("{}{}", "The body is not valid JSON: something follows the value, at byte 2."),
            (#"{"word":"a","word":"a"}"#, "An object of the body holds the same name twice."),
            (#"{"word":"a","w\u006frd":null}"#, "An object of the body holds the same name twice."),
            (#"{"word":null,"word":"a"}"#, "An object of the body holds the same name twice."),
            (#"{"x":1,"word":"a","x":1}"#, "An object of the body holds the same name twice."),
            (#"{"word":"\ud800"}"#, "The body is not valid JSON: half of a surrogate pair in a string, at byte 9."),
            (#"{"word":"\u0000"}"#, "The body is not valid JSON: U+0000 in a string, at byte 9."),
            ("word=crane", "The body is not valid JSON: unexpected character, at byte 0."),
        ])
    func whole(body: String, detail: String) {
        let expected = V2.RequestFault(path: "", detail: detail)
        #expect(fault(body, in: V2.GuessWord.self) == expected)
        #expect(fault(body, in: V2.NoMembers.self) == expected)
    }

    @Test("valid values are passed over where a member is unknown", arguments: JSONValues.valid)
    func valid(value: String) {
        #expect(read(#"{"x":\#(value),"word":"a"}"#) == V2.GuessWord(word: "a"))
    }

    @Test("invalid values are refused wherever they stand", arguments: JSONValues.invalid)
    func invalid(value: String) {
        #expect(fault(#"{"x":\#(value)}"#, in: V2.NoMembers.self)?.path == "")
        #expect(fault(#"{"word":\#(value)}"#, in: V2.GuessWord.self)?.path == "")
    }

    @Test("bytes that are not UTF-8 are refused", arguments: JSONValues.invalidUTF8)
    func invalidUTF8(sequence: [UInt8]) {
        let body = Array(#"{"word":"a"#.utf8) + sequence + Array(#"b"}"#.utf8)
        #expect(fault(body, in: V2.GuessWord.self)?.path == "")
        #expect(fault(body, in: V2.NoMembers.self)?.path == "")
    }

    @Test("32 levels are taken, one more is refused")
    func depth() {
        func body(_ levels: Int) -> String {
            #"{"x":"# + String(repeating: "[", count: levels) + String(repeating: "]", count: levels) + "}"
        }
        #expect(fault(body(31), in: V2.NoMembers.self) == nil)
        let expected = V2.RequestFault(path: "", detail: "The body nests arrays or objects too deeply.")
        #expect(fault(body(32), in: V2.NoMembers.self) == expected)
        #expect(fault(body(100_000), in: V2.NoMembers.self) == expected)
    }

    @Test("a fault quotes nothing of the body")
    func quotesNothing() {
        for body in [#"{"word":["hunter2"]}"#, #"{"number":"hunter2","word":""}"#, #"{"hunter2":hunter2}"#] {
            #expect(fault(body, in: V2.GuessWord.self)?.detail.contains("hunter2") == false)
        }
    }

    @Test(
        "mutated bytes are taken or refused, and what is taken is read back the same", arguments: 0..<4 as Range<UInt64>
    )
    func mutations(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        func check<Body: V2.Body>(_ bytes: [UInt8], as type: Body.Type) throws -> Int {
            guard let body = try? Body.decode(bytes.span) else { return 0 }
            #expect(try Body.decode(body.encoded().span) == body)
            return 1
        }
        let seeds = [
            #"{"word":"cr\u00e4né","number":2,"x":[1.5e-3,{"y":null}]}"#, #"{"name":"Zoë","claim":"v\ud83c\udf89"}"#,
            #"{"recoveryCode":"01234-ABCDE"}"#, "{}", #"{"hard":true,"x":false}"#,
        ].map { Array($0.utf8) }
        var taken = 0
        for _ in 0..<15_000 {
            let mutated = mutate(seeds.randomElement(using: &random) ?? [], using: &random)
            taken += try check(mutated, as: V2.GuessWord.self)
            taken += try check(mutated, as: V2.NewPlayer.self)
            taken += try check(mutated, as: V2.SignIn.self)
            taken += try check(mutated, as: V2.Rename.self)
            taken += try check(mutated, as: V2.NewGame.self)
            taken += try check(mutated, as: V2.NoMembers.self)
        }
        // Else it would say nothing.
        #expect(taken > 1000)
    }
}
