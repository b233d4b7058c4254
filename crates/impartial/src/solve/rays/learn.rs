//! From data to an automaton.
//!
//! A state is a string w of digits, told apart from others by the elements of the set that begin with it: all ws with at most `reach` further
//! digits. Strings with the same such elements are taken as one state. This is a guess, and so is that a string without elements in sight has none.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use rustc_hash::FxHashMap;
use semilinear::numeration::{DigitSet, NOWHERE, System};
use semilinear::run::{Monitor, StopReason};

use super::{Limits, Pairs, Recursion};
use crate::lattice::RayGame;

/// A string without elements is looked at with so many more digits before it is called dead.
const FURTHER: usize = 6;
/// So many rows, and positions, of the data are compared with a candidate.
const COMPARED_ROWS: usize = 20_000;

/// What is known of one value.
pub(super) enum Data {
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
            Self::Strips(..) => Ok(None),
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
            Self::Strips(pairs, _) => pairs.rows() as u64,
            Self::Box(table, _) => table.sizes().iter().map(|&n| n as u64).product(),
        }
    }

    /// The elements of corner + [0, sizes), counted from the corner, in a fixed order; `None` when the data end before.
    fn elements(&self, corner: &[u64], sizes: &[u64], found: &mut dyn FnMut(&[u64])) -> Option<()> {
        match self {
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

    /// Whether a set agrees with the data: every row has its element in the set, or every position of the box is right.
    pub(super) fn agrees(&self, set: &DigitSet, monitor: &dyn Monitor) -> Result<bool, StopReason> {
        match self {
            Self::Strips(pairs, g) => {
                for x in 0..pairs.rows().min(COMPARED_ROWS) {
                    if x % 512 == 0 {
                        monitor.check(x as u64, None)?;
                    }
                    let y = pairs.column_of(*g, x).unwrap_or(0);
                    if !set.contains_small(&[x as u64, y as u64]) {
                        return Ok(false);
                    }
                }
                Ok(true)
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
                    if (table.value(&x) == Some(*g)) != set.contains_small(&x) {
                        return Ok(false);
                    }
                    let Some(i) = (0..x.len()).rev().find(|&i| x[i] + 1 < side as u64) else { return Ok(true) };
                    x[i] += 1;
                    x[i + 1..].fill(0);
                }
            }
        }
    }
}

/// What comes of data and a reach.
pub(super) enum Attempt {
    /// Transitions and accepting states.
    Table(Vec<u32>, Vec<u32>),
    /// A string whose elements lie beyond the data.
    BeyondData,
    TooManyStates,
}

/// A string of digits for each coordinate, with the states of the valid strings that they lead to.
#[derive(Clone)]
struct Prefix {
    digits: Vec<Vec<u8>>,
    states: Vec<u32>,
}

/// The automaton whose states are told apart by strings of up to `reach` digits.
pub(super) fn candidate(
    system: &Arc<System>,
    dimension: usize,
    data: &Data,
    reach: usize,
    most: usize,
    monitor: &dyn Monitor,
) -> Result<Attempt, StopReason> {
    let base = system.base();
    let letters = base.pow(u32::try_from(dimension).unwrap_or(u32::MAX));
    let learner = Learner { data, weights: system.machine_weights(), counts: counts(system, reach + FURTHER) };
    let start = Prefix { digits: vec![vec![]; dimension], states: vec![0; dimension] };
    let Some(first) = learner.key(&start, reach) else { return Ok(Attempt::BeyondData) };
    let mut ids: FxHashMap<u128, u32> = FxHashMap::default();
    ids.insert(first.unwrap_or(0), 0);
    let mut prefixes = vec![start];
    let (mut next, mut accepting) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < prefixes.len() {
        monitor.check(at as u64, None)?;
        let prefix = prefixes[at].clone();
        let mut accepts = false;
        if prefix.states.iter().all(|&s| system.valid().accepts(s)) {
            learner.elements(&prefix, 0, &mut |_| accepts = true);
        }
        if accepts {
            accepting.push(semilinear::vectorset::id(at));
        }
        for letter in 0..letters {
            let mut longer = prefix.clone();
            let mut rest = letter;
            for i in (0..dimension).rev() {
                longer.digits[i].push(u8::try_from(rest % base).unwrap_or(u8::MAX));
                longer.states[i] = system.valid().step(longer.states[i], rest % base);
                rest /= base;
            }
            if longer.states.contains(&NOWHERE) {
                next.push(NOWHERE);
                continue;
            }
            if longer.digits.iter().all(|digits| digits.len() == 1 && digits[0] == 0) {
                longer.digits.iter_mut().for_each(Vec::clear);
            }
            let Some(key) = learner.key(&longer, reach) else { return Ok(Attempt::BeyondData) };
            let Some(key) = key else {
                next.push(NOWHERE);
                continue;
            };
            let fresh = semilinear::vectorset::id(prefixes.len());
            let id = *ids.entry(key).or_insert(fresh);
            if id == fresh {
                if prefixes.len() == most {
                    return Ok(Attempt::TooManyStates);
                }
                prefixes.push(longer);
            }
            next.push(id);
        }
        at += 1;
    }
    Ok(Attempt::Table(next, accepting))
}

struct Learner<'a> {
    data: &'a Data,
    weights: Vec<u64>,
    /// How many valid strings of each length follow each state: the values of these strings are 0, 1, 2, …
    counts: Vec<Vec<u64>>,
}

impl Learner<'_> {
    /// The elements that begin with a string and have n more digits.
    fn elements(&self, prefix: &Prefix, n: usize, found: &mut dyn FnMut(&[u64])) -> Option<()> {
        let value = |digits: &Vec<u8>| -> Option<u64> {
            digits.iter().rev().enumerate().try_fold(0_u64, |sum, (i, &digit)| {
                sum.checked_add(self.weights.get(i + n)?.checked_mul(digit.into())?).filter(|&sum| sum < 1 << 60)
            })
        };
        let corner: Vec<u64> = prefix.digits.iter().map(value).collect::<Option<_>>()?;
        let sizes: Vec<u64> = prefix.states.iter().map(|&s| self.counts[n][s as usize]).collect();
        if sizes.contains(&0) {
            return Some(());
        }
        self.data.elements(&corner, &sizes, found)
    }

    /// What tells a string apart: `Some(None)` for one without elements, `None` when the data do not reach.
    #[allow(clippy::option_option)] // two different nothings
    fn key(&self, prefix: &Prefix, reach: usize) -> Option<Option<u128>> {
        let (mut one, mut two) = (DefaultHasher::new(), DefaultHasher::new());
        1_u8.hash(&mut two);
        let mut any = false;
        for n in 0..=reach {
            n.hash(&mut one);
            n.hash(&mut two);
            self.elements(prefix, n, &mut |x| {
                any = true;
                x.hash(&mut one);
                x.hash(&mut two);
            })?;
        }
        if !any {
            for n in reach + 1..=reach + FURTHER {
                // Beyond the data nothing is seen: the equation will tell.
                if self.elements(prefix, n, &mut |_| any = true).is_none() || any {
                    break;
                }
            }
            if !any {
                return Some(None);
            }
        }
        Some(Some(u128::from(one.finish()) << 64 | u128::from(two.finish())))
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
