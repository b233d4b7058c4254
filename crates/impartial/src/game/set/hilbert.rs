//! Hilbert bases and Hilbert series of semigroups and cones.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use semilinear::integer::{Int, Vector, dot};
use semilinear::polyhedron::{hilbert_basis, hilbert_basis_over};
use semilinear::semigroup::AffineSemigroup;
use semilinear::series::Series;

use super::{BasisReport, Content, HilbertSeriesReport, Set};
use crate::error::{Error, Result};
use crate::game::Ask;

/// The numerator of a Hilbert series has no more coefficients than this.
const MOST_COEFFICIENTS: usize = 1 << 20;

impl Set {
    /// The minimal generators of a semigroup, or of a cone's points over its lattice.
    pub fn hilbert_basis(&self, ask: &Ask) -> Result<BasisReport> {
        let (cone, lattice) = match &self.content {
            Content::Semigroup(semigroup) => {
                let basis = semigroup.minimal_generators(ask.monitor)?;
                return Ok(BasisReport { size: basis.len(), basis });
            }
            Content::Cone { cone, lattice } if cone.is_pointed() => (cone, lattice),
            Content::Cone { .. } => {
                return Err(Error::input("the cone contains a line, so that it has no Hilbert basis; cut it in two"));
            }
            Content::Vectors(_) => {
                return Err(Error::input("hilbert-basis is for kind = \"cone\" and kind = \"semigroup\""));
            }
        };
        let mut basis = match lattice {
            Some(lattice) => hilbert_basis_over(cone, lattice, ask.monitor)?,
            None => hilbert_basis(cone, ask.monitor)?,
        };
        basis.sort();
        Ok(BasisReport { size: basis.len(), basis })
    }

    /// The Hilbert series of a semigroup, or of a cone's points over its lattice, for a grading that is positive on it; each
    /// coordinate has degree 1 when none is given.
    ///
    /// ```
    /// use impartial::prelude::*;
    /// use impartial::game::Set;
    /// let ask = Ask::new();
    /// let coins = Set::open("kind = \"semigroup\"\ngenerators = [[3], [5]]", &ask)?;
    /// let series = coins.hilbert_series(None, &ask)?; // (1 + t^3 + t^6 + t^9 + t^12)/(1 - t^5)
    /// assert_eq!((series.numerator.len(), series.denominator), (13, vec![5]));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn hilbert_series(&self, grading: Option<&[BigInt]>, ask: &Ask) -> Result<HilbertSeriesReport> {
        let grading: Vector =
            grading.map_or_else(|| vec![Int::ONE; self.dimension], |degrees| degrees.iter().map(Int::from).collect());
        if grading.len() != self.dimension {
            return Err(Error::Input(format!("--grading has {} entries, the set {}", grading.len(), self.dimension)));
        }
        let positive = |vectors: &[Vector]| vectors.iter().all(|v| dot(&grading, v).is_positive());
        let unfit = || Error::input("--grading is not positive on every generator; give another");
        let series = match &self.content {
            Content::Semigroup(semigroup) => {
                let basis = semigroup.minimal_generators(ask.monitor)?;
                if !positive(&basis) {
                    return Err(unfit());
                }
                AffineSemigroup::new(self.dimension, basis)
                    .map_err(Error::input)?
                    .series(ask.monitor)?
                    .graded(&grading)?
            }
            Content::Cone { cone, .. } if !positive(cone.rays()) => return Err(unfit()),
            Content::Cone { cone, lattice: None } => Series::hilbert(cone, &grading, u64::MAX, ask.monitor)?,
            Content::Cone { cone, lattice: Some(lattice) } => {
                let grading = lattice.times(&grading);
                Series::hilbert(&cone.over(lattice), &grading, u64::MAX, ask.monitor)?
            }
            Content::Vectors(_) => {
                return Err(Error::input("hilbert-series is for kind = \"cone\" and kind = \"semigroup\""));
            }
        };
        fraction(&series, ask)
    }
}

/// The sum of the terms of a series in one variable over one denominator.
fn fraction(series: &Series, ask: &Ask) -> Result<HilbertSeriesReport> {
    let too_large =
        || Error::from(semilinear::run::StopReason::Size { what: "coefficients", limit: MOST_COEFFICIENTS as u64 });
    let degree = |v: &Vector| v[0].to_i64().and_then(|n| usize::try_from(n).ok()).filter(|&n| n < MOST_COEFFICIENTS);
    // For each denominator, as exponents with their numbers, the sum of the numerators over it.
    let mut sums: BTreeMap<BTreeMap<usize, usize>, Vec<Int>> = BTreeMap::new();
    for term in series.terms() {
        let exponent = degree(&term.exponent).ok_or_else(too_large)?;
        let mut own: BTreeMap<usize, usize> = BTreeMap::new();
        for a in &term.denominators {
            *own.entry(degree(a).ok_or_else(too_large)?).or_default() += 1;
        }
        let coefficient = term.coefficient.to_int().ok_or_else(|| Error::input("a coefficient is no integer"))?;
        let sum = sums.entry(own).or_default();
        if sum.len() <= exponent {
            sum.resize(exponent + 1, Int::ZERO);
        }
        sum[exponent] += &coefficient;
    }
    let mut denominator: BTreeMap<usize, usize> = BTreeMap::new();
    for (&e, &n) in sums.keys().flatten() {
        let most = denominator.entry(e).or_default();
        *most = (*most).max(n);
    }
    let mut numerator: Vec<Int> = Vec::new();
    for (own, mut polynomial) in sums {
        for (&e, &most) in &denominator {
            for _ in own.get(&e).copied().unwrap_or(0)..most {
                ask.monitor.check(0, None)?;
                if polynomial.len() + e > MOST_COEFFICIENTS {
                    return Err(too_large());
                }
                // Times 1 − t^e, from the highest coefficient down.
                polynomial.resize(polynomial.len() + e, Int::ZERO);
                for i in (e..polynomial.len()).rev() {
                    polynomial[i] = &polynomial[i] - &polynomial[i - e];
                }
            }
        }
        if numerator.len() < polynomial.len() {
            numerator.resize(polynomial.len(), Int::ZERO);
        }
        for (sum, c) in numerator.iter_mut().zip(&polynomial) {
            *sum += c;
        }
    }
    while numerator.last().is_some_and(Int::is_zero) {
        numerator.pop();
    }
    let denominator = denominator.into_iter().flat_map(|(e, n)| std::iter::repeat_n(e, n)).collect();
    Ok(HilbertSeriesReport { numerator, denominator })
}
