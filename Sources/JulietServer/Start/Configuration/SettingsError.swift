/// Why the service does not start with these settings: one line that names the key and where it was set.
package struct SettingsError: Error, Equatable, CustomStringConvertible {
    /// The line.
    package let description: String

    /// Makes an error of one line.
    package init(_ description: String) { self.description = description }
}
