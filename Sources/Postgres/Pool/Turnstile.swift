/// What the batches of a process that go to one server know of each other, as a value: which are under way, and whose rows
/// they lock.
///
/// A loop that has nothing under way may always send. A further batch beside another begins while few statements are
/// under way, for then the server shares one commit among several; or while fewer batches are than ``batchLimit``, those
/// included that loops at work are about to send. So under light load a statement leaves at once, and under heavy load
/// batches grow instead of multiplying: one computes while another waits for its commit. Reads and writes are counted
/// apart.
///
/// Of the statements of one key only one is under way. In another batch the next one would wait in the server for the
/// commit of the first, and all its neighbours with it. In the same batch the two could lock rows of the key in another
/// order than two in a batch of another process, and both batches would wait until the server gives up.
///
/// A pool that waited for a key has the next turn with it: the pool whose batch has ended waits until then, whatever else it
/// has of that key.
///
/// A batch that takes longer than ``patience`` holds no key any more: what follows is then left to the server's locks. One
/// that takes longer than ``roomPatience`` does not count any more. So nothing stands still because of one loop,
/// connection or commit that does.
struct Turnstile {
    /// A time, counted from some beginning that all pools share.
    typealias Instant = Duration

    /// Names a batch under way.
    struct Ticket: Hashable, Sendable { fileprivate let number: UInt64 }

    /// Who waits for a key.
    private struct Waiter: Equatable {
        let key: UInt64
        let pool: Int
    }

    /// A key that the pool that waited for it may take, and who waits behind it.
    private struct Promise {
        let pool: Int
        let until: Instant
        var waiters: [Waiter] = []
    }

    private struct Turn {
        let number: UInt64
        let pool: Int
        let access: StatementAccess
        /// When it began, or was last seen to get on.
        var began: Instant
        var statements = 0
        var keys: [UInt64] = []
        /// Who waits for one of these keys, the first first.
        var waiters: [Waiter] = []
    }

    /// A statement that runs by itself, and takes no batch's place.
    private struct LoneTurn {
        let pool: Int
        let began: Instant
        /// nil: another pool's batch has it.
        let key: UInt64?
        var waiters: [Waiter] = []
    }

    /// How many batches of a kind run at once, unless there are few statements in them.
    let batchLimit: Int
    /// How many statements are few.
    let fewStatements: Int
    /// From when on a batch that does not get on holds no key, and from when on it does not count.
    let patience: Duration
    let roomPatience: Duration

    /// How long after its last batch a loop is still at work: it gathers the next one. And how long a key is kept for the
    /// pool that waited for it.
    static let pause: Duration = .milliseconds(5)

    /// The batches, in the order in which they began. There are few: as many as connections for batches at most, so looking
    /// through them is cheaper than a table.
    private var turns: [Turn] = []
    /// The statements that run by themselves, by the numbers of their tickets. There can be thousands, so nothing looks through
    /// them, and one call says of all those of a pool that they are alive: all pools wait meanwhile.
    private var loneTurns: [UInt64: LoneTurn] = [:]
    /// When each pool last said so.
    private var loneRenewals: [Instant] = []
    /// Until when each pool is at work on reads, and on writes.
    private var readsAtWork: [Instant] = []
    private var writesAtWork: [Instant] = []
    private var holders: [UInt64: UInt64] = [:]
    private var promises: [UInt64: Promise] = [:]
    /// With how many promises it is time to look for those that nobody took.
    private var promiseLimit = Self.leastPromiseLimit
    private static let leastPromiseLimit = 64
    private var lastTicket: UInt64 = 0

    init(batchLimit: Int, fewStatements: Int = 8, patience: Duration, roomPatience: Duration = .seconds(2)) {
        self.batchLimit = batchLimit
        self.fewStatements = fewStatements
        self.patience = patience
        self.roomPatience = max(patience, roomPatience)
    }

    /// Whether a pool that has a batch of this kind under way may send another.
    func hasRoom(for access: StatementAccess, at now: Instant) -> Bool {
        var batches = 0
        var statements = 0
        func counts(_ turn: Turn) -> Bool { turn.access == access && turn.began + roomPatience > now }
        for turn in turns where counts(turn) {
            batches += 1
            statements += turn.statements
        }
        if statements < fewStatements { return true }
        // Without a copy: all loops wait meanwhile.
        let atWork = access == .read ? readsAtWork : writesAtWork
        for pool in atWork.indices where atWork[pool] > now {
            if !turns.contains(where: { $0.pool == pool && counts($0) }) { batches += 1 }
        }
        return batches < batchLimit
    }

    /// Lets a batch begin.
    mutating func enter(_ pool: Int, _ access: StatementAccess, at now: Instant) -> Ticket {
        lastTicket += 1
        turns.append(Turn(number: lastTicket, pool: pool, access: access, began: now))
        return Ticket(number: lastTicket)
    }

