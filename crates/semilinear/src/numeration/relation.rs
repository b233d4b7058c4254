//! Relations between two vectors, read digit by digit side by side: order, equality, linear equations, congruences.
//!
//! A linear form of the digits read so far is Σ vᵢWₙ₊ᵢ for a vector v ∈ ℤᵏ, whatever number n of digits follows: the recurrence carries v from
//! digit to digit. This identity needs no adder. A state is dropped when no digits that follow can bring the form to its constant,
//! by a bound that is exact for every n (`docs/theory/numeration.md`, Lemma 2).

use rustc_hash::FxHashMap;

use super::System;
use crate::run::StopReason;
use crate::vectorset::Effort;

/// How far ahead the bound of a state is looked at.
const HORIZON: usize = 40;

/// A condition on x, x′ ∈ ℕᵈ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// x′ᵢ = xᵢ.
    Same(usize),
    /// x′ᵢ < xᵢ.
    Lower(usize),
    /// x′ᵢ > xᵢ.
    Higher(usize),
    /// x′ᵢ ≤ xᵢ.
    NotHigher(usize),
    /// a·x + a′·x′ ≥ c.
    AtLeast(Vec<i64>, Vec<i64>, i64),
    /// a·x + a′·x′ = c.
    Linear(Vec<i64>, Vec<i64>, i64),
    /// a·x + a′·x′ ≡ 0 modulo m.
    Congruent(Vec<i64>, Vec<i64>, i64),
}

/// A relation between x and x′: a deterministic automaton that reads their digits together.
#[derive(Clone, Debug)]
pub struct Relation {
    pub(super) letters: usize,
    /// For every state and letter of x: the letters of x′ and where they lead.
    pub(super) next: Vec<Vec<(u32, u32)>>,
    pub(super) accepting: Vec<bool>,
}

impl Relation {
    /// The pairs of vectors of `dimension` coordinates that satisfy all conditions.
    ///
    /// The relation may be infinite in states for a recurrence whose other roots are not small (no Pisot number); the effort stops it then.
    pub fn new(
        system: &System,
        dimension: usize,
        conditions: &[Condition],
        effort: &Effort<'_>,
    ) -> Result<Self, StopReason> {
        let base = system.base();
        let letters = base.pow(u32::try_from(dimension).expect("few coordinates"));
        let digit =
            |letter: usize, i: usize| (letter / base.pow(u32::try_from(dimension - 1 - i).expect("few"))) % base;
        let mut parts: Vec<Part<'_>> = conditions.iter().map(|condition| Part::new(system, condition)).collect();
        let start: Vec<i64> = parts.iter().flat_map(|part| vec![0; part.width]).collect();
        let mut ids: FxHashMap<Vec<i64>, u32> = FxHashMap::default();
        ids.insert(start.clone(), 0);
        let mut states = vec![start];
        let mut next: Vec<Vec<(u32, u32)>> = Vec::new();
        let mut at = 0;
        while at < states.len() {
            effort.allow(at + 1)?;
            effort.monitor.check(at as u64, None)?;
            let state = states[at].clone();
            for a in 0..letters {
                let mut targets = Vec::new();
                'other: for b in 0..letters {
                    let mut target = Vec::with_capacity(state.len());
                    let mut from = 0;
                    for part in &mut parts {
                        let old = &state[from..from + part.width];
                        from += part.width;
                        if !part.step(old, &|i| digit(a, i), &|i| digit(b, i), &mut target)? {
                            continue 'other;
                        }
                    }
                    let id = *ids.entry(target).or_insert_with_key(|target| {
                        states.push(target.clone());
                        crate::vectorset::id(states.len() - 1)
                    });
                    targets.push((crate::vectorset::id(b), id));
                }
                next.push(targets);
            }
            at += 1;
        }
        let accepting = states
            .iter()
            .map(|state| {
                let mut from = 0;
                parts.iter().all(|part| {
                    from += part.width;
                    part.accepts(&state[from - part.width..from])
                })
            })
            .collect();
        Ok(Self { letters, next, accepting }.trimmed())
    }

    /// The number of states.
    pub fn states(&self) -> usize {
        self.accepting.len()
    }

    /// Without transitions into states from which nothing is accepted.
    fn trimmed(mut self) -> Self {
        let n = self.states();
        let mut sources: Vec<Vec<u32>> = vec![vec![]; n];
        for (i, targets) in self.next.iter().enumerate() {
            for &(_, t) in targets {
                sources[t as usize].push(crate::vectorset::id(i / self.letters));
            }
        }
        let mut live = self.accepting.clone();
        let mut stack: Vec<usize> = (0..n).filter(|&s| live[s]).collect();
        while let Some(s) = stack.pop() {
            for &source in &sources[s] {
                if !live[source as usize] {
                    live[source as usize] = true;
                    stack.push(source as usize);
                }
            }
        }
        for targets in &mut self.next {
            targets.retain(|&(_, t)| live[t as usize]);
        }
        self
    }
}

