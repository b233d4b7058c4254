//! Automata as text for Walnut and Graphviz, and Walnut's text read back.
//!
//! Walnut reads a whole digit block (one digit of every coordinate) in one step. Here a state reads one digit after the other, so
//! that the states at the first coordinate, with 2ᵈ letters, are Walnut's.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use semilinear::vectorset::{Effort, Label, Labelled, VectorSet};

use super::syntax::join;
use crate::error::{Error, Result};

/// Blocks of more digits than this are not written out: a state has 2ᵈ arrows.
const MOST_COORDINATES: usize = 10;
/// More arrows than this are not written.
const MOST_ARROWS: usize = 4_000_000;

/// An automaton that reads digit blocks: state 0 is initial.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockAutomaton {
    /// The number of coordinates.
    pub dimension: usize,
    /// The label of every state: 0 and 1 for a set.
    pub labels: Vec<u8>,
    /// The successors of every state, one for each block; bit i of a block's number is the digit of coordinate i.
    pub next: Vec<Vec<usize>>,
}

impl BlockAutomaton {
    /// The states at the first coordinate, with whole blocks as letters.
    ///
    /// ```
    /// use impartial::{render::BlockAutomaton, vectorset::{Effort, VectorSet}};
    /// let thirds = VectorSet::congruence(&[1], 0, 3, &Effort::unlimited())?;
    /// assert_eq!(BlockAutomaton::of(&thirds).unwrap().walnut().lines().count(), 13);
    /// # Ok::<(), impartial::run::StopReason>(())
    /// ```
    pub fn of<L: Label>(set: &Labelled<L>) -> Result<Self> {
        let d = set.dimension();
        if d > MOST_COORDINATES || set.block_states() << d > MOST_ARROWS {
            return Err(Error::Input(format!(
                "the automaton has {} states and {d} coordinates, which are too many arrows to write out; \
                 convert it to a stratification or a series",
                set.block_states()
            )));
        }
        let mut numbers = HashMap::from([(0_u32, 0_usize)]);
        let mut order = vec![0_u32];
        let mut next = Vec::new();
        let mut at = 0;
        while let Some(&state) = order.get(at) {
            at += 1;
            let mut row = Vec::with_capacity(1 << d);
            for block in 0..1_usize << d {
                let end = (0..d).fold(state, |state, i| set.transitions()[state as usize][block >> i & 1]);
                let number = *numbers.entry(end).or_insert_with(|| {
                    order.push(end);
                    order.len() - 1
                });
                row.push(number);
            }
            next.push(row);
        }
        let labels = order.iter().map(|&state| set.state_label(state).map_or(0, Label::number)).collect();
        Ok(Self { dimension: d, labels, next })
    }

    /// The text of a Walnut automaton that reads lowest digits first.
    pub fn walnut(&self) -> String {
        let mut text = format!("{}\n", vec!["lsd_2"; self.dimension].join(" "));
        for (state, (label, row)) in self.labels.iter().zip(&self.next).enumerate() {
            let _ = write!(text, "\n{state} {label}\n");
            for (block, target) in row.iter().enumerate() {
                let _ = writeln!(text, "{} -> {target}", join((0..self.dimension).map(|i| block >> i & 1), " "));
            }
        }
        text
    }

    /// A graph for Graphviz: arrows with the same ends are one, states that accept have a double circle.
    pub fn dot(&self, title: &str) -> String {
        let mut text = format!(
            "digraph automaton {{\n  label=\"{}\"; labelloc=t; rankdir=LR;\n  node [shape=circle, fontname=\"sans-serif\"]; \
             edge [fontname=\"sans-serif\", fontsize=10];\n  start [shape=point]; start -> 0;\n",
            title.replace('\\', "\\\\").replace('"', "\\\"")
        );
        for (state, &label) in self.labels.iter().enumerate() {
            let shape = if label > 0 { "doublecircle, style=filled, fillcolor=\"#cfe0f2\"" } else { "circle" };
            let _ = writeln!(text, "  {state} [shape={shape}];");
        }
        for (state, arrows) in self.arrows().into_iter().enumerate() {
            for (target, blocks) in arrows {
                let _ = writeln!(text, "  {state} -> {target} [label=\"{}\"];", self.blocks_text(&blocks));
            }
        }
        text.push_str("}\n");
        text
    }

