//! Sets of vectors in a numeration system.

use std::sync::Arc;

use num_bigint::BigUint;

use super::relation::{Condition, Relation};
use super::table::{NOWHERE, Table};
use super::{System, subsets};
use crate::run::StopReason;
use crate::vectorset::Effort;

/// A set of vectors of ℕᵈ, as the minimal automaton of their digits in a numeration system: most significant first, all coordinates
/// together, leading zeros as one likes. Equal sets of one system are equal values.
///
/// ```
/// use semilinear::numeration::{Condition, DigitSet, Relation, System};
/// use semilinear::vectorset::Effort;
/// use std::sync::Arc;
/// let effort = Effort::unlimited();
/// let system = Arc::new(System::fibonacci());
/// let full = DigitSet::full(&system, 1, &effort)?;
/// let some = DigitSet::finite(&system, &[vec![3_u32.into()], vec![40_u32.into()]], 1, &effort)?;
/// // The numbers without an element of the set below them: 0, 1, 2, 3.
/// let below = Relation::new(&system, 1, &[Condition::Lower(0)], &effort)?;
/// let first = full.unrelated(&below, &some, &effort)?;
/// assert_eq!(first.count(&[1000_u32.into()]), 4_u32.into());
/// assert_eq!(first.complement(&effort)?.union(&first, &effort)?, full);
/// # Ok::<(), semilinear::run::StopReason>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DigitSet {
    pub(super) system: Arc<System>,
    pub(super) dimension: usize,
    pub(super) table: Table,
}

impl DigitSet {
    /// All of ℕᵈ.
    pub fn full(system: &Arc<System>, dimension: usize, effort: &Effort<'_>) -> Result<Self, StopReason> {
        let base = system.base();
        let valid = system.valid();
        let table = Table::explore(
            letters(base, dimension),
            vec![0_u32; dimension],
            effort,
            |state, letter| {
                let target: Vec<u32> =
                    state.iter().enumerate().map(|(i, &s)| valid.step(s, digit(base, dimension, letter, i))).collect();
                (!target.contains(&NOWHERE)).then_some(target)
            },
            |state| state.iter().all(|&s| valid.accepts(s)),
        )?;
        Ok(Self { system: system.clone(), dimension, table })
    }

    /// The set of these vectors.
    pub fn finite(
        system: &Arc<System>,
        points: &[Vec<BigUint>],
        dimension: usize,
        effort: &Effort<'_>,
    ) -> Result<Self, StopReason> {
        let letters = letters(system.base(), dimension);
        let mut next: Vec<u32> = vec![NOWHERE; letters];
        next[0] = 0;
        let mut accepting = vec![false];
        for point in points {
            let mut state = 0;
            for letter in word(system, point) {
                let slot = state * letters + letter;
                if next[slot] == NOWHERE {
                    effort.allow(accepting.len() + 1)?;
                    next[slot] = crate::vectorset::id(accepting.len());
                    accepting.push(false);
                    next.resize(next.len() + letters, NOWHERE);
                }
                state = next[slot] as usize;
            }
            accepting[state] = true;
        }
        let table = Table { letters, next, accepting }.canonical(effort)?;
        Ok(Self { system: system.clone(), dimension, table })
    }

    /// A set from a table of transitions (`NOWHERE` where there is none) and accepting states; the message says what is wrong with it.
    /// Strings that are not valid are taken out.
    pub fn from_table(
        system: &Arc<System>,
        dimension: usize,
        next: &[u32],
        accepting: &[u32],
        effort: &Effort<'_>,
    ) -> Result<Result<Self, String>, StopReason> {
        let letters = letters(system.base(), dimension);
        let states = next.len() / letters;
        if states == 0 || !next.len().is_multiple_of(letters) {
            return Ok(Err(format!("the number of transitions is not a positive multiple of {letters}")));
        }
        let known = |s: u32| (s as usize) < states;
        if next.iter().any(|&s| s != NOWHERE && !known(s)) || !accepting.iter().all(|&s| known(s)) {
            return Ok(Err(format!("a state is not below {states}")));
        }
        let mut accepts = vec![false; states];
        for &s in accepting {
            accepts[s as usize] = true;
        }
        let table = Table { letters, next: next.to_vec(), accepting: accepts };
        let full = Self::full(system, dimension, effort)?;
        let found = full.combined(&Self { table, ..full.clone() }, |a, b| a && b, effort)?;
        let first = found.table.step(0, 0);
        if !(first == 0 || found.is_empty()) {
            return Ok(Err("leading zeros change what is accepted".into()));
        }
        Ok(Ok(found))
    }

