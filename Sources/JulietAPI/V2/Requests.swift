// What the bodies of requests hold. The path names the rest: player, game, session, day.

extension V2 {
    /// The body of a request that has nothing to say: `{}`.
    package struct NoMembers: Hashable, Sendable {
        /// Says nothing.
        package init() {}
    }

    /// Creates a player.
    package struct NewPlayer: Hashable, Sendable {
        /// What to be called, as sent; nil: a name is made.
        package var name: String?
        /// The vendorID of a player of the published app, who becomes this one; nil: nobody does.
        package var claim: String?

        /// Says who is to be created.
        package init(name: String? = nil, claim: String? = nil) {
            self.name = name
            self.claim = claim
        }
    }

    /// Signs a device in.
    package struct SignIn: Hashable, Sendable {
        /// As people typed it.
        package var recoveryCode: String

        /// Takes a code.
        package init(recoveryCode: String) {
            self.recoveryCode = recoveryCode
        }
    }

    /// Changes a player's name.
    package struct Rename: Hashable, Sendable {
        /// What to be called, as sent; nil changes nothing.
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
}

extension V2.NoMembers: JSONObject {
    /// Writes no members.
    package func writeMembers(to writer: inout JSONWriter) {}
}

extension V2.NewPlayer: JSONObject {
    /// Writes the members.
    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("name", name)
        writer.member("claim", claim)
    }
}

extension V2.SignIn: JSONObject {
    /// Writes the members.
    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("recoveryCode", recoveryCode)
    }
}

extension V2.Rename: JSONObject {
    /// Writes the members.
    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("name", name)
    }
}

extension V2.GuessWord: JSONObject {
    /// Writes the members.
    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("word", word)
        writer.member("number", number)
    }
}
