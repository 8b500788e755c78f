import JulietAPI
import JulietGame
import Logging
import Postgres
import WebAuthn

/// Makes the options for passkeys, and verifies what authenticators answer, before the database is asked.
///
/// A signature costs some hundred microseconds, so it is verified on the process's own threads: a loop's other requests do not
/// wait for it.
struct PasskeyVerifier: Sendable {
    /// How long a challenge is valid.
    static let lifetime: Duration = .seconds(300)

    let party: RelyingParty
    let nonces: NonceMaker
    let metrics: GameMetrics
    let logger: Logger

    /// The options to make a passkey with, as JSON.
    func creation(for options: PasskeyOptions, of handle: [UInt8]) async throws -> [UInt8] {
        let challenge = try await nonces.signer().challenge(
            for: .registration(of: handle), now: WallClock.now, lifetime: Self.lifetime)
        let publicKey = CreationOptions(
            relyingParty: party, userID: handle, userName: options.name, challenge: challenge.bytes,
            excluded: options.credentials, timeout: Self.lifetime)
        return Array("{\"publicKey\":\(publicKey.json)}".utf8)
    }

    /// The options to sign in with one, as JSON.
    func request() async throws -> [UInt8] {
        let challenge = try await nonces.signer().challenge(
            for: .authentication, now: WallClock.now, lifetime: Self.lifetime)
        let publicKey = RequestOptions(relyingParty: party, challenge: challenge.bytes, timeout: Self.lifetime)
        return Array("{\"publicKey\":\(publicKey.json)}".utf8)
    }

    /// Verifies a player's new passkey. A refused answer uses its challenge up.
    ///
    /// - Parameter handle: The 16 bytes of the player's id.
    /// - Returns: The passkey to store, or the contract's reason for refusing it.
    func registration(
        _ response: RegistrationResponse, of handle: [UInt8]
    ) async throws -> Result<NewPasskey, Refusal> {
        let (signer, now) = (try await nonces.signer(), WallClock.now)
        let (verdict, foreign) = await offLoop {
            [party] () -> (Result<VerifiedRegistration, WebAuthnRefusal>, [UInt8]?) in
            // A challenge for signing in is used up even if it is answered here.
            var foreign: [UInt8]?
            do throws(WebAuthnRefusal) {
                let verified = try party.registration(response) { challenge in
                    if signer.challenge(challenge, for: .authentication, now: now) != nil { foreign = challenge }
                    return signer.challenge(challenge, for: .registration(of: handle), now: now) != nil
                }
                return (.success(verified), nil)
            } catch {
                return (.failure(error), foreign)
            }
        }
        switch verdict {
        case .success(let verified):
            return .success(
                NewPasskey(
                    challenge: verified.challenge, credential: verified.credentialID,
                    publicKey: verified.publicKey.coseKey, signCount: verified.signCount,
                    isBackupEligible: verified.isBackupEligible, isBackedUp: verified.isBackedUp))
        case .failure(let refusal):
            let wasUsed = try await nonces.spend(refusal.challenge ?? foreign)
            // If the challenge was used before, that is the reason, whatever else is wrong.
            return .failure(
                Refusal(reason: (wasUsed ? WebAuthnRefusal.Reason.challenge : refusal.reason).rawValue))
        }
    }

    /// Why a passkey cannot be registered.
    struct Refusal: Error {
        let reason: String
    }

    /// The result of signing in.
    enum SignIn {
        case done(V2Answer<V2.OpenedSession>)
        case refused(PasskeyFailure)
    }

    /// What an answer of an authenticator proves.
    enum Proof {
        /// Whose passkey it is. The challenge is one of ours; only the database knows whether it was used before.
        case proven(User.ID, PasskeyUse)
        /// Nothing. The caller hands it to ``refuse(_:)``.
        case failed(PasskeyFailure)
    }

    /// Signs somebody in with a passkey's signature, and uses its challenge up in any case.
    func signIn(by response: AuthenticationResponse, _ passkeys: Passkeys) async throws -> SignIn {
        switch try await proof(in: response, passkeys) {
        case .proven(let player, let use): .done(try await passkeys.signIn(player, by: use))
        case .failed(let failure): .refused(try await refuse(failure))
        }
    }

