extension StringProtocol {
    /// The text between double quotes, safe on any terminal: invisible characters are written as `\u{1B}`.
    package var quoted: String {
        var text = "\""
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse:
                text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default:
                text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}
