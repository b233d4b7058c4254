//! All order ideals of a poset, in one fixed order, with their values.
//!
//! The elements must be numbered along a linear extension. Ideals come in the order of the integers
//! Σ 2^x over their elements x, so that every option of an ideal comes before it.

use rustc_hash::FxHashMap;

use crate::outcome::Play;
use crate::poset::{ElementSet, Poset, Words};
use semilinear::run::{Monitor, StopReason};

/// The most ideals in a table.
pub const MAX_IDEALS: u64 = 1 << 23;

/// Turns an ideal into the next one; `false` after the last.
///
/// The next ideal agrees with this one above the least missing element x, contains x, and else only
/// what those elements have below them.
///
/// # Complexity
/// O(n·w) for n elements in w words.
pub fn next_ideal<S: Words>(down: &[S], ideal: &mut S) -> bool {
    let n = down.len();
    let Some(x) = (0..n).find(|&x| !ideal.contains(x)) else { return false };
    if x == 0 {
        ideal.insert(0); // a least element of a linear extension has nothing below it
        return true;
    }
    let mut next = down[x].clone();
    for y in ideal.members().filter(|&y| y > x) {
        next.unite(&down[y]);
    }
    *ideal = next;
    true
}

/// The Grundy values of all ideals in normal play, or 0 for P and 1 for N in misère play.
///
/// # Complexity
/// One hash lookup for each option of each ideal.
pub fn values(poset: &Poset, play: Play, monitor: &dyn Monitor) -> Result<Vec<u16>, StopReason> {
    match poset.len() {
        0..=64 => table::<[u64; 1]>(poset, play, monitor),
        65..=128 => table::<[u64; 2]>(poset, play, monitor),
        _ => table::<ElementSet>(poset, play, monitor),
    }
}

fn table<S: Words>(poset: &Poset, play: Play, monitor: &dyn Monitor) -> Result<Vec<u16>, StopReason> {
    let n = poset.len();
    let up: Vec<S> = (0..n).map(|x| S::copied(poset.up(x), n)).collect();
    let down: Vec<S> = (0..n).map(|x| S::copied(poset.down(x), n)).collect();
    // Count first: the walk alone costs little, and a table that is too large is not begun.
    let mut ideal = S::empty(n);
    let mut count = 1_u64;
    while next_ideal(&down, &mut ideal) {
        count += 1;
        if count.is_multiple_of(1024) {
            monitor.check(0, None)?;
        }
        if count > MAX_IDEALS {
            return Err(StopReason::Size { what: "positions in a table", limit: MAX_IDEALS });
        }
    }
    let mut known: FxHashMap<S, u16> = FxHashMap::default();
    let mut values = Vec::new();
    let mut ideal = S::empty(n);
    let mut seen = super::ValueSet::default();
    monitor.phase("positions");
    loop {
        if values.len().is_multiple_of(1024) {
            monitor.check(values.len() as u64, Some(count))?;
        }
        seen.clear();
        for x in ideal.members() {
            seen.insert(u32::from(known[&ideal.without(&up[x])]));
        }
        let value = match play {
            Play::Normal => seen.mex(),
            // An option of value 0 is a P-position; so is having no option at all, for the player to move.
            Play::Misere => u32::from(ideal.is_empty() || seen.contains(0)),
        };
        let value = u16::try_from(value).expect("at most the number of elements");
        known.insert(ideal.clone(), value);
        values.push(value);
        if !next_ideal(&down, &mut ideal) {
            return Ok(values);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::poset::plain::Plain;
    use semilinear::run::Unlimited;

    #[test]
    fn all_ideals_once_and_with_the_right_values() {
        for poset in [Poset::chomp(&[4, 3, 3, 1]).unwrap(), Poset::subsets(3, 3).unwrap(), Poset::nim(&[2, 3]).unwrap()]
        {
            let down: Vec<ElementSet> = (0..poset.len()).map(|x| poset.down(x).clone()).collect();
            for play in [Play::Normal, Play::Misere] {
                let values = values(&poset, play, &Unlimited).unwrap();
                let mut plain = Plain::new(&poset);
                let mut ideal = poset.nothing();
                let mut seen = std::collections::HashSet::new();
                for value in values {
                    assert_eq!(poset.check_ideal(&ideal), Ok(()));
                    assert!(seen.insert(ideal.clone()));
                    match play {
                        Play::Normal => assert_eq!(plain.grundy(&ideal, &Unlimited), Ok(u32::from(value))),
                        Play::Misere => {
                            assert_eq!(plain.outcome(&ideal, play, &Unlimited).unwrap().is_p(), value == 0);
                        }
                    }
                    next_ideal(&down, &mut ideal);
                }
                assert_eq!(ideal, poset.all());
            }
        }
    }
}