    /// Verifies what a passkey has signed.
    func proof(in response: AuthenticationResponse, _ passkeys: Passkeys) async throws -> Proof {
        let (signer, now) = (try await nonces.signer(), WallClock.now)
        let assertion: Assertion
        do throws(WebAuthnRefusal) {
            assertion = try party.assertion(response) {
                signer.challenge($0, for: .authentication, now: now) != nil
            }
        } catch {
            return .failed(PasskeyFailure(error))
        }
        guard let record = try await passkeys.passkey(named: assertion.credentialID),
            let key = CredentialPublicKey(coseKey: record.publicKey)
        else { return .failed(PasskeyFailure(reason: nil, challenge: assertion.challenge)) }
        let credential = CredentialRecord(
            publicKey: key, userHandle: record.userHandle, signCount: record.signCount,
            isBackupEligible: record.isBackupEligible)
        let verdict = await offLoop { () -> Result<VerifiedAssertion, WebAuthnRefusal> in
            do throws(WebAuthnRefusal) { return .success(try assertion.verify(with: credential)) } catch {
                return .failure(error)
            }
        }
        switch verdict {
        case .success(let verified):
            let use = PasskeyUse(
                challenge: assertion.challenge, credential: assertion.credentialID, signCount: verified.signCount,
                isBackedUp: verified.isBackedUp)
            return .proven(record.player, use)
        case .failure(let refusal): return .failed(PasskeyFailure(refusal))
        }
    }

    /// Uses up the challenge of an answer that proves nothing, and counts the refusal. If its passkey is locked out, that is
    /// logged, without saying whose it is.
    ///
    /// - Returns: The failure to answer with. A passkey is locked out only if the challenge was not used before: an answer
    ///   that is sent twice has a counter that has not grown, and its passkey is all right.
    func refuse(_ failure: PasskeyFailure) async throws -> PasskeyFailure {
        let wasUsed = try await nonces.spend(failure.challenge)
        let failure = wasUsed && failure.isLockout ? PasskeyFailure(reason: .challenge, challenge: nil) : failure
        metrics.refused(passkey: failure.reason)
        if let explanation = failure.explanation {
            logger.warning("a passkey is locked out: its signature is right, but \(explanation)")
        }
        return failure
    }
}

/// Why an answer of an authenticator proves nothing.
struct PasskeyFailure: Sendable {
    /// The rule that was broken; nil: nobody has the passkey.
    let reason: WebAuthnRefusal.Reason?
    /// The challenge that was answered, if it is one of ours.
    let challenge: [UInt8]?

    /// Whether it counts as a guess: the passkey of nobody, or a signature that is not its own.
    var isGuess: Bool { reason == nil || reason == .signature }

    /// Whether the signature is right, and the passkey cannot be used all the same, now and later.
    var isLockout: Bool { explanation != nil }

    /// What is wrong with a passkey that is locked out; nil: it is not.
    fileprivate var explanation: String? {
        switch reason {
        case .signCount: "its counter has not grown since it was last used"
        case .backupEligibility: "it says something else about backups than when it was registered"
        default: nil
        }
    }

    /// The answer. Only whoever has the private key of a passkey learns that it is locked out.
    var problem: V2.Problem {
        guard let explanation, let reason else { return V2.Problem(.unauthorized) }
        return V2.Problem(
            .unauthorized,
            detail:
                "This passkey was refused: \(explanation). Sign in with a recovery code or another passkey, "
                + "delete this one, and register a new one.",
            reason: reason.rawValue)
    }
}

extension PasskeyFailure {
    init(_ refusal: WebAuthnRefusal) { self.init(reason: refusal.reason, challenge: refusal.challenge) }
}

extension AuthenticationResponse {
    /// Reads what a request says that a passkey has signed.
    init(_ signed: V2.SignedCredential) throws(V2.RequestFault) {
        do throws(ResponseError) {
            self = try AuthenticationResponse(json: signed.json)
        } catch {
            throw V2.RequestFault(error, below: "/passkey")
        }
    }
}

extension V2.RequestFault {
    /// The answer is not an authenticator's.
    ///
    /// - Parameter parent: A JSON Pointer to it.
    init(_ error: ResponseError, below parent: String) {
        let what =
            switch error.problem {
            case .notJSON: "is not a JSON object"
            case .missing: "is missing"
            case .wrongType: "has the wrong type"
            }
        let name = error.path.split(separator: "/").last.map(String.init) ?? String(parent.dropFirst())
        self.init(path: parent + error.path, detail: "\"\(name)\" \(what).")
    }
}
