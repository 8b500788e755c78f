/// Statements that wait for a connection, in the order in which they came; those that have ended are passed over.
struct StatementQueue {
    private var ids: [StatementID] = []
    private var head = 0

    /// How many places are taken, those of statements that have ended included.
    var length: Int { ids.count - head }

    mutating func append(_ id: StatementID) { ids.append(id) }

    /// Puts statements back before all others.
    mutating func prepend(_ returned: [StatementID]) {
        guard !returned.isEmpty else { return }
        ids.replaceSubrange(0..<head, with: returned)
        head = 0
    }

    /// Takes the next one out.
    mutating func next() -> StatementID? {
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
    func filter(_ isWanted: (StatementID) -> Bool) -> [StatementID] { ids[head...].filter(isWanted) }

    /// Keeps only those that a condition holds for.
    mutating func keep(_ isWanted: (StatementID) -> Bool) {
        ids = filter(isWanted)
        head = 0
    }
}
