//! Cubes of 2ᵏ blocks a side, each kind computed once for every combination of lower neighbours.

use rustc_hash::FxHashMap;

use semilinear::run::{Monitor, StopReason};

use super::Partial;
use super::keys::Keys;
use super::margin::Slack;
use super::shape::{MOST_CORNERS, Shape};

/// In place of a neighbour off the orthant.
const NONE: u32 = u32::MAX;

/// Cubes of one size.
struct Level {
    /// Combinations of neighbours; entry 0 says what of the cube is not on the board.
    known: Keys,
    /// What lies between them.
    between: Vec<u32>,
    /// The kinds of cubes, by their 2ᵈ children (kinds of the level below); those of single blocks by their labels.
    kinds: Keys,
    /// For each exchange of coordinates what it makes of the kinds, where that is known.
    exchanged: Vec<Vec<u32>>,
}

/// Entries of lists that are kept, at most: a gigabyte, and about as much for finding them.
const MOST_WORDS: usize = 1 << 28;

/// Four labels an entry.
fn packed(labels: &[u8]) -> Vec<u32> {
    let word = |four: &[u8]| four.iter().rev().fold(0, |word, &label| word << 8 | u32::from(label));
    labels.chunks(4).map(word).collect()
}

/// What of a cube is not on the board: the defeated positions relative to its corner (blocks and cells), and the values of the board's rows.
type Missing = (Vec<(Vec<u64>, usize)>, Vec<Slack>);

/// The kinds of cubes that occur in a cube at the origin, which can be doubled.
pub(super) struct Coarse<'a> {
    shape: &'a Shape,
    monitor: &'a dyn Monitor,
    levels: Vec<Level>,
    contents: Vec<Vec<u8>>,
    /// What of a cube is not on the board. Set 0 is empty.
    sets: Vec<Missing>,
    set_numbers: FxHashMap<Missing, u32>,
    defeated: Vec<(Vec<u64>, usize)>,
    /// The cube at the origin, level by level.
    roots: Vec<u32>,
    /// The number of blocks before the last doubling.
    before: usize,
    combinations: usize,
    limit: usize,
    /// Entries of lists that are kept.
    words: usize,
}

impl<'a> Coarse<'a> {
    pub fn new(shape: &'a Shape, defeated: &[Vec<i64>], limit: usize, monitor: &'a dyn Monitor) -> Self {
        Self {
            shape,
            monitor,
            levels: Vec::new(),
            contents: Vec::new(),
            sets: vec![(vec![], shape.margin.inside())],
            set_numbers: FxHashMap::from_iter([((vec![], shape.margin.inside()), 0)]),
            defeated: defeated.iter().map(|x| shape.place(x)).collect(),
            roots: Vec::new(),
            before: 0,
            combinations: 0,
            limit,
            words: 0,
        }
    }

    pub fn shape(&self) -> &Shape {
        self.shape
    }

    /// The kind of the cube at the origin, for each size.
    pub fn roots(&self) -> &[u32] {
        &self.roots
    }

    /// The kind of a child of a cube of 2^level blocks a side, level > 0.
    pub fn child(&self, level: usize, cube: u32, letter: usize) -> u32 {
        self.levels[level].kinds.get(cube)[letter]
    }

    /// The labels of blocks.
    pub fn contents(&self) -> &[Vec<u8>] {
        &self.contents
    }

    /// The most combinations of neighbours at one size.
    pub fn most_combinations(&self) -> usize {
        self.levels.iter().map(|level| level.known.len()).max().unwrap_or(0)
    }

    /// Whether the last doubling has shown no new blocks. If it has, they lie below prefixes of which little else is known.
    pub fn settled(&self) -> bool {
        self.before == self.contents.len()
    }

    pub fn partial(&self) -> Partial {
        Partial {
            kinds: self.levels.iter().map(|level| level.kinds.len()).collect(),
            side: u64::from(self.shape.side) << self.roots.len().saturating_sub(1),
        }
    }

    /// Computes the cube at the origin of the next size.
    pub fn double(&mut self) -> Result<(), StopReason> {
        self.before = self.contents.len();
        let level = self.roots.len();
        let width = if level == 0 { self.shape.words() } else { self.shape.corners() };
        let known = Keys::new(self.shape.corners());
        let exchanged = vec![Vec::new(); self.shape.symmetry.pairs().len()];
        self.levels.push(Level { known, between: Vec::new(), kinds: Keys::new(width), exchanged });
        let inside = |(block, _): &&(Vec<u64>, usize)| block.iter().all(|p| p >> level == 0);
        let set = (self.defeated.iter().filter(inside).cloned().collect(), self.shape.margin.start());
        let mut key = vec![NONE; self.shape.corners()];
        key[0] = self.set_number(set);
        let root = self.cube(level, &key, self.shape.symmetry.tied())?;
        self.roots.push(root);
        self.monitor.trace(&|| {
            format!(
                "blocks: cube of side {}: {} combinations of neighbours, kinds of cubes {:?}",
                self.partial().side,
                self.combinations,
                self.partial().kinds
            )
        });
        Ok(())
    }

