import Postgres

/// Takes points from a player. The row is what is left, or NULL: there is no such player, or they have too few.
struct TakePoints: Statement {
    let player: String
    let points: Int32

    var sql: StaticString { "SELECT take_points($1, $2)" }
    var gatheredSQL: StaticString? { "SELECT points_left, number FROM take_points_each($1, $2)" }
    var orderingKey: String? { player }

    func bind(to parameters: inout Parameters) { parameters.append(player, points) }
    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int32? { try row.next() }
}
