//! Functions on the vectors of ℕᵈ by their residuals, and one walk that asks a law at every vector.
//!
//! Vectors are read digit by digit in binary, least significant first, and within one weight coordinate
//! by coordinate. A [`Part`] knows, for some function on ℕᵈ, what is left of it after some digits (its *residual*: the
//! function of the rests that complete the digits read), as a number; and what a residual says of the rest 0.
//! [`walk`] reads all vectors at once: it visits every reachable combination of residuals of several parts, and asks a
//! condition at each. Since every vector is read on some path, the condition then holds at every vector of ℕᵈ.
//!
//! Values of parts are labels: 0 says that the vector is not in the set; sets have the label 1, tables may have more.

use crate::hash::HashMap;
use crate::meter::{Held, Meter};
use crate::words::vector;
use crate::{Checked, refuse};

/// A label of a vector; 0 is that of vectors that are not there.
pub(crate) type Label = u32;

/// The number of a state or combination.
pub(crate) fn fits(size: usize) -> Checked<u32> {
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
    /// The coordinate whose digit each state reads.
    pub coordinate: Vec<Option<usize>>,
}

impl Table {
    /// Refuses tables that are no function of vectors: wrong state numbers, a state that is not reached or reads digits of two
    /// coordinates, a label inside a digit block, or one that zero digits at the end change.
    pub fn new(dimension: usize, transitions: &[u32], labels: Vec<Label>) -> Checked<Self> {
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
                let known = &mut coordinate[target as usize];
                if known.is_none() {
                    *known = Some(following);
                    queue.push(target as usize);
                }
                refuse_if!(*known != Some(following), "automaton: state {target} reads digits of two coordinates");
            }
        }
        for s in 0..states {
            refuse_if!(coordinate[s].is_none(), "automaton: state {s} is not reached");
            refuse_if!(coordinate[s] != Some(0) && labels[s] != 0, "automaton: state {s} accepts inside a digit block");
            let padded = (0..dimension).fold(s, |s, _| next[s][0] as usize);
            refuse_if!(labels[padded] != labels[s], "automaton: zero digits change what state {s} says");
        }
        Ok(Self { dimension, next, labels, coordinate })
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
    /// For each residual the coordinate that is read next, and what is left.
    keys: Vec<(usize, Vec<i128>)>,
    numbers: HashMap<(usize, Vec<i128>), u32>,
    /// What each residual says of 0 (asked between digit blocks).
    at_zero: Vec<Label>,
    /// The successors that are known.
    next: Vec<[Option<u32>; 2]>,
}

enum Kind<'a> {
    /// u ↦ table(c + Σ uⱼvⱼ), a residual is the carry c and, last, the state. A digit of uⱼ adds vⱼ to the carry; after track t the automaton
    /// reads the parities of the coordinates `read[t]..read[t + 1]`, which later digits do not change, and c becomes its rounded-down half.
    Image { set: &'a Table, columns: Vec<Vec<i128>>, read: Vec<usize> },
    /// {x : a·x + b ≥ 0}, a residual is b: after the digits e, a·x' + ⌊(b + a·e)/2⌋ ≥ 0.
    HalfSpace(Vec<i128>),
    /// A finite set, a residual is the list of the rests of the elements that begin with the digits read.
    Finite(usize),
}

impl<'a> Part<'a> {
    fn new(kind: Kind<'a>, start: Vec<i128>) -> Self {
        let mut part = Self { kind, keys: vec![], numbers: HashMap::default(), at_zero: vec![], next: vec![] };
        part.add((0, start), 0);
        part
    }

    /// The table itself.
    pub fn set(set: &'a Table) -> Self {
        Self::moved(set, &vec![0; set.dimension])
    }

