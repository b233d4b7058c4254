//! Form "ranks": misère play of a take-and-break code for heaps of every size, when heaps are compared by their ranks.
//!
//! The conditions are R0 to R4 of `docs/theory/ranks.md`, which proves that they suffice. Every heap has a rank and a letter; an automaton
//! reads the letters of a sum from the largest rank down, with a step between one rank and the next. A *zone* is a rank below the top, or
//! the top, which stands for all ranks from there on.

mod checks;
mod pairs;

use std::collections::BTreeSet;

use crate::format::HeapGame;
use crate::heap::Code;
use crate::json::objects;
use crate::meter::{Held, Meter};
use crate::{Checked, refuse};
use checks::Checks;

/// Larger numbers are refused.
const MOST: u32 = 1024;

struct Claim {
    code: Code,
    /// From this heap on letters are periodic: its period has rank 1, the next one rank 2. Heaps below it have rank 0.
    first: usize,
    period: usize,
    /// Parts of a lower rank than this are followed, with the part beside them.
    near: usize,
    letters: Vec<usize>,
    /// For each state the state one rank further down, and those after the letters 1, 2, …
    next: Vec<Vec<usize>>,
    accepting: Vec<bool>,
    /// For each letter whether it does not matter at which rank it is read.
    floats: Vec<bool>,
}

/// Where a part of an option is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// So many ranks further down.
    Down(usize),
    /// At this rank.
    At(usize),
    /// At some rank that is at least so much further down, and not below `near`; the player may choose it.
    Somewhere(usize),
    /// Two such parts side by side, at a rank that the player may not choose.
    Twins(usize),
}

/// The parts of an option that were not read yet: letters and their places.
type Parts = Vec<(usize, Place)>;

/// Heaps of one zone with the same letter and the same options.
#[derive(Default, PartialEq, Eq, PartialOrd, Ord)]
struct Kind {
    letter: usize,
    /// Options that every such heap has.
    sure: BTreeSet<Parts>,
    /// Together with the sure ones, all that such a heap may have.
    wide: BTreeSet<Parts>,
    /// The split into two equal parts, when it is not sure.
    twins: BTreeSet<Parts>,
}

objects! {
    /// The certificate.
    Certificate {
        first: u32, period: u32, near: u32, letters: Vec<u32>, next: Vec<Vec<u32>>, accepting: Vec<u32>,
    }
}

pub(crate) fn check(game: &HeapGame, file: Certificate, meter: &Meter<'_>) -> Checked<String> {
    meter.extension("ranks");
    let claim = Claim::read(game, file, meter)?;
    let mut held = meter.hold(0)?;
    let top = claim.top();
    let last = claim.start(top + 2);
    meter.foresee(claim.code.cost(last).saturating_mul(last as u64))?;
    let kinds = (0..=top).map(|zone| claim.kinds(zone, meter, &mut held)).collect::<Checked<_>>()?;
    let checks = Checks { claim: &claim, kinds, meter };
    let mut pairs = checks.no_move_to_p()?;
    checks.some_move_to_p(&mut pairs)?;
    Ok(format!(
        "in misère play the outcome of every sum of heaps of any size is what the automaton with {} states says that reads it by falling ranks: \
         letters with period {} from heap {} on, a rank more in each period",
        claim.next.len(),
        claim.period,
        claim.first
    ))
}

impl Claim {
    fn read(game: &HeapGame, file: Certificate, meter: &Meter<'_>) -> Checked<Self> {
        let code = Code::new(game)?;
        if code.repeat > 0 || code.digits.iter().any(|&d| d > 7) {
            return refuse("game: ranks are for codes that end and leave at most two heaps");
        }
        let Certificate { first, period, near, letters, next, accepting } = file;
        if [first, period, near].iter().any(|n| !(1..=MOST).contains(n)) {
            return refuse(format!("certificate: first, period or near is not from 1 to {MOST}"));
        }
        let sizes = |list: Vec<u32>| list.into_iter().map(|n| n as usize).collect::<Vec<_>>();
        let (first, period, near, letters) = (first as usize, period as usize, near as usize, sizes(letters));
        let next: Vec<Vec<usize>> = next.into_iter().map(sizes).collect();
        let (states, width) = (next.len(), next.first().map_or(0, Vec::len));
        if letters.len() != first + period || letters[0] != 0 || letters.iter().any(|&l| l >= width) {
            return refuse(format!(
                "certificate.letters: not those of the heaps 0 to {}, below {width} and 0 for heap 0",
                first + period - 1
            ));
        }
        if next.iter().any(|row| row.len() != width || row.iter().any(|&q| q >= states)) {
            return refuse("certificate.next: not one state for each state and letter");
        }
        // Letters that may stand at the same rank.
        for together in [&letters[..first], &letters[first..]] {
            let together: BTreeSet<usize> = together.iter().copied().filter(|&l| l != 0).collect();
            meter.work((states as u64).saturating_mul((together.len() as u64).pow(2)))?;
            for (row, x, y) in next.iter().flat_map(|row| pairs(&together).map(move |(x, y)| (row, x, y))) {
                refuse_if!(next[row[x]][y] != next[row[y]][x], "certificate.next: letters {x} and {y} do not commute");
            }
        }
        refuse_if!(next[0][0] != 0, "certificate.next: an empty rank leads away from state 0");
        let mut ends = vec![false; states];
        for q in sizes(accepting) {
            refuse_if!(q >= states || ends[q], "certificate.accepting: {q} is no state, or stands twice");
            ends[q] = true;
        }
        refuse_if!(ends[0], "certificate.accepting: the empty sum is no P-position in misère play");
        let after = |q: usize, letter: usize| if letter == 0 { q } else { next[q][letter] };
        let floats = |letter| (0..states).all(|q| after(next[q][0], letter) == next[after(q, letter)][0]);
        let floats = (0..width).map(floats).collect();
        Ok(Self { code, first, period, near, letters, next, accepting: ends, floats })
    }

