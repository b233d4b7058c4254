//! How the chain D lies below the chain C: finite data for an infinite relation.

use num_bigint::BigUint;
use num_traits::ToPrimitive as _;
use serde::{Deserialize, Serialize};

/// The largest number that a chains game may contain: thresholds, entries and periods beyond it are
/// refused, because the columns up to them are computed one by one.
pub const LARGEST: u64 = 1_000_000;

/// φ(i) = number of elements of D below cᵢ (i ≥ 1): a prefix and a rule for the rest. φ(0) = 0.
///
/// ```
/// use impartial::poset::chains::{Cross, Slope};
/// let chomp = Cross::regular(vec![0], 1, 1).unwrap(); // φ(i) = i − 1
/// assert_eq!((chomp.at(1), chomp.at(10)), (Some(0), Some(9)));
/// assert_eq!(chomp.last_at_most(4), Some(5));
/// assert_eq!(chomp.slope(), Slope::One);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cross {
    /// φ(1), φ(2), ….
    prefix: Vec<u64>,
    /// `Some((p, q))`: φ(i + p) = φ(i) + q for the last p entries of the prefix and everything after
    /// them; `None`: the first c after the prefix lies above all of D.
    rule: Option<(u64, u64)>,
}

/// How fast φ grows in the long run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slope {
    /// φ(i) − i → −∞.
    Below,
    /// φ(i) − i is eventually periodic.
    One,
    /// φ(i) − i → ∞, or some c lies above all of D.
    Above,
}

/// Why φ is not such a function.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CrossError {
    /// φ decreases.
    #[error("d_below_c decreases at c{0}; what lies below an element of a chain also lies below the next one")]
    Decreasing(u64),
    /// The prefix does not contain one period.
    #[error("d_below_c has {len} entries, fewer than its period {period}; write at least one whole period")]
    Short {
        /// Number of entries.
        len: usize,
        /// The period.
        period: u64,
    },
    /// The period is 0.
    #[error("period = 0; the period of d_below_c is at least 1")]
    ZeroPeriod,
    /// A number beyond [`LARGEST`].
    #[error("{0} is beyond the largest number of a chains game, {LARGEST}")]
    Large(u64),
}

impl Cross {
    /// φ with prefix φ(1), φ(2), … whose last `period` entries go on with φ(i + period) = φ(i) + step.
    pub fn regular(prefix: Vec<u64>, period: u64, step: u64) -> Result<Self, CrossError> {
        if period == 0 {
            return Err(CrossError::ZeroPeriod);
        }
        if let Some(&large) = prefix.iter().chain([&period, &step]).find(|&&x| x > LARGEST) {
            return Err(CrossError::Large(large));
        }
        if (prefix.len() as u64) < period {
            return Err(CrossError::Short { len: prefix.len(), period });
        }
        let cross = Self { prefix, rule: Some((period, step)) };
        let len = cross.prefix.len() as u64;
        match (1..=len).find(|&i| cross.at(i) > cross.at(i + 1)) {
            Some(i) => Err(CrossError::Decreasing(i + 1)),
            None => Ok(cross),
        }
    }

    /// φ with this prefix; the first c after it lies above all of D.
    pub fn all_after(prefix: Vec<u64>) -> Result<Self, CrossError> {
        if let Some(&large) = prefix.iter().find(|&&x| x > LARGEST) {
            return Err(CrossError::Large(large));
        }
        match prefix.windows(2).position(|pair| pair[0] > pair[1]) {
            Some(i) => Err(CrossError::Decreasing(i as u64 + 2)),
            None => Ok(Self { prefix, rule: None }),
        }
    }

    /// No element of D lies below an element of C.
    pub fn none() -> Self {
        Self { prefix: vec![0], rule: Some((1, 0)) }
    }

    /// The prefix φ(1), φ(2), ….
    pub fn prefix(&self) -> &[u64] {
        &self.prefix
    }

    /// Period and step of the rule; `None` when the first c after the prefix lies above all of D.
    pub fn rule(&self) -> Option<(u64, u64)> {
        self.rule
    }

    /// φ(i); `None` when cᵢ lies above all of D.
    pub fn at(&self, i: u64) -> Option<u64> {
        if i == 0 {
            return Some(0);
        }
        let len = self.prefix.len() as u64;
        if i <= len {
            return Some(self.prefix[usize::try_from(i - 1).expect("an index of the prefix")]);
        }
        let (period, step) = self.rule?;
        let turns = (i - len).div_ceil(period);
        let entry = self.prefix[usize::try_from(i - turns * period - 1).expect("an index of the prefix")];
        entry.checked_add(turns.checked_mul(step)?)
    }

    /// φ(i) for i of any size; `None` when cᵢ lies above all of D.
    pub fn at_big(&self, i: &BigUint) -> Option<BigUint> {
        let len = self.prefix.len() as u64;
        if let Some(small) = i.to_u64().filter(|&i| i <= len) {
            return self.at(small).map(BigUint::from);
        }
        let (period, step) = self.rule?;
        let turns = (i - len + (period - 1)) / period;
        let entry = (i - &turns * period).to_u64().and_then(|i| self.at(i)).expect("an index of the prefix");
        Some(turns * step + entry)
    }

