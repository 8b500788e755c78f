/// What a key of the admin page may do. The database asks it with every call (`admin_may`).
package enum AdminRole: String, Sendable, CaseIterable, Encodable {
    /// Players, what they share, and names that nobody may take.
    case support
    /// The word lists.
    case words
    /// Everything; the figures and the whole trail, owners alone.
    case owner
}