    /// Lines `state,label,digits,next`.
    pub fn csv(&self) -> String {
        let mut text = "state,label,digits,next\n".to_owned();
        for (state, (label, row)) in self.labels.iter().zip(&self.next).enumerate() {
            for (block, target) in row.iter().enumerate() {
                let _ = writeln!(text, "{state},{label},{},{target}", self.digits(block));
            }
        }
        text
    }

    /// The targets of every state with the blocks that lead to them.
    pub fn arrows(&self) -> Vec<BTreeMap<usize, Vec<usize>>> {
        let of = |row: &Vec<usize>| {
            let mut arrows: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
            for (block, &target) in row.iter().enumerate() {
                arrows.entry(target).or_default().push(block);
            }
            arrows
        };
        self.next.iter().map(of).collect()
    }

    fn digits(&self, block: usize) -> String {
        (0..self.dimension).map(|i| if block >> i & 1 == 1 { '1' } else { '0' }).collect()
    }

    /// `00,11`, or `any` for all blocks.
    pub fn blocks_text(&self, blocks: &[usize]) -> String {
        if blocks.len() == 1 << self.dimension {
            return "any".into();
        }
        join(blocks.iter().map(|&block| self.digits(block)), ",")
    }
}

/// An automaton of Walnut for a sequence that repeats, with the values as outputs; it reads highest digits first. State n is what was
/// read so far, brought into the first period.
///
/// ```
/// use impartial::render::periodic_walnut;
/// assert_eq!(periodic_walnut(&[0, 1, 2], 0, 3).lines().nth(2), Some("0 0"));
/// ```
pub fn periodic_walnut(values: &[u32], preperiod: usize, period: usize) -> String {
    let mut text = "msd_2\n".to_owned();
    let folded = |n: usize| if n < preperiod { n } else { preperiod + (n - preperiod) % period.max(1) };
    for (n, value) in values.iter().enumerate().take(preperiod + period) {
        let _ = write!(text, "\n{n} {value}\n0 -> {}\n1 -> {}\n", folded(2 * n), folded(2 * n + 1));
    }
    text
}

