import EventLoop

/// Makes expensive values, each once for all callers that wait for it, and one at a time.
///
/// A value that nobody waits for is not made: a cancelled task stops waiting, and when the last one does, the making is
/// cancelled or does not begin.
final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// Callers wait for too many different values.
    struct Overload: Error {}

    /// Makes the value of a key. Runs in a task of its own, outside of the event loops.
    typealias Make = @Sendable (Key) async throws -> Value

    private typealias Waiter = CheckedContinuation<Result<Value, any Error>, Never>

    private struct Flight {
        let number: Int
        var waiters: [Int: Waiter] = [:]
        /// Whether it is being made, and the task that makes it, as soon as there is one.
        var hasBegun = false
        var task: Task<Void, Never>?
    }

    /// What becomes of a caller.
    private enum Entry {
        case known(Value)
        /// Too many values are waited for.
        case overload
        /// Whether the making has still to begin.
        case waits(isAhead: Bool)
    }

    private struct State {
        var flights: [Key: Flight] = [:]
        /// Those that have not begun, in the order in which they were asked for.
        var queue: [Key] = []
        /// The number of the one that is under way.
        var current: Int?
        var lastNumber = 0

        mutating func makeNumber() -> Int {
            lastNumber += 1
            return lastNumber
        }

        /// Adds a waiting caller.
        ///
        /// - Returns: That it waits, or that too many values are waited for.
        mutating func add(_ waiter: Waiter, _ ticket: Int, _ key: Key, _ maximum: Int) -> Entry {
            if flights[key] == nil {
                guard flights.count < maximum else { return .overload }
                flights[key] = Flight(number: makeNumber())
                queue.append(key)
            }
            flights[key]?.waiters[ticket] = waiter
            return .waits(isAhead: flights[key]?.hasBegun == false)
        }

        mutating func begin() -> (Key, Int)? {
            guard current == nil, !queue.isEmpty else { return nil }
            let key = queue.removeFirst()
            guard let number = flights[key]?.number else { return nil }
            flights[key]?.hasBegun = true
            current = number
            return (key, number)
        }

        /// Removes a caller that no longer waits, and with the last one the flight.
        mutating func remove(_ ticket: Int, _ key: Key) -> (Waiter?, Task<Void, Never>?) {
            guard let waiter = flights[key]?.waiters.removeValue(forKey: ticket) else { return (nil, nil) }
            guard flights[key]?.waiters.isEmpty == true else { return (waiter, nil) }
            queue.removeAll { $0 == key }
            return (waiter, flights.removeValue(forKey: key)?.task)
        }

        /// Removes the callers that waited for a value that has been made.
        mutating func end(_ key: Key, _ number: Int) -> [Waiter] {
            if current == number { current = nil }
            guard flights[key]?.number == number, let flight = flights.removeValue(forKey: key) else { return [] }
            return Array(flight.waiters.values)
        }
    }

    /// How many different values may be waited for.
    private let maximumFlights: Int
    private let make: Make
    private let state = Locked(State())

    /// - Parameters:
    ///   - maximumFlights: How many different values may be waited for.
    ///   - make: Makes values.
    init(maximumFlights: Int = 64, make: @escaping Make) {
        self.maximumFlights = maximumFlights
        self.make = make
    }

    /// The value of a key. Its making begins after this call, unless it is being made already.
    ///
    /// - Parameter known: A value that needs no making; default none. Asked under the lock: what a making leaves there is
    ///   found by whoever comes too late to wait for it.
    /// - Returns: The value, and whether it was known or making it began after the call.
    /// - Throws: What making it threw; ``Overload``; `CancellationError`.
    func value(of key: Key, unless known: () -> Value? = { nil }) async throws -> (value: Value, isNew: Bool) {
        let ticket = state.withLock { $0.makeNumber() }
        var isNew = false
        let result: Result<Value, any Error> = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let entry = state.withLock { state -> Entry in
                    if let value = known() { return .known(value) }
                    return state.add(waiter, ticket, key, maximumFlights)
                }
                switch entry {
                case .known(let value):
                    isNew = true
                    return waiter.resume(returning: .success(value))
                case .overload: return waiter.resume(returning: .failure(Overload()))
                case .waits(let isAhead): isNew = isAhead
                }
                // Before the caller waited, it could not be removed.
                if Task.isCancelled { leave(ticket, key) }
                beginNext()
            }
        } onCancel: {
            leave(ticket, key)
        }
        return (try result.get(), isNew)
    }

    /// Begins the next one, unless one is under way.
    private func beginNext() {
        guard let (key, number) = state.withLock({ $0.begin() }) else { return }
        let task = Task.detached { [make] in
            let result: Result<Value, any Error>
            do { result = .success(try await make(key)) } catch { result = .failure(error) }
            self.end(key, number, result)
        }
        let isWanted = state.withLock { state in
            guard state.flights[key]?.number == number else { return false }
            state.flights[key]?.task = task
            return true
        }
        if !isWanted { task.cancel() }
    }

    private func end(_ key: Key, _ number: Int, _ result: Result<Value, any Error>) {
        let waiters = state.withLock { $0.end(key, number) }
        for waiter in waiters { waiter.resume(returning: result) }
        beginNext()
    }

    /// Stops waiting, if it waits.
    private func leave(_ ticket: Int, _ key: Key) {
        let (waiter, task) = state.withLock { $0.remove(ticket, key) }
        waiter?.resume(returning: .failure(CancellationError()))
        task?.cancel()
    }
}
