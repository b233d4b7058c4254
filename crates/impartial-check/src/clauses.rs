//! Heap games by clauses in strategy files: `{"kind": "heap", "moves": [{"take": "0", "leave": "2", "heaps": "unequal"}]}`.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::iter::successors;

use serde::Deserialize;

use crate::heap::Found;
use crate::json::objects;
use crate::meter::{Held, Meter};
use crate::{Checked, Failure};

objects! {
    /// A clause as files have it.
    ClauseText {
        take: String, leave: String, heap: Option<String>, limit: Option<Vec<String>>, heaps: Option<Shape>, least: Option<u64>,
    }
}

/// Whether k beans may be taken from a heap of n.
type Test = Box<dyn Fn(usize, usize) -> bool>;

/// One kind of move.
pub(crate) struct Clause {
    /// One of these holds: the numbers of beans taken.
    take: Vec<Test>,
    /// All of these hold: conditions on the heap, and bounds on the number of beans taken.
    conditions: Vec<Test>,
    /// Ranges of the numbers of heaps left; no upper end: as many as there are beans.
    leave: Vec<(usize, Option<usize>)>,
    shape: Option<Shape>,
    /// The fewest beans of a heap that is left.
    least: usize,
    partitions: Partitions,
}

/// How many partitions of n into k parts there are, row by row: p(n, k) = p(n − 1, k − 1) + p(n − k, k). Each row with what it takes up.
#[derive(Default)]
struct Partitions(RefCell<Vec<(Vec<u64>, Held)>>);

impl Partitions {
    /// p(n, k), or the largest number when it is larger. `most` bounds the k that are ever asked for.
    fn count(&self, n: usize, k: usize, most: usize, meter: &Meter<'_>) -> Checked<u64> {
        let mut rows = self.0.borrow_mut();
        while rows.len() <= n {
            let m = rows.len();
            let width = m.min(most);
            meter.steps(width + 1)?;
            let held = meter.hold(8 * width as u64 + 100)?;
            let at = |n: usize, k: usize| rows.get(n).and_then(|(row, _)| row.get(k)).copied().unwrap_or(0);
            let entry = |k: usize| match (m, k) {
                (0, 0) => 1,
                (0, _) | (_, 0) => 0,
                _ => at(m - 1, k - 1).saturating_add(at(m - k, k)),
            };
            let row = (0..=width).map(entry).collect();
            rows.push((row, held));
        }
        Ok(rows[n].0.get(k).copied().unwrap_or(0))
    }
}

#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Shape {
    Unequal,
    Equal,
}

/// Numbers beyond this are refused.
const LARGEST: u64 = 1 << 40;
/// Moves that leave more unequal heaps are refused: there would be too many.
const MOST_PARTS: usize = 1000;

/// A natural number without a sign or leading zeros.
fn natural(text: &str) -> Option<usize> {
    let plain = !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    text.parse::<u64>().ok().filter(|&n| plain && n <= LARGEST).and_then(|n| usize::try_from(n).ok())
}

/// `3`, `1..3` or `1..`.
fn range(text: &str) -> Option<(usize, Option<usize>)> {
    match text.split_once("..") {
        None => natural(text).map(|n| (n, Some(n))),
        Some((first, "")) => Some((natural(first)?, None)),
        Some((first, last)) => {
            let (first, last) = (natural(first)?, natural(last)?);
            (first <= last).then_some((first, Some(last)))
        }
    }
}

/// A sign and a space at the beginning, as the comparison that it says, and what follows.
fn compared(text: &str) -> Option<(impl Fn(i128, i128) -> bool + 'static, &str)> {
    let (sign, rest) = text.split_once(' ')?;
    let allowed: &[Ordering] = match sign {
        "<" => &[Ordering::Less],
        "<=" => &[Ordering::Less, Ordering::Equal],
        "=" => &[Ordering::Equal],
        ">=" => &[Ordering::Greater, Ordering::Equal],
        ">" => &[Ordering::Greater],
        _ => return None,
    };
    Some((|a: i128, b: i128| allowed.contains(&a.cmp(&b)), rest))
}

