/// A number with its thousands set apart: `1,000,000`
package func grouped(_ number: Int) -> String {
    var digits = Array(String(number.magnitude))
    var index = digits.count - 3
    while index > 0 {
        digits.insert(",", at: index)
        index -= 3
    }
    return (number < 0 ? "-" : "") + String(digits)
}

/// The ends of a range, written the same way: `1 to 1,000,000`
package func grouped(_ range: ClosedRange<Int>) -> String {
    "\(grouped(range.lowerBound)) to \(grouped(range.upperBound))"
}
