import JulietAPI
import JulietGame
import OpenIDConnect
import Postgres
import StrictEncoding
import WebAuthn

/// Verifies identity tokens, before the database is asked.
struct IdentityVerifier: Sendable {
    /// How long a nonce is valid.
    static let lifetime: Duration = .seconds(600)

    /// What a token proves.
    enum Verdict: Sendable {
        /// Who somebody is. The nonce is one of ours; only the database knows whether it was used before.
        case proven(ProvenIdentity, nonce: [UInt8])
        /// Nothing, for a reason of the contract. The caller uses the nonce up, if there is one.
        case refused(reason: String, nonce: [UInt8]?)
    }

    let providers: [IdentityKeys]
    let nonces: NonceMaker

    /// A new nonce.
    func nonce() async throws -> V2.Nonce {
        let nonce = try await nonces.signer().challenge(
            for: .identity, now: WallClock.now, lifetime: Self.lifetime)
        return V2.Nonce(
            nonce: Base64URL.encode(nonce.bytes),
            expiresAt: V2.Timestamp(microsecondsSince1970: nonce.end.components.seconds * 1_000_000))
    }

    /// Verifies a token.
    func verdict(on proof: V2.IdentityProof) async throws -> Verdict {
        let (signer, now) = (try await nonces.signer(), WallClock.now)
        let nonce = Base64URL.decode(proof.nonce).flatMap { bytes in
            signer.challenge(bytes, for: .identity, now: now)?.bytes
        }
        guard let provider = providers.first(where: { ExactText($0.name) == ExactText(proof.provider) }) else {
            return .refused(reason: "provider", nonce: nonce)
        }
        let (rules, keys) = (provider.rules, provider.keys)
        // Verifying a signature takes some hundred microseconds; off the loop, its other requests do not wait for it.
        let verdict = await offLoop { () -> Result<VerifiedIdentity, IdentityRefusal> in
            do throws(IdentityRefusal) {
                return .success(try rules.verify(proof.idToken, nonce: proof.nonce, keys: keys, now: now))
            } catch {
                return .failure(error)
            }
        }
        switch verdict {
        case .failure(let refusal): return .refused(reason: refusal.rawValue, nonce: nonce)
        case .success(let identity):
            guard let nonce else { return .refused(reason: IdentityRefusal.nonce.rawValue, nonce: nil) }
            return .proven(
                ProvenIdentity(provider: provider.name, issuer: identity.issuer, subject: identity.subject),
                nonce: nonce)
        }
    }
}
