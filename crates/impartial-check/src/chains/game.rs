//! The game of a file of form "chains": the finite part A, and how the chains lie to it.

use std::collections::HashSet;

use crate::json::{Maybe, objects};
use crate::monoid::{Set, has, inside, put};
use crate::{Checked, refuse};

/// Thresholds and entries beyond this are refused: the columns up to them are looked at one by one.
const LARGEST: u64 = 1_000_000;
/// Explicit games have at most this many elements besides the chains, and Chomp so many squares in the fixed rows.
const MOST_ELEMENTS: usize = 512;
const MOST_SQUARES: u64 = 4096;

/// A game with chains as files have it.
pub(crate) enum ChainsGame {
    Rows(ChompRows),
    Poset(PosetWithChains),
}

objects! {
    ChompRows { chains: u64, rows: Vec<u64> }

    PosetWithChains {
        chains: u64, elements: Vec<String>, below: Vec<Vec<usize>>, c_first_above: Vec<Maybe<u64>>, c_below: Vec<u64>,
        d_first_above: Vec<Maybe<u64>>, d_below: Vec<u64>, cross: Phi,
    }

    /// φ(i) = number of elements of D below c_i, i ≥ 1.
    #[derive(Clone)]
    Phi { prefix: Vec<u64>, rule: Maybe<(u64, u64)> }
}

impl Phi {
    /// φ(i); `None` when c_i is above all of D.
    pub fn at(&self, i: u64) -> Option<u64> {
        let len = self.prefix.len() as u64;
        let turns = match self.rule.0 {
            _ if i == 0 => return Some(0),
            Some((period, _)) => i.saturating_sub(len).div_ceil(period),
            None => 0,
        };
        let (period, step) = self.rule.0.unwrap_or_default();
        let entry = self.prefix.get(usize::try_from(i - turns * period - 1).ok()?)?;
        Some(entry + turns * step)
    }

    /// The largest i with φ(i) ≤ n; `None` when there is no largest.
    pub fn last_at_most(&self, n: u64) -> Option<u64> {
        if matches!(self.rule.0, Some((_, 0))) && self.prefix.last().is_none_or(|&last| last <= n) {
            return None;
        }
        // φ grows by `step` ≥ 1 every `period`: gallop, then bisect on the monotone function.
        let above = |i: u64| self.at(i).is_none_or(|x| x > n);
        let mut high = 1;
        while !above(high) {
            high *= 2;
        }
        let mut low = high / 2;
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if above(middle) { high = middle } else { low = middle }
        }
        Some(low)
    }

    /// The first i with a rule, and the rule φ(i + period) = φ(i) + step.
    pub fn rule(&self) -> Option<(u64, u64, u64)> {
        self.rule.0.map(|(period, step)| (self.prefix.len() as u64 + 1 - period, period, step))
    }
}

/// How an element lies to a chain: the first element above it, and how many are below it.
type Meeting = (Option<u64>, u64);

/// A game with one or two chains.
pub(super) struct Game {
    /// For each element of A what is above it, and what is below it, itself included.
    up: Vec<Set>,
    down: Vec<Set>,
    c: Vec<Meeting>,
    d: Vec<Meeting>,
    pub phi: Phi,
    pub chains: u64,
    /// The lengths of the fixed rows of Chomp, whose squares are the elements, row by row.
    pub rows: Option<Vec<u64>>,
}

/// (B, m, n) is a position iff m_lo ≤ m < m_hi, n_lo ≤ n < n_hi and φ(m) ≤ n.
pub(super) struct Limits {
    pub m_lo: u64,
    pub m_hi: Option<u64>,
    pub n_lo: u64,
    pub n_hi: Option<u64>,
}

impl Game {
    pub fn new(game: &ChainsGame) -> Checked<Self> {
        let game = match game {
            ChainsGame::Rows(game) => Self::chomp(game)?,
            ChainsGame::Poset(game) => Self::poset(game)?,
        };
        refuse_if!(!(1..=2).contains(&game.chains), "game: \"chains\" is neither 1 nor 2");
        Ok(game)
    }

    /// A from the pairs (a, b) with a < b.
    fn of(pairs: &[(usize, usize)], c: Vec<Meeting>, d: Vec<Meeting>, phi: Phi, chains: u64) -> Self {
        let none = vec![0; c.len().div_ceil(64)];
        let mut up: Vec<Set> = vec![none; c.len()];
        (0..up.len()).for_each(|a| put(&mut up[a], a));
        let mut down = up.clone();
        for &(a, b) in pairs {
            put(&mut up[a], b);
            put(&mut down[b], a);
        }
        Self { up, down, c, d, phi, chains, rows: None }
    }

