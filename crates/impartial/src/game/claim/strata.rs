//! Claimed sets of P-positions: modules, and any vector set.
//!
//! A claim is first compared with the recursion at some thousand positions, so that most wrong ones are refuted by their
//! first wrong point at once. In the plane the checker proves disjoint modules by sectors; elsewhere their union becomes an
//! automaton that must satisfy the equation of the P-positions (thesis, Theorem 3.6).

use std::collections::HashSet;

use num_bigint::BigInt;
use num_traits::ToPrimitive as _;
use semilinear::run::{Monitor, StopReason};
use semilinear::semigroup::{Module, Stratification};
use semilinear::vectorset::{Effort, VectorSet};

use super::{STATES, refused};
use crate::error::{Error, Result};
use crate::game::Ask;
use crate::game::form::Form;
use crate::game::position::{point_text, read_point};
use crate::game::strategy::Strategy;
use crate::lattice::LatticeGame;
use crate::outcome::Outcome;
use crate::solve::blocks::Target;
use crate::solve::recursion::{Recursion, Region};
use crate::solve::sector::proof;
use crate::strategy::{AutomatonStrategy, Proved, StratificationStrategy, Unchecked, sectors_of};

/// A module of a claim has no more generators than this.
const MOST_GENERATORS: usize = 20;
/// A claim is compared with the recursion at so many positions, or somewhat more.
const LOOK: u64 = 1 << 12;
/// No more claimed points than this are listed for it.
const LISTED: usize = 1 << 18;
/// So many followers of a point are looked at, at most.
const FOLLOWERS: usize = 100_000;
/// In games with more coordinates the comparison is left out.
const DIMENSIONS: usize = 6;

/// A stratification with any generators; translates and modules may overlap.
pub(super) fn stratification(game: &LatticeGame, modules: &[Module], ask: &Ask) -> Result<Strategy> {
    let inner = inner_modules(game, modules)?;
    if let Some(wrong) = first_wrong(game, &inner, ask.monitor)? {
        return Err(wrong);
    }
    if let Some(strata) = by_sectors(game, modules, &inner, ask.monitor)? {
        return Ok(Strategy::stratification(strata));
    }
    let effort = Effort::new(STATES, ask.monitor);
    let mut set = VectorSet::empty(game.dimension());
    for module in &inner {
        for base in &module.bases {
            set = set.union(&VectorSet::image(base, &module.generators, &effort)?, &effort)?;
        }
    }
    let automaton = proved_set(game, &set, &effort)?;
    // The modules as they were written, where the checker takes them; else strata made from the proved set.
    let own = Stratification::new(game.dimension(), modules.to_vec()).ok().and_then(|strata| {
        let claimed = Unchecked::new(StratificationStrategy::of_strata(game.clone(), strata, &effort).ok()?);
        claimed.checked(StratificationStrategy::to_envelope, ask.monitor).ok()
    });
    match own {
        Some(strata) => Ok(Strategy::stratification(strata)),
        None => Strategy::automaton(automaton).convert(Form::Stratification, ask),
    }
}

/// In the plane: the modules as they were written, where the checker proves them without automata, which long rays make large, or a
/// point at which the equation fails. None where sectors say nothing: modules that meet, or generators that are no neighbours.
fn by_sectors(
    game: &LatticeGame,
    modules: &[Module],
    inner: &[Module],
    monitor: &dyn Monitor,
) -> Result<Option<Proved<StratificationStrategy>>> {
    if game.dimension() != 2 {
        return Ok(None);
    }
    let sectors = sectors_of(inner);
    match proof::counterexample(game, &sectors, Target::Outcomes, monitor)? {
        Err(_) => Ok(None),
        Ok(Some(y)) => {
            let Some(x) = game.chart().outer(&y) else { return Ok(None) };
            let x: Vec<BigInt> = x.into_iter().map(BigInt::from).collect();
            let claimed = |x: &[BigInt]| {
                let y = game.chart().inner_big(x);
                <[BigInt; 2]>::try_from(y).is_ok_and(|y| sectors.contains(&y))
            };
            Err(wrong_at(game, &least_wrong(game, x, claimed, monitor)?, claimed))
        }
        Ok(None) => {
            let Ok(strata) = Stratification::new(2, modules.to_vec()) else { return Ok(None) };
            let claimed = StratificationStrategy::without_automata(game.clone(), strata);
            Ok(Unchecked::new(claimed).checked(StratificationStrategy::to_envelope, monitor).ok())
        }
    }
}