/// An item of `take`.
fn numbers(text: &str) -> Option<Test> {
    // The terms of a sequence grow, until they are too large to be written: k is at most the k-th.
    let sequence = |term: fn(usize) -> Option<usize>| -> Test {
        Box::new(move |k, _| (1..=k).map(term).find(|term| term.is_none_or(|n| n >= k)) == Some(Some(k)))
    };
    Some(match text {
        "squares" => sequence(|i| i.checked_mul(i)),
        "cubes" => sequence(|i| i.checked_pow(3)),
        "triangular" => sequence(|i| Some(i.checked_mul(i + 1)? / 2)),
        "fibonacci" => sequence(|i| {
            let next = |(a, b): (usize, usize), _| Some((b, a.checked_add(b)?));
            (0..i).try_fold((0, 1), next).map(|(_, b)| b)
        }),
        "factorials" => sequence(|i| (1..=i).try_fold(1, usize::checked_mul)),
        "primes" => Box::new(|k, _| k >= 2 && (2..k).take_while(|d| d * d <= k).all(|d| !k.is_multiple_of(d))),
        "divisors" => Box::new(|k, n| k >= 1 && n.is_multiple_of(k)),
        "proper divisors" => Box::new(|k, n| k >= 1 && k < n && n.is_multiple_of(k)),
        "coprime" => Box::new(|k, n| k >= 1 && gcd(k, n) == 1),
        other => {
            if let Some(base) = other.strip_prefix("powers of ") {
                let base = natural(base).filter(|&base| base >= 2)?;
                let power = move |power: &usize| power.checked_mul(base);
                return Some(Box::new(move |k, _| successors(Some(1), power).find(|&power| power >= k) == Some(k)));
            }
            let (first, last) = range(other)?;
            Box::new(move |k, _| first <= k && last.is_none_or(|last| k <= last))
        }
    })
}

/// An item of `heap`.
fn condition(text: &str) -> Option<Test> {
    let multiple = |m: &str| natural(m).filter(|&m| m > 0);
    let (m, wanted) = match text {
        "even" => (2, true),
        "odd" => (2, false),
        other => match (other.strip_prefix("multiple of "), other.strip_prefix("not multiple of ")) {
            (Some(m), _) => (multiple(m)?, true),
            (_, Some(m)) => (multiple(m)?, false),
            _ => {
                let (holds, number) = compared(other)?;
                let number = natural(number)? as i128;
                return Some(Box::new(move |_, n| holds(n as i128, number)));
            }
        },
    };
    Some(Box::new(move |_, n| n.is_multiple_of(m) == wanted))
}

