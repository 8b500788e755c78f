extension String {
    /// The name that is written most alike, for a question such as "did you mean".
    ///
    /// - Parameter distance: How many letters may be added, left out or replaced.
    /// - Returns: nil if every name takes more.
    package func mostAlike(of names: [String], within distance: Int) -> String? {
        let nearest = names.map { (name: $0, distance: lowercased().distance(to: $0.lowercased())) }
            .min { $0.distance < $1.distance }
        return nearest.flatMap { $0.distance <= distance ? $0.name : nil }
    }

    /// The Levenshtein distance.
    private func distance(to other: String) -> Int {
        var row = Array(0...other.count)
        for (i, a) in enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, b) in other.enumerated() {
                let above = row[j + 1]
                row[j + 1] = Swift.min(above + 1, row[j] + 1, diagonal + (a == b ? 0 : 1))
                diagonal = above
            }
        }
        return row[other.count]
    }
}