/// A condition with what it needs to be read.
struct Part<'a> {
    condition: &'a Condition,
    width: usize,
    recurrence: Vec<i64>,
    /// Wₙ for n up to the horizon.
    weights: Vec<i128>,
    /// The largest |form of one letter|.
    most: i128,
    dead: FxHashMap<Vec<i64>, bool>,
}

impl<'a> Part<'a> {
    fn new(system: &System, condition: &'a Condition) -> Self {
        let k = system.recurrence().len();
        let (width, most) = match condition {
            Condition::Same(_) => (0, 0),
            Condition::Lower(_) | Condition::Higher(_) | Condition::NotHigher(_) => (1, 0),
            Condition::Linear(a, b, _) | Condition::Congruent(a, b, _) | Condition::AtLeast(a, b, _) => {
                let sum: i128 = a.iter().chain(b).map(|&c| i128::from(c).abs()).sum();
                // An inequality also knows whether it is decided.
                let decided = usize::from(matches!(condition, Condition::AtLeast(..)));
                (k + decided, sum * (system.base() as i128 - 1))
            }
        };
        let weights = system.machine_weights().iter().take(HORIZON + k).map(|&w| i128::from(w)).collect();
        let recurrence = system.recurrence().iter().map(|&a| i64::from(a)).collect();
        Self { condition, width, recurrence, weights, most, dead: FxHashMap::default() }
    }

    /// Appends the state after one letter of x and x′; `false` when nothing can be accepted any more.
    fn step(
        &mut self,
        old: &[i64],
        x: &dyn Fn(usize) -> usize,
        y: &dyn Fn(usize) -> usize,
        new: &mut Vec<i64>,
    ) -> Result<bool, StopReason> {
        // Carries that grow without bound belong to systems that are not those of a Pisot number: there is no finite adder.
        let too_large =
            || StopReason::Size { what: "units in a carry of the numeration system's adder", limit: 1 << 40 };
        Ok(match self.condition {
            Condition::Same(i) => x(*i) == y(*i),
            Condition::Lower(i) | Condition::NotHigher(i) => compare(old[0], y(*i), x(*i), new),
            Condition::Higher(i) => compare(old[0], x(*i), y(*i), new),
            Condition::Linear(a, b, constant) => {
                let v = self.carried(old, form(a, x) + form(b, y)).ok_or_else(too_large)?;
                new.extend(&v);
                !self.is_dead(v, *constant)
            }
            Condition::AtLeast(a, b, constant) => {
                let k = self.recurrence.len();
                if old[k] == 1 {
                    new.extend(old);
                    return Ok(true);
                }
                let v = self.carried(&old[..k], form(a, x) + form(b, y)).ok_or_else(too_large)?;
                // Beyond ±|c| for ever: decided one way or the other.
                let decided = self.stays_away(&v, *constant, 1);
                let dead = !decided && self.stays_away(&v, *constant, -1);
                new.extend(if decided { vec![0; k] } else { v });
                new.push(i64::from(decided));
                !dead
            }
            Condition::Congruent(a, b, modulus) => {
                let v = self.carried(old, form(a, x) + form(b, y)).ok_or_else(too_large)?;
                new.extend(v.iter().map(|c| c.rem_euclid(*modulus)));
                true
            }
        })
    }

