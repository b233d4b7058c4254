//! The functions f_{B,0} … f_{B,K} of one order ideal, column by column, until a state repeats.
//!
//! Positions (B, m, n) with the same B and m are a *column*. `docs/theory/chains.md` proves the exact
//! recursion used here (valid in all columns), the window |n − m| ≤ |B| + K that holds every value up
//! to K, and that from a certain column on the next values depend only on the state remembered here.

use num_integer::Integer as _;
use rustc_hash::FxHashMap;

use super::branch::{Branch, NONE};
use super::ideals::{Ideal, NEVER};
use crate::poset::chains::{Cross, Slope};
use semilinear::run::{Monitor, StopReason};

/// Columns are filled in blocks of at most this many, so that the lists of the inputs are read in order.
const LONGEST_BLOCK: u32 = 256;
/// A block takes at most this many words; when not even one column fits, the run is given up.
const BLOCK_WORDS: usize = 1 << 23;
/// At most this many columns are computed for one ideal.
const MOST_COLUMNS: u32 = 1 << 26;

/// What is known to give an option of value j in the present and all later columns.
#[derive(Clone, Debug)]
struct Covered {
    /// Bit n + reach: (B, m, n) has an option of value j.
    bits: Vec<u64>,
    /// The same holds for every n from here on.
    from: u32,
    /// The same holds for all n.
    all: bool,
}

/// Something that begins to hold, or holds only, in one column.
enum Event {
    /// From this column on, n has an option of value j.
    Cover(u32),
    /// From this column on, all n from here have one.
    From(u32),
    /// From this column on, all n have one.
    All,
    /// In this column only, all n have one.
    AllHere,
}

/// Solves f_{B,0} … f_{B,K} for one ideal; `solved` holds the solutions of all smaller ideals.
///
/// # Complexity
/// Each column costs O((K + 1)(moves + (|B| + K)/64)); the number of columns is at most the first
/// settled column plus 4^{|B| + K} times the least common multiple of the inputs' periods (Byrnes,
/// Lemma 9), in practice the settled column plus one or two such multiples.
pub fn solve_ideal(
    cross: &Cross,
    solved: &[Vec<Branch>],
    ideal: &Ideal,
    values: u32,
    monitor: &dyn Monitor,
) -> Result<Vec<Branch>, StopReason> {
    Columns::new(cross, solved, ideal, values)?.run(monitor)
}

struct Columns<'a> {
    ideal: &'a Ideal,
    cross: &'a Cross,
    solved: &'a [Vec<Branch>],
    /// Number of values: K + 1.
    count: usize,
    /// |B| + K: the values up to K lie within |n − m| ≤ reach.
    reach: u32,
    /// Words of a window.
    words: usize,
    covered: Vec<Covered>,
    lists: Vec<Vec<u32>>,
    /// Sorted by column, the last first.
    events: Vec<(u32, usize, Event)>,
    /// For each value: the column from which its inputs are periodic, and their common period.
    inputs: Vec<(u32, Option<u64>)>,
    /// Options in the columns of the present block: windows, and from where on all n have one.
    block: Vec<u64>,
    block_from: Vec<u32>,
    /// Number of columns in a block.
    block_length: u32,
}

/// How a run over the columns ended.
enum End {
    /// No values beyond the computed columns.
    Closed,
    /// Periodic from this column on (one period is computed).
    Repeats(u32),
}

impl<'a> Columns<'a> {
    fn new(cross: &'a Cross, solved: &'a [Vec<Branch>], ideal: &'a Ideal, values: u32) -> Result<Self, StopReason> {
        let count = values as usize + 1;
        let reach = ideal.size + values;
        let words = (2 * reach as usize + 1).div_ceil(64);
        let columns = BLOCK_WORDS / (count * words);
        if columns == 0 {
            let limit = (BLOCK_WORDS / words) as u64;
            return Err(StopReason::Size { what: "Grundy values solved for at once", limit });
        }
        let block_length = u32::try_from(columns).unwrap_or(LONGEST_BLOCK).min(LONGEST_BLOCK);
        let covered = vec![Covered { bits: Vec::new(), from: NEVER, all: false }; count];
        let mut all = Self {
            ideal,
            cross,
            solved,
            count,
            reach,
            words,
            covered,
            lists: vec![Vec::new(); count],
            events: Vec::new(),
            inputs: Vec::new(),
            block: vec![0; block_length as usize * count * words],
            block_from: vec![NEVER; block_length as usize * count],
            block_length,
        };
        all.events = all.events();
        all.inputs = (0..count).map(|j| all.inputs_of(j)).collect();
        Ok(all)
    }

