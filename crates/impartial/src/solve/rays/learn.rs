//! From data to an automaton.
//!
//! A state is a string w of digits, told apart from others by the elements of the set that begin with it: all ws with at most `reach` further
//! digits. Strings with the same such elements are taken as one state. This is a guess, and so is that a string without elements in sight has none.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use semilinear::numeration::{NOWHERE, System};
use semilinear::run::{Monitor, StopReason};

use super::far::Far;
use super::{Limits, Pairs, Recursion};
use crate::lattice::RayGame;

/// A string without elements is looked at with so many more digits before it is called dead.
const FURTHER: usize = 6;
/// So many rows, and positions, of the data are compared with a candidate.
const COMPARED_ROWS: usize = 20_000;
/// Where data of any size are to be had, so many rows at so many places between each power of 2 up to this one and the next are compared as well.
const FAR_ROWS: u64 = 1500;
const FAR_PLACES: u64 = 16;
const COMPARED_TO: u32 = 34;
/// Tables of so many states say how they grow.
const TOLD_FROM: usize = 1 << 14;

/// What is known of one value.
pub(super) enum Data {
    Far(Far),
    Strips(Pairs, usize),
    Box(Recursion, u16),
}

impl Data {
    pub(super) fn small(
        game: &RayGame,
        value: usize,
        limits: &Limits,
        monitor: &dyn Monitor,
    ) -> Result<Self, StopReason> {
        // Exact rows, and fewer where a search is to end soon.
        let rows = if limits.rows < 1 << 20 { limits.rows } else { 1 << [14, 18, 23][value.min(2)] };
        if let Some(far) = Far::new(game, rows, value, monitor)? {
            return Ok(Self::Far(far));
        }
        match Pairs::new(game, 2048.min(limits.rows), value, monitor) {
            Ok(Some(pairs)) => return Ok(Self::Strips(pairs, value)),
            // No rook moves, or a row whose element lies far out.
            Ok(None) | Err(StopReason::Size { .. }) => {}
            Err(why) => return Err(why),
        }
        let side = if game.dimension() == 1 { 256 } else { 24 };
        Self::in_box(game, value, side, limits, monitor)
    }

    fn in_box(
        game: &RayGame,
        value: usize,
        side: u64,
        limits: &Limits,
        monitor: &dyn Monitor,
    ) -> Result<Self, StopReason> {
        let value = u16::try_from(value).unwrap_or(u16::MAX - 2);
        let table = Recursion::new(game, &vec![side; game.dimension()], limits.cells, monitor)?;
        Ok(Self::Box(table.up_to(value, monitor)?, value))
    }

    /// More data, or `None` at the limit.
    pub(super) fn larger(
        &self,
        game: &RayGame,
        value: usize,
        limits: &Limits,
        monitor: &dyn Monitor,
    ) -> Result<Option<Self>, StopReason> {
        match self {
            Self::Strips(pairs, _) if pairs.rows() * 4 <= limits.rows => {
                Ok(Pairs::new(game, pairs.rows() * 4, value, monitor)?.map(|pairs| Self::Strips(pairs, value)))
            }
            Self::Far(_) | Self::Strips(..) => Ok(None),
            Self::Box(table, _) => {
                let side = table.sizes()[0] as u64 * 2;
                let cells = side.checked_pow(u32::try_from(game.dimension()).unwrap_or(u32::MAX));
                if cells.is_none_or(|cells| cells > limits.cells as u64) {
                    return Ok(None);
                }
                Self::in_box(game, value, side, limits, monitor).map(Some)
            }
        }
    }

    /// The number of positions looked at.
    pub(super) fn positions(&self) -> u64 {
        match self {
            Self::Far(far) => far.rows() as u64,
            Self::Strips(pairs, _) => pairs.rows() as u64,
            Self::Box(table, _) => table.sizes().iter().map(|&n| n as u64).product(),
        }
    }

