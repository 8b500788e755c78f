import HTTPServer
import JulietAPI
import JulietGame

/// `/v2/service`: what this service offers.
struct ServiceHandler {
    /// Its name.
    let title: String
    let settings: GameSettings
    let rules: RulesInForce
    /// The ways to sign in other than recovery codes; nil: there are none.
    let accounts: AccountService?

    var routes: [V2Route] {
        [
            V2Route(
                "readService", .get, "/service", "What this service offers, and its prices.", for: .newcomers,
                answers: .ok(V2.Service.self), .unchanged
            ) { .tagged(service, for: $0.http) }
        ]
    }

    private var service: V2.Service {
        let rules = rules.current
        let refill = V2.Service.Energy.Refill(
            amount: rules.refillAmount, every: rules.refillEvery, upTo: rules.refillUpTo)
        return V2.Service(
            name: title, passkeys: accounts?.passkeyVerifier != nil,
            identityProviders: accounts?.identityVerifier?.providers.map(\.name) ?? [],
            energy: V2.Service.Energy(
                price: rules.gamePrice, start: rules.startingEnergy, refill: rules.hasRefills ? refill : nil,
                dailyReward: rules.dailyReward > 0 ? rules.dailyReward : nil),
            languages: [V2.Service.Language(language: settings.language, length: settings.wordLength)],
            daysGoneBy: settings.daysGoneBy == .on, leagues: settings.leagues == .on,
            challenges: settings.challenges == .on)
    }
}