    /// x ↦ set(x − v); 0 where x − v has a negative entry.
    pub fn moved(set: &'a Table, v: &[i128]) -> Self {
        let unit = |i: usize| (0..set.dimension).map(|j| i128::from(i == j)).collect();
        let minus: Vec<i128> = v.iter().map(|x| -x).collect();
        Self::image(set, &minus, (0..set.dimension).map(unit).collect())
    }

    /// u ↦ set(c + Σ uⱼvⱼ) with the vectors vⱼ, at least one, as `columns`; 0 where that has a negative entry.
    pub fn image(set: &'a Table, c: &[i128], columns: Vec<Vec<i128>>) -> Self {
        let last = |i: &usize| columns.iter().rposition(|v| v[*i] != 0).unwrap_or(0);
        let done = |t: usize| (0..set.dimension).take_while(|i| last(i) <= t).count();
        let read = std::iter::once(0).chain((0..columns.len()).map(done)).collect();
        Self::new(Kind::Image { set, columns, read }, c.iter().copied().chain([0]).collect())
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

    fn add(&mut self, key: (usize, Vec<i128>), number: u32) {
        let rest = &key.1;
        self.at_zero.push(match &self.kind {
            _ if key.0 != 0 => 0,
            Kind::Image { set, .. } => {
                let (state, carry) = rest.split_last().expect("a key has a state");
                let state = u32::try_from(*state).expect("a state");
                if carry.iter().all(|&c| c >= 0) { set.label_from(state, carry) } else { 0 }
            }
            Kind::HalfSpace(_) => Label::from(rest[0] >= 0),
            Kind::Finite(d) => Label::from(rest.chunks_exact(*d).any(|point| point.iter().all(|&x| x == 0))),
        });
        self.keys.push(key.clone());
        self.numbers.insert(key, number);
        self.next.push([None; 2]);
    }

    /// The residual after the digit `bit` of the coordinate that is next.
    fn step(&mut self, residual: u32, bit: usize, dimension: usize, held: &mut Held) -> Checked<u32> {
        let at = residual as usize;
        if let Some(known) = self.next[at][bit] {
            return Ok(known);
        }
        let (track, key) = &self.keys[at];
        let target = ((track + 1) % dimension, self.kind.successor(*track, key.clone(), bit, dimension));
        let number = if let Some(&number) = self.numbers.get(&target) {
            number
        } else {
            let number = fits(self.keys.len())?;
            held.grow(32 * target.1.len() as u64 + 160)?;
            self.add(target, number);
            number
        };
        self.next[at][bit] = Some(number);
        Ok(number)
    }
}

impl Kind<'_> {
    fn successor(&self, track: usize, mut key: Vec<i128>, bit: usize, dimension: usize) -> Vec<i128> {
        let digit = i128::from(bit == 1);
        match self {
            Self::Image { set, columns, read } => {
                key.iter_mut().zip(&columns[track]).for_each(|(c, v)| *c += v * digit);
                let mut state = key.pop().expect("a key has a state");
                for c in &mut key[read[track]..read[track + 1]] {
                    let at = usize::try_from(state).expect("a state");
                    state = set.next[at][usize::from(c.rem_euclid(2) == 1)].into();
                    *c = c.div_euclid(2);
                }
                key.push(state);
            }
            Self::HalfSpace(a) => {
                key[0] += a[track] * digit;
                if track + 1 == dimension {
                    key[0] = key[0].div_euclid(2);
                }
            }
            Self::Finite(d) => {
                key = key.chunks_exact(*d).filter(|p| p[track] % 2 == digit).flatten().copied().collect();
                key.chunks_exact_mut(*d).for_each(|point| point[track] /= 2);
            }
        }
        key
    }
}

/// What is asked of the labels that the parts give a vector.
pub(crate) type Law<'a> = &'a dyn Fn(&[Label]) -> bool;

/// How a walk ends.
pub(crate) enum Walk {
    /// The law holds everywhere; these are the combinations of residuals.
    Holds(Explored),
    /// It fails at this vector, which has as few digits as possible.
    Fails(Vec<i128>),
    /// The combinations took up more than the numbers that were allowed.
    TooLong,
}

