import JulietAPI

// What the lottery answers. Its module writes it; tests hold it against this.
extension Schema {
    private static let number = Schema(.integer, [.minimum(1)])
    private static let digest = Schema(.string, [.hexDigits(64)])
    private static let count = Schema(.integer, [.minimum(0)])

    private static let round = Schema(
        .object([
            .init("userId", number, "Whom the round shows."), .init("name", .string, "What they are called."),
        ]), name: "LotteryRound", about: "Whom a round shows.")

    static let lotteryDraw = Schema(
        .object([
            .init("draw", number, "Its number."),
            .init("state", Schema(.string, [.choices(["next", "running", "over"])]), "How far it has come."),
            .init("commitment", digest, "The SHA-256 of its seed."),
            .init("prize", count, "What can be won; 0: nothing."),
            .init("entries", count, "How many take part."),
            .init("listDigest", digest, "The SHA-256 of its list.", isRequired: false),
            .init(
                "list", .string, "Who takes part: a line for each, the number, a blank, `1` for void or `0`.",
                isRequired: false),
            .init("rounds", Schema(.array(of: round)), "The rounds that have been shown.", isRequired: false),
            .init("seed", digest, "The seed, when it is over.", isRequired: false),
            .init("winner", round, "Who has won; missing when nobody has.", isRequired: false),
        ]), name: "LotteryDraw", about: "A draw of the lottery.")

    static let lotteryPlace = Schema(
        .object([
            .init("userId", number, "The player's number in the lottery."),
            .init("entries", count, "How many take part."),
        ]), name: "LotteryPlace", about: "That a player takes part.")

    private static let user = Schema(
        .object([
            .init("userId", number, "Their number: of players 1000000000 and more."),
            .init("name", .string, "What they are called."), .init("username", .string, "Their short name."),
            .init("regDate", Schema(.string, [.format("date")]), "Since when they are known."),
        ]), name: "LotteryUser", about: "Somebody who may take part.")

    static let lotteryUsers = Schema(
        .object([.init("items", Schema(.array(of: user)), "The users, by number.")]), name: "LotteryUsers",
        about: "Who may take part.")

    private static let entry = Schema(
        .object([
            .init("userId", number, "Whose entry it is."),
            .init("void", .boolean, "Whether it cannot win: then nobody does, if it is drawn."),
        ]), name: "LotteryEntry", about: "That somebody takes part.")

    static let lotteryEntries = Schema(
        .object([.init("lotteryList", Schema(.array(of: entry)), "The entries, in the order of the list.")]),
        name: "LotteryEntries", about: "Who takes part.")

    // MARK: What goes on

    private static func state(_ state: String, _ name: String, _ about: String, _ members: [Property]) -> Schema {
        Schema(
            .object([Property("state", .constant(state), "Which state it is.")] + members), name: name, about: about)
    }

    private static let running: [Property] = [
        .init("draw", number, "The draw's number."), .init("commitment", digest, "The SHA-256 of its seed."),
        .init("listDigest", digest, "The SHA-256 of its frozen list."), .init("entries", count, "How many take part."),
        .init("prize", count, "What can be won; 0: nothing."),
    ]

    private static func end(_ name: String, _ type: String, _ about: String) -> Schema {
        state(
            name, type, about,
            [
                .init("userId", number, "Whom the last round showed."), .init("name", .string, "What they are called."),
                .init("seed", digest, "The seed: the commitment is its SHA-256."),
                .init("verified", .boolean, "Whether the draw was repeated, and fits."),
            ] + running)
    }

    private static let winner: Schema = end("winner", "LotteryWinner", "The draw is over, and somebody wins.")
    private static let noWinner: Schema = end(
        "noWinner", "LotteryNoWinner", "The draw is over, and nobody wins: the last name is void.")

    private static let landing: [Property] = [
        .init("draw", number, "The draw that comes next."),
        .init("commitment", digest, "The SHA-256 of its seed."),
        .init("prize", count, "What can be won; 0: nothing."),
        .init("entries", count, "How many take part."),
        .init("canStart", .boolean, "Whether anybody may start it now."),
        .init("wait", count, "In how many seconds it may be started again; 0: at once."),
        .init(
            "last", Schema(.oneOf([winner, noWinner], by: "state")), "The draw before, if there was one.",
            isRequired: false),
    ]

    private static let shownRound: [Property] = [
        .init("round", Schema(.integer, [.range(1...10)]), "Which round it is."),
        .init("userId", number, "Whom it shows."), .init("name", .string, "What they are called."),
    ]

    private static let states: [Schema] = [
        state("landing", "LotteryLanding", "No draw is under way.", landing),
        state("loading", "LotteryLoading", "A draw has started, and no name is shown yet.", running),
        state("round", "LotteryShownRound", "Whom a round shows.", shownRound + running),
        winner, noWinner,
        state("failure", "LotteryFailure", "Nothing can be told.", [.init("message", .string, "Why, for people.")]),
    ]

    static let lotteryState = Schema(
        .oneOf(states, by: "state"), name: "LotteryState", about: "How things stand in the lottery.")
}
