//! Numeration systems, and the moves of a game as relations between digits.

use super::table::{Table, number};
use super::{SystemText, TableText};
use crate::hash::HashMap;
use crate::meter::Meter;
use crate::sets::NOWHERE;
use crate::{Checked, refuse};

/// Bounds that keep all sums exact in 128 bits.
const LARGEST_COEFFICIENT: i64 = 1000;
const LARGEST_CARRY: i64 = 1 << 40;
/// In place of a carry: whatever follows, the inequality holds.
const DECIDED: i64 = LARGEST_CARRY;
const LARGEST_WEIGHT: i128 = 1 << 62;

/// Weights W with Wₙ₊ₖ = a₁Wₙ₊ₖ₋₁ + … + aₖWₙ, and the automaton of the valid strings of digits.
pub(super) struct System {
    pub(super) recurrence: Vec<i64>,
    /// Those below 2⁶².
    pub(super) weights: Vec<i128>,
    pub(super) base: usize,
    pub(super) valid: Table,
}

impl System {
    pub(super) fn new(file: &SystemText) -> Checked<Self> {
        let place = "certificate.system";
        let (recurrence, initial, base) = (&file.recurrence, &file.initial, file.digits);
        let k = recurrence.len();
        let moderate = recurrence.iter().all(|a| (0..=LARGEST_COEFFICIENT).contains(a))
            && initial.iter().all(|w| (1..=LARGEST_COEFFICIENT).contains(w));
        if !moderate
            || !(1..=6).contains(&k)
            || initial.len() != k
            || initial[0] != 1
            || recurrence.iter().sum::<i64>() < 2
        {
            return refuse(format!(
                "{place}: not between 1 and 6 coefficients up to {LARGEST_COEFFICIENT} with a sum of 2 or more, and as many first weights, the \
                 first of them 1"
            ));
        }
        let mut weights: Vec<i128> = initial.iter().map(|&w| w.into()).collect();
        loop {
            let n = weights.len();
            let next: i128 = recurrence.iter().enumerate().map(|(i, &a)| i128::from(a) * weights[n - 1 - i]).sum();
            if next >= LARGEST_WEIGHT {
                break;
            }
            weights.push(next);
            refuse_if!(weights.len() > 200, "{place}: the weights do not grow");
        }
        refuse_if!(!(2..=10).contains(&base), "{place}.digits: not between 2 and 10");
        let valid = Self::counted(&file.valid, base, recurrence, &weights)?;
        Ok(Self { recurrence: recurrence.clone(), weights, base, valid })
    }

    /// Theorem 1: leading zeros change nothing, and wherever a digit may follow, each smaller digit is followed by exactly Wₘ valid strings of
    /// every length m. Both numbers satisfy a recurrence of order states + k in m, so that so many lengths decide.
    fn counted(file: &TableText, base: usize, recurrence: &[i64], weights: &[i128]) -> Checked<Table> {
        let place = "certificate.system.valid";
        let valid = Table::new(place, file, base)?;
        let n = valid.accepting.len();
        refuse_if!(n > 24 || weights.len() < n + recurrence.len(), "{place}: too many states");
        if valid.next[0] != 0 || valid.next[1] == NOWHERE {
            return refuse(format!("{place}: the first state has no 0 to itself, or no 1"));
        }
        let mut count: Vec<i128> = valid.accepting.iter().map(|&a| i128::from(a)).collect();
        let mut full = vec![true; n];
        for &weight in &weights[..n + recurrence.len()] {
            for (full, count) in full.iter_mut().zip(&count) {
                *full &= *count == weight;
            }
            // At most 10 · 10²⁹ strings.
            count = (0..n)
                .map(|s| valid.row(s).iter().filter(|&&t| t != NOWHERE).map(|&t| count[t as usize]).sum())
                .collect();
        }
        let sound = (0..n).all(|s| {
            let row = valid.row(s);
            let last = row.iter().rposition(|&t| t != NOWHERE).unwrap_or(0);
            row[..last].iter().all(|&t| t != NOWHERE && full[t as usize])
        });
        if sound { Ok(valid) } else { refuse(format!("{place}: the valid strings are not counted by the weights")) }
    }

    pub(super) fn digit(&self, dimension: usize, letter: usize, i: usize) -> usize {
        (0..dimension - 1 - i).fold(letter, |letter, _| letter / self.base) % self.base
    }

