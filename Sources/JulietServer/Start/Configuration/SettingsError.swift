/// Why the service does not start with these settings: one line that names the key and where it was set.
package struct SettingsError: Error, Equatable, CustomStringConvertible {
    /// The line.
    package let description: String
    /// Whether the bad value was typed: a flag has it, not a variable or the file.
    package let isUsage: Bool

    /// Makes an error of one line.
    package init(_ description: String, isUsage: Bool = false) {
        self.description = description
        self.isUsage = isUsage
    }
}