    /// The elements of corner + [0, sizes), counted from the corner, in a fixed order; `None` when the data end before.
    fn elements(&self, corner: &[u64], sizes: &[u64], found: &mut dyn FnMut(&[u64])) -> Option<()> {
        match self {
            Self::Far(far) => return far.elements(corner, sizes, &mut |x, y| found(&[x - corner[0], y - corner[1]])),
            Self::Strips(pairs, g) => {
                let rows = pairs.rows() as u64;
                let (fits_x, fits_y) = (corner[0] + sizes[0] <= rows, corner[1] + sizes[1] <= rows);
                if fits_x {
                    for x in corner[0]..corner[0] + sizes[0] {
                        let y = pairs.column_of(*g, usize::try_from(x).ok()?)? as u64;
                        if let Some(y) = y.checked_sub(corner[1]).filter(|&y| y < sizes[1]) {
                            found(&[x - corner[0], y]);
                        }
                    }
                } else if fits_y {
                    let mut elements = Vec::new();
                    for y in corner[1]..corner[1] + sizes[1] {
                        let x = pairs.row_of(*g, usize::try_from(y).ok()?)? as u64;
                        if let Some(x) = x.checked_sub(corner[0]).filter(|&x| x < sizes[0]) {
                            elements.push([x, y - corner[1]]);
                        }
                    }
                    elements.sort_unstable();
                    for element in &elements {
                        found(element);
                    }
                } else {
                    return None;
                }
            }
            Self::Box(table, g) => {
                if corner.iter().zip(sizes).zip(table.sizes()).any(|((&c, &s), &n)| c + s > n as u64) {
                    return None;
                }
                let mut at = vec![0; corner.len()];
                let mut x = corner.to_vec();
                'cells: loop {
                    if table.value(&x) == Some(*g) {
                        found(&at);
                    }
                    for i in (0..at.len()).rev() {
                        at[i] += 1;
                        x[i] += 1;
                        if at[i] < sizes[i] {
                            continue 'cells;
                        }
                        at[i] = 0;
                        x[i] = corner[i];
                    }
                    break;
                }
            }
        }
        Some(())
    }

    /// Whether a position is an element; `None` where the data end.
    fn contains(&self, x: &[u64]) -> Option<bool> {
        match self {
            Self::Far(far) => far.contains(x[0], x[1]),
            Self::Strips(pairs, g) => {
                let [x, y] = [usize::try_from(x[0]).ok()?, usize::try_from(x[1]).ok()?];
                pairs.column_of(*g, x).map(|found| found == y).or_else(|| pairs.row_of(*g, y).map(|found| found == x))
            }
            Self::Box(table, g) => {
                let inside = x.iter().zip(table.sizes()).all(|(&x, &n)| x < n as u64);
                inside.then(|| table.value(x) == Some(*g))
            }
        }
    }

    /// Whether every row has exactly one element: with both rook moves, and with what the data know to be so.
    pub(super) fn has_full_rows(&self) -> bool {
        !matches!(self, Self::Box(..))
    }

    /// The element in a row, where each has one and the data reach.
    pub(super) fn in_row(&self, x: u64) -> Option<Vec<u64>> {
        let y = match self {
            Self::Far(far) => far.partner(x)?,
            Self::Strips(pairs, g) => pairs.column_of(*g, usize::try_from(x).ok()?)? as u64,
            Self::Box(..) => return None,
        };
        Some(vec![x, y])
    }

    /// Positions, at most `most`, at which a candidate disagrees with the data: elements of the first rows that it lacks, or any positions of a box.
    pub(super) fn mismatches(
        &self,
        accepts: &dyn Fn(&[u64]) -> bool,
        most: usize,
        monitor: &dyn Monitor,
    ) -> Result<Vec<Vec<u64>>, StopReason> {
        let mut wrong: Vec<Vec<u64>> = Vec::new();
        match self {
            Self::Far(far) => {
                let rows = (far.rows() as u64 / 4).min(1 << 18);
                // Beyond the first rows some between each power of 2 and the next, at places that look random.
                let somewhere = |i: u32, j: u64| (1 << i) + (j.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - i));
                // P is small, and proved sooner than compared.
                let to = if far.top() == 0 { 0 } else { COMPARED_TO };
                let far_rows =
                    (18..to).flat_map(|i| (0..FAR_PLACES).map(move |j| somewhere(i, j))).flat_map(|x| x..x + FAR_ROWS);
                for x in (0..rows).chain(far_rows) {
                    if x % 512 == 0 {
                        monitor.check(x, None)?;
                    }
                    if let Some(y) = far.partner(x)
                        && !accepts(&[x, y])
                    {
                        wrong.push(vec![x, y]);
                    }
                    if wrong.len() == most {
                        break;
                    }
                }
            }
            Self::Strips(pairs, g) => {
                for x in 0..pairs.rows().min(COMPARED_ROWS) {
                    if x % 512 == 0 {
                        monitor.check(x as u64, None)?;
                    }
                    let pair = [x as u64, pairs.column_of(*g, x).unwrap_or(0) as u64];
                    if !accepts(&pair) {
                        wrong.push(pair.to_vec());
                    }
                    if wrong.len() == most {
                        break;
                    }
                }
            }
            Self::Box(table, g) => {
                // A cube of at most as many positions, at the origin.
                let d = u32::try_from(table.sizes().len()).unwrap_or(1);
                let mut side = table.sizes()[0];
                while side > 1 && side.checked_pow(d).is_none_or(|cells| cells > COMPARED_ROWS) {
                    side -= 1;
                }
                let mut x = vec![0_u64; table.sizes().len()];
                loop {
                    monitor.check(0, None)?;
                    if (table.value(&x) == Some(*g)) != accepts(&x) {
                        wrong.push(x.clone());
                    }
                    let last = wrong.len() == most;
                    let Some(i) = (0..x.len()).rev().find(|&i| x[i] + 1 < side as u64).filter(|_| !last) else { break };
                    x[i] += 1;
                    x[i + 1..].fill(0);
                }
            }
        }
        Ok(wrong)
    }
}

