extension V2 {
    /// The query of a request for a list.
    package struct ListQuery: Hashable, Sendable {
        /// The parameters. A URL knows some of them and ignores the others.
        package enum Name: String, CaseIterable, Sendable {
            case before, limit, state, kind, around, period
        }

        /// The `next` of another page: 1 to 64 visible ASCII characters.
        package var before: String?
        /// How many entries, 1 or more; what `Int` cannot hold is the largest one.
        package var limit: Int?
        /// Which games.
        package var state: Game.State?
        /// Which kind of games.
        package var kind: Game.Kind?
        /// Whether the calling player should be in the middle: `around=me`.
        package var isAroundMe = false
        /// The period of a board or a table.
        package var period: Period?

        /// Asks for everything.
        package init() {}

        /// Reads a query, strictly: known names once each and percent-encoded well; a plus is a plus.
        ///
        /// - Parameters:
        ///   - query: What follows the URL's question mark, as sent.
        ///   - names: Those the URL knows. Others are ignored, whatever they hold.
        /// - Throws: `RequestFault`, its path the parameter's name.
        package static func decode(_ query: String?, knowing names: [Name]) throws(RequestFault) -> ListQuery {
            var result = ListQuery()
            var seen: [Name] = []
            for item in (query ?? "").utf8.split(separator: UInt8(ascii: "&")) {
                let end = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
                guard let text = PercentEncoding.decode(item[..<end]), text.isVisibleASCII(),
                    let name = Name(rawValue: text), names.contains(name)
                else { continue }
                guard !seen.contains(name) else { throw name.fault("must not be given twice") }
                seen.append(name)
                guard let value = PercentEncoding.decode(item[end...].dropFirst()), result.take(value, for: name)
                else { throw name.fault("must be \(name.expectation)") }
            }
            return result
        }

        /// How many entries to answer.
        ///
        /// - Parameters:
        ///   - usual: When the query does not say.
        ///   - maximum: A higher value counts as this.
        package func limit(usual: Int = 50, atMost maximum: Int) -> Int {
            min(limit ?? usual, maximum)
        }

        /// Returns false for a value that the parameter cannot have.
        private mutating func take(_ value: String, for name: Name) -> Bool {
            // Comparing a text of many combining marks takes long, and no parameter has any.
            guard value.isVisibleASCII() else { return false }
            switch name {
            case .before:
                guard 1...64 ~= value.utf8.count else { return false }
                before = value
            case .limit:
                guard let count = Self.count(value), count >= 1 else { return false }
                limit = count
            case .state:
                guard let choice = Game.State(rawValue: value) else { return false }
                state = choice
            case .kind:
                guard let choice = Game.Kind(rawValue: value) else { return false }
                kind = choice
            case .around:
                guard value == "me" else { return false }
                isAroundMe = true
            case .period:
                guard let choice = Period(rawValue: value) else { return false }
                period = choice
            }
            return true
        }

        /// The number that digits spell, and nothing else.
        private static func count(_ text: String) -> Int? {
            guard !text.isEmpty, text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
                return nil
            }
            return Int(text) ?? .max
        }
    }
}

extension V2.ListQuery.Name {
    /// The value.
    package var schema: Schema {
        switch self {
        case .before: Schema(.string, [.pattern("^[!-~]{1,64}$")])
        case .limit: Schema(.integer, [.minimum(1)])
        case .state: V2.Game.State.schema
        case .kind: V2.Game.Kind.schema
        case .around: .constant("me")
        case .period: V2.Period.schema
        }
    }

    /// The description, for people.
    package var about: String {
        switch self {
        case .before: "The `next` of a page. The answer is the page after it."
        case .limit: "How many entries, 50 by default. A higher limit than the maximum counts as the maximum."
        case .state: "Only games in this state."
        case .kind: "Only games of this kind."
        case .around:
            """
            Puts the calling player in the middle; near either end the page is the first or last entries. Ignored \
            without a token or an entry.
            """
        case .period: "The period, of days of the game; weeks begin on Monday."
        }
    }

    /// What the value must be, for people.
    fileprivate var expectation: String {
        switch self {
        case .before: "the \"next\" of the previous page"
        case .limit: "an integer, 1 or more"
        case .state: "playing, won or lost"
        case .kind: "game, daily, archive or challenge"
        case .around: "me"
        case .period: "day, week, month or all"
        }
    }

    fileprivate func fault(_ complaint: String) -> V2.RequestFault {
        V2.RequestFault(path: rawValue, detail: "\"\(rawValue)\" \(complaint).")
    }
}
