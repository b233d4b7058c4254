//! Functions on the vectors of ℕᵈ by their residuals, and one walk that asks a law at every vector.
//!
//! Vectors are read digit by digit in binary, least significant first, and within one weight coordinate
//! by coordinate. A [`Part`] knows, for some function on ℕᵈ, what is left of it after some digits (its *residual*: the
//! function of the rests that complete the digits read), as a number; and what a residual says of the rest 0.
//! [`walk`] reads all vectors at once: it visits every reachable combination of residuals of several parts, and asks a
//! condition at each. Since every vector is read on some path, the condition then holds at every vector of ℕᵈ.
//!
//! Values of parts are labels: 0 says that the vector is not in the set; sets have the label 1, tables may have more.

use std::collections::HashMap;

use crate::meter::{Held, Meter};
use crate::{Failure, refuse};

/// A label of a vector; 0 is that of vectors that are not there.
pub(crate) type Label = u32;

/// The number of a state or combination.
pub(crate) fn fits(size: usize) -> Result<u32, Failure> {
    match u32::try_from(size) {
        Ok(number) if number < 1 << 28 => Ok(number),
        _ => refuse("the check needs more than 2^28 states: the certificate is too large to be checked"),
    }
}

/// A labelled automaton: `next[s]` are the successors of state s by digits 0 and 1, state 0 is initial.
#[derive(Debug)]
pub(crate) struct Table {
    pub dimension: usize,
    pub next: Vec<[u32; 2]>,
    pub labels: Vec<Label>,
}

impl Table {
    /// Refuses tables that are no function of vectors: wrong state numbers, a state that is not reached or reads digits of two
    /// coordinates, a label inside a digit block, or one that zero digits at the end change.
    pub fn new(dimension: usize, transitions: &[u32], labels: Vec<Label>) -> Result<Self, Failure> {
        let states = labels.len();
        if states == 0 || transitions.len() != 2 * states {
            return refuse("automaton: not two transitions for each of one or more states");
        }
        if let Some(s) = transitions.iter().find(|&&s| s as usize >= states) {
            return refuse(format!("automaton: there is no state {s}"));
        }
        let next: Vec<[u32; 2]> = transitions.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
        let mut coordinate: Vec<Option<usize>> = vec![None; states];
        coordinate[0] = Some(0);
        let mut queue = vec![0_usize];
        while let Some(s) = queue.pop() {
            let following = coordinate[s].map_or(0, |c| (c + 1) % dimension);
            for target in next[s] {
                match &mut coordinate[target as usize] {
                    Some(c) if *c != following => {
                        return refuse(format!(
                            "automaton: state {target} reads digits of coordinates {c} and {following}"
                        ));
                    }
                    Some(_) => {}
                    unknown => {
                        *unknown = Some(following);
                        queue.push(target as usize);
                    }
                }
            }
        }
        for s in 0..states {
            match coordinate[s] {
                None => return refuse(format!("automaton: state {s} is not reached")),
                Some(0) => {
                    let padded = (0..dimension).fold(s, |s, _| next[s][0] as usize);
                    if labels[padded] != labels[s] {
                        return refuse(format!("automaton: zero digits change what state {s} says"));
                    }
                }
                Some(_) if labels[s] != 0 => {
                    return refuse(format!("automaton: state {s} accepts inside a digit block"));
                }
                Some(_) => {}
            }
        }
        Ok(Self { dimension, next, labels })
    }

    pub fn states(&self) -> usize {
        self.next.len()
    }

    /// Whether no vector has a label: every state is reached.
    pub fn is_empty(&self) -> bool {
        self.labels.iter().all(|&label| label == 0)
    }

    /// The label of x (no entry negative), read from a state that reads coordinate 0.
    pub fn label_from(&self, mut state: u32, x: &[i128]) -> Label {
        let mut x = x.to_vec();
        debug_assert_eq!(x.len(), self.dimension);
        while x.iter().any(|&xi| xi != 0) {
            for xi in &mut x {
                state = self.next[state as usize][usize::from(*xi % 2 == 1)];
                *xi /= 2;
            }
        }
        self.labels[state as usize]
    }
}

/// A function on ℕᵈ whose residuals are numbered when they are met.
pub(crate) struct Part<'a> {
    kind: Kind<'a>,
    /// The coordinate that is read next and what is left, for each residual.
    keys: Vec<(usize, Vec<i128>)>,
    numbers: HashMap<(usize, Vec<i128>), u32>,
    /// The successors that are known.
    next: Vec<[Option<u32>; 2]>,
}

