extension V2 {
    /// The body of a request: JSON both ways.
    ///
    /// `encoded()` is its canonical form: members in a fixed order, without absent and unknown ones, integers as
    /// integers. Two requests with the same canonical form are the same request, however they were written.
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
    /// Checks a body without members.
    package static func decode(_ body: Span<UInt8>) throws(V2.RequestFault) -> Self {
        _ = try V2.BodyMembers(body, [])
        return Self()
    }
}

extension V2.NewGame: V2.Body {
    /// Reads `hard`, a boolean that may be missing; `false` is the same as missing.
    package static func decode(_ body: Span<UInt8>) throws(V2.RequestFault) -> Self {
        Self(isHard: try V2.BodyMembers(body, ["hard"])["hard"].boolean() == true)
    }
}

extension V2.NewChallenge: V2.Body {
    /// Reads `word`, a string, `hard`, a boolean, and `days`, an integer from 1 to 30; all may be missing.
    package static func decode(_ body: Span<UInt8>) throws(V2.RequestFault) -> Self {
        let members = try V2.BodyMembers(body, ["word", "hard", "days"])
        return Self(
            word: try members["word"].text(in: body), isHard: try members["hard"].boolean() == true,
            days: try members["days"].value("an integer from 1 to 30") { token in
                token.integer(in: body).flatMap { 1...30 ~= $0 ? $0 : nil }
            })
    }
}

extension V2.NewPlayer: V2.Body {
    /// Reads `name`, a string, `claim`, an account of the app, and `identity`, an object; all may be missing.
    package static func decode(_ body: Span<UInt8>) throws(V2.RequestFault) -> Self {
        try decode(body, knowsIdentity: true)
    }

    /// The same.
    ///
    /// - Parameter knowsIdentity: Whether `identity` is read; otherwise it is ignored, whatever it is.
    package static func decode(_ body: Span<UInt8>, knowsIdentity: Bool) throws(V2.RequestFault) -> Self {
        let members = try V2.BodyMembers(body, ["name", "claim"] + (knowsIdentity ? ["identity"] : []))
        let name = try members["name"].text(in: body)
        let claim = try members["claim"].value("a string of 1 to 128 printable characters") { token in
            (try? token.text(in: body)).flatMap { isAccountID($0) ? $0 : nil }
        }
        var identity: V2.IdentityProof?
        if let object = try members["identity"].object(in: body) {
            identity = try V2.IdentityProof.decode(object.span, below: "/identity")
        }
        return Self(name: name, claim: claim, identity: identity)
    }
}

extension V2.SignIn: V2.Body {
    /// Reads the members of one way to sign in.
    package static func decode(_ body: Span<UInt8>) throws(V2.RequestFault) -> Self {
        try decode(body, knowing: [.passkeys, .identities])
    }

    /// The same.
    ///
    /// - Parameter ways: The ways that are read, in addition to recovery codes; members of others are ignored.
    package static func decode(_ body: Span<UInt8>, knowing ways: Ways) throws(V2.RequestFault) -> Self {
        let names = V2.IdentityProof.names
        let members = try V2.BodyMembers(
            body,
            ["recoveryCode"] + (ways.contains(.passkeys) ? ["passkey"] : [])
                + (ways.contains(.identities) ? names : []))
        let code = try members["recoveryCode"].text(in: body)
        let passkey = try members["passkey"].object(in: body)
        var hasIdentity = false
        for name in names where try members[name].text(in: body) != nil { hasIdentity = true }
        switch (code, passkey, hasIdentity) {
        case (let code?, nil, false): return Self(recoveryCode: code)
        case (nil, let signed?, false): return Self(.passkey(V2.SignedCredential(json: signed)))
        case (nil, nil, true): return Self(.identity(try V2.IdentityProof(members, in: body)))
        default: throw V2.RequestFault(path: "", detail: "Give exactly one way to sign in: none was given, or several.")
        }
    }
}

extension V2.Rename: V2.Body {
    /// Reads `name`, a string that may be missing.
    package static func decode(_ body: Span<UInt8>) throws(V2.RequestFault) -> Self {
        Self(name: try V2.BodyMembers(body, ["name"])["name"].text(in: body))
    }
}

extension V2.GuessWord: V2.Body {
    /// Reads `word`, a string, and `number`, an integer from 1 to 6 that may be missing.
    package static func decode(_ body: Span<UInt8>) throws(V2.RequestFault) -> Self {
        let members = try V2.BodyMembers(body, ["word", "number"])
        let numbers = 1...V2.Game.maximumGuesses
        return Self(
            word: try members["word"].requiredText(in: body),
            number: try members["number"].value("an integer from 1 to 6") { token in
                token.integer(in: body).flatMap { numbers ~= $0 ? $0 : nil }
            })
    }
}

extension V2.NewPurchase: V2.Body {
    /// Reads `signedTransaction`, a string.
    package static func decode(_ body: Span<UInt8>) throws(V2.RequestFault) -> Self {
        let transaction = try V2.BodyMembers(body, ["signedTransaction"])["signedTransaction"]
        return Self(signedTransaction: try transaction.requiredText(in: body))
    }
}
