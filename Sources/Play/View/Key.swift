/// A key that was pressed.
package enum Key: Equatable, Sendable {
    /// What it writes: a letter, a digit, a sign.
    case character(Character)
    case enter
    case backspace
    case escape
    /// With Ctrl held: the letter, lower case.
    case control(Character)
}
