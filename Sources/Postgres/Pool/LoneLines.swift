/// The lines of a pool, each found by its number and by its key in constant time, and all in the order in which they began. There
/// can be thousands: one for each key of a transaction elsewhere that locks the rows of many.
struct LoneLines {
    private var lines: [Int: PoolState.LoneLine] = [:]
    private var numbersByKey: [OrderingKey: Int] = [:]
    /// Ascending. Those of lines that have ended are passed over.
    private var begun: [Int] = []

    var count: Int { lines.count }
    var isEmpty: Bool { lines.isEmpty }

    /// The lines that there are, in the order in which they began.
    var numbers: [Int] { begun.filter(has) }

    /// The number of the line of a key.
    func number(of key: OrderingKey) -> Int? { lines.isEmpty ? nil : numbersByKey[key] }

    /// A line, to change it in place; ``remove(_:)`` takes it out.
    subscript(_ number: Int) -> PoolState.LoneLine? {
        get { lines[number] }
        _modify { yield &lines[number] }
    }

    /// Takes a line in that has begun after all others.
    mutating func append(_ line: PoolState.LoneLine) {
        lines[line.number] = line
        if let key = line.key { numbersByKey[key] = line.number }
        begun.append(line.number)
    }

    /// Takes a line out.
    mutating func remove(_ number: Int) -> PoolState.LoneLine? {
        guard let line = lines.removeValue(forKey: number) else { return nil }
        if let key = line.key { numbersByKey[key] = nil }
        if begun.count > 2 * lines.count + 64 { begun = begun.filter(has) }
        return line
    }

    private func has(_ number: Int) -> Bool { lines.index(forKey: number) != nil }
}
