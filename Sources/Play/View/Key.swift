import PlayPresenter

/// A key that was pressed.
package enum Key: Equatable, Sendable {
    /// What it writes: a letter, a digit, a sign.
    case character(Character)
    case enter
    case backspace
    case escape
    case up
    case down
    /// With Ctrl held: the letter, lower case.
    case control(Character)
}
