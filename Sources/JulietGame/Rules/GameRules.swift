/// The rules of the game, which live in the database: they apply to every service on it, and the audit uses them. The
/// defaults are those of the published app. The products on sale are in the schema.
package struct GameRules: Sendable, Equatable {
    /// A rule's name: the key of its setting, as the table's functions spell it (`schema/rules/apply_rules.sql`).
    package enum Key: String, Sendable, CaseIterable {
        case startingEnergy = "energy.start"
        case gamePrice = "energy.price"
        case clientUpdates = "energy.clientUpdates"
        case maximumReportedEnergy = "energy.maximum"
        case claims = "players.claims"
        case claimedApp = "players.claimedApp"
        case verification = "purchases.verification"
        case unverifiedDailyLimit = "purchases.unverifiedDailyLimit"
        case refillAmount = "energy.refillAmount"
        case refillEvery = "energy.refillEvery"
        case refillUpTo = "energy.refillUpTo"
        case dailyReward = "energy.dailyReward"
        case language = "game.language"
        case wordLength = "game.wordLength"
        case timeZone = "game.timeZone"
    }

    /// What to do with the energy a client reports (`updateUserEnergy`).
    package enum ClientUpdates: String, Sendable, CaseIterable {
        /// The report becomes the balance, up to ``GameRules/maximumReportedEnergy``.
        case accept
        /// The report may lower the balance, never raise it.
        case lowerOnly
        /// Reports are refused.
        case refuse
    }

    /// Whether a player of the published app may become one of `/v2`, once.
    package enum Claims: String, Sendable, CaseIterable {
        /// No.
        case refuse
        /// Yes: the first player who presents the vendorID.
        case allow
    }

    /// What to do with the published app's requests for a player who was claimed.
    package enum ClaimedApp: String, Sendable, CaseIterable {
        /// They are served.
        case accept
        /// They are refused, as an unknown player's are.
        case refuse
    }

    /// How purchases at the app's URLs are verified. `/v2/purchases` and notifications are always verified.
    package enum Verification: String, Sendable, CaseIterable {
        /// The App Store's signature is ignored.
        case none
        /// It is verified if it is sent.
        case whenPresent
        /// It is required.
        case required
    }

    /// The energy that a new player gets, 0 to 1,000,000. Default: 30.
    package var startingEnergy: Energy = 30
    /// The energy that a game costs, 0 to 1,000,000. Default: 5.
    package var gamePrice: Energy = 5
    /// What to do with the energy a client reports. Default: accept.
    package var clientUpdates = ClientUpdates.accept
    /// The highest balance that a client can report itself to. A balance that is higher already, by purchases, may stay so.
    /// Default: 1,000,000.
    package var maximumReportedEnergy: Energy = 1_000_000
    /// Whether a player of the published app may become one of `/v2`. Default: refuse.
    package var claims = Claims.refuse
    /// What to do with the published app's requests for a player who was claimed. Default: refuse.
    package var claimedApp = ClaimedApp.refuse
    /// How purchases at the app's URLs are verified. Default: not at all.
    package var verification = Verification.none
    /// How much energy a player may buy in a day (UTC) without the App Store's signature; 0, the default: any amount.
    package var unverifiedDailyLimit: Energy = 0
    /// The energy that comes back each time, 0 to 1,000,000; 0: none comes back. Default: 5.
    package var refillAmount: Energy = 5
    /// How many seconds that takes, up to a year; 0: none comes back. Default: four hours.
    package var refillEvery = 14400
    /// The balance up to which energy comes back, 0 to 1,000,000; 0: none comes back. Default: 30.
    package var refillUpTo: Energy = 30
    /// The energy that a player gets for ending the word of the day on its day, 0 to 1,000,000. Default: 5.
    package var dailyReward: Energy = 5

    /// The language of the words to deal, as in `words.language`. Default: "en".
    package var language = "en"
    /// The number of letters of the words to deal, 4 to 8. Default: 5.
    package var wordLength = 5
    /// The time zone in which days of the game begin at midnight: "UTC" or a name in the time zone database, "Europe/Berlin".
    /// Default: "UTC".
    package var timeZone = "UTC"

    /// The list that games and days get words from, unless another one is asked for.
    package var list: WordList { WordList(language: language, letters: wordLength) }

    /// Whether energy comes back with time.
    package var hasRefills: Bool { refillAmount > 0 && refillEvery > 0 && refillUpTo > 0 }

    /// The published app's rules.
    package init() {}
}

