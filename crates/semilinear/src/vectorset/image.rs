//! Finite sets, and images of affine maps: {b + Vλ : λ ∈ ℕᵏ}.

use num_bigint::BigUint;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Effort, VectorSet, builder, id};
use crate::run::StopReason;

impl VectorSet {
    /// A finite set; no vectors at all give ∅.
    ///
    /// # Complexity
    /// O(d · digits) states a vector before minimisation.
    ///
    /// ```
    /// use semilinear::vectorset::{Effort, VectorSet};
    /// let points = VectorSet::finite(2, &[vec![1u8.into(), 5u8.into()]], &Effort::unlimited())?;
    /// assert!(points.contains_small(&[1, 5]) && !points.contains_small(&[5, 1]));
    /// # Ok::<(), semilinear::run::StopReason>(())
    /// ```
    pub fn finite(dimension: usize, vectors: &[Vec<BigUint>], effort: &Effort<'_>) -> Result<Self, StopReason> {
        assert!(vectors.iter().all(|v| v.len() == dimension), "vectors of the set's dimension");
        // A residual is a set of vectors (by number) and a level: which ones agree with the digits so far.
        let all: Vec<u32> = (0..id(vectors.len())).collect();
        let height = |alive: &[u32]| alive.iter().flat_map(|&v| &vectors[v as usize]).map(BigUint::bits).max();
        builder::explore(
            dimension,
            (0u64, all),
            effort,
            |(level, alive), track, bit| {
                let alive: Vec<u32> =
                    alive.iter().copied().filter(|&v| vectors[v as usize][track].bit(*level) == (bit == 1)).collect();
                let level = if track + 1 == dimension { level + 1 } else { *level };
                let level = level.min(height(&alive).unwrap_or(0));
                (level, alive)
            },
            |(level, alive)| alive.iter().any(|&v| vectors[v as usize].iter().all(|xi| xi.bits() <= *level)),
        )
    }

    /// {b + Vλ : λ ∈ ℕᵏ} ∩ ℕᵈ, where V is given by its columns; no columns give {b}.
    ///
    /// # Complexity
    /// Subset construction over the carries c with |cᵢ| ≤ max(|bᵢ|, Σⱼ|Vᵢⱼ|); small when V is independent. Coordinates that no
    /// column joins are taken by themselves: the set is a product.
    ///
    /// ```
    /// use semilinear::vectorset::{Effort, VectorSet};
    /// let effort = Effort::unlimited();
    /// let semigroup = VectorSet::image(&[0], &[vec![3], vec![5]], &effort)?;
    /// assert!(!semigroup.contains_small(&[7]) && semigroup.contains_small(&[8]));
    /// # Ok::<(), semilinear::run::StopReason>(())
    /// ```
    pub fn image(base: &[i64], columns: &[Vec<i64>], effort: &Effort<'_>) -> Result<Self, StopReason> {
        let dimension = base.len();
        assert!(columns.iter().all(|column| column.len() == dimension), "columns of the set's dimension");
        assert!(columns.len() < 24, "at most 23 generators");
        let parts = joined(dimension, columns);
        if parts.len() > 1 {
            let mut product = Self::full(dimension);
            for part in &parts {
                let seen = |x: &[i64]| part.iter().map(|&i| x[i]).collect::<Vec<i64>>();
                let own: Vec<Vec<i64>> =
                    columns.iter().map(|column| seen(column)).filter(|column| column.iter().any(|&x| x != 0)).collect();
                let factor = Self::image(&seen(base), &own, effort)?.cylinder(dimension, part, effort)?;
                product = product.intersection(&factor, effort)?;
            }
            return Ok(product);
        }
        let start: Vec<i128> = base.iter().map(|&b| i128::from(b)).collect();
        let carries = Carries::new(&start, columns, effort)?;
        // States: sets of carries at the block's begin; then, inside a block, sets of (carry after the choice
        // of λ's digits, by number), filtered by the digits of y read so far.
        let begin = (vec![0u32], false);
        builder::explore(
            dimension,
            begin,
            effort,
            |(states, inside), track, bit| {
                let chosen: Vec<u32> = if *inside {
                    states.clone()
                } else {
                    states.iter().flat_map(|&c| carries.choices[c as usize].iter().copied()).collect()
                };
                let mut kept: Vec<u32> =
                    chosen.into_iter().filter(|&m| (carries.digits[m as usize] >> track) & 1 == bit as u64).collect();
                let ends = track + 1 == dimension;
                if ends {
                    for m in &mut kept {
                        *m = carries.after[*m as usize];
                    }
                }
                kept.sort_unstable();
                kept.dedup();
                (kept, !ends)
            },
            |(states, _)| states.iter().any(|&c| carries.reaches_zero[c as usize]),
        )
    }
}

