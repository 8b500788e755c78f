/// The members of a request's object that any request type asks for, as far as they have been read.
///
/// The order of members is arbitrary, so the values are kept until `requestType` determines which of them are used.
/// Members read before a fault are kept, because an error must still be answered in the form of its request type.
struct RequestMembers {
    private(set) var requestType: JSONToken?
    // One each, not an array: that would be allocated for every request, and apps run on systems without `InlineArray`.
    private var vendorID: JSONToken?
    private var userID: JSONToken?
    private var playedWord: JSONToken?
    private var userEnergy: JSONToken?
    private var energyPurchaseAmount: JSONToken?
    private var signedTransaction: JSONToken?

    private(set) subscript(parameter: Parameter) -> JSONToken? {
        get {
            switch parameter {
            case .vendorID: vendorID
            case .userID: userID
            case .playedWord: playedWord
            case .userEnergy: userEnergy
            case .energyPurchaseAmount: energyPurchaseAmount
            case .signedTransaction: signedTransaction
            }
        }
        set {
            switch parameter {
            case .vendorID: vendorID = newValue
            case .userID: userID = newValue
            case .playedWord: playedWord = newValue
            case .userEnergy: userEnergy = newValue
            case .energyPurchaseAmount: energyPurchaseAmount = newValue
            case .signedTransaction: signedTransaction = newValue
            }
        }
    }

    /// Reads a whole body: one object and nothing after it.
    ///
    /// - Throws: `JSONError`; the members before the fault are kept.
    mutating func read(_ bytes: Span<UInt8>) throws(JSONError) {
        var scanner = JSONScanner()
        try scanner.openOutermostObject(in: bytes)
        var others = JSONNames()
        while let name = try scanner.nextName(in: bytes) {
            if name.equals("requestType", in: bytes) {
                guard requestType == nil else { throw JSONError(.duplicateName, at: name.range.lowerBound) }
                requestType = try scanner.value(in: bytes)
            } else if let parameter = Parameter(name, in: bytes) {
                guard self[parameter] == nil else { throw JSONError(.duplicateName, at: name.range.lowerBound) }
                self[parameter] = try scanner.value(in: bytes)
            } else {
                try others.insert(name, in: bytes)
                _ = try scanner.value(in: bytes)
            }
        }
        try scanner.finish(in: bytes)
    }
}

extension Parameter {
    fileprivate init?(_ name: JSONText, in bytes: Span<UInt8>) {
        guard let parameter = Self.allCases.first(where: { name.equals($0.name, in: bytes) }) else { return nil }
        self = parameter
    }
}
