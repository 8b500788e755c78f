/// Something that is wrong with the records, and what to do about it.
package struct AuditFinding: Sendable, Hashable {
    /// The part of the audit that found it.
    package let part: Audit.Part
    /// What was checked: `games.marks`.
    package let kind: String
    /// The account id of the player whose record it is; nil: no player's, or a table's.
    package let userID: String?
    /// The record, as people call it: `game 0193…`; nil: the player is, or the words say which.
    package let record: String?
    /// What is wrong.
    package let fault: String
    /// What an operator does about it.
    package let remedy: String
}

extension AuditFinding: CustomStringConvertible {
    /// A line: the part, the record, what is wrong, what to do.
    package var description: String {
        let place = [record, userID.map { "player \($0)" }].compactMap(\.self).joined(separator: " of ")
        return "\(part.rawValue): \(place.isEmpty ? "" : "\(place): ")\(fault). To do: \(remedy)"
    }
}