    /// The numeration system.
    pub fn system(&self) -> &Arc<System> {
        &self.system
    }

    /// The number of coordinates.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The number of states.
    pub fn states(&self) -> usize {
        self.table.states()
    }

    /// The automaton. A letter is the number whose digits, in the system's base, are those of the coordinates, the first coordinate's first.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Whether the set has no element.
    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    /// Whether a vector of any size lies in the set.
    ///
    /// # Complexity
    /// O(digits) steps, after the digits are found.
    pub fn contains(&self, x: &[BigUint]) -> bool {
        assert_eq!(x.len(), self.dimension, "a vector of the right dimension");
        let state = word(&self.system, x).into_iter().fold(0, |state, letter| self.table.step(state, letter));
        self.table.accepts(state)
    }

    /// [`DigitSet::contains`] for machine-sized coordinates.
    pub fn contains_small(&self, x: &[u64]) -> bool {
        assert_eq!(x.len(), self.dimension, "a vector of the right dimension");
        let weights = self.system.machine_weights();
        let largest = x.iter().copied().max().unwrap_or(0);
        let length = weights.partition_point(|&w| w <= largest);
        if length == weights.len() {
            let x: Vec<BigUint> = x.iter().map(|&x| x.into()).collect();
            return self.contains(&x);
        }
        let mut rest = x.to_vec();
        let mut state = 0;
        for weight in weights[..length].iter().rev() {
            let letter = rest.iter_mut().fold(0, |letter, rest| {
                let digit = *rest / weight;
                *rest -= digit * weight;
                letter * self.system.base() + usize::try_from(digit).unwrap_or(0)
            });
            state = self.table.step(state, letter);
        }
        self.table.accepts(state)
    }

    /// The elements of both sets.
    pub fn intersection(&self, other: &Self, effort: &Effort<'_>) -> Result<Self, StopReason> {
        self.combined(other, |a, b| a && b, effort)
    }

    /// The elements of either set.
    pub fn union(&self, other: &Self, effort: &Effort<'_>) -> Result<Self, StopReason> {
        self.combined(other, |a, b| a || b, effort)
    }

    /// The elements of this set that are not in the other.
    pub fn difference(&self, other: &Self, effort: &Effort<'_>) -> Result<Self, StopReason> {
        self.combined(other, |a, b| a && !b, effort)
    }

    /// The vectors of ℕᵈ that are not in the set.
    pub fn complement(&self, effort: &Effort<'_>) -> Result<Self, StopReason> {
        Self::full(&self.system, self.dimension, effort)?.difference(self, effort)
    }

    /// The vectors x for which `keep(x ∈ self, x ∈ other)`; `keep(false, false)` must be false.
    fn combined(
        &self,
        other: &Self,
        keep: impl Fn(bool, bool) -> bool,
        effort: &Effort<'_>,
    ) -> Result<Self, StopReason> {
        assert!(self.system == other.system && self.dimension == other.dimension, "sets of one system and dimension");
        let (a, b) = (&self.table, &other.table);
        let (one, two) = (keep(true, false), keep(false, true));
        let table = Table::explore(
            a.letters(),
            (0, 0),
            effort,
            |&(s, t), letter| {
                let target = (a.step(s, letter), b.step(t, letter));
                let hopeless = (target.0 == NOWHERE && !two) || (target.1 == NOWHERE && !one);
                (!hopeless && target != (NOWHERE, NOWHERE)).then_some(target)
            },
            |&(s, t)| keep(a.accepts(s), b.accepts(t)),
        )?;
        Ok(Self { table, ..self.clone() })
    }

    /// The elements x of this set without any x′ in `other` that is related to x.
    pub fn unrelated(&self, relation: &Relation, other: &Self, effort: &Effort<'_>) -> Result<Self, StopReason> {
        let table = subsets::unrelated(&self.table, relation, &other.table, effort)?;
        Ok(Self { table, ..self.clone() })
    }

    /// An x of this set and an x′ of `other` that are related, if there are any.
    pub fn related(
        &self,
        relation: &Relation,
        other: &Self,
        effort: &Effort<'_>,
    ) -> Result<Option<Vec<BigUint>>, StopReason> {
        let found = subsets::related(&self.table, relation, &other.table, effort)?;
        Ok(found.map(|word| self.vector(&word)))
    }

    /// The elements x′ of this set that are related to one vector x, at most `most` of them, and whether these are all. No x′ may be
    /// longer than x.
    pub fn related_to(&self, relation: &Relation, x: &[BigUint], most: usize) -> (Vec<Vec<BigUint>>, bool) {
        self.related_within(relation, x, 0, most)
    }

