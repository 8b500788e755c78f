/// A request with a name, so that it takes effect once even if it is repeated.
package struct Operation: Sendable, Hashable {
    /// The name, the player's own.
    package struct ID: Sendable, Hashable {
        /// 1 to 255 visible ASCII characters, checked by the code that reads the request.
        package let rawValue: String

        /// Wraps a name.
        package init(_ rawValue: String) { self.rawValue = rawValue }
    }

    /// The kind of request.
    enum Kind: String, Sendable {
        case register, reportEnergy, payForGame, buyEnergy, addWin, startGame, grantEnergy, startJudgedGame, guess,
            changeWord, takeRefill, makeChallenge, createLeague, linkIdentity, endTogether, hideHint,
            mergePlayer, changeName, changePart, takeWays, renewRecovery, endGame, exportPlayer, deletePlayer
    }

    /// The name.
    let id: ID
    /// A fingerprint of the request: the same name with another fingerprint is a mistake and is refused.
    let request: Int64

    /// Names an operation.
    ///
    /// - Parameter parameters: The request's other values, without the player.
    init(_ id: ID, _ kind: Kind, _ parameters: String...) { self.init(id, kind, parameters) }

    /// The same for as many parameters as there are.
    init(_ id: ID, _ kind: Kind, _ parameters: [String]) {
        self.id = id
        // FNV-1a: fast and never changing. It guards against a client's mistakes, not against an attack, because
        // names belong to one player each.
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
