//! The same set read from the other end: least significant digits first.

use rustc_hash::FxHashMap;

use super::Blocks;
use semilinear::run::StopReason;
use semilinear::vectorset::{Effort, VectorSet};

/// What an automaton that reads least significant digits first remembers.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Key {
    /// Inside the block: digits read so far, how many, and what they add up to as a cell.
    Cell { read: usize, at: usize },
    /// After the block: the states from which the digits read lead to a block with label 0 there, and the letter that is being read.
    After { states: Vec<u64>, letter: usize, read: usize },
}

impl Blocks {
    /// {x : the label of x is 0}, for a side that is a power of two (as those of found blocks are unless rules are long).
    ///
    /// # Complexity
    /// The subset construction for the reversed automaton: exponential at worst.
    pub fn vector_set(&self, effort: &Effort<'_>) -> Result<VectorSet, StopReason> {
        let d = self.dimension;
        if !self.side.is_power_of_two() {
            return Err(StopReason::Size {
                what: "digits of a cell of a block whose side is no power of two",
                limit: 0,
            });
        }
        let inside = d * self.side.trailing_zeros() as usize;
        let mut numbers: FxHashMap<Key, u32> = FxHashMap::default();
        let first = self.settled(Key::Cell { read: 0, at: 0 }, inside);
        let mut keys = vec![first.clone()];
        numbers.insert(first, 0);
        let mut next: Vec<[u32; 2]> = Vec::new();
        while next.len() < keys.len() {
            effort.allow(keys.len())?;
            if next.len().is_multiple_of(64) {
                effort.monitor.check(next.len() as u64, None)?;
            }
            let key = keys[next.len()].clone();
            let mut row = [0; 2];
            for (digit, target) in row.iter_mut().enumerate() {
                let after = self.settled(self.step(&key, digit), inside);
                *target = *numbers.entry(after).or_insert_with_key(|after| {
                    keys.push(after.clone());
                    u32::try_from(keys.len() - 1).expect("limited by the effort")
                });
            }
            next.push(row);
        }
        // What is read to its end is followed by zeros: by zeros of the cell, then from the first state.
        let accepts = |key: &Key| match key {
            Key::Cell { read, at } => read % d == 0 && self.contents[self.block[0] as usize][*at] == 0,
            Key::After { states, read, .. } => *read == 0 && states[0] & 1 == 1,
        };
        let accepting: Vec<u32> = (0..).zip(&keys).filter(|(_, key)| accepts(key)).map(|(state, _)| state).collect();
        let set = VectorSet::from_table(d, &next, &accepting, effort)?;
        Ok(set.expect("zeros after the last digit change nothing"))
    }

    fn step(&self, key: &Key, digit: usize) -> Key {
        let d = self.dimension;
        match key {
            Key::Cell { read, at } => {
                // Digit number read / d of coordinate read % d.
                let weight = (self.side as usize).pow(u32::try_from(read % d).expect("few coordinates")) << (read / d);
                Key::Cell { read: read + 1, at: at + digit * weight }
            }
            Key::After { states, letter, read } if read + 1 < d => {
                Key::After { states: states.clone(), letter: letter | digit << read, read: read + 1 }
            }
            Key::After { states, letter, read } => {
                let letter = letter | digit << read;
                let leads = |state: usize| {
                    let after = self.next[(state << d) + letter] as usize;
                    states[after / 64] >> (after % 64) & 1 == 1
                };
                Key::After { states: self.set_of(leads), letter: 0, read: 0 }
            }
        }
    }

    /// A cell that is read to its end becomes the set of states whose blocks have label 0 there.
    fn settled(&self, key: Key, inside: usize) -> Key {
        match key {
            Key::Cell { read, at } if read == inside => {
                let states = self.set_of(|state| self.contents[self.block[state] as usize][at] == 0);
                Key::After { states, letter: 0, read: 0 }
            }
            key => key,
        }
    }

    fn set_of(&self, holds: impl Fn(usize) -> bool) -> Vec<u64> {
        let mut set = vec![0; self.states().div_ceil(64)];
        for state in (0..self.states()).filter(|&state| holds(state)) {
            set[state / 64] |= 1 << (state % 64);
        }
        set
    }
}
