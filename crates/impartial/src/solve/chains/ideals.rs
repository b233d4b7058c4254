//! The order ideals B of A, with everything the recursion needs to know about each.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::poset::chains::{Board, ChainsGame, Skeleton};
use semilinear::run::{Monitor, StopReason};

/// Stands for "no such element of the chain".
pub const NEVER: u32 = u32::MAX;

/// At most this many order ideals, and this many moves and cuts between them, are held.
const MOST_IDEALS: u64 = 1 << 20;
const MOST_MOVES: u64 = 50_000_000;

/// The move a ∈ B: from (B, m, n) to (B − up(a), min(m, c_first − 1), min(n, d_first − 1)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The ideal B − up(a).
    pub to: u32,
    /// The first c above a, or [`NEVER`].
    pub c_first: u32,
    /// The first d above a, or [`NEVER`].
    pub d_first: u32,
}

/// An order ideal B of A. (B, m, n) is a position iff m_lo ≤ m < m_hi, n_lo ≤ n < n_hi and φ(m) ≤ n.
#[derive(Clone, Debug)]
pub struct Ideal {
    /// Its elements, or its Chomp rows: see [`crate::poset::chains::Position::ideal`].
    pub key: Vec<u32>,
    /// |B|.
    pub size: u32,
    /// The number of c that lie below an element of B.
    pub m_lo: u32,
    /// The first c that lies above an element of A − B, or [`NEVER`].
    pub m_hi: u32,
    /// The number of d that lie below an element of B.
    pub n_lo: u32,
    /// The first d that lies above an element of A − B, or [`NEVER`].
    pub n_hi: u32,
    /// The moves inside A.
    pub moves: Vec<Move>,
    /// For i < m_lo: what the move c_{i+1} leaves of B.
    pub cuts_c: Vec<u32>,
    /// For j < n_lo: what the move d_{j+1} leaves of B.
    pub cuts_d: Vec<u32>,
}

/// All order ideals of A, smaller ones first; the last one is A.
#[derive(Clone, Debug)]
pub struct Ideals {
    list: Vec<Ideal>,
    index: FxHashMap<Vec<u32>, u32>,
}

/// The size and the key of an ideal.
type Sized = (u32, Vec<u32>);

impl Ideals {
    /// All order ideals of the game's A.
    ///
    /// # Complexity
    /// Time and memory grow with the number of ideals times (|A| + their thresholds); both are bounded.
    pub fn new(game: &ChainsGame, monitor: &dyn Monitor) -> Result<Self, StopReason> {
        match game.board() {
            Board::Poset(skeleton) => Self::of_skeleton(skeleton, monitor),
            Board::Chomp(rows) => Self::of_chomp(rows, game.chains(), monitor),
        }
    }

    /// The ideals, smaller ones first.
    pub fn list(&self) -> &[Ideal] {
        &self.list
    }

    /// The index of an ideal.
    pub fn find(&self, key: &[u32]) -> Option<usize> {
        self.index.get(key).map(|&i| i as usize)
    }

    /// The index of A itself.
    pub fn whole(&self) -> usize {
        self.list.len() - 1
    }

    /// Sorts the keys, given with their sizes, and numbers them.
    fn of_keys(mut keys: Vec<Sized>) -> (Vec<Sized>, FxHashMap<Vec<u32>, u32>) {
        keys.sort_unstable();
        let index = keys.iter().zip(0u32..).map(|((_, key), i)| (key.clone(), i)).collect();
        (keys, index)
    }

