//! The rules of a heap game, and the options they give.

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use thiserror::Error;

use super::divide::divisions;
use super::{Bound, Code, CodeError, HeapCondition, NumbersError, Take};
use crate::ruleset::Ruleset;

/// The rules of a heap game: in a move a player chooses one heap and replaces it as they say.
///
/// ```
/// use impartial::heap::HeapRules;
/// let kayles: HeapRules = "0.77".parse().unwrap();
/// assert_eq!(kayles.heap_options(4), [vec![1, 1], vec![1, 2], vec![2], vec![3]]);
/// let game: HeapRules = "subtract:1,2,3".parse().unwrap();
/// assert_eq!(game.heap_options(2), [vec![], vec![1]]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum HeapRules {
    /// A take-and-break code.
    Code(Code),
    /// Take one of these numbers of beans (sorted, without repeats or 0) and leave the rest as it is.
    Subtraction(Vec<u64>),
    /// A move follows one of these clauses.
    Clauses(Vec<Clause>),
}

/// One kind of move of a general heap game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Clause {
    /// From which heaps; `None`: from all.
    pub heap: Option<HeapCondition>,
    /// How many beans are taken.
    pub take: Take,
    /// Bounds on that number, relative to the heap.
    pub limits: Vec<Bound>,
    /// How many heaps are left. Taking nothing must leave at least two heaps: a clause that allows
    /// both no bean and fewer heaps gives no such move.
    pub leave: Vec<Leave>,
    /// How the heaps left compare with each other.
    pub shape: Shape,
    /// Each heap left has at least this many beans (1: any).
    pub least: u64,
}

/// A range of numbers of heaps left, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Leave {
    /// The smallest number.
    pub first: u64,
    /// The largest number; `None`: no bound.
    pub last: Option<u64>,
}

/// How the heaps left by a move compare with each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// In any way.
    #[default]
    Any,
    /// Any two differ.
    Unequal,
    /// All are equal.
    Equal,
}