/// What comes of data and a reach.
pub(super) enum Attempt {
    Table(Candidate),
    /// A string whose elements lie beyond the data.
    BeyondData,
    TooManyStates,
}

/// A table of strings, closed under digits.
pub(super) struct Candidate {
    /// Transitions and accepting states.
    pub(super) next: Vec<u32>,
    pub(super) accepting: Vec<u32>,
    /// For each state the string that stands for it, and what told it apart.
    states: Vec<(Prefix, u128)>,
}

impl Candidate {
    pub(super) fn states(&self) -> usize {
        self.states.len()
    }
}

/// A string of digits for each coordinate, with the states of the valid strings that they lead to.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Prefix {
    digits: Vec<Vec<u8>>,
    states: Vec<u32>,
}

/// What tells strings without elements apart from others.
const DEAD: u128 = 0;

/// Strings are told apart by their elements with at most `reach` further digits, and where a candidate was found wrong by single strings that follow.
pub(super) struct Learner {
    system: Arc<System>,
    dimension: usize,
    reach: usize,
    weights: Vec<u64>,
    /// How many valid strings of each length follow each state: the values of these strings are 0, 1, 2, …
    counts: Vec<Vec<u64>>,
    /// For the strings looked at before what tells them apart as far as was asked, and whether no element of theirs was seen.
    known: FxHashMap<Prefix, (u128, bool)>,
    /// For what tells a state apart, the letters that follow and tell more: a tree.
    splits: FxHashMap<u128, Vec<usize>>,
    /// How many rows of the data the strings were told apart by.
    read: u64,
}

impl Learner {
    pub(super) fn new(system: &Arc<System>, dimension: usize, reach: usize) -> Self {
        Self {
            system: system.clone(),
            dimension,
            reach,
            weights: system.machine_weights(),
            counts: counts(system, reach + FURTHER),
            known: FxHashMap::default(),
            splits: FxHashMap::default(),
            read: 0,
        }
    }

    /// How many rows of the data were read to tell strings apart, each as often as it was read.
    pub(super) fn rows_read(&self) -> u64 {
        self.read
    }

    /// The automaton of the strings told apart, with at most so many states.
    pub(super) fn candidate(&mut self, data: &Data, most: usize, monitor: &dyn Monitor) -> Result<Attempt, StopReason> {
        let base = self.system.base();
        let letters = base.pow(u32::try_from(self.dimension).unwrap_or(u32::MAX));
        let start = Prefix { digits: vec![vec![]; self.dimension], states: vec![0; self.dimension] };
        let Some(first) = self.key(data, &start) else { return Ok(Attempt::BeyondData) };
        let mut ids: FxHashMap<u128, u32> = FxHashMap::default();
        ids.insert(first, 0);
        let mut states = vec![(start, first)];
        let (mut next, mut accepting) = (Vec::new(), Vec::new());
        let mut at = 0;
        while at < states.len() {
            monitor.check(at as u64, None)?;
            if at >= TOLD_FROM && at.is_power_of_two() {
                let (found, read) = (states.len(), self.read);
                monitor.trace(&|| format!("{at} of {found} states followed, {read} rows read"));
            }
            let prefix = states[at].0.clone();
            if self.follows(data, &prefix, &[]) == Some(true) {
                accepting.push(semilinear::vectorset::id(at));
            }
            for letter in 0..letters {
                let mut longer = prefix.clone();
                self.append(&mut longer, letter);
                if longer.states.contains(&NOWHERE) {
                    next.push(NOWHERE);
                    continue;
                }
                let Some(key) = self.key(data, &longer) else { return Ok(Attempt::BeyondData) };
                if key == DEAD {
                    next.push(NOWHERE);
                    continue;
                }
                let fresh = semilinear::vectorset::id(states.len());
                let id = *ids.entry(key).or_insert(fresh);
                if id == fresh {
                    if states.len() == most {
                        return Ok(Attempt::TooManyStates);
                    }
                    states.push((longer, key));
                }
                next.push(id);
            }
            at += 1;
        }
        Ok(Attempt::Table(Candidate { next, accepting, states }))
    }

