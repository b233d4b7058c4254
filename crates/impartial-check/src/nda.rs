//! Sets of vectors of ℕᵈ as residuals that are computed when they are asked for.
//!
//! Vectors are read digit by digit in binary, least significant first, and within one weight coordinate
//! by coordinate. A [`Part`] knows, for some set, what is left of it after some digits (its *residual*: the
//! set of those rests that complete the digits read to an element), as a number; and whether 0 lies in a
//! residual. [`walk`] reads all vectors at once: it visits every reachable combination of residuals of
//! several sets, and asks a condition at each. Since every vector is read on some path, the condition then
//! holds at every vector of ℕᵈ.

use std::collections::HashMap;
use std::hash::Hash;

use crate::meter::{Held, Meter};
use crate::module::{Product, Residuals};
use crate::{Failure, refuse};

/// Numbers for keys, in the order of their first appearance.
#[derive(Debug)]
struct Numbers<K> {
    keys: Vec<K>,
    numbers: HashMap<K, u32>,
}

/// What a key takes up outside of its own fields.
pub(crate) trait Size {
    fn size(&self) -> usize;
}

impl Size for i128 {
    fn size(&self) -> usize {
        0
    }
}

impl Size for Vec<u32> {
    fn size(&self) -> usize {
        4 * self.len()
    }
}

impl Size for (u32, Vec<i128>) {
    fn size(&self) -> usize {
        16 * self.1.len()
    }
}

impl Size for Vec<Vec<i128>> {
    fn size(&self) -> usize {
        self.iter().map(|v| 16 * v.len() + size_of::<Vec<i128>>()).sum()
    }
}

impl<K: Clone + Eq + Hash + Size> Numbers<(usize, K)> {
    fn new(start: (usize, K)) -> Self {
        Self { numbers: HashMap::from([(start.clone(), 0)]), keys: vec![start] }
    }

    fn number(&mut self, key: (usize, K), held: &mut Held) -> Result<u32, Failure> {
        if let Some(&number) = self.numbers.get(&key) {
            return Ok(number);
        }
        let number = fits(self.keys.len())?;
        held.grow(2 * (key.1.size() + size_of::<(usize, K)>()) as u64 + 64)?;
        self.keys.push(key.clone());
        self.numbers.insert(key, number);
        Ok(number)
    }
}

pub(crate) fn fits(size: usize) -> Result<u32, Failure> {
    match u32::try_from(size) {
        Ok(number) if number < 1 << 28 => Ok(number),
        _ => refuse("the check needs more than 2^28 states: the certificate is too large to be checked"),
    }
}

/// An automaton from a file: `next[s]` are the successors of state s by digits 0 and 1, state 0 is initial.
#[derive(Debug)]
pub(crate) struct Table {
    pub dimension: usize,
    pub next: Vec<[u32; 2]>,
    pub accepting: Vec<bool>,
}

impl Table {
    /// Refuses tables that are no set of vectors: wrong state numbers, a state that reads digits of two
    /// coordinates, acceptance inside a digit block, or acceptance that zero digits at the end change.
    pub fn new(dimension: usize, next: Vec<[u32; 2]>, accepting: &[u32]) -> Result<Self, Failure> {
        let states = next.len();
        if states == 0 {
            return refuse("automaton: there is no state");
        }
        if let Some(s) = next.iter().flatten().chain(accepting).find(|&&s| s as usize >= states) {
            return refuse(format!("automaton: there is no state {s}"));
        }
        let mut accepts = vec![false; states];
        for &s in accepting {
            if std::mem::replace(&mut accepts[s as usize], true) {
                return refuse(format!("automaton: \"accepting\" names state {s} twice"));
            }
        }
        let mut coordinate: Vec<Option<usize>> = vec![None; states];
        coordinate[0] = Some(0);
        let mut queue = vec![0usize];
        while let Some(s) = queue.pop() {
            let following = coordinate[s].map_or(0, |c| (c + 1) % dimension);
            for target in next[s] {
                let target = target as usize;
                match coordinate[target] {
                    None => {
                        coordinate[target] = Some(following);
                        queue.push(target);
                    }
                    Some(c) if c != following => {
                        return refuse(format!(
                            "automaton: state {target} reads digits of coordinates {c} and {following}"
                        ));
                    }
                    Some(_) => {}
                }
            }
        }
        for s in 0..states {
            match coordinate[s] {
                None => return refuse(format!("automaton: state {s} is not reached")),
                Some(0) => {
                    let padded = (0..dimension).fold(s, |s, _| next[s][0] as usize);
                    if accepts[padded] != accepts[s] {
                        return refuse(format!("automaton: zero digits change what state {s} accepts"));
                    }
                }
                Some(_) if accepts[s] => {
                    return refuse(format!("automaton: state {s} accepts inside a digit block"));
                }
                Some(_) => {}
            }
        }
        Ok(Self { dimension, next, accepting: accepts })
    }

