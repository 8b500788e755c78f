/// Something a player asks for under a name, so that it happens once however often it is asked for.
package struct Operation: Sendable, Hashable {
    /// The name, the player's own.
    package struct ID: Sendable, Hashable {
        /// 1 to 255 visible ASCII characters; whoever takes it from a request checks it.
        package let rawValue: String

        /// Wraps a name.
        package init(_ rawValue: String) { self.rawValue = rawValue }
    }

    /// What is asked.
    enum Kind: String, Sendable {
        case register, reportEnergy, payForGame, buyEnergy, addWin, startGame, grantEnergy, startJudgedGame, guess,
            changeWord, takeRefill, makeChallenge, createLeague, linkIdentity, endTogether,
            mergePlayer, changeName, changePart, takeWays, renewRecovery, endGame, exportPlayer, deletePlayer
    }

    /// The name.
    let id: ID
    /// A fingerprint of what is asked: the same name for anything else is a mistake that is refused.
    let request: Int64

    /// Names an operation.
    ///
    /// - Parameter parameters: What else tells it from another, the player aside.
    init(_ id: ID, _ kind: Kind, _ parameters: String...) {
        self.id = id
        // FNV-1a: quick and the same for ever. It guards against a client's mistakes, not against an attack: the
        // name can only be one of the player's own.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        Self.add(kind.rawValue, to: &hash)
        for parameter in parameters { Self.add(parameter, to: &hash) }
        self.request = Int64(bitPattern: hash)
    }

    private static func add(_ part: String, to hash: inout UInt64) {
        let bytes = part.utf8.span
        for index in bytes.indices { hash = (hash ^ UInt64(bytes[index])) &* 0x0000_0100_0000_01b3 }
        hash = (hash ^ 0xff) &* 0x0000_0100_0000_01b3
    }
}