/// Why a text or a table is no rule of a heap game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RulesError {
    /// A bad code.
    #[error(transparent)]
    Code(#[from] CodeError),
    /// A bad text in a clause.
    #[error(transparent)]
    Numbers(#[from] NumbersError),
    /// A subtraction set without numbers.
    #[error("subtraction set: no number; write the numbers that may be taken, such as subtract:1,2,3")]
    EmptySet,
    /// Taking 0 is no move.
    #[error("subtraction set: 0 may not be taken; give numbers from 1 on, such as subtract:1,2,3")]
    ZeroTaken,
    /// A part of a subtraction set that is no number.
    #[error("subtraction set: \"{0}\" is no number below 2^64 and no range; write subtract:1,2,3 or subtract:1..3")]
    NoNumber(String),
    /// A clause whose `leave` is not understood.
    #[error("leave = {0}: write numbers of heaps, such as 1, [0, 1], \"2..3\" or \"1..\"")]
    Leave(String),
    /// A clause that can never be a move.
    #[error("clause {0}: it takes no bean and leaves fewer than two heaps, which is no move; take beans or leave 2")]
    NoMove(usize),
    /// No clause at all.
    #[error("no moves; give code = \"0.77\", subtract = [1, 2, 3], or clauses as [[moves]] tables")]
    NoClause,
}

/// Ranges of numbers that may be taken are no longer than this.
const LONGEST_RANGE: u64 = 1_000_000;

impl HeapRules {
    /// A subtraction game; repeated numbers are harmless.
    pub fn subtraction(set: &[u64]) -> Result<Self, RulesError> {
        let mut set = set.to_vec();
        set.sort_unstable();
        set.dedup();
        match set.first() {
            None => Err(RulesError::EmptySet),
            Some(0) => Err(RulesError::ZeroTaken),
            Some(_) => Ok(Self::Subtraction(set)),
        }
    }

    /// A game of clauses.
    pub fn clauses(clauses: Vec<Clause>) -> Result<Self, RulesError> {
        if clauses.is_empty() {
            return Err(RulesError::NoClause);
        }
        let idle = |clause: &Clause| {
            clause.take.only_zero() && clause.leave.iter().all(|leave| leave.last.is_some_and(|last| last < 2))
        };
        match clauses.iter().position(idle) {
            Some(i) => Err(RulesError::NoMove(i + 1)),
            None => Ok(Self::Clauses(clauses)),
        }
    }

    /// The code with the same options, if there is one that is not absurdly long (a million digits).
    ///
    /// ```
    /// use impartial::heap::HeapRules;
    /// let game: HeapRules = "subtract:1,3".parse().unwrap();
    /// assert_eq!(game.code().unwrap().to_string(), "0.303");
    /// ```
    pub fn code(&self) -> Option<Code> {
        match self {
            Self::Code(code) => Some(code.clone()),
            Self::Subtraction(set) => {
                let largest = set.last().filter(|&&largest| largest <= 1_000_000)?;
                let mut digits = vec![0; usize::try_from(*largest).ok()? + 1];
                for &k in set {
                    digits[usize::try_from(k).ok()?] = 3;
                }
                Some(Code::finite(digits))
            }
            Self::Clauses(_) => None,
        }
    }

    /// Every option of a heap, each as a sorted list of non-empty heaps; sorted, without repeats.
    ///
    /// The list can be as long as n² or more; [`HeapRules::options_within`] bounds the work.
    pub fn heap_options(&self, heap: u64) -> Vec<Vec<u64>> {
        self.options_within(heap, u64::MAX).expect("no computer does 2^64 units of work")
    }

    /// As [`HeapRules::heap_options`], but gives up (`None`) after `work` steps.
    ///
    /// # Complexity
    /// O(work): a step is a number of beans looked at, or a heap written.
    pub fn options_within(&self, heap: u64, work: u64) -> Option<Vec<Vec<u64>>> {
        let mut left = work;
        let mut options: Vec<Vec<u64>> = Vec::new();
        if heap == 0 {
            return Some(options);
        }
        let mut spend = |steps: usize| {
            let paid = left.checked_sub(steps as u64);
            left = paid.unwrap_or(0);
            paid.is_some()
        };
        let finished = match self {
            Self::Code(code) => {
                let last = code.last().map_or(0, |last| last as u64);
                let last = if code.repeat() > 0 { heap } else { last.min(heap) };
                (0..=last).all(|k| {
                    let digit = code.digit(k);
                    spend(1)
                        && (0..8).filter(|j| digit >> j & 1 == 1).all(|j| {
                            divisions(heap - k, j, 1, false, &mut |rest| {
                                options.push(rest.to_vec());
                                spend(1 + rest.len())
                            })
                        })
                })
            }
            Self::Subtraction(set) => set.iter().take_while(|&&k| k <= heap).all(|&k| {
                options.push(if k == heap { vec![] } else { vec![heap - k] });
                spend(1)
            }),
            Self::Clauses(clauses) => clauses.iter().all(|clause| clause.options(heap, &mut options, &mut spend)),
        };
        options.sort_unstable();
        options.dedup();
        finished.then_some(options)
    }

    /// The rules as they stand in a strategy file, without `kind`.
    pub fn to_json(&self) -> Value {
        match self {
            Self::Code(code) => json!({"code": code.to_string()}),
            Self::Subtraction(set) => {
                // Beyond 2⁵³ an integer is a string: programs that read numbers as doubles would round it.
                let number = |&k: &u64| if k <= 1 << 53 { json!(k) } else { json!(k.to_string()) };
                json!({"subtract": set.iter().map(number).collect::<Vec<_>>()})
            }
            Self::Clauses(clauses) => json!({"moves": clauses.iter().map(Clause::to_json).collect::<Vec<_>>()}),
        }
    }
}

impl Ruleset for HeapRules {
    type Component = u64;

    fn options(&self, heap: &u64) -> Vec<Vec<u64>> {
        self.heap_options(*heap)
    }

    fn options_within(&self, heap: &u64, work: u64) -> Option<Vec<Vec<u64>>> {
        self.options_within(*heap, work)
    }
}

impl FromStr for HeapRules {
    type Err = RulesError;

    /// `0.77`, `subtract:1,2,3` or `subtract:1..3`.
    fn from_str(text: &str) -> Result<Self, RulesError> {
        let Some(set) = text.strip_prefix("subtract:") else { return Ok(Self::Code(text.parse()?)) };
        if set.trim().is_empty() {
            return Err(RulesError::EmptySet);
        }
        let number = |part: &str| part.trim().parse::<u64>().map_err(|_| RulesError::NoNumber(part.to_owned()));
        let mut numbers = Vec::new();
        for part in set.split(',') {
            let Some((first, last)) = part.split_once("..") else {
                numbers.push(number(part)?);
                continue;
            };
            let (first, last) = (number(first)?, number(last)?);
            if first > last || last - first >= LONGEST_RANGE {
                return Err(RulesError::NoNumber(part.to_owned()));
            }
            numbers.extend(first..=last);
        }
        Self::subtraction(&numbers)
    }
}

impl Clause {
    fn options(&self, heap: u64, options: &mut Vec<Vec<u64>>, spend: &mut dyn FnMut(usize) -> bool) -> bool {
        if !self.heap.as_ref().is_none_or(|condition| condition.holds(heap)) {
            return true;
        }
        let (mut low, mut high) = (0, heap);
        for bound in &self.limits {
            let (first, last) = bound.range(heap);
            (low, high) = (low.max(first), high.min(last));
        }
        if low > high {
            return true;
        }
        self.take.each(heap, low, high, &mut |k| {
            if k > heap {
                return spend(1);
            }
            let rest = heap - k;
            spend(1)
                && self.leave.iter().all(|leave| {
                    let fewest = if k == 0 { leave.first.max(2) } else { leave.first };
                    let most = leave.last.unwrap_or(u64::MAX).min(rest / self.least.max(1));
                    fewest > most || (fewest..=most).all(|parts| self.divide(rest, parts, options, spend))
                })
        })
    }

    fn divide(&self, rest: u64, parts: u64, options: &mut Vec<Vec<u64>>, spend: &mut dyn FnMut(usize) -> bool) -> bool {
        let Ok(length) = usize::try_from(parts) else { return false };
        if !spend(1) {
            return false;
        }
        if self.shape == Shape::Equal && parts > 0 {
            if rest.is_multiple_of(parts) && rest / parts >= self.least.max(1) {
                if !spend(length) {
                    return false;
                }
                options.push(vec![rest / parts; length]);
            }
            return true;
        }
        // The heaps of the first division are paid before they are made.
        spend(length)
            && divisions(rest, parts, self.least, self.shape == Shape::Unequal, &mut |heaps| {
                options.push(heaps.to_vec());
                spend(1 + length)
            })
    }

    /// The clause as it stands in a game or strategy file; what is at its default is left out.
    pub fn to_json(&self) -> Value {
        let leave: Vec<String> = self.leave.iter().map(Leave::to_text).collect();
        let mut json = json!({"take": self.take.to_string(), "leave": leave.join(", ")});
        if let Some(condition) = &self.heap {
            json["heap"] = condition.to_string().into();
        }
        if !self.limits.is_empty() {
            json["limit"] = self.limits.iter().map(ToString::to_string).collect::<Vec<_>>().into();
        }
        if self.shape != Shape::Any {
            json["heaps"] = json!(self.shape);
        }
        if self.least > 1 {
            json["least"] = self.least.into();
        }
        json
    }
}

impl Leave {
    /// Exactly this number of heaps.
    pub fn exactly(heaps: u64) -> Self {
        Self { first: heaps, last: Some(heaps) }
    }

    /// `2`, `1..3` or `1..`, the way a game file has it.
    pub fn to_text(&self) -> String {
        match self.last {
            None => format!("{}..", self.first),
            Some(last) if last == self.first => last.to_string(),
            Some(last) => format!("{}..{last}", self.first),
        }
    }
}

#[cfg(test)]
#[path = "rules_tests.rs"]
mod tests;
