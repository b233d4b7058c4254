//! Form "series": the generating function of the P-positions of a lattice game as a sum of fractions.
//!
//! The laws of sums and unions, each vector once, say that f(A + ℕv) = f(A) + t^v·f(A + ℕv) and f(A ∪ B) = f(A) + f(B): so the function of a
//! module is Σ_F t^f/Π(1 − t^v). The claim follows from the outcome law for the union and one identity of rational functions.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_traits::{One, Zero};

use crate::format::{Module, Series, Term, matrix, vector};
use crate::lattice::{Lattice, dot};
use crate::laws::{outcome, union};
use crate::meter::Meter;
use crate::words::written;
use crate::{Checked, refuse};

/// Numerators by denominators and exponent.
type Sum = BTreeMap<(Vec<Vec<i128>>, Vec<i128>), BigInt>;

/// Form "series".
pub(crate) fn series(game: &Lattice, file: &Series, meter: &Meter<'_>) -> Checked<String> {
    let inner = game.inner(&file.functional, file.chart.as_ref(), meter)?;
    outcome(&inner, &union(&inner, &file.modules, &file.unions, true, meter)?, meter)?;
    identity(game.dimension, &file.functional, &file.modules, &file.terms, meter)?;
    let (game, terms) = (game.words(), file.terms.len());
    Ok(format!("the generating function of the P-positions of {game} is the sum of the {terms} terms"))
}

/// Verifies that the sum of the terms is the sum of the functions of the modules. The functional is positive on all denominators, so that
/// all fractions are expanded in one ring of Laurent series, where equal rational functions have equal expansions.
pub(crate) fn identity(d: usize, functional: &[i64], modules: &[Module], terms: &[Term], meter: &Meter<'_>) -> Checked {
    let functional = vector("certificate.functional", functional, d)?;
    let fraction = |place: &str, exponent: &[i64], denominators: &[Vec<i64>]| {
        let exponent = vector(place, exponent, d)?;
        let mut denominators = matrix(place, denominators, d)?;
        denominators.sort();
        if denominators.iter().any(|a| dot(&functional, a) <= 0) {
            return refuse(format!("{place}: the functional is not positive on a denominator: it has no expansion"));
        }
        Ok((denominators, exponent))
    };
    // All coefficients are multiplied by one common denominator.
    let mut scale = BigInt::one();
    for (i, term) in terms.iter().enumerate() {
        let (_, below) = term.coefficient;
        refuse_if!(below < 1, "certificate.terms[{i}].coefficient: the second integer is not positive");
        // Any common multiple will do; equal denominators, the common case, are not multiplied again.
        meter.work(scale.bits() / 16 + 1)?;
        if !(&scale % below).is_zero() {
            scale *= below;
        }
    }
    // Each term gets a coefficient of that size.
    let fractions = terms.len() + modules.iter().map(|module| module.bases.len()).sum::<usize>();
    let _held = meter.hold((scale.bits() / 8 + 64).saturating_mul(fractions as u64))?;
    let mut difference = Sum::new();
    for (i, term) in terms.iter().enumerate() {
        let key = fraction(&format!("certificate.terms[{i}]"), &term.exponent, &term.denominators)?;
        let (above, below) = term.coefficient;
        *difference.entry(key).or_default() += &scale / below * above;
    }
    for (i, module) in modules.iter().enumerate() {
        for base in &module.bases {
            let key = fraction(&format!("certificate.modules[{i}]"), base, &module.generators)?;
            *difference.entry(key).or_default() -= &scale;
        }
    }
    difference.retain(|_, c| !c.is_zero());
    vanishes(difference, meter)
}

/// Verifies that a sum of fractions is 0: the numerator over the common denominator is multiplied out, factor by factor.
fn vanishes(mut sum: Sum, meter: &Meter<'_>) -> Checked {
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
            // So many monomials, each with its exponent and denominators and a coefficient of about `lacking` bits more.
            let bytes = ((rest.len() + 1) * (16 * a.len() + 24) + lacking / 8 + 100) as u64 + coefficient.bits() / 8;
            meter.work((lacking as u64 + 1).saturating_mul(bytes / 8))?;
            held.grow((lacking as u64 + 1).saturating_mul(bytes))?;
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
        Some(((_, exponent), _)) => refuse(format!(
            "certificate.terms: their sum is not the function of the strata: the numerator of the difference has the \
             monomial with exponent {}",
            written(&exponent)
        )),
    }
}
