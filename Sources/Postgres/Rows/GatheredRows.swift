/// The rows of several executions that ran as one, and which are whose (``Statement/gatheredSQL``).
@safe final class GatheredRows: @unchecked Sendable {
    // Invariant: nothing changes once it is made, and libpq's result may be read by several threads.

    private let result: ResultHandle
    /// The rows' places in the result, those of the first execution first.
    private let places: [Int]
    /// Where each execution's places begin, and behind the last one where they end; `nil`: the result does not say whose
    /// its rows are.
    private let starts: [Int]?
    /// Whether each execution must have one row.
    private let ofWrites: Bool
    /// The executions that had no effect; 1 is the first.
    let leftOut: [Int]

    /// - Parameters:
    ///   - count: How many executions there are.
    ///   - ofWrites: Whether they wrote: then each must have one row, which may say that it had no effect.
    init(_ result: consuming ResultHandle, count: Int, ofWrites: Bool) {
        let numbers = result.lastIntegers() ?? [0]
        self.result = result
        self.ofWrites = ofWrites
        // Wrapping: it may be any number.
        let owners = numbers.map { (ofWrites ? Int(clamping: $0.magnitude) : $0) &- 1 }
        guard owners.allSatisfy((0..<count).contains) else {
            (places, starts, leftOut) = ([], nil, [])
            return
        }
        var ends = Array(repeating: 0, count: count + 1)
        for owner in owners { ends[owner + 1] += 1 }
        leftOut = numbers.filter { $0 < 0 && ends[-$0] == 1 }.map { -$0 }
        for number in 1...count { ends[number] += ends[number - 1] }
        starts = ends
        var places = Array(repeating: 0, count: owners.count)
        for (row, owner) in owners.enumerated() {
            places[ends[owner]] = row
            ends[owner] += 1
        }
        self.places = places
    }

    /// How many rows one execution has; 1 is the first.
    ///
    /// - Throws: ``PostgresError`` `.misuse` if the SQL does not say whose its rows are, and `.decodingFailed` if a write does
    ///   not have one row, for it has then run all the same.
    func count(of number: Int) throws(PostgresError) -> Int {
        let count = starts.map { $0[number] - $0[number - 1] }
        if ofWrites, count != 1 {
            throw PostgresError(.decodingFailed, reason: "gatheredSQL does not give each execution of a write one row")
        }
        guard let count else {
            throw PostgresError(
                .misuse, reason: "the last column of gatheredSQL must say which execution a row belongs to")
        }
        return count
    }

    /// Where one row of an execution is in the result; 0 is its first.
    func place(of row: Int, for number: Int) -> Int { places[(starts?[number - 1] ?? 0) + row] }

    /// What reads the rows, without the last column, at the first one of an execution, if it has one. It must not outlive
    /// the rows.
    func makeDecoder(at number: Int) -> RowDecoder {
        var decoder = result.makeDecoder(hiddenColumns: 1)
        if let starts, starts[number] > starts[number - 1] { decoder.move(to: place(of: 0, for: number)) }
        return decoder
    }
}