    fn of_skeleton(skeleton: &Skeleton, monitor: &dyn Monitor) -> Result<Self, StopReason> {
        let size = skeleton.len();
        let small = |x: u64| u32::try_from(x).unwrap_or(NEVER - 1);
        let first = |x: Option<u64>| x.map_or(NEVER, small);
        let elements: Vec<u32> = (0..u32::try_from(size).expect("few elements")).collect();
        // Every order ideal comes from A by taking maximal elements away.
        let mut seen: FxHashSet<Vec<u32>> = FxHashSet::default();
        let mut todo = vec![elements.clone()];
        seen.insert(elements);
        while let Some(ideal) = todo.pop() {
            monitor.check(seen.len() as u64, None)?;
            for &a in &ideal {
                if ideal.iter().all(|&b| !skeleton.less(a as usize, b as usize)) {
                    let rest: Vec<u32> = ideal.iter().copied().filter(|&b| b != a).collect();
                    if !seen.contains(&rest) {
                        if seen.len() as u64 >= MOST_IDEALS {
                            return Err(StopReason::Size { what: "order ideals", limit: MOST_IDEALS });
                        }
                        seen.insert(rest.clone());
                        todo.push(rest);
                    }
                }
            }
        }
        let keys = seen.into_iter().map(|key| (u32::try_from(key.len()).expect("few elements"), key)).collect();
        let (keys, index) = Self::of_keys(keys);
        let mut list = Vec::with_capacity(keys.len());
        let mut total = 0u64;
        for (_, key) in keys {
            monitor.check(list.len() as u64, Some(index.len() as u64))?;
            let left = |a: usize| u32::try_from(a).is_ok_and(|a| key.binary_search(&a).is_ok());
            let inside = || (0..size).filter(|&a| left(a));
            let outside = || (0..size).filter(|&a| !left(a));
            let m_lo = small(inside().map(|a| skeleton.meets_c(a).1).max().unwrap_or(0));
            let n_lo = small(inside().map(|a| skeleton.meets_d(a).1).max().unwrap_or(0));
            total += u64::from(m_lo) + u64::from(n_lo) + key.len() as u64;
            if total > MOST_MOVES {
                return Err(StopReason::Size { what: "moves between order ideals", limit: MOST_MOVES });
            }
            let kept = |keep: &dyn Fn(usize) -> bool| -> u32 {
                let rest: Vec<u32> = key.iter().copied().filter(|&b| keep(b as usize)).collect();
                index[&rest]
            };
            // Neighbouring cuts are mostly equal: one lookup for each threshold that occurs.
            let cuts = |count: u32, below: &dyn Fn(usize) -> u64| {
                let mut cuts = Vec::with_capacity(count as usize);
                let mut levels: Vec<u64> = inside().map(below).collect();
                levels.sort_unstable();
                levels.dedup();
                for level in levels {
                    let to = kept(&|b| below(b) < level);
                    cuts.resize(usize::try_from(level).unwrap_or(0), to);
                }
                cuts
            };
            list.push(Ideal {
                size: u32::try_from(key.len()).expect("few elements"),
                m_lo,
                m_hi: outside().map(|a| first(skeleton.meets_c(a).0)).min().unwrap_or(NEVER),
                n_lo,
                n_hi: outside().map(|a| first(skeleton.meets_d(a).0)).min().unwrap_or(NEVER),
                moves: inside()
                    .map(|a| Move {
                        to: kept(&|b| a != b && !skeleton.less(a, b)),
                        c_first: first(skeleton.meets_c(a).0),
                        d_first: first(skeleton.meets_d(a).0),
                    })
                    .collect(),
                cuts_c: cuts(m_lo, &|a| skeleton.meets_c(a).1),
                cuts_d: cuts(n_lo, &|a| skeleton.meets_d(a).1),
                key,
            });
        }
        Ok(Self { list, index })
    }

    fn of_chomp(rows: &[u32], chains: u8, monitor: &dyn Monitor) -> Result<Self, StopReason> {
        let mut keys: Vec<Vec<u32>> = vec![Vec::new()];
        let mut last = vec![Vec::new()];
        for &limit in rows {
            let mut longer = Vec::new();
            for key in &last {
                monitor.check(keys.len() as u64, None)?;
                let most = key.last().map_or(limit, |&above: &u32| above.min(limit));
                if (keys.len() + longer.len()) as u64 + u64::from(most) > MOST_IDEALS {
                    return Err(StopReason::Size { what: "order ideals", limit: MOST_IDEALS });
                }
                for row in 1..=most {
                    let mut key = key.clone();
                    key.push(row);
                    longer.push(key);
                }
            }
            keys.extend(longer.iter().cloned());
            last = longer;
        }
        let (keys, index) = Self::of_keys(keys.into_iter().map(|key| (key.iter().sum(), key)).collect());
        let cut = |key: &[u32], from: usize, length: u32| -> u32 {
            let mut rest = key.to_vec();
            for row in &mut rest[from..] {
                *row = (*row).min(length);
            }
            rest.retain(|&row| row > 0);
            index[&rest]
        };
        let mut list = Vec::with_capacity(keys.len());
        let mut total = 0u64;
        for (size, key) in keys {
            monitor.check(list.len() as u64, Some(index.len() as u64))?;
            let longest = key.first().copied().unwrap_or(0);
            total += u64::from(size) + 2 * u64::from(longest);
            if total > MOST_MOVES {
                return Err(StopReason::Size { what: "moves between order ideals", limit: MOST_MOVES });
            }
            // Column i + 1 of row 2 is c_{i+1}; column j + 2 of row 1 is d_{j+1} (the poison is no element).
            let after_poison = longest.saturating_sub(1);
            let row_one: Vec<u32> = (0..after_poison).map(|j| cut(&key, 0, j + 1)).collect();
            let (m_lo, n_lo, cuts_c, cuts_d) = if chains == 2 {
                (longest, after_poison, (0..longest).map(|i| cut(&key, 0, i)).collect(), row_one)
            } else {
                (after_poison, 0, row_one, Vec::new())
            };
            let moves = key
                .iter()
                .enumerate()
                .flat_map(|(i, &row)| (0..row).map(move |length| (i, length)))
                .map(|(i, length)| Move { to: cut(&key, i, length), c_first: NEVER, d_first: NEVER })
                .collect();
            list.push(Ideal { size, m_lo, m_hi: NEVER, n_lo, n_hi: NEVER, moves, cuts_c, cuts_d, key });
        }
        Ok(Self { list, index })
    }
}
