/// What the tests of the lottery's page do again and again.
extension PlayedService {
    /// Begins the lottery anew: no draws, and these entries, whose names are those of the documents.
    func beginLottery(_ names: [String], void: Set<String> = []) async throws {
        try await psql(
            """
            TRUNCATE lottery_draws, lottery_lists, lottery_entries, lottery_participants; SELECT prepare_draw(1);
            """)
        try await importLottery(names, void: void)
    }

    /// Makes these the entries, as operators do.
    func importLottery(_ names: [String], void: Set<String> = []) async throws {
        try await psql(
            """
            SELECT import_lottery('tests', \(array(names.indices.map { "\($0 + 1)" }))::bigint[],
                \(array(names.map { "'\($0)'" }))::text[], \(array(names.indices.map { "'user\($0 + 1)'" }))::text[],
                \(array(names.map { _ in "'2020-10-19'" }))::date[], \(array(names.indices.map { "\($0 + 1)" }))::bigint[],
                \(array(names.map { void.contains($0) ? "true" : "false" }))::boolean[])
            """)
    }

    private func array(_ elements: [String]) -> String { "ARRAY[\(elements.joined(separator: ", "))]" }

    /// Starts a draw as operators do, without a pause.
    func startDraw(_ number: Int) async throws {
        try await psql("SELECT start_draw('tests', \(number))")
    }

    /// Whom the rounds of a draw show, by the records.
    func rounds(of number: Int) async throws -> [String] {
        try await psql(
            """
            SELECT name FROM lottery_draws, unnest(rounds) WITH ORDINALITY AS round (participant, place)
            JOIN lottery_participants AS p ON p.number = participant WHERE lottery_draws.number = \(number) ORDER BY place
            """
        ).split(separator: "\n").map(String.init)
    }
}

extension Browser {
    /// Opens the lottery and waits for a state; from then on notes each round that is shown.
    func openLottery(_ service: PlayedService, until state: String = "landing") async throws {
        try await open(
            service.address + "lottery", until: "document.querySelector('#stage')?.dataset.state === '\(state)'")
        try await run(
            """
            window.shown = {};
            const note = () => {
                const count = document.querySelector(".count")?.textContent.match(/^Round (\\d+) of 10$/);
                if (count) window.shown[count[1]] = document.querySelector(".card").textContent;
            };
            new MutationObserver(note).observe(document.querySelector("#stage"), { subtree: true, childList: true, characterData: true });
            note();
            """)
    }

    /// Starts the draw that is next, as whoever looks can.
    func startLottery() async throws {
        try await run("document.querySelector('#starting details').open = true")
        try await click("#starting .button")
    }

    /// Waits until the stage shows a state.
    func waitForStage(_ state: String) async throws {
        try await wait(for: "document.querySelector('#stage').dataset.state === '\(state)'")
    }

    /// Waits until a draw is under way: how it loads can be missed.
    func waitForDraw() async throws {
        try await wait(for: "['loading', 'round'].includes(document.querySelector('#stage').dataset.state)")
    }

    /// The rounds that were shown, with their names.
    func shownRounds() async throws -> [Int: String] {
        let rounds: [String: String] = try await value("window.shown")
        return Dictionary(uniqueKeysWithValues: rounds.compactMap { key, name in Int(key).map { ($0, name) } })
    }
}