    /// Lets a statement that waits for a lock held elsewhere keep its key, which its batch had, while it runs by itself.
    mutating func enterAlone(_ pool: Int, _ key: UInt64, at now: Instant) -> Ticket {
        let holder = holders[key].flatMap { number in
            loneTurns[number]?.pool ?? index(of: number).map { turns[$0].pool }
        }
        lastTicket += 1
        let isFree = holder == nil || holder == pool
        loneTurns[lastTicket] = LoneTurn(pool: pool, began: now, key: isFree ? key : nil)
        if isFree { holders[key] = lastTicket }
        return Ticket(number: lastTicket)
    }

    /// Adds statements that nobody waits for to a batch.
    mutating func add(_ count: Int, to ticket: Ticket) {
        if let turn = index(of: ticket.number) { turns[turn].statements += count }
    }

    /// Adds a statement to a batch, unless one of the same key is under way, in whichever batch, or another pool has the next
    /// turn with the key. If it is another pool's, ``leave(_:at:)`` of that one names this one's.
    ///
    /// - Parameter key: ``OrderingKey/fingerprint``; 0: nobody waits for it.
    mutating func admit(_ key: UInt64, to ticket: Ticket, at now: Instant) -> Bool {
        guard let turn = index(of: ticket.number) else { return true }
        if key != 0 {
            let waiter = Waiter(key: key, pool: turns[turn].pool)
            if let holder = holders[key], waits(waiter, for: holder, at: now) { return false }
            if !promises.isEmpty, let promise = promises[key] {
                if promise.pool != waiter.pool, promise.until > now {
                    if !promise.waiters.contains(waiter) { promises[key]?.waiters.append(waiter) }
                    return false
                }
                promises[key] = nil
                turns[turn].waiters += promise.waiters
            }
            holders[key] = ticket.number
            turns[turn].keys.append(key)
        }
        turns[turn].statements += 1
        return true
    }

    /// Notes who waits for a key, unless whoever holds it has not got on for too long.
    private mutating func waits(_ waiter: Waiter, for holder: UInt64, at now: Instant) -> Bool {
        // It asks again now and then.
        if let turn = index(of: holder) {
            guard turns[turn].began + patience > now else { return false }
            if !turns[turn].waiters.contains(waiter) { turns[turn].waiters.append(waiter) }
            return true
        }
        guard let turn = loneTurns[holder] else { return false }
        let renewed = turn.pool < loneRenewals.count ? loneRenewals[turn.pool] : .zero
        guard max(turn.began, renewed) + patience > now else { return false }
        if !turn.waiters.contains(waiter) { loneTurns[holder]?.waiters.append(waiter) }
        return true
    }

    /// A batch has got on: one of its statements has ended before it, or it runs again.
    mutating func renew(_ ticket: Ticket, at now: Instant) {
        if let turn = index(of: ticket.number) { turns[turn].began = now }
    }

    /// The statements of a pool that run by themselves are alive.
    mutating func renewLone(of pool: Int, at now: Instant) { Self.note(now, of: pool, in: &loneRenewals) }

    /// A batch has ended, or a statement that ran by itself.
    ///
    /// - Returns: The pools that waited for it, but its own.
    mutating func leave(_ ticket: Ticket, at now: Instant) -> Set<Int> {
        guard let index = index(of: ticket.number) else {
            guard let turn = loneTurns.removeValue(forKey: ticket.number) else { return [] }
            if let key = turn.key, holders[key] == ticket.number { holders[key] = nil }
            return promise(turn.waiters, notOf: turn.pool, at: now)
        }
        let turn = turns.remove(at: index)
        if turn.statements > 0 {
            let until = now + Self.pause
            if turn.access == .read {
                Self.note(until, of: turn.pool, in: &readsAtWork)
            } else {
                Self.note(until, of: turn.pool, in: &writesAtWork)
            }
        }
        for key in turn.keys where holders[key] == ticket.number { holders[key] = nil }
        return promise(turn.waiters, notOf: turn.pool, at: now)
    }

    /// Keeps each key for the first who waits for it.
    ///
    /// - Parameter pool: The one that had them: it has what waits for them itself.
    /// - Returns: The pools of the others.
    private mutating func promise(_ waiters: [Waiter], notOf pool: Int, at now: Instant) -> Set<Int> {
        if waiters.isEmpty { return [] }
        let others = waiters.filter { $0.pool != pool }
        // Those that nobody took, because the statement was given up meanwhile.
        if promises.count > promiseLimit {
            promises = promises.filter { $0.value.until > now }
            promiseLimit = max(Self.leastPromiseLimit, 2 * promises.count)
        }
        for waiter in others where holders[waiter.key] == nil {
            if promises[waiter.key] == nil {
                promises[waiter.key] = Promise(pool: waiter.pool, until: now + Self.pause)
            } else {
                promises[waiter.key]?.waiters.append(waiter)
            }
        }
        return Set(others.map(\.pool))
    }

    private static func note(_ instant: Instant, of pool: Int, in atWork: inout [Instant]) {
        while atWork.count <= pool { atWork.append(.zero) }
        atWork[pool] = instant
    }

    /// From the end, where the batch is that is being made up.
    private func index(of number: UInt64) -> Int? {
        for index in turns.indices.reversed() where turns[index].number == number { return index }
        return nil
    }
}
