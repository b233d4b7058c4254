//! Grundy values of heaps, each the mex of values that come before it. Forms "nim-sequence" and "parity-kernel".

use std::collections::BTreeSet;

use num_bigint::BigInt;
use num_traits::Signed as _;

use crate::format::{HeapGame, HeapValues, LatticeGame, Natural, NimSequence, ParityKernel, Space, Theorem};
use crate::heap::Code;
use crate::lattice::Lattice;
use crate::meter::Meter;
use crate::{Failure, induction, refuse};

/// More heaps than this are not checked: no honest certificate needs them, and a forged one would waste hours.
const MOST_HEAPS: usize = 1 << 26;
/// The most coordinates of a parity kernel: nothing here is exponential in their number.
const MOST_COORDINATES: usize = 1024;
/// The most digits of an entry of its functional.
const MOST_DIGITS: usize = 20_000;

fn normal(misere: bool) -> Result<(), Failure> {
    if misere { refuse("\"play\" is not \"normal\": heaps have Grundy values in normal play only") } else { Ok(()) }
}

/// Form "nim-sequence".
pub(crate) fn sequence(
    game: &HeapGame,
    misere: bool,
    certificate: NimSequence,
    meter: &Meter<'_>,
) -> Result<String, Failure> {
    normal(misere)?;
    let claim = verified(&Code::new(game)?, certificate, meter)?;
    Ok(format!(
        "in normal play g(n + {}) = g(n) + {} for all n >= {} (least period and preperiod), \
         and g(n) is as listed for n < {}",
        claim.period,
        claim.saltus,
        claim.preperiod,
        claim.values.len()
    ))
}

