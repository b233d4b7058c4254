//! Coordinates that may be exchanged: then sorted positions are enough.
//!
//! If the game is the same after exchanging two coordinates, so are the labels. Coordinates that may be exchanged with each other make
//! a class, and every position has the label of one whose coordinates fall in each class. A prefix of such a position is such a prefix, so
//! cubes are computed, and the equation is asked, at falling prefixes only (`docs/theory/blocks.md`).

use super::Blocks;
use super::shape::Shape;
use crate::lattice::LatticeGame;

/// No state.
const NONE: u32 = u32::MAX;

/// Pairs of neighbours in their class.
#[derive(Clone, Debug, Default)]
pub(super) struct Symmetry {
    pairs: Vec<(usize, usize)>,
    /// The number of permutations.
    order: usize,
}

impl Symmetry {
    /// The exchanges that leave rules, rows and defeated positions of a game as they are.
    pub fn new(game: &LatticeGame) -> Self {
        let d = game.dimension();
        let exchanged = |list: &[Vec<i64>], i: usize, j: usize| {
            let mut before: Vec<Vec<i64>> = list.to_vec();
            let mut after = before.clone();
            for vector in &mut after {
                vector.swap(i, j);
            }
            before.sort();
            after.sort();
            before == after
        };
        let lists = [game.inner_rules(), game.inner_rows(), game.inner_defeated()];
        let like = |i: usize, j: usize| lists.iter().all(|list| exchanged(list, i, j));
        let pairs = (0..d).filter_map(|i| (i + 1..d).find(|&j| like(i, j)).map(|j| (i, j))).collect();
        let order = (0..d).map(|j| 1 + (0..j).filter(|&i| like(i, j)).count()).product();
        Self { pairs, order }
    }

    /// The exchanges between neighbours of a class.
    pub fn pairs(&self) -> &[(usize, usize)] {
        &self.pairs
    }

    /// The number of permutations that the exchanges give.
    pub fn order(&self) -> usize {
        self.order
    }

    /// The pairs whose coordinates are equal in the prefix 0: all of them, as bits.
    pub fn tied(&self) -> u32 {
        (1 << self.pairs.len()) - 1
    }

    /// The tied pairs after a letter, if a falling prefix stays so; else a tied pair that it makes rise.
    pub fn after(&self, tied: u32, letter: usize) -> Result<u32, usize> {
        let mut still = tied;
        for (t, &(i, j)) in self.pairs.iter().enumerate().filter(|(t, _)| tied >> t & 1 == 1) {
            match (letter >> i & 1, letter >> j & 1) {
                (0, 1) => return Err(t),
                (1, 0) => still &= !(1 << t),
                _ => {}
            }
        }
        Ok(still)
    }

    /// A letter after an exchange.
    pub fn letter(&self, t: usize, letter: usize) -> usize {
        let (i, j) = self.pairs[t];
        let differ = (letter >> i ^ letter >> j) & 1;
        letter ^ (differ << i | differ << j)
    }

    /// A block after an exchange.
    pub fn block(&self, t: usize, shape: &Shape, labels: &[u8]) -> Vec<u8> {
        let (i, j) = self.pairs[t];
        let weight = |i: usize| (shape.side as usize).pow(u32::try_from(i).expect("few coordinates"));
        let (here, there) = (weight(i), weight(j));
        let digit = |cell: usize, weight: usize| cell / weight % shape.side as usize;
        let from = |cell: usize| {
            let (a, b) = (digit(cell, here), digit(cell, there));
            cell - a * here - b * there + b * here + a * there
        };
        (0..labels.len()).map(|cell| labels[from(cell)]).collect()
    }

    /// Whether a function has the same label after every exchange.
    pub fn keeps(&self, shape: &Shape, blocks: &Blocks) -> bool {
        (0..self.pairs.len()).all(|t| self.kept_by(t, shape, blocks))
    }

    /// Walks over pairs of states, of a prefix and of the exchanged prefix: a state has one partner only when it is so.
    fn kept_by(&self, t: usize, shape: &Shape, blocks: &Blocks) -> bool {
        let mut partner = vec![NONE; blocks.states()];
        partner[0] = 0;
        let mut queue = vec![0];
        let mut at = 0;
        while let Some(&state) = queue.get(at) {
            at += 1;
            let other = partner[state as usize];
            let (own, its) = (blocks.block[state as usize], blocks.block[other as usize]);
            if self.block(t, shape, &blocks.contents[own as usize]) != blocks.contents[its as usize] {
                return false;
            }
            for letter in 0..shape.corners() {
                let after = |state: u32, letter: usize| blocks.next[((state as usize) << shape.dimension) + letter];
                let (own, its) = (after(state, letter), after(other, self.letter(t, letter)));
                let known = &mut partner[own as usize];
                if *known == NONE {
                    *known = its;
                    queue.push(own);
                } else if *known != its {
                    return false;
                }
            }
        }
        true
    }
}
