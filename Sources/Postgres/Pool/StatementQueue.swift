/// Statements that wait for a connection, in the order in which they came.
struct StatementQueue {
    private var statements: [Submission] = []
    private var head = 0

    /// How many wait, those included whose tasks were cancelled meanwhile.
    var count: Int { statements.count - head }

    var isEmpty: Bool { count == 0 }

    mutating func append(_ statement: Submission) {
        statement.phase = .waiting
        statements.append(statement)
    }

    /// Puts statements back before all others.
    mutating func giveBack(_ returned: [Submission]) {
        for statement in returned { statement.phase = .waiting }
        statements.replaceSubrange(0..<head, with: returned)
        head = 0
    }

    /// Takes the next statements out, in the order in which a batch runs them.
    mutating func take(atMost limit: Int) -> [Submission] {
        var taken: [Submission] = []
        taken.reserveCapacity(min(limit, count))
        while taken.count < limit, head < statements.count {
            let next = statements[head]
            head += 1
            if next.phase == .waiting { taken.append(next) }
        }
        if head == statements.count {
            statements.removeAll(keepingCapacity: head <= 1024)
            head = 0
        } else if head > 1024, head > statements.count / 2 {
            statements.removeFirst(head)
            head = 0
        }
        return Self.inBatchOrder(taken)
    }

    /// Takes out everything, for the end.
    mutating func takeAll() -> [Submission] { take(atMost: .max) }

    /// The statements that wait.
    var waiting: some Sequence<Submission> { statements[head...].lazy.filter { $0.phase == .waiting } }

    /// Ascending by the bytes of the key, none first; statements of one key stay in order. All loops and processes order
    /// alike, so no two batches wait for each other's locks.
    ///
    /// Reads alone, which lock nothing, stay as they are.
    private static func inBatchOrder(_ statements: [Submission]) -> [Submission] {
        guard statements.count > 1, statements.contains(where: { $0.access == .write }) else { return statements }
        return statements.enumerated().sorted { left, right in
            precedes(left.element, right.element) ?? (left.offset < right.offset)
        }.map(\.element)
    }

    /// Whether a key comes before another; `nil`: they are the same.
    private static func precedes(_ left: Submission, _ right: Submission) -> Bool? {
        switch (left.orderingKey, right.orderingKey) {
        case (let a?, let b?):
            if left.orderingPrefix != right.orderingPrefix { return left.orderingPrefix < right.orderingPrefix }
            return a.utf8.elementsEqual(b.utf8) ? nil : a.utf8.lexicographicallyPrecedes(b.utf8)
        case (nil, nil): return nil
        case (let a, _): return a == nil
        }
    }
}
