//! Form "series": the generating function of the P-positions of a lattice game.
//!
//! The file carries disjoint strata f + ℕV with linearly independent V: the function of each is t^f/Π(1 − t^v). So the
//! claim follows from the equation of the P-positions for the union of the strata, and one identity of rational functions.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use serde_json::{Map, Value};

use crate::automaton::equation;
use crate::envelope::File;
use crate::lattice::{Lattice, known_keys, matrix, vector};
use crate::meter::Meter;
use crate::stratification::union;
use crate::{Failure, refuse};

/// Numerators by denominators and exponent.
type Sum = BTreeMap<(Vec<Vec<i128>>, Vec<i128>), BigInt>;

pub(crate) fn check(file: &File, meter: &Meter<'_>) -> Result<String, Failure> {
    let game = Lattice::read(&file.game, file.misere)?;
    known_keys("certificate", &file.certificate, &["functional", "chart", "modules", "terms"])?;
    let inner = game.inner(&file.certificate, meter)?;
    let d = game.dimension;
    let functional = vector("certificate.functional", file.certificate.get("functional"), Some(d))?;
    let strata = strata(&file.certificate, d)?;
    if strata.is_empty() {
        return refuse("certificate.modules: there is none, but every game has P-positions");
    }
    let (terms, scale) = terms(&file.certificate, d)?;
    let denominators =
        strata.iter().flat_map(|(v, _)| v).chain(terms.keys().flat_map(|(denominators, _)| denominators));
    for a in denominators {
        // One direction in which all fractions are expanded as geometric series.
        if functional.iter().zip(a).map(|(l, x)| l * x).sum::<i128>() <= 0 {
            return refuse("the functional is not positive on every denominator, so that the series has no expansion");
        }
    }
    // Each stratum by itself: no vector may lie in two of them.
    let alone = |(generators, base): &(Vec<Vec<i128>>, Vec<i128>)| {
        (generators.iter().map(|v| inner.vector(v)).collect(), vec![inner.point(base)])
    };
    let set = union(d, &inner, &strata.iter().map(alone).collect::<Vec<_>>(), meter)?;
    equation(d, &inner, &set, meter)?;
    let count = terms.len();
    let mut difference = terms;
    for (mut generators, base) in strata {
        generators.sort();
        *difference.entry((generators, base)).or_default() -= &scale;
    }
    difference.retain(|_, c| !c.is_zero());
    vanishes(difference, meter)?;
    Ok(format!(
        "the generating function of the P-positions of the lattice game with {} rules and {} defeated positions in \
         dimension {d} is the sum of the {count} terms",
        game.rules.len(),
        game.defeated.len(),
    ))
}

/// The strata as pairs (V, f), with V linearly independent.
type Strata = Vec<(Vec<Vec<i128>>, Vec<i128>)>;

fn strata(certificate: &Map<String, Value>, d: usize) -> Result<Strata, Failure> {
    let Some(Value::Array(list)) = certificate.get("modules") else {
        return refuse("certificate.modules: not a list");
    };
    let mut strata = Vec::new();
    for (i, module) in list.iter().enumerate() {
        let place = format!("certificate.modules[{i}]");
        let Value::Object(module) = module else { return refuse(format!("{place}: not an object")) };
        known_keys(&place, module, &["generators", "bases"])?;
        let generators = matrix(&format!("{place}.generators"), module.get("generators"), Some(d))?;
        if generators.len() > d || !independent(&generators) {
            return refuse(format!("{place}.generators: linearly dependent"));
        }
        for base in matrix(&format!("{place}.bases"), module.get("bases"), Some(d))? {
            strata.push((generators.clone(), base));
        }
    }
    Ok(strata)
}

