import JulietAPI
import Testing

@Suite("Requests")
struct GameRequestTests {
    static let examples: [(body: String, request: GameRequest)] = [
        (#"{"requestType":"initialRegistration","vendorID":"u"}"#, .initialRegistration(vendorID: "u")),
        (#"{"requestType":"fetchNewSecretWord","userID":"u"}"#, .fetchNewSecretWord(userID: "u")),
        (
            #"{"requestType":"updateUserPlayedWordsList","userID":"u","playedWord":"vapor"}"#,
            .updateUserPlayedWordsList(userID: "u", playedWord: "vapor")
        ),
        (
            #"{"requestType":"updateUserEnergy","userID":"u","userEnergy":25}"#,
            .updateUserEnergy(userID: "u", userEnergy: 25)
        ),
        (#"{"requestType":"singleGameEnergyUpdate","userID":"u"}"#, .singleGameEnergyUpdate(userID: "u")),
        (
            #"{"requestType":"handleEnergyPurchase","userID":"u","energyPurchaseAmount":30}"#,
            .handleEnergyPurchase(userID: "u", energyPurchaseAmount: 30)
        ),
        (#"{"requestType":"fetchUserWins","userID":"u"}"#, .fetchUserWins(userID: "u")),
        (#"{"requestType":"updateUserWins","userID":"u"}"#, .updateUserWins(userID: "u")),
        (#"{"requestType":"statNewGameSession","userID":"u"}"#, .statNewGameSession(userID: "u")),
    ]

    @Test("every request type is decoded at its URL and encoded byte for byte", arguments: examples)
    func decoded(body: String, request: GameRequest) throws {
        #expect(try decode(body, at: request.type.endpoint) == request)
        #expect(String(decoding: request.encoded(), as: UTF8.self) == body)
        #expect(request.userID == "u")
    }

    @Test("there is one example of each of the nine types")
    func allTypes() {
        #expect(Set(Self.examples.map(\.request.type)) == Set(RequestType.allCases))
        #expect(RequestType.allCases.count == 9)
    }

    @Test("every request type is refused at every other URL, its type told", arguments: examples, Endpoint.allCases)
    func misplaced(example: (body: String, request: GameRequest), endpoint: Endpoint) {
        let type = example.request.type
        guard type.endpoint != endpoint else { return }
        let expected = RequestFailure(
            .typeMisplaced, type: type, message: "\(type.name) belongs to \(type.endpoint.path).")
        #expect(failure(of: example.body, at: endpoint) == expected)
    }

    @Test("the order of members and blanks around them mean nothing")
    func order() throws {
        let body =
            "\r\n{\t\"energyPurchaseAmount\" : 5 ,\n \"requestType\": \"handleEnergyPurchase\" , \"userID\" :\"u\" }  \n"
        #expect(try decode(body, at: .iapManager) == .handleEnergyPurchase(userID: "u", energyPurchaseAmount: 5))
    }

    @Test("names and the request type may be escaped")
    func escapedNames() throws {
        let body = #"{"request\u0054ype":"\u0066etchUserWins","\u0075serID":"u"}"#
        #expect(try decode(body, at: .userSessionManager) == .fetchUserWins(userID: "u"))
    }

    @Test(
        "parameters of other types are ignored, whatever they hold",
        arguments: [
            #""userEnergy":"many""#, #""playedWord":5"#, #""vendorID":null"#, #""energyPurchaseAmount":1e400"#,
            #""userEnergy":-1,"playedWord":[],"vendorID":{}"#,
            #""extra":{"requestType":"updateUserWins","userID":"v"}"#,
        ])
    func extras(members: String) throws {
        let body = #"{"requestType":"fetchUserWins",\#(members),"userID":"u"}"#
        #expect(try decode(body, at: .userSessionManager) == .fetchUserWins(userID: "u"))
    }

    @Test(
        "a parameter that is missing is named",
        arguments: [
            (
                RequestType.initialRegistration, "",
                #"initialRegistration needs "vendorID", a string of 1 to 128 printable characters."#
            ),
            (
                .initialRegistration, #","userID":"u""#,
                #"initialRegistration needs "vendorID", a string of 1 to 128 printable characters."#
            ),
            (
                .fetchNewSecretWord, "",
                #"fetchNewSecretWord needs "userID", a string of 1 to 128 printable characters."#
            ),
            (
                .fetchNewSecretWord, #","vendorID":"u""#,
                #"fetchNewSecretWord needs "userID", a string of 1 to 128 printable characters."#
            ),
            (
                .updateUserPlayedWordsList, #","playedWord":"vapor""#,
                #"updateUserPlayedWordsList needs "userID", a string of 1 to 128 printable characters."#
            ),
            (
                .updateUserPlayedWordsList, #","userID":"u""#,
                #"updateUserPlayedWordsList needs "playedWord", a string."#
            ),
            (
                .updateUserEnergy, #","userEnergy":5"#,
                #"updateUserEnergy needs "userID", a string of 1 to 128 printable characters."#
            ),
            (.updateUserEnergy, #","userID":"u""#, #"updateUserEnergy needs "userEnergy", an integer, 0 or more."#),
            (
                .singleGameEnergyUpdate, "",
                #"singleGameEnergyUpdate needs "userID", a string of 1 to 128 printable characters."#
            ),
            (
                .handleEnergyPurchase, #","energyPurchaseAmount":5"#,
                #"handleEnergyPurchase needs "userID", a string of 1 to 128 printable characters."#
            ),
            (
                .handleEnergyPurchase, #","userID":"u""#,
                #"handleEnergyPurchase needs "energyPurchaseAmount", an integer: 5 or 30."#
            ),
            (.fetchUserWins, "", #"fetchUserWins needs "userID", a string of 1 to 128 printable characters."#),
            (.updateUserWins, "", #"updateUserWins needs "userID", a string of 1 to 128 printable characters."#),
            (
                .statNewGameSession, #","UserID":"u""#,
                #"statNewGameSession needs "userID", a string of 1 to 128 printable characters."#
            ),
        ])
    func missing(type: RequestType, members: String, message: String) {
        let failure = failure(of: #"{"requestType":"\#(type.name)"\#(members)}"#, at: type.endpoint)
        #expect(failure == RequestFailure(.parameterMissing, type: type, message: message))
    }

    @Test(
        "a parameter of the wrong type is named",
        arguments: [
            (
                RequestType.updateUserPlayedWordsList, "playedWord", "5",
                #""playedWord" of updateUserPlayedWordsList must be a string."#
            ),
            (
                .updateUserPlayedWordsList, "playedWord", "null",
                #""playedWord" of updateUserPlayedWordsList must be a string."#
            ),
            (
                .updateUserPlayedWordsList, "playedWord", #"["v","a"]"#,
                #""playedWord" of updateUserPlayedWordsList must be a string."#
            ),
            (
                .updateUserEnergy, "userEnergy", #""5""#,
                #""userEnergy" of updateUserEnergy must be an integer, 0 or more."#
            ),
            (
                .updateUserEnergy, "userEnergy", "5.5",
                #""userEnergy" of updateUserEnergy must be an integer, 0 or more."#
            ),
            (
                .updateUserEnergy, "userEnergy", "true",
                #""userEnergy" of updateUserEnergy must be an integer, 0 or more."#
            ),
            (
                .updateUserEnergy, "userEnergy", "null",
                #""userEnergy" of updateUserEnergy must be an integer, 0 or more."#
            ),
            (
                .updateUserEnergy, "userEnergy", "-1e400",
                #""userEnergy" of updateUserEnergy must be an integer, 0 or more."#
            ),
            (
                .handleEnergyPurchase, "energyPurchaseAmount", #""5""#,
                #""energyPurchaseAmount" of handleEnergyPurchase must be an integer: 5 or 30."#
            ),
            (
                .handleEnergyPurchase, "energyPurchaseAmount", "5.5",
                #""energyPurchaseAmount" of handleEnergyPurchase must be an integer: 5 or 30."#
            ),
            (
                .handleEnergyPurchase, "energyPurchaseAmount", "null",
                #""energyPurchaseAmount" of handleEnergyPurchase must be an integer: 5 or 30."#
            ),
        ])
    func invalid(type: RequestType, parameter: String, value: String, message: String) {
        let body = #"{"requestType":"\#(type.name)","userID":"u","\#(parameter)":\#(value)}"#
        #expect(failure(of: body, at: type.endpoint) == RequestFailure(.parameterInvalid, type: type, message: message))
    }

    @Test(
        "a request type we do not know is refused without one",
        arguments: [
            "", "FetchUserWins", "fetchuserwins", "fetchUserWins ", " fetchUserWins", "startNewGameSession",
            "fetchUserWinsx", "fetchUserWin",
            "initialRegistration\\u0020", "*", "é", "authenticateUser",
        ])
    func unknownType(name: String) {
        let expected = RequestFailure(.typeUnknown, type: nil, message: #""requestType" is unknown."#)
        for endpoint in Endpoint.allCases {
            #expect(failure(of: #"{"requestType":"\#(name)","userID":"u","vendorID":"u"}"#, at: endpoint) == expected)
        }
    }

    @Test(
        "a request type that is no string is refused",
        arguments: ["5", "null", "true", "[]", "{}", #"["fetchUserWins"]"#])
    func invalidType(value: String) {
        let expected = RequestFailure(.typeInvalid, type: nil, message: #""requestType" is not a string."#)
        #expect(failure(of: #"{"requestType":\#(value),"userID":"u"}"#, at: .userSessionManager) == expected)
    }

    @Test(
        "a request type that is missing is missed",
        arguments: [#""userID":"u""#, #""RequestType":"fetchUserWins""#, #""x":{"requestType":"fetchUserWins"}"#])
    func missingType(members: String) {
        let expected = RequestFailure(.typeMissing, type: nil, message: #"The body has no "requestType"."#)
        #expect(failure(of: "{\(members)}", at: .userSessionManager) == expected)
    }

    @Test("any text is a played word; what cannot be one of ours needs no look-up")
    func playedWords() throws {
        for word in ["vapor", "VAPOR", "Vapor", "", " ", "größe", "ıİ", "\u{1F}", String(repeating: "é", count: 64)] {
            let request = GameRequest.updateUserPlayedWordsList(userID: "u", playedWord: word)
            #expect(try GameRequest.decode(request.encoded().span, at: .wordManager) == request)
        }
        #expect(GameRequest.couldBeWord("v"))
        #expect(GameRequest.couldBeWord("vapor"))
        #expect(GameRequest.couldBeWord(String(repeating: "é", count: 64)))
        #expect(GameRequest.couldBeWord(String(repeating: "🎉", count: 64)))
        #expect(!GameRequest.couldBeWord(""))
        #expect(!GameRequest.couldBeWord(String(repeating: "v", count: 65)))
        #expect(!GameRequest.couldBeWord(String(repeating: "e\u{301}", count: 33)))
        #expect(!GameRequest.couldBeWord(String(repeating: "v", count: 1_000_000)))
    }

    @Test("a signedTransaction is taken where it is asked for, null is none, and elsewhere it is any member")
    func signedTransaction() throws {
        func body(_ value: String) -> String {
            #"{"requestType":"handleEnergyPurchase","userID":"u","energyPurchaseAmount":5,"signedTransaction":\#(value)}"#
        }
        func decode(_ value: String, taking: Bool) throws -> GameRequest {
            try GameRequest.decode(Array(body(value).utf8).span, at: .iapManager, takesTransactions: taking)
        }
        let signed = GameRequest.handleSignedEnergyPurchase(
            userID: "u", energyPurchaseAmount: 5, signedTransaction: "x.y.z")
        let unsigned = GameRequest.handleEnergyPurchase(userID: "u", energyPurchaseAmount: 5)
        #expect(try decode(#""x.y.z""#, taking: true) == signed)
        #expect(String(decoding: signed.encoded(), as: UTF8.self) == body(#""x.y.z""#))
        #expect(signed.type == .handleEnergyPurchase && signed.userID == "u")
        #expect(try decode("null", taking: true) == unsigned)
        for value in ["5", "true", "[]", "{}"] {
            #expect(throws: RequestFailure.self) { try decode(value, taking: true) }
        }
        for value in [#""x.y.z""#, "null", "5", "true", "[]", "{}"] {
            #expect(try decode(value, taking: false) == unsigned)
        }
    }

    @Test("what clients send is read back as sent, whatever the texts hold")
    func roundTrip() throws {
        for id in ["\"", "\\", "/", "é", "🎉", "{}", "a\"b\\c", "\\u0041"] {
            let request = GameRequest.updateUserPlayedWordsList(userID: id, playedWord: "\n\t\u{1}\(id)")
            #expect(try GameRequest.decode(request.encoded().span, at: .wordManager) == request)
        }
        for value in [0, 5, 30, -5, Int.max, -Int.max, Int.min, 1_000_000] {
            let request = GameRequest.handleEnergyPurchase(userID: "u", energyPurchaseAmount: value)
            #expect(try GameRequest.decode(request.encoded().span, at: .iapManager) == request)
        }
    }
}

@Suite("Endpoints")
struct EndpointTests {
    @Test(
        "paths are the published app's",
        arguments: [
            (Endpoint.authenticateUser, "/Juliet_AuthenticateUser", "/Juliet_AuthenticateUsers"),
            (.wordManager, "/Juliet_WordManager", nil),
            (.iapManager, "/Juliet_IAPManager", nil),
            (.userSessionManager, "/Juliet_UserSessionManager", nil),
        ] as [(Endpoint, String, String?)])
    func paths(endpoint: Endpoint, path: String, alias: String?) {
        #expect(endpoint.path == path)
        #expect(endpoint.alias == alias)
    }

    @Test(
        "every request type has one URL",
        arguments: [
            (Endpoint.authenticateUser, [RequestType.initialRegistration]),
            (.wordManager, [.fetchNewSecretWord, .updateUserPlayedWordsList]),
            (.iapManager, [.updateUserEnergy, .singleGameEnergyUpdate, .handleEnergyPurchase]),
            (.userSessionManager, [.fetchUserWins, .updateUserWins, .statNewGameSession]),
        ])
    func types(endpoint: Endpoint, types: [RequestType]) {
        #expect(RequestType.allCases.filter { $0.endpoint == endpoint } == types)
    }
}
