import HTTPServer
import JulietAPI
import JulietGame

/// `/v2/players`: who plays.
struct PlayersHandler {
    let accounts: PlayerAccounts
    let rules: RulesInForce
    let limits: RequestLimits
    let metrics: GameMetrics
    /// nil: there are no identity providers.
    let identities: (verifier: IdentityVerifier, records: Identities)?
    private let exportTurns = OneAtATime()

    var routes: [V2Route] {
        [
            V2Route(
                "createPlayer", .post, "/players", "Creates a player, with the starting energy.", for: .newcomers,
                takes: V2.NewPlayer.self, answers: .created(V2.PlayerCredentials.self, at: .path("/players/me")),
                refuses: [.nameRefused, .claimRefused, .claimed]
                    + (identities == nil ? [] : [.identityRefused, .identityTaken])
            ) { try await create($0) },
            V2Route(
                "readPlayer", .get, "/players/me", "The calling player.", answers: .ok(V2.Player.self)
            ) { try await read($0) },
            V2Route(
                "renamePlayer", .patch, "/players/me", "Changes the player's name.", takes: V2.Rename.self,
                answers: .ok(V2.Player.self), refuses: [.nameRefused]
            ) { try await rename($0) },
            V2Route(
                "deletePlayer", .delete, "/players/me", "Deletes the player, for good.", answers: .done
            ) { try await delete($0) },
            V2Route(
                "listEnergy", .get, "/players/me/energy", "What changed the balance, newest first, 100 at most.",
                query: [.before, .limit], answers: .ok(V2.EnergyHistory.self)
            ) { try await energy($0) },
            V2Route(
                "takeRefill", .post, "/players/me/refill", "Takes the energy that has come back.",
                takes: V2.NoMembers.self, answers: .ok(V2.RefilledEnergy.self),
                refuses: [.notFound, .refillEarly, .refillFull, .idempotencyKeyReused],
                while: { [rules] in rules.current.hasRefills }
            ) { try await takeRefill($0) },
            V2Route(
                "exportPlayer", .get, "/players/me/export", "Everything kept about the player.",
                answers: .ok(V2.exportSchema)
            ) { try await export($0) },
            V2Route(
                "renewRecoveryCode", .post, "/players/me/recovery-code",
                "Makes a new recovery code; the old one stops working.",
                takes: V2.NoMembers.self,
                answers: .created(V2.RenewedRecoveryCode.self, at: .path("/players/me/recovery-code"))
            ) { try await renewRecoveryCode($0) },
        ]
    }

    func create(_ request: V2Request) async throws -> Response {
        let body = try V2.NewPlayer.decode(
            request.http.body.span, ignoring: identities == nil ? [\.identity] : [])
        if let wait = limits.secondsToWait(registering: request.client) { return .tooManyRequests(retryAfter: wait) }
        let (name, account) = (body.name.map { V2.GivenName($0, .player) }, body.claim.map { User.ID($0) })
        let answer: V2Answer<V2.PlayerCredentials>
        if let proof = body.identity, let identities {
            switch try await identities.verifier.verdict(on: proof) {
            case .proven(let identity, let nonce):
                answer = try await identities.records.create(
                    identity, nonce: nonce, name: name?.text, claiming: account)
            case .refused(let reason, let nonce):
                return .of(try await identities.records.refusePlayer(named: name?.text, nonce: nonce).about(name)) {
                    .problem(V2.Problem(for: .identityRefused, V2Details(reason: reason)))
                }
            }
        } else {
            answer = try await accounts.create(name: name?.text, claiming: account)
        }
        if let created = answer.news {
            metrics.registered(created.player, isClaim: body.claim != nil)
            if body.identity != nil { metrics.linked(.identity) }
        }
        return .of(answer.about(name), status: .created)
    }

    func read(_ request: V2Request) async throws -> Response {
        .of(try await accounts.player(of: request.player()))
    }

    func rename(_ request: V2Request) async throws -> Response {
        let name = try request.body(V2.Rename.self).name.map { V2.GivenName($0, .player) }
        return .of(try await accounts.rename(to: name?.text, by: request.player()).about(name))
    }

    func delete(_ request: V2Request) async throws -> Response {
        .of(try await accounts.delete(by: request.player()))
    }

    func energy(_ request: V2Request) async throws -> Response {
        let query = try request.query()
        let before = try query.before.map { text throws(V2.RequestFault) in
            guard let number = Int(text), number >= 0 else { throw .unknownPage }
            return number
        }
        return .of(
            try await accounts.energy(
                of: request.player(), before: before, limit: query.limit(atMost: 100)))
    }

    func takeRefill(_ request: V2Request) async throws -> Response {
        _ = try request.body(V2.NoMembers.self)
        let answer = try await accounts.takeRefill(by: request.player(), as: request.operation)
        metrics.refilled(answer)
        return .of(answer.map(\.energy))
    }

    func export(_ request: V2Request) async throws -> Response {
        let session = try request.player()
        if let stranger = try await accounts.stranger(session) { return .problem(V2.Problem(for: stranger)) }
        return try await exportTurns.answer(session.player?.rawValue ?? "") {
            .of(try await accounts.export(of: session)) { .json(bytes: Array($0.utf8)) }
        }
    }

    func renewRecoveryCode(_ request: V2Request) async throws -> Response {
        _ = try request.body(V2.NoMembers.self)
        return .of(try await accounts.renewRecoveryCode(of: request.player()), status: .created)
    }
}
