//! The form "parity-kernel": Grundy values of single heaps, each a mex of values that come before it.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use num_traits::Signed as _;
use serde_json::{Map, Value};

use crate::envelope::File;
use crate::heap::Code;
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
    let code = Code::read(&file.game)?;
    meter.foresee(code.cost(values.len()).saturating_mul(values.len() as u64 / 4))?;
    for h in 1..=values.len() {
        let mut found = BTreeSet::new();
        code.options(h, meter, &mut |parts| {
            found.insert(parts.iter().fold(0, |sum, &part| sum ^ values[part - 1]));
            Ok(())
        })?;
        if mex(found) != values[h - 1] {
            return refuse(format!("certificate.values[{}]: not the mex of the options of heap {h}", h - 1));
        }
    }
    Ok(format!(
        "a sum of heaps up to {} is a P-position exactly when the nim-sum of the stated values of its heaps is 0",
        values.len()
    ))
}

/// The least natural number that is not in the set.
fn mex(found: BTreeSet<u64>) -> u64 {
    (0..).zip(found).take_while(|(least, value)| least == value).count() as u64
}