    /// [`DigitSet::related_to`] for the elements x′ with at most `extra` digits more than x.
    ///
    /// ```
    /// use semilinear::numeration::{Condition, DigitSet, Relation, System};
    /// use semilinear::vectorset::Effort;
    /// use std::sync::Arc;
    /// let (effort, system) = (Effort::unlimited(), Arc::new(System::fibonacci()));
    /// let some = DigitSet::finite(&system, &[vec![3_u32.into(), 400_u32.into()]], 2, &effort)?;
    /// let row = Relation::new(&system, 2, &[Condition::Same(0)], &effort)?;
    /// let (found, all) = some.related_within(&row, &[3_u32.into(), 0_u32.into()], 20, 5);
    /// assert_eq!((found, all), (vec![vec![3_u32.into(), 400_u32.into()]], true));
    /// # Ok::<(), semilinear::run::StopReason>(())
    /// ```
    pub fn related_within(
        &self,
        relation: &Relation,
        x: &[BigUint],
        extra: usize,
        most: usize,
    ) -> (Vec<Vec<BigUint>>, bool) {
        let mut word = word(&self.system, x);
        word.splice(0..0, std::iter::repeat_n(0, extra));
        let (words, all) = subsets::related_to(relation, &self.table, &word, most);
        (words.iter().map(|word| self.vector(word)).collect(), all)
    }

    /// {r ∈ ℕᵈ : r + p ∈ self}.
    pub fn shifted(&self, p: &[i64], effort: &Effort<'_>) -> Result<Self, StopReason> {
        let unit = |i: usize, value: i64| (0..p.len()).map(|j| if i == j { value } else { 0 }).collect::<Vec<i64>>();
        let conditions: Vec<Condition> =
            (0..p.len()).map(|i| Condition::Linear(unit(i, -1), unit(i, 1), p[i])).collect();
        let relation = Relation::new(&self.system, self.dimension, &conditions, effort)?;
        let full = Self::full(&self.system, self.dimension, effort)?;
        full.difference(&full.unrelated(&relation, self, effort)?, effort)
    }

    /// An element of the set with as few digits as possible.
    pub fn least(&self) -> Option<Vec<BigUint>> {
        // Breadth first: the numbering of a canonical table is breadth first already.
        let n = self.states();
        let mut from: Vec<(u32, usize)> = vec![(NOWHERE, 0); n];
        let mut order = vec![0_u32];
        let mut seen = vec![false; n];
        seen[0] = true;
        let mut at = 0;
        while at < order.len() {
            let state = order[at];
            if self.table.accepts(state) {
                let mut word = Vec::new();
                let mut back = state;
                while from[back as usize].0 != NOWHERE {
                    word.push(from[back as usize].1);
                    back = from[back as usize].0;
                }
                word.reverse();
                return Some(self.vector(&word));
            }
            for letter in 0..self.table.letters() {
                let t = self.table.step(state, letter);
                if t != NOWHERE && !seen[t as usize] {
                    seen[t as usize] = true;
                    from[t as usize] = (state, letter);
                    order.push(t);
                }
            }
            at += 1;
        }
        None
    }

    /// The vector of a word.
    pub(super) fn vector(&self, word: &[usize]) -> Vec<BigUint> {
        let base = self.system.base();
        (0..self.dimension)
            .map(|i| {
                let digits: Vec<u8> = word
                    .iter()
                    .map(|&l| u8::try_from(digit(base, self.dimension, l, i)).expect("digits are small"))
                    .collect();
                self.system.value(&digits)
            })
            .collect()
    }
}

/// bᵈ.
pub(super) fn letters(base: usize, dimension: usize) -> usize {
    base.pow(u32::try_from(dimension).expect("few coordinates"))
}

/// The digit of coordinate i in a letter.
pub(super) fn digit(base: usize, dimension: usize, letter: usize, i: usize) -> usize {
    (letter / letters(base, dimension - 1 - i)) % base
}

/// The word of a vector, without leading zeros.
pub(super) fn word(system: &System, x: &[BigUint]) -> Vec<usize> {
    let digits: Vec<Vec<u8>> = x.iter().map(|x| system.digits(x)).collect();
    let length = digits.iter().map(Vec::len).max().unwrap_or(0);
    (0..length)
        .map(|at| {
            digits.iter().fold(0, |letter, d| {
                let digit = (at + d.len()).checked_sub(length).map_or(0, |i| d[i]);
                letter * system.base() + usize::from(digit)
            })
        })
        .collect()
}