/// All combinations of residuals that were met.
pub(crate) struct Explored {
    pub next: Vec<[u32; 2]>,
    pub track: Vec<u8>,
    /// Whether the vector read so far is chosen.
    pub chosen: Vec<bool>,
}

/// Asks `law` at every vector of ℕᵈ; a vector where it fails, if there is one.
pub(crate) fn walk(d: usize, parts: &mut [Part<'_>], law: Law<'_>, meter: &Meter<'_>) -> Checked<Option<Vec<i128>>> {
    match explore(d, parts, &mut |labels| Ok(law(labels).then_some(false)), usize::MAX, meter)? {
        Walk::Holds(_) => Ok(None),
        Walk::Fails(vector) => Ok(Some(vector)),
        Walk::TooLong => refuse("the walk was given up"),
    }
}

/// Visits every reachable combination of residuals, as long as they take up at most `most` numbers. `visit` is asked at every vector of ℕᵈ
/// whether the law holds there (`None`: no), and then whether the vector is chosen.
pub(crate) fn explore(
    dimension: usize,
    parts: &mut [Part<'_>],
    visit: &mut dyn FnMut(&[Label]) -> Checked<Option<bool>>,
    most: usize,
    meter: &Meter<'_>,
) -> Checked<Walk> {
    let width = parts.len();
    // All combinations met, one after the other. Those of different tracks differ, as the residuals of each part do.
    let mut met: Vec<u32> = vec![0; width];
    let mut numbers: HashMap<Box<[u32]>, u32> = HashMap::from_iter([(vec![0; width].into(), 0)]);
    let mut explored = Explored { next: Vec::new(), track: vec![0], chosen: Vec::new() };
    let mut origin: Vec<(u32, bool)> = vec![(0, false)];
    let (mut labels, mut target): (Vec<Label>, Vec<u32>) = (vec![0; width], vec![0; width]);
    let mut held = meter.hold(0)?;
    let mut current = 0;
    while current < explored.track.len() {
        meter.steps(2 * width + 4)?;
        if met.len() > most {
            return Ok(Walk::TooLong);
        }
        let here = current * width;
        let track = explored.track[current];
        let mut chosen = false;
        if track == 0 {
            for ((label, part), &residual) in labels.iter_mut().zip(parts.iter()).zip(&met[here..]) {
                *label = part.at_zero[residual as usize];
            }
            match visit(&labels)? {
                Some(choice) => chosen = choice,
                None => return Ok(Walk::Fails(vector(dimension, &origin, current))),
            }
        }
        explored.chosen.push(chosen);
        let mut successors = [0; 2];
        for (bit, successor) in successors.iter_mut().enumerate() {
            for ((after, part), &residual) in target.iter_mut().zip(parts.iter_mut()).zip(&met[here..]) {
                *after = part.step(residual, bit, dimension, &mut held)?;
            }
            if let Some(&number) = numbers.get(target.as_slice()) {
                *successor = number;
            } else {
                *successor = fits(explored.track.len())?;
                held.grow(8 * width as u64 + 80)?;
                met.extend_from_slice(&target);
                numbers.insert(target.as_slice().into(), *successor);
                explored.track.push(if usize::from(track) + 1 == dimension { 0 } else { track + 1 });
                origin.push((fits(current)?, bit == 1));
            }
        }
        explored.next.push(successors);
        current += 1;
    }
    Ok(Walk::Holds(explored))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Failure;
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
            let inside: Vec<bool> = parts.iter().zip(&residuals).map(|(p, &r)| p.at_zero[r as usize] == 1).collect();
            let expected = [x % 2 == 0, x >= 3 && x % 2 == 1, x % 2 == 1, 2 * x <= 7, x == 3 || x == 6];
            assert_eq!(inside, expected, "{x}");
        }
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
