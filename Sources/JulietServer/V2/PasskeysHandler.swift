import HTTPServer
import JulietAPI
import JulietGame
import WebAuthn

/// `/v2/passkeys`: passkeys, which sign a player in without a code.
struct PasskeysHandler {
    let verifier: PasskeyVerifier
    let passkeys: Passkeys
    let metrics: GameMetrics

    var routes: [V2Route] {
        [
            V2Route(
                "readPasskeyOptions", .post, "/passkeys/options", "The options to make a passkey with.",
                takes: V2.NoMembers.self, answers: .ok(V2.PasskeyCreation.schema), refuses: [.notFound, .tooMany]
            ) { try await options($0) },
            V2Route(
                "registerPasskey", .post, "/passkeys", "Registers a passkey, which signs the player in from then on.",
                takes: V2.NewPasskey.self,
                answers: .created(V2.RegisteredPasskey.self, at: .path("/passkeys")),
                refuses: [.notFound, .passkeyRefused, .nameRefused, .tooMany]
            ) { try await register($0) },
            V2Route(
                "listPasskeys", .get, "/passkeys", "The player's passkeys, newest first.",
                answers: .ok(V2.PasskeyList.self), refuses: [.notFound]
            ) { .of(try await passkeys.passkeys(of: $0.player())) },
            V2Route(
                "deletePasskey", .delete, "/passkeys/{id}", "Deletes a passkey. Its sessions stay open.",
                answers: .done
            ) { .of(try await passkeys.delete($0.id(), by: $0.player())) },
        ]
    }

    func options(_ request: V2Request) async throws -> Response {
        _ = try request.body(V2.NoMembers.self)
        let answer = try await passkeys.options(of: request.player())
        guard let options = answer.value, options.hasRoom else {
            return .of(answer) { _ in .problem(V2.Problem(for: .tooMany)) }
        }
        return .json(bytes: try await verifier.creation(for: options, of: options.userHandle ?? []))
    }

    func register(_ request: V2Request) async throws -> Response {
        let body = try request.body(V2.NewPasskey.self)
        let session = try request.player()
        let response: RegistrationResponse
        do throws(ResponseError) {
            response = try RegistrationResponse(json: body.credential.json)
        } catch {
            throw V2.RequestFault(error, below: "/credential")
        }
        let options = try await passkeys.options(of: session)
        if let refusal = options.refusal { return .problem(V2.Problem(for: refusal)) }
        switch try await verifier.registration(response, of: options.value?.userHandle ?? []) {
        case .failure(let refusal):
            return .problem(V2.Problem(for: .passkeyRefused, V2Details(reason: refusal.reason)))
        case .success(let passkey):
            let name = body.name.map { V2.GivenName($0, .passkey) }
            let answer = try await passkeys.register(passkey, named: name?.text, by: session)
            if answer.news != nil { metrics.linked(.passkey) }
            return .of(answer.about(name).map(V2.RegisteredPasskey.init), status: .created)
        }
    }
}
