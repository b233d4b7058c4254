//! Cubes of 2ᵏ blocks a side, each kind computed once for every combination of lower neighbours.

use rustc_hash::FxHashMap;

use semilinear::run::{Monitor, StopReason};

use super::Partial;
use super::shape::Shape;

/// In place of a neighbour off the orthant.
const NONE: u32 = u32::MAX;

/// Cubes of one size.
#[derive(Default)]
struct Level {
    /// What lies between given neighbours. Entry 0 of a key is the set of defeated positions in the cube.
    known: FxHashMap<Box<[u32]>, u32>,
    /// Numbers of the kinds of cubes, by their 2ᵈ children (kinds of the level below).
    numbers: FxHashMap<Box<[u32]>, u32>,
    children: Vec<u32>,
}

/// The kinds of cubes that occur in a cube at the origin, which can be doubled.
pub(super) struct Coarse<'a> {
    shape: &'a Shape,
    monitor: &'a dyn Monitor,
    levels: Vec<Level>,
    blocks: FxHashMap<Vec<u8>, u32>,
    contents: Vec<Vec<u8>>,
    /// Sets of defeated positions, relative to the corner of a cube: blocks and cells. Set 0 is empty.
    sets: Vec<Vec<(Vec<u64>, usize)>>,
    set_numbers: FxHashMap<Vec<(Vec<u64>, usize)>, u32>,
    defeated: Vec<(Vec<u64>, usize)>,
    /// The cube at the origin, level by level.
    roots: Vec<u32>,
    combinations: usize,
    limit: usize,
}

impl<'a> Coarse<'a> {
    pub fn new(shape: &'a Shape, defeated: &[Vec<i64>], limit: usize, monitor: &'a dyn Monitor) -> Self {
        Self {
            shape,
            monitor,
            levels: Vec::new(),
            blocks: FxHashMap::default(),
            contents: Vec::new(),
            sets: vec![vec![]],
            set_numbers: FxHashMap::from_iter([(vec![], 0)]),
            defeated: defeated.iter().map(|x| shape.place(x)).collect(),
            roots: Vec::new(),
            combinations: 0,
            limit,
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
        self.levels[level].children[((cube as usize) << self.shape.dimension) + letter]
    }

    /// The labels of blocks.
    pub fn contents(&self) -> &[Vec<u8>] {
        &self.contents
    }

    /// The most combinations of neighbours at one size.
    pub fn most_combinations(&self) -> usize {
        self.levels.iter().map(|level| level.known.len()).max().unwrap_or(0)
    }

    pub fn partial(&self) -> Partial {
        let kinds = |(i, level): (usize, &Level)| if i == 0 { self.contents.len() } else { level.numbers.len() };
        Partial {
            kinds: self.levels.iter().enumerate().map(kinds).collect(),
            side: u64::from(self.shape.side) << self.roots.len().saturating_sub(1),
        }
    }

    /// Computes the cube at the origin of the next size.
    pub fn double(&mut self) -> Result<(), StopReason> {
        let level = self.roots.len();
        self.levels.push(Level::default());
        let inside = |(block, _): &&(Vec<u64>, usize)| block.iter().all(|p| p >> level == 0);
        let set = self.defeated.iter().filter(inside).cloned().collect();
        let mut key = vec![NONE; self.shape.corners()];
        key[0] = self.set_number(set);
        let root = self.cube(level, &key)?;
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

    /// The kind of the cube between given neighbours.
    fn cube(&mut self, level: usize, key: &[u32]) -> Result<u32, StopReason> {
        if let Some(&kind) = self.levels[level].known.get(key) {
            return Ok(kind);
        }
        self.combinations += 1;
        if self.combinations > self.limit {
            return Err(StopReason::Size { what: "combinations of neighbouring blocks", limit: self.limit as u64 });
        }
        if self.combinations.is_multiple_of(64) {
            self.monitor.check(self.combinations as u64, None)?;
        }
        let kind = if level == 0 { self.leaf(key) } else { self.inner(level, key)? };
        self.levels[level].known.insert(key.into(), kind);
        Ok(kind)
    }

    fn leaf(&mut self, key: &[u32]) -> u32 {
        let off: Vec<usize> = self.sets[key[0] as usize].iter().map(|(_, cell)| *cell).collect();
        let beside = |corner: usize| self.contents.get(key[corner] as usize).map(Vec::as_slice);
        let labels = self.shape.labels(beside, &off);
        let fresh = u32::try_from(self.contents.len()).expect("limited");
        *self.blocks.entry(labels).or_insert_with_key(|labels| {
            self.contents.push(labels.clone());
            fresh
        })
    }

    fn inner(&mut self, level: usize, key: &[u32]) -> Result<u32, StopReason> {
        let corners = self.shape.corners();
        let mut children = vec![NONE; corners];
        let mut below = vec![NONE; corners];
        // Lower children first: a child's neighbours in the same cube have fewer digits 1.
        for e in 0..corners {
            below[0] = self.set_of_child(level, key[0], e);
            for (below, &(corner, child)) in below.iter_mut().zip(self.shape.nearby(e)).skip(1) {
                *below = match (corner, key[corner]) {
                    (0, _) => children[child],
                    (_, NONE) => NONE,
                    (_, cube) => self.child(level, cube, child),
                };
            }
            children[e] = self.cube(level - 1, &below)?;
        }
        let level = &mut self.levels[level];
        let fresh = u32::try_from(level.numbers.len()).expect("limited");
        if let Some(&kind) = level.numbers.get(children.as_slice()) {
            return Ok(kind);
        }
        level.children.extend_from_slice(&children);
        level.numbers.insert(children.into(), fresh);
        Ok(fresh)
    }

    /// The defeated positions in a child, relative to its corner.
    fn set_of_child(&mut self, level: usize, set: u32, child: usize) -> u32 {
        if set == 0 {
            return 0;
        }
        let half = level - 1;
        let inside = |block: &[u64]| block.iter().enumerate().all(|(i, p)| p >> half == (child >> i & 1) as u64);
        let part: Vec<(Vec<u64>, usize)> = self.sets[set as usize]
            .iter()
            .filter(|(block, _)| inside(block))
            .map(|(block, cell)| (block.iter().map(|p| p & ((1 << half) - 1)).collect(), *cell))
            .collect();
        self.set_number(part)
    }

    fn set_number(&mut self, set: Vec<(Vec<u64>, usize)>) -> u32 {
        let fresh = u32::try_from(self.sets.len()).expect("few sets");
        *self.set_numbers.entry(set).or_insert_with_key(|set| {
            self.sets.push(set.clone());
            fresh
        })
    }
}
