/// Requests for a connection in the order in which they came. Each is found by its holder in constant time.
struct LeaseQueue {
    private var requests: [Int: PoolState.LeaseRequest] = [:]
    private var numbers: [PoolState.Holder: Int] = [:]
    /// The number of the first, or of one before it that was taken back.
    private var first = 0
    /// The number of the next one that comes.
    private var end = 0

    var count: Int { requests.count }
    var isEmpty: Bool { requests.isEmpty }

    /// Puts a request behind all others. Its holder must have none.
    mutating func append(_ request: PoolState.LeaseRequest) {
        numbers[request.holder] = end
        requests[end] = request
        end += 1
    }

    /// Takes the first one out.
    mutating func next() -> PoolState.LeaseRequest? { next(if: { _ in true }) }

    /// Takes out those whose time is over.
    mutating func takeLate(at now: PoolState.Instant) -> [PoolState.LeaseRequest] {
        // All wait equally long, so those who came first are due first.
        takeAll(while: { $0.deadline <= now })
    }

    /// Takes all out.
    mutating func takeAll() -> [PoolState.LeaseRequest] { takeAll(while: { _ in true }) }

    /// Takes a request back.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    mutating func remove(_ holder: PoolState.Holder) -> Bool {
        guard let number = numbers.removeValue(forKey: holder) else { return false }
        requests[number] = nil
        return true
    }

    private mutating func takeAll(while isWanted: (PoolState.LeaseRequest) -> Bool) -> [PoolState.LeaseRequest] {
        var taken: [PoolState.LeaseRequest] = []
        while let request = next(if: isWanted) { taken.append(request) }
        return taken
    }

    private mutating func next(if isWanted: (PoolState.LeaseRequest) -> Bool) -> PoolState.LeaseRequest? {
        while first < end {
            guard let request = requests[first] else {
                first += 1
                continue
            }
            guard isWanted(request) else { return nil }
            remove(request.holder)
            first += 1
            return request
        }
        return nil
    }
}
