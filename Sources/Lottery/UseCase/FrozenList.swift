public import LotteryEntities

/// Those who take part in a draw, as they were when it started: a line each, `10 0`, or `10 1` when the entry is void.
public struct FrozenList: Sendable, Hashable {
    /// The entries, in order.
    public let entries: [LotteryEntry]
    /// The text.
    public let text: String

    /// Freezes entries.
    public init(_ entries: [LotteryEntry]) {
        self.entries = entries
        text = entries.reduce(into: "") { text, entry in text += "\(entry.userID) \(entry.isVoid ? 1 : 0)\n" }
    }

    /// Reads a text.
    ///
    /// - Returns: nil when no list was frozen to it.
    public init?(text: String) {
        var entries: [LotteryEntry] = []
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
            let parts = line.split(separator: UInt8(ascii: " "))
            guard parts.count == 2, let number = Int(Substring(parts[0])), ["0", "1"].contains(Substring(parts[1]))
            else { return nil }
            entries.append(LotteryEntry(userID: number, isVoid: parts[1].first == UInt8(ascii: "1")))
        }
        self.init(entries)
        guard self.text.utf8.elementsEqual(text.utf8) else { return nil }
    }

    /// Its SHA-256.
    public var digest: [UInt8] { DrawFunction.digest(text.utf8) }

    /// The entries that the rounds of a seed show.
    ///
    /// - Returns: Empty when nobody takes part.
    public func rounds(seed: [UInt8]) -> [LotteryEntry] {
        guard !entries.isEmpty else { return [] }
        return DrawFunction.places(seed: seed, listDigest: digest, count: entries.count).map { entries[$0] }
    }
}
