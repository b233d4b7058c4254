//! Grundy values of heaps, each the mex of values that come before it. Forms "nim-sequence" and "parity-kernel".

use std::collections::BTreeSet;

use num_bigint::BigInt;
use num_traits::Signed as _;

use crate::format::{HeapGame, HeapValues, NimSequence, ParityKernel, Theorem};
use crate::heap::Code;
use crate::lattice::Lattice;
use crate::meter::Meter;
use crate::{Checked, induction, rare, refuse};

/// More heaps than this are not checked: no honest certificate needs them, and a forged one would waste hours.
const MOST_HEAPS: usize = 1 << 26;
/// So many options are looked at without a hint.
const LONG: u64 = 1 << 20;
/// The most digits of an entry of a functional.
const MOST_DIGITS: usize = 20_000;

/// Form "nim-sequence".
pub(crate) fn sequence(game: &HeapGame, file: NimSequence, meter: &Meter<'_>) -> Checked<String> {
    let NimSequence { preperiod, period, saltus, values, .. } = verified(&Code::new(game)?, file, meter)?;
    Ok(format!(
        "in normal play g(n + {period}) = g(n) + {saltus} for all n >= {preperiod} (least period and preperiod), and g(n) is as listed \
         for n < {}",
        values.len()
    ))
}

/// The Grundy values of a game that a certificate proves.
pub(crate) fn verified(game: &Code, claim: NimSequence, meter: &Meter<'_>) -> Checked<NimSequence> {
    let (n0, period) = (claim.preperiod, claim.period);
    let small = n0.max(period) <= MOST_HEAPS && claim.saltus <= MOST_HEAPS as u64;
    if period == 0 || !small || claim.values.len() != n0 + period {
        return refuse("\"values\" must hold preperiod + period values, and the period is at least 1");
    }
    refuse_if!(claim.values.iter().any(|&value| value >= 1 << 32), "\"values\" has an entry that is not below 2^32");
    match (claim.theorem, claim.base, claim.block) {
        (Theorem::GuySmith, None, None) => guy_smith(game, &claim, meter)?,
        (Theorem::Induction, Some(base), Some(block)) if claim.space.is_none() => {
            induction::check(game, &claim, base, block, meter)?;
        }
        _ => return refuse("\"base\" and \"block\" belong to \"induction\", \"space\" to \"guy-smith\""),
    }
    least(&claim)?;
    Ok(claim)
}

impl NimSequence {
    /// The claimed values of the heaps below `len`.
    pub fn continued(&self, len: usize) -> Vec<u64> {
        let mut values: Vec<u64> = self.values.iter().copied().take(len).collect();
        while values.len() < len {
            values.push(values[values.len() - self.period] + self.saltus);
        }
        values
    }
}

/// Theorem 1: a finite code, values that repeat for n < h·(max(n₀, 1) + p) + t.
fn guy_smith(game: &Code, claim: &NimSequence, meter: &Meter<'_>) -> Checked {
    refuse_if!(game.repeat > 0 || claim.saltus != 0, "theorem \"guy-smith\" is about finite codes and saltus 0");
    let needed = game.most_heaps().max(1) * (claim.preperiod.max(1) + claim.period) + game.digits.len() - 1;
    refuse_if!(needed > MOST_HEAPS, "the period is too long to check");
    let _held = meter.hold(8 * needed as u64)?;
    match &claim.space {
        Some(space) if game.cost(needed).saturating_mul(needed as u64) > LONG => {
            rare::right_below(game, &claim.continued(needed), space, meter)
        }
        _ => right_below(game, &claim.continued(needed), meter),
    }
}

/// Whether preperiod and period are the least.
fn least(claim: &NimSequence) -> Checked {
    let values = claim.continued(claim.preperiod + 2 * claim.period);
    let n0 = claim.preperiod;
    if n0 > 0 && values[n0 - 1 + claim.period] == values[n0 - 1] + claim.saltus {
        return refuse("\"preperiod\" is not the least one");
    }
    let mut divisors = (1..claim.period).filter(|d| claim.period.is_multiple_of(*d));
    let shorter = divisors.find(|&d| {
        let rise = values[n0 + d].checked_sub(values[n0]);
        rise.is_some_and(|rise| (n0..n0 + claim.period).all(|n| values[n + d] == values[n] + rise))
    });
    shorter.map_or(Ok(()), |d| refuse(format!("\"period\" is not the least one: {d} is one too")))
}

/// One mark for every sum of claimed values: these have no more bits than the largest one.
pub(crate) fn marks(values: &[u64]) -> Checked<Vec<bool>> {
    let largest = values.iter().copied().max().unwrap_or(0);
    match largest.checked_add(1).and_then(|n| usize::try_from(n).ok()?.checked_next_power_of_two()) {
        Some(room) if room <= 16 * values.len().max(64) => Ok(vec![false; room]),
        // g(n) is at most the number of options, and these sums are bounded by the heaps: far too large a value.
        _ => refuse("\"values\" has a value that no heap of this game can have"),
    }
}

