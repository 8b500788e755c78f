import Testing

// What a player does with leagues.
extension V2Client {
    /// Creates a league.
    func createLeague(_ name: String = "Us") async throws -> JSON {
        let reply = try await post("/v2/leagues", #"{"name": "\#(name)"}"#)
        #expect(reply.status == 201, "\(reply)")
        return reply.json.league
    }

    /// Joins a league.
    func join(_ invite: String) async throws -> V2Reply {
        try await post("/v2/leagues/join", #"{"invite": "\#(invite)"}"#)
    }

    /// A league's path.
    static func path(_ league: JSON, _ rest: String = "") -> String { "/v2/leagues/\(league.id.text)\(rest)" }

    /// A league as it is now.
    func league(_ league: JSON) async throws -> V2Reply { try await get(Self.path(league)) }

    /// The members of a league.
    func members(of league: JSON) async throws -> [JSON] {
        try await get(Self.path(league, "/members")).json.members.items
    }

    /// The table of a league.
    func table(of league: JSON, _ period: String? = nil) async throws -> V2Reply {
        try await get(Self.path(league, "/table") + (period.map { "?period=\($0)" } ?? ""))
    }
}