    pub fn states(&self) -> usize {
        self.next.len()
    }

    /// Whether the set is empty: every state is reached.
    pub fn is_empty(&self) -> bool {
        !self.accepting.contains(&true)
    }

    /// Whether x (no entry negative) lies in the residual of a state that reads coordinate 0.
    pub fn contains_from(&self, mut state: u32, x: &[i128]) -> bool {
        let mut x = x.to_vec();
        debug_assert_eq!(x.len(), self.dimension);
        while x.iter().any(|&xi| xi != 0) {
            for xi in &mut x {
                state = self.next[state as usize][usize::from(*xi % 2 == 1)];
                *xi /= 2;
            }
        }
        self.accepting[state as usize]
    }
}

/// A set whose residuals are numbered when they are met.
#[derive(Debug)]
pub(crate) enum Part<'a> {
    /// {x : x + c ∈ set}, residuals by state and carry: after the digits e, x = 2x' + e and
    /// x + c = 2(x' + c') + f with f the parity and c' the rounded-down half of e + c.
    Moved { set: &'a Table, residuals: Numbers2 },
    /// {u : c + Σ uⱼvⱼ ∈ set}, one track for each vector vⱼ, residuals by state and carry: a digit of uⱼ adds vⱼ to the
    /// carry, and after the last track the automaton reads the parities.
    Preimage { set: &'a Table, columns: Vec<Vec<i128>>, residuals: Numbers2 },
    /// {x : a·x + b ≥ 0}, residuals by b: after the digits e, a·x' + ⌊(b + a·e)/2⌋ ≥ 0.
    HalfSpace { a: Vec<i128>, residuals: Numbers1 },
    /// A finite set, residuals by the rests of the elements that begin with the digits read.
    Finite { residuals: NumbersF },
    /// A module F + ℕV.
    Module(Residuals),
    /// A translate f + ℕV.
    Translate(Product),
}

type Numbers1 = Memo<i128>;
type Numbers2 = Memo<(u32, Vec<i128>)>;
type NumbersF = Memo<Vec<Vec<i128>>>;

/// Numbered keys with their known successors.
#[derive(Debug)]
pub(crate) struct Memo<K> {
    numbers: Numbers<(usize, K)>,
    next: Vec<[Option<u32>; 2]>,
}

impl<K: Clone + Eq + Hash + Size> Memo<K> {
    pub(crate) fn new(start: K) -> Self {
        Self { numbers: Numbers::new((0, start)), next: vec![[None; 2]] }
    }

    /// The key of a residual.
    pub(crate) fn key(&self, residual: u32) -> &K {
        &self.numbers.keys[residual as usize].1
    }

    pub(crate) fn step(
        &mut self,
        residual: u32,
        bit: usize,
        dimension: usize,
        held: &mut Held,
        successor: impl FnOnce(usize, &K, &mut Held) -> Result<K, Failure>,
    ) -> Result<u32, Failure> {
        let at = residual as usize;
        if let Some(known) = self.next[at][bit] {
            return Ok(known);
        }
        let (track, key) = &self.numbers.keys[at];
        let target = ((track + 1) % dimension, successor(*track, key, held)?);
        let number = self.numbers.number(target, held)?;
        if number as usize == self.next.len() {
            self.next.push([None; 2]);
        }
        self.next[at][bit] = Some(number);
        Ok(number)
    }
}

impl<'a> Part<'a> {
    /// The set itself.
    pub fn set(set: &'a Table) -> Self {
        Self::moved(set, &vec![0; set.dimension])
    }

    /// {x ∈ ℕᵈ : x − v ∈ set}.
    pub fn moved(set: &'a Table, v: &[i128]) -> Self {
        Self::Moved { set, residuals: Memo::new((0, v.iter().map(|x| -x).collect())) }
    }

    /// {u : c + Σ uⱼvⱼ ∈ set} with the vectors vⱼ as `columns`.
    pub fn preimage(set: &'a Table, c: &[i128], columns: Vec<Vec<i128>>) -> Self {
        Self::Preimage { set, columns, residuals: Memo::new((0, c.to_vec())) }
    }

    /// {x ∈ ℕᵈ : a·x + b ≥ 0}.
    pub fn half_space(a: &[i128], b: i128) -> Self {
        Self::HalfSpace { a: a.to_vec(), residuals: Memo::new(b) }
    }

    /// The points themselves; those with a negative entry are not in ℕᵈ and are left out.
    pub fn finite(points: &[Vec<i128>]) -> Self {
        let mut points: Vec<Vec<i128>> = points.iter().filter(|p| p.iter().all(|&x| x >= 0)).cloned().collect();
        points.sort();
        points.dedup();
        Self::Finite { residuals: Memo::new(points) }
    }

    /// The residual after one more digit of the coordinate that is next.
    fn step(&mut self, residual: u32, bit: usize, dimension: usize, held: &mut Held) -> Result<u32, Failure> {
        let digit = i128::from(bit == 1);
        match self {
            Self::Moved { set, residuals } => {
                residuals.step(residual, bit, dimension, held, |track, (state, carry), _| {
                    let sum = carry[track] + digit;
                    let mut carry = carry.clone();
                    carry[track] = sum.div_euclid(2);
                    Ok((set.next[*state as usize][usize::from(sum.rem_euclid(2) == 1)], carry))
                })
            }
            Self::Preimage { set, columns, residuals } => {
                residuals.step(residual, bit, dimension, held, |track, (state, carry), _| {
                    let (mut state, mut carry) = (*state, carry.clone());
                    for (c, v) in carry.iter_mut().zip(&columns[track]) {
                        *c += v * digit;
                    }
                    if track + 1 == dimension {
                        for c in &mut carry {
                            state = set.next[state as usize][usize::from(c.rem_euclid(2) == 1)];
                            *c = c.div_euclid(2);
                        }
                    }
                    Ok((state, carry))
                })
            }
            Self::HalfSpace { a, residuals } => residuals.step(residual, bit, dimension, held, |track, b, _| {
                let too_large = || Failure::Refused("a board inequality has too large entries".into());
                let sum = a[track].checked_mul(digit).and_then(|x| x.checked_add(*b)).ok_or_else(too_large)?;
                Ok(if track + 1 == dimension { sum.div_euclid(2) } else { sum })
            }),
            Self::Finite { residuals } => residuals.step(residual, bit, dimension, held, |track, points, _| {
                let mut rest: Vec<Vec<i128>> = points.iter().filter(|p| p[track] % 2 == digit).cloned().collect();
                for point in &mut rest {
                    point[track] /= 2;
                }
                Ok(rest)
            }),
            Self::Module(module) => module.step(residual, bit, dimension, held),
            Self::Translate(product) => product.step(residual, bit, dimension, held),
        }
    }

    /// Whether 0 lies in a residual (met at a block's end).
    fn holds_zero(&self, residual: u32) -> Result<bool, Failure> {
        Ok(match self {
            Self::Moved { set, residuals } | Self::Preimage { set, residuals, .. } => {
                let (_, (state, carry)) = &residuals.numbers.keys[residual as usize];
                carry.iter().all(|&c| c >= 0) && set.contains_from(*state, carry)
            }
            Self::HalfSpace { residuals, .. } => residuals.numbers.keys[residual as usize].1 >= 0,
            Self::Finite { residuals } => {
                residuals.numbers.keys[residual as usize].1.iter().any(|p| p.iter().all(|&x| x == 0))
            }
            Self::Module(module) => module.holds_zero(residual)?,
            Self::Translate(product) => product.holds_zero(residual)?,
        })
    }
}

/// The most numbers of residuals that a walk which another way can replace keeps.
const FEW_NUMBERS: usize = 1 << 22;

/// Asks `condition` at every vector of ℕᵈ, with the membership of the vector in each part; returns a vector
/// (with as few digits as possible) where it fails, if there is one.
pub(crate) fn walk(
    dimension: usize,
    parts: &mut [Part<'_>],
    condition: &dyn Fn(&[bool]) -> bool,
    meter: &Meter<'_>,
) -> Result<Option<Vec<u128>>, Failure> {
    match explore(dimension, parts, condition, &|_| false, usize::MAX, meter)? {
        Walk::All(_) => Ok(None),
        Walk::Fails(vector) => Ok(Some(vector)),
        Walk::TooLong => refuse("the walk was given up"),
    }
}

/// What a walk that may be given up says.
pub(crate) enum Short {
    Holds,
    Fails(Vec<u128>),
    TooLong,
}

/// [`walk`] as long as the combinations take up few numbers.
pub(crate) fn short_walk(
    dimension: usize,
    parts: &mut [Part<'_>],
    condition: &dyn Fn(&[bool]) -> bool,
    meter: &Meter<'_>,
) -> Result<Short, Failure> {
    Ok(match explore(dimension, parts, condition, &|_| false, FEW_NUMBERS, meter)? {
        Walk::All(_) => Short::Holds,
        Walk::Fails(vector) => Short::Fails(vector),
        Walk::TooLong => Short::TooLong,
    })
}

/// The union of the parts as one minimal automaton, if `condition` holds at every vector; else a vector where it fails.
pub(crate) fn automaton(
    dimension: usize,
    parts: &mut [Part<'_>],
    condition: &dyn Fn(&[bool]) -> bool,
    meter: &Meter<'_>,
) -> Result<Result<Table, Vec<u128>>, Failure> {
    selection(dimension, parts, condition, &|inside| inside.contains(&true), meter)
}

/// The set of vectors that `select` takes by their membership in the parts, as one minimal automaton, if `condition`
/// holds at every vector; else a vector where it fails.
pub(crate) fn selection(
    dimension: usize,
    parts: &mut [Part<'_>],
    condition: &dyn Fn(&[bool]) -> bool,
    select: &dyn Fn(&[bool]) -> bool,
    meter: &Meter<'_>,
) -> Result<Result<Table, Vec<u128>>, Failure> {
    match explore(dimension, parts, condition, select, usize::MAX, meter)? {
        Walk::All(explored) => explored.minimal(dimension, meter).map(Ok),
        Walk::Fails(vector) => Ok(Err(vector)),
        Walk::TooLong => refuse("the walk was given up"),
    }
}

/// How a walk over combinations of residuals ends.
enum Walk {
    All(Explored),
    Fails(Vec<u128>),
    TooLong,
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
        let mut accepting = vec![false; classes];
        for (state, &own) in class.iter().enumerate() {
            next[own as usize] = self.next[state].map(|target| class[target as usize]);
            accepting[own as usize] = self.some[state];
        }
        let accepting: Vec<u32> = (0..fits(classes)?).filter(|&c| accepting[c as usize]).collect();
        Table::new(dimension, next, &accepting)
    }
}

fn explore(
    dimension: usize,
    parts: &mut [Part<'_>],
    condition: &dyn Fn(&[bool]) -> bool,
    select: &dyn Fn(&[bool]) -> bool,
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
    let mut inside = vec![false; width];
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
                *inside = part.holds_zero(residual)?;
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
    Ok(Walk::All(Explored { next, track, some }))
}

/// The vector whose digits lead to a combination.
fn vector(dimension: usize, origin: &[(u32, bool)], mut at: usize) -> Vec<u128> {
    let mut digits = Vec::new();
    while at != 0 {
        digits.push(origin[at].1);
        at = origin[at].0 as usize;
    }
    let mut x = vec![0u128; dimension];
    for (i, one) in digits.into_iter().rev().enumerate() {
        if one && i / dimension < 128 {
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
        Table::new(1, vec![[1, 2], [1, 1], [2, 2]], &[0, 1]).unwrap()
    }

    #[test]
    fn parts_know_their_members() {
        let even = even();
        let mut parts = [
            Part::set(&even),
            Part::moved(&even, &[3]),
            Part::moved(&even, &[-5]),
            Part::half_space(&[-2], 7),
            Part::finite(&[vec![3], vec![6], vec![-1]]),
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
            let inside: Vec<bool> = parts.iter().zip(&residuals).map(|(p, &r)| p.holds_zero(r).unwrap()).collect();
            let expected = [x % 2 == 0, x >= 3 && x % 2 == 1, x % 2 == 1, 2 * x <= 7, x == 3 || x == 6];
            assert_eq!(inside, expected, "{x}");
        }
    }

    #[test]
    fn selections_are_minimal() {
        // {x : x is even, x ≤ 6} and {(x, y) : x + y even} with superfluous states in between.
        let even = even();
        let mut parts = [Part::set(&even), Part::half_space(&[-1], 6), Part::moved(&even, &[2])];
        let small = selection(1, &mut parts, &|_| true, &|inside| inside[0] && inside[1], &free_meter());
        let small = small.unwrap().unwrap();
        // 0, x ∈ {0, 2, 4, 6} by the rest after the digit 0 (≤ 3), then {0, 1} and {0}, and nothing.
        assert_eq!(small.states(), 5);
        for x in 0i128..40 {
            assert_eq!(small.contains_from(0, &[x]), x % 2 == 0 && x <= 6, "{x}");
        }
        let rows = [Part::half_space(&[1, 1], -3), Part::half_space(&[2, 2], -6), Part::half_space(&[1, 1], -2)];
        let mut parts = rows;
        let select = |inside: &[bool]| inside[0] && inside[1] && inside[2];
        let half = selection(2, &mut parts, &|_| true, &select, &free_meter()).unwrap().unwrap();
        let mut alone = [Part::half_space(&[1, 1], -3)];
        let expected = selection(2, &mut alone, &|_| true, &|inside| inside[0], &free_meter()).unwrap().unwrap();
        assert_eq!(half.states(), expected.states());
        assert_eq!(half.next, expected.next);
        assert_eq!(half.accepting, expected.accepting);
    }

    #[test]
    fn a_walk_finds_the_shortest_counterexample() {
        let even = even();
        let mut parts = vec![Part::set(&even), Part::moved(&even, &[1])];
        assert_eq!(walk(1, &mut parts, &|m| m[0] != m[1], &free_meter()).ok(), Some(None));
        let mut parts = vec![Part::set(&even), Part::half_space(&[-1], 4)];
        assert_eq!(walk(1, &mut parts, &|m| !m[0] || m[1], &free_meter()).ok(), Some(Some(vec![6])));
        let few = Limits { steps: 100, bytes: 1 << 20 };
        assert!(matches!(walk(1, &mut parts, &|_| true, &Meter::new(&few, &|| true)), Ok(None)));
        let fewer = Limits { steps: 10, bytes: 1 << 20 };
        assert!(matches!(walk(1, &mut parts, &|_| true, &Meter::new(&fewer, &|| true)), Err(Failure::Refused(_))));
    }

    #[test]
    fn tables_that_are_no_sets_are_refused() {
        let reason = |next: Vec<[u32; 2]>, accepting: &[u32], d: usize| match Table::new(d, next, accepting) {
            Err(Failure::Refused(reason)) => reason,
            _ => "accepted".into(),
        };
        assert!(reason(vec![], &[], 1).contains("no state"));
        assert!(reason(vec![[0, 1]], &[], 1).contains("no state 1"));
        assert!(reason(vec![[0, 0]], &[3], 1).contains("no state 3"));
        assert!(reason(vec![[0, 0]], &[0, 0], 1).contains("twice"));
        assert!(reason(vec![[0, 0]], &[], 2).contains("coordinates"));
        assert!(reason(vec![[0, 0], [1, 1]], &[], 1).contains("not reached"));
        assert!(reason(vec![[1, 1], [0, 0]], &[0], 1).contains("zero digits"));
        assert!(reason(vec![[1, 1], [0, 0]], &[0, 1], 2).contains("inside a digit block"));
    }
}
