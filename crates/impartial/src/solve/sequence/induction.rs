//! A period with any saltus, proved by induction on the heap: for codes that repeat for ever or leave three heaps.
//!
//! `docs/theory/periods.md`, Theorem 2. Let ĝ be the known values, continued by ĝ(n + p) = ĝ(n) + s. If every
//! heap n has (E) no option of ĝ-value ĝ(n) and (A) an option of every ĝ-value below it, then ĝ = g. (E) is decided
//! for all heaps at once by a finite automaton ([`super::exclusion`]); (A) is checked on one block of heaps, with
//! options that can be translated to all later blocks.

use super::exclusion::excluded;
use super::{Moves, Period};
use semilinear::run::{Monitor, StopReason};

/// The finite part of a proof by induction, for a checker to repeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Block {
    /// All heaps below this were computed.
    pub base: usize,
    /// The heaps from `base` on, this many, are those whose options are translated.
    pub length: usize,
}

/// What the induction works with: the values, and how they go on.
pub(super) struct Candidate<'a> {
    pub values: &'a [u32],
    pub period: Period,
    /// From this heap on the equation holds and no move takes a whole heap of a finite code.
    pub start: usize,
    /// A multiple of the period and of the repeated block.
    pub step: usize,
    /// What `step` heaps add.
    pub rise: u64,
}

/// The longest block that is tried.
const LONGEST_BLOCK: usize = 1 << 12;

/// Tries to prove that the known values go on as `period` says. `None`: not proved by these means, or more values are
/// needed.
///
/// # Complexity
/// For block length B and base N: O(B·Nʰ⁻¹·t) for (A), and for (E) a search over at most (N₀ + P)ʰ·t starting
/// points, where h heaps are left, t digits matter, N₀ is the preperiod and P the period.
pub(super) fn prove(
    moves: &Moves,
    values: &[u32],
    period: Period,
    monitor: &dyn Monitor,
) -> Result<Option<Block>, StopReason> {
    let Some(code) = moves.code().filter(|_| moves.most <= 3) else { return Ok(None) };
    let (start, repeat) = match &moves.tail {
        Some(tail) => (tail.start, tail.block.len()),
        None => (code.digits().len(), 1),
    };
    let start = start.max(period.preperiod).max(1);
    let Some(step) = lcm(period.period, repeat).filter(|&step| step <= LONGEST_BLOCK) else { return Ok(None) };
    let rise = u64::from(period.saltus) * (step / period.period) as u64;
    let candidate = Candidate { values, period, start, step, rise };
    let Some(block) = attained(moves, &candidate, monitor)? else { return Ok(None) };
    Ok(excluded(moves, &candidate, monitor)?.then_some(block))
}

fn lcm(a: usize, b: usize) -> Option<usize> {
    a.checked_mul(b / num_integer::gcd(a, b))
}

/// (A): a block on which every smaller value has an option that can be translated.
fn attained(moves: &Moves, candidate: &Candidate<'_>, monitor: &dyn Monitor) -> Result<Option<Block>, StopReason> {
    let families = families(moves, candidate.values);
    // A multiple of the step, and even where two equal heaps may be left.
    let Some(mut length) = lcm(candidate.step, if moves.most >= 2 { 2 } else { 1 }) else { return Ok(None) };
    while length <= LONGEST_BLOCK {
        for rounds in 1..=3 {
            let base = candidate.start + rounds * length;
            if base + length > candidate.values.len() {
                return Ok(None);
            }
            let mut all = true;
            for n in base..base + length {
                monitor.check(n as u64, None)?;
                if !all_attained(moves, candidate, &families, length, n) {
                    all = false;
                    break;
                }
            }
            if all {
                return Ok(Some(Block { base, length }));
            }
        }
        length *= 2;
    }
    Ok(None)
}

/// Options of a heap n that have the value of any heap x ≤ n − `lag` with (n − lag − x) in an allowed residue class.
struct Family {
    lag: usize,
    allowed: Vec<bool>,
}

