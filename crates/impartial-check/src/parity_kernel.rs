//! The form "parity-kernel": Grundy values of single heaps, each a mex of values that come before it.

use num_bigint::BigInt;
use num_traits::Signed as _;
use serde_json::{Map, Value};

use crate::envelope::File;
use crate::lattice::Lattice;
use crate::meter::Meter;
use crate::{Failure, refuse};

/// The most coordinates: nothing here is exponential in their number.
const MOST_COORDINATES: usize = 1024;
/// The most digits of an entry of the functional.
const MOST_DIGITS: usize = 20_000;

pub(crate) fn check(file: &File, meter: &Meter<'_>) -> Result<String, Failure> {
    if file.misere {
        return refuse("\"play\" is not \"normal\": sums of heaps have Grundy values in normal play only");
    }
    match file.game.get("kind").and_then(Value::as_str) {
        Some("lattice") => lattice(file, meter),
        Some("heap") => heap(file, meter),
        _ => refuse("\"game\": \"kind\" is neither \"lattice\" nor \"heap\""),
    }
}

fn keys(place: &str, map: &Map<String, Value>, known: &[&str]) -> Result<(), Failure> {
    match map.keys().find(|key| !known.contains(&key.as_str())) {
        Some(key) => refuse(format!("{place}: unknown key \"{key}\"")),
        None => Ok(()),
    }
}

fn naturals(place: &str, value: Option<&Value>) -> Result<Vec<u64>, Failure> {
    let list = value.and_then(Value::as_array).and_then(|list| list.iter().map(Value::as_u64).collect());
    list.map_or_else(|| refuse(format!("{place} is not a list of natural numbers")), Ok)
}

/// Natural numbers of any size: those that JSON may not keep exactly are strings of digits.
fn big_naturals(place: &str, value: Option<&Value>) -> Result<Vec<BigInt>, Failure> {
    let read = |x: &Value| match x {
        Value::String(text) => {
            let natural = text.len() <= MOST_DIGITS && text.bytes().all(|b| b.is_ascii_digit());
            if natural { text.parse().ok() } else { None }
        }
        number => number.as_u64().map(BigInt::from),
    };
    let list = value.and_then(Value::as_array).and_then(|list| list.iter().map(read).collect());
    list.map_or_else(|| refuse(format!("{place} is not a list of natural numbers")), Ok)
}

/// Γ squarefree on the orthant, no defeated position: x ↦ ⊕ g(eᵢ) over odd xᵢ is the Grundy value by Sprague–Grundy when
/// every g(eᵢ) is the mex of its options' values. The functional shows that play ends, so the mex equations have no circle.
fn lattice(file: &File, meter: &Meter<'_>) -> Result<String, Failure> {
    let d = values_of_lattice(file, &[], meter)?.len();
    Ok(format!(
        "a point of N^{d} is a P-position exactly when the nim-sum of the {d} stated values over its odd coordinates is 0"
    ))
}

/// The values of a lattice game, when they are proved; the certificate may have `more` keys.
pub(crate) fn values_of_lattice(file: &File, more: &[&str], meter: &Meter<'_>) -> Result<Vec<u64>, Failure> {
    let known: Vec<&str> = ["values", "functional"].iter().chain(more).copied().collect();
    keys("certificate", &file.certificate, &known)?;
    let game = Lattice::read_up_to(MOST_COORDINATES, &file.game, file.misere)?;
    if game.rows.is_some() || !game.defeated.is_empty() {
        return refuse("game: the parity kernel is for the orthant without defeated positions");
    }
    let d = game.dimension;
    let values = naturals("certificate.values", file.certificate.get("values"))?;
    let functional = big_naturals("certificate.functional", file.certificate.get("functional"))?;
    if values.len() != d || functional.len() != d {
        return refuse("certificate: \"values\" and \"functional\" must have one entry for each coordinate");
    }
    let mut options: Vec<Vec<u64>> = vec![Vec::new(); d];
    for (r, rule) in game.rules.iter().enumerate() {
        meter.work(1)?;
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
            Some(i) => options[i].push(value),
            None => return refuse(format!("game.rules[{r}]: not squarefree")),
        }
    }
    for (i, (found, value)) in options.into_iter().zip(&values).enumerate() {
        if mex(found) != *value {
            return refuse(format!("certificate.values[{i}]: not the mex of the options' values"));
        }
    }
    Ok(values)
}

