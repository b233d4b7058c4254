//! The two axioms of rule sets (Guo–Miller 2011, Definition 2.2), checked exactly.

use std::fmt;

use super::LatticeError;
use super::board::Recession;
use super::positivity::functional;
use semilinear::integer::Int;
use semilinear::run::Monitor;

/// What is known of the axioms of a rule set on a board with recession cone C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axioms {
    /// Positivity: an integer functional that is positive on Γ and on C∖{0}, or why there is none.
    pub positivity: Result<Vec<Int>, Violation>,
    /// The rays of C without a rule in their negative tangent cone; the tangent axiom holds when there are none.
    pub tangent_violations: Vec<Vec<i64>>,
}

/// Positivity is violated.
///
/// By Farkas' lemma no functional is positive on Γ and on C∖{0} exactly when some non-negative, non-zero combination of
/// rules and rays of C is 0: making these moves again and again never leaves the board in the long run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Rules with positive multipliers.
    pub rules: Vec<(Vec<i64>, String)>,
    /// Rays of C with positive multipliers.
    pub rays: Vec<(Vec<i64>, String)>,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the rules break the positivity axiom, so play need not end: ")?;
        let terms: Vec<String> = self
            .rules
            .iter()
            .chain(&self.rays)
            .map(|(vector, factor)| {
                let entries: Vec<String> = vector.iter().map(ToString::to_string).collect();
                let factor = if factor == "1" { String::new() } else { format!("{factor}*") };
                format!("{factor}({})", entries.join(","))
            })
            .collect();
        write!(f, "{} = 0", terms.join(" + "))?;
        if !self.rays.is_empty() {
            write!(f, ", where the last {} of these are rays of the board and the others rules", self.rays.len())?;
        }
        write!(f, "; remove or change one of these rules")
    }
}

impl Axioms {
    /// Checks both axioms exactly.
    ///
    /// # Complexity
    /// O(d·|Γ|) operations with integers of O(d) bits for rules that turn one heap into smaller ones, else one exact
    /// linear program with d variables.
    pub(super) fn check(
        rules: &[Vec<i64>],
        recession: &Recession,
        monitor: &dyn Monitor,
    ) -> Result<Self, LatticeError> {
        let tangent_violations = recession.unmet_rays(rules, monitor)?;
        Ok(Self { positivity: functional(rules, &recession.rays(), monitor)?, tangent_violations })
    }
}
