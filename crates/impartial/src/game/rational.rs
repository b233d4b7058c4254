//! A rational strategy by itself (Guo–Miller 2011, Definition 3.2): a series that is claimed to be the generating function of the
//! P-positions, proved on two roads.
//!
//! Write ⋆ for the product coefficient by coefficient and 1_B for the series of the board. A series f is f(P; t) if and only if
//!
//! ```text
//! f = 1_B ⋆ ⋆_{γ ∈ Γ} (1 − t^γ f):
//! ```
//!
//! at a position x it says that f(x) is the product of 1 − f(y) over the options y of x, so that by induction along the
//! functional of the rules f(x) is 1 for P-positions and 0 for others, and it says that f vanishes off the board.
//!
//! * *By series*: the identity itself, with one Hadamard product for each rule (Lemmas 3.5 and 5.2) and an exact zero test;
//!   polynomial when the dimension and the number of rules are fixed.
//! * *By automata*: the sets of points where the coefficients have each of their values; these values must be 0 and 1, and the
//!   set of the second one satisfies the equation of the P-positions.

use num_bigint::BigInt;
use semilinear::integer::{Affine, Int, Vector, unit_vector, vector};
use semilinear::polyhedron::Polyhedron;
use semilinear::run::Monitor;
use semilinear::series::{Series, SeriesError, Term};
use semilinear::vectorset::{Effort, VectorSet};

use super::Ask;
use super::ask::Method;
use super::claim::{first_failing, proved_set, refused};
use super::lattice::automaton;
use super::position::point_text;
use super::strategy::Strategy;
use crate::error::{Error, Result};
use crate::lattice::LatticeGame;
use crate::strategy::{AutomatonStrategy, Proved, SeriesStrategy, StratificationStrategy};

/// Automata on the way may have this many states.
const STATES: usize = 1 << 23;
/// So many followers of a wrong coefficient are looked at, at most.
const FOLLOWERS: usize = 1000;

/// Proves that a series is the generating function of the P-positions, or says where it is wrong.
pub(super) fn proved(game: &LatticeGame, claimed: &Series, ask: &Ask) -> Result<Strategy> {
    let method = ask.method_among(&[Method::Automaton, Method::Series], "claimed series")?;
    let effort = Effort::new(STATES, ask.monitor);
    if method == Method::Series {
        identity_holds(game, claimed, ask.monitor)?;
    }
    let p = match listed(game, claimed, &effort)? {
        Some(set) => proved_set(game, &set, &effort)?,
        None if method == Method::Automaton => {
            return Err(Error::input(
                "terms with dependent denominators or negative entries are no sets by themselves; leave --method out",
            ));
        }
        // The P-positions are looked for, and compared.
        None => solved(game, ask)?,
    };
    let strata = StratificationStrategy::from_automaton(&p, &effort)?;
    let ours = SeriesStrategy::from_strata(&strata, ask.monitor)?;
    let mut difference = claimed.minus(ours.series())?;
    difference.simplify();
    if let Some(x) = difference.first_exponent(ask.monitor)? {
        let (found, right) = (claimed.coefficient(&x, ask.monitor)?, ours.coefficient(&x, ask.monitor)?);
        return Err(wrong(&x, &format!("is {found}, and should be {right}")));
    }
    // The terms as they were written, where the checker takes them.
    match SeriesStrategy::with_strata(claimed.clone(), &strata, ask.monitor) {
        Ok(own) => Ok(Strategy::series(own)),
        Err(error @ Error::Stopped { .. }) => Err(error),
        Err(_) => Ok(Strategy::series(ours)),
    }
}

fn wrong(x: &[Int], why: &str) -> Error {
    let at = point_text(x);
    refused(at.clone(), format!("the coefficient at {at} {why}"))
}

fn solved(game: &LatticeGame, ask: &Ask) -> Result<Proved<AutomatonStrategy>> {
    automaton(game, &Ask { method: Method::Auto, ..*ask })
}