/// The Grundy values of a game that a certificate proves.
pub(crate) fn verified(game: &Code, claim: NimSequence, meter: &Meter<'_>) -> Result<NimSequence, Failure> {
    let (n0, period) = (claim.preperiod, claim.period);
    if period == 0
        || n0.max(period) > MOST_HEAPS
        || claim.saltus > MOST_HEAPS as u64
        || claim.values.len() != n0 + period
    {
        return refuse("\"values\" must hold preperiod + period values, and the period is at least 1");
    }
    if claim.values.iter().any(|&value| value >= 1 << 32) {
        return refuse("\"values\" has an entry that is not below 2^32");
    }
    match (claim.theorem, claim.base, claim.block) {
        (Theorem::GuySmith, None, None) => guy_smith(game, &claim, meter)?,
        (Theorem::Induction, Some(base), Some(block)) if claim.space.is_none() => {
            if base.checked_add(block).is_none_or(|heaps| heaps > 1 << 20) || claim.values.len() > 1 << 20 {
                return refuse("\"base\" and \"block\" are too large");
            }
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
fn guy_smith(game: &Code, claim: &NimSequence, meter: &Meter<'_>) -> Result<(), Failure> {
    if game.repeat > 0 || claim.saltus != 0 {
        return refuse("theorem \"guy-smith\" is about finite codes and saltus 0");
    }
    let needed = game.most_heaps().max(1) * (claim.preperiod.max(1) + claim.period) + game.digits.len() - 1;
    if needed > MOST_HEAPS {
        return refuse("the period is too long to check");
    }
    right_below(game, &claim.continued(needed), Division::new(game, claim.space)?, meter)
}

/// Whether preperiod and period are the least.
fn least(claim: &NimSequence) -> Result<(), Failure> {
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
    match shorter {
        Some(d) => refuse(format!("\"period\" is not the least one: {d} is one too")),
        None => Ok(()),
    }
}

/// Form "parity-kernel" of a heap game: a nim sequence of the heaps up to a bound, without a period.
pub(crate) fn heaps(
    game: &HeapGame,
    misere: bool,
    certificate: &HeapValues,
    meter: &Meter<'_>,
) -> Result<String, Failure> {
    normal(misere)?;
    let n = certificate.values.len();
    if certificate.max_heap != n || n > MOST_HEAPS {
        return refuse("certificate.max_heap: not the number of values");
    }
    let values: Vec<u64> = std::iter::once(0).chain(certificate.values.iter().copied()).collect();
    right_below(&Code::new(game)?, &values, Division::NONE, meter)?;
    Ok(format!(
        "a sum of heaps up to {n} is a P-position exactly when the nim-sum of the stated values of its heaps is 0"
    ))
}

/// Form "parity-kernel" of a lattice game.
pub(crate) fn lattice(
    game: &LatticeGame,
    misere: bool,
    certificate: &ParityKernel,
    meter: &Meter<'_>,
) -> Result<String, Failure> {
    if certificate.characters.is_some() {
        return refuse("certificate: \"characters\" belong to form \"series\"");
    }
    parity_kernel(game, misere, certificate, meter)?;
    let d = certificate.values.len();
    Ok(format!(
        "a point of N^{d} is a P-position exactly when the nim-sum of the {d} stated values over its odd coordinates is 0"
    ))
}

/// Γ squarefree on the orthant, no defeated position: x ↦ ⊕ g(eᵢ) over odd xᵢ is the Grundy value by Sprague–Grundy when
/// every g(eᵢ) is the mex of its options' values. The functional shows that play ends, so the mex equations have no circle.
pub(crate) fn parity_kernel(
    game: &LatticeGame,
    misere: bool,
    certificate: &ParityKernel,
    meter: &Meter<'_>,
) -> Result<(), Failure> {
    normal(misere)?;
    let game = Lattice::new(MOST_COORDINATES, game, misere)?;
    if game.rows.is_some() || !game.defeated.is_empty() {
        return refuse("game: the parity kernel is for the orthant without defeated positions");
    }
    let (d, values) = (game.dimension, &certificate.values);
    let natural = |number: &Natural| match number {
        Natural::Small(n) => Some(BigInt::from(*n)),
        Natural::Digits(text) => {
            let natural = text.len() <= MOST_DIGITS && text.bytes().all(|b| b.is_ascii_digit());
            if natural { text.parse().ok() } else { None }
        }
    };
    let functional: Option<Vec<BigInt>> = certificate.functional.iter().map(natural).collect();
    let Some(functional) = functional.filter(|list| list.len() == d && values.len() == d) else {
        return refuse("certificate: \"values\" and \"functional\" are not one natural number for each coordinate");
    };
    let mut options: Vec<BTreeSet<u64>> = vec![BTreeSet::new(); d];
    let words: u64 = functional.iter().map(|x| x.bits() / 64 + 1).sum();
    for (r, rule) in game.rules.iter().enumerate() {
        meter.work(words)?;
        let mut head = None;
        let (mut value, mut height) = (0u64, BigInt::ZERO);
        for (j, &x) in rule.iter().enumerate() {
            match x {
                1 if head.is_none() => head = Some(j),
                1.. => return refuse(format!("game.rules[{r}]: not squarefree")),
                _ if x % 2 != 0 => value ^= values[j],
                _ => {}
            }
            if x != 0 {
                height += &functional[j] * x;
            }
        }
        if !height.is_positive() {
            return refuse(format!("certificate.functional: not positive on game.rules[{r}]"));
        }
        match head {
            Some(i) => drop(options[i].insert(value)),
            None => return refuse(format!("game.rules[{r}]: not squarefree")),
        }
    }
    // The least natural number that is not in the set.
    let mex = |found: BTreeSet<u64>| (0..).zip(found).take_while(|(least, value)| least == value).count() as u64;
    match options.into_iter().map(mex).zip(values).position(|(mex, value)| mex != *value) {
        Some(i) => refuse(format!("certificate.values[{i}]: not the mex of the options' values")),
        None => Ok(()),
    }
}

/// A hint that divides heaps into rare and common ones; any such division is right, a good one saves time.
#[derive(Clone, Copy)]
pub(crate) struct Division {
    mask: u64,
    parity: bool,
    odd: bool,
}

impl Division {
    /// No hint: every heap is rare.
    pub const NONE: Self = Self { mask: 0, parity: false, odd: false };

    fn new(game: &Code, space: Option<Space>) -> Result<Self, Failure> {
        let Some(Space { mask, parity }) = space else { return Ok(Self::NONE) };
        let splits: Vec<usize> = (0..game.digits.len()).filter(|&k| game.digits[k] & 4 != 0).collect();
        let odd = parity && splits.iter().any(|k| k % 2 == 1);
        if game.most_heaps() > 2 || mask >= 1 << 32 || (odd && splits.iter().any(|k| k % 2 == 0)) {
            return refuse("\"space\" does not fit this game");
        }
        Ok(Self { mask, parity, odd })
    }

    fn common(self, value: u64, n: usize) -> bool {
        ((value & self.mask).count_ones() % 2 == 1) != ((self.parity && n % 2 == 1) != self.odd)
    }
}

/// The mex law: each of the values is the mex of those of the options of its heap.
pub(crate) fn right_below(game: &Code, values: &[u64], space: Division, meter: &Meter<'_>) -> Result<(), Failure> {
    let len = values.len();
    let largest = values.iter().copied().max().unwrap_or(0);
    // Sums of claimed values have no more bits than the largest one.
    let room = (usize::try_from(largest).unwrap_or(usize::MAX)).checked_add(1).map(usize::next_power_of_two);
    let Some(room) = room.filter(|&room| room <= 16 * len.max(64)) else {
        // g(n) is at most the number of options, and these sums are bounded by the heaps: far too large a value.
        return refuse("\"values\" has a value that no heap of this game can have");
    };
    let _held = meter.hold((len as u64).saturating_mul(8) + room as u64)?;
    let mut reached = vec![false; room];
    let mut rare: Vec<usize> = Vec::new();
    let listed = game.listed();
    // Splits into three heaps are all looked at, and without a hint those into two are: with n³/3 of them below n when the
    // digits repeat, a hopeless number is known beforehand.
    let last = len.saturating_sub(1);
    let cost: u64 = game.taken(&listed, last).map(|k| splits(game, space, k, last - k)).fold(0, u64::saturating_add);
    meter.foresee(cost.saturating_mul(len as u64 / 4))?;
    for n in 0..len {
        meter.steps(room)?;
        reached.fill(false);
        let value = index(values[n]);
        let common = space.common(values[n], n);
        for k in game.taken(&listed, n) {
            let digit = game.digit(k);
            let rest = n - k;
            meter.work(splits(game, space, k, rest))?;
            if digit & 1 != 0 && rest == 0 && n > 0 {
                reached[0] = true;
            }
            if digit & 2 != 0 && rest > 0 {
                reached[index(values[rest])] = true;
            }
            if digit & 4 != 0 {
                for &r in rare.iter().take_while(|&&r| r < rest) {
                    reached[index(values[r] ^ values[rest - r])] = true;
                }
            }
            if digit & 8 != 0 {
                for a in 1..=rest / 3 {
                    for b in a..=(rest - a) / 2 {
                        reached[index(values[a] ^ values[b] ^ values[rest - a - b])] = true;
                    }
                }
            }
        }
        let mut missing = reached[..value].iter().filter(|&&hit| !hit).count();
        // What two rare or two common parts give is of rare type; it is searched only as far as needed.
        if missing > 0 || !common {
            'search: for k in game.taken(&listed, n) {
                if game.digit(k) & 4 == 0 {
                    continue;
                }
                let rest = n - k;
                meter.steps(rest / 2)?;
                for a in 1..=rest / 2 {
                    let hit = &mut reached[index(values[a] ^ values[rest - a])];
                    if !*hit {
                        *hit = true;
                        if values[a] ^ values[rest - a] < values[n] {
                            missing -= 1;
                            if missing == 0 && common {
                                break 'search;
                            }
                        }
                    }
                }
            }
        }
        if reached[value] {
            return refuse(format!("heap {n}: an option has the claimed value {value}"));
        }
        if missing > 0 {
            let least = reached.iter().position(|&hit| !hit).unwrap_or(value);
            return refuse(format!("heap {n}: no option has value {least}, below the claimed value {value}"));
        }
        if n > 0 && !common {
            rare.push(n);
        }
    }
    Ok(())
}

/// How many splits of what k beans leave are looked at, at least.
fn splits(game: &Code, space: Division, k: usize, rest: usize) -> u64 {
    let (digit, rest) = (game.digit(k), rest as u64);
    let threes = if digit & 8 != 0 { rest.saturating_mul(rest) / 12 } else { 0 };
    let twos = if digit & 4 != 0 && space.mask == 0 && !space.parity { rest / 2 } else { 0 };
    threes + twos + 1
}

fn index(value: u64) -> usize {
    usize::try_from(value).expect("values are below 2^32")
}
