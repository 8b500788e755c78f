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
        let state = rules.state
        let rules = state.rules
        let refill = V2.Service.Energy.Refill(
            amount: rules.refillAmount, every: rules.refillEvery, upTo: rules.refillUpTo)
        return V2.Service(
            name: title, passkeys: accounts?.passkeyVerifier != nil,
            identityProviders: accounts?.identityVerifier?.providers.map(\.name) ?? [],
            energy: V2.Service.Energy(
                price: rules.gamePrice, start: rules.startingEnergy, refill: rules.hasRefills ? refill : nil,
                dailyReward: rules.dailyReward > 0 ? rules.dailyReward : nil),
            languages: state.lists.map {
                V2.Service.Language(language: $0.language, length: $0.letters, letters: $0.alphabet)
            },
            nextList: state.listStart.map {
                V2.Service.NextList(language: rules.language, length: rules.wordLength, from: $0)
            },
            timeZone: state.timeZone ?? rules.timeZone,
            nextTimeZone: state.timeZoneStart.map { V2.Service.NextTimeZone(timeZone: rules.timeZone, from: $0) },
            daysGoneBy: settings.daysGoneBy == .on, leagues: settings.leagues == .on,
            challenges: settings.challenges == .on,
            anyWords: settings.challenges == .on && settings.anyWords == .on)
    }
}