    /// The vector of a word, as large as 128 bits hold.
    pub(super) fn vector(&self, word: &[usize], dimension: usize) -> Vec<i128> {
        let mut weights: Vec<i128> = self.weights.clone();
        while weights.len() < word.len() {
            let n = weights.len();
            let terms = self.recurrence.iter().enumerate();
            weights.push(
                terms.fold(0_i128, |sum, (i, &a)| sum.saturating_add(weights[n - 1 - i].saturating_mul(a.into()))),
            );
        }
        let value = |i: usize| {
            word.iter().rev().zip(&weights).fold(0_i128, |sum, (&letter, w)| {
                let digit = i128::try_from(self.digit(dimension, letter, i)).unwrap_or(i128::MAX);
                sum.saturating_add(w.saturating_mul(digit))
            })
        };
        (0..dimension).map(value).collect()
    }
}

/// A condition on x and x′, read digit by digit.
pub(super) enum Part {
    /// x′ᵢ = xᵢ.
    Same(usize),
    /// x′ᵢ < xᵢ, or x′ᵢ ≤ xᵢ.
    Lower(usize, bool),
    /// a·(x − x′) = c.
    Form(Vec<i64>, i64),
    /// a·(x − x′) + c ≥ 0.
    AtLeast(Vec<i64>, i64),
    /// m divides xᵢ − x′ᵢ.
    Multiple(usize, i64),
}

/// All pairs (x, x′) that satisfy some conditions: for every state and letter of x the letters of x′ and where they lead.
pub(super) struct Relation {
    pub(super) next: Vec<Vec<(u32, u32)>>,
    pub(super) accepting: Vec<bool>,
}

impl Relation {
    pub(super) fn new(system: &System, dimension: usize, parts: &[Part], meter: &Meter<'_>) -> Checked<Self> {
        let k = system.recurrence.len();
        let letters = (0..dimension).fold(1, |all, _| all * system.base);
        let width = |part: &Part| match part {
            Part::Same(_) => 0,
            Part::Lower(..) => 1,
            Part::Form(..) | Part::AtLeast(..) | Part::Multiple(..) => k,
        };
        let start: Vec<i64> = vec![0; parts.iter().map(width).sum()];
        let mut held = meter.hold(0)?;
        let mut ids: HashMap<Vec<i64>, u32> = HashMap::from_iter([(start.clone(), 0)]);
        let mut known: HashMap<(usize, Vec<i64>), i128> = HashMap::default();
        let mut states = vec![start];
        let mut next = Vec::new();
        let mut at = 0;
        while at < states.len() {
            meter.steps(letters * letters * (1 + parts.len()))?;
            let state = states[at].clone();
            for a in 0..letters {
                let mut targets = Vec::new();
                'other: for b in 0..letters {
                    let difference = |i: usize| {
                        let digit = |letter| i64::try_from(system.digit(dimension, letter, i)).unwrap_or(i64::MAX);
                        digit(a) - digit(b)
                    };
                    let mut target: Vec<i64> = Vec::with_capacity(state.len());
                    let mut from = 0;
                    for (p, part) in parts.iter().enumerate() {
                        let old = &state[from..from + width(part)];
                        from += width(part);
                        match part {
                            Part::Same(i) => {
                                if difference(*i) != 0 {
                                    continue 'other;
                                }
                            }
                            // Valid strings are ordered as their numbers are: the first different digit decides.
                            Part::Lower(i, _) => {
                                if old[0] == 0 && difference(*i) < 0 {
                                    continue 'other;
                                }
                                target.push(i64::from(old[0] == 1 || difference(*i) > 0));
                            }
                            Part::AtLeast(..) if old[0] == DECIDED => target.extend(old),
                            Part::Form(form, c) | Part::AtLeast(form, c) => {
                                let e = form.iter().enumerate().map(|(i, a)| a * difference(i)).sum();
                                let v = carried(system, old, e)?;
                                let key = (p, v);
                                let side = if let Some(&side) = known.get(&key) {
                                    side
                                } else {
                                    meter.steps(200)?;
                                    let side = side(system, &key.1, form, *c);
                                    held.grow(128 + 8 * k as u64)?;
                                    known.insert(key.clone(), side);
                                    side
                                };
                                match (part, side) {
                                    (_, 0) => target.extend(&key.1),
                                    (Part::AtLeast(..), 1) => target.extend(vec![DECIDED; k]),
                                    _ => continue 'other,
                                }
                            }
                            Part::Multiple(i, m) => {
                                target.extend(carried(system, old, difference(*i))?.iter().map(|v| v.rem_euclid(*m)));
                            }
                        }
                    }
                    let id = if let Some(&id) = ids.get(&target) {
                        id
                    } else {
                        let id = number(states.len())?;
                        held.grow(64 + 24 * letters as u64 + 32 * target.len() as u64)?;
                        states.push(target.clone());
                        ids.insert(target, id);
                        id
                    };
                    held.grow(16)?;
                    targets.push((number(b)?, id));
                }
                next.push(targets);
            }
            at += 1;
        }
        let value = |v: &[i64]| v.iter().zip(&system.weights).map(|(&v, w)| i128::from(v) * w).sum::<i128>();
        let accepts = |state: &Vec<i64>| {
            let mut from = 0;
            parts.iter().all(|part| {
                let old = &state[from..from + width(part)];
                from += width(part);
                match part {
                    Part::Same(_) => true,
                    Part::Lower(_, strictly) => old[0] == 1 || !strictly,
                    Part::Form(_, c) => value(old) == i128::from(*c),
                    Part::AtLeast(_, c) => old[0] == DECIDED || value(old) + i128::from(*c) >= 0,
                    Part::Multiple(_, m) => value(old) % i128::from(*m) == 0,
                }
            })
        };
        let accepting = states.iter().map(accepts).collect();
        Ok(Self { next, accepting })
    }
}

