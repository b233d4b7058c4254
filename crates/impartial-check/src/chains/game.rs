//! The game of a file of form "chains": the finite part A, and how the chains lie to it.

use std::collections::HashSet;

use crate::json::{Maybe, objects};
use crate::{Checked, refuse};

/// Thresholds, rows and entries beyond this are refused: the columns up to them are looked at one by one.
const LARGEST: u64 = 1_000_000;
/// Explicit games have at most this many elements besides the chains.
const MOST_ELEMENTS: usize = 512;

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
        if i == 0 {
            return Some(0);
        }
        let len = self.prefix.len() as u64;
        if i <= len {
            return self.prefix.get(usize::try_from(i - 1).ok()?).copied();
        }
        let (period, step) = self.rule.0?;
        let turns = (i - len).div_ceil(period);
        let entry = self.prefix[usize::try_from(i - turns * period - 1).ok()?];
        Some(entry + turns * step)
    }

    /// The largest i with φ(i) ≤ n; `None` when there is no largest.
    pub fn last_at_most(&self, n: u64) -> Option<u64> {
        if let Some((_, 0)) = self.rule.0
            && self.prefix.last().is_none_or(|&last| last <= n)
        {
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

    /// Period and step, when φ has a rule.
    pub fn rule(&self) -> Option<(u64, u64)> {
        self.rule.0
    }

    /// The rule holds for all i from here on.
    pub fn regular_from(&self) -> u64 {
        self.prefix.len() as u64 + 1 - self.rule.0.map_or(0, |(period, _)| period)
    }
}

/// The finite part.
enum Shape {
    /// Rows of Chomp below the chains; an ideal is a list of non-increasing positive row lengths.
    Rows(Vec<u64>),
    /// An explicit poset; an ideal is an increasing list of element numbers.
    Poset { less: Vec<Vec<bool>>, c: Vec<(Option<u64>, u64)>, d: Vec<(Option<u64>, u64)> },
}

/// A game with one or two chains.
pub(super) struct Game {
    shape: Shape,
    pub phi: Phi,
    pub chains: u64,
}

/// (B, m, n) is a position iff m_lo ≤ m < m_hi, n_lo ≤ n < n_hi and φ(m) ≤ n.
pub(super) struct Limits {
    pub m_lo: u64,
    pub m_hi: Option<u64>,
    pub n_lo: u64,
    pub n_hi: Option<u64>,
}

/// What taking an element of B leaves: an ideal, and the first c and d that go with the element.
pub(super) struct Step {
    pub to: Vec<u64>,
    pub c_first: Option<u64>,
    pub d_first: Option<u64>,
}

impl Game {
    pub fn new(game: &ChainsGame) -> Checked<Self> {
        let game = match game {
            ChainsGame::Rows(game) => Self::rows(game)?,
            ChainsGame::Poset(game) => Self::poset(game)?,
        };
        refuse_if!(!(1..=2).contains(&game.chains), "game: \"chains\" is neither 1 nor 2");
        game.check_order()?;
        Ok(game)
    }

    fn rows(game: &ChompRows) -> Checked<Self> {
        let rows = game.rows.clone();
        if rows.iter().any(|row| !(1..=LARGEST).contains(row)) || rows.windows(2).any(|pair| pair[0] < pair[1]) {
            return refuse(format!("game: \"rows\" is not a non-increasing list of lengths from 1 to {LARGEST}"));
        }
        // Without the poisoned square, d_j is column j + 1 of row 1 and c_i is column i of row 2: φ(i) = i − 1.
        let rule = if game.chains == 2 { (1, 1) } else { (1, 0) };
        Ok(Self {
            shape: Shape::Rows(rows),
            phi: Phi { prefix: vec![0], rule: Maybe(Some(rule)) },
            chains: game.chains,
        })
    }

    fn poset(game: &PosetWithChains) -> Checked<Self> {
        let size = game.elements.len();
        let mut names = HashSet::new();
        if size > MOST_ELEMENTS || !game.elements.iter().all(|name| names.insert(name)) {
            return refuse(format!("game: \"elements\" is not a list of at most {MOST_ELEMENTS} different names"));
        }
        let lengths = [game.c_first_above.len(), game.c_below.len(), game.d_first_above.len(), game.d_below.len()];
        if game.below.len() != size || lengths.iter().any(|&length| length != size) {
            return refuse("game: the lists have different lengths");
        }
        let rule = game.cross.rule.0.map(|(period, step)| [period, step]);
        let numbers = game.c_below.iter().chain(&game.d_below).chain(&game.cross.prefix).chain(rule.iter().flatten());
        let first = game.c_first_above.iter().chain(&game.d_first_above).filter_map(|first| first.0.as_ref());
        if numbers.chain(first.clone()).any(|&x| x > LARGEST) || first.into_iter().any(|&x| x == 0) {
            return refuse(format!("game: a number above {LARGEST}, or a chain that is not counted from 1"));
        }
        let mut less = vec![vec![false; size]; size];
        for (b, below) in game.below.iter().enumerate() {
            for &a in below {
                match less.get_mut(a) {
                    Some(row) => row[b] = true,
                    None => return refuse(format!("game: below: {a} is no element")),
                }
            }
        }
        let meetings = |first: &[Maybe<u64>], below: &[u64]| {
            first.iter().map(|first| first.0).zip(below.iter().copied()).collect()
        };
        let (c, d) = (meetings(&game.c_first_above, &game.c_below), meetings(&game.d_first_above, &game.d_below));
        let phi = game.cross.clone();
        if phi.rule.0.is_some_and(|(period, _)| period == 0 || period > phi.prefix.len() as u64) {
            return refuse("game: cross: the prefix does not contain one period");
        }
        let len = phi.prefix.len() as u64;
        if (1..=len).any(|i| phi.at(i + 1).is_some_and(|next| phi.at(i).is_none_or(|x| x > next))) {
            return refuse("game: cross: the numbers decrease");
        }
        Ok(Self { shape: Shape::Poset { less, c, d }, phi, chains: game.chains })
    }

    /// The relations are a partial order with no c below a d.
    fn check_order(&self) -> Checked {
        let Shape::Poset { less, c, d } = &self.shape else { return Ok(()) };
        let no_order = || refuse("game: the relations are not a transitively closed partial order with condition (1)");
        let at_most = |a: Option<u64>, b: Option<u64>| b.is_none_or(|b| a.is_some_and(|a| a <= b));
        let size = less.len();
        for a in 0..size {
            if less[a][a] || (d[a].0.is_some() && c[a].1 > 0) {
                return no_order();
            }
            // d < c_i < a; a < d_j < c_i; d_j < a < c_i.
            if self.phi.at(c[a].1).is_none_or(|below| below > d[a].1) {
                return no_order();
            }
            if let Some(i) = d[a].0.and_then(|j| self.phi.last_at_most(j - 1))
                && c[a].0.is_none_or(|first| first > i + 1)
            {
                return no_order();
            }
            if c[a].0.and_then(|i| self.phi.at(i)).is_some_and(|below| d[a].1 > below) {
                return no_order();
            }
            for b in 0..size {
                let through = |m: &[(Option<u64>, u64)]| m[a].0.is_some_and(|first| first <= m[b].1);
                if (through(c) || through(d)) && !less[a][b] {
                    return no_order();
                }
                if less[a][b] {
                    let monotone = |m: &[(Option<u64>, u64)]| at_most(m[a].0, m[b].0) && m[a].1 <= m[b].1;
                    if less[b][a] || !monotone(c) || !monotone(d) || (0..size).any(|x| less[b][x] && !less[a][x]) {
                        return no_order();
                    }
                }
            }
        }
        let free = d.iter().all(|&meeting| meeting == (None, 0)) && self.phi.prefix.iter().all(|&x| x == 0);
        if self.chains == 1 && !(free && matches!(self.phi.rule.0, Some((_, 0)))) {
            return refuse("game: with one chain, nothing is comparable with D");
        }
        Ok(())
    }

    /// Whether the game is given by Chomp rows.
    pub fn is_chomp(&self) -> bool {
        matches!(self.shape, Shape::Rows(_))
    }

    /// The ideal that is all of A.
    pub fn whole(&self) -> Vec<u64> {
        match &self.shape {
            Shape::Rows(rows) => rows.clone(),
            Shape::Poset { less, .. } => (0..less.len() as u64).collect(),
        }
    }

    /// Whether a list is an order ideal of A.
    pub fn is_ideal(&self, ideal: &[u64]) -> bool {
        match &self.shape {
            Shape::Rows(rows) => {
                ideal.len() <= rows.len()
                    && ideal.iter().zip(rows).all(|(row, limit)| (1..=*limit).contains(row))
                    && ideal.windows(2).all(|pair| pair[0] >= pair[1])
            }
            Shape::Poset { less, .. } => {
                let size = less.len();
                ideal.windows(2).all(|pair| pair[0] < pair[1])
                    && ideal.iter().all(|&b| {
                        usize::try_from(b).is_ok_and(|b| {
                            b < size && (0..size).all(|a| !less[a][b] || ideal.binary_search(&(a as u64)).is_ok())
                        })
                    })
            }
        }
    }

    /// Between which m and n an ideal has positions.
    pub fn limits(&self, ideal: &[u64]) -> Limits {
        match &self.shape {
            Shape::Rows(_) => {
                let longest = ideal.first().copied().unwrap_or(0);
                let (m_lo, n_lo) = if self.chains == 2 {
                    (longest, longest.saturating_sub(1))
                } else {
                    (longest.saturating_sub(1), 0)
                };
                Limits { m_lo, m_hi: None, n_lo, n_hi: None }
            }
            Shape::Poset { c, d, .. } => {
                let lo = |m: &[(Option<u64>, u64)]| ideal.iter().map(|&a| at(m, a).1).max().unwrap_or(0);
                let hi = |m: &[(Option<u64>, u64)]| {
                    (0..m.len() as u64).filter(|a| ideal.binary_search(a).is_err()).filter_map(|a| at(m, a).0).min()
                };
                Limits { m_lo: lo(c), m_hi: hi(c), n_lo: lo(d), n_hi: hi(d) }
            }
        }
    }

    /// The moves inside A.
    pub fn steps(&self, ideal: &[u64], found: &mut dyn FnMut(Step) -> Checked) -> Checked {
        match &self.shape {
            Shape::Rows(_) => (0..ideal.len())
                .flat_map(|row| (0..ideal[row]).map(move |length| (row, length)))
                .map(|(row, length)| Step { to: cut(ideal, row, length), c_first: None, d_first: None })
                .try_for_each(found),
            Shape::Poset { less, c, d } => ideal
                .iter()
                .map(|&a| Step {
                    to: ideal.iter().copied().filter(|&b| a != b && !at(at_row(less, a), b)).collect(),
                    c_first: at(c, a).0,
                    d_first: at(d, a).0,
                })
                .try_for_each(found),
        }
    }

    /// What the move c_{i+1} leaves of an ideal.
    pub fn cut_c(&self, ideal: &[u64], i: u64) -> Vec<u64> {
        match &self.shape {
            Shape::Rows(_) => cut(ideal, 0, if self.chains == 2 { i } else { i + 1 }),
            Shape::Poset { c, .. } => ideal.iter().copied().filter(|&a| at(c, a).1 <= i).collect(),
        }
    }

    /// What the move d_{j+1} leaves of an ideal.
    pub fn cut_d(&self, ideal: &[u64], j: u64) -> Vec<u64> {
        match &self.shape {
            Shape::Rows(_) if self.chains == 2 => cut(ideal, 0, j + 1),
            Shape::Rows(_) => ideal.to_vec(),
            Shape::Poset { d, .. } => ideal.iter().copied().filter(|&a| at(d, a).1 <= j).collect(),
        }
    }

    /// The game in words.
    pub fn words(&self) -> String {
        match (&self.shape, self.chains) {
            (Shape::Rows(rows), 2) => format!("Chomp with rows 3, 4, … of lengths {rows:?}"),
            (Shape::Rows(rows), _) => format!("Chomp with rows 2, 3, … of lengths {rows:?}"),
            (Shape::Poset { less, .. }, 2) => format!("the poset game with two chains and {} elements", less.len()),
            (Shape::Poset { less, .. }, _) => format!("the poset game with one chain and {} elements", less.len()),
        }
    }
}

/// The entry of an element whose number has been checked.
fn at<T: Copy>(list: &[T], a: u64) -> T {
    list[usize::try_from(a).expect("an element number")]
}

fn at_row(list: &[Vec<bool>], a: u64) -> &[bool] {
    &list[usize::try_from(a).expect("an element number")]
}

/// Rows from `row` on cut to `length`.
fn cut(rows: &[u64], row: usize, length: u64) -> Vec<u64> {
    let shortened = rows.iter().enumerate().map(|(i, &r)| if i >= row { r.min(length) } else { r });
    shortened.filter(|&r| r > 0).collect()
}