    /// Appends a letter to a string; leading zeros are left out.
    fn append(&self, prefix: &mut Prefix, letter: usize) {
        let mut rest = letter;
        for i in (0..self.dimension).rev() {
            let digit = rest % self.system.base();
            prefix.digits[i].push(u8::try_from(digit).unwrap_or(u8::MAX));
            prefix.states[i] =
                if prefix.states[i] == NOWHERE { NOWHERE } else { self.system.valid().step(prefix.states[i], digit) };
            rest /= self.system.base();
        }
        if prefix.digits.iter().all(|digits| digits.len() == 1 && digits[0] == 0) {
            prefix.digits.iter_mut().for_each(Vec::clear);
        }
    }

    /// Learns from a position at which a candidate is wrong: on its way some string was taken for another one, and the letters that follow tell them
    /// apart. `false` when the data say nothing new.
    pub(super) fn learn(&mut self, data: &Data, candidate: &Candidate, x: &[u64]) -> bool {
        let word = self.word(x);
        let letters = candidate.next.len() / candidate.states.len();
        let mut states = vec![0];
        for &letter in &word {
            let state = states[states.len() - 1];
            states.push(if state == NOWHERE { NOWHERE } else { candidate.next[state as usize * letters + letter] });
        }
        // What the data say of the string of the state after i letters, followed by the rest of the word; nowhere is wrong for all.
        let answer = |i: usize| match states[i] {
            NOWHERE => Some(false),
            state => self.follows(data, &candidate.states[state as usize].0, &word[i..]),
        };
        // Somewhere between different answers two neighbours differ.
        let (mut low, mut high) = (0, word.len());
        let (first, last) = (answer(low), answer(high));
        while first.is_some() && last.is_some() && first != last && high - low > 1 {
            let middle = usize::midpoint(low, high);
            match answer(middle) {
                None => break,
                found if found == first => low = middle,
                _ => high = middle,
            }
        }
        // Where the data end in between, one after the other is asked.
        let differs = |i: &usize| matches!((answer(i - 1), answer(*i)), (Some(a), Some(b)) if a != b);
        let Some(at) = (low + 1..=high).find(differs) else { return false };
        let (state, rest) = (states[at], &word[at..]);
        let mut class = if state == NOWHERE { DEAD } else { candidate.states[state as usize].1 };
        // Another position of this round may have split the class already: follow the string that stands for it.
        while let Some(split) = self.splits.get(&class) {
            if split == rest {
                return false;
            }
            class = if state == NOWHERE {
                dead_after(split)
            } else {
                let answer = self.follows(data, &candidate.states[state as usize].0, split);
                split_key(class, answer == Some(true))
            };
        }
        self.splits.insert(class, rest.to_vec());
        true
    }

    /// Whether a candidate accepts a position.
    pub(super) fn accepts(&self, candidate: &Candidate, x: &[u64]) -> bool {
        let largest = x.iter().copied().max().unwrap_or(0);
        let length = self.weights.partition_point(|&w| w <= largest);
        let letters = candidate.next.len() / candidate.states.len();
        let mut rest = x.to_vec();
        let mut state = 0;
        for weight in self.weights[..length].iter().rev() {
            let letter = rest.iter_mut().fold(0, |letter, rest| {
                let digit = *rest / weight;
                *rest -= digit * weight;
                letter * self.system.base() + usize::try_from(digit).unwrap_or(0)
            });
            state = candidate.next[state as usize * letters + letter];
            if state == NOWHERE {
                return false;
            }
        }
        candidate.accepting.binary_search(&state).is_ok()
    }

    /// The letters of a position.
    fn word(&self, x: &[u64]) -> Vec<usize> {
        let digits: Vec<Vec<u8>> = x.iter().map(|&x| self.system.digits(&x.into())).collect();
        let length = digits.iter().map(Vec::len).max().unwrap_or(0);
        let digit = |d: &Vec<u8>, at: usize| (at + d.len()).checked_sub(length).map_or(0, |i| usize::from(d[i]));
        (0..length).map(|at| digits.iter().fold(0, |letter, d| letter * self.system.base() + digit(d, at))).collect()
    }

