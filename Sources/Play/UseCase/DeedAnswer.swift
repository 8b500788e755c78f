/// What the service said to a deed.
package enum DeedAnswer: Equatable, Sendable {
    /// Done, without a value.
    case done
    /// The energy that is left.
    case energy(Int)
    /// The wins that now count.
    case wins(Int)
    /// The energy that is left and the word that was dealt.
    case game(energy: Int, secret: String)
    /// Not done, and why.
    case refused(Refusal)

    /// Why a deed was not done.
    package enum Refusal: Equatable, Sendable {
        /// Less energy than a game costs.
        case notEnoughEnergy
        /// Anything else, in words for people.
        case other(String)
    }
}
