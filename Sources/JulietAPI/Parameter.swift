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
    /// Whether all of it is visible ASCII, so without blanks, and without one character more.
    func isVisibleASCII(except excluded: UInt8? = nil) -> Bool {
        func isAllowed(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) && byte != excluded }
        return utf8.withContiguousStorageIfAvailable { $0.allSatisfy(isAllowed) } ?? utf8.allSatisfy(isAllowed)
    }
}

/// Whether a text can be the id of an account: 1...128 Unicode scalars of printable text, not blanks alone.
///
/// Printable is what Unicode's general categories call a letter, mark, number, punctuation, symbol or space; control,
/// format, private-use and unassigned characters and the line and paragraph separators are not. Accounts are
/// compared by their scalars: nothing is trimmed, folded or normalised.
package func isAccountID(_ text: String) -> Bool {
    // Nearly all are: printable ASCII without blanks.
    if (1...128).contains(text.utf8.count), text.isVisibleASCII() { return true }
    var length = 0
    var isBlank = true
    for scalar in text.unicodeScalars {
        length += 1
        guard length <= 128 else { return false }
        switch scalar.value {
        case 0x21...0x7E:
            isBlank = false
        case 0x20:
            continue
        default:
            guard scalar.isPrintable else { return false }
            isBlank = isBlank && scalar.properties.generalCategory == .spaceSeparator
        }
    }
    return !isBlank
}

extension Unicode.Scalar {
    /// Whether its general category is visible: none of Cc, Cf, Cs, Co, Cn, Zl, Zp.
    var isPrintable: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
