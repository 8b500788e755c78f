extension V2 {
    /// A name that a request gives to a player, a league or a passkey, or a hint.
    ///
    /// The database composes it (NFC) and checks it again, and compares it with the parts that are refused.
    package struct GivenName: Hashable, Sendable {
        /// What is named.
        package enum Kind: Hashable, Sendable, CaseIterable {
            case player, league, passkey, hint

            /// The most characters (grapheme clusters) that it has. Each may have four Unicode scalars on average.
            package var limit: Int {
                switch self {
                case .player: 24
                case .league, .passkey: 40
                case .hint: 80
                }
            }

            /// What it may be, for people.
            package var rule: String {
                "\(noun) has 1 to \(limit) characters, at least one of them visible, at most three marks on a letter, no control or invisible characters, and nothing that is refused here."
            }

            fileprivate var noun: String { self == .hint ? "A hint" : "A name" }
        }

        /// What is named.
        package let kind: Kind
        /// The name without white space around it. Empty if it is not allowed: the database refuses the empty name, in its turn
        /// among other refusals.
        package let text: String
        /// Why it is not allowed; nil: nothing is wrong with it, as far as can be said without the database.
        package let fault: NameFault?

        /// Whether a player's name is one that the service made, such as `Player 4821`: the player has chosen none.
        package static func isMade(_ name: String) -> Bool {
            guard name.hasPrefix("Player ") else { return false }
            let number = name.utf8.dropFirst("Player ".utf8.count)
            return number.count == 4 && number.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }

        /// Trims a name and checks it.
        package init(_ text: String, _ kind: Kind) {
            self.kind = kind
            let scalars = text.unicodeScalars
            guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
                let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
            else {
                self.text = ""
                fault = .invisible
                return
            }
            let name = String(Substring(scalars[first...last]))
            fault = NameRule.fault(of: name, limit: kind.limit)
            self.text = fault == nil ? name : ""
        }
    }

    /// Why a name is not allowed.
    package enum NameFault: Hashable, Sendable {
        /// It has nothing that can be seen.
        case invisible
        /// It has more grapheme clusters than these.
        case tooLong(Int)
        /// It has more Unicode scalars than these.
        case tooManyScalars(Int)
        /// It holds a scalar that no name may hold.
        case character(Unicode.Scalar)
        /// It holds a scalar that a name may hold in another place only, such as inside an emoji.
        case misplaced(Unicode.Scalar)
        /// It has more than three marks on a letter.
        case marks

        /// What is wrong, for people.
        package func message(_ kind: GivenName.Kind) -> String {
            switch self {
            case .invisible: "\(kind.noun) needs at least one visible character."
            case .tooLong(let limit): "\(kind.noun) has 1 to \(limit) characters."
            case .tooManyScalars(let limit):
                "This is too long: an emoji of several people, for instance, counts as seven or more, and all together may be \(limit)."
            case .character(let scalar):
                "\(kind.noun) cannot hold the \(Self.kind(of: scalar)) \(Self.shown(scalar))."
            case .misplaced(let scalar):
                "\(kind.noun) cannot hold the \(Self.kind(of: scalar)) \(Self.shown(scalar)) in this place."
            case .marks: "\(kind.noun) has at most three marks on one letter."
            }
        }

        /// What is wrong, in a word: the `reason` of the problem. Stable.
        package var reason: String {
            switch self {
            case .invisible: "invisible"
            case .tooLong: "length"
            case .tooManyScalars: "scalars"
            case .character: "character"
            case .misplaced: "place"
            case .marks: "marks"
            }
        }

        /// The character that is wrong, such as `U+3164 (HANGUL FILLER)`; nil: none is by itself.
        package var character: String? {
            switch self {
            case .character(let scalar), .misplaced(let scalar): Self.shown(scalar)
            case .invisible, .tooLong, .tooManyScalars, .marks: nil
            }
        }

        private static func kind(of scalar: Unicode.Scalar) -> String {
            switch scalar.properties.generalCategory {
            case .control: "control character"
            case .privateUse: "private-use character"
            case .unassigned: "unassigned character"
            default: "invisible character"
            }
        }

        private static func shown(_ scalar: Unicode.Scalar) -> String {
            let digits = String(scalar.value, radix: 16, uppercase: true)
            let code = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
            let properties = scalar.properties
            return code + ((properties.name ?? properties.nameAlias).map { " (\($0))" } ?? "")
        }
    }
}

extension V2.Problem {
    /// Says what is wrong with a name. If nothing is as far as can be said here, the database has refused it.
    package init(refusing name: V2.GivenName) {
        self.init(
            .nameRefused, detail: name.fault?.message(name.kind) ?? name.kind.rule,
            reason: name.fault?.reason ?? "refused", character: name.fault?.character)
    }
}
