import Lottery
import Postgres

/// The columns of a `shown_draw`.
protocol DrawStatement: Statement where Row == KeptDraw {}

extension DrawStatement {
    /// They lock at most a draw, which is locked before everything else.
    var orderingKey: String? { nil }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> KeptDraw {
        let number = Int(try row.next(Int64.self))
        let commitment = try row.next([UInt8].self)
        let prize = Int(try row.next(Int32.self))
        let entries = Int(try row.next(Int64.self))
        let elapsed = try row.next(Int64?.self)
        let pace = LotteryDraw.Pace(
            loading: .milliseconds(try row.next(Int32.self)), round: .milliseconds(try row.next(Int32.self)),
            pause: .milliseconds(try row.next(Int32.self)))
        let listDigest = try row.next([UInt8]?.self)
        let numbers = try row.next([Int64]?.self) ?? []
        let names = try row.next([String]?.self) ?? []
        let seed = try row.next([UInt8]?.self)
        let winner = try row.next(Int64?.self).map(Int.init)
        let progress = elapsed.flatMap { elapsed in
            listDigest.map { digest in
                LotteryDraw.Progress(
                    listDigest: digest, elapsed: .milliseconds(elapsed),
                    rounds: zip(numbers, names).map { LotteryDraw.Round(userID: Int($0), name: $1) },
                    end: seed.map { LotteryDraw.End(seed: $0, winner: winner) })
            }
        }
        let draw = LotteryDraw(
            number: number, commitment: commitment, prize: prize, entries: entries, pace: pace, progress: progress)
        return KeptDraw(draw: draw, list: try row.next())
    }
}

struct ShowLottery: DrawStatement {
    var access: StatementAccess { .read }
    var sql: StaticString {
        """
        SELECT number, commitment, prize, entries, elapsed, loading, pace, pause, list_digest, numbers, names, seed,
            winner, list
        FROM juliet.show_lottery()
        """
    }
}

struct ShowDraw: DrawStatement {
    var sql: StaticString {
        """
        SELECT number, commitment, prize, entries, elapsed, loading, pace, pause, list_digest, numbers, names, seed,
            winner, list
        FROM juliet.show_draw($1)
        """
    }
    var access: StatementAccess { .read }
    let number: Int?

    func bind(to parameters: inout Parameters) { parameters.append(number.map(Int64.init)) }
}

/// A `draw_answer`; nil: the list is frozen now, and the next call starts the draw, if it has the same prize then.
private func drawStart(_ row: inout RowDecoder) throws(PostgresDecodingError) -> DrawStart? {
    let refusal = try row.next(String?.self)
    let isNew = try row.next(Bool?.self) ?? false
    let wait = Int(try row.next(Int32?.self) ?? 0)
    return switch refusal {
    case nil: .started(isNew: isNew)
    case "frozen": nil
    case "empty": .refused(.empty)
    case "operator": .refused(.operatorOnly)
    case "pause": .refused(.pause(seconds: wait))
    default: .refused(.unknownDraw)
    }
}

/// Sorts before all other statements that lock rows: a draw is locked before players are.
struct RequestDraw: Statement {
    var sql: StaticString { "SELECT refusal, is_new, wait FROM juliet.request_draw($1)" }
    let number: Int

    var orderingKey: String? { "" }

    func bind(to parameters: inout Parameters) { parameters.append(Int64(number)) }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> DrawStart? { try drawStart(&row) }
}

/// Freezes the list before an operator's draw.
struct FreezeList: Statement {
    var sql: StaticString { "SELECT refusal, is_new, wait FROM juliet.freeze_list($1::bigint, interval '0')" }
    let number: Int

    func bind(to parameters: inout Parameters) { parameters.append(Int64(number)) }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> DrawStart? { try drawStart(&row) }
}

struct StartDraw: Statement {
    var sql: StaticString { "SELECT refusal, is_new, wait FROM juliet.start_draw($1::text, $2::bigint)" }
    let actor: String
    let number: Int

    func bind(to parameters: inout Parameters) {
        parameters.append(actor)
        parameters.append(Int64(number))
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> DrawStart? { try drawStart(&row) }
}

/// A `lottery_answer`.
struct LotteryAnswer: Sendable {
    let refusal: String?
    let isNew: Bool
    let place: LotteryPlace

    init(_ row: inout RowDecoder) throws(PostgresDecodingError) {
        refusal = try row.next()
        isNew = try row.next(Bool?.self) ?? false
        place = LotteryPlace(
            userID: Int(try row.next(Int64?.self) ?? 0), entries: Int(try row.next(Int64?.self) ?? 0))
    }
}

struct EnterLottery: Statement {
    var sql: StaticString { "SELECT refusal, is_new, participant, entries FROM juliet.enter_lottery($1)" }
    /// As for every statement with a session.
    var attempts: Int { 3 }
    let session: Credential

    var orderingKey: String? { session.player?.rawValue }

    func bind(to parameters: inout Parameters) { parameters.append(session.proof) }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> LotteryAnswer {
        try LotteryAnswer(&row)
    }
}

extension FunctionCall<Int64> {
    static func lotteryVersion() -> Self { Self("SELECT juliet.lottery_version()", access: .read) }
}

extension FunctionCall<String> {
    static func lotteryUsers() -> Self { Self("SELECT juliet.lottery_users()", access: .read) }

    static func lotteryList() -> Self { Self("SELECT juliet.lottery_list()", access: .read) }
}
