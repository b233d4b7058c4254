//! Heaps that follow counters, and quotients that are infinite, in the form "counters" (`docs/theory/misere.md`, section "Counters").

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::format::{Follower, Infinite};
use crate::json::typed;
use crate::misere::{Claim, Pair, Word, add};
use crate::monoid::Set;
use crate::{Checked, refuse};

/// Counts and steps beyond this are refused: the carries of sums stay small.
const LARGEST: u32 = 1_000_000;

/// The value of a heap that follows counters, and the words like it.
pub(crate) fn follower(place: &str, map: Map<String, Value>, r: usize) -> Checked<(Pair, Vec<Word>)> {
    let Follower { element, counts, like } = typed(place, Value::Object(map))?;
    let mut copies = like.iter().flatten().map(|(_, copies)| copies);
    let long = |word: &Word| word.len() > LARGEST as usize / 1000;
    let moderate =
        copies.all(|n| (1..=1000).contains(n)) && counts.iter().all(|&n| n <= 1000) && !like.iter().any(long);
    if counts.len() != r || !(1..=16).contains(&like.len()) || !moderate {
        return refuse(format!("{place}: not one count for each counter, or numbers out of bounds"));
    }
    Ok(((element, counts), like))
}

/// A heap that follows counters passes the P-check, and wherever it is silent one of the words like it is silent too. So a sum that
/// fails the N-check stays one that fails when the heap is replaced by that word, and sums without followers are enough.
pub(crate) fn follows(claim: &Claim<'_>, heap: usize, like: &[Word]) -> Checked {
    claim.monoid.meter.extension("followers");
    let own = claim.values[heap].clone();
    let options = claim.options(heap)?;
    refuse_if!(options.is_empty(), "certificate.values: heap {heap} has no option but follows counters");
    // The values of the options of each word: one heap of it is replaced.
    let mut words: Vec<BTreeSet<Pair>> = Vec::new();
    for word in like {
        if word.iter().any(|(h, _)| *h == 0 || *h >= claim.values.len() || claim.followers.contains_key(h)) {
            return refuse(format!("certificate.values: heap {heap} is like no sum of counters and elements"));
        }
        if claim.value(heaps(word))? != own {
            return refuse(format!("certificate.values: heap {heap} has another value than a word like it"));
        }
        let mut all: BTreeSet<Pair> = BTreeSet::new();
        for i in 0..word.len() {
            let mut others = word.clone();
            others[i].1 -= 1;
            let rest = claim.value(heaps(&others))?;
            for (element, counts) in claim.options(word[i].0)? {
                all.insert((claim.monoid.row(element)?[rest.0] as usize, add(&rest.1, &counts)));
            }
        }
        // A sum without moves is an N-position without an option in P: nothing that fails the N-check may be reduced to it.
        refuse_if!(all.is_empty(), "certificate.values: heap {heap} is like a sum without moves");
        words.push(all);
    }
    let pairs = options.iter().chain(words.iter().flatten()).chain([&own]);
    let offsets = pairs.map(|(_, o)| o.clone()).collect();
    claim.everywhere(offsets, (1 << claim.counters.len()) - 1, &mut |here| {
        let mine = here.reached([&own])?;
        let reached = here.reached(&options)?;
        refuse_if!(mine.iter().zip(&reached).any(|(a, b)| a & b != 0), "heap {heap}: a P-position with an option in P");
        // Contexts in which every word like it has a winning option.
        let mut loud: Set = vec![u64::MAX; mine.len()];
        for word in &words {
            loud.iter_mut().zip(here.reached(word)?).for_each(|(a, b)| *a &= b);
        }
        if (0..mine.len()).any(|w| loud[w] & !(mine[w] | reached[w]) != 0) {
            return refuse(format!("heap {heap} is silent where no word like it is"));
        }
        Ok(())
    })
}

/// The heaps of a word, one by one.
fn heaps(word: &Word) -> impl Iterator<Item = usize> + '_ {
    word.iter().flat_map(|&(heap, copies)| std::iter::repeat_n(heap, copies as usize))
}

/// The quotient is infinite: no power of one of the counters repeats.
pub(crate) fn infinite(claim: &Claim<'_>, reason: &Infinite) -> Checked {
    claim.monoid.meter.extension("infinite quotients");
    let r = claim.counters.len();
    let Infinite { step, from, counter: i, at, period, far } = reason;
    let small = |v: &Vec<u32>| v.len() == r && v.iter().all(|&x| x <= LARGEST);
    if ![step, from, at].into_iter().all(small) || *i >= r || *period > LARGEST || *far > LARGEST {
        return refuse("certificate.infinite: not one small number for each counter");
    }
    if step[*i] == 0 || *period == 0 || !far.is_multiple_of(*period) || at.iter().zip(from).any(|(a, f)| a < f) {
        return refuse("certificate.infinite: the numbers do not fit together");
    }
    let along = |n: u32| (0..r).map(|k| if k == *i { n } else { 0 }).collect::<Vec<u32>>();
    let equal = |a: Vec<u32>, b: Vec<u32>, free: usize| -> Checked<bool> {
        let mut equal = true;
        claim.everywhere(BTreeSet::from([a, b]), free, &mut |here| {
            equal &= here.slices.iter().all(|&label| claim.slice(label) == claim.slice(here.slices[0]));
            Ok(())
        })?;
        Ok(equal)
    };
    if !equal(from.clone(), add(from, step), (1 << r) - 1)? {
        return refuse("certificate.infinite: the slices do not repeat along the step");
    }
    if !equal(add(at, &along(*far)), add(at, &along(far + period)), 1 << i)? {
        return refuse("certificate.infinite: the slices do not repeat along the counter");
    }
    if equal(at.clone(), add(at, &along(*far)), 0)? {
        return refuse("certificate.infinite: the slices far out are the same as at the point");
    }
    Ok(())
}
