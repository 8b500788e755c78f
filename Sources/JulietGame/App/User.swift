import Postgres

/// A player.
package struct User: Sendable {
    /// The id of a player: the app's vendorID or any other account id, exactly as the app spells it.
    package struct ID: Sendable {
        /// 1 to 128 characters; the contract's decoder has checked them (WIRE.md).
        package let rawValue: String

        /// Wraps an account id.
        package init(_ rawValue: String) { self.rawValue = rawValue }
    }
}

extension User.ID {
    /// An id for a new player of `/v2`: a UUID of version 8 (RFC 9562 §5.8) in lower case, a form that no account
    /// of the published app has.
    static func randomPlayer() -> User.ID {
        let random = PostgresUUID.random()
        let id = PostgresUUID(
            high: random.high & ~0xF000 | 0x8000, low: random.low & ~(0b11 << 62) | 0b10 << 62)
        return User.ID(id.description)
    }

    /// The player of `/v2` with this id; nil: it has another version, so no player has it.
    init?(player id: PostgresUUID) {
        guard id.high & 0xF000 == 0x8000, id.low >> 62 == 0b10 else { return nil }
        self.init(id.description)
    }

    /// Whether it has that form. The published app may not use such ids.
    var isPlayers: Bool {
        let bytes = rawValue.utf8
        guard bytes.count == 36, bytes.dropFirst(14).first == UInt8(ascii: "8") else { return false }
        return PostgresUUID(rawValue)?.description == rawValue
    }
}

/// A player as the functions of the app's URLs take one.
package struct AppUser: Sendable {
    /// The player whose row it is.
    let player: User.ID
    /// Under which account the app knows the player, who claimed it; nil: that is the player's id.
    let account: User.ID?

    /// A player of the app.
    package init(_ user: User.ID) {
        player = user
        account = nil
    }

    /// A player of `/v2` who claimed an account of the app. The database compares that.
    package init(_ player: User.ID, claimed account: User.ID) {
        self.player = player
        self.account = account
    }
}

extension User {
    /// A pseudonym for the ledger of a deleted player. No client can register it, because an account id has no
    /// control characters.
    static func randomPseudonym() -> String {
        "deleted\t" + PostgresUUID.random().description.filter { $0 != "-" }
    }
}

extension User.ID: Hashable {
    /// By the bytes: strings that Unicode calls equivalent name two players (WIRE.md, "byte for byte").
    package static func == (one: Self, other: Self) -> Bool { one.rawValue.utf8.elementsEqual(other.rawValue.utf8) }

    package func hash(into hasher: inout Hasher) {
        for byte in rawValue.utf8 { hasher.combine(byte) }
    }
}