enum Kind<'a> {
    /// x ↦ table(x + c), a residual is the carry c and the state: after the digits e, x = 2x' + e and x + c = 2(x' + c') + f
    /// with f the parity and c' the rounded-down half of e + c.
    Moved(&'a Table),
    /// u ↦ table(c + Σ uⱼvⱼ), one track for each vector vⱼ, likewise: a digit of uⱼ adds vⱼ to the carry, and after the last
    /// track the automaton reads the parities.
    Preimage(&'a Table, Vec<Vec<i128>>),
    /// {x : a·x + b ≥ 0}, a residual is b: after the digits e, a·x' + ⌊(b + a·e)/2⌋ ≥ 0.
    HalfSpace(Vec<i128>),
    /// A finite set, a residual is the list of the rests of the elements that begin with the digits read.
    Finite(usize),
}

impl<'a> Part<'a> {
    fn new(kind: Kind<'a>, start: Vec<i128>) -> Self {
        let start = (0, start);
        Self { kind, numbers: HashMap::from([(start.clone(), 0)]), keys: vec![start], next: vec![[None; 2]] }
    }

    /// The table itself.
    pub fn set(set: &'a Table) -> Self {
        Self::moved(set, &vec![0; set.dimension])
    }

    /// x ↦ set(x − v); 0 where x − v has a negative entry.
    pub fn moved(set: &'a Table, v: &[i128]) -> Self {
        Self::new(Kind::Moved(set), v.iter().map(|x| -x).chain([0]).collect())
    }

    /// u ↦ set(c + Σ uⱼvⱼ) with the vectors vⱼ as `columns`.
    pub fn preimage(set: &'a Table, c: &[i128], columns: Vec<Vec<i128>>) -> Self {
        Self::new(Kind::Preimage(set, columns), c.iter().copied().chain([0]).collect())
    }

    /// {x ∈ ℕᵈ : a·x + b ≥ 0}.
    pub fn half_space(a: &[i128], b: i128) -> Self {
        Self::new(Kind::HalfSpace(a.to_vec()), vec![b])
    }

    /// The points themselves; those with a negative entry are not in ℕᵈ and are left out.
    pub fn finite(dimension: usize, points: &[Vec<i128>]) -> Self {
        let mut points: Vec<&Vec<i128>> = points.iter().filter(|p| p.iter().all(|&x| x >= 0)).collect();
        points.sort();
        points.dedup();
        Self::new(Kind::Finite(dimension), points.into_iter().flatten().copied().collect())
    }

    /// The residual after the digit `bit` of the coordinate that is next.
    fn step(&mut self, residual: u32, bit: usize, dimension: usize, held: &mut Held) -> Result<u32, Failure> {
        let at = residual as usize;
        if let Some(known) = self.next[at][bit] {
            return Ok(known);
        }
        let (track, key) = &self.keys[at];
        let target = ((track + 1) % dimension, self.kind.successor(*track, key, bit, dimension)?);
        let number = if let Some(&number) = self.numbers.get(&target) {
            number
        } else {
            let number = fits(self.keys.len())?;
            held.grow(32 * target.1.len() as u64 + 160)?;
            self.keys.push(target.clone());
            self.numbers.insert(target, number);
            self.next.push([None; 2]);
            number
        };
        self.next[at][bit] = Some(number);
        Ok(number)
    }

    /// What a residual says of 0 (asked between digit blocks).
    fn at_zero(&self, residual: u32) -> Label {
        let key = &self.keys[residual as usize].1;
        match &self.kind {
            Kind::Moved(set) | Kind::Preimage(set, _) => {
                let (state, carry) = state_and_carry(key);
                if carry.iter().all(|&c| c >= 0) { set.label_from(state, carry) } else { 0 }
            }
            Kind::HalfSpace(_) => Label::from(key[0] >= 0),
            Kind::Finite(d) => Label::from(key.chunks_exact(*d).any(|point| point.iter().all(|&x| x == 0))),
        }
    }
}

/// The carries come first, the state last.
fn state_and_carry(key: &[i128]) -> (u32, &[i128]) {
    let (state, carry) = key.split_last().expect("a key has a state");
    (u32::try_from(*state).expect("a state"), carry)
}

impl Kind<'_> {
    fn successor(&self, track: usize, key: &[i128], bit: usize, dimension: usize) -> Result<Vec<i128>, Failure> {
        let digit = i128::from(bit == 1);
        let mut key = key.to_vec();
        let read = |set: &Table, state: i128, carry: &mut i128| {
            let state = usize::try_from(state).expect("a state");
            let next = set.next[state][usize::from(carry.rem_euclid(2) == 1)];
            *carry = carry.div_euclid(2);
            i128::from(next)
        };
        match self {
            Self::Moved(set) => {
                key[track] += digit;
                let state = key[dimension];
                key[dimension] = read(set, state, &mut key[track]);
            }
            Self::Preimage(set, columns) => {
                for (c, v) in key.iter_mut().zip(&columns[track]) {
                    *c += v * digit;
                }
                if track + 1 == dimension {
                    for i in 0..set.dimension {
                        let state = key[set.dimension];
                        key[set.dimension] = read(set, state, &mut key[i]);
                    }
                }
            }
            Self::HalfSpace(a) => {
                let sum = a[track].checked_mul(digit).and_then(|x| x.checked_add(key[0]));
                let Some(sum) = sum else { return refuse("a board inequality has too large entries") };
                key[0] = if track + 1 == dimension { sum.div_euclid(2) } else { sum };
            }
            Self::Finite(d) => {
                key = key.chunks_exact(*d).filter(|p| p[track] % 2 == digit).flatten().copied().collect();
                key.chunks_exact_mut(*d).for_each(|point| point[track] /= 2);
            }
        }
        Ok(key)
    }
}