/// `< n/2+1`, `<= 2n/3`, `>= 4`: k compared with factor·n/divisor + constant.
fn bound(text: &str) -> Option<Test> {
    let (holds, rest) = compared(text)?;
    let signed = |text: &str| -> Option<i128> {
        match text.strip_prefix('-') {
            Some(digits) => Some(-(natural(digits)? as i128)),
            None => Some(natural(text.strip_prefix('+').unwrap_or(text))? as i128),
        }
    };
    let (factor, divisor, constant) = match rest.split_once('n') {
        None => (0, 1, signed(rest)?),
        Some((factor, rest)) => {
            let factor = if factor.is_empty() { 1 } else { natural(factor)? as i128 };
            let (divisor, constant) = rest.split_at(rest.find(['+', '-']).unwrap_or(rest.len()));
            let divisor = match divisor.strip_prefix('/') {
                Some(divisor) => natural(divisor).filter(|&d| d > 0)? as i128,
                None if divisor.is_empty() => 1,
                None => return None,
            };
            (factor, divisor, if constant.is_empty() { 0 } else { signed(constant)? })
        }
    };
    Some(Box::new(move |k, n| holds(k as i128 * divisor, factor * n as i128 + constant * divisor)))
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl Clause {
    /// The clause with this number.
    pub fn new(i: usize, text: &ClauseText) -> Checked<Self> {
        let clause = Self::from_text(text);
        clause.ok_or_else(|| Failure::Refused(format!("game.moves[{i}]: a text that the format does not know")))
    }

    fn from_text(text: &ClauseText) -> Option<Self> {
        let heap = text.heap.as_ref().map_or(Some(vec![]), |text| list(text, condition))?;
        let limits = text.limit.iter().flatten().map(|text| bound(text)).collect::<Option<Vec<Test>>>()?;
        Some(Self {
            take: list(&text.take, numbers)?,
            conditions: heap.into_iter().chain(limits).collect(),
            leave: list(&text.leave, range)?,
            shape: text.heaps,
            least: text.least.map_or(Some(1), |n| usize::try_from(n).ok().filter(|_| (1..=LARGEST).contains(&n)))?,
            partitions: Partitions::default(),
        })
    }

    /// How many steps the options of a heap of n beans take, about: they are counted before the first of them is made.
    pub fn cost(&self, n: usize, meter: &Meter<'_>) -> Checked<u64> {
        let most = self.leave.iter().map(|(_, last)| last.unwrap_or(usize::MAX)).max().unwrap_or(0);
        let mut cost = 0_u64;
        self.taken(n, meter, &mut |rest, parts| {
            let spare = rest.checked_sub(parts.saturating_mul(self.least - 1));
            let apart =
                if self.shape == Some(Shape::Unequal) { parts.saturating_mul(parts.saturating_sub(1)) / 2 } else { 0 };
            let count = match spare.and_then(|spare| spare.checked_sub(apart)) {
                Some(spare) if self.shape != Some(Shape::Equal) => self.partitions.count(spare, parts, most, meter)?,
                _ => 1,
            };
            cost = cost.saturating_add(count.saturating_mul(parts as u64 + 1));
            Ok(())
        })?;
        Ok(cost)
    }

    /// Calls `found` with the heaps that each move from a heap of n beans leaves; perhaps more than once.
    pub fn options(&self, n: usize, meter: &Meter<'_>, found: Found<'_>) -> Checked {
        meter.work(self.cost(n, meter)?)?;
        self.taken(n, meter, &mut |rest, parts| self.divide(rest, parts, &mut Vec::new(), found))
    }

    /// Calls `found` with the beans and the number of heaps that each kind of move from a heap of n beans leaves.
    fn taken(&self, n: usize, meter: &Meter<'_>, found: &mut dyn FnMut(usize, usize) -> Checked) -> Checked {
        meter.steps((n + 1).saturating_mul(self.take.len() + self.conditions.len()))?;
        for k in 0..=n {
            if !self.take.iter().any(|taken| taken(k, n)) || !self.conditions.iter().all(|holds| holds(k, n)) {
                continue;
            }
            let rest = n - k;
            for &(first, last) in &self.leave {
                // Taking nothing is a move only when the heap is broken up.
                let first = if k == 0 { first.max(2) } else { first };
                let last = last.unwrap_or(rest).min(rest / self.least);
                for parts in first..=last {
                    meter.work(1)?;
                    found(rest, parts)?;
                }
            }
        }
        Ok(())
    }

    /// Adds `parts` heaps with `rest` beans in all to the heaps chosen, none smaller than the last one.
    fn divide(&self, rest: usize, parts: usize, chosen: &mut Vec<usize>, found: Found<'_>) -> Checked {
        if parts == 0 {
            return if rest == 0 { found(chosen) } else { Ok(()) };
        }
        if self.shape == Some(Shape::Equal) {
            return if rest.is_multiple_of(parts) { found(&vec![rest / parts; parts]) } else { Ok(()) };
        }
        refuse_if!(parts > MOST_PARTS, "game.moves: a move that leaves more than {MOST_PARTS} heaps");
        let growth = usize::from(self.shape == Some(Shape::Unequal));
        let from = chosen.last().map_or(self.least, |last| last + growth);
        // The parts to come are at least this one, plus 0, 1, 2, … when they differ: with more beans none would fit.
        let Some(most) = rest.checked_sub(growth * (parts * (parts - 1) / 2)).map(|most| most / parts) else {
            return Ok(());
        };
        for part in if parts == 1 { from.max(rest)..=rest } else { from..=most } {
            chosen.push(part);
            self.divide(rest - part, parts - 1, chosen, found)?;
            chosen.pop();
        }
        Ok(())
    }
}

/// A text of items joined by `, `.
fn list<T>(text: &str, item: impl Fn(&str) -> Option<T>) -> Option<Vec<T>> {
    text.split(", ").map(item).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meter::free_meter;
    use serde_json::{Value, json};

    fn read(clause: &Value) -> Result<Clause, Failure> {
        Clause::new(0, &crate::json::typed("game.moves", clause.clone())?)
    }

    fn options(clause: &Value, n: usize) -> Vec<Vec<usize>> {
        let mut list = Vec::new();
        let clause = read(clause).unwrap();
        clause
            .options(n, &free_meter(), &mut |parts| {
                list.push(parts.to_vec());
                Ok(())
            })
            .unwrap();
        list.sort();
        list.dedup();
        list
    }

    #[test]
    fn options_are_counted_before_they_are_made() {
        let partitions = Partitions::default();
        let p = |n, k| partitions.count(n, k, usize::MAX, &free_meter()).unwrap();
        assert_eq!((0..=5).map(|k| p(5, k)).collect::<Vec<_>>(), [0, 1, 2, 2, 1, 1]);
        assert_eq!((0..=100).map(|k| p(100, k)).sum::<u64>(), 190_569_292);
        let any = read(&json!({"take": "1..", "leave": "0.."})).unwrap();
        assert!(matches!(any.options(300, &free_meter(), &mut |_| Ok(())), Err(Failure::TooLarge(_))));
    }

    #[test]
    fn clauses_give_their_options() {
        let grundy = json!({"take": "0", "leave": "2", "heaps": "unequal"});
        assert_eq!(options(&grundy, 6), [[1, 5], [2, 4]]);
        assert_eq!(options(&json!({"take": "0", "leave": "2..3", "heaps": "equal"}), 6), [vec![2, 2, 2], vec![3, 3]]);
        assert_eq!(options(&json!({"take": "squares", "leave": "0..1"}), 4), [vec![], vec![3]]);
        assert_eq!(options(&json!({"take": "1..", "limit": ["< n/2+1"], "leave": "0..1"}), 5), [[2], [3], [4]]);
        assert_eq!(options(&json!({"take": "0", "leave": "3", "least": 2}), 7), [[2, 2, 3]]);
        assert!(options(&json!({"heap": "even", "take": "1", "leave": "1"}), 7).is_empty());
        assert!(options(&json!({"take": "0", "leave": "0..1"}), 7).is_empty());
        for bad in [
            json!({"take": "1"}),
            json!({"take": 1, "leave": "1"}),
            json!({"take": "01", "leave": "1"}),
            json!({"take": "1", "leave": "1", "limit": "< n"}),
            json!({"take": "1", "leave": "1", "limit": ["< n/0"]}),
            json!({"take": "1", "leave": "1", "heaps": "any"}),
            json!({"take": "1", "leave": "1", "least": 0}),
            json!({"take": "1", "leave": "2..1"}),
            json!({"take": "1", "leave": "1", "colour": "1"}),
        ] {
            assert!(matches!(read(&bad), Err(Failure::Refused(_))), "{bad}");
        }
    }
}
