/// Names a request of one queue, from its append on and across restarts. Later ones are greater.
public struct RequestID: Hashable, Comparable, Codable, Sendable {
    /// Counts the journal's requests.
    let number: UInt64

    init(number: UInt64) {
        self.number = number
    }

    /// Compares the order in which requests were appended.
    public static func < (left: RequestID, right: RequestID) -> Bool { left.number < right.number }
}

extension RequestID: CustomStringConvertible {
    /// The number.
    public var description: String { String(number) }
}