/// The modules in inner coordinates, without generators 0; a point off the board refutes them.
fn inner_modules(game: &LatticeGame, modules: &[Module]) -> Result<Vec<Module>> {
    let (d, chart) = (game.dimension(), game.chart());
    let mut all = Vec::new();
    for (i, module) in modules.iter().enumerate() {
        let wrong = |v: &&Vec<i64>| v.len() != d;
        if let Some(v) = module.generators.iter().chain(&module.bases).find(wrong) {
            return Err(Error::Input(format!(
                "modules[{i}]: {} has {} entries, but the game has {d} coordinates",
                point_text(v),
                v.len()
            )));
        }
        if module.generators.len() > MOST_GENERATORS {
            return Err(Error::Input(format!(
                "modules[{i}] has {} generators; give at most {MOST_GENERATORS}",
                module.generators.len()
            )));
        }
        let too_large = || Error::Input(format!("modules[{i}]: entries leave 64-bit integers; give smaller ones"));
        let natural = |y: &[i64]| y.iter().all(|&y| y >= 0);
        let (mut generators, mut bases) = (Vec::new(), Vec::new());
        for v in &module.generators {
            let inner = chart.inner_vector(v).ok_or_else(too_large)?;
            if inner.iter().all(|&y| y == 0) {
                continue;
            }
            if !natural(&inner) {
                let base = module.bases.first().map_or_else(|| vec![0; d], Clone::clone);
                // Some multiple of the generator leaves the board.
                let end: Vec<BigInt> =
                    base.iter().zip(v).map(|(b, v)| BigInt::from(*b) + BigInt::from(*v) * (1_i64 << 40)).collect();
                return Err(refused(
                    point_text(&end),
                    format!("modules[{i}]: adding the generator {} leaves the board", point_text(v)),
                ));
            }
            generators.push(inner);
        }
        for base in &module.bases {
            let inner = chart.inner(base).ok_or_else(too_large)?;
            if !natural(&inner) {
                let at = point_text(base);
                return Err(refused(
                    at.clone(),
                    format!("{at} is claimed to be a P-position, and is not on the board"),
                ));
            }
            bases.push(inner);
        }
        all.push(Module { generators, bases });
    }
    Ok(all)
}

/// ℓ(y), if it fits.
fn level_of(functional: &[i64], y: &[i64]) -> Option<i64> {
    functional.iter().zip(y).try_fold(0_i64, |sum, (f, y)| sum.checked_add(f.checked_mul(*y)?))
}

/// Compares modules with the recursion where the functional ℓ of the game is small. The refutation names a wrong point at which ℓ
/// is least: all its options are claimed rightly, so the equation fails there.
fn first_wrong(
    game: &LatticeGame,
    modules: &[Module],
    monitor: &dyn Monitor,
) -> std::result::Result<Option<Error>, StopReason> {
    let Some(functional) = game.small_inner_functional().filter(|_| game.dimension() <= DIMENSIONS) else {
        return Ok(None);
    };
    let Some((level, recursion)) = looked_at(game, monitor)? else { return Ok(None) };
    let Some(claimed) = points(modules, &functional, level, monitor)? else { return Ok(None) };
    let wrong = |y: &&Vec<i64>| recursion.outcome(y) != Some(Outcome::P);
    let key = |y: &[i64]| (level_of(&functional, y), y.to_vec());
    let mut least = claimed.iter().filter(wrong).map(|y| key(y)).min();
    recursion.for_each_p(|y| {
        if !claimed.contains(y) && least.as_ref().is_none_or(|least| key(y) < *least) {
            least = Some(key(y));
        }
        true
    });
    let Some(x) = least.and_then(|(_, y)| game.chart().outer(&y)) else { return Ok(None) };
    let x: Vec<BigInt> = x.into_iter().map(BigInt::from).collect();
    Ok(Some(wrong_at(game, &x, |x| {
        let inner: Option<Vec<i64>> = game.chart().inner_big(x).iter().map(BigInt::to_i64).collect();
        inner.is_some_and(|y| claimed.contains(&y))
    })))
}

/// A region {ℓ ≤ level} of at least [`LOOK`] positions, if there is one of moderate size.
fn looked_at(game: &LatticeGame, monitor: &dyn Monitor) -> std::result::Result<Option<(i64, Recursion)>, StopReason> {
    let mut found = None;
    for level in (2..32).map(|bits| 1_i64 << bits) {
        let Some(region) = Region::level(game, level) else { break };
        match Recursion::new(game, &region, 1 << 20, monitor) {
            Ok(recursion) => {
                let enough = recursion.positions() >= LOOK;
                found = Some((level, recursion));
                if enough {
                    break;
                }
            }
            Err(StopReason::Size { .. }) => break,
            Err(why) => return Err(why),
        }
    }
    Ok(found)
}

