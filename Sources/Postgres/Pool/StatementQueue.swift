/// Statements that wait for a connection, in the order in which they came; those that have ended are passed over.
struct StatementQueue {
    /// Those that had left the queue and have come back: before all others.
    private var returned: [StatementID] = []
    private var ids: [StatementID] = []
    private var head = 0

    /// How many places are taken, those of statements that have ended included.
    var length: Int { returned.count + ids.count - head }

    mutating func append(_ id: StatementID) { ids.append(id) }

    /// Puts statements back before all others.
    mutating func prepend(_ statements: [StatementID]) { returned.insert(contentsOf: statements, at: 0) }

    /// Puts statements back before all that never left the queue, but behind those that came back earlier.
    mutating func appendToReturned(_ statements: [StatementID]) { returned += statements }

    /// Takes the next one out.
    mutating func next() -> StatementID? {
        guard returned.isEmpty else { return returned.removeFirst() }
        guard head < ids.count else { return nil }
        let id = ids[head]
        head += 1
        if head == ids.count {
            ids.removeAll(keepingCapacity: head <= 1024)
            head = 0
        } else if head > 1024, head > ids.count / 2 {
            ids.removeFirst(head)
            head = 0
        }
        return id
    }

    /// Those that a condition holds for, in order.
    func filter(_ isWanted: (StatementID) -> Bool) -> [StatementID] {
        returned.filter(isWanted) + ids[head...].filter(isWanted)
    }

    /// Keeps only those that a condition holds for.
    mutating func keep(_ isWanted: (StatementID) -> Bool) {
        returned = returned.filter(isWanted)
        ids = ids[head...].filter(isWanted)
        head = 0
    }
}
