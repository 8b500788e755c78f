// The bodies of requests. The rest is in the path: player, game, session, day.

extension V2 {
    /// The body of a request without members: `{}`.
    package struct NoMembers: Hashable, Sendable {
        /// Says nothing.
        package init() {}
    }

    /// Begins a game whose word is dealt.
    package struct NewGame: Hashable, Sendable {
        /// Whether every guess must use what earlier guesses have shown.
        package var isHard: Bool
        /// The language of the word; nil: the service's.
        package var language: String?
        /// How many letters the word has; nil: as the service's.
        package var length: Int?

        /// Says in which mode, and from which list.
        package init(isHard: Bool = false, language: String? = nil, length: Int? = nil) {
            self.isHard = isHard
            self.language = language
            self.length = length
        }

        fileprivate var hard: Bool? {
            get { isHard ? true : nil }
            set { isHard = newValue == true }
        }
    }

    /// Begins the game of a day.
    package struct NewDailyGame: Hashable, Sendable {
        /// Whether every guess must use what earlier guesses have shown.
        package var isHard: Bool

        /// Says in which mode.
        package init(isHard: Bool = false) {
            self.isHard = isHard
        }

        fileprivate var hard: Bool? {
            get { isHard ? true : nil }
            set { isHard = newValue == true }
        }
    }