fn families(moves: &Moves, values: &[u32]) -> Vec<Family> {
    // Taking k and leaving x, b, b has the value of x.
    let mut families: Vec<Family> =
        moves.three.iter().map(|k| Family { lag: k + 2, allowed: vec![true, false] }).collect();
    if let Some(tail) = &moves.tail {
        let with = |bit: u8| tail.block.iter().map(|digit| digit & bit != 0).collect::<Vec<_>>();
        families.push(Family { lag: tail.start, allowed: with(2) });
        // A second heap of value 0 changes nothing; nor do two heaps of one bean each.
        if let Some(zero) = (1..values.len()).find(|&x| values[x] == 0) {
            families.push(Family { lag: tail.start + zero, allowed: with(4) });
        }
        families.push(Family { lag: tail.start + 2, allowed: with(8) });
    }
    families.retain(|family| family.allowed.contains(&true));
    families
}

/// Whether every value below that of heap n is that of an option which can be translated by `length` for ever.
fn all_attained(moves: &Moves, candidate: &Candidate<'_>, families: &[Family], length: usize, n: usize) -> bool {
    const PREFIX: u8 = 1;
    const LATE_PREFIX: u8 = 2;
    const NEAR: u8 = 4;
    let values = candidate.values;
    let value = values[n] as usize;
    let mut found = vec![0_u8; value];
    let mut note = |v: u32, kind: u8| {
        if let Some(kinds) = found.get_mut(v as usize) {
            *kinds |= kind;
        }
    };
    for family in families {
        let classes = family.allowed.len();
        for (x, &value) in values.iter().enumerate().take((n + 1).saturating_sub(family.lag)).skip(1) {
            if family.allowed[(n - family.lag - x) % classes] {
                note(value, if x >= candidate.start { PREFIX | LATE_PREFIX } else { PREFIX });
            }
        }
    }
    // Value 0 for ever: the whole heap is taken, or two equal heaps are left.
    let level = if candidate.rise == 0 { PREFIX | NEAR } else { PREFIX };
    if moves.tail.is_some() && moves.takes_all(n) {
        note(0, level);
    }
    if moves.two.iter().any(|&k| k + 2 <= n && (n - k).is_multiple_of(2)) {
        note(0, level);
    }
    let rise = u64::from(candidate.period.saltus) * (length / candidate.period.period) as u64;
    // Adding the rise to a value leaves the bits below this untouched.
    let fixed = |rest: u32| rise == 0 || u64::from(rest) >> rise.trailing_zeros() == 0;
    // The part `large` is the one that grows; the rest of the option has the value `rest` for ever.
    let mut near = |large: usize, rest: u32| {
        if large >= candidate.start && fixed(rest) {
            note(values[large] ^ rest, NEAR);
        }
    };
    for k in 0..n.min(moves.digits_before(n)) {
        let digit = moves.digit(k);
        let sum = n - k;
        if digit & 2 != 0 {
            near(sum, 0);
        }
        if digit & 4 != 0 {
            for (a, &value) in values.iter().enumerate().take(sum).skip(1) {
                near(sum - a, value);
            }
        }
        if digit & 8 != 0 {
            for a in 1..sum {
                for b in a..sum - a {
                    near(sum - a - b, values[a] ^ values[b]);
                }
            }
        }
    }
    // The values below `low` come from prefixes, and the last `rise` of those from late ones, so that each round
    // adds the next `rise` values; the others are near the top.
    let low = found.iter().position(|kinds| kinds & PREFIX == 0).unwrap_or(value);
    if rise == 0 {
        return found.iter().all(|kinds| kinds & NEAR != 0);
    }
    let Some(first) = usize::try_from(rise).ok().and_then(|rise| low.checked_sub(rise)) else { return false };
    found[first..low].iter().all(|kinds| kinds & LATE_PREFIX != 0) && found[low..].iter().all(|kinds| kinds & NEAR != 0)
}
