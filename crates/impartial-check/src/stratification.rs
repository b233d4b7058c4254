//! Form "stratification": the set of P-positions of a lattice game as a disjoint union of modules F + ℕV.

use serde_json::{Map, Value};

use crate::automaton::{equation, written};
use crate::envelope::File;
use crate::lattice::{Inner, Lattice, known_keys, matrix};
use crate::meter::Meter;
use crate::module::{Product, Residuals};
use crate::nda::{Part, Table, automaton};
use crate::sectors::{Vectors, modules_are_p};
use crate::{Failure, refuse};

pub(crate) fn check(file: &File, meter: &Meter<'_>) -> Result<String, Failure> {
    let game = Lattice::read(&file.game, file.misere)?;
    known_keys("certificate", &file.certificate, &["functional", "chart", "modules"])?;
    let inner = game.inner(&file.certificate, meter)?;
    let vectors = vectors(&file.certificate, game.dimension, &inner)?;
    let count = vectors.len();
    if count == 0 {
        return refuse("certificate.modules: there is none, but every game has P-positions");
    }
    let claim = format!(
        "the P-positions of the lattice game with {} rules and {} defeated positions in dimension {} are exactly the \
         disjoint union of the {count} modules F + NV",
        game.rules.len(),
        game.defeated.len(),
        game.dimension,
    );
    // In the plane a finite box often proves it all, where automata would be large.
    if game.dimension == 2 && modules_are_p(&inner, &vectors, meter)? {
        return Ok(claim);
    }
    let set = union(game.dimension, &inner, &vectors, meter)?;
    equation(game.dimension, &inner, &set, meter)?;
    Ok(claim)
}

/// The union of modules as one automaton, when no vector lies in two of them.
pub(crate) fn union(dimension: usize, inner: &Inner, modules: &[Vectors], meter: &Meter<'_>) -> Result<Table, Failure> {
    let overlap = |y: Vec<u128>| {
        let y: Vec<i128> = y.iter().map(|&y| i128::try_from(y).unwrap_or(i128::MAX)).collect();
        let x = inner.own(&y);
        Err(Failure::At(format!("the modules are not disjoint: two of them hold {}", written(&x)), x))
    };
    if dimension < MANY {
        let strata = residuals(modules, meter)?;
        let mut parts: Vec<Part<'_>> = strata.into_iter().map(Part::Module).collect();
        // At every vector at most one of the modules may hold it.
        let at_most_one = |inside: &[bool]| inside.iter().filter(|&&i| i).count() <= 1;
        return automaton(dimension, &mut parts, &at_most_one, meter)?.or_else(overlap);
    }
    // Two by two: automata of few translates are small, and so is the one of all in the end.
    let mut tables = Vec::new();
    let mut held = meter.hold(0)?;
    for (i, (generators, bases)) in modules.iter().enumerate() {
        let mut translates = Vec::new();
        for base in bases {
            let product = Product::new(&format!("certificate.modules[{i}]"), generators, base, meter)?;
            let table = automaton(dimension, &mut [Part::Translate(product)], &|_| true, meter)?.or_else(overlap)?;
            held.grow(10 * table.states() as u64 + 64)?;
            translates.push(table);
        }
        tables.push(joined(dimension, translates, &|_| true, meter)?.or_else(overlap)?);
    }
    let never_both = |inside: &[bool]| !(inside[0] && inside[1]);
    joined(dimension, tables, &never_both, meter)?.or_else(overlap)
}

/// In so many coordinates modules are joined two by two.
const MANY: usize = 4;

/// The union of sets, if `condition` holds for the memberships in two of them whenever they are joined; else a vector where it fails.
fn joined(
    dimension: usize,
    mut tables: Vec<Table>,
    condition: &dyn Fn(&[bool]) -> bool,
    meter: &Meter<'_>,
) -> Result<Result<Table, Vec<u128>>, Failure> {
    while tables.len() > 1 {
        let mut next = Vec::new();
        let mut rest = tables.into_iter();
        while let Some(first) = rest.next() {
            let Some(second) = rest.next() else {
                next.push(first);
                break;
            };
            match automaton(dimension, &mut [Part::set(&first), Part::set(&second)], condition, meter)? {
                Ok(table) => next.push(table),
                Err(y) => return Ok(Err(y)),
            }
        }
        tables = next;
    }
    match tables.pop() {
        Some(table) => Ok(Ok(table)),
        None => refuse("certificate.modules: a module without elements"),
    }
}

/// The modules with what they need to become automata; refuses modules that leave the board.
fn residuals(vectors: &[Vectors], meter: &Meter<'_>) -> Result<Vec<Residuals>, Failure> {
    let one = |(i, (generators, bases)): (usize, &Vectors)| {
        Residuals::new(&format!("certificate.modules[{i}]"), generators.clone(), bases.clone(), meter)
    };
    vectors.iter().enumerate().map(one).collect()
}

/// The modules of a certificate in the chart's coordinates.
fn vectors(certificate: &Map<String, Value>, dimension: usize, inner: &Inner) -> Result<Vec<Vectors>, Failure> {
    let Some(Value::Array(list)) = certificate.get("modules") else {
        return refuse("certificate.modules: not a list");
    };
    list.iter()
        .enumerate()
        .map(|(i, module)| {
            let place = format!("certificate.modules[{i}]");
            let Value::Object(module) = module else { return refuse(format!("{place}: not an object")) };
            known_keys(&place, module, &["generators", "bases"])?;
            let generators = matrix(&format!("{place}.generators"), module.get("generators"), Some(dimension))?;
            let bases = matrix(&format!("{place}.bases"), module.get("bases"), Some(dimension))?;
            if bases.is_empty() {
                return refuse(format!("{place}.bases: a module without elements"));
            }
            let generators = generators.iter().map(|v| inner.vector(v)).collect();
            Ok((generators, bases.iter().map(|f| inner.point(f)).collect()))
        })
        .collect()
}