    /// The largest i with φ(i) ≤ n; `None` when there is no largest.
    pub fn last_at_most(&self, n: u64) -> Option<u64> {
        let len = self.prefix.len() as u64;
        if self.at(len).is_some_and(|last| last > n) || self.rule.is_none() {
            return Some(self.prefix.partition_point(|&x| x <= n) as u64);
        }
        let (period, step) = self.rule?;
        if step == 0 {
            return None;
        }
        // Whole turns that surely stay at or below n, then the rest one by one.
        let last = self.at(len).expect("regular");
        let mut i = len + (n - last) / step * period;
        while self.at(i + 1).is_some_and(|x| x <= n) {
            i += 1;
        }
        Some(i)
    }

    /// The largest i with φ(i) ≤ n, for n of any size; `None` when there is no largest.
    pub fn last_at_most_big(&self, n: &BigUint) -> Option<BigUint> {
        if let Some(small) = n.to_u64().filter(|&n| n <= 1 << 40) {
            return self.last_at_most(small).map(BigUint::from);
        }
        let len = self.prefix.len() as u64;
        let Some((period, step)) = self.rule else { return Some(len.into()) };
        if step == 0 {
            return None;
        }
        let last = self.at(len).expect("regular");
        // φ(len + turns·period) = last + turns·step ≤ n; less than one period remains.
        let turns = (n - last) / step;
        let rest = n - &turns * step;
        let rest = rest.to_u64().expect("below last + step");
        let i = self.last_at_most(rest).expect("regular with a step");
        Some(turns * period + i)
    }

    /// How fast φ grows in the long run.
    pub fn slope(&self) -> Slope {
        match self.rule {
            Some((period, step)) if step < period => Slope::Below,
            Some((period, step)) if step == period => Slope::One,
            _ => Slope::Above,
        }
    }

    /// The period of the rule (1 without rule).
    pub fn period(&self) -> u64 {
        self.rule.map_or(1, |(period, _)| period)
    }

    /// φ(i + period) = φ(i) + step for all i ≥ this.
    pub fn regular_from(&self) -> u64 {
        self.prefix.len() as u64 + 1 - self.rule.map_or(0, |(period, _)| period)
    }

    /// The function i ↦ max(0, φ(i + u) − v), for chains that begin after c_u and d_v.
    pub(super) fn shifted(&self, u: u64, v: u64) -> Self {
        // One period past the last entry at most v: from there on the maximum with 0 does nothing.
        let needed = match self.rule {
            None => self.prefix.len() as u64,
            Some((period, step)) => {
                let regular = (self.prefix.len() as u64).max(u + 1) + period;
                if step == 0 { regular } else { regular.max(self.last_at_most(v).unwrap_or(0) + 2 * period) }
            }
        };
        let prefix =
            (u + 1..=needed.max(u)).filter_map(|i| self.at(i)).map(|x| x.saturating_sub(v)).collect::<Vec<_>>();
        Self { prefix, rule: self.rule }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverse_and_big_values_agree_with_the_plain_function() {
        let cases = [
            Cross::regular(vec![0, 1, 1, 2], 2, 1).unwrap(),
            Cross::regular(vec![1, 3, 4], 2, 3).unwrap(),
            Cross::regular(vec![0], 1, 1).unwrap(),
            Cross::regular(vec![2, 5], 1, 0).unwrap(),
            Cross::regular(vec![0, 0, 1, 1, 2, 3], 3, 2).unwrap(),
            Cross::all_after(vec![1, 1, 4]).unwrap(),
            Cross::none(),
        ];
        for cross in cases {
            for n in 0..30 {
                let plain = (0..200).filter(|&i| cross.at(i).is_some_and(|x| x <= n)).max().unwrap();
                match cross.last_at_most(n) {
                    Some(i) => assert_eq!(i, plain, "{cross:?} {n}"),
                    None => assert_eq!(plain, 199, "{cross:?} {n}"),
                }
                // Far out, the big version answers like the plain one, whole turns later.
                if let Some((period, step)) = cross.rule().filter(|&(_, step)| step > 0) {
                    let turns = 1u64 << 45;
                    let far = cross.last_at_most_big(&BigUint::from(n + 10 + turns * step));
                    assert_eq!(far, cross.last_at_most(n + 10).map(|i| BigUint::from(i + turns * period)), "{cross:?}");
                }
            }
            for i in 0..100u64 {
                assert_eq!(cross.at_big(&i.into()), cross.at(i).map(BigUint::from));
            }
            for (u, v) in [(0, 0), (1, 2), (5, 3), (2, 7)] {
                let shifted = cross.shifted(u, v);
                for i in 1..60 {
                    assert_eq!(shifted.at(i), cross.at(i + u).map(|x| x.saturating_sub(v)), "{cross:?} {u} {v} {i}");
                }
            }
        }
    }

    #[test]
    fn bad_functions_are_refused() {
        assert_eq!(Cross::regular(vec![1, 0], 1, 1), Err(CrossError::Decreasing(2)));
        assert_eq!(Cross::regular(vec![0, 3], 2, 1), Err(CrossError::Decreasing(3)));
        assert_eq!(Cross::regular(vec![0], 0, 1), Err(CrossError::ZeroPeriod));
        assert!(matches!(Cross::regular(vec![0], 2, 1), Err(CrossError::Short { .. })));
        assert!(matches!(Cross::regular(vec![u64::MAX], 1, 1), Err(CrossError::Large(_))));
        assert_eq!(Cross::all_after(vec![2, 1]), Err(CrossError::Decreasing(2)));
    }
}