/// Heaps 1..=n of a code or subtraction game: values[h − 1] must be the mex over the options of heap h.
fn heap(file: &File, meter: &Meter<'_>) -> Result<String, Failure> {
    keys("certificate", &file.certificate, &["values", "max_heap"])?;
    let values = naturals("certificate.values", file.certificate.get("values"))?;
    if file.certificate.get("max_heap").and_then(Value::as_u64) != Some(values.len() as u64) {
        return refuse("certificate.max_heap: not the number of values");
    }
    let digits = digits(&file.game, values.len())?;
    for h in 1..=values.len() {
        let mut found = Vec::new();
        for (k, digit) in digits.iter().enumerate().take(h + 1).filter(|(_, digit)| **digit != 0) {
            let rest = (h - k) as u64;
            meter
                .work(1 + if digit & 8 != 0 { rest * rest / 12 } else { 0 } + if digit & 4 != 0 { rest } else { 0 })?;
            for heaps in (0..8).filter(|j| digit >> j & 1 == 1) {
                divided(h - k, heaps, 1, 0, &values, &mut found);
            }
        }
        if mex(found) != values[h - 1] {
            return refuse(format!("certificate.values[{}]: not the mex of the options of heap {h}", h - 1));
        }
    }
    Ok(format!(
        "a sum of heaps up to {} is a P-position exactly when the nim-sum of the stated values of its heaps is 0",
        values.len()
    ))
}

/// The values of all ways to leave `rest` beans as `heaps` heaps of at least `least` beans.
fn divided(rest: usize, heaps: u32, least: usize, sum: u64, values: &[u64], found: &mut Vec<u64>) {
    match heaps {
        0 if rest == 0 => found.push(sum),
        1 if rest >= least => found.push(sum ^ values[rest - 1]),
        0 | 1 => {}
        _ => {
            for first in least..=rest / heaps as usize {
                divided(rest - first, heaps - 1, first, sum ^ values[first - 1], values, found);
            }
        }
    }
    // A heap of n beans has at most n different option values below its own mex; forget repeats early.
    if found.len() > 1 << 16 {
        found.sort_unstable();
        found.dedup();
    }
}

/// The digits d₀, …, d_n of the game's code.
fn digits(game: &Map<String, Value>, n: usize) -> Result<Vec<u8>, Failure> {
    if let Some(set) = game.get("subtract") {
        keys("game", game, &["kind", "subtract"])?;
        let mut digits = vec![0; n + 1];
        let Some(set) = set.as_array() else { return refuse("game.subtract: not a list") };
        for k in set {
            match k.as_u64().or_else(|| k.as_str().and_then(|text| text.parse().ok())) {
                Some(0) | None => return refuse("game.subtract: an entry is no positive integer"),
                Some(k) => {
                    if let Some(digit) = usize::try_from(k).ok().and_then(|k| digits.get_mut(k)) {
                        *digit = 3;
                    }
                }
            }
        }
        return Ok(digits);
    }
    keys("game", game, &["kind", "code"])?;
    let Some(code) = game.get("code").and_then(Value::as_str) else { return refuse("game.code: missing or no string") };
    let wrong = || Failure::Refused("game.code: not a code such as 0.77 or 0.1[23]".into());
    let (first, rest) = code.split_once('.').ok_or_else(wrong)?;
    let (start, block) = match rest.split_once('[') {
        Some((start, block)) => (start, block.strip_suffix(']').filter(|block| !block.is_empty()).ok_or_else(wrong)?),
        None => (rest, ""),
    };
    let digit = |c: char| c.to_digit(16).and_then(|d| u8::try_from(d).ok()).ok_or_else(wrong);
    let mut zero = first.chars();
    let mut digits = vec![match (zero.next(), zero.next()) {
        (Some(c), None) => digit(c)?,
        _ => return Err(wrong()),
    }];
    // Bits 1 and 2 of d₀ would be moves that change nothing.
    if digits[0] & 3 != 0 {
        return Err(wrong());
    }
    for c in start.chars() {
        digits.push(digit(c)?);
    }
    let block: Vec<u8> = block.chars().map(digit).collect::<Result<_, _>>()?;
    for i in 0.. {
        if digits.len() > n || block.is_empty() {
            break;
        }
        digits.push(block[i % block.len()]);
    }
    Ok(digits)
}

/// The least natural number that is not in the list.
fn mex(mut found: Vec<u64>) -> u64 {
    found.sort_unstable();
    found.dedup();
    let mut least = 0;
    for value in found {
        if value != least {
            break;
        }
        least += 1;
    }
    least
}