    fn rank(&self, heap: usize) -> usize {
        if heap < self.first { 0 } else { 1 + (heap - self.first) / self.period }
    }

    /// The first heap of a rank.
    fn start(&self, rank: usize) -> usize {
        rank.checked_sub(1).map_or(1, |before| self.first + self.period * before)
    }

    fn letter(&self, heap: usize) -> usize {
        self.letters[if heap < self.first { heap } else { self.first + (heap - self.first) % self.period }]
    }

    /// The state after a letter; letter 0 changes nothing.
    fn after(&self, state: usize, letter: usize) -> usize {
        if letter == 0 { state } else { self.next[state][letter] }
    }

    /// Heaps below this one are the parts that are followed.
    fn small(&self) -> usize {
        self.start(self.near)
    }

    /// From this rank on, what is left of a heap beside a followed part is not followed itself.
    fn top(&self) -> usize {
        2 + (2 * self.small() + self.code.digits.len()).div_ceil(self.period)
    }

    /// The heaps of a zone; those without an option must have letter 0, and are left out. Two ranks stand for all those of the top
    /// zone, since halves repeat with twice the period.
    fn kinds(&self, zone: usize, meter: &Meter<'_>, held: &mut Held) -> Checked<Vec<Kind>> {
        let (top, small) = (zone == self.top(), self.small());
        let mut kinds = BTreeSet::new();
        for heap in self.start(zone)..self.start(zone + if top { 2 } else { 1 }) {
            let (letter, rank) = (self.letter(heap), self.rank(heap));
            let mut kind = Kind { letter, ..Kind::default() };
            self.code.options(heap, meter, &mut |parts| {
                let part = |&part: &usize| {
                    let own = self.rank(part);
                    let letter = self.letter(part);
                    let place = if part >= self.first && self.floats[letter] {
                        Place::Down(0)
                    } else if top && part >= small {
                        Place::Down(rank - own)
                    } else {
                        Place::At(own)
                    };
                    (letter, place)
                };
                match *parts {
                    // What the splits say.
                    [a, b] if top && a >= small && (a != b || self.floats[self.letter(a)]) => {}
                    [a, b] if top && a >= small => {
                        kind.twins.insert(vec![(self.letter(a), Place::Twins(rank - self.rank(b)))]);
                    }
                    _ => {
                        kind.sure.insert(sorted(parts.iter().map(part)));
                    }
                }
                Ok(())
            })?;
            if top {
                self.splits((heap - self.first) % self.period, &mut kind, meter)?;
            }
            held.grow(((kind.sure.len() + kind.wide.len()) as u64).saturating_mul(8 * size_of::<Parts>() as u64))?;
            if !kind.sure.is_empty() || !kind.wide.is_empty() {
                kinds.insert(kind);
            } else if letter != 0 {
                return refuse(format!("certificate.letters: heap {heap} has no option, but another letter than 0"));
            }
        }
        Ok(kinds.into_iter().collect())
    }

    /// The splits of a heap of the top zone into two parts that are not followed: all pairs of classes that add up, at ranks s, t ≥ near
    /// with s + t + e = 1 + the rank of the heap. All s from near on occur, but only one of the two ranks may be chosen: such
    /// a split is sure when it does not matter where the other part is read.
    fn splits(&self, class: usize, kind: &mut Kind, meter: &Meter<'_>) -> Checked {
        let fours = (0..self.code.digits.len()).filter(|&k| self.code.digits[k] & 4 != 0);
        for taken in fours {
            meter.steps(8 * self.period)?;
            for x in 0..self.period {
                let one = x + self.first + taken;
                // The class of the other part: both add up to the class.
                let y = (class + self.period - one % self.period) % self.period;
                let e = (one + y - class) / self.period;
                let part = |class: usize| {
                    let letter = self.letters[self.first + class];
                    (letter, if self.floats[letter] { Place::Down(0) } else { Place::Somewhere(e + self.near - 1) })
                };
                let parts = sorted([x, y].into_iter().map(part));
                let open = parts.iter().filter(|part| matches!(part.1, Place::Somewhere(_))).count();
                if open == 2 { &mut kind.wide } else { &mut kind.sure }.insert(parts);
            }
        }
        Ok(())
    }
}

/// Two different members of a set, the larger one first.
fn pairs(set: &BTreeSet<usize>) -> impl Iterator<Item = (usize, usize)> {
    set.iter().flat_map(|&x| set.range(..x).map(move |&y| (x, y)))
}

/// Parts in order, without those of letter 0.
fn sorted(parts: impl Iterator<Item = (usize, Place)>) -> Parts {
    let mut parts: Parts = parts.filter(|part| part.0 != 0).collect();
    parts.sort_unstable();
    parts
}
