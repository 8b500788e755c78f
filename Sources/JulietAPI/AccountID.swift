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
