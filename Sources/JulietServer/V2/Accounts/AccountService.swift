import JulietAPI
import JulietGame
package import Logging
package import Postgres
import WebAuthn

/// The ways to sign in other than recovery codes: passkeys and identities, if the settings offer them.
package struct AccountService: Sendable {
    let passkeys: Passkeys
    let identities: Identities
    let nonces: NonceMaker
    /// nil: there are no passkeys.
    let passkeyVerifier: PasskeyVerifier?
    /// nil: there are no identity providers.
    let identityVerifier: IdentityVerifier?
    /// Where the page is; nil: the settings do not say.
    let origin: String?
    /// All origins of the service's own pages and apps; empty: the settings do not say.
    let ownOrigins: [String]
    /// What systems read for passkeys and links.
    let wellKnown: WellKnown

    /// The ways that the settings offer.
    package init(_ settings: AccountSettings, database: PostgresClient, metrics: ServiceMetrics, logger: Logger) {
        let nonces = NonceMaker(Nonces(database: database))
        self.nonces = nonces
        passkeys = Passkeys(database: database)
        identities = Identities(database: database)
        passkeyVerifier = settings.relyingParty.map {
            PasskeyVerifier(party: $0, nonces: nonces, metrics: metrics.games, logger: logger)
        }
        identityVerifier =
            settings.providers.isEmpty
            ? nil
            : IdentityVerifier(providers: settings.providers.map { IdentityKeys($0, logger: logger) }, nonces: nonces)
        origin = settings.origin
        ownOrigins = settings.relyingParty.map { Array($0.origins) } ?? []
        wellKnown = WellKnown(settings)
    }

    /// The ways that requests may use.
    var ways: V2.SignIn.Ways {
        var ways: V2.SignIn.Ways = []
        if passkeyVerifier != nil { ways.insert(.passkeys) }
        if identityVerifier != nil { ways.insert(.identities) }
        return ways
    }

    /// Reads the files of the providers' keys.
    func readKeys() {
        for provider in identityVerifier?.providers ?? [] { provider.read() }
    }
}