    /// Whether a string followed by letters is an element; `None` where the data end.
    fn follows(&self, data: &Data, prefix: &Prefix, word: &[usize]) -> Option<bool> {
        let mut whole = prefix.clone();
        for &letter in word {
            self.append(&mut whole, letter);
        }
        if !whole.states.iter().all(|&s| s != NOWHERE && self.system.valid().accepts(s)) {
            return Some(false);
        }
        let x: Vec<u64> = whole.digits.iter().map(|digits| self.value(digits, 0)).collect::<Option<_>>()?;
        data.contains(&x)
    }

    /// The value of digits with n zeros after them.
    fn value(&self, digits: &[u8], n: usize) -> Option<u64> {
        digits.iter().rev().enumerate().try_fold(0_u64, |sum, (i, &digit)| {
            if digit == 0 {
                return Some(sum);
            }
            sum.checked_add(self.weights.get(i + n)?.checked_mul(digit.into())?).filter(|&sum| sum < 1 << 60)
        })
    }

    /// The elements that begin with a string and have n more digits.
    fn elements(&mut self, data: &Data, prefix: &Prefix, n: usize, found: &mut dyn FnMut(&[u64])) -> Option<()> {
        let corner: Vec<u64> = prefix.digits.iter().map(|digits| self.value(digits, n)).collect::<Option<_>>()?;
        let sizes: Vec<u64> = prefix.states.iter().map(|&s| self.counts[n][s as usize]).collect();
        if sizes.contains(&0) {
            return Some(());
        }
        self.read += sizes[0];
        data.elements(&corner, &sizes, found)
    }

    /// What tells a string apart; `None` when the data do not reach.
    fn key(&mut self, data: &Data, prefix: &Prefix) -> Option<u128> {
        let known = self.known.get(prefix).copied();
        let (mut class, mut dead) = match known {
            Some(known) => known,
            None => self.by_elements(data, prefix).map(|key| (key, key == DEAD))?,
        };
        // Strings that are taken for dead are one class, whatever was asked of them, until an answer is yes.
        while let Some(split) = self.splits.get(&class) {
            let answer = self.follows(data, prefix, split)?;
            class = if dead && !answer { dead_after(split) } else { split_key(class, answer) };
            dead &= !answer;
        }
        if known != Some((class, dead)) {
            self.known.insert(prefix.clone(), (class, dead));
        }
        Some(if dead { DEAD } else { class })
    }

    /// The elements with few further digits, as a number.
    fn by_elements(&mut self, data: &Data, prefix: &Prefix) -> Option<u128> {
        let mut key = Key::new();
        let mut any = false;
        for n in 0..=self.reach {
            key.add(u64::MAX);
            self.elements(data, prefix, n, &mut |x| {
                any = true;
                for &x in x {
                    key.add(x);
                }
            })?;
        }
        for n in self.reach + 1..=self.reach + FURTHER {
            // Beyond the data nothing is seen: the equation will tell.
            if any || self.elements(data, prefix, n, &mut |_| any = true).is_none() {
                break;
            }
        }
        Some(if any { key.0 } else { DEAD })
    }
}

/// What tells apart the two halves of a class.
fn split_key(class: u128, answer: bool) -> u128 {
    let mut key = Key(class);
    key.add(u64::from(answer));
    key.add(u64::MAX - 1);
    key.0
}

/// The next question to strings that have no element with these letters, and none before.
fn dead_after(split: &[usize]) -> u128 {
    let mut key = Key(1);
    for &letter in split {
        key.add(letter as u64);
    }
    key.0
}

/// A number of 128 bits for a list of numbers: different lists have different ones but for bad luck, which the equation would tell.
struct Key(u128);

impl Key {
    fn new() -> Self {
        Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }

    fn add(&mut self, x: u64) {
        let mixed = (self.0 ^ u128::from(x)).wrapping_mul(0x2d99_787a_926d_46df_9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 67);
    }
}

fn counts(system: &System, lengths: usize) -> Vec<Vec<u64>> {
    let valid = system.valid();
    let states = 0..semilinear::vectorset::id(valid.states());
    let mut counts: Vec<Vec<u64>> = vec![states.clone().map(|s| u64::from(valid.accepts(s))).collect()];
    for n in 0..lengths {
        let after = |s: u32| {
            (0..system.base()).fold(0_u64, |sum, digit| {
                let t = valid.step(s, digit);
                if t == NOWHERE { sum } else { sum.saturating_add(counts[n][t as usize]) }
            })
        };
        let next = states.clone().map(after).collect();
        counts.push(next);
    }
    counts
}
