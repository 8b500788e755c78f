import JulietAPI
import JulietGame
import WebAuthn

/// The metrics of games and energy, counted by this process when it answers. Answers that repeat an earlier one under an
/// `Idempotency-Key` are not counted again.
final class GameMetrics: Sendable {
    private static let kinds = ["app"] + V2.Game.Kind.allCases.map(\.rawValue)
    /// The kinds whose wins count.
    private static let winningKinds = ["app", "game", "daily"]
    /// What registrations alone are refused for does not count here.
    private static let passkeyReasons = WebAuthnRefusal.Reason.allCases.filter { $0 != .algorithm }

    private let registered: Counters
    private let started: Counters
    private let startedHard: Counters
    private let ended: Counters
    private let wins: Counters
    private let granted: Counters
    private let spent: Counters
    private let bought: Counters
    private let challenges: Counters
    private let leagues: Counters
    private let signIns: Counters
    private let passkeyRefusals: Counters
    private let links: Counters
    private let merges: Counters

    init(_ registry: MetricsRegistry) {
        func add(_ name: String, _ help: String, _ label: String, _ values: [String]) -> Counters {
            registry.add(
                name, .counter, help, Counters(count: values.count) { MetricsText.labels([(label, values[$0])]) })
        }
        registered = add(
            "juliet_players_registered_total",
            "Players registered, by contract. A player of the app who registers again before the first game counts again.",
            "contract", ["app", "v2"])
        started = add(
            "juliet_games_started_total", "Games dealt, to the app and judged ones, by kind.", "kind",
            Self.kinds)
        startedHard = add(
            "juliet_hard_games_started_total", "Judged games begun in hard mode, by kind.", "kind",
            V2.Game.Kind.allCases.map(\.rawValue))
        ended = add(
            "juliet_games_ended_total", "Judged games that ended. A last guess that is sent again counts again.",
            "state",
            ["won", "lost"])
        wins = add(
            "juliet_wins_total", "Wins, reported by the app or judged.", "kind", Self.winningKinds)
        granted = add(
            "juliet_energy_granted_total",
            "Energy given away. A last guess that is sent again counts its reward again.",
            "reason", ["registration", "refill", "daily"])
        spent = add("juliet_energy_spent_total", "Energy paid.", "reason", ["game", "challenge"])
        challenges = add(
            "juliet_challenges_made_total", "Challenges made, by whose word it is: dealt, or the maker's own.", "word",
            ["dealt", "own"])
        leagues = add(
            "juliet_league_changes_total",
            "Leagues created and ended by their owners, and players who joined and left them. A member who joins again counts again.",
            "change", LeagueChange.allCases.map(\.rawValue))
        signIns = add(
            "juliet_sign_ins_total", "Sessions opened by existing players, by how they signed in.",
            "by",
            SignIn.allCases.map(\.rawValue))
        passkeyRefusals = add(
            "juliet_passkey_refusals_total",
            "Passkeys that signed nobody in, by what was wrong first; signCount and backupEligibility lock their players out.",
            "reason", ["unknown"] + Self.passkeyReasons.map(\.rawValue))
        links = add(
            "juliet_ways_in_added_total", "Passkeys registered and identities linked.", "kind",
            Link.allCases.map(\.rawValue))
        merges = add(
            "juliet_players_merged_total",
            "Players merged into another one, by what proved them: token, recovery code, passkey or identity.", "by",
            MergedBy.allCases.map(\.rawValue))
        bought = add("juliet_energy_bought_total", "Energy sold.", "reason", ["purchase"])
    }

    // MARK: The app's contract

    /// A request of the app was answered.
    ///
    /// - Parameter rules: The rules that applied, as far as this process knows.
    func answered(_ request: GameRequest, _ answer: AppAnswer, by rules: RulesInForce) {
        // Not `news`: of another module and generic, it looks types up, 400 instructions a request.
        guard case .done(let state) = answer.outcome, !answer.isReplay else { return }
        switch request {
        case .initialRegistration:
            let startingEnergy = rules.current.startingEnergy
            guard state.energy == startingEnergy, state.wins == 0 else { return }
            registered.add(at: 0)
            granted.add(startingEnergy)
        case .handleEnergyPurchase(_, let amount): bought.add(amount)
        case .handleSignedEnergyPurchase: bought.add(state.credited)
        case .singleGameEnergyUpdate: spent.add(rules.gamePrice)
        case .statNewGameSession:
            started.add(at: 0)
            spent.add(rules.gamePrice)
        case .updateUserWins: wins.add(at: 0)
        case .fetchNewSecretWord, .fetchUserWins, .updateUserEnergy, .updateUserPlayedWordsList: break
        }
    }

