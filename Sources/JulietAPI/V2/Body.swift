extension V2 {
    /// What the body of a request says: JSON both ways.
    ///
    /// `encoded()` is the one spelling of what it says: members in a fixed order, none that is absent or unknown,
    /// integers as integers. Two requests with the same one ask the same, however they were written.
    package protocol Body: JSONObject, Hashable, Sendable {
        /// Reads a whole body, strictly.
        ///
        /// One JSON object (RFC 8259, UTF-8) of at most 32 levels, no name twice; no body at all is `{}`. Members beyond
        /// the known ones are ignored, but must be valid JSON. `null` is the absence of a member.
        /// - Throws: `RequestFault`.
        static func decode(_ body: Span<UInt8>) throws(RequestFault) -> Self
    }
}

extension V2.NoMembers: V2.Body {
    /// Checks a body that has nothing to say.
    package static func decode(_ body: Span<UInt8>) throws(V2.RequestFault) -> Self {
        _ = try V2.BodyMembers(body)
        return Self()
    }
}

extension V2.NewGame: V2.Body {
    /// Reads `hard`, a boolean that may be missing; `false` is as if it were.
    package static func decode(_ body: Span<UInt8>) throws(V2.RequestFault) -> Self {
        Self(isHard: try V2.BodyMembers(body, "hard").first.boolean() == true)
    }
}

extension V2.NewChallenge: V2.Body {
    /// Reads `word`, a string, `hard`, a boolean, and `days`, an integer from 1 to 30; all may be missing.
    package static func decode(_ body: Span<UInt8>) throws(V2.RequestFault) -> Self {
        let members = try V2.BodyMembers(body, "word", "hard", "days")
        return Self(
            word: try members.first.text(in: body), isHard: try members.second.boolean() == true,
            days: try members.third.value("an integer from 1 to 30") { token in
                token.integer(in: body).flatMap { 1...30 ~= $0 ? $0 : nil }
            })
    }
}

extension V2.NewPlayer: V2.Body {
    /// Reads `name`, a string, and `claim`, an account of the app; both may be missing.
    package static func decode(_ body: Span<UInt8>) throws(V2.RequestFault) -> Self {
        let members = try V2.BodyMembers(body, "name", "claim")
        return Self(
            name: try members.first.text(in: body),
            claim: try members.second.value("a string of 1 to 128 printable characters") { token in
                (try? token.text(in: body)).flatMap { isAccountID($0) ? $0 : nil }
            })
    }
}

extension V2.SignIn: V2.Body {
    /// Reads `recoveryCode`, a string.
    package static func decode(_ body: Span<UInt8>) throws(V2.RequestFault) -> Self {
        let code = try V2.BodyMembers(body, "recoveryCode").first
        return Self(recoveryCode: try code.required(code.text(in: body)))
    }
}

extension V2.Rename: V2.Body {
    /// Reads `name`, a string that may be missing.
    package static func decode(_ body: Span<UInt8>) throws(V2.RequestFault) -> Self {
        Self(name: try V2.BodyMembers(body, "name").first.text(in: body))
    }
}

extension V2.GuessWord: V2.Body {
    /// Reads `word`, a string, and `number`, an integer from 1 to 6 that may be missing.
    package static func decode(_ body: Span<UInt8>) throws(V2.RequestFault) -> Self {
        let members = try V2.BodyMembers(body, "word", "number")
        let numbers = 1...V2.Game.maximumGuesses
        return Self(
            word: try members.first.required(members.first.text(in: body)),
            number: try members.second.value("an integer from 1 to 6") { token in
                token.integer(in: body).flatMap { numbers ~= $0 ? $0 : nil }
            })
    }
}

extension V2.NewPurchase: V2.Body {
    /// Reads `signedTransaction`, a string.
    package static func decode(_ body: Span<UInt8>) throws(V2.RequestFault) -> Self {
        let transaction = try V2.BodyMembers(body, "signedTransaction").first
        return Self(signedTransaction: try transaction.required(transaction.text(in: body)))
    }
}
