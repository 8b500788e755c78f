// The bodies of requests. The rest is in the path: player, game, session, day.

extension V2 {
    /// The body of a request without members: `{}`.
    package struct NoMembers: Hashable, Sendable {
        /// Says nothing.
        package init() {}
    }

    /// Begins a game.
    package struct NewGame: Hashable, Sendable {
        /// True: in hard mode; nil: not.
        package private(set) var hard: Bool?

        /// Whether every guess must use what earlier guesses have shown.
        package var isHard: Bool { hard == true }

        /// Says in which mode.
        package init(isHard: Bool = false) {
            hard = isHard ? true : nil
        }
    }

    /// Makes a challenge.
    package struct NewChallenge: Hashable, Sendable {
        /// The maker's own word, as sent, in any letter case; nil: one is dealt.
        package var word: String?
        /// True: in hard mode; nil: not.
        package private(set) var hard: Bool?
        /// How many periods of 24 hours it lasts, 1...30; nil: 7.
        package private(set) var days: Int?

        /// How many days it lasts by default.
        private static let usualDays = 7

        /// Whether every guess must use what earlier guesses have shown.
        package var isHard: Bool { hard == true }
        /// How many periods of 24 hours it lasts.
        package var duration: Int { days ?? Self.usualDays }

        /// Says what is to be played, and for how long.
        package init(word: String? = nil, isHard: Bool = false, days: Int? = nil) {
            self.word = word
            hard = isHard ? true : nil
            self.days = days == Self.usualDays ? nil : days
        }
    }

    /// Creates a player.
    package struct NewPlayer: Hashable, Sendable {
        /// The name, as sent; nil: the service makes one.
        package var name: String?
        /// The vendorID of a player of the published app, who becomes this one; nil: none.
        package var claim: String?
        /// The player's identity at a provider; nil: none.
        package var identity: IdentityProof?

        /// Says who is to be created.
        package init(name: String? = nil, claim: String? = nil, identity: IdentityProof? = nil) {
            self.name = name
            self.claim = claim
            self.identity = identity
        }
    }

    /// Signs a device in.
    package struct SignIn: Hashable, Sendable {
        /// The proof of who somebody is.
        package enum Way: Hashable, Sendable {
            /// A recovery code, as people typed it.
            case recoveryCode(String)
            /// A passkey's signature.
            case passkey(SignedCredential)
            /// A provider's token.
            case identity(IdentityProof)
        }

        /// Kinds of proofs that a service accepts.
        package struct Ways: OptionSet, Sendable {
            /// The bits.
            package let rawValue: Int

            /// Takes bits.
            package init(rawValue: Int) { self.rawValue = rawValue }

            /// Passkeys.
            package static let passkeys = Ways(rawValue: 1)
            /// Identity tokens.
            package static let identities = Ways(rawValue: 2)
        }

        /// The proof.
        package var way: Way

        /// Takes a proof.
        package init(_ way: Way) {
            self.way = way
        }

        /// Takes a code.
        package init(recoveryCode: String) {
            way = .recoveryCode(recoveryCode)
        }

        fileprivate var recoveryCode: String? { if case .recoveryCode(let code) = way { code } else { nil } }
        fileprivate var passkey: SignedCredential? { if case .passkey(let signed) = way { signed } else { nil } }
        fileprivate var identity: IdentityProof? { if case .identity(let proof) = way { proof } else { nil } }
        fileprivate var provider: String? { identity?.provider }
        fileprivate var idToken: String? { identity?.idToken }
        fileprivate var nonce: String? { identity?.nonce }
    }

    /// Changes a player's name.
    package struct Rename: Hashable, Sendable {
        /// The new name, as sent; nil changes nothing.
        package var name: String?

        /// Takes a name.
        package init(name: String?) {
            self.name = name
        }
    }

    /// Guesses a word.
    package struct GuessWord: Hashable, Sendable {
        /// The word as sent, in any letter case.
        package var word: String
        /// Which guess it is, 1...6; nil: the next.
        package var number: Int?

        /// Takes a word, and which guess it is.
        package init(word: String, number: Int? = nil) {
            self.word = word
            self.number = number
        }
    }

    /// Presents something bought in the App Store.
    package struct NewPurchase: Hashable, Sendable {
        /// The transaction as the App Store signed it: a compact JWS.
        package var signedTransaction: String

        /// Takes a transaction.
        package init(signedTransaction: String) {
            self.signedTransaction = signedTransaction
        }
    }
}

extension V2.NoMembers: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.NoMembers>.request(
        "NoMembers", "No members: `{}`, or no body.",
        [])

    /// Writes no members.
    package func writeMembers(to writer: inout JSONWriter) {}
}

extension V2.NewGame: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.NewGame>.request(
        "NewGame", "Begins a game.",
        [
            .optional(
                "hard", \.hard,
                "`true`: in hard mode, in which every guess has to use what the guesses before have shown.")
        ])
}

extension V2.NewChallenge: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.NewChallenge>.request(
        "NewChallenge", "Makes a challenge.",
        [
            .optional(
                "word", \.word,
                "A word of the maker's own, in any letter case. Without one the service deals a word, and the maker plays as well."
            ),
            .optional(
                "hard", \.hard,
                "`true`: in hard mode, in which every guess has to use what the guesses before have shown."),
            .optional("days", \.days, "How many periods of 24 hours it lasts, 7 by default.", .range(1...30)),
        ])
}

extension V2.NewPlayer: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.NewPlayer>.request(
        "NewPlayer", "Creates a player.",
        [
            .optional(
                "name", \.name,
                "The player's name: 1 to 24 characters, no control characters. Without it the service makes one."
            ),
            .optional(
                "claim", \.claim,
                "The vendorID of a player of the published app, who becomes this player, if the service allows it.",
                .length(1...128), .format("account")),
            .optional("identity", \.identity, "The player's identity at a provider, which signs them in from then on."),
        ])
}

extension V2.SignIn: JSONObject {
    /// The members, of one way to sign in.
    package static let jsonMembers = JSONMembers<V2.SignIn>.request(
        "SignIn",
        "Signs a device in, by one of these: `recoveryCode`; `passkey`; `provider`, `idToken` and `nonce`.",
        [
            .optional(
                "recoveryCode", \.recoveryCode,
                "A recovery code: letter case, hyphens and blanks do not matter, I and L are 1, O is 0."),
            .optional("passkey", \.passkey, "What a passkey has signed."),
            .optional("provider", \.provider, "What the service calls the provider of an identity token."),
            .optional("idToken", \.idToken, "The ID token as the provider signed it. A secret."),
            .optional("nonce", \.nonce, "The nonce that the token was requested with."),
        ])
}

extension V2.Rename: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.Rename>.request(
        "Rename", "Changes a player's name.",
        [
            .optional(
                "name", \.name,
                "The player's name: 1 to 24 characters, no control characters. Without it nothing changes."
            )
        ])
}

extension V2.GuessWord: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.GuessWord>.request(
        "GuessWord", "Guesses a word.",
        [
            .member("word", \.word, "The word, in any letter case."),
            .optional(
                "number", \.number, "Which guess it is, so that a repeat counts once. Without it, the next guess.",
                .range(1...6)),
        ])
}

extension V2.NewPurchase: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.NewPurchase>.request(
        "NewPurchase", "Presents something bought in the App Store.",
        [
            .member(
                "signedTransaction", \.signedTransaction,
                "The transaction as the App Store signed it: StoreKit's `jwsRepresentation`.")
        ])
}
