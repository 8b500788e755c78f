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
                "A \(self == .hint ? "hint" : "name") has 1 to \(limit) characters, at least one of them visible, at most three marks on a letter, no control or invisible characters, and nothing that is refused here."
            }
        }

        /// What is named.
        package let kind: Kind
        /// The name without white space around it. Empty if it is not allowed: the database refuses the empty name, in its turn
        /// among other refusals.
        package let text: String
        /// Why it is not allowed; nil: nothing is wrong with it, as far as can be said without the database.
        package let fault: NameFault?

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
    package enum NameFault: Hashable, Sendable, CustomStringConvertible {
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
        package var description: String {
            switch self {
            case .invisible: "A name needs at least one visible character."
            case .tooLong(let limit): "A name has 1 to \(limit) characters."
            case .tooManyScalars(let limit):
                "This is too long: an emoji of several people, for instance, counts as seven or more, and all together may be \(limit)."
            case .character(let scalar): "A name cannot hold the \(Self.shown(scalar))."
            case .misplaced(let scalar): "A name cannot hold the \(Self.shown(scalar)) in this place."
            case .marks: "A name has at most three marks on one letter."
            }
        }

        private static func shown(_ scalar: Unicode.Scalar) -> String {
            let properties = scalar.properties
            let kind =
                switch properties.generalCategory {
                case .control: "control character"
                case .privateUse: "private-use character"
                case .unassigned: "unassigned character"
                default: "invisible character"
                }
            let digits = String(scalar.value, radix: 16, uppercase: true)
            let code = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
            return "\(kind) \(code)" + ((properties.name ?? properties.nameAlias).map { " (\($0))" } ?? "")
        }
    }
}
