//! How fast the number of residuals grows with the digits: whether there is regularity in sight.

use rustc_hash::FxHashSet;

use super::table::Oracle;
use semilinear::run::Monitor;

/// New residuals found with each digit, as far as the known region shows them.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Growth {
    /// For j = 0, 1, …: how many sets {q : w + 2ʲq ∈ P}, looked at for small q, appear with j digits and not before.
    pub new: Vec<usize>,
}

/// What the growth says about going on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outlook {
    /// The number of new residuals multiplies with every digit seen so far.
    NoRegularityInSight,
    /// New residuals become rarer with more digits: a larger region may show them all.
    MoreTimeMightDo,
}

impl Growth {
    /// Counts residuals by their values at all q with small coordinate sum.
    pub(super) fn measure(
        dimension: usize,
        oracle: &dyn Oracle,
        weights: &[i64],
        level: i64,
        monitor: &dyn Monitor,
    ) -> Self {
        let mut suffixes = Vec::new();
        let heaviest = weights.iter().max().copied().unwrap_or(1);
        let reach = |width: i64, j: u32| {
            let side = 1i64 << j;
            weights.iter().sum::<i64>().saturating_mul(side - 1).saturating_add(heaviest * width * side)
        };
        // Enough suffixes that the keys are not exhausted (2^15 keys at least), few enough to be seen in the region.
        let width = match dimension {
            1 => 40,
            2 => 6,
            3 => [6, 5, 4].into_iter().find(|&width| reach(width, 4) <= level).unwrap_or(3),
            _ => 2,
        };
        super::table::simplex(dimension, width, &mut vec![], &mut suffixes);
        let mut seen: FxHashSet<Vec<u8>> = FxHashSet::default();
        let mut growth = Self::default();
        for j in 0u32.. {
            let points = 1usize.checked_shl(j * u32::try_from(dimension).unwrap_or(64)).unwrap_or(usize::MAX);
            let side = 1i64 << j;
            if points > 1 << 18 || reach(width, j) > level || monitor.check(u64::from(j), None).is_err() {
                break;
            }
            let mut new = 0;
            let (mut y, mut key) = (vec![0i64; dimension], Vec::with_capacity(suffixes.len()));
            for n in 0..points {
                key.clear();
                for q in &suffixes {
                    for (i, (y, q)) in y.iter_mut().zip(q).enumerate() {
                        *y = (i64::try_from(n >> (i * j as usize)).unwrap_or(0) & (side - 1)) + (q << j);
                    }
                    match oracle.label(&y) {
                        Some(label) => key.push(label),
                        None => break,
                    }
                }
                if key.len() == suffixes.len() && !seen.contains(&key) {
                    seen.insert(key.clone());
                    new += 1;
                }
            }
            growth.new.push(new);
        }
        growth
    }

    /// The ratio test on the last digits.
    pub fn outlook(&self) -> Outlook {
        match self.new.as_slice() {
            [.., a, b, c] if *c > *b && *b > *a && *c >= 2 * *b => Outlook::NoRegularityInSight,
            _ => Outlook::MoreTimeMightDo,
        }
    }

    /// In words, with the numbers.
    pub fn in_words(&self) -> String {
        let numbers: Vec<String> = self.new.iter().map(ToString::to_string).collect();
        let verdict = match self.outlook() {
            Outlook::NoRegularityInSight => {
                "they multiply with every digit: no regularity in sight, more time is not likely to help"
            }
            Outlook::MoreTimeMightDo => "they do not multiply with every digit: more time or memory might do",
        };
        format!("new residuals with each digit: {}; {verdict}", numbers.join(", "))
    }
}
