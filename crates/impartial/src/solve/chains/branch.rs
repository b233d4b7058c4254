//! One function f_{B,j} as finite data.

use num_bigint::BigUint;
use num_traits::ToPrimitive as _;

use crate::poset::chains::Cross;

/// Stands for "f is not defined here".
pub const NONE: u32 = u32::MAX;

/// f_{B,j}: a list of values, the last `period` of which repeat for ever (f(m + p) = f(m) + p);
/// with period 0 the function is defined nowhere beyond the list.
///
/// ```
/// use impartial::solve::chains::Branch;
/// let f = Branch { first: 2, values: vec![4, 2, 5], period: 1 };
/// assert_eq!((f.at(3), f.at(4), f.at(10)), (Some(2), Some(5), Some(11)));
/// assert_eq!((f.inverse(2), f.inverse(9), f.inverse(3)), (Some(3), Some(8), None));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Branch {
    /// The m of the first value.
    pub first: u32,
    /// f(first), f(first + 1), …; [`NONE`] where f is not defined.
    pub values: Vec<u32>,
    /// The period, or 0.
    pub period: u32,
}

impl Branch {
    /// The m after the last value of the list.
    pub fn end(&self) -> u32 {
        self.first + u32::try_from(self.values.len()).expect("columns are counted by u32")
    }

    /// The least m from which the period holds (for period 0: from which f is not defined).
    pub fn preperiod(&self) -> u32 {
        self.end() - self.period
    }

    /// f(m).
    pub fn at(&self, m: u32) -> Option<u32> {
        let index = m.checked_sub(self.first)? as usize;
        if let Some(&n) = self.values.get(index) {
            return (n != NONE).then_some(n);
        }
        if self.period == 0 {
            return None;
        }
        let turns = (m - self.end()) / self.period + 1;
        let n = self.values[index - (turns * self.period) as usize];
        (n != NONE).then(|| n + turns * self.period)
    }

    /// f(m) for m of any size, in time O(log m).
    pub fn at_big(&self, m: &BigUint) -> Option<BigUint> {
        if let Some(small) = m.to_u32().filter(|&m| m < self.end()) {
            return self.at(small).map(BigUint::from);
        }
        if self.period == 0 {
            return None;
        }
        let turns = (m - self.end()) / self.period + 1u32;
        let shift = turns * self.period;
        let small = (m - &shift).to_u32().expect("within the list");
        self.at(small).map(|n| n + shift)
    }

    /// The m with f(m) = n (there is at most one: f is injective).
    pub fn inverse(&self, n: u32) -> Option<u32> {
        self.inverse_big(&n.into()).and_then(|m| m.to_u32())
    }

    /// The m with f(m) = n, for n of any size.
    pub fn inverse_big(&self, n: &BigUint) -> Option<BigUint> {
        if let Some(small) = n.to_u32().filter(|&n| n != NONE)
            && let Some(i) = self.values.iter().position(|&v| v == small)
        {
            return Some(BigUint::from(self.first) + i);
        }
        let p = self.period;
        let from = self.values.len() - p as usize;
        (from..self.values.len()).find_map(|i| {
            let v = self.values[i];
            let reached = v != NONE && *n > BigUint::from(v) && ((n - v) % p).to_u32() == Some(0);
            reached.then(|| n - v + self.first + i)
        })
    }

    /// The last pair (m, f(m)) when c_{m+1} > d_{f(m)+1}: this position is an option of (B, i, n) for
    /// all i > m, so that f is defined nowhere beyond m.
    pub fn closing(&self, cross: &Cross) -> Option<(u32, u32)> {
        let &n = self.values.last().filter(|&&n| self.period == 0 && n != NONE)?;
        let m = self.end() - 1;
        cross.at(u64::from(m) + 1).is_none_or(|below| u64::from(n) < below).then_some((m, n))
    }

    /// Calls `visit(m, f(m))` for the m in `from..to` where f is defined.
    pub(super) fn visit(&self, from: u32, to: u32, mut visit: impl FnMut(u32, u32)) {
        let start = from.max(self.first);
        let listed = to.min(self.end());
        if start < listed {
            let range = (start - self.first) as usize..(listed - self.first) as usize;
            for (m, &n) in (start..).zip(&self.values[range]) {
                if n != NONE {
                    visit(m, n);
                }
            }
        }
        let start = start.max(self.end());
        if self.period == 0 || start >= to {
            return;
        }
        let cycle = &self.values[self.values.len() - self.period as usize..];
        let mut at = ((start - self.end()) % self.period) as usize;
        let mut shift = ((start - self.end()) / self.period + 1) * self.period;
        for m in start..to {
            if cycle[at] != NONE {
                visit(m, cycle[at] + shift);
            }
            at += 1;
            if at == cycle.len() {
                at = 0;
                shift += self.period;
            }
        }
    }

    /// A function of this list, without the undefined values at its end.
    pub(super) fn finite(first: u32, mut values: Vec<u32>) -> Self {
        while values.last() == Some(&NONE) {
            values.pop();
        }
        Self { first, values, period: 0 }
    }

    /// A function of this list, periodic from `start` (an m) to the end of the list, brought to the
    /// least period and the least preperiod.
    pub(super) fn periodic(first: u32, mut values: Vec<u32>, start: u32) -> Self {
        let start = (start - first) as usize;
        // f(m) − m + a constant, so that it is never negative.
        let shift = values.len() as u64;
        let offset = |i: usize| (values[i] != NONE).then(|| u64::from(values[i]) + shift - i as u64);
        let cycle: Vec<Option<u64>> = (start..values.len()).map(offset).collect();
        let whole = cycle.len();
        if cycle.iter().all(Option::is_none) {
            return Self::finite(first, values);
        }
        let period = (1..=whole)
            .find(|&p| whole.is_multiple_of(p) && (0..whole).all(|i| cycle[i] == cycle[(i + p) % whole]))
            .expect("the whole cycle is a period");
        let mut from = start;
        while from > 0 && offset(from - 1) == offset(from - 1 + period) {
            from -= 1;
        }
        values.truncate(from + period);
        Self { first, values, period: u32::try_from(period).expect("columns are counted by u32") }
    }
}