    /// The moves whose result has a fixed m or a fixed n, as events.
    fn events(&self) -> Vec<(u32, usize, Event)> {
        let m_lo = self.ideal.m_lo;
        let mut events = Vec::new();
        for j in 0..self.count {
            let branch = |to: u32| &self.solved[to as usize][j];
            // c_{i+1} with i < m_lo takes elements of B too: (B', i, n).
            for (i, &to) in (0..m_lo).zip(&self.ideal.cuts_c) {
                events.extend(branch(to).at(i).map(|n| (m_lo, j, Event::Cover(n))));
            }
            // a below some c: (B', min(m, c_first − 1), min(n, d_first − 1)), fixed from that column on.
            for step in self.ideal.moves.iter().filter(|step| step.c_first != NEVER) {
                let column = step.c_first - 1;
                if let Some(n) = branch(step.to).at(column) {
                    let event = if n == step.d_first.wrapping_sub(1) { Event::From(n) } else { Event::Cover(n) };
                    events.push((column.max(m_lo), j, event));
                }
            }
            // d_{n+1} with n < n_lo takes elements of B too: (B', min(m, last c not above d_{n+1}), n).
            for (n, &to) in (0..self.ideal.n_lo).zip(&self.ideal.cuts_d) {
                let last = self.cross.last_at_most(n.into()).and_then(|last| u32::try_from(last).ok()).unwrap_or(NEVER);
                if last != NEVER && branch(to).at(last) == Some(n) {
                    events.push((last.max(m_lo), j, Event::All));
                }
                if let Some(m) = branch(to).inverse(n).filter(|&m| (m_lo..last).contains(&m)) {
                    events.push((m, j, Event::AllHere));
                }
            }
        }
        events.sort_by_key(|event| std::cmp::Reverse(event.0));
        events
    }

    /// From which column on the inputs of value j are periodic, and with which period.
    fn inputs_of(&self, j: usize) -> (u32, Option<u64>) {
        let mut settled = self.ideal.m_lo;
        let mut period = Some(if self.cross.slope() == Slope::One { self.cross.period() } else { 1 });
        for step in &self.ideal.moves {
            let branch = &self.solved[step.to as usize][j];
            if step.c_first == NEVER {
                settled = settled.max(branch.preperiod());
                if branch.period > 0 {
                    let p = u64::from(branch.period);
                    period = period.and_then(|lcm| (lcm / lcm.gcd(&p)).checked_mul(p));
                }
            }
        }
        for (column, _, event) in self.events.iter().filter(|event| event.1 == j) {
            settled = settled.max(match event {
                Event::Cover(_) | Event::All => *column,
                // By then the whole window has an option.
                Event::From(n) => (*column).max(n + self.reach),
                Event::AllHere => column + 1,
            });
        }
        if self.cross.slope() == Slope::One {
            settled = settled.max(u32::try_from(self.cross.regular_from()).unwrap_or(NEVER));
        }
        (settled, period)
    }

    /// Marks the options that moves inside A give in the columns of the block that begins at `from`.
    fn fill_block(&mut self, from: u32) {
        self.block.fill(0);
        self.block_from.fill(NEVER);
        let (count, words, reach) = (self.count, self.words, self.reach);
        let (block, block_from) = (&mut self.block, &mut self.block_from);
        for step in &self.ideal.moves {
            // From column c_first − 1 on, an event stands for the move.
            let to = (from + self.block_length).min(step.c_first.saturating_sub(1));
            for j in 0..count {
                if self.covered[j].all {
                    continue;
                }
                self.solved[step.to as usize][j].visit(from, to, |m, n| {
                    let row = (m - from) as usize * count + j;
                    let bit = (n + reach - m) as usize;
                    block[row * words + bit / 64] |= 1 << (bit % 64);
                    if n == step.d_first.wrapping_sub(1) {
                        block_from[row] = block_from[row].min(n);
                    }
                });
            }
        }
    }

