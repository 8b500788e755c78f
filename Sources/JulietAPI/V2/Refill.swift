extension V2 {
    /// Energy that comes back with time.
    public struct Refill: Codable, Hashable, Sendable {
        /// What can be taken now.
        public var due: Int
        /// When more will be due; nil: the balance with the due energy is as high as refills bring it.
        public var nextAt: Timestamp?

        /// Takes what is due.
        public init(due: Int, nextAt: Timestamp? = nil) {
            self.due = due
            self.nextAt = nextAt
        }
    }

    /// A balance after a refill.
    public struct RefilledEnergy: Codable, Hashable, Sendable {
        /// The balance.
        public var energy: Int
        /// The next refill; nil: none until the balance falls.
        public var refill: Refill?

        /// Takes a balance.
        public init(energy: Int, refill: Refill? = nil) {
            self.energy = energy
            self.refill = refill
        }
    }
}

extension V2.Refill: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.Refill>(
        "Refill", "Energy that comes back with time.",
        [
            .member("due", \.due, "What can be taken now.", .minimum(0)),
            .optional("nextAt", \.nextAt, "When more will be due; missing while none will."),
        ])
}

extension V2.RefilledEnergy: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.RefilledEnergy>(
        "RefilledEnergy", "A balance after a refill.",
        [
            .member("energy", \.energy, "The balance; a refund may take it below 0."),
            .optional("refill", \.refill, "The next refill; missing if there is none."),
        ])
}
