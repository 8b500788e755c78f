import JulietAPI
import Postgres

// Leagues are on the coordinator, and so are these calls.

extension FunctionCall<AnswerRow<V2.League>> {
    static func createLeague(session: Credential, name: String, operation: Operation?) -> Self {
        Self("SELECT juliet.create_league($1, $2, $3, $4)", session: session, isSpread: false) {
            $0.append(name)
            $0.append(operation)
        }
    }

    static func listLeagues(session: Credential) -> Self {
        Self("SELECT juliet.list_leagues($1)", session: session, access: .read, isSpread: false)
    }

    static func readLeague(session: Credential, league: PostgresUUID?) -> Self {
        Self("SELECT juliet.read_league($1, $2)", session: session, access: .read, isSpread: false) {
            $0.append(league)
        }
    }

    static func renameLeague(session: Credential, league: PostgresUUID?, name: String?) -> Self {
        Self("SELECT juliet.rename_league($1, $2, $3)", session: session, isSpread: false) { $0.append(league, name) }
    }

    static func renewInvite(session: Credential, league: PostgresUUID?) -> Self {
        Self("SELECT juliet.renew_invite($1, $2)", session: session, isSpread: false) { $0.append(league) }
    }

    static func readInvite(session: Credential?, code: V2.ShareCode?) -> Self {
        Self("SELECT juliet.read_invite($1, $2)", session: session, access: .read, isSpread: false) {
            $0.append(code?.characters)
        }
    }

    static func joinLeague(session: Credential, code: V2.ShareCode?) -> Self {
        Self("SELECT juliet.join_league($1, $2)", session: session, isSpread: false) { $0.append(code?.characters) }
    }
}

extension FunctionCall<RefusalRow> {
    static func endLeague(session: Credential, league: PostgresUUID?) -> Self {
        Self("SELECT juliet.end_league($1, $2)", session: session, isSpread: false) { $0.append(league) }
    }

    static func removeMember(session: Credential, league: PostgresUUID?, member: PostgresUUID?) -> Self {
        Self("SELECT juliet.remove_member($1, $2, $3)", session: session, isSpread: false) {
            $0.append(league, member)
        }
    }
}

extension FunctionCall<AnswerRow<V2.LeagueMember>> {
    static func listLeagueMembers(session: Credential, league: PostgresUUID?) -> Self {
        Self("SELECT juliet.list_league_members($1, $2)", session: session, access: .read, isSpread: false) {
            $0.append(league)
        }
    }
}

extension FunctionCall<AnswerRow<LeagueView>> {
    static func readLeagueView(session: Credential, league: PostgresUUID?) -> Self {
        Self("SELECT juliet.read_league_view($1, $2)", session: session, access: .read, isSpread: false) {
            $0.append(league)
        }
    }
}

extension FunctionCall<LeaguePlace> {
    static func readLeagueTable(league: PostgresUUID, period: V2.Period) -> Self {
        Self("SELECT juliet.read_league_table($1, $2::juliet.board)", access: .read) {
            $0.append(league, period.rawValue)
        }
    }
}
