/// What operators send from the admin page. Not for clients: it changes with the page. Each is read as strictly as a body of
/// `/v2` (``V2/Body``).
package enum AdminRequests {
    /// Signs in.
    package struct SignIn {
        /// The key. A secret.
        package let key: String

        /// Reads `key`, a string.
        package init(_ body: Span<UInt8>) throws(V2.RequestFault) {
            key = try V2.BodyMembers(body, ["key"])["key"].requiredText(in: body)
        }
    }

    /// Changes a word, or adds one.
    package struct WordChange {
        /// What to do with it.
        package let change: String
        /// The operator's reason.
        package let reason: String

        /// Reads the members, strings.
        package init(_ body: Span<UInt8>) throws(V2.RequestFault) {
            let members = try V2.BodyMembers(body, ["change", "reason"])
            change = try members["change"].requiredText(in: body)
            reason = try members["reason"].requiredText(in: body)
        }
    }

    /// Gives a player another name, hides it, or shows it again.
    package struct NameChange {
        /// What to do with it.
        package let change: String
        /// The new name, to rename.
        package let name: String?
        /// The operator's reason.
        package let reason: String

        /// Reads the members, strings.
        package init(_ body: Span<UInt8>) throws(V2.RequestFault) {
            let members = try V2.BodyMembers(body, ["change", "name", "reason"])
            change = try members["change"].requiredText(in: body)
            name = try members["name"].text(in: body)
            reason = try members["reason"].requiredText(in: body)
        }
    }

    /// Plans the word of a day.
    package struct DayPlan {
        /// The day.
        package let day: V2.Day
        /// Its word.
        package let word: String
        /// Whether the word may be that of another day within a year.
        package let mayRepeat: Bool

        /// Reads `day` and `word`, strings, and `repeat`, a boolean.
        package init(_ body: Span<UInt8>) throws(V2.RequestFault) {
            let members = try V2.BodyMembers(body, ["day", "word", "repeat"])
            guard let day = V2.Day(try members["day"].requiredText(in: body)) else {
                throw V2.RequestFault(path: "/day", detail: "\"day\" must be a day such as 2026-12-24.")
            }
            self.day = day
            word = try members["word"].requiredText(in: body)
            mayRepeat = try members["repeat"].boolean() ?? false
        }
    }

    /// Gives a player energy, or takes some.
    package struct EnergyChange {
        /// How much is added; below 0, taken.
        package let amount: Int
        /// The operator's reason.
        package let reason: String
        /// Whether the player may read the reason; nil: they may.
        package let isShown: Bool?

        /// Reads `amount`, an integer, `reason`, a string, and `isShown`, a boolean.
        package init(_ body: Span<UInt8>) throws(V2.RequestFault) {
            let members = try V2.BodyMembers(body, ["amount", "reason", "isShown"])
            amount = try members["amount"].required(members["amount"].value("an integer") { $0.integer(in: body) })
            reason = try members["reason"].requiredText(in: body)
            isShown = try members["isShown"].boolean()
        }
    }

    /// Removes ways to sign in.
    package struct WaysEnd {
        /// The kind of ways to remove.
        package let kind: String
        /// A session's or passkey's id, or an identity's provider; nil: all of that kind.
        package let one: String?
        /// The operator's reason.
        package let reason: String

        /// Reads the members, strings.
        package init(_ body: Span<UInt8>) throws(V2.RequestFault) {
            let members = try V2.BodyMembers(body, ["kind", "one", "reason"])
            kind = try members["kind"].requiredText(in: body)
            one = try members["one"].text(in: body)
            reason = try members["reason"].requiredText(in: body)
        }
    }

    /// A change that needs only a reason.
    package struct Deed {
        /// The operator's reason.
        package let reason: String

        /// Reads `reason`, a string.
        package init(_ body: Span<UInt8>) throws(V2.RequestFault) {
            reason = try V2.BodyMembers(body, ["reason"])["reason"].requiredText(in: body)
        }
    }

    /// Deletes a player.
    package struct Deletion {
        /// The player's id, typed once more.
        package let id: String
        /// The operator's reason.
        package let reason: String

        /// Reads the members, strings.
        package init(_ body: Span<UInt8>) throws(V2.RequestFault) {
            let members = try V2.BodyMembers(body, ["id", "reason"])
            id = try members["id"].requiredText(in: body)
            reason = try members["reason"].requiredText(in: body)
        }
    }
}
