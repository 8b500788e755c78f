import JulietAPI

// The lottery's answers. The module Lottery writes them; tests compare them with this.
extension Schema {
    private static let number = Schema(.integer, [.minimum(1)])
    private static let digest = Schema(.string, [.hexDigits(64)])
    private static let count = Schema(.integer, [.minimum(0)])

    private static let round = Schema(
        .object([
            .init("userId", number, "The number of the entry that the round shows."),
            .init("name", .string, "What they are called."),
        ]), name: "LotteryRound", about: "A round, with the entry that it shows.")

    static let lotteryDraw = Schema(
        .object([
            .init("draw", number, "Its number."),
            .init("state", Schema(.string, [.choices(["next", "running", "over"])]), "The state of the draw."),
            .init("commitment", digest, "The SHA-256 of its seed."),
            .init("prize", count, "The energy that the winner gets; 0: no prize."),
            .init("entries", count, "How many entries there are."),
            .init("listDigest", digest, "The SHA-256 of its list.", isRequired: false),
            .init(
                "list", .string, "The entries, one a line: the number, a space, and `1` if it is void or `0`.",
                isRequired: false),
            .init("rounds", Schema(.array(of: round)), "The rounds that have been shown.", isRequired: false),
            .init("seed", digest, "The seed, when it is over.", isRequired: false),
            .init("winner", round, "The winner; missing if nobody has won.", isRequired: false),
        ]), name: "LotteryDraw", about: "A draw of the lottery.")

    static let lotteryPlace = Schema(
        .object([
            .init("userId", number, "The player's number in the lottery."),
            .init("entries", count, "How many entries there are."),
        ]), name: "LotteryPlace", about: "A player's place in the lottery.")

    private static let user = Schema(
        .object([
            .init("userId", number, "The user's number. Players have 1000000000 and up."),
            .init("name", .string, "What they are called."), .init("username", .string, "Their short name."),
            .init("regDate", Schema(.string, [.format("date")]), "The day on which they registered."),
        ]), name: "LotteryUser", about: "A user who may take part.")

    static let lotteryUsers = Schema(
        .object([.init("items", Schema(.array(of: user)), "The users, by number.")]), name: "LotteryUsers",
        about: "The users who may take part.")

    private static let entry = Schema(
        .object([
            .init("userId", number, "The number of the user or player."),
            .init("void", .boolean, "Whether it cannot win. If a void entry is drawn last, nobody wins."),
        ]), name: "LotteryEntry", about: "An entry of the lottery.")

    static let lotteryEntries = Schema(
        .object([.init("lotteryList", Schema(.array(of: entry)), "The entries, in the order of the list.")]),
        name: "LotteryEntries", about: "The entries of the lottery.")

    // MARK: What goes on

    private static func state(_ state: String, _ name: String, _ about: String, _ members: [Property]) -> Schema {
        Schema(
            .object([Property("state", .constant(state), "Which state it is.")] + members), name: name, about: about)
    }

    private static let running: [Property] = [
        .init("draw", number, "The draw's number."), .init("commitment", digest, "The SHA-256 of its seed."),
        .init("listDigest", digest, "The SHA-256 of its frozen list."),
        .init("entries", count, "How many entries there are."),
        .init("prize", count, "The energy that the winner gets; 0: no prize."),
    ]

    private static func end(_ name: String, _ type: String, _ about: String) -> Schema {
        state(
            name, type, about,
            [
                .init("userId", number, "The number of the entry that the last round showed."),
                .init("name", .string, "What they are called."),
                .init("seed", digest, "The seed: the commitment is its SHA-256."),
                .init("verified", .boolean, "Whether the service repeated the draw and everything matched."),
            ] + running)
    }

    private static let winner: Schema = end("winner", "LotteryWinner", "The draw is over, and somebody wins.")
    private static let noWinner: Schema = end(
        "noWinner", "LotteryNoWinner", "The draw is over, and nobody wins: the last entry is void.")

    private static let landing: [Property] = [
        .init("draw", number, "The draw that comes next."),
        .init("commitment", digest, "The SHA-256 of its seed."),
        .init("prize", count, "The energy that the winner gets; 0: no prize."),
        .init("entries", count, "How many entries there are."),
        .init("canStart", .boolean, "Whether anybody may start it now."),
        .init("wait", count, "How many seconds until it may be started; 0: now."),
        .init(
            "last", Schema(.oneOf([winner, noWinner], by: "state")), "The previous draw, if there was one.",
            isRequired: false),
    ]

    private static let shownRound: [Property] = [
        .init("round", Schema(.integer, [.range(1...10)]), "Which round it is."),
        .init("userId", number, "The number of the entry that it shows."),
        .init("name", .string, "What they are called."),
    ]

    private static let states: [Schema] = [
        state("landing", "LotteryLanding", "No draw is running.", landing),
        state("loading", "LotteryLoading", "A draw has started, and no name is shown yet.", running),
        state("round", "LotteryShownRound", "A round, with the entry that it shows.", shownRound + running),
        winner, noWinner,
        state(
            "failure", "LotteryFailure", "The state is not known.",
            [.init("message", .string, "Why it is not known, for people.")]),
    ]

    static let lotteryState = Schema(
        .oneOf(states, by: "state"), name: "LotteryState", about: "The state of the lottery.")
}
