//! The game of a file of form "chains": the finite part A, and how the chains lie to it.

use std::collections::HashSet;

use serde_json::{Map, Value};

use crate::{Failure, refuse};

/// Thresholds, rows and entries beyond this are refused: the columns up to them are looked at one by one.
const LARGEST: u64 = 1_000_000;
/// Explicit games have at most this many elements besides the chains.
const MOST_ELEMENTS: usize = 512;

/// φ(i) = number of elements of D below c_i, i ≥ 1.
pub(super) struct Phi {
    prefix: Vec<u64>,
    rule: Option<(u64, u64)>,
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
        let (period, step) = self.rule?;
        let turns = (i - len).div_ceil(period);
        let entry = self.prefix[usize::try_from(i - turns * period - 1).ok()?];
        Some(entry + turns * step)
    }

    /// The largest i with φ(i) ≤ n; `None` when there is no largest.
    pub fn last_at_most(&self, n: u64) -> Option<u64> {
        if let Some((_, 0)) = self.rule
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
        self.rule
    }

    /// The rule holds for all i from here on.
    pub fn regular_from(&self) -> u64 {
        self.prefix.len() as u64 + 1 - self.rule.map_or(0, |(period, _)| period)
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

fn list<'a>(map: &'a Map<String, Value>, key: &str) -> Result<&'a Vec<Value>, Failure> {
    match map.get(key) {
        Some(Value::Array(list)) => Ok(list),
        _ => refuse(format!("game: \"{key}\" is not a list")),
    }
}

fn small(value: &Value, what: &str) -> Result<u64, Failure> {
    match value.as_u64().filter(|&x| x <= LARGEST) {
        Some(x) => Ok(x),
        None => refuse(format!("{what}: {value} is not a natural number up to {LARGEST}")),
    }
}

fn only(map: &Map<String, Value>, keys: &[&str], what: &str) -> Result<(), Failure> {
    match map.keys().find(|key| !keys.contains(&key.as_str())) {
        Some(key) => refuse(format!("{what}: unknown key \"{key}\"")),
        None => Ok(()),
    }
}

impl Game {
    pub fn read(map: &Map<String, Value>) -> Result<Self, Failure> {
        if map.get("kind").and_then(Value::as_str) != Some("chains") {
            return refuse("game: \"kind\" is not \"chains\"");
        }
        let chains = map.get("chains").and_then(Value::as_u64).filter(|chains| (1..=2).contains(chains));
        let Some(chains) = chains else { return refuse("game: \"chains\" is neither 1 nor 2") };
        if map.contains_key("rows") {
            only(map, &["kind", "chains", "rows"], "game")?;
            let rows: Vec<u64> =
                list(map, "rows")?.iter().map(|row| small(row, "game: rows")).collect::<Result<_, _>>()?;
            if rows.contains(&0) || rows.windows(2).any(|pair| pair[0] < pair[1]) {
                return refuse("game: \"rows\" is not a non-increasing list of positive lengths");
            }
            // Without the poisoned square, d_j is column j + 1 of row 1 and c_i is column i of row 2: φ(i) = i − 1.
            let rule = if chains == 2 { (1, 1) } else { (1, 0) };
            return Ok(Self { shape: Shape::Rows(rows), phi: Phi { prefix: vec![0], rule: Some(rule) }, chains });
        }
        Self::read_poset(map, chains)
    }

    fn read_poset(map: &Map<String, Value>, chains: u64) -> Result<Self, Failure> {
        let keys =
            ["kind", "chains", "elements", "below", "c_first_above", "c_below", "d_first_above", "d_below", "cross"];
        only(map, &keys, "game")?;
        let size = list(map, "elements")?.len();
        let mut names = HashSet::new();
        let fresh = |name: &Value| name.as_str().is_some_and(|name| names.insert(name.to_owned()));
        if size > MOST_ELEMENTS || !list(map, "elements")?.iter().all(fresh) {
            return refuse(format!("game: \"elements\" is not a list of at most {MOST_ELEMENTS} different names"));
        }
        if keys[3..8].iter().any(|key| list(map, key).is_ok_and(|list| list.len() != size)) {
            return refuse("game: the lists have different lengths");
        }
        let mut less = vec![vec![false; size]; size];
        for (b, below) in list(map, "below")?.iter().enumerate() {
            let Value::Array(below) = below else { return refuse("game: \"below\" is not a list of lists") };
            for a in below {
                match a.as_u64().and_then(|a| usize::try_from(a).ok()).filter(|&a| a < size) {
                    Some(a) => less[a][b] = true,
                    None => return refuse(format!("game: below: {a} is no element")),
                }
            }
        }
        let meetings = |first: &str, below: &str| -> Result<Vec<(Option<u64>, u64)>, Failure> {
            list(map, first)?
                .iter()
                .zip(list(map, below)?)
                .map(|(first, below)| {
                    let first = if first.is_null() { None } else { Some(small(first, "game: first_above")?) };
                    if first == Some(0) {
                        return refuse("game: first_above: the elements of a chain are counted from 1");
                    }
                    Ok((first, small(below, "game: below")?))
                })
                .collect()
        };
        let (c, d) = (meetings("c_first_above", "c_below")?, meetings("d_first_above", "d_below")?);
        let Some(Value::Object(cross)) = map.get("cross") else { return refuse("game: \"cross\" is not an object") };
        let game = Self { shape: Shape::Poset { less, c, d }, phi: Phi::read(cross)?, chains };
        game.check_order()?;
        Ok(game)
    }

    /// The relations are a partial order with no c below a d.
    fn check_order(&self) -> Result<(), Failure> {
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
        if self.chains == 1 && !(free && matches!(self.phi.rule, Some((_, 0)))) {
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
    pub fn steps(&self, ideal: &[u64], found: &mut dyn FnMut(Step) -> Result<(), Failure>) -> Result<(), Failure> {
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

impl Phi {
    fn read(map: &Map<String, Value>) -> Result<Self, Failure> {
        only(map, &["prefix", "rule"], "game: cross")?;
        let prefix: Vec<u64> =
            list(map, "prefix")?.iter().map(|x| small(x, "game: cross: prefix")).collect::<Result<_, _>>()?;
        let rule = match map.get("rule") {
            None | Some(Value::Null) => None,
            Some(Value::Array(rule)) if rule.len() == 2 => {
                Some((small(&rule[0], "game: cross: rule")?, small(&rule[1], "game: cross: rule")?))
            }
            Some(_) => return refuse("game: cross: \"rule\" is neither null nor [period, step]"),
        };
        if rule.is_some_and(|(period, _)| period == 0 || period > prefix.len() as u64) {
            return refuse("game: cross: the prefix does not contain one period");
        }
        let phi = Self { prefix, rule };
        let len = phi.prefix.len() as u64;
        if (1..=len).any(|i| phi.at(i + 1).is_some_and(|next| phi.at(i).is_none_or(|x| x > next))) {
            return refuse("game: cross: the numbers decrease");
        }
        Ok(phi)
    }
}
