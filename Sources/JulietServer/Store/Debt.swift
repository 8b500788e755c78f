/// A balance below zero, which only a refund can make.
enum Debt {
    /// The explanation for players who cannot play because of it; nil if the balance is not below zero.
    static func explanation(of balance: Int) -> String? {
        guard balance < 0 else { return nil }
        return "A refund has taken the balance to \(balance): you can pay for a game when it covers the price again."
    }
}
