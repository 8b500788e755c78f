extension V2 {
    /// Everything stored about a player. The database writes it (`export_player`); parts that other URLs have as well
    /// have the same form.
    package static let exportSchema = Schema.object(
        "Export", "Everything stored about a player, without the word and the salt of a running game.",
        [
            .init("id", Schema(.string, [.format("uuid")]), "The player's id."),
            .init("name", .string, "The player's name."),
            .init("createdAt", Timestamp.schema, "When the player was created."),
            .init("energy", .integer, "The balance; a refund may take it below 0."),
            .init("wins", count, "Games won, those of the published app included."),
            .init("statistics", Statistics.schema, "How many games were played and won."),
            .init("refill", Refill.schema, "Energy that comes back; missing if none will.", isRequired: false),
            .init("energyEntries", .list(of: energyEntry), "Every change of the balance, oldest first."),
            .init("games", .list(of: Game.schema), "All games, of every kind, oldest first."),
            .init(
                "challenges", .list(of: challenge), "The challenges made that are not deleted, oldest first.",
                isRequired: false),
            .init("leagues", .list(of: league), "The leagues, in the order in which the player joined them."),
            .init("playedWords", .list(of: playedWord), "The words played, in order."),
            .init("leaderboards", places, "Places on leaderboards."),
            .init("passkeys", .list(of: passkey), "The passkeys, oldest first, without their keys."),
            .init("identities", .list(of: identity), "The identities that are linked, oldest first."),
            .init("sessions", .list(of: session), "The devices that are signed in, oldest first."),
            .init("idempotencyKeys", .list(of: key), "The keys that are remembered, oldest first."),
            .init("purchases", .list(of: purchase), "What was bought in the App Store, oldest first."),
            .init("lottery", lottery, "The player's entry in the lottery and what they won.", isRequired: false),
            .init(
                "claimed", .string, "The player's id in the published app, before the player was claimed.",
                isRequired: false),
            .init(
                "claimedToo", .list(of: .string),
                "The ids in the published app of players who were merged into this one.",
                isRequired: false),
            .init(
                "hiddenName", .string,
                "The name that support has hidden, until the player takes another one.",
                isRequired: false),
            .init("merged", .list(of: merged), "Players who were merged into this one.", isRequired: false),
        ])

    private static let count = Schema(.integer, [.minimum(0)])

    private static let energyEntry = Schema.object(
        "ExportedEnergyEntry", "One change of a balance, with all that is stored about it.",
        EnergyEntry.schema.properties + [
            .init("word", .string, "The word of a game of the published app.", isRequired: false),
            .init("transaction", .string, "The App Store's id of what was bought or refunded.", isRequired: false),
            .init("draw", Schema(.integer, [.minimum(1)]), "The number of the draw that was won.", isRequired: false),
            .init("note", .string, "The reason that support gave.", isRequired: false),
            .init(
                "player", .string, "The other player of a merge, whose ledger has the other half.", isRequired: false),
        ])

    private static let merged = Schema.object(
        "MergedPlayer",
        "A player who was merged into this one, and their ledger. Everything else now belongs to this player.",
        [
            .init("id", Schema(.string, [.format("uuid")]), "The id that the player had."),
            .init(
                "into", Schema(.string, [.format("uuid")]),
                "The id of the player they were merged into: this player, or one who was merged into this player later."
            ),
            .init("mergedAt", Timestamp.schema, "When they were merged."),
            .init("energy", .integer, "The energy that came over; below 0, a debt."),
            .init("energyEntries", .list(of: energyEntry), "Every change of the balance, oldest first."),
            .init("idempotencyKeys", .list(of: key), "The keys that are remembered, oldest first."),
        ])

    private static let challenge = Schema.object(
        "ExportedChallenge", "A challenge that the player made. If the word was dealt, its word and salt are left out.",
        Challenge.schema.properties.filter { !["by", "isMine", "game", "results"].contains($0.name) })

    private static let playedWord = Schema.object(
        "PlayedWord", "A word that was played.",
        [
            .init("word", .string, "The word, lower case."),
            .init("language", .string, "Its language: `en`."),
            .init("at", Timestamp.schema, "When it was played last."),
        ])

    private static let league = Schema.object(
        "ExportedLeague", "A league that the player is a member of.",
        [
            .init("id", .string, "The league's id."),
            .init("name", .string, "What it is called."),
            .init("isOwner", .boolean, "Whether the player owns it."),
            .init("member", .string, "The membership's id."),
            .init("joinedAt", Timestamp.schema, "When the player joined."),
        ])

    private static let places = Schema(
        .object([
            .init("daily", .list(of: dailyPlace), "Places of days whose game was won."),
            .init("wins", .list(of: winsPlace), "Places of periods in which games were won, if they are still stored."),
        ]))

    private static let dailyPlace = Schema.object(
        "ExportedDailyPlace", "The player's entry on a day's leaderboard.",
        [
            .init("day", Day.schema, "The day."),
            .init("guesses", Schema(.integer, [.range(1...6)]), "How many guesses it took."),
            .init("seconds", count, "How long it took, in whole seconds, rounded down."),
            .init("reachedAt", Timestamp.schema, "When the game ended."),
        ])

    private static let winsPlace = Schema.object(
        "ExportedWinsPlace", "The player's entry on a leaderboard of wins.",
        [
            .init("period", Period.schema, "The period."),
            .init("startsOn", Day.schema, "Its first day; missing for `all`.", isRequired: false),
            .init("wins", count, "How many games were won in it."),
            .init("reachedAt", Timestamp.schema, "When the last of them was won."),
        ])

    private static let passkey = Schema.object(
        "ExportedPasskey", "A passkey that signs the player in.", Passkey.schema.properties)

    private static let identity = Schema.object(
        "ExportedIdentity", "The player's account at a provider.",
        Identity.schema.properties + [
            .init("issuer", .string, "The provider, as its tokens name it."),
            .init("subject", .string, "The provider's id of the player."),
        ])

    private static let session = Schema.object(
        "ExportedSession", "A device that is signed in.", Session.schema.properties.filter { $0.name != "isCurrent" })

    private static let key = Schema.object(
        "RememberedKey", "An Idempotency-Key that the service remembers.",
        [
            .init("key", .string, "The key. The service makes it for a prize or a grant by support."),
            .init("at", Timestamp.schema, "When it was used."),
        ])

    private static let purchase = Schema.object(
        "ExportedPurchase", "A transaction of the App Store.",
        [
            .init("id", Schema(.string, [.length(1...64)]), "The App Store's id of the transaction."),
            .init("environment", .string, "`Production` or `Sandbox`."),
            .init("product", .string, "What was bought.", isRequired: false),
            .init("quantity", Schema(.integer, [.range(1...10)]), "How many.", isRequired: false),
            .init("energy", .integer, "The energy that it brought, or would have.", isRequired: false),
            .init(
                "state", Schema(.string, [.choices(["credited", "refunded", "revoked", "awaited"])]),
                "The state of the purchase. `revoked`: it was refunded before it was credited."),
            .init("purchasedAt", Timestamp.schema, "When it was paid for.", isRequired: false),
            .init("signedAt", Timestamp.schema, "When the store signed what was presented.", isRequired: false),
            .init("presentedAt", Timestamp.schema, "When it was presented."),
            .init("decidedAt", Timestamp.schema, "The date of the refund or reversal that holds.", isRequired: false),
            .init("notifications", .list(of: notification), "The store's notifications about it.", isRequired: false),
        ])

    private static let notification = Schema.object(
        "ExportedNotification", "A notification of the App Store about a transaction.",
        [
            .init("id", .string, "The notification's id."),
            .init("type", .string, "What happened."),
            .init("subtype", .string, "The subtype of the notification.", isRequired: false),
            .init("signedAt", Timestamp.schema, "When the store signed it."),
            .init("receivedAt", Timestamp.schema, "When it was received."),
            .init("payload", .string, "The notification as it was received.", isRequired: false),
        ])

    private static let lottery = Schema(
        .object([
            .init("number", Schema(.integer, [.minimum(1)]), "The player's number as a participant."),
            .init("takesPart", .boolean, "Whether they take part in the next draw."),
            .init("isVoid", .boolean, "Whether their entry is void."),
            .init("won", .list(of: wonDraw), "Draws that were won, oldest first."),
        ]))

    private static let wonDraw = Schema.object(
        "WonDraw", "A draw that was won.",
        [
            .init("draw", Schema(.integer, [.minimum(1)]), "Its number."),
            .init("at", Timestamp.schema, "When it started."),
            .init("energy", count, "The energy that it brought."),
        ])
}

extension Schema {
    /// An object that the database writes.
    fileprivate static func object(_ name: String, _ about: String, _ properties: [Property]) -> Schema {
        Schema(.object(properties), name: name, about: about)
    }

    fileprivate static func list(of element: Schema) -> Schema { Schema(.array(of: element)) }

    /// An object's members.
    fileprivate var properties: [Property] {
        if case .object(let properties) = form { properties } else { [] }
    }
}
