/// A balance below zero, which only a refund can make.
enum Debt {
    /// What people are told whom it keeps from playing; nil: it is none.
    static func explanation(of balance: Int) -> String? {
        guard balance < 0 else { return nil }
        return "A refund has taken the balance to \(balance): a game can be paid when it is 5 or more again."
    }
}