    // MARK: /v2

    /// A player was made.
    ///
    /// - Parameter isClaim: Whether it claims a player of the app, whose energy comes over.
    func registered(_ player: V2.Player, isClaim: Bool) {
        registered.add(at: 1)
        if !isClaim { granted.add(player.energy) }
    }

    /// Energy came back.
    func refilled(_ answer: V2Answer<TakenRefill>) {
        if let refill = answer.news { granted.add(refill.taken, at: 1) }
    }

    /// A purchase was credited.
    func bought(_ energy: Int) { bought.add(energy) }

    /// How a player signs in.
    enum SignIn: String, CaseIterable {
        case recoveryCode, passkey, identity
    }

    /// Somebody signed in.
    func signedIn(_ way: SignIn) { signIns.add(at: SignIn.allCases.firstIndex(of: way) ?? 0) }

    /// A passkey signed nobody in.
    ///
    /// - Parameter reason: What was wrong first; nil: nobody has the passkey.
    func refused(passkey reason: WebAuthnRefusal.Reason?) {
        let place = reason.flatMap { Self.passkeyReasons.firstIndex(of: $0) }
        passkeyRefusals.add(at: place.map { $0 + 1 } ?? 0)
    }

    /// Another way into an account.
    enum Link: String, CaseIterable {
        case passkey, identity
    }

    /// A player has another way in.
    func linked(_ kind: Link) { links.add(at: Link.allCases.firstIndex(of: kind) ?? 0) }

    /// How the other player was proved.
    enum MergedBy: String, CaseIterable {
        case token, recoveryCode, passkey, identity
    }

    /// A player was to be merged into another one.
    func merged(_ answer: V2Answer<V2.Player>, by proof: MergedBy) {
        guard answer.news != nil else { return }
        merges.add(at: MergedBy.allCases.firstIndex(of: proof) ?? 0)
    }

    /// A change of a league.
    enum LeagueChange: String, CaseIterable {
        case created, joined, left, ended
    }

    /// A league was created, joined, left or ended.
    func changed(_ change: LeagueChange) {
        leagues.add(at: LeagueChange.allCases.firstIndex(of: change) ?? 0)
    }

    /// A game was requested.
    ///
    /// - Parameter price: What it costs; 0: it is free.
    func started(_ answer: V2Answer<AnsweredGame>, price: Energy) {
        guard case .done(let news) = answer.outcome, !answer.isReplay, news.isNew else { return }
        let game = news.game
        started.add(at: Self.kinds.firstIndex(of: game.kind.rawValue) ?? 1)
        if game.isHard, let kind = V2.Game.Kind.allCases.firstIndex(of: game.kind) { startedHard.add(at: kind) }
        spent.add(price)
    }

    /// A challenge was requested.
    ///
    /// - Parameter price: What it costs.
    func made(_ answer: V2Answer<SeenChallenge>, price: Energy) {
        guard let made = answer.news else { return }
        challenges.add(at: made.challenge.ownWord == true ? 1 : 0)
        spent.add(price, at: 1)
    }

    /// A guess was made, or a game given up.
    ///
    /// - Parameter number: The guess's number, if it has one: a repeated earlier guess ends no game.
    func moved(_ answer: V2Answer<AnsweredGame>, number: Int? = nil) {
        guard case .done(let news) = answer.outcome, !answer.isReplay, news.game.state != .playing,
            number.map({ $0 == news.game.guesses.count }) ?? true
        else { return }
        let game = news.game
        ended.add(at: game.state == .won ? 0 : 1)
        if let reward = game.reward { granted.add(reward, at: 2) }
        guard game.state == .won, let kind = Self.winningKinds.firstIndex(of: game.kind.rawValue) else { return }
        wins.add(at: kind)
    }
}
