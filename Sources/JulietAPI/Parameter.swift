/// What a request type needs besides `requestType`.
enum Parameter: CaseIterable, Sendable {
    case vendorID
    case userID
    case playedWord
    case userEnergy
    case energyPurchaseAmount
    case signedTransaction

    var name: String {
        switch self {
        case .vendorID: "vendorID"
        case .userID: "userID"
        case .playedWord: "playedWord"
        case .userEnergy: "userEnergy"
        case .energyPurchaseAmount: "energyPurchaseAmount"
        case .signedTransaction: "signedTransaction"
        }
    }

    /// What the value must be, for people: completes "needs "userID", ...".
    var expectation: String {
        switch self {
        case .vendorID, .userID: "a string of 1 to 128 printable characters"
        case .playedWord, .signedTransaction: "a string"
        case .userEnergy: "an integer, 0 or more"
        case .energyPurchaseAmount: "an integer: 5 or 30"
        }
    }
}

extension String {
    /// Whether it is written as the languages of lists are: two or three small ASCII letters.
    ///
    /// It reads at most four bytes: comparing a text of many combining marks takes time that grows as the square of its length.
    package var isLanguageCode: Bool {
        let start = utf8.prefix(4)
        return (2...3).contains(start.count)
            && start.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    }

    /// Whether all of it is visible ASCII, so without blanks, and without one character more.
    func isVisibleASCII(except excluded: UInt8? = nil) -> Bool {
        func isAllowed(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) && byte != excluded }
        return utf8.withContiguousStorageIfAvailable { $0.allSatisfy(isAllowed) } ?? utf8.allSatisfy(isAllowed)
    }
}