    fn chomp(game: &ChompRows) -> Checked<Self> {
        let squares = game.rows.iter().fold(0_u64, |sum, &row| sum.saturating_add(row));
        if squares > MOST_SQUARES || game.rows.contains(&0) || game.rows.windows(2).any(|pair| pair[0] < pair[1]) {
            return refuse(format!("game: \"rows\" is no non-increasing list of lengths, {MOST_SQUARES} together"));
        }
        let squares: Vec<(usize, u64)> =
            game.rows.iter().enumerate().flat_map(|(i, &row)| (0..row).map(move |j| (i, j))).collect();
        let below = |a: usize, b: usize| a != b && squares[a].0 <= squares[b].0 && squares[a].1 <= squares[b].1;
        let all = 0..squares.len();
        let pairs: Vec<(usize, usize)> =
            all.clone().flat_map(|b| all.clone().filter(move |&a| below(a, b)).map(move |a| (a, b))).collect();
        // Without the poisoned square, d_j is column j + 1 of row 1 and c_i is column i of row 2: φ(i) = i − 1. With one chain C is row 1.
        let two = game.chains == 2;
        let c = squares.iter().map(|&(_, j)| (None, j + u64::from(two))).collect();
        let d = squares.iter().map(|&(_, j)| (None, if two { j } else { 0 })).collect();
        let phi = Phi { prefix: vec![0], rule: Maybe(Some((1, u64::from(two)))) };
        Ok(Self { rows: Some(game.rows.clone()), ..Self::of(&pairs, c, d, phi, game.chains) })
    }

    fn poset(game: &PosetWithChains) -> Checked<Self> {
        let (size, phi) = (game.elements.len(), game.cross.clone());
        let mut names = HashSet::new();
        if size > MOST_ELEMENTS || !game.elements.iter().all(|name| names.insert(name)) {
            return refuse(format!("game: \"elements\" is not a list of at most {MOST_ELEMENTS} different names"));
        }
        let lengths = [game.c_first_above.len(), game.c_below.len(), game.d_first_above.len(), game.d_below.len()];
        if game.below.len() != size || lengths.iter().any(|&length| length != size) {
            return refuse("game: the lists have different lengths");
        }
        let rule = phi.rule.0.map(|(period, step)| [period, step]);
        let numbers = game.c_below.iter().chain(&game.d_below).chain(&phi.prefix).chain(rule.iter().flatten());
        let first = game.c_first_above.iter().chain(&game.d_first_above).filter_map(|first| first.0.as_ref());
        if numbers.chain(first.clone()).any(|&x| x > LARGEST) || first.into_iter().any(|&x| x == 0) {
            return refuse(format!("game: a number above {LARGEST}, or a chain that is not counted from 1"));
        }
        let mut pairs = HashSet::new();
        for (b, below) in game.below.iter().enumerate() {
            for &a in below {
                refuse_if!(a >= size || !pairs.insert((a, b)), "game: below: {a} is no element, or stands twice");
            }
        }
        let len = phi.prefix.len() as u64;
        if phi.rule.0.is_some_and(|(period, _)| period == 0 || period > len) {
            return refuse("game: cross: the prefix does not contain one period");
        }
        if (1..=len).any(|i| phi.at(i + 1).is_some_and(|next| phi.at(i).is_none_or(|x| x > next))) {
            return refuse("game: cross: the numbers decrease");
        }
        let meetings = |first: &[Maybe<u64>], below: &[u64]| -> Vec<Meeting> {
            first.iter().map(|first| first.0).zip(below.iter().copied()).collect()
        };
        let (c, d) = (meetings(&game.c_first_above, &game.c_below), meetings(&game.d_first_above, &game.d_below));
        let pairs: Vec<(usize, usize)> = pairs.into_iter().collect();
        let game = Self::of(&pairs, c, d, phi, game.chains);
        game.check_order(&pairs)?;
        Ok(game)
    }

    /// The relations are a partial order with no c below a d.
    fn check_order(&self, pairs: &[(usize, usize)]) -> Checked {
        let Self { down, c, d, phi, .. } = self;
        let at_most = |a: Option<u64>, b: Option<u64>| b.is_none_or(|b| a.is_some_and(|a| a <= b));
        let monotone = |m: &[Meeting], a: usize, b: usize| at_most(m[a].0, m[b].0) && m[a].1 <= m[b].1;
        let mut order = pairs
            .iter()
            .all(|&(a, b)| inside(&down[a], &down[b]) && !has(&down[a], b) && monotone(c, a, b) && monotone(d, a, b));
        for a in 0..c.len() {
            let through = |m: &[Meeting], b: usize| m[a].0.is_some_and(|first| first <= m[b].1);
            order &= (0..c.len()).all(|b| !through(c, b) && !through(d, b) || a != b && has(&down[b], a));
            // c_i < a < d_j; d < c_i < a; a < d_j < c_i; d_j < a < c_i.
            order &= d[a].0.is_none() || c[a].1 == 0;
            order &= phi.at(c[a].1).is_some_and(|below| below <= d[a].1);
            let first = d[a].0.and_then(|j| phi.last_at_most(j - 1));
            order &= first.is_none_or(|i| c[a].0.is_some_and(|first| first <= i + 1));
            order &= c[a].0.and_then(|i| phi.at(i)).is_none_or(|below| d[a].1 <= below);
        }
        if !order {
            return refuse("game: the relations are not a transitively closed partial order with condition (1)");
        }
        let free = d.iter().all(|&meeting| meeting == (None, 0)) && phi.prefix.iter().all(|&x| x == 0);
        if self.chains == 1 && !(free && matches!(phi.rule.0, Some((_, 0)))) {
            return refuse("game: with one chain, nothing is comparable with D");
        }
        Ok(())
    }