extension GameRules {
    /// A rule as settings spell it.
    package subscript(key: Key) -> String {
        switch key {
        case .startingEnergy: "\(startingEnergy)"
        case .gamePrice: "\(gamePrice)"
        case .clientUpdates: clientUpdates.rawValue
        case .maximumReportedEnergy: "\(maximumReportedEnergy)"
        case .claims: claims.rawValue
        case .claimedApp: claimedApp.rawValue
        case .verification: verification.rawValue
        case .unverifiedDailyLimit: "\(unverifiedDailyLimit)"
        case .refillAmount: "\(refillAmount)"
        case .refillEvery: "\(refillEvery)"
        case .refillUpTo: "\(refillUpTo)"
        case .dailyReward: "\(dailyReward)"
        case .language: language
        case .wordLength: "\(wordLength)"
        case .timeZone: timeZone
        }
    }

    /// The rules in which these and others differ.
    package func differences(from others: GameRules) -> [Key] { Key.allCases.filter { self[$0] != others[$0] } }

    /// The same in words: "energy.price 5 → 7, players.claims refuse → allow"; empty when there are none.
    package func changes(from others: GameRules) -> String {
        differences(from: others).map { "\($0.rawValue) \(others[$0]) → \(self[$0])" }.joined(separator: ", ")
    }

    /// Rules from a table's row; nil if one is missing or invalid. Unknown names are ignored: they belong to a newer
    /// release.
    init?(_ values: [String: String]) {
        for key in Key.allCases {
            guard let text = values[key.rawValue], set(key, to: text) else { return nil }
        }
    }

    private mutating func set(_ key: Key, to text: String) -> Bool {
        func take<Value>(_ value: Value?, as path: WritableKeyPath<GameRules, Value>) -> Bool {
            guard let value else { return false }
            self[keyPath: path] = value
            return true
        }
        return switch key {
        case .startingEnergy: take(Int(text), as: \.startingEnergy)
        case .gamePrice: take(Int(text), as: \.gamePrice)
        case .clientUpdates: take(ClientUpdates(rawValue: text), as: \.clientUpdates)
        case .maximumReportedEnergy: take(Int(text), as: \.maximumReportedEnergy)
        case .claims: take(Claims(rawValue: text), as: \.claims)
        case .claimedApp: take(ClaimedApp(rawValue: text), as: \.claimedApp)
        case .verification: take(Verification(rawValue: text), as: \.verification)
        case .unverifiedDailyLimit: take(Int(text), as: \.unverifiedDailyLimit)
        case .refillAmount: take(Int(text), as: \.refillAmount)
        case .refillEvery: take(Int(text), as: \.refillEvery)
        case .refillUpTo: take(Int(text), as: \.refillUpTo)
        case .dailyReward: take(Int(text), as: \.dailyReward)
        case .language: take(text, as: \.language)
        case .wordLength: take(Int(text), as: \.wordLength)
        case .timeZone: take(text, as: \.timeZone)
        }
    }

    /// Some of the rules as a JSON object. Values are whole numbers and plain words, or names of time zones.
    func json(_ keys: [Key]) -> String {
        let members = keys.map { key in
            let text = self[key]
            return "\"\(key.rawValue)\": \(Int(text) == nil ? "\"\(text)\"" : text)"
        }
        return "{\(members.joined(separator: ", "))}"
    }
}
