//! Form "series": the P-positions of a lattice game as a rational generating function (Guo–Miller 2011, Definition 3.2).

use num_bigint::BigInt;
use serde_json::{Value, json};
use thiserror::Error;

use super::{Congruence, Envelope, Proved, StratificationFileError, StratificationStrategy, Unchecked, board_proof};
use crate::error::Error;
use crate::lattice::LatticeGame;
use crate::outcome::Outcome;
use semilinear::integer::{Int, Rat, Vector, negated, unit_vector, vector};
use semilinear::polyhedron::Cone;
use semilinear::run::Monitor;
use semilinear::series::{Coefficients, Series, SeriesError, Term};
use semilinear::vectorset::Effort;

/// A lattice game with the generating function of its P-positions, in the user's coordinates. It keeps the strata it
/// was made from: they are its certificate.
#[derive(Clone, Debug)]
pub struct SeriesStrategy {
    strata: StratificationStrategy,
    series: Series,
    coefficients: Coefficients,
}

/// Why a strategy file of this form cannot be read.
#[derive(Debug, Error)]
pub enum SeriesFileError {
    /// The strata are not sound.
    #[error(transparent)]
    Strata(#[from] StratificationFileError),
    /// The terms have another shape.
    #[error("strategy file: certificate.terms: {0}; convert the stratification again")]
    Shape(#[from] serde_json::Error),
    /// A coefficient is not two integers with a non-zero second one.
    #[error("strategy file: certificate.terms: a coefficient has denominator 0; convert the stratification again")]
    Coefficient,
    /// The terms are no series.
    #[error("strategy file: certificate.terms: {0}")]
    Series(#[from] SeriesError),
}

impl SeriesStrategy {
    /// The series of the strata, accepted by the independent checker: translates of a module may overlap.
    pub fn from_strata(strata: &Proved<StratificationStrategy>, monitor: &dyn Monitor) -> Result<Proved<Self>, Error> {
        let mut series = strata.strata().series(monitor)?;
        series.simplify();
        Self::with_strata(series, strata, monitor)
    }

    /// A series as somebody wrote it, with strata that it is claimed to list; accepted by the independent checker, which compares both
    /// as rational functions. The strata are cut into disjoint ones first: they are the certificate.
    pub(crate) fn with_strata(
        series: Series,
        strata: &StratificationStrategy,
        monitor: &dyn Monitor,
    ) -> Result<Proved<Self>, Error> {
        let apart = strata.strata().disjoint(monitor)?;
        let strata = StratificationStrategy::of_strata(strata.game().clone(), apart, &Effort::new(1 << 24, monitor))?;
        let coefficients = Coefficients::new(&series);
        Unchecked::new(Self { strata, series, coefficients }).checked(Self::to_envelope, monitor)
    }

    /// The game.
    pub fn game(&self) -> &LatticeGame {
        self.strata.game()
    }

    /// The generating function of the P-positions.
    pub fn series(&self) -> &Series {
        &self.series
    }

    /// The coefficient of t^x.
    pub fn coefficient(&self, x: &[Int], monitor: &dyn Monitor) -> Result<Rat, SeriesError> {
        self.coefficients.at(x, monitor)
    }

    /// The strata the series was made from.
    pub fn strata(&self) -> &StratificationStrategy {
        &self.strata
    }

    /// The outcome of a position of any size: the coefficient of t^x (Guo–Miller 2011, Theorem 3.6); `None` when the
    /// point is not a position.
    ///
    /// # Complexity
    /// One linear system for each term, on integers with as many digits as the position.
    pub fn outcome(&self, x: &[BigInt], monitor: &dyn Monitor) -> Result<Option<Outcome>, SeriesError> {
        if !self.game().is_position_big(x) {
            return Ok(None);
        }
        let point: Vector = x.iter().map(Int::from).collect();
        Ok(Some(Outcome::p_if(!self.coefficients.at(&point, monitor)?.is_zero())))
    }

    /// The options of a position that are P-positions, in the order of the rules.
    pub fn winning_moves(&self, x: &[BigInt], monitor: &dyn Monitor) -> Result<Vec<Vec<BigInt>>, SeriesError> {
        let mut moves = Vec::new();
        for option in self.game().options_big(x) {
            if self.outcome(&option, monitor)? == Some(Outcome::P) {
                moves.push(option);
            }
        }
        Ok(moves)
    }

    /// Whether two positions are congruent, from the series alone (Guo–Miller 2011, Theorem 6.2): with C the recession
    /// cone of the board and S_p = {r ∈ C : p + r ∈ P}, whether f(S_p) = f(S_q). Settled exactly; a difference comes with
    /// the least r in one of both sets only.
    ///
    /// # Complexity
    /// One Hadamard product with the cone for each position; the exact comparison multiplies out a common denominator.
    pub fn congruence(&self, p: &[BigInt], q: &[BigInt], monitor: &dyn Monitor) -> Result<Congruence, SeriesError> {
        let cone = self.cone(monitor)?;
        let shifted = |x: &[BigInt]| -> Result<Series, SeriesError> {
            let x: Vector = x.iter().map(Int::from).collect();
            // f(S_p): move P by −p, then keep what lies in the cone.
            self.series.shifted(&negated(&x)).hadamard(&cone, monitor)
        };
        let mut difference = shifted(p)?.minus(&shifted(q)?)?;
        difference.simplify();
        Ok(match difference.first_exponent(monitor)? {
            None => Congruence::Congruent,
            Some(r) => Congruence::Different { witness: r.iter().map(Int::to_big).collect() },
        })
    }

    /// The series of the integer points of the recession cone of the board.
    fn cone(&self, monitor: &dyn Monitor) -> Result<Series, SeriesError> {
        let d = self.game().dimension();
        match self.game().board() {
            None => {
                let units: Vec<Vector> = (0..d).map(|i| unit_vector(d, i)).collect();
                Series::of_module(d, &[vector(&vec![0; d])], &units)
            }
            Some(rows) => {
                let normals: Vec<Vector> = rows.iter().map(|row| vector(&row[..d])).collect();
                Series::of_cone(&Cone::from_inequalities(d, &normals, &[], monitor)?, 1, monitor)
            }
        }
    }

    /// The strategy file.
    pub fn to_envelope(&self) -> Envelope {
        let game = self.game();
        let mut certificate = board_proof(game);
        self.strata.write_modules(&mut certificate);
        let terms: Vec<Value> = self
            .series
            .terms()
            .iter()
            .map(|t| {
                json!({
                    "coefficient": [t.coefficient.numerator(), t.coefficient.denominator()],
                    "exponent": t.exponent,
                    "denominators": t.denominators,
                })
            })
            .collect();
        certificate.insert("terms".into(), terms.into());
        Envelope {
            form: "series".into(),
            play: game.play(),
            game: game.to_json(),
            certificate: Value::Object(certificate),
        }
    }

    /// Reads a strategy file; the claim itself is the checker's business.
    pub fn from_envelope(envelope: &Envelope, monitor: &dyn Monitor) -> Result<Unchecked<Self>, SeriesFileError> {
        #[derive(serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Written {
            coefficient: (Int, Int),
            exponent: Vector,
            denominators: Vec<Vector>,
        }
        let strata = StratificationStrategy::from_envelope(envelope, monitor)?.into_claim();
        let terms = envelope.certificate.get("terms").cloned().unwrap_or(Value::Null);
        let written: Vec<Written> = serde_json::from_value(terms)?;
        let mut terms = Vec::with_capacity(written.len());
        for Written { coefficient: (numerator, denominator), exponent, denominators } in written {
            if denominator.is_zero() {
                return Err(SeriesFileError::Coefficient);
            }
            terms.push(Term { coefficient: Rat::new(numerator, denominator), exponent, denominators });
        }
        let series = Series::new(strata.game().dimension(), terms)?;
        let coefficients = Coefficients::new(&series);
        Ok(Unchecked::new(Self { strata, series, coefficients }))
    }
}

impl From<SeriesFileError> for Error {
    fn from(error: SeriesFileError) -> Self {
        match error {
            SeriesFileError::Strata(error) => error.into(),
            SeriesFileError::Series(error) => error.into(),
            error => Self::input(error),
        }
    }
}

impl From<SeriesError> for Error {
    fn from(error: SeriesError) -> Self {
        match error.stop_reason() {
            Some(why) => why.clone().into(),
            None => Self::input(error),
        }
    }
}
