/// What local identifiers stand for: the latest 10,000, for the app may use them in requests to come.
struct Resolutions {
    private static let limit = 10_000

    private var values: [LocalIdentifier: String] = [:]
    private var order: [LocalIdentifier] = []

    /// Those there are, oldest first.
    var all: [(LocalIdentifier, String)] {
        order.compactMap { local in values[local].map { (local, $0) } }
    }

    subscript(local: LocalIdentifier) -> String? {
        get { values[local] }
        set {
            if values.updateValue(newValue ?? "", forKey: local) == nil { order.append(local) }
        }
    }

    /// Forgets the oldest, but for those that are still needed.
    mutating func trim(keeping needed: () -> Set<LocalIdentifier>) {
        guard order.count > 2 * Self.limit else { return }
        let needed = needed()
        let old = order.dropLast(Self.limit)
        for local in old where !needed.contains(local) { values[local] = nil }
        order = old.filter { values[$0] != nil } + order.suffix(Self.limit)
    }
}