/// The coordinates in groups: two are in one when a chain of columns joins them; those that no column moves are together.
fn joined(dimension: usize, columns: &[Vec<i64>]) -> Vec<Vec<usize>> {
    let still: Vec<usize> = (0..dimension).filter(|&i| columns.iter().all(|column| column[i] == 0)).collect();
    let mut groups: Vec<Vec<usize>> = (0..dimension).filter(|i| !still.contains(i)).map(|i| vec![i]).collect();
    for column in columns {
        let (meeting, others): (Vec<_>, Vec<_>) =
            groups.into_iter().partition(|group| group.iter().any(|&i| column[i] != 0));
        groups = others;
        groups.push(meeting.concat());
    }
    groups.push(still);
    groups.retain(|group| !group.is_empty());
    groups
}

/// All carries c of y = c + Vλ, and what the digits of λ make of them.
struct Carries {
    /// By carry: the middle states c + Vε for all digits ε, by number.
    choices: Vec<Vec<u32>>,
    /// By middle state: the digits of y that it fixes, one bit a coordinate.
    digits: Vec<u64>,
    /// By middle state: the carry of the next block.
    after: Vec<u32>,
    /// By carry: whether 0 = c + Vλ for some λ.
    reaches_zero: Vec<bool>,
}

impl Carries {
    fn new(start: &[i128], columns: &[Vec<i64>], effort: &Effort<'_>) -> Result<Self, StopReason> {
        let mut this = Self { choices: vec![], digits: vec![], after: vec![], reaches_zero: vec![] };
        let mut carry_numbers: FxHashMap<Vec<i128>, u32> = FxHashMap::default();
        let mut middle_numbers: FxHashMap<Vec<i128>, u32> = FxHashMap::default();
        let mut carries = vec![start.to_vec()];
        carry_numbers.insert(start.to_vec(), 0);
        while this.choices.len() < carries.len() {
            effort.allow(carries.len())?;
            let carry = carries[this.choices.len()].clone();
            let mut middles: FxHashSet<Vec<i128>> = FxHashSet::default();
            middles.insert(carry);
            for column in columns {
                let moved: Vec<Vec<i128>> = middles
                    .iter()
                    .map(|middle| middle.iter().zip(column).map(|(m, &v)| m + i128::from(v)).collect())
                    .collect();
                middles.extend(moved);
            }
            let mut choices: Vec<u32> = Vec::with_capacity(middles.len());
            let mut sorted: Vec<Vec<i128>> = middles.into_iter().collect();
            sorted.sort_unstable();
            for middle in sorted {
                if let Some(&number) = middle_numbers.get(&middle) {
                    choices.push(number);
                    continue;
                }
                let number = id(this.digits.len());
                effort.allow(this.digits.len())?;
                let digits = middle.iter().enumerate().fold(0, |d, (i, m)| d | (u64::from(m.rem_euclid(2) == 1) << i));
                let next: Vec<i128> = middle.iter().map(|m| m.div_euclid(2)).collect();
                let after = *carry_numbers.entry(next).or_insert_with_key(|next| {
                    carries.push(next.clone());
                    id(carries.len() - 1)
                });
                this.digits.push(digits);
                this.after.push(after);
                middle_numbers.insert(middle, number);
                choices.push(number);
            }
            this.choices.push(choices);
        }
        this.solve_zero(&carries);
        Ok(this)
    }

    /// Backward from c = 0 (λ = 0 solves it) along blocks whose digits of y are all 0.
    fn solve_zero(&mut self, carries: &[Vec<i128>]) {
        let mut predecessors: Vec<Vec<u32>> = vec![vec![]; carries.len()];
        for (carry, choices) in self.choices.iter().enumerate() {
            for &middle in choices {
                if self.digits[middle as usize] == 0 {
                    predecessors[self.after[middle as usize] as usize].push(id(carry));
                }
            }
        }
        self.reaches_zero = carries.iter().map(|carry| carry.iter().all(|&c| c == 0)).collect();
        let mut queue: Vec<u32> = (0..id(carries.len())).filter(|&c| self.reaches_zero[c as usize]).collect();
        while let Some(carry) = queue.pop() {
            for &before in &predecessors[carry as usize] {
                if !std::mem::replace(&mut self.reaches_zero[before as usize], true) {
                    queue.push(before);
                }
            }
        }
    }
}