    /// Makes a challenge.
    package struct NewChallenge: Hashable, Sendable {
        /// The maker's own word, as sent, in any letter case; nil: one is dealt.
        package var word: String?
        /// The language of the word; nil: that of the rules.
        package var language: String?
        /// How many letters the word has; nil: as many as the own word, or as the rules say.
        package var length: Int?
        /// Whether the word, and guesses, need not be in a list.
        package var isAnyWord: Bool
        /// What the maker says of the word, as sent; nil: nothing.
        package var hint: String?
        /// Whether every guess must use what earlier guesses have shown.
        package var isHard: Bool
        /// How many periods of 24 hours it lasts, 1...30.
        package var duration: Int

        /// How many days it lasts by default.
        private static let usualDays = 7

        /// Says what is to be played, and for how long.
        package init(
            word: String? = nil, language: String? = nil, length: Int? = nil, isAnyWord: Bool = false,
            hint: String? = nil, isHard: Bool = false, days: Int? = nil
        ) {
            self.word = word
            self.language = language
            self.length = length
            self.isAnyWord = isAnyWord
            self.hint = hint
            self.isHard = isHard
            duration = days ?? Self.usualDays
        }

        package var anyWord: Bool? {
            get { isAnyWord ? true : nil }
            set { isAnyWord = newValue == true }
        }

        fileprivate var hard: Bool? {
            get { isHard ? true : nil }
            set { isHard = newValue == true }
        }

        fileprivate var days: Int? {
            get { duration == Self.usualDays ? nil : duration }
            set { duration = newValue ?? Self.usualDays }
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

        // Exactly one way is given.
        var recoveryCode: String?
        var passkey: SignedCredential?
        var provider: String?
        var idToken: String?
        var nonce: String?

        /// Takes a proof.
        package init(_ way: Way) {
            switch way {
            case .recoveryCode(let code): recoveryCode = code
            case .passkey(let signed): passkey = signed
            case .identity(let proof): (provider, idToken, nonce) = (proof.provider, proof.idToken, proof.nonce)
            }
        }

        /// Takes a code.
        package init(recoveryCode: String) {
            self.init(.recoveryCode(recoveryCode))
        }

        /// Nothing is given yet.
        init() {}

        /// The proof: the only one that was given.
        ///
        /// - Throws: `RequestFault` if none was, or several, or an incomplete one.
        package func way() throws(V2.RequestFault) -> Way {
            guard let way = try onlyWay() else {
                throw V2.RequestFault(
                    path: "", detail: "Give exactly one way to sign in: none was given, or several.")
            }
            return way
        }

        /// The same; nil: none was given, or several.
        func onlyWay() throws(V2.RequestFault) -> Way? {
            let hasIdentity = provider != nil || idToken != nil || nonce != nil
            switch (recoveryCode, passkey, hasIdentity) {
            case (let code?, nil, false): return .recoveryCode(code)
            case (nil, let signed?, false): return .passkey(signed)
            case (nil, nil, true):
                guard let provider else { throw .missing("provider") }
                guard let idToken else { throw .missing("idToken") }
                guard let nonce else { throw .missing("nonce") }
                return .identity(IdentityProof(provider: provider, idToken: idToken, nonce: nonce))
            default: return nil
            }
        }

        /// Reads the members of one way to sign in.
        ///
        /// - Parameter ways: The ways that are read, in addition to recovery codes; members of others are ignored.
        package static func decode(_ body: Span<UInt8>, knowing ways: Ways) throws(V2.RequestFault) -> Self {
            try decode(body, ignoring: unknown(ways))
        }

        /// The members of the ways that are not among these.
        static func unknown(_ ways: Ways) -> [PartialKeyPath<Self>] {
            (ways.contains(.passkeys) ? [] : [\.passkey])
                + (ways.contains(.identities) ? [] : [\.provider, \.idToken, \.nonce])
        }
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

extension V2.NoMembers: V2.Body {
    package static var blank: Self { Self() }

    /// The members.
    package static let jsonMembers = JSONMembers<V2.NoMembers>(
        "NoMembers", "No members: `{}`, or no body.",
        [])
}

extension V2.NewGame: V2.Body {
    package static var blank: Self { Self() }

    /// The members.
    package static let jsonMembers = JSONMembers<V2.NewGame>(
        "NewGame", "Begins a game whose word is dealt.",
        [
            .accepted(
                "hard", \.hard,
                "`true`: hard mode, in which every guess must use what earlier guesses have shown."),
            .accepted(
                "language", \.language,
                "The language of the word, as in the service's `languages`. Default: that of the first."
            ),
            .accepted(
                "length", \.length, "How many letters the word has. Default: as many as in the first of `languages`."),
        ])
}

extension V2.NewDailyGame: V2.Body {
    package static var blank: Self { Self() }

    /// The members.
    package static let jsonMembers = JSONMembers<V2.NewDailyGame>(
        "NewDailyGame", "Begins the game of a day.",
        [
            .accepted(
                "hard", \.hard,
                "`true`: hard mode, in which every guess must use what earlier guesses have shown.")
        ])
}

extension V2.NewChallenge: V2.Body {
    package static var blank: Self { Self() }

    /// The members.
    package static let jsonMembers = JSONMembers<V2.NewChallenge>(
        "NewChallenge", "Makes a challenge.",
        [
            .accepted(
                "word", \.word,
                "A word of the maker's own, in any letter case. Without one the service deals a word, and the maker plays as well."
            ),
            .accepted(
                "language", \.language,
                "The language of the word: 2 or 3 small letters. Default: that of the first of the service's `languages`."
            ),
            .accepted(
                "length", \.length,
                "How many letters the word has. Default: as many as `word`, or as in the first of the service's `languages`."
            ),
            .accepted(
                "anyWord", \.anyWord,
                "`true`: `word` need not be in a list, and guesses can be any letters. Not known if the service's `anyWords` is `false`."
            ),
            .accepted(
                "hint", \.hint,
                "What the maker says of `word`: 1 to 80 characters (grapheme clusters), as a name, and not the word itself. Everybody who has the code sees it."
            ),
            .accepted(
                "hard", \.hard,
                "`true`: hard mode, in which every guess must use what earlier guesses have shown."),
            .accepted("days", \.days, "How many periods of 24 hours it lasts, 7 by default.", .range(1...30)),
        ])

    package func check() throws(V2.RequestFault) {
        if word == nil, isAnyWord { throw .init(path: "/anyWord", detail: "\"anyWord\" needs a \"word\".") }
        if word == nil, hint != nil { throw .init(path: "/hint", detail: "\"hint\" needs a \"word\".") }
        if isAnyWord, let language, !language.isLanguageCode {
            throw .init(path: "/language", detail: "\"language\" must have 2 or 3 small letters, as \"en\".")
        }
    }
}

extension V2.NewPlayer: V2.Body {
    package static var blank: Self { Self() }

    /// The members.
    package static let jsonMembers = JSONMembers<V2.NewPlayer>(
        "NewPlayer", "Creates a player.",
        [
            .accepted(
                "name", \.name,
                "The player's name: 1 to 24 characters (grapheme clusters), at least one of them visible. Without it the service makes one."
            ),
            .accepted(
                "claim", \.claim,
                "The vendorID of a player of the published app, who becomes this player, if the service allows it.",
                .length(1...128), .account),
            .accepted("identity", \.identity, "The player's identity at a provider, which signs them in from then on."),
        ])
}

extension V2.SignIn: V2.Body {
    package static var blank: Self { Self() }

    package func check() throws(V2.RequestFault) { _ = try way() }

    /// The members, of one way to sign in.
    package static let jsonMembers = JSONMembers<V2.SignIn>(
        "SignIn",
        "Signs a device in, by one of these: `recoveryCode`; `passkey`; `provider`, `idToken` and `nonce`.",
        [
            .accepted(
                "recoveryCode", \.recoveryCode,
                "A recovery code: letter case, hyphens and blanks do not matter, I and L are 1, O is 0."),
            .accepted("passkey", \.passkey, "What a passkey has signed."),
            .accepted("provider", \.provider, "What the service calls the provider of an identity token."),
            .accepted("idToken", \.idToken, "The ID token as the provider signed it. A secret."),
            .accepted("nonce", \.nonce, "The nonce that the token was requested with."),
        ])
}

extension V2.Rename: V2.Body {
    package static var blank: Self { Self(name: nil) }

    /// The members.
    package static let jsonMembers = JSONMembers<V2.Rename>(
        "Rename", "Changes a player's name.",
        [
            .accepted(
                "name", \.name,
                "The player's name: 1 to 24 characters (grapheme clusters), at least one of them visible. Without it nothing changes."
            )
        ])
}

extension V2.GuessWord: V2.Body {
    package static var blank: Self { Self(word: "") }

    /// The members.
    package static let jsonMembers = JSONMembers<V2.GuessWord>(
        "GuessWord", "Guesses a word.",
        [
            .required("word", \.word, "The word, in any letter case."),
            .accepted(
                "number", \.number, "Which guess it is, so that a repeat counts once. Without it, the next guess.",
                .range(1...6)),
        ])
}

extension V2.NewPurchase: V2.Body {
    package static var blank: Self { Self(signedTransaction: "") }

    /// The members.
    package static let jsonMembers = JSONMembers<V2.NewPurchase>(
        "NewPurchase", "Presents something bought in the App Store.",
        [
            .required(
                "signedTransaction", \.signedTransaction,
                "The transaction as the App Store signed it: StoreKit's `jwsRepresentation`.")
        ])
}