    /// The kind of the cube between given neighbours. If exchanges of coordinates do not change its place, it is the same after them.
    fn cube(&mut self, level: usize, key: &[u32], tied: u32) -> Result<u32, StopReason> {
        let hash = match self.levels[level].known.find(key) {
            Ok(number) => return Ok(self.levels[level].between[number as usize]),
            Err(hash) => hash,
        };
        self.combinations += 1;
        if self.combinations > self.limit {
            return Err(StopReason::Size { what: "combinations of neighbouring blocks", limit: self.limit as u64 });
        }
        if self.combinations.is_multiple_of(64) {
            self.monitor.check(self.combinations as u64, None)?;
        }
        self.keep(key.len())?;
        let kind = if level == 0 { self.leaf(key)? } else { self.inner(level, key, tied)? };
        let level = &mut self.levels[level];
        level.known.push(key, hash);
        level.between.push(kind);
        Ok(kind)
    }

    /// Counts the entries of a list before it is kept.
    fn keep(&mut self, entries: usize) -> Result<(), StopReason> {
        self.words += entries;
        if self.words > MOST_WORDS {
            return Err(StopReason::Size { what: "entries of lists of neighbouring blocks", limit: MOST_WORDS as u64 });
        }
        Ok(())
    }

    /// The kind of a cube, by its children or its labels.
    fn number(&mut self, level: usize, list: &[u32]) -> Result<u32, StopReason> {
        match self.levels[level].kinds.find(list) {
            Ok(kind) => Ok(kind),
            Err(hash) => {
                self.keep(list.len())?;
                Ok(self.levels[level].kinds.push(list, hash))
            }
        }
    }

    /// The kind of a block.
    fn labelled(&mut self, labels: Vec<u8>) -> Result<u32, StopReason> {
        let kind = self.number(0, &packed(&labels))?;
        if kind as usize == self.contents.len() {
            self.contents.push(labels);
        }
        Ok(kind)
    }

    /// What an exchange of coordinates makes of a cube.
    fn exchanged(&mut self, level: usize, kind: u32, t: usize) -> Result<u32, StopReason> {
        let shape = self.shape;
        if let Some(&known) = self.levels[level].exchanged[t].get(kind as usize)
            && known != NONE
        {
            return Ok(known);
        }
        let other = if level == 0 {
            self.labelled(shape.symmetry.block(t, shape, &self.contents[kind as usize]))?
        } else {
            let mut children = [NONE; MOST_CORNERS];
            for (e, own) in children.iter_mut().enumerate().take(shape.corners()) {
                let child = self.child(level, kind, shape.symmetry.letter(t, e));
                *own = self.exchanged(level - 1, child, t)?;
            }
            self.number(level, &children[..shape.corners()])?
        };
        let kinds = self.levels[level].kinds.len();
        if kinds.is_multiple_of(64) {
            self.monitor.check(self.combinations as u64, None)?;
        }
        let list = &mut self.levels[level].exchanged[t];
        list.resize(kinds.max(list.len()), NONE);
        (list[kind as usize], list[other as usize]) = (other, kind);
        Ok(other)
    }

    fn leaf(&mut self, key: &[u32]) -> Result<u32, StopReason> {
        let (defeated, values) = &self.sets[key[0] as usize];
        let mut off = self.shape.beyond(values);
        off.extend(defeated.iter().map(|(_, cell)| *cell));
        let beside = |corner: usize| self.contents.get(key[corner] as usize).map(Vec::as_slice);
        let labels = self.shape.labels(beside, &off);
        self.labelled(labels)
    }

    fn inner(&mut self, level: usize, key: &[u32], tied: u32) -> Result<u32, StopReason> {
        let corners = self.shape.corners();
        let mut children = [NONE; MOST_CORNERS];
        let mut below = [NONE; MOST_CORNERS];
        // Lower children first: a child's neighbours in the same cube have fewer digits 1.
        for e in 0..corners {
            let still = match self.shape.symmetry.after(tied, e) {
                Ok(still) => still,
                // What the exchange makes of a lower child.
                Err(t) => {
                    let child = children[self.shape.symmetry.letter(t, e)];
                    children[e] = self.exchanged(level - 1, child, t)?;
                    continue;
                }
            };
            below[0] = self.set_of_child(level, key[0], e);
            for (below, &(corner, child)) in below.iter_mut().zip(self.shape.nearby(e)).skip(1) {
                *below = match (corner, key[corner]) {
                    (0, _) => children[child],
                    (_, NONE) => NONE,
                    (_, cube) => self.child(level, cube, child),
                };
            }
            children[e] = self.cube(level - 1, &below[..corners], still)?;
        }
        self.number(level, &children[..corners])
    }

    /// What of a child is not on the board.
    fn set_of_child(&mut self, level: usize, set: u32, child: usize) -> u32 {
        if set == 0 {
            return 0;
        }
        let half = level - 1;
        let inside = |block: &[u64]| block.iter().enumerate().all(|(i, p)| p >> half == (child >> i & 1) as u64);
        let (defeated, values) = &self.sets[set as usize];
        let part: Vec<(Vec<u64>, usize)> = defeated
            .iter()
            .filter(|(block, _)| inside(block))
            .map(|(block, cell)| (block.iter().map(|p| p & ((1 << half) - 1)).collect(), *cell))
            .collect();
        let after = self.shape.margin.step(values, child);
        self.set_number((part, after))
    }

    fn set_number(&mut self, set: Missing) -> u32 {
        let fresh = u32::try_from(self.sets.len()).expect("few sets");
        *self.set_numbers.entry(set).or_insert_with_key(|set| {
            self.sets.push(set.clone());
            fresh
        })
    }
}