    /// The vector after one more letter, whose digits give `e`; `None` when it is too large for exact sums.
    fn carried(&self, v: &[i64], e: i64) -> Option<Vec<i64>> {
        let k = self.recurrence.len();
        let top = v[k - 1];
        (0..k)
            .map(|i| {
                let carried = self.recurrence[k - 1 - i].checked_mul(top)?;
                carried.checked_add(if i == 0 { e } else { v[i - 1] }).filter(|c| c.abs() < 1 << 40)
            })
            .collect()
    }

    /// Whether no digits that follow can bring Σ vᵢWₙ₊ᵢ to the constant, for any number n of them (Lemma 2).
    fn is_dead(&mut self, v: Vec<i64>, constant: i64) -> bool {
        if let Some(&dead) = self.dead.get(&v) {
            return dead;
        }
        let dead = self.stays_away(&v, constant, 1) || self.stays_away(&v, constant, -1);
        self.dead.insert(v, dead);
        dead
    }

    fn stays_away(&self, v: &[i64], constant: i64, sign: i128) -> bool {
        let k = self.recurrence.len();
        let c = i128::from(constant).abs();
        let growth: i128 = self.recurrence.iter().map(|&a| i128::from(a)).sum::<i128>() - 1;
        // s(n) is the sum of the first n weights; e = s(n + k) − Σ aᵢ s(n + k − i) is the same for all n.
        let s = |n: usize| self.weights[..n].iter().sum::<i128>();
        let e = s(k) - (1..=k).map(|i| i128::from(self.recurrence[i - 1]) * s(k - i)).sum::<i128>();
        let floor = (self.most * e).max(c * growth);
        let mut run = 0;
        let mut sum = 0;
        for n in 0..HORIZON.min(self.weights.len() - k) {
            let value: i128 = v.iter().zip(&self.weights[n..]).map(|(&v, w)| i128::from(v) * w).sum();
            let z = sign * value - self.most * sum;
            if z <= c {
                return false;
            }
            run = if z * growth > floor { run + 1 } else { 0 };
            if run == k {
                return true;
            }
            sum += self.weights[n];
        }
        false
    }

    fn accepts(&self, state: &[i64]) -> bool {
        match self.condition {
            Condition::Same(_) | Condition::NotHigher(_) => true,
            Condition::AtLeast(_, _, c) => {
                state[self.width - 1] == 1 || self.value(&state[..self.width - 1]) >= i128::from(*c)
            }
            Condition::Lower(_) | Condition::Higher(_) => state[0] == 1,
            Condition::Linear(_, _, c) => self.value(state) == i128::from(*c),
            Condition::Congruent(_, _, m) => self.value(state).rem_euclid(i128::from(*m)) == 0,
        }
    }

    fn value(&self, v: &[i64]) -> i128 {
        v.iter().zip(&self.weights).map(|(&v, w)| i128::from(v) * w).sum()
    }
}

/// The order of two valid strings is that of their first different digits: 0 while they agree, 1 when `low` is less.
fn compare(state: i64, low: usize, high: usize, new: &mut Vec<i64>) -> bool {
    new.push(i64::from(state == 1 || low < high));
    state == 1 || low <= high
}

fn form(a: &[i64], digit: &dyn Fn(usize) -> usize) -> i64 {
    a.iter().enumerate().map(|(i, &a)| a * i64::try_from(digit(i)).expect("digits are small")).sum()
}