/// The terms, with all coefficients multiplied by one common denominator, which is returned too.
fn terms(certificate: &Map<String, Value>, d: usize) -> Result<(Sum, BigInt), Failure> {
    let Some(Value::Array(list)) = certificate.get("terms") else { return refuse("certificate.terms: not a list") };
    let mut read = Vec::new();
    let mut scale = BigInt::one();
    for (i, term) in list.iter().enumerate() {
        let place = format!("certificate.terms[{i}]");
        let Value::Object(term) = term else { return refuse(format!("{place}: not an object")) };
        known_keys(&place, term, &["coefficient", "exponent", "denominators"])?;
        let coefficient = vector(&format!("{place}.coefficient"), term.get("coefficient"), Some(2))?;
        if coefficient[1] < 1 {
            return refuse(format!("{place}.coefficient: the second integer is not positive"));
        }
        let exponent = vector(&format!("{place}.exponent"), term.get("exponent"), Some(d))?;
        let mut denominators = matrix(&format!("{place}.denominators"), term.get("denominators"), Some(d))?;
        denominators.sort();
        // Any common multiple will do; equal denominators, the common case, are not multiplied again.
        if !(&scale % coefficient[1]).is_zero() {
            scale *= coefficient[1];
        }
        read.push((coefficient, exponent, denominators));
    }
    let mut sum = Sum::new();
    for (coefficient, exponent, denominators) in read {
        *sum.entry((denominators, exponent)).or_default() += &scale / coefficient[1] * coefficient[0];
    }
    Ok((sum, scale))
}

/// Whether integer vectors are linearly independent: elimination without fractions.
fn independent(vectors: &[Vec<i128>]) -> bool {
    let mut rows: Vec<Vec<BigInt>> = vectors.iter().map(|v| v.iter().map(|&x| x.into()).collect()).collect();
    for r in 0..rows.len() {
        let Some(c) = rows[r].iter().position(|x| !x.is_zero()) else { return false };
        let pivot = rows[r].clone();
        for row in &mut rows[r + 1..] {
            let factor = row[c].clone();
            for (x, p) in row.iter_mut().zip(&pivot) {
                *x = &*x * &pivot[c] - &factor * p;
            }
            // Keep the numbers small.
            let content = row.iter().fold(BigInt::zero(), |g, x| gcd(g, x.abs()));
            if content > BigInt::one() {
                for x in row {
                    *x = &*x / &content;
                }
            }
        }
    }
    true
}

fn gcd(mut a: BigInt, mut b: BigInt) -> BigInt {
    while !b.is_zero() {
        (a, b) = (b.clone(), a % b);
    }
    a
}

/// Verifies that a sum of fractions is 0: the numerator over the common denominator is multiplied out, factor by factor.
fn vanishes(mut sum: Sum, meter: &Meter<'_>) -> Result<(), Failure> {
    let mut most: BTreeMap<Vec<i128>, usize> = BTreeMap::new();
    for (denominators, _) in sum.keys() {
        meter.steps(denominators.len())?;
        // They are sorted.
        for equal in denominators.chunk_by(|a, b| a == b) {
            let entry = most.entry(equal[0].clone()).or_default();
            *entry = (*entry).max(equal.len());
        }
    }
    for (a, multiplicity) in most {
        let mut next = Sum::new();
        let mut held = meter.hold(0)?;
        for ((denominators, exponent), coefficient) in sum {
            let rest: Vec<Vec<i128>> = denominators.iter().filter(|b| **b != a).cloned().collect();
            let lacking = multiplicity - (denominators.len() - rest.len());
            // So many monomials, each with its exponent and denominators and a coefficient of about `lacking` bits.
            let bytes = (rest.len() + 1) * (16 * a.len() + 24) + lacking / 8 + 100;
            meter.steps((lacking + 1).saturating_mul(bytes / 8))?;
            held.grow((lacking as u64 + 1).saturating_mul(bytes as u64))?;
            // (1 − t^a)^lacking, by binomial coefficients.
            let mut binomial = BigInt::one();
            let mut exponent = exponent;
            for k in 0..=lacking {
                let signed = if k % 2 == 0 { &coefficient * &binomial } else { -(&coefficient * &binomial) };
                *next.entry((rest.clone(), exponent.clone())).or_default() += signed;
                binomial = binomial * (lacking - k) / (k + 1);
                for (e, a) in exponent.iter_mut().zip(&a) {
                    *e += a;
                }
            }
        }
        next.retain(|_, c| !c.is_zero());
        sum = next;
    }
    match sum.into_iter().next() {
        None => Ok(()),
        Some(((_, exponent), _)) => {
            let exponent: Vec<String> = exponent.iter().map(ToString::to_string).collect();
            refuse(format!(
                "certificate.terms: their sum is not the function of the strata: the numerator of the difference has the \
                 monomial with exponent ({})",
                exponent.join(",")
            ))
        }
    }
}
