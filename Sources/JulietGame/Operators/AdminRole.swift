/// What a key of the admin page may do. The database asks it with every call (`admin_may`).
package enum AdminRole: String, Sendable, CaseIterable, Encodable {
    /// Players, what they share, refused names, and what goes on.
    case support
    /// The word lists.
    case words
    /// Everything; only owners see the figures and the whole trail.
    case owner
}
