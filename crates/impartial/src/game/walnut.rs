//! Sets of vectors in Walnut's text: one line of numeration systems, then states with their outputs and transitions.
//!
//! ```text
//! lsd_2 lsd_2
//!
//! 0 1
//! 0 0 -> 0
//! 1 1 -> 0
//! ```
//!
//! Walnut: H. Mousavi, Automatic theorem proving in Walnut (2016); J. Shallit, The Logical Approach to Automatic Sequences (2022).
//! The first state is the initial one, a vector is read one digit of every coordinate at a time, `*` stands for both digits, a digit without a
//! transition leads nowhere, and a transition may have several targets.

use std::collections::HashMap;

use crate::error::{Error, Result};
use semilinear::vectorset::{Effort, VectorSet};

/// Texts with more coordinates are not read: every state has a transition for each of 2ᵈ digit vectors.
const MOST_TRACKS: usize = 10;

/// An automaton as it is written, perhaps with several targets of a digit vector.
struct Written {
    tracks: usize,
    /// Whether the most significant digits come first.
    msd: bool,
    accepting: Vec<bool>,
    /// For each state and digit vector (bit i is the digit of coordinate i) the targets.
    next: Vec<Vec<Vec<usize>>>,
}

/// The set of vectors that an automaton in Walnut's text accepts, with so many coordinates.
pub(super) fn read(text: &str, dimension: usize, effort: &Effort<'_>) -> Result<VectorSet> {
    let written = Written::parse(text)?;
    if written.tracks != dimension {
        return Err(Error::Input(format!(
            "automaton: it reads {} numbers, but the game has {dimension} coordinates; give one numeration system for each",
            written.tracks
        )));
    }
    written.vector_set(effort)
}

impl Written {
    fn parse(text: &str) -> Result<Self> {
        let bad = |line: usize, what: String| Error::Input(format!("automaton, line {}: {what}", line + 1));
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or("").trim()).enumerate();
        let mut lines = lines.filter(|(_, line)| !line.is_empty());
        let Some((at, systems)) = lines.next() else {
            return Err(Error::input("automaton: an empty text; give an automaton in Walnut's text"));
        };
        let systems: Vec<&str> = systems.split_whitespace().collect();
        let msd = systems[0] == "msd_2";
        if systems.iter().any(|system| *system != if msd { "msd_2" } else { "lsd_2" }) {
            return Err(bad(at, "the numeration systems are not all msd_2 or all lsd_2; give binary automata".into()));
        }
        let tracks = systems.len();
        if tracks > MOST_TRACKS {
            return Err(bad(at, format!("{tracks} numbers; give at most {MOST_TRACKS}")));
        }
        // States are numbered in the order of their lines; targets are names until all are known.
        let mut names: HashMap<&str, usize> = HashMap::new();
        let mut accepting = Vec::new();
        let mut transitions: Vec<(usize, usize, Vec<usize>, Vec<&str>)> = Vec::new();
        for (at, line) in lines {
            if let Some((digits, targets)) = line.split_once("->") {
                let letters = letters(digits, tracks)
                    .ok_or_else(|| bad(at, format!("\"{}\" is not {tracks} digits 0, 1 or *", digits.trim())))?;
                let Some(state) = accepting.len().checked_sub(1) else {
                    return Err(bad(
                        at,
                        "a transition before the first state; write the state and its output first".into(),
                    ));
                };
                transitions.push((at, state, letters, targets.split_whitespace().collect()));
            } else {
                let [name, output] = line.split_whitespace().collect::<Vec<_>>()[..] else {
                    return Err(bad(at, "neither a state with its output nor a transition `digits -> state`".into()));
                };
                let Ok(output) = output.parse::<i64>() else {
                    return Err(bad(at, format!("the output \"{output}\" is not a number")));
                };
                if names.insert(name, accepting.len()).is_some() {
                    return Err(bad(at, format!("state {name} stands twice")));
                }
                accepting.push(output != 0);
            }
        }
        if accepting.is_empty() {
            return Err(Error::input("automaton: there is no state; write a line with a state and its output"));
        }
        let mut next = vec![vec![Vec::new(); 1 << tracks]; accepting.len()];
        for (at, state, letters, targets) in transitions {
            for name in targets {
                let Some(&target) = names.get(name) else { return Err(bad(at, format!("there is no state {name}"))) };
                for &letter in &letters {
                    next[state][letter].push(target);
                }
            }
        }
        Ok(Self { tracks, msd, accepting, next })
    }

    /// The set: an automaton that reads the lowest digits first, by the subset construction. Read backwards, the initial states are
    /// the accepting ones and the other way round.
    fn vector_set(&self, effort: &Effort<'_>) -> Result<VectorSet> {
        let states = self.accepting.len();
        let (first, next): (Vec<usize>, Vec<Vec<Vec<usize>>>) = if self.msd {
            let mut back = vec![vec![Vec::new(); 1 << self.tracks]; states];
            for (s, row) in self.next.iter().enumerate() {
                for (letter, targets) in row.iter().enumerate() {
                    for &target in targets {
                        back[target][letter].push(s);
                    }
                }
            }
            ((0..states).filter(|&s| self.accepting[s]).collect(), back)
        } else {
            (vec![0], self.next.clone())
        };
        let accepts = |subset: &[usize]| subset.iter().any(|&s| if self.msd { s == 0 } else { self.accepting[s] });
        // Each subset is the root of a tree of the digits of one block; its nodes are numbered level by level.
        let inner = (1_usize << self.tracks) - 1;
        let mut subsets = vec![first];
        let mut numbers: HashMap<Vec<usize>, usize> = HashMap::from([(subsets[0].clone(), 0)]);
        let mut table: Vec<[u32; 2]> = Vec::new();
        let mut accepting = Vec::new();
        let number = |n: usize| u32::try_from(n).expect("as many states as are allowed");
        let mut current = 0;
        while current < subsets.len() {
            effort.allow(subsets.len().saturating_mul(inner))?;
            if accepts(&subsets[current]) {
                accepting.push(number(current * inner));
            }
            for node in 0..inner {
                let mut targets = [0; 2];
                for (bit, target) in targets.iter_mut().enumerate() {
                    let child = 2 * node + 1 + bit;
                    if child < inner {
                        *target = number(current * inner + child);
                        continue;
                    }
                    // The path to a leaf, as the digits of the coordinates from the first one on.
                    let path = child - inner;
                    let letter =
                        (0..self.tracks).fold(0, |letter, i| letter | (path >> (self.tracks - 1 - i) & 1) << i);
                    let mut subset: Vec<usize> =
                        subsets[current].iter().flat_map(|&s| next[s][letter].iter().copied()).collect();
                    subset.sort_unstable();
                    subset.dedup();
                    let fresh = subsets.len();
                    let found = *numbers.entry(subset).or_insert_with_key(|subset| {
                        subsets.push(subset.clone());
                        fresh
                    });
                    *target = number(found.saturating_mul(inner));
                }
                table.push(targets);
            }
            current += 1;
        }
        VectorSet::from_table(self.tracks, &table, &accepting, effort)?.map_err(|_| {
            let end = if self.msd { "before" } else { "after" };
            Error::Input(format!(
                "automaton: zeros {end} the digits change what it accepts; let the state that zeros lead to have the same output"
            ))
        })
    }
}

