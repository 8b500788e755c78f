/// Names a statement in a pool: a place, and which of the place's statements it is. So a name that is left over
/// somewhere never meets a later statement.
struct StatementID: Hashable, Sendable {
    let place: Int32
    let generation: UInt32
}

/// What a pool knows about a statement. Kept small: from 16 words on, each look at one calls functions that copy it, which
/// cost a read 200 instructions.
struct PendingStatement {
    /// Where it is on its way.
    enum Phase { case queued, redo, line, sent }

    let access: StatementAccess
    var phase = Phase.queued
    /// Why nobody wants the answer any more.
    var abandonment: PostgresError.Code?
    /// How often it has come back for no fault of its own.
    var returns: Int32 = 0
    /// How often the server has ended its transaction for the sake of others, and how often it may be tried then.
    var conflicts: Int32 = 0
    let attempts: Int32
    let key: OrderingKey?
    /// When it must have left the queue, and when it must be done.
    let queueDeadline: Duration
    let deadline: Duration
    /// When the server is asked to stop it.
    var cancelAt: Duration?
}

/// The statements of a pool, by place.
struct StatementTable {
    private struct Place {
        var generation: UInt32 = 0
        var statement: PendingStatement?
    }

    private var places: [Place] = []
    private(set) var count = 0

    /// Takes a statement in. Its place must be free.
    mutating func insert(_ id: StatementID, _ statement: PendingStatement) {
        let place = Int(id.place)
        while places.count <= place { places.append(Place()) }
        places[place] = Place(generation: id.generation, statement: statement)
        count += 1
    }

    /// Takes a statement out.
    ///
    /// - Returns: The statement; `nil` if it is not there any more.
    @discardableResult
    mutating func remove(_ id: StatementID) -> PendingStatement? {
        guard contains(id) else { return nil }
        count -= 1
        return places[Int(id.place)].statement.take()
    }

    /// Whether the statement is still there.
    func contains(_ id: StatementID) -> Bool {
        let place = Int(id.place)
        return place < places.count && places[place].generation == id.generation && places[place].statement != nil
    }

    /// The statement, if it is still there.
    subscript(_ id: StatementID) -> PendingStatement? { contains(id) ? places[Int(id.place)].statement : nil }

    /// Where it is on its way, if it is still there.
    func phase(_ id: StatementID) -> PendingStatement.Phase? {
        contains(id) ? places[Int(id.place)].statement?.phase : nil
    }

    func key(_ id: StatementID) -> OrderingKey? { places[Int(id.place)].statement?.key }

    /// Whether it is still there and may write. As the next two, without a copy of the statement.
    func isWrite(_ id: StatementID) -> Bool { contains(id) && places[Int(id.place)].statement?.access == .write }

    /// The fingerprint of a write's key; 0: nobody waits for it.
    func writtenFingerprint(_ id: StatementID) -> UInt64 {
        isWrite(id) ? places[Int(id.place)].statement?.key?.fingerprint ?? 0 : 0
    }

    /// Notes that a statement that is still there was sent.
    mutating func sent(_ id: StatementID) {
        if contains(id) { places[Int(id.place)].statement?.phase = .sent }
    }

    /// Changes a statement that is still there.
    mutating func update(_ id: StatementID, _ change: (inout PendingStatement) -> Void) {
        guard contains(id), var statement = places[Int(id.place)].statement.take() else { return }
        change(&statement)
        places[Int(id.place)].statement = statement
    }
}
