//! What is said of games and vectors: nothing here has a part in a verdict.

use crate::Failure;
use crate::lattice::{Inner, Lattice};
use crate::walk::Table;

impl Lattice {
    /// The game in words.
    pub fn words(&self) -> String {
        let board = match &self.rows {
            None => format!("N^{}", self.dimension),
            Some(rows) => format!("the integer points of {} inequalities in dimension {}", rows.len(), self.dimension),
        };
        let (rules, defeated) = (counted(self.rules.len(), "rule"), counted(self.defeated.len(), "defeated position"));
        format!("the lattice game with {rules} and {defeated} on {board}")
    }
}

/// A number with its noun, which has an s at its end unless there is one.
pub(crate) fn counted(n: usize, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

impl Inner {
    /// The game's own coordinates of a vector of ℕᵈ; only to be shown.
    pub fn own(&self, y: &[i128]) -> Vec<i128> {
        let Some((_, inverse, shift)) = &self.matrix else { return y.to_vec() };
        let moved: Vec<i128> = y.iter().zip(shift).map(|(y, s)| y.saturating_sub(*s)).collect();
        let times = |row: &Vec<i128>| {
            row.iter().zip(&moved).fold(0_i128, |sum, (a, y)| sum.saturating_add(a.saturating_mul(*y)))
        };
        inverse.iter().map(times).collect()
    }
}

/// A vector as people write it.
pub(crate) fn written(x: &[i128]) -> String {
    let x: Vec<String> = x.iter().map(ToString::to_string).collect();
    format!("({})", x.join(","))
}

/// The vector whose digits lead to a combination.
pub(crate) fn vector(dimension: usize, origin: &[(u32, bool)], mut at: usize) -> Vec<i128> {
    let mut digits = Vec::new();
    while at != 0 {
        digits.push(origin[at].1);
        at = origin[at].0 as usize;
    }
    let mut x = vec![0_i128; dimension];
    for (i, one) in digits.into_iter().rev().enumerate() {
        // What is longer than 126 digits is cut off: nobody writes such a position.
        if one && i / dimension < 126 {
            x[i % dimension] |= 1 << (i / dimension);
        }
    }
    x
}

/// Says how the outcome law fails at y.
pub(crate) fn wrong(inner: &Inner, set: &Table, y: &[i128]) -> Failure {
    let x = inner.own(y);
    let minus = |rule: &Vec<i128>| -> Vec<i128> { y.iter().zip(rule).map(|(y, g)| y.saturating_sub(*g)).collect() };
    let claimed = |y: &[i128]| y.iter().all(|&y| y >= 0) && set.label_from(0, y) != 0;
    let option =
        inner.rules.iter().map(minus).find(|option| claimed(option)).map(|option| written(&inner.own(&option)));
    let at = written(&x);
    let how = match (claimed(y), option) {
        (true, Some(option)) => format!("P, but a move from it reaches {option}, which is claimed P"),
        (true, None) => "P, but it is not on the board".into(),
        (false, _) => "N, but no move from it reaches a claimed P-position".into(),
    };
    Failure::At(format!("these are not the P-positions: the equation fails at {at}: {at} is claimed {how}"), x)
}