/// The set, in inner coordinates, that a series lists; `None` when its terms are no sets by themselves. A coefficient other than 0 and 1
/// refutes the claim.
fn listed(game: &LatticeGame, claimed: &Series, effort: &Effort<'_>) -> Result<Option<VectorSet>> {
    let chart = game.chart();
    let small = |v: &Vector| v.iter().map(Int::to_i64).collect::<Option<Vec<i64>>>();
    let inner = |term: &Term| {
        let denominators = term.denominators.iter().map(|a| Some(vector(&chart.inner_vector(&small(a)?)?)));
        Some(Term {
            coefficient: term.coefficient.clone(),
            exponent: vector(&chart.inner(&small(&term.exponent)?)?),
            denominators: denominators.collect::<Option<_>>()?,
        })
    };
    let Some(terms) = claimed.terms().iter().map(inner).collect::<Option<Vec<Term>>>() else { return Ok(None) };
    let Some(mut levels) = Series::new(game.dimension(), terms)?.level_sets(effort)? else { return Ok(None) };
    let one = levels.remove(&semilinear::integer::Rat::ONE);
    levels.remove(&semilinear::integer::Rat::ZERO);
    if let Some((value, set)) = levels.iter().next()
        && let Some(y) = set.smallest(effort)?
    {
        let y: Vec<BigInt> = y.into_iter().map(Into::into).collect();
        let x: Vec<Int> = chart.outer_big(&y).into_iter().map(Into::into).collect();
        return Err(wrong(&x, &format!("is {value}; it is 0 or 1 where positions are listed")));
    }
    Ok(Some(one.unwrap_or_else(|| VectorSet::empty(game.dimension()))))
}

/// The identity of the P-positions, by Hadamard products.
fn identity_holds(game: &LatticeGame, f: &Series, monitor: &dyn Monitor) -> Result<()> {
    let mut right = board(game, monitor)?;
    for rule in game.rules() {
        monitor.check(0, None)?;
        right = right.difference(&f.shifted(&vector(rule)), monitor)?;
    }
    let mut difference = f.minus(&right)?;
    difference.simplify();
    let Some(x) = difference.first_exponent(monitor)? else { return Ok(()) };
    let of = |series: &Series, x: &[BigInt]| {
        series.coefficient(&x.iter().cloned().map(Into::into).collect::<Vec<Int>>(), monitor)
    };
    // Where an option is wrong the point may be right.
    let x: Vec<BigInt> = x.iter().map(Int::to_big).collect();
    let fails = |y: &[BigInt], _: &[Vec<BigInt>]| Ok(of(f, y)? != of(&right, y)?);
    let x = if game.is_position_big(&x) { first_failing(game, x, FOLLOWERS, fails, monitor)? } else { x };
    let (found, right) = (of(f, &x)?, of(&right, &x)?);
    let x: Vec<Int> = x.into_iter().map(Into::into).collect();
    Err(wrong(&x, &format!("is {found}, and the options of that point make it {right}")))
}

/// The series of the board: the integer points of the polyhedron without the defeated ones.
fn board(game: &LatticeGame, monitor: &dyn Monitor) -> std::result::Result<Series, SeriesError> {
    let d = game.dimension();
    let all = match game.board() {
        None => Series::of_module(d, &[vector(&vec![0; d])], &(0..d).map(|i| unit_vector(d, i)).collect::<Vec<_>>())?,
        Some(rows) => {
            let rows: Vec<Affine> = rows.iter().map(|row| Affine::new(vector(&row[..d]), row[d])).collect();
            Series::of_polyhedron(&Polyhedron::from_constraints(d, &rows, &[], monitor)?, 1, monitor)?
        }
    };
    let defeated: Vec<Vector> = game.defeated().iter().map(|x| vector(x)).collect();
    all.minus(&Series::of_module(d, &defeated, &[])?)
}