/// The points of modules with ℓ up to a level; none if there are too many, or a generator does not raise ℓ.
fn points(
    modules: &[Module],
    functional: &[i64],
    level: i64,
    monitor: &dyn Monitor,
) -> std::result::Result<Option<HashSet<Vec<i64>>>, StopReason> {
    let raises = |v: &Vec<i64>| level_of(functional, v).is_some_and(|at| at > 0);
    if !modules.iter().flat_map(|module| &module.generators).all(raises) {
        return Ok(None);
    }
    let mut all = HashSet::new();
    for module in modules {
        let low = |y: &Vec<i64>| level_of(functional, y).is_some_and(|at| at <= level);
        let mut new: Vec<Vec<i64>> = module.bases.iter().filter(|y| low(y)).cloned().collect();
        let mut own: HashSet<Vec<i64>> = new.iter().cloned().collect();
        while let Some(y) = new.pop() {
            monitor.check(0, None)?;
            for v in &module.generators {
                let next: Option<Vec<i64>> = y.iter().zip(v).map(|(y, v)| y.checked_add(*v)).collect();
                if let Some(next) = next.filter(low)
                    && own.insert(next.clone())
                {
                    new.push(next);
                }
            }
            if own.len() > LISTED {
                return Ok(None);
            }
        }
        all.extend(own);
    }
    Ok(Some(all))
}

/// What is wrong at a point, at which the equation of the P-positions fails.
fn wrong_at(game: &LatticeGame, x: &[BigInt], claimed_p: impl Fn(&[BigInt]) -> bool) -> Error {
    let at = point_text(x);
    let reason = if !claimed_p(x) {
        format!("{at} is claimed N, but no move from it reaches a claimed P-position")
    } else if !game.is_position_big(x) {
        format!("{at} is claimed to be a P-position, and is not on the board")
    } else {
        let to = game.options_big(x).into_iter().find(|option| claimed_p(option)).unwrap_or_default();
        format!("{at} is claimed P, but the move to {} reaches another claimed P-position", point_text(&to))
    };
    refused(at, reason)
}

/// Where a claim is wrong, when the equation fails at a point: there, or at a follower of it.
fn least_wrong(
    game: &LatticeGame,
    x: Vec<BigInt>,
    claimed_p: impl Fn(&[BigInt]) -> bool,
    monitor: &dyn Monitor,
) -> Result<Vec<BigInt>> {
    let fails =
        |y: &[BigInt], options: &[Vec<BigInt>]| Ok(claimed_p(y) == options.iter().any(|option| claimed_p(option)));
    if game.is_position_big(&x) { first_failing(game, x, FOLLOWERS, fails, monitor) } else { Ok(x) }
}

/// A follower of a point at which the equation fails where it fails too, while it holds at all followers of that one: these are claimed rightly, so the
/// claim is wrong there. The point itself when it has more than `most` followers.
pub(in crate::game) fn first_failing(
    game: &LatticeGame,
    x: Vec<BigInt>,
    most: usize,
    fails: impl Fn(&[BigInt], &[Vec<BigInt>]) -> Result<bool>,
    monitor: &dyn Monitor,
) -> Result<Vec<BigInt>> {
    let mut seen = HashSet::from([x.clone()]);
    // Each point with its options, and how many of these were looked at; every one is an option of the one before.
    let mut path = vec![(x.clone(), game.options_big(&x), 0)];
    while let Some((y, options, next)) = path.last_mut() {
        monitor.check(0, None)?;
        if let Some(option) = options.get(*next).cloned() {
            *next += 1;
            if seen.insert(option.clone()) {
                if seen.len() > most {
                    break;
                }
                let options = game.options_big(&option);
                path.push((option, options, 0));
            }
        } else if fails(y, options)? {
            return Ok(y.clone());
        } else {
            path.pop();
        }
    }
    Ok(x)
}

/// The automaton of a claimed set, or where and why the claim is wrong.
pub(in crate::game) fn proved_set(
    game: &LatticeGame,
    set: &VectorSet,
    effort: &Effort<'_>,
) -> Result<Proved<AutomatonStrategy>> {
    let claimed_p = |x: &[BigInt]| {
        let inner: Option<Vec<_>> = game.chart().inner_big(x).iter().map(BigInt::to_biguint).collect();
        inner.is_some_and(|y| set.contains(&y))
    };
    AutomatonStrategy::proved(game.clone(), set.clone(), effort).map_err(|error| match error {
        Error::Refused { position: Some(at), .. } => {
            let point = read_point(&at, game.dimension());
            let x = point.ok().and_then(|point| point.point().map(<[BigInt]>::to_vec)).unwrap_or_default();
            match least_wrong(game, x, claimed_p, effort.monitor) {
                Ok(x) => wrong_at(game, &x, claimed_p),
                Err(stopped) => stopped,
            }
        }
        other => other,
    })
}