    /// All of A.
    pub fn whole(&self) -> Set {
        (0..self.c.len()).fold(vec![0; self.c.len().div_ceil(64)], |mut all, a| {
            put(&mut all, a);
            all
        })
    }

    /// The numbers m, and n, from which on A_{m,n} has more elements of A: those below an element, and 0; increasing.
    pub fn thresholds(&self) -> (Vec<u64>, Vec<u64>) {
        let of = |m: &[Meeting]| {
            let mut list: Vec<u64> = m.iter().map(|&(_, below)| below).chain([0]).collect();
            list.sort_unstable();
            list.dedup();
            list
        };
        (of(&self.c), of(&self.d))
    }

    /// The ideal that a file lists: the lengths of the fixed rows, or an increasing list of elements.
    pub fn ideal(&self, list: &[u64]) -> Option<Set> {
        let elements: Vec<u64> = if let Some(rows) = &self.rows {
            let firsts = rows.iter().scan(0, |first, row| Some(std::mem::replace(first, *first + row)));
            if list.len() > rows.len() || list.iter().zip(rows).any(|(length, row)| !(1..=*row).contains(length)) {
                return None;
            }
            firsts.zip(list).flat_map(|(first, length)| first..first + length).collect()
        } else {
            list.to_vec()
        };
        let mut ideal = vec![0; self.c.len().div_ceil(64)];
        for &a in &elements {
            put(&mut ideal, usize::try_from(a).ok().filter(|&a| a < self.c.len())?);
        }
        let increasing = elements.windows(2).all(|pair| pair[0] < pair[1]);
        (increasing && members(&ideal).all(|a| inside(&self.down[a], &ideal))).then_some(ideal)
    }

    /// Between which m and n an ideal has positions.
    pub fn limits(&self, ideal: &Set) -> Limits {
        let lo = |m: &[Meeting]| members(ideal).map(|a| m[a].1).max().unwrap_or(0);
        let hi = |m: &[Meeting]| (0..m.len()).filter(|&a| !has(ideal, a)).filter_map(|a| m[a].0).min();
        Limits { m_lo: lo(&self.c), m_hi: hi(&self.c), n_lo: lo(&self.d), n_hi: hi(&self.d) }
    }

    /// What the move a leaves of an ideal, and the first c and d that go with a.
    pub fn step(&self, ideal: &Set, a: usize) -> (Set, Option<u64>, Option<u64>) {
        let left = ideal.iter().zip(&self.up[a]).map(|(all, above)| all & !above).collect();
        (left, self.c[a].0, self.d[a].0)
    }

    /// What the moves c_{i+1} and d_{i+1} leave of an ideal.
    pub fn cut_c(&self, ideal: &Set, i: u64) -> Set {
        cut(ideal, &self.c, i)
    }

    pub fn cut_d(&self, ideal: &Set, i: u64) -> Set {
        cut(ideal, &self.d, i)
    }

    /// The game in words.
    pub fn words(&self) -> String {
        match (&self.rows, self.chains) {
            (Some(rows), 2) => format!("Chomp with rows 3, 4, … of lengths {rows:?}"),
            (Some(rows), _) => format!("Chomp with rows 2, 3, … of lengths {rows:?}"),
            (None, 2) => format!("the poset game with two chains and {} elements", self.c.len()),
            (None, _) => format!("the poset game with one chain and {} elements", self.c.len()),
        }
    }
}

/// The elements of a set.
pub(super) fn members(set: &Set) -> impl Iterator<Item = usize> + '_ {
    (0..64 * set.len()).filter(|&a| has(set, a))
}

/// An ideal without the elements that have more than i elements of a chain below them.
fn cut(ideal: &Set, chain: &[Meeting], i: u64) -> Set {
    let kept = |some: &[Meeting]| some.iter().rev().fold(0, |set, meeting| set << 1 | u64::from(meeting.1 <= i));
    ideal.iter().zip(chain.chunks(64).map(kept)).map(|(all, kept)| all & kept).collect()
}