    /// 64 bits of what is covered for value j, from bit `at` on.
    fn covered_word(&self, j: usize, at: usize) -> u64 {
        let bits = &self.covered[j].bits;
        let (word, shift) = (at / 64, at % 64);
        let low = bits.get(word).copied().unwrap_or(0) >> shift;
        if shift == 0 { low } else { low | bits.get(word + 1).copied().unwrap_or(0) << (64 - shift) }
    }

    fn cover(&mut self, j: usize, n: u32) {
        let bit = (n + self.reach) as usize;
        let bits = &mut self.covered[j].bits;
        if bits.len() <= bit / 64 {
            bits.resize(bit / 64 + 64, 0);
        }
        bits[bit / 64] |= 1 << (bit % 64);
    }

    fn run(mut self, monitor: &dyn Monitor) -> Result<Vec<Branch>, StopReason> {
        let end = self.columns(monitor)?;
        let first = self.ideal.m_lo;
        Ok(self
            .lists
            .into_iter()
            .zip(&self.covered)
            .map(|(list, covered)| match end {
                End::Repeats(start) if !covered.all => Branch::periodic(first, list, start),
                _ => Branch::finite(first, list),
            })
            .collect())
    }

    fn columns(&mut self, monitor: &dyn Monitor) -> Result<End, StopReason> {
        let Ideal { m_lo, m_hi, n_lo, n_hi, .. } = *self.ideal;
        let slope = self.cross.slope();
        let phi_period = u32::try_from(self.cross.period()).unwrap_or(NEVER);
        let phi_regular = u32::try_from(self.cross.regular_from()).unwrap_or(NEVER);
        // The last column where φ cuts into the window (slope < 1) or leaves something of it (slope > 1).
        let mut last_touched = m_lo;
        let mut states: FxHashMap<Vec<u64>, u32> = FxHashMap::default();
        let mut recording: Option<(u32, u64)> = None;
        let mut open = self.count;
        let mut here = vec![NEVER; self.count];
        for m in m_lo..m_hi {
            // (1) Are there positions in this column at all?
            let below = self.cross.at(m.into()).and_then(|below| u32::try_from(below).ok()).unwrap_or(NEVER);
            if below >= n_hi || (n_hi != NEVER && m >= n_hi.saturating_add(self.reach)) {
                return Ok(End::Closed);
            }
            let next_below = self.cross.at(u64::from(m) + 1).and_then(|x| u32::try_from(x).ok()).unwrap_or(NEVER);
            let touched = match slope {
                Slope::Below => i64::from(next_below) > i64::from(m) - i64::from(self.reach),
                Slope::Above => below <= m.saturating_add(self.reach),
                Slope::One => true,
            };
            if touched {
                last_touched = m;
            }
            let quiet = m >= phi_regular && m - last_touched >= phi_period;
            if slope == Slope::Above && quiet {
                return Ok(End::Closed);
            }
            // (2) What begins here.
            here.fill(NEVER);
            while self.events.last().is_some_and(|event| event.0 == m) {
                let (_, j, event) = self.events.pop().expect("just seen");
                match event {
                    Event::Cover(n) => self.cover(j, n),
                    Event::From(n) => self.covered[j].from = self.covered[j].from.min(n),
                    Event::All => self.covered[j].all = true,
                    Event::AllHere => here[j] = 0,
                }
            }
            let lower = n_lo.max(below).max(m.saturating_sub(self.reach));
            for covered in &mut self.covered {
                covered.all |= covered.from <= lower;
            }
            let still_open = self.covered.iter().filter(|covered| !covered.all).count();
            if still_open == 0 {
                return Ok(End::Closed);
            }
            // (3) Has this state been seen?
            let settled = || {
                let inputs = self.inputs.iter().zip(&self.covered).filter(|(_, covered)| !covered.all);
                let (column, period) = inputs.fold((0, Some(1u64)), |(column, period), ((from, p), _)| {
                    let lcm = period.zip(*p).and_then(|(a, b)| (a / a.gcd(&b)).checked_mul(b));
                    (column.max(*from), lcm)
                });
                (m >= column && (slope == Slope::One || quiet)).then_some(period)
            };
            if still_open != open {
                open = still_open;
                states.clear();
                recording = None;
            }
            // An ideal with bounded columns ends by itself.
            let endless = m_hi == NEVER && n_hi == NEVER;
            if recording.is_none()
                && endless
                && let Some(period) = settled()
            {
                let period = period.filter(|&p| p < u64::from(MOST_COLUMNS));
                let limit = u64::from(MOST_COLUMNS);
                recording = Some((m, period.ok_or(StopReason::Size { what: "columns in a common period", limit })?));
            }
            if let Some((since, period)) = recording
                && u64::from(m - since).is_multiple_of(period)
                && let Some(before) = states.insert(self.state(m, lower), m)
            {
                return Ok(End::Repeats(before));
            }
            // (4) The values of this column.
            let in_block = (m - m_lo) % self.block_length;
            if in_block == 0 {
                monitor.check(u64::from(m), None)?;
                if m - m_lo >= MOST_COLUMNS {
                    return Err(StopReason::Size { what: "columns", limit: MOST_COLUMNS.into() });
                }
                self.fill_block(m);
            }
            self.column(m, lower, in_block, &here);
            for j in 0..self.count {
                let n = *self.lists[j].last().expect("just computed");
                if n != NONE {
                    self.cover(j, n);
                    // c_{m+1} > d_{n+1}: from every later column, d_{n+1} leads to this very position.
                    self.covered[j].all |= n < next_below;
                }
            }
        }
        Ok(End::Closed)
    }

