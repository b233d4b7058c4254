//! Prefixes that cannot be told apart by the cubes that are known become states.

use rustc_hash::FxHashMap;

use super::Blocks;
use super::coarse::Coarse;
use super::keys::Keys;
use semilinear::run::{Monitor, StopReason};

/// What the cubes show.
pub(super) enum Guess {
    /// An automaton.
    Found(Blocks),
    /// Prefixes whose cubes of the given sizes agree have cubes of this size that do not.
    Add(usize),
    /// Some prefixes are so long that their cubes of the given sizes are not known.
    KnowsTooLittle,
}

/// The automaton whose states are what cubes of the given sizes (2^size blocks a side) tell apart. Prefixes that are taken for equal
/// are compared at so many sizes beyond these.
///
/// # Complexity
/// O(states · 2ᵈ · (sizes + beyond)).
pub(super) fn automaton(
    coarse: &Coarse<'_>,
    sizes: &[usize],
    beyond: usize,
    monitor: &dyn Monitor,
) -> Result<Guess, StopReason> {
    let shape = coarse.shape();
    let corners = shape.corners();
    let largest = sizes.iter().copied().max().unwrap_or(0);
    if coarse.roots().len() <= largest {
        return Ok(Guess::KnowsTooLittle);
    }
    let mut states = Keys::new(sizes.len());
    let mut signature: Vec<u32> = sizes.iter().map(|&size| coarse.roots()[size]).collect();
    states.number(&signature);
    // The kinds of the cubes of each state's first prefix, from the smallest size on.
    let mut seen: Vec<Vec<u32>> = vec![coarse.roots().to_vec()];
    let mut next: Vec<u32> = Vec::new();
    while next.len() < seen.len() * corners {
        let state = next.len() / corners;
        if state.is_multiple_of(256) {
            monitor.check(state as u64, None)?;
        }
        // The cubes of a longer prefix are children of the next larger cubes.
        let known = seen[state].len() - 1;
        if known <= largest {
            return Ok(Guess::KnowsTooLittle);
        }
        for letter in 0..corners {
            // Leading zeros change nothing.
            if state == 0 && letter == 0 {
                next.push(0);
                continue;
            }
            let after = |size: usize| coarse.child(size + 1, seen[state][size + 1], letter);
            for (entry, &size) in signature.iter_mut().zip(sizes) {
                *entry = after(size);
            }
            match states.find(&signature) {
                Ok(found) => {
                    let other = &seen[found as usize];
                    let common = known.min(other.len()).min(largest + beyond);
                    if let Some(size) = (0..common).find(|&size| other[size] != after(size)) {
                        return Ok(Guess::Add(size));
                    }
                    next.push(found);
                }
                Err(hash) => {
                    let kinds = (0..known).map(after).collect();
                    seen.push(kinds);
                    next.push(states.push(&signature, hash));
                }
            }
        }
    }
    // Only the blocks of states are kept.
    let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
    let mut contents = Vec::new();
    let block = seen
        .iter()
        .map(|kinds| {
            *numbers.entry(kinds[0]).or_insert_with_key(|&kind| {
                contents.push(coarse.contents()[kind as usize].clone());
                u32::try_from(contents.len() - 1).expect("no more than states")
            })
        })
        .collect();
    Ok(Guess::Found(Blocks { dimension: shape.dimension, side: shape.side, next, block, contents }))
}
