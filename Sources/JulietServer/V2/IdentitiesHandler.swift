import HTTPServer
import JulietAPI
import JulietGame

/// `/v2/identities` and `/v2/nonces`: players' accounts at identity providers.
struct IdentitiesHandler {
    let verifier: IdentityVerifier
    let identities: Identities
    let limits: SignInLimits
    let metrics: GameMetrics

    var routes: [V2Route] {
        [
            V2Route(
                "makeNonce", .post, "/nonces", "Makes a nonce, which a provider puts into an identity token.",
                for: .newcomers, takes: V2.NoMembers.self, answers: .created(V2.Nonce.self, at: .path("/nonces")),
                refuses: [.notFound]
            ) { try await makeNonce($0) },
            V2Route(
                "linkIdentity", .post, "/identities",
                "Links an identity, which signs the player in from then on.",
                takes: V2.IdentityProof.self,
                answers: .created(V2.LinkedIdentity.self, at: .path("/identities")), .ok(V2.LinkedIdentity.self),
                refuses: [.notFound, .identityRefused, .identityTaken, .identityLinked, .idempotencyKeyReused]
            ) { try await link($0) },
            V2Route(
                "listIdentities", .get, "/identities", "The player's identities, newest first.",
                answers: .ok(V2.IdentityList.self), refuses: [.notFound]
            ) { .of(try await identities.identities(of: $0.player())) },
            V2Route(
                "unlinkIdentity", .delete, "/identities/{provider}", "Unlinks an identity. Its sessions stay open.",
                answers: .done
            ) { try await unlink($0) },
        ]
    }

    func makeNonce(_ request: V2Request) async throws -> Response {
        _ = try request.body(V2.NoMembers.self)
        if let wait = limits.secondsToWait(nonceFor: request.client) { return .tooManyRequests(retryAfter: wait) }
        return .json(try await verifier.nonce(), status: .created)
    }

    func link(_ request: V2Request) async throws -> Response {
        let proof = try request.body(V2.IdentityProof.self)
        let session = try request.player()
        let answer =
            switch try await verifier.verdict(on: proof) {
            case .proven(let identity, let nonce):
                try await identities.link(identity, nonce: nonce, proof: proof, by: session, as: request.operation)
            case .refused(let reason, let nonce):
                try await identities.refuse(proof, for: reason, nonce: nonce, by: session, as: request.operation)
            }
        if let linked = answer.news, !linked.isKnown { metrics.linked(.identity) }
        return .of(answer) {
            .json(V2.LinkedIdentity(identity: $0.identity), status: $0.isKnown ? .ok : .created)
        }
    }

    func unlink(_ request: V2Request) async throws -> Response {
        .of(
            try await identities.unlink(request.http.parameters["provider"] ?? "", by: request.player()))
    }
}
