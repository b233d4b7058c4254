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

use std::sync::Arc;

use crate::error::{Error, Result};
use semilinear::numeration::{DigitSet, NOWHERE, System};
use semilinear::vectorset::{Effort, VectorSet, id};

/// Texts with more coordinates are not read: every state has a transition for each of 2ᵈ digit vectors.
const MOST_TRACKS: usize = 10;

/// An automaton as it is written, perhaps with several targets of a digit vector.
struct Written {
    tracks: usize,
    /// Digits are less than this.
    base: usize,
    /// Whether the most significant digits come first.
    msd: bool,
    accepting: Vec<bool>,
    /// For each state and digit vector (a number whose i-th digit from below, in the base, is that of coordinate i) the targets.
    next: Vec<Vec<Vec<usize>>>,
}

/// The set of vectors that an automaton in Walnut's text accepts, with so many coordinates.
pub(super) fn read(text: &str, dimension: usize, effort: &Effort<'_>) -> Result<VectorSet> {
    let written = Written::parse(text, |systems| {
        let msd = systems[0] == "msd_2";
        let alike = systems.iter().all(|system| *system == if msd { "msd_2" } else { "lsd_2" });
        if alike {
            Ok((2, msd))
        } else {
            Err("the numeration systems are not all msd_2 or all lsd_2; give binary automata".into())
        }
    })?;
    written.need(dimension)?;
    written.vector_set(effort)
}

/// The sets of vectors that automata in Walnut's text accept, one after the other, in the numeration system that they name: `msd_2`, `msd_3`, `msd_fib`,
/// `msd_pell` or `msd_trib`. Each begins with its line of systems.
pub(super) fn read_digits(text: &str, dimension: usize, effort: &Effort<'_>) -> Result<Vec<DigitSet>> {
    let is_header = |line: &str| line.trim_start().starts_with("msd_") || line.trim_start().starts_with("lsd_");
    // What `show --as walnut` writes ends with a script for Walnut.
    let text = text.split("# Command Files").next().unwrap_or(text);
    // Lines keep their numbers: every part has empty lines for those before it.
    let lines: Vec<&str> = text.lines().collect();
    let mut starts: Vec<usize> = (0..lines.len()).filter(|&i| is_header(lines[i])).collect();
    if starts.is_empty() {
        starts.push(0);
    }
    let ends = starts[1..].iter().copied().chain([lines.len()]);
    let mut sets = Vec::new();
    for (&start, end) in starts.iter().zip(ends) {
        let part = format!("{}{}", "\n".repeat(start), lines[start..end].join("\n"));
        let mut system = None;
        let written = {
            let found = std::cell::RefCell::new(&mut system);
            Written::parse(&part, |systems| {
                let known = systems.iter().all(|other| *other == systems[0]).then(|| named(systems[0])).flatten();
                let Some(known) = known else {
                    return Err(
                        "the numeration systems are not all msd_2, msd_3, msd_fib, msd_pell or msd_trib; give \
                                automata of games with rays in one of these"
                            .into(),
                    );
                };
                let base = known.base();
                **found.borrow_mut() = Some(known);
                Ok((base, true))
            })?
        };
        written.need(dimension)?;
        let system = system.ok_or_else(|| Error::input("automaton: no numeration system"))?;
        sets.push(written.digit_set(&Arc::new(system), effort)?);
    }
    Ok(sets)
}

/// The system that Walnut calls so.
fn named(system: &str) -> Option<System> {
    let name = match system {
        "msd_2" => "binary",
        "msd_3" => "ternary",
        "msd_fib" => "fibonacci",
        "msd_pell" => "pell",
        "msd_trib" => "tribonacci",
        _ => return None,
    };
    System::named(name).ok()
}