/// The digit vectors of a text such as `0 1` or `* 1`.
fn letters(text: &str, tracks: usize) -> Option<Vec<usize>> {
    let digits: Vec<&str> = text.split_whitespace().collect();
    if digits.len() != tracks {
        return None;
    }
    let mut letters = vec![0];
    for (i, digit) in digits.into_iter().enumerate() {
        let one: Vec<usize> = letters.iter().map(|letter| letter | 1 << i).collect();
        match digit {
            "0" => {}
            "1" => letters = one,
            "*" => letters.extend(one),
            _ => return None,
        }
    }
    Some(letters)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str, d: usize) -> Result<VectorSet> {
        read(text, d, &Effort::unlimited())
    }

    #[test]
    fn both_directions_are_read() {
        // x ≥ y: the highest digits that differ decide; with the lowest first the last difference does.
        let msd = "msd_2 msd_2\n\n0 1\n0 0 -> 0\n1 1 -> 0\n1 0 -> 1\n\n1 1\n* * -> 1\n";
        let lsd = "lsd_2 lsd_2 # tracks\na 1\n0 0 -> a\n1 1 -> a\n1 0 -> a\n0 1 -> b\nb 0\n0 0 -> b\n1 1 -> b\n1 0 -> a\n0 1 -> b";
        let (msd, lsd) = (set(msd, 2).unwrap(), set(lsd, 2).unwrap());
        assert_eq!(msd, lsd);
        for x in 0..20 {
            for y in 0..20 {
                assert_eq!(msd.contains_small(&[x, y]), x >= y, "({x},{y})");
            }
        }
    }

    #[test]
    fn several_targets_are_any_of_them() {
        // Numbers with a digit 1 above a digit 0, guessed.
        let text = "lsd_2\n0 0\n* -> 0\n0 -> 1\n1 0\n1 -> 2\n* -> 1\n2 1\n* -> 2";
        let set = set(text, 1).unwrap();
        for x in 0_u64..64 {
            assert_eq!(set.contains_small(&[x]), x.leading_zeros() + x.trailing_ones() < 64, "{x}");
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for (text, what) in [
            ("", "empty"),
            ("msd_fib\n0 1", "msd_2"),
            ("msd_2 lsd_2\n0 1", "msd_2"),
            ("lsd_2\n", "no state"),
            ("lsd_2\n0 -> 0", "before the first state"),
            ("lsd_2\n0 1\n2 -> 0", "digits"),
            ("lsd_2\n0 1\n0 0 -> 0", "digits"),
            ("lsd_2\n0 1\n0 -> 7", "no state 7"),
            ("lsd_2\n0 1\n0 0", "twice"),
            ("lsd_2\n0 x", "not a number"),
            ("lsd_2\n0", "neither"),
            ("lsd_2\n0 1\n0 -> 1\n1 0", "zeros after"),
            ("msd_2\n0 1", "zeros before"),
            ("lsd_2 lsd_2\n0 1\n0 0 -> 0", "2 numbers"),
        ] {
            let error = set(text, 1).expect_err(text).to_string();
            assert!(error.contains(what), "{text:?}: {error}");
        }
    }
}