/// What is asked at every vector: the labels that the parts give it.
pub(crate) type Condition<'a> = &'a dyn Fn(&[Label]) -> bool;

/// How a walk ends.
pub(crate) enum Walk {
    /// The condition holds everywhere; these are the combinations of residuals.
    Holds(Explored),
    /// It fails at this vector, which has as few digits as possible.
    Fails(Vec<i128>),
    /// The combinations took up more than the numbers that were allowed.
    TooLong,
}

/// Asks `condition` at every vector of ℕᵈ; a vector where it fails, if there is one.
pub(crate) fn walk(
    dimension: usize,
    parts: &mut [Part<'_>],
    condition: Condition<'_>,
    meter: &Meter<'_>,
) -> Result<Option<Vec<i128>>, Failure> {
    match explore(dimension, parts, condition, &|_| false, usize::MAX, meter)? {
        Walk::Holds(_) => Ok(None),
        Walk::Fails(vector) => Ok(Some(vector)),
        Walk::TooLong => refuse("the walk was given up"),
    }
}

/// [`walk`] as long as the combinations take up at most 2²² numbers, for those who know another way.
pub(crate) fn short_walk(
    dimension: usize,
    parts: &mut [Part<'_>],
    condition: Condition<'_>,
    meter: &Meter<'_>,
) -> Result<Walk, Failure> {
    explore(dimension, parts, condition, &|_| false, 1 << 22, meter)
}

/// The set of vectors that `select` takes, as one minimal automaton, if `condition` holds at every vector; else a vector
/// where it fails.
pub(crate) fn selection(
    dimension: usize,
    parts: &mut [Part<'_>],
    condition: Condition<'_>,
    select: Condition<'_>,
    meter: &Meter<'_>,
) -> Result<Result<Table, Vec<i128>>, Failure> {
    match explore(dimension, parts, condition, select, usize::MAX, meter)? {
        Walk::Holds(explored) => explored.minimal(dimension, meter).map(Ok),
        Walk::Fails(vector) => Ok(Err(vector)),
        Walk::TooLong => refuse("the walk was given up"),
    }
}

/// All combinations of residuals that were met.
pub(crate) struct Explored {
    pub next: Vec<[u32; 2]>,
    pub track: Vec<u8>,
    /// Whether the vector read so far is selected.
    pub some: Vec<bool>,
}

impl Explored {
    /// Moore's partition refinement, states of different tracks apart. Each round goes from the last track to the first
    /// with the classes refined so far, so that it sees a whole block of digits: any split it makes is one that some
    /// word makes, and a round without a split leaves nothing to tell apart.
    pub fn minimal(&self, dimension: usize, meter: &Meter<'_>) -> Result<Table, Failure> {
        let mut by_track: Vec<Vec<usize>> = vec![vec![]; dimension];
        for (state, &track) in self.track.iter().enumerate() {
            by_track[usize::from(track)].push(state);
        }
        let _held = meter.hold(40 * self.track.len() as u64)?;
        let mut class: Vec<u32> = self.some.iter().map(|&some| u32::from(some)).collect();
        let mut classes = 0;
        loop {
            let mut found = 0;
            let mut numbers: HashMap<(u32, u32, u32), u32> = HashMap::new();
            for states in by_track.iter().rev() {
                meter.steps(states.len() + 1)?;
                numbers.clear();
                let mut refined = Vec::with_capacity(states.len());
                for &state in states {
                    let [zero, one] = self.next[state].map(|target| class[target as usize]);
                    let number = fits(numbers.len())?;
                    refined.push(*numbers.entry((class[state], zero, one)).or_insert(number));
                }
                // Only now: with one coordinate the successors are states of the same track.
                for (&state, number) in states.iter().zip(refined) {
                    class[state] = number;
                }
                found += numbers.len();
            }
            if found == classes {
                break;
            }
            classes = found;
        }
        // Numbers that are one for all tracks, in the order of their first state: the initial one is 0.
        let mut numbers: HashMap<(u8, u32), u32> = HashMap::new();
        for (own, &track) in class.iter_mut().zip(&self.track) {
            let number = fits(numbers.len())?;
            *own = *numbers.entry((track, *own)).or_insert(number);
        }
        let mut next = vec![[0; 2]; classes];
        let mut accepting: Vec<Label> = vec![0; classes];
        for (state, &own) in class.iter().enumerate() {
            next[own as usize] = self.next[state].map(|target| class[target as usize]);
            accepting[own as usize] = Label::from(self.some[state]);
        }
        Table::new(dimension, next.as_flattened(), accepting)
    }
}

fn explore(
    dimension: usize,
    parts: &mut [Part<'_>],
    condition: Condition<'_>,
    select: Condition<'_>,
    most: usize,
    meter: &Meter<'_>,
) -> Result<Walk, Failure> {
    let width = parts.len();
    // All combinations met, one after the other; `numbers` finds a combination again by its hash.
    let mut met: Vec<u32> = vec![0; width];
    let mut numbers: HashMap<Box<[u32]>, u32> = HashMap::new();
    let mut track: Vec<u8> = vec![0];
    let mut next: Vec<[u32; 2]> = Vec::new();
    let mut some: Vec<bool> = Vec::new();
    let mut origin: Vec<(u32, bool)> = vec![(0, false)];
    let mut inside: Vec<Label> = vec![0; width];
    // Combinations of different tracks differ, as the residuals of each part do; only parts without
    // residuals, of which there are none, could not tell tracks apart.
    numbers.insert(vec![0; width].into(), 0);
    let mut current = 0;
    let mut held = meter.hold(0)?;
    while current < track.len() {
        meter.steps(2 * width + 4)?;
        if met.len() > most {
            return Ok(Walk::TooLong);
        }
        let combination = met[current * width..(current + 1) * width].to_vec();
        if track[current] == 0 {
            for ((inside, part), &residual) in inside.iter_mut().zip(parts.iter()).zip(&combination) {
                *inside = part.at_zero(residual);
            }
            if !condition(&inside) {
                return Ok(Walk::Fails(vector(dimension, &origin, current)));
            }
        }
        some.push(track[current] == 0 && select(&inside));
        let following = if usize::from(track[current]) + 1 == dimension { 0 } else { track[current] + 1 };
        let mut successors = [0; 2];
        for (bit, successor) in successors.iter_mut().enumerate() {
            let mut target = combination.clone();
            for (part, residual) in parts.iter_mut().zip(&mut target) {
                *residual = part.step(*residual, bit, dimension, &mut held)?;
            }
            if let Some(&number) = numbers.get(target.as_slice()) {
                *successor = number;
            } else {
                *successor = fits(track.len())?;
                held.grow(8 * width as u64 + 80)?;
                numbers.insert(target.clone().into(), *successor);
                met.extend_from_slice(&target);
                track.push(following);
                origin.push((fits(current)?, bit == 1));
            }
        }
        next.push(successors);
        current += 1;
    }
    Ok(Walk::Holds(Explored { next, track, some }))
}

/// The vector whose digits lead to a combination.
fn vector(dimension: usize, origin: &[(u32, bool)], mut at: usize) -> Vec<i128> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meter::{Limits, free_meter};

    fn even() -> Table {
        Table::new(1, &[1, 2, 1, 1, 2, 2], vec![1, 1, 0]).unwrap()
    }

    #[test]
    fn parts_know_their_members() {
        let even = even();
        let mut parts = [
            Part::set(&even),
            Part::moved(&even, &[3]),
            Part::moved(&even, &[-5]),
            Part::half_space(&[-2], 7),
            Part::finite(1, &[vec![3], vec![6], vec![-1]]),
        ];
        for x in 0i128..40 {
            let mut residuals = vec![0; parts.len()];
            let mut rest = x;
            while rest > 0 {
                for (part, residual) in parts.iter_mut().zip(&mut residuals) {
                    *residual = part
                        .step(*residual, usize::from(rest % 2 == 1), 1, &mut free_meter().hold(0).unwrap())
                        .unwrap();
                }
                rest /= 2;
            }
            let inside: Vec<bool> = parts.iter().zip(&residuals).map(|(p, &r)| p.at_zero(r) == 1).collect();
            let expected = [x % 2 == 0, x >= 3 && x % 2 == 1, x % 2 == 1, 2 * x <= 7, x == 3 || x == 6];
            assert_eq!(inside, expected, "{x}");
        }
    }

    #[test]
    fn selections_are_minimal() {
        // {x : x is even, x ≤ 6} and {(x, y) : x + y even} with superfluous states in between.
        let even = even();
        let mut parts = [Part::set(&even), Part::half_space(&[-1], 6), Part::moved(&even, &[2])];
        let small = selection(1, &mut parts, &|_| true, &|inside| inside[0] == 1 && inside[1] == 1, &free_meter());
        let small = small.unwrap().unwrap();
        // 0, x ∈ {0, 2, 4, 6} by the rest after the digit 0 (≤ 3), then {0, 1} and {0}, and nothing.
        assert_eq!(small.states(), 5);
        for x in 0i128..40 {
            assert_eq!(small.label_from(0, &[x]) == 1, x % 2 == 0 && x <= 6, "{x}");
        }
        let rows = [Part::half_space(&[1, 1], -3), Part::half_space(&[2, 2], -6), Part::half_space(&[1, 1], -2)];
        let mut parts = rows;
        let select = |inside: &[Label]| inside[0] == 1 && inside[1] == 1 && inside[2] == 1;
        let half = selection(2, &mut parts, &|_| true, &select, &free_meter()).unwrap().unwrap();
        let mut alone = [Part::half_space(&[1, 1], -3)];
        let expected = selection(2, &mut alone, &|_| true, &|inside| inside[0] == 1, &free_meter()).unwrap().unwrap();
        assert_eq!(half.states(), expected.states());
        assert_eq!(half.next, expected.next);
        assert_eq!(half.labels, expected.labels);
    }

    #[test]
    fn a_walk_finds_the_shortest_counterexample() {
        let even = even();
        let mut parts = vec![Part::set(&even), Part::moved(&even, &[1])];
        assert_eq!(walk(1, &mut parts, &|m| m[0] != m[1], &free_meter()).ok(), Some(None));
        let mut parts = vec![Part::set(&even), Part::half_space(&[-1], 4)];
        assert_eq!(walk(1, &mut parts, &|m| m[0] == 0 || m[1] == 1, &free_meter()).ok(), Some(Some(vec![6])));
        let few = Limits { steps: 100, bytes: 1 << 20 };
        assert!(matches!(walk(1, &mut parts, &|_| true, &Meter::new(&few, &|| true)), Ok(None)));
        let fewer = Limits { steps: 10, bytes: 1 << 20 };
        assert!(matches!(walk(1, &mut parts, &|_| true, &Meter::new(&fewer, &|| true)), Err(Failure::TooLarge(_))));
    }

    #[test]
    fn tables_that_are_no_functions_are_refused() {
        let reason = |next: &[u32], labels: Vec<Label>, d: usize| match Table::new(d, next, labels) {
            Err(Failure::Refused(reason)) => reason,
            _ => "accepted".into(),
        };
        assert!(reason(&[], vec![], 1).contains("one or more states"));
        assert!(reason(&[0, 0, 0], vec![0], 1).contains("two transitions"));
        assert!(reason(&[0, 1], vec![0], 1).contains("no state 1"));
        assert!(reason(&[0, 0], vec![0], 2).contains("coordinates"));
        assert!(reason(&[0, 0, 1, 1], vec![0, 0], 1).contains("not reached"));
        assert!(reason(&[1, 1, 0, 0], vec![1, 0], 1).contains("zero digits"));
        assert!(reason(&[1, 1, 0, 0], vec![2, 1], 1).contains("zero digits"));
        assert!(reason(&[1, 1, 0, 0], vec![1, 1], 2).contains("inside a digit block"));
    }
}