/// The mex law: each of the values is the mex of those of the options of its heap.
pub(crate) fn right_below(game: &Code, values: &[u64], meter: &Meter<'_>) -> Checked {
    let mut reached = marks(values)?;
    let _held = meter.hold(reached.len() as u64)?;
    game.foresee(values.len(), meter)?;
    for (n, &claimed) in values.iter().enumerate() {
        meter.steps(reached.len())?;
        reached.fill(false);
        game.options(n, meter, &mut |parts| {
            reached[index(parts.iter().fold(0, |sum, &part| sum ^ values[part]))] = true;
            Ok(())
        })?;
        let mex = reached.iter().position(|&hit| !hit).unwrap_or(reached.len()) as u64;
        refuse_if!(mex != claimed, "heap {n}: the mex of its options is {mex}, not the claimed value {claimed}");
    }
    Ok(())
}

/// A value that is below 2³².
pub(crate) fn index(value: u64) -> usize {
    usize::try_from(value).expect("values are below 2^32")
}

/// Form "parity-kernel" of a heap game: a nim sequence of the heaps up to a bound, without a period.
pub(crate) fn heaps(game: &HeapGame, file: &HeapValues, meter: &Meter<'_>) -> Checked<String> {
    let n = file.values.len();
    refuse_if!(file.max_heap != n || n > MOST_HEAPS, "certificate.max_heap: not the number of values");
    let _held = meter.hold(8 * n as u64)?;
    let values: Vec<u64> = std::iter::once(0).chain(file.values.iter().copied()).collect();
    right_below(&Code::new(game)?, &values, meter)?;
    Ok(format!(
        "a sum of heaps up to {n} is a P-position exactly when the nim-sum of the stated values of its heaps is 0"
    ))
}

/// Form "parity-kernel" of a lattice game.
pub(crate) fn lattice(game: &Lattice, file: &ParityKernel, meter: &Meter<'_>) -> Checked<String> {
    refuse_if!(file.characters.is_some(), "certificate: \"characters\" belong to form \"series\"");
    parity_kernel(game, file, meter)?;
    let d = file.values.len();
    Ok(format!(
        "a point of N^{d} is a P-position exactly when the nim-sum of the {d} stated values over its odd coordinates is 0"
    ))
}

/// Γ squarefree on the orthant, no defeated position: x ↦ ⊕ g(eᵢ) over odd xᵢ is the Grundy value by Sprague–Grundy when
/// every g(eᵢ) is the mex of its options' values. The functional shows that play ends, so the mex equations have no circle.
pub(crate) fn parity_kernel(game: &Lattice, file: &ParityKernel, meter: &Meter<'_>) -> Checked {
    if game.rows.is_some() || !game.defeated.is_empty() {
        return refuse("game: the parity kernel is for the orthant without defeated positions");
    }
    let (d, values) = (game.dimension, &file.values);
    let functional: Option<Vec<BigInt>> = file.functional.iter().map(|n| n.value(MOST_DIGITS)).collect();
    let Some(functional) = functional.filter(|list| list.len() == d && values.len() == d) else {
        return refuse("certificate: \"values\" and \"functional\" are not one natural number for each coordinate");
    };
    let mut options: Vec<BTreeSet<u64>> = vec![BTreeSet::new(); d];
    let words: u64 = functional.iter().map(|x| x.bits() / 64 + 1).sum();
    for (r, rule) in game.rules.iter().enumerate() {
        meter.work(words)?;
        let heads: Vec<usize> = (0..d).filter(|&j| rule[j] > 0).collect();
        let &[head] = heads.as_slice() else { return refuse(format!("game.rules[{r}]: not squarefree")) };
        refuse_if!(rule[head] != 1, "game.rules[{r}]: not squarefree");
        let height: BigInt = rule.iter().zip(&functional).filter(|(x, _)| **x != 0).map(|(x, l)| l * x).sum();
        refuse_if!(!height.is_positive(), "certificate.functional: not positive on game.rules[{r}]");
        let odd = (0..d).filter(|&j| j != head && rule[j] % 2 != 0);
        options[head].insert(odd.fold(0, |sum, j| sum ^ values[j]));
    }
    // The least natural number that is not in the set.
    let mex = |found: BTreeSet<u64>| (0..).zip(found).take_while(|(least, value)| least == value).count() as u64;
    match options.into_iter().map(mex).zip(values).position(|(mex, value)| mex != *value) {
        Some(i) => refuse(format!("certificate.values[{i}]: not the mex of the options' values")),
        None => Ok(()),
    }
}
