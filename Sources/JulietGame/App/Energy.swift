/// Whole units of energy: a balance, a price or a grant.
package typealias Energy = Int
