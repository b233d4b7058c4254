//! Squarefree rule sets.

use std::fmt;

/// Whether a rule set on the orthant is squarefree.
///
/// The thesis (Proposition 4.2) and the erratum use the word for two notions; only the erratum's gives
/// P = P₀ + 2ℕᵈ in normal play.
///
/// ```
/// use impartial::lattice::Squarefree;
/// assert_eq!(Squarefree::of(&[vec![1, 0], vec![-3, 1]]), Squarefree::Squarefree);
/// assert_eq!(Squarefree::of(&[vec![1, 0], vec![1, 1]]), Squarefree::Weakly);
/// assert_eq!(Squarefree::of(&[vec![1, 0], vec![0, 2]]), Squarefree::No);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Squarefree {
    /// Every rule has exactly one positive entry, and it is 1 (erratum, Proposition 1).
    Squarefree,
    /// The positive part of every rule is a 0-1 vector, but some rule has several ones: Theorem 4.6 may fail.
    Weakly,
    /// Some rule has a positive entry beyond 1, or none at all.
    No,
}

impl Squarefree {
    /// Which notion a rule set satisfies.
    ///
    /// # Complexity
    /// O(d·|Γ|).
    pub fn of(rules: &[Vec<i64>]) -> Self {
        if rules.iter().any(|rule| !rule.contains(&1) || rule.iter().any(|&x| x > 1)) {
            Self::No
        } else if rules.iter().all(|rule| rule.iter().filter(|&&x| x > 0).count() == 1) {
            Self::Squarefree
        } else {
            Self::Weakly
        }
    }
}

impl fmt::Display for Squarefree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Squarefree => "squarefree",
            Self::Weakly => "weakly",
            Self::No => "no",
        })
    }
}
