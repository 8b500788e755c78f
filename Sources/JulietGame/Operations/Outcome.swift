package import JulietAPI
package import Postgres

/// The outcome of a request: the row that every function of the schema returns (`operation_answer`).
package struct Outcome: Sendable, Equatable {
    /// Why a request was refused. Nothing has changed.
    package enum Refusal: String, Sendable {
        /// No such player. Not remembered under an operation's name.
        case userUnknown = "user-unknown"
        /// The balance does not cover a game.
        case energyInsufficient = "energy-insufficient"
        /// The balance has no room for more (2,147,483,647).
        case energyFull = "energy-full"
        /// The amount is not on sale.
        case productUnknown = "product-unknown"
        /// Clients may not report their energy.
        case reportRefused = "report-refused"
        /// The count of wins has no room for more.
        case winsFull = "wins-full"
        /// The word is not in the list.
        case wordUnknown = "word-unknown"
        /// No word of the list can be dealt. Not remembered either.
        case noWords = "no-words"
        /// The operation's name was used for another request before.
        case operationReused = "operation-reused"
        /// A purchase does not count: ``Outcome/purchaseReason`` says why.
        case purchaseRefused = "purchase"
    }

    /// nil: done.
    package let refusal: Refusal?
    /// The balance after it; for a repeat, after the first time. 0 for requests that do not concern it.
    package let energy: Energy
    /// The wins after it; 0 for requests that do not concern them.
    package let wins: Int
    /// The word that was dealt, if one was, in lower case except for letters whose upper case is special to the language.
    package internal(set) var word: String?
    /// Whether this was answered before. Nothing was changed this time.
    package let isReplay: Bool
    /// Why a purchase does not count, if that is the refusal.
    package let purchaseReason: PurchaseReason?
    /// The energy that a signed purchase brought now; 0 if it was credited before, and for other requests.
    package let credited: Energy

    /// An outcome that needs no database.
    package init(refusal: Refusal?, energy: Energy = 0, wins: Int = 0, word: String? = nil) {
        self.refusal = refusal
        self.energy = energy
        self.wins = wins
        self.word = word
        isReplay = false
        purchaseReason = nil
        credited = 0
    }

    /// The outcome of a signed purchase.
    init(_ answer: PurchaseAnswer) {
        purchaseReason = answer.refusal.flatMap(PurchaseReason.init(refusal:))
        refusal = purchaseReason == nil ? answer.refusal.flatMap(Refusal.init) : .purchaseRefused
        energy = answer.energy
        wins = 0
        word = nil
        isReplay = answer.isReplay
        credited = answer.isNew ? answer.credited : 0
    }
}

extension Outcome: PostgresDecodable {
    /// Reads an `operation_answer`.
    package init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        var fields = CompositeReader()
        if let text = try fields.next(String?.self, in: bytes) {
            purchaseReason = PurchaseReason(refusal: text)
            guard let refusal = purchaseReason == nil ? Refusal(rawValue: text) : .purchaseRefused else {
                throw .malformed
            }
            self.refusal = refusal
        } else {
            refusal = nil
            purchaseReason = nil
        }
        energy = Int(try fields.next(Int32?.self, in: bytes) ?? 0)
        wins = Int(try fields.next(Int32?.self, in: bytes) ?? 0)
        word = try fields.next(in: bytes)
        isReplay = try fields.next(Bool?.self, in: bytes) ?? false
        credited = 0
    }
}

extension PostgresClient {
    /// Calls a function of the app's contract.
    ///
    /// - Throws: With the code `outcomeUnknown` it may have been done: ask again under the same name.
    @inline(__always)
    func call(_ call: FunctionCall<Outcome>) async throws(PostgresError) -> Outcome {
        // A function always returns one row.
        try await first(call) ?? Outcome(refusal: .userUnknown)
    }
}