impl Written {
    /// Reads a text; `system` says the base of its numeration systems, and whether the most significant digits come first.
    fn parse(text: &str, system: impl Fn(&[&str]) -> Result<(usize, bool), String>) -> Result<Self> {
        let bad = |line: usize, what: String| Error::Input(format!("automaton, line {}: {what}", line + 1));
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or("").trim()).enumerate();
        let mut lines = lines.filter(|(_, line)| !line.is_empty());
        let Some((at, systems)) = lines.next() else {
            return Err(Error::input("automaton: an empty text; give an automaton in Walnut's text"));
        };
        let systems: Vec<&str> = systems.split_whitespace().collect();
        let (base, msd) = system(&systems).map_err(|what| bad(at, what))?;
        let tracks = systems.len();
        let most = if base == 2 { MOST_TRACKS } else { MOST_TRACKS / 2 };
        if tracks > most {
            return Err(bad(at, format!("{tracks} numbers; give at most {most}")));
        }
        // States are numbered in the order of their lines; targets are names until all are known.
        let mut names: HashMap<&str, usize> = HashMap::new();
        let mut accepting = Vec::new();
        let mut transitions: Vec<(usize, usize, Vec<usize>, Vec<&str>)> = Vec::new();
        for (at, line) in lines {
            if let Some((digits, targets)) = line.split_once("->") {
                let letters = letters(digits, tracks, base).ok_or_else(|| {
                    bad(at, format!("\"{}\" is not {tracks} digits below {base}, or *", digits.trim()))
                })?;
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
        let letters = base.pow(u32::try_from(tracks).unwrap_or(0));
        let mut next = vec![vec![Vec::new(); letters]; accepting.len()];
        for (at, state, letters, targets) in transitions {
            for name in targets {
                let Some(&target) = names.get(name) else { return Err(bad(at, format!("there is no state {name}"))) };
                for &letter in &letters {
                    next[state][letter].push(target);
                }
            }
        }
        Ok(Self { tracks, base, msd, accepting, next })
    }

    fn need(&self, dimension: usize) -> Result<()> {
        if self.tracks == dimension {
            return Ok(());
        }
        Err(Error::Input(format!(
            "automaton: it reads {} numbers, but the game has {dimension} coordinates; give one numeration system for each",
            self.tracks
        )))
    }

    /// The set in a numeration system, most significant digits first, by the subset construction.
    fn digit_set(&self, system: &Arc<System>, effort: &Effort<'_>) -> Result<DigitSet> {
        let letters = self.next[0].len();
        // The library's letters have the first coordinate's digit on top.
        let reversed = |letter: usize| {
            (0..self.tracks)
                .fold((0, letter), |(sum, rest), _| (sum * self.base + rest % self.base, rest / self.base))
                .0
        };
        let mut subsets = vec![vec![0_usize]];
        let mut numbers: HashMap<Vec<usize>, usize> = HashMap::from([(vec![0], 0)]);
        let (mut next, mut accepting) = (Vec::new(), Vec::new());
        let mut at = 0;
        while at < subsets.len() {
            effort.allow(subsets.len())?;
            if subsets[at].iter().any(|&s| self.accepting[s]) {
                accepting.push(id(at));
            }
            for letter in 0..letters {
                let mut subset: Vec<usize> =
                    subsets[at].iter().flat_map(|&s| self.next[s][reversed(letter)].iter().copied()).collect();
                subset.sort_unstable();
                subset.dedup();
                if subset.is_empty() {
                    next.push(NOWHERE);
                    continue;
                }
                let fresh = subsets.len();
                let found = *numbers.entry(subset).or_insert_with_key(|subset| {
                    subsets.push(subset.clone());
                    fresh
                });
                next.push(id(found));
            }
            at += 1;
        }
        DigitSet::from_table(system, self.tracks, &next, &accepting, effort)?.map_err(|_| {
            Error::input("automaton: zeros before the digits change what it accepts; let the state that zeros lead to have the same output")
        })
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
fn letters(text: &str, tracks: usize, base: usize) -> Option<Vec<usize>> {
    let digits: Vec<&str> = text.split_whitespace().collect();
    if digits.len() != tracks {
        return None;
    }
    let mut letters = vec![0];
    let mut weight = 1;
    for digit in digits {
        let range = match digit {
            "*" => 0..base,
            digit => {
                let digit = digit.parse().ok().filter(|&digit: &usize| digit < base)?;
                digit..digit + 1
            }
        };
        letters = letters.iter().flat_map(|letter| range.clone().map(move |digit| letter + digit * weight)).collect();
        weight *= base;
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
    fn digits_of_a_recurrence_are_read_back() {
        let effort = Effort::unlimited();
        for name in ["binary", "ternary", "fibonacci", "pell", "tribonacci"] {
            let system = Arc::new(System::named(name).unwrap());
            let points: Vec<Vec<_>> = (0..30_u32).map(|i| vec![(i * i).into(), (3 * i + 1).into()]).collect();
            let set = DigitSet::finite(&system, &points, 2, &effort).unwrap();
            let text = crate::render::walnut_digits(&set).unwrap();
            assert_eq!(read_digits(&format!("{text}\n{text}"), 2, &effort).unwrap(), [set.clone(), set]);
        }
        let all = read_digits("msd_fib\n0 1\n* -> 0", 1, &effort).unwrap();
        assert_eq!(all, [DigitSet::full(&Arc::new(System::fibonacci()), 1, &effort).unwrap()]);
        for (text, what) in [
            ("msd_golden\n0 1", "line 1: the numeration systems"),
            ("msd_fib msd_2\n0 1", "line 1: the numeration systems"),
            ("lsd_fib\n0 1", "line 1"),
            ("msd_fib\n0 1\n2 -> 0", "line 3: \"2\" is not 1 digits below 2"),
            ("msd_fib\n0 1\n0 -> 1\n1 0\n0 -> 1", "zeros before"),
            ("", "empty"),
        ] {
            let error = read_digits(text, 1, &effort).expect_err(text).to_string();
            assert!(error.contains(what), "{text:?}: {error}");
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
