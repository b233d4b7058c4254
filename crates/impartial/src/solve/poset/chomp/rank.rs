//! Diagrams in a box, numbered: the combinatorial number system.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::solve::threads;
use semilinear::run::{Monitor, StopReason};

/// Numbers the sequences λ₁ ≥ … ≥ λ_k ≥ 0 with λ_t ≤ bounds_t in lexicographic order, zeros included: each
/// row adds the number of sequences that agree before it and have a shorter row there. In a box with n
/// columns that is the combinatorial number system, Σ C(λᵢ + k − i, k − i + 1).
///
/// A bite at row i, column j (from 0) sets the rows i ≤ t < e that are longer than j to j, so its number
/// is a sum of three pieces that are known for all bites at once: rows before i, rows of length j, rows
/// from e on.
#[derive(Clone, Debug)]
pub(super) struct Ranking {
    bounds: Vec<usize>,
    /// `weight[t * (columns + 1) + x]`: what a row t of length x adds.
    weight: Vec<usize>,
    /// `equal[x * (rows + 1) + t]`: what rows 0..t, all of length x, add.
    equal: Vec<usize>,
    size: usize,
}

impl Ranking {
    /// The ranking for non-increasing bounds, or `None` when there are more sequences than `limit`.
    pub fn new(bounds: &[usize], limit: usize) -> Option<Self> {
        let (rows, columns) = (bounds.len(), bounds.first().copied().unwrap_or(0));
        if (rows + 1).checked_mul(columns + 1)? > limit.max(1 << 20) {
            return None;
        }
        let mut weight = vec![0_usize; rows * (columns + 1)];
        // from[y]: the number of sequences for the rows after t whose first row is at most y.
        let mut from = vec![1_usize; columns + 1];
        for t in (0..rows).rev() {
            let mut sum = 0_usize;
            let mut shorter = vec![0; columns + 1];
            for x in 0..=columns {
                weight[t * (columns + 1) + x] = sum;
                if x <= bounds[t] {
                    sum = sum.checked_add(from[x])?;
                    if sum > limit {
                        return None;
                    }
                }
                shorter[x] = sum;
            }
            from = shorter;
        }
        let mut equal = Vec::with_capacity((columns + 1) * (rows + 1));
        for x in 0..=columns {
            let mut sum = 0;
            equal.push(0);
            for t in 0..rows {
                sum += weight[t * (columns + 1) + x];
                equal.push(sum);
            }
        }
        Some(Self { bounds: bounds.to_vec(), weight, equal, size: from[columns] })
    }

    /// The number of sequences.
    pub fn size(&self) -> usize {
        self.size
    }

    pub fn rows(&self) -> usize {
        self.bounds.len()
    }

    pub fn columns(&self) -> usize {
        self.bounds.first().copied().unwrap_or(0)
    }

    /// The longest possible rows.
    pub fn bounds(&self) -> &[usize] {
        &self.bounds
    }

    #[inline]
    pub fn weight(&self, t: usize, x: usize) -> usize {
        self.weight[t * (self.bounds[0] + 1) + x]
    }

    /// `[Σ_{s<t} weight(s, x) for t = 0..=rows]`.
    #[inline]
    pub fn equal(&self, x: usize) -> &[usize] {
        &self.equal[x * (self.rows() + 1)..(x + 1) * (self.rows() + 1)]
    }

    /// The sequence with a number below [`size`](Self::size).
    pub fn sequence(&self, mut number: usize, sequence: &mut [usize]) {
        let mut most = self.columns();
        for (t, x) in sequence.iter_mut().enumerate() {
            most = most.min(self.bounds[t]);
            while self.weight(t, most) > number {
                most -= 1;
            }
            number -= self.weight(t, most);
            *x = most;
        }
    }

    /// The number of a sequence; shorter ones are padded with zeros.
    pub fn rank(&self, sequence: &[u64]) -> usize {
        sequence
            .iter()
            .enumerate()
            .filter(|(_, x)| **x > 0)
            .map(|(t, &x)| self.weight(t, usize::try_from(x).expect("inside the box")))
            .sum()
    }
}

