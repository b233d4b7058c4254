//! Pairs of a strategy in a numeration system: the element in a row or a column, the one with a difference, and how far pairs lie from the golden ratio.

use num_bigint::BigUint;
use semilinear::numeration::{Condition, DigitSet, Relation};
use semilinear::run::StopReason;
use semilinear::vectorset::Effort;

use super::NumerationStrategy;

/// Elements are looked for with so many more digits than what is given.
const EXTRA: usize = 8;
/// Offsets are looked for between these numbers.
const FARTHEST: i64 = 64;

/// Which elements of a set of pairs are asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PairsOf {
    /// (n, y).
    Row(BigUint),
    /// (x, n).
    Column(BigUint),
    /// (x, x + n).
    Difference(BigUint),
}

impl NumerationStrategy {
    /// The elements of value g in a row, in a column, or with a difference, at most `most` of them, and whether these are all that have at
    /// most 8 digits more than n. `None` for games that are not in the plane, and for values that the strategy lacks.
    ///
    /// ```
    /// use impartial::lattice::RayGame;
    /// use impartial::run::Unlimited;
    /// use impartial::solve::rays::Limits;
    /// use impartial::strategy::{NumerationStrategy, PairsOf};
    /// use semilinear::numeration::System;
    /// use semilinear::vectorset::Effort;
    /// let game = RayGame::wythoff(None);
    /// let strategy = NumerationStrategy::learned(&game, &System::fibonacci(), 0, &Limits::default(), &Unlimited).unwrap();
    /// let (pairs, _) = strategy.pairs(0, &PairsOf::Difference(5_u32.into()), 10, &Effort::unlimited())?.unwrap();
    /// assert_eq!(pairs, [[8_u32, 13].map(impartial::num_bigint::BigUint::from)]);
    /// # Ok::<(), semilinear::run::StopReason>(())
    /// ```
    ///
    /// # Complexity
    /// O(digits · states that fit), after the digits are found.
    #[allow(clippy::type_complexity)] // elements, and whether they are all
    pub fn pairs(
        &self,
        value: usize,
        of: &PairsOf,
        most: usize,
        effort: &Effort<'_>,
    ) -> Result<Option<(Vec<Vec<BigUint>>, bool)>, StopReason> {
        let Some(set) = self.sets().get(value).filter(|_| self.game().dimension() == 2) else { return Ok(None) };
        let (condition, x) = match of {
            PairsOf::Row(n) => (Condition::Same(0), [n.clone(), BigUint::ZERO]),
            PairsOf::Column(n) => (Condition::Same(1), [BigUint::ZERO, n.clone()]),
            PairsOf::Difference(n) => (Condition::Linear(vec![-1, 0], vec![-1, 1], 0), [n.clone(), BigUint::ZERO]),
        };
        let relation = Relation::new(self.system(), 2, &[condition], effort)?;
        let (mut found, all) = set.related_within(&relation, &x, EXTRA, most);
        found.sort_unstable();
        Ok(Some((found, all)))
    }

    /// The least and the largest y − ⌊φx⌋ of the elements x ≤ y of value g, proved for all of them; `None` when the game's P-positions are not
    /// those of Wythoff's game (which give ⌊φx⌋), when there is no such element, or when offsets leave [−64, 64].
    ///
    /// The pair (a, a + x) of P has a = ⌊φx⌋, so that y − ⌊φx⌋ = k says that (y − k, y − k + x) lies in P. No element is left without one of the
    /// offsets between the two.
    pub fn offsets(&self, value: usize, effort: &Effort<'_>) -> Result<Option<(i64, i64)>, StopReason> {
        let Some(set) = self.sets().get(value) else { return Ok(None) };
        if self.system().name() != "fibonacci" || !self.game().is_wythoff() {
            return Ok(None);
        }
        let p = &self.sets()[0];
        let rising = Relation::new(self.system(), 2, &[Condition::Linear(vec![-1, 1], vec![-1, 0], 0)], effort)?;
        // x ≤ y where there is some (y − x, ·).
        let full = DigitSet::full(self.system(), 2, effort)?;
        let below = set.unrelated(&rising, &full, effort)?;
        let mut left = set.difference(&below, effort)?;
        let offset = |k: i64| {
            let conditions =
                [Condition::Linear(vec![0, -1], vec![1, 0], -k), Condition::Linear(vec![-1, 0], vec![-1, 1], 0)];
            Relation::new(self.system(), 2, &conditions, effort)
        };
        // From the middle outwards.
        let (mut least, mut largest) = (None::<i64>, None::<i64>);
        for step in 0..=2 * FARTHEST {
            if left.is_empty() {
                break;
            }
            let k = if step % 2 == 0 { step / 2 } else { -(step / 2) - 1 };
            let without = left.unrelated(&offset(k)?, p, effort)?;
            if without != left {
                least = Some(least.map_or(k, |least| least.min(k)));
                largest = Some(largest.map_or(k, |largest| largest.max(k)));
            }
            left = without;
        }
        Ok(if left.is_empty() { least.zip(largest) } else { None })
    }
}
