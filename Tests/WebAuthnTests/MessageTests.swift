import CredentialTesting
import StrictEncoding
import Testing
import WebAuthn

@Suite("Messages")
struct MessageTests {
    private let party = SoftwareAuthenticator.party

    @Test("the options of a registration are what the contract and §5.1 say")
    func creation() {
        let options = CreationOptions(
            relyingParty: party, userID: Array("player of 16 byt".utf8), userName: "Ada \"A\"",
            challenge: [0xFB, 0xFF, 1],
            excluded: [[1, 2, 3], [4]])
        #expect(
            options.json == """
                {"rp":{"id":"juliet.example","name":"Juliet"},\
                "user":{"id":"cGxheWVyIG9mIDE2IGJ5dA","name":"Ada \\"A\\"","displayName":"Ada \\"A\\""},\
                "challenge":"-_8B",\
                "pubKeyCredParams":[{"type":"public-key","alg":-7},\
                {"type":"public-key","alg":-8},{"type":"public-key","alg":-257}],\
                "timeout":300000,\
                "excludeCredentials":[{"type":"public-key","id":"AQID"},{"type":"public-key","id":"BA"}],\
                "authenticatorSelection":{"residentKey":"required","requireResidentKey":true,\
                "userVerification":"preferred"},\
                "attestation":"none"}
                """)
    }

    @Test("the options of signing in are what the contract and §5.1 say")
    func request() {
        let options = RequestOptions(relyingParty: party, challenge: [0xFB, 0xFF, 1], timeout: .milliseconds(1500))
        #expect(
            options.json
                == #"{"challenge":"-_8B","timeout":1500,"rpId":"juliet.example","userVerification":"preferred"}"#)
    }

    private let registration = """
        {"id":"a","rawId":"b","type":"c","authenticatorAttachment":"platform","clientExtensionResults":{},"later":[1],
        "response":{"clientDataJSON":"d","attestationObject":"e","transports":["internal"],"publicKeyAlgorithm":-7}}
        """
    private let authentication = """
        {"id":"a","rawId":"b","type":"c","clientExtensionResults":{},
        "response":{"clientDataJSON":"d","authenticatorData":"e","signature":"f","userHandle":"g"}}
        """

    @Test("responses are read by their members")
    func responses() throws {
        #expect(
            try RegistrationResponse(json: Array(registration.utf8))
                == RegistrationResponse(id: "a", rawId: "b", type: "c", clientDataJSON: "d", attestationObject: "e"))
        let full = AuthenticationResponse(
            id: "a", rawId: "b", type: "c", clientDataJSON: "d", authenticatorData: "e", signature: "f", userHandle: "g"
        )
        #expect(try AuthenticationResponse(json: Array(authentication.utf8)) == full)
        let without = AuthenticationResponse(
            id: "a", rawId: "b", type: "c", clientDataJSON: "d", authenticatorData: "e", signature: "f", userHandle: nil
        )
        for other in ["", #","userHandle":null"#] {
            let text = authentication.replacing(#","userHandle":"g""#, with: other)
            #expect(try AuthenticationResponse(json: Array(text.utf8)) == without)
        }
    }

    @Test("responses without a member, or with one of another type, are none, and say which")
    func members() {
        for (path, value) in [
            ("/id", "a"), ("/rawId", "b"), ("/type", "c"), ("/response/clientDataJSON", "d"),
            ("/response/attestationObject", "e"),
        ] {
            check(registration, path, value) { json throws(ResponseError) in _ = try RegistrationResponse(json: json) }
        }
        for (path, value) in [
            ("/id", "a"), ("/rawId", "b"), ("/type", "c"), ("/response/clientDataJSON", "d"),
            ("/response/authenticatorData", "e"), ("/response/signature", "f"),
        ] {
            check(authentication, path, value) { json throws(ResponseError) in
                _ = try AuthenticationResponse(json: json)
            }
        }
        let handle = authentication.replacing(#""userHandle":"g""#, with: #""userHandle":1"#)
        #expect(throws: ResponseError.self) { try AuthenticationResponse(json: Array(handle.utf8)) }
        for text in ["[]", "\"x\"", "1", #""response":"#] {
            let json = #"{"id":"a","rawId":"b","type":"c","response":\#(text)}"#
            #expect(throws: ResponseError.self) { try RegistrationResponse(json: Array(json.utf8)) }
        }
        for text in ["", "null", "[]", "{", "{\"id\":\"a\",\"id\":\"a\"}", "\u{FEFF}\(registration)"] {
            #expect(throws: ResponseError.self) { try RegistrationResponse(json: Array(text.utf8)) }
        }
    }

    @Test("responses may lack what is not looked at, and may not have it of another type")
    func otherMembers() throws {
        let others: [(String, [String], [String])] = [
            ("authenticatorAttachment", ["null", "\"later\""], ["1", "[]"]),
            ("clientExtensionResults", ["null", "{}", "{\"credProps\":{\"rk\":true}}"], ["[]", "\"\"", "false"]),
            ("response.authenticatorData", ["null", "\"\""], ["1"]), ("response.publicKey", ["null", "\"\""], ["{}"]),
            ("response.publicKeyAlgorithm", ["null", "-7"], ["\"-7\""]),
            ("response.transports", ["null", "[]", "[\"usb\",\"later\"]"], ["\"usb\"", "[1]", "{}"]),
            ("later", ["1", "null", "[]"], []), ("response.later", ["1", "null", "[]"], []),
        ]
        for (path, right, wrong) in others {
            let names = path.split(separator: ".").map(String.init)
            func json(_ value: String) -> [UInt8] {
                let member = ",\"\(names[names.count - 1])\":\(value)"
                let (outer, inner) = names.count == 1 ? (member, "") : ("", member)
                let response = #"{"clientDataJSON":"d","attestationObject":"e"\#(inner)}"#
                return Array(#"{"id":"a","rawId":"b","type":"c","response":\#(response)\#(outer)}"#.utf8)
            }
            for value in right { #expect(throws: Never.self) { try RegistrationResponse(json: json(value)) } }
            for value in wrong {
                do {
                    _ = try RegistrationResponse(json: json(value))
                    Issue.record("\(path) \(value)")
                } catch {
                    #expect(error.problem == .wrongType)
                    #expect(error.path == "/" + names.joined(separator: "/"))
                }
            }
        }
    }

    private func check(
        _ text: String, _ path: String, _ value: String, read: ([UInt8]) throws(ResponseError) -> Void
    ) {
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        let member = "\"\(name)\":\"\(value)\""
        for (other, problem) in [
            ("\"x\":1", .missing), ("\"\(name)\":1", .wrongType), ("\"\(name)\":null", .wrongType),
            ("\"\(name)\":[\"\(value)\"]", .wrongType),
        ] as [(String, ResponseError.Problem)] {
            do {
                try read(Array(text.replacing(member, with: other).utf8))
                Issue.record("\(path) \(other)")
            } catch {
                #expect(error.path == path)
                #expect(error.problem == problem)
            }
        }
    }
}