/// The set of a Walnut automaton that reads lowest digits first, in base 2.
///
/// ```
/// use impartial::{render::{BlockAutomaton, set_from_walnut}, vectorset::{Effort, VectorSet}};
/// let effort = Effort::unlimited();
/// let thirds = VectorSet::congruence(&[1, 1], 0, 3, &effort)?;
/// let text = BlockAutomaton::of(&thirds).unwrap().walnut();
/// assert_eq!(set_from_walnut(&text, &effort).unwrap(), thirds);
/// # Ok::<(), impartial::run::StopReason>(())
/// ```
pub fn set_from_walnut(text: &str, effort: &Effort<'_>) -> Result<VectorSet> {
    let bad = |line: usize, what: &str| {
        Error::Input(format!(
            "line {line}: {what}; a Walnut automaton has a line lsd_2 … with one entry a coordinate, then for every state a \
             line \"state output\" and lines \"digits -> state\""
        ))
    };
    let mut lines = (1..).zip(text.lines()).map(|(n, line)| (n, line.trim())).filter(|(_, line)| !line.is_empty());
    let (n, head) = lines.next().ok_or_else(|| bad(1, "the file is empty"))?;
    let systems: Vec<&str> = head.split_whitespace().collect();
    if systems.iter().any(|system| *system != "lsd_2") {
        return Err(bad(n, &format!("\"{head}\" is not lsd_2 (lowest digit first, base 2) in every coordinate")));
    }
    let d = systems.len();
    if d > MOST_COORDINATES {
        return Err(bad(n, "too many coordinates"));
    }
    let mut numbers: HashMap<u64, usize> = HashMap::new();
    let mut states: Vec<(bool, Vec<Option<u64>>)> = Vec::new();
    for (n, line) in lines {
        let number =
            |text: &str| text.trim().parse::<u64>().map_err(|_| bad(n, &format!("\"{line}\" is not understood")));
        if let Some((digits, target)) = line.split_once("->") {
            let digits: Vec<&str> = digits.split_whitespace().collect();
            let state = states.last_mut().ok_or_else(|| bad(n, "an arrow before any state"))?;
            if digits.len() != d {
                return Err(bad(n, &format!("{} digits for {d} coordinates", digits.len())));
            }
            let target = number(target)?;
            // A star stands for both digits.
            for block in 0..1_usize << d {
                let fits = |(i, digit): (usize, &&str)| match *digit {
                    "*" => Ok(true),
                    "0" | "1" => Ok((*digit == "1") == (block >> i & 1 == 1)),
                    _ => Err(bad(n, &format!("\"{digit}\" is no binary digit"))),
                };
                if digits.iter().enumerate().map(fits).collect::<Result<Vec<bool>>>()?.into_iter().all(|fits| fits) {
                    state.1[block] = Some(target);
                }
            }
        } else {
            let mut words = line.split_whitespace();
            let (Some(state), Some(output), None) = (words.next(), words.next(), words.next()) else {
                return Err(bad(n, &format!("\"{line}\" is not understood")));
            };
            if numbers.insert(number(state)?, states.len()).is_some() {
                return Err(bad(n, &format!("state {state} is there twice")));
            }
            states.push((number(output)? != 0, vec![None; 1 << d]));
            if states.len() << d > MOST_ARROWS {
                return Err(bad(n, "too many states"));
            }
        }
    }
    // One digit at a time: a node for every state and every beginning of a block. The last node accepts nothing: arrows that are
    // missing lead there.
    let inner = (1_usize << d) - 1;
    let dead = states.len();
    let node = |state: usize, i: usize, block: usize| state * inner + (1 << i) - 1 + block;
    let mut next = vec![[0_u32; 2]; (states.len() + 1) * inner];
    for state in 0..=dead {
        for i in 0..d {
            for block in 0..1_usize << i {
                #[allow(clippy::needless_range_loop)]
                for digit in 0..2 {
                    let longer = block | digit << i;
                    let target = if i + 1 < d {
                        node(state, i + 1, longer)
                    } else {
                        let named = states.get(state).and_then(|(_, arrows)| arrows[longer]);
                        let target = match named {
                            None => dead,
                            Some(name) => {
                                *numbers.get(&name).ok_or_else(|| bad(1, &format!("there is no state {name}")))?
                            }
                        };
                        node(target, 0, 0)
                    };
                    next[node(state, i, block)][digit] = semilinear::vectorset::id(target);
                }
            }
        }
    }
    let accepting: Vec<u32> = (0..states.len())
        .filter(|&state| states[state].0)
        .map(|state| semilinear::vectorset::id(node(state, 0, 0)))
        .collect();
    let made = VectorSet::from_table(d, &next, &accepting, effort).map_err(Error::from)?;
    made.map_err(|what| {
        Error::Input(format!("Walnut automaton: {what}; the same vector with zeros in front must be accepted too"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walnut_is_written_and_read_back() {
        let effort = Effort::unlimited();
        let sets = [
            VectorSet::congruence(&[1, 2], 1, 5, &effort).unwrap(),
            VectorSet::congruence(&[1, 1, 1], 0, 2, &effort).unwrap(),
            VectorSet::congruence(&[1], 2, 7, &effort).unwrap(),
        ];
        for set in sets {
            let text = BlockAutomaton::of(&set).unwrap().walnut();
            assert_eq!(set_from_walnut(&text, &effort).unwrap(), set);
        }
    }

    #[test]
    fn bad_walnut_names_the_line() {
        for (text, words) in [
            ("", "line 1: the file is empty"),
            ("msd_2\n0 1\n0 -> 0\n", "not lsd_2"),
            ("lsd_2\n0 1\n2 -> 0\n", "line 3: \"2\" is no binary digit"),
            ("lsd_2\n0 1\n0 0 -> 0\n", "2 digits for 1 coordinates"),
            ("lsd_2\n0 1\n0 -> 7\n", "no state 7"),
            ("lsd_2\n0 -> 0\n", "an arrow before any state"),
            ("lsd_2\nhello\n", "line 2"),
        ] {
            let message = set_from_walnut(text, &Effort::unlimited()).unwrap_err().to_string();
            assert!(message.contains(words), "{text}: {message}");
        }
    }
}