    /// Finds the values of column m: the least n for which j is the least value without an option.
    fn column(&mut self, m: u32, lower: u32, in_block: u32, here: &[u32]) {
        let (count, words, reach) = (self.count, self.words, self.reach);
        for list in &mut self.lists {
            list.push(NONE);
        }
        let mut left: Vec<usize> = (0..count).filter(|&j| !self.covered[j].all && here[j] == NEVER).collect();
        let first_bit = (lower + reach - m.min(lower + reach)) as usize;
        // n < n_hi, as a bit.
        let last_bit =
            if self.ideal.n_hi == NEVER { words * 64 } else { (self.ideal.n_hi + reach).saturating_sub(m) as usize };
        let mut gaps = vec![0u64; count];
        for word in first_bit / 64..words {
            let start = word * 64;
            let range = mask_from(first_bit, start) & !mask_from(last_bit.min(2 * reach as usize + 1), start);
            for &j in &left {
                let row = in_block as usize * count + j;
                let all_from = self.covered[j].from.min(self.block_from[row]);
                let stop = if all_from == NEVER { usize::MAX } else { (all_from + reach).saturating_sub(m) as usize };
                let taken = self.covered_word(j, m as usize + start) | self.block[row * words + word];
                gaps[j] = !taken & range & !mask_from(stop, start);
            }
            loop {
                let union = left.iter().fold(0, |union, &j| union | gaps[j]);
                if union == 0 {
                    break;
                }
                let bit = union.trailing_zeros();
                let least = left.iter().position(|&j| gaps[j] >> bit & 1 == 1).expect("a bit of the union");
                let j = left.remove(least);
                let n = m + u32::try_from(start).expect("a small window") + bit - reach;
                *self.lists[j].last_mut().expect("pushed above") = n;
                for &j in &left {
                    gaps[j] &= !(1 << bit);
                }
            }
            if left.is_empty() {
                break;
            }
        }
    }

    /// Everything about the past that later columns depend on: the covered part of the window.
    fn state(&self, m: u32, lower: u32) -> Vec<u64> {
        let first_bit = (lower + self.reach - m.min(lower + self.reach)) as usize;
        let mut state = Vec::with_capacity(self.count * self.words);
        for (j, covered) in self.covered.iter().enumerate().filter(|(_, covered)| !covered.all) {
            for word in 0..self.words {
                let start = word * 64;
                let stop = if covered.from == NEVER {
                    usize::MAX
                } else {
                    (covered.from + self.reach).saturating_sub(m) as usize
                };
                state.push(
                    self.covered_word(j, m as usize + start) | !mask_from(first_bit, start) | mask_from(stop, start),
                );
            }
        }
        state
    }
}

/// The bits of a word that begins at bit `start` which are at or beyond bit `from`.
fn mask_from(from: usize, start: usize) -> u64 {
    if from <= start {
        u64::MAX
    } else if from - start >= 64 {
        0
    } else {
        u64::MAX << (from - start)
    }
}
