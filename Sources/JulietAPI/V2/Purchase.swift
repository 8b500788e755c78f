extension V2 {
    /// Something bought in the App Store that was credited.
    public struct Transaction: Codable, Hashable, Sendable {
        /// The App Store's id of the transaction.
        public var id: String
        /// The product.
        public var product: String
        /// How many.
        public var quantity: Int
        /// The energy that it brought.
        public var energy: Int

        /// Describes a transaction.
        public init(id: String, product: String, quantity: Int, energy: Int) {
            self.id = id
            self.product = product
            self.quantity = quantity
            self.energy = energy
        }
    }

    /// The answer to a purchase.
    public struct CreditedPurchase: Codable, Hashable, Sendable {
        /// The current balance.
        public var energy: Int
        /// The transaction as it was first credited.
        public var transaction: Transaction

        /// Tells what was credited.
        public init(energy: Int, transaction: Transaction) {
            self.energy = energy
            self.transaction = transaction
        }
    }
}

extension V2.Transaction: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.Transaction>(
        "Transaction", "Something bought in the App Store that was credited.",
        [
            .member("id", \.id, "The App Store's id of the transaction.", .length(1...64)),
            .member("product", \.product, "What was bought."),
            .member("quantity", \.quantity, "How many.", .range(1...10)),
            .member("energy", \.energy, "The energy that it brought.", .minimum(1)),
        ])
}

extension V2.CreditedPurchase: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.CreditedPurchase>(
        "CreditedPurchase", "What a purchase brought.",
        [
            .member("energy", \.energy, "The current balance."),
            .member("transaction", \.transaction, "The transaction as it was first credited."),
        ])
}