/// If Σ vᵢWₙ₊ᵢ (i from 0) is the form of the digits so far when n digits follow, this is the same after one more letter, whose digits have the form e.
pub(super) fn carried(system: &System, v: &[i64], e: i64) -> Checked<Vec<i64>> {
    let k = v.len();
    let top = v[k - 1];
    (0..k)
        .map(|i| {
            let lower = if i == 0 { e } else { v[i - 1] };
            // Entries are below 2⁴⁰ and coefficients at most 1000.
            let sum = lower + system.recurrence[k - 1 - i] * top;
            if sum.abs() < LARGEST_CARRY {
                Ok(sum)
            } else {
                refuse("certificate.system: the carries of a linear form grow without bound")
            }
        })
        .collect()
}

/// Lemma 2: the sign of Σ vᵢWₙ₊ᵢ if its absolute value exceeds what n more letters can change, and |c|, for every n ≥ 0; else 0. With s(n) = W₀ + … + Wₙ₋₁ and A the largest form of
/// a letter, z(n) = ±Σ vᵢWₙ₊ᵢ − A·s(n) satisfies z(n+k) = Σ aᵢz(n+k−i) − A·e with a constant e; once k neighbours exceed both A·e/(Σaᵢ − 1) and |c|, all later ones do.
pub(super) fn side(system: &System, v: &[i64], form: &[i64], c: i64) -> i128 {
    let k = v.len();
    let w = &system.weights;
    let digit = i128::try_from(system.base - 1).unwrap_or(i128::MAX);
    let most = form.iter().map(|&a| i128::from(a).abs() * digit).sum::<i128>();
    let s = |n: usize| w[..n].iter().sum::<i128>();
    let e = s(k) - (1..=k).map(|i| i128::from(system.recurrence[i - 1]) * s(k - i)).sum::<i128>();
    let growth = system.recurrence.iter().map(|&a| i128::from(a)).sum::<i128>() - 1;
    let c = i128::from(c).abs();
    let exceeds = |sign: &i128| {
        let (mut sum, mut run) = (0_i128, 0);
        for n in 0..(w.len() - k).min(40) {
            let value: i128 = v.iter().zip(&w[n..]).map(|(&v, w)| i128::from(v) * w).sum();
            let z = sign * value - most * sum;
            if z <= c {
                return false;
            }
            run = if z * growth > (most * e).max(c * growth) { run + 1 } else { 0 };
            if run == k {
                return true;
            }
            sum += w[n];
        }
        false
    };
    [1, -1].into_iter().find(exceeds).unwrap_or(0)
}
