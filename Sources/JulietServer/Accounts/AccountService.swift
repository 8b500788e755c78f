import JulietAPI
import JulietGame
package import Logging
package import Postgres

/// The ways into an account beside recovery codes: what is offered, and who looks at what comes.
package struct AccountService: Sendable {
    let passkeys: Passkeys
    let identities: Identities
    let nonces: NonceDesk
    /// nil: there are no passkeys.
    let passkeyDesk: PasskeyDesk?
    /// nil: nobody vouches for players.
    let identityDesk: IdentityDesk?
    /// Where the page is; nil: it is not said.
    let origin: String?
    /// What apps are told, for passkeys.
    let wellKnown: WellKnown

    /// Ways as they are set.
    package init(_ settings: AccountSettings, database: PostgresClient, logger: Logger) {
        let nonces = NonceDesk(Nonces(database: database))
        self.nonces = nonces
        passkeys = Passkeys(database: database)
        identities = Identities(database: database)
        passkeyDesk = settings.relyingParty.map { PasskeyDesk(party: $0, nonces: nonces) }
        identityDesk =
            settings.providers.isEmpty
            ? nil
            : IdentityDesk(providers: settings.providers.map { IdentityKeys($0, logger: logger) }, nonces: nonces)
        origin = settings.origin
        wellKnown = WellKnown(settings)
    }

    /// What requests may name.
    var ways: V2.SignIn.Ways {
        var ways: V2.SignIn.Ways = []
        if passkeyDesk != nil { ways.insert(.passkeys) }
        if identityDesk != nil { ways.insert(.identities) }
        return ways
    }

    /// Reads the files of the providers' keys.
    func readKeys() {
        for provider in identityDesk?.providers ?? [] { provider.read() }
    }
}