/// Calls `visit` for every sequence λ₁ ≥ … ≥ λ_k with λ_t ≤ `bounds[t]`, k = `bounds.len()`, in blocks with
/// the same first rows, so that each sequence comes after every sequence below it, several threads at once. The monitor is
/// asked after `every` so many sequences of a block.
pub(super) fn wavefront(
    bounds: &[usize],
    every: u64,
    monitor: &dyn Monitor,
    visit: &(dyn Fn(Block<'_>) + Sync),
) -> Result<(), StopReason> {
    let (rows, columns) = (bounds.len(), bounds.first().copied().unwrap_or(0));
    // Blocks whose first rows have the same sum do not depend on each other.
    let mut depth = 0;
    while depth < rows.min(5) && count(depth + 1, columns).is_some_and(|blocks| blocks < 30_000) {
        depth += 1;
    }
    let mut levels: Vec<Vec<Vec<usize>>> = Vec::new();
    let mut prefix = vec![0; depth];
    loop {
        let sum: usize = prefix.iter().sum();
        if levels.len() <= sum {
            levels.resize(sum + 1, Vec::new());
        }
        levels[sum].push(prefix.clone());
        if !advance(&mut prefix, bounds, 0) {
            break;
        }
    }
    let total = count(rows, columns).and_then(|total| u64::try_from(total).ok());
    let stop = Mutex::new(None);
    let done = AtomicU64::new(0);
    for level in &levels {
        threads::each(level.iter().collect(), |prefix: &Vec<usize>| {
            if stop.lock().expect("no thread panics with the lock").is_some() {
                return;
            }
            let mut odometer = prefix.clone();
            odometer.resize(rows, 0);
            let tick = |visited: u64| {
                let sum = done.fetch_add(visited, Relaxed) + visited;
                match monitor.tick(sum, total) {
                    ControlFlow::Continue(()) => true,
                    ControlFlow::Break(why) => {
                        stop.lock().expect("no thread panics with the lock").get_or_insert(why);
                        false
                    }
                }
            };
            visit(Block { rows: &mut odometer, fixed: depth, bounds, every, tick: &tick });
        });
        if let Some(why) = stop.lock().expect("no thread panics with the lock").take() {
            return Err(why);
        }
    }
    Ok(())
}

/// The sequences with given first rows, in lexicographic order.
pub(super) struct Block<'a> {
    rows: &'a mut Vec<usize>,
    fixed: usize,
    bounds: &'a [usize],
    every: u64,
    tick: &'a (dyn Fn(u64) -> bool + 'a),
}

impl Block<'_> {
    /// Visits every sequence of the block.
    #[inline]
    pub fn for_each(self, mut visit: impl FnMut(&[usize])) {
        let mut visited = 0_u64;
        loop {
            visit(self.rows);
            visited += 1;
            if visited == self.every {
                if !(self.tick)(visited) {
                    return;
                }
                visited = 0;
            }
            if !advance(self.rows, self.bounds, self.fixed) {
                (self.tick)(visited);
                return;
            }
        }
    }
}

/// The next sequence in lexicographic order with the same first `fixed` rows.
#[inline]
pub(super) fn advance(rows: &mut [usize], bounds: &[usize], fixed: usize) -> bool {
    for t in (fixed..rows.len()).rev() {
        let most = if t == 0 { bounds[0] } else { bounds[t].min(rows[t - 1]) };
        if rows[t] < most {
            rows[t] += 1;
            rows[t + 1..].fill(0);
            return true;
        }
    }
    false
}

/// C(n, k), if it fits.
fn binomial(n: usize, k: usize) -> Option<u128> {
    if k > n {
        return Some(0);
    }
    let k = k.min(n - k);
    let mut result: u128 = 1;
    for i in 0..k {
        // Exact at each step: the product of i + 1 consecutive numbers is divisible by (i + 1)!.
        result = result.checked_mul((n - i) as u128)? / (i as u128 + 1);
    }
    Some(result)
}

/// The number of diagrams (the empty one included) in a box, if it fits.
pub fn count(rows: usize, columns: usize) -> Option<u128> {
    binomial(rows.checked_add(columns)?, rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_the_lexicographic_order() {
        for (rows, columns) in [(1, 5), (3, 4), (4, 3), (5, 2)] {
            let ranking = Ranking::new(&vec![columns; rows], 1 << 20).unwrap();
            let mut sequence = vec![0; rows];
            let mut expected = 0;
            loop {
                let as_u64: Vec<u64> = sequence.iter().map(|&x| x as u64).collect();
                assert_eq!(ranking.rank(&as_u64), expected);
                let mut back = vec![0; rows];
                ranking.sequence(expected, &mut back);
                assert_eq!(back, sequence);
                expected += 1;
                if !advance(&mut sequence, &vec![columns; rows], 0) {
                    break;
                }
            }
            assert_eq!(ranking.size(), expected);
            assert_eq!(count(rows, columns), Some(expected as u128));
        }
        assert!(Ranking::new(&[60; 60], 1 << 30).is_none());
    }
}
