//! Form "presentation": the quotient of a lattice game by generators and relations, finite or infinite.

mod normal_forms;

use serde_json::{Map, Value};

use crate::automaton::{equation, table};
use crate::envelope::File;
use crate::lattice::{Inner, Lattice, known_keys, matrix, vector};
use crate::meter::Meter;
use crate::module::Residuals;
use crate::nda::{Part, Table, selection, walk};
use crate::{Failure, refuse};

/// The most generators.
const MOST_GENERATORS: usize = 64;

/// Exponents of a word in the generators.
type Exponents = Vec<i128>;

/// A rule left ↦ right.
struct Relation {
    left: Exponents,
    right: Exponents,
}

/// The vectors base + Σ uᵢeᵢ, uᵢ ∈ ℕ for the free coordinates i.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Cone {
    base: Exponents,
    /// Increasing.
    free: Vec<usize>,
}

pub(crate) fn check(file: &File, meter: &Meter<'_>) -> Result<String, Failure> {
    meter.extension("presentation");
    let game = Lattice::read(&file.game, file.misere)?;
    let certificate = &file.certificate;
    let keys = ["functional", "chart", "automaton", "generators", "relations", "cones", "order"];
    known_keys("certificate", certificate, &keys)?;
    let inner = game.inner(certificate, meter)?;
    let generators = matrix("certificate.generators", certificate.get("generators"), Some(game.dimension))?;
    if !(1..=MOST_GENERATORS).contains(&generators.len()) {
        return refuse(format!("certificate.generators: not between 1 and {MOST_GENERATORS}"));
    }
    let relations = relations(certificate, generators.len())?;
    let cones = cones(certificate, generators.len())?;
    let infinite = cones.iter().any(|cone| !cone.free.is_empty());
    match certificate.get("order") {
        Some(Value::Null) if infinite => {}
        Some(Value::Number(n)) if !infinite && n.as_u64() == Some(cones.len() as u64) => {}
        _ => return refuse("certificate.order: not the number of normal forms (null when there are infinitely many)"),
    }
    meter.steps(relations.len().saturating_mul(relations.len()).saturating_mul(2 * generators.len()))?;
    reduced(&relations)?;
    normal_forms::cover(&relations, &cones, generators.len(), meter)?;
    let positions = table("certificate.automaton", certificate.get("automaton"), game.dimension)?;
    equation(game.dimension, &inner, &positions, meter)?;
    let words = words(&game, &inner, &generators, positions, meter)?;
    for (i, relation) in relations.iter().enumerate() {
        if !normal_forms::same(&words, &relation.left, &relation.right, meter)? {
            return refuse(format!("certificate.relations[{i}]: the two sides are not congruent"));
        }
    }
    normal_forms::all_different(&words, &cones, meter)?;
    let order = if infinite { "is infinite".to_owned() } else { format!("has {} elements", cones.len()) };
    Ok(format!(
        "the quotient of the P-positions of the lattice game with {} rules and {} defeated positions in dimension {} {order}; \
         {} generators and {} relations present it: two positions are congruent exactly when the relations join them",
        game.rules.len(),
        game.defeated.len(),
        game.dimension,
        generators.len(),
        relations.len(),
    ))
}

/// Reads pairs of words; the left side must come after the right one in the colex order.
fn relations(certificate: &Map<String, Value>, generators: usize) -> Result<Vec<Relation>, Failure> {
    let Some(Value::Array(list)) = certificate.get("relations") else {
        return refuse("certificate.relations: not a list");
    };
    list.iter()
        .enumerate()
        .map(|(i, pair)| {
            let place = format!("certificate.relations[{i}]");
            let sides = matrix(&place, Some(pair), Some(generators))?;
            let [left, right] = &sides[..] else { return refuse(format!("{place}: not two sides")) };
            if sides.iter().flatten().any(|&n| n < 0) {
                return refuse(format!("{place}: a negative exponent"));
            }
            if left.iter().rev().le(right.iter().rev()) {
                return refuse(format!("{place}: the left side does not come after the right side"));
            }
            Ok(Relation { left: left.clone(), right: right.clone() })
        })
        .collect()
}

/// Refuses relations that another one rewrites: the reduced ones are the same for everybody.
fn reduced(relations: &[Relation]) -> Result<(), Failure> {
    let divides = |a: &[i128], b: &[i128]| a.iter().zip(b).all(|(a, b)| a <= b);
    for (i, relation) in relations.iter().enumerate() {
        for (j, other) in relations.iter().enumerate() {
            if divides(&other.left, &relation.right) || i != j && divides(&other.left, &relation.left) {
                return refuse(format!("certificate.relations[{i}]: relation {j} rewrites one of its sides"));
            }
        }
    }
    Ok(())
}

fn cones(certificate: &Map<String, Value>, generators: usize) -> Result<Vec<Cone>, Failure> {
    let Some(Value::Array(list)) = certificate.get("cones") else { return refuse("certificate.cones: not a list") };
    list.iter()
        .enumerate()
        .map(|(i, cone)| {
            let place = format!("certificate.cones[{i}]");
            let Value::Object(cone) = cone else { return refuse(format!("{place}: not an object")) };
            known_keys(&place, cone, &["base", "free"])?;
            let base = vector(&place, cone.get("base"), Some(generators))?;
            let free = vector(&place, cone.get("free"), None)?;
            if base.iter().any(|&n| n < 0) {
                return refuse(format!("{place}.base: a negative exponent"));
            }
            let known = |&i: &i128| usize::try_from(i).ok().filter(|&i| i < generators);
            match free.iter().map(known).collect::<Option<Vec<usize>>>() {
                Some(free) if free.windows(2).all(|pair| pair[0] < pair[1]) => Ok(Cone { base, free }),
                _ => refuse(format!("{place}.free: not an increasing list of generators")),
            }
        })
        .collect()
}

/// The words whose positions are P-positions, when the generators generate the positions.
fn words(
    game: &Lattice,
    inner: &Inner,
    generators: &[Vec<i128>],
    positions: Table,
    meter: &Meter<'_>,
) -> Result<Table, Failure> {
    let d = game.dimension;
    if game.rows.is_none() {
        let is_unit = |(i, v): (usize, &Vec<i128>)| v.iter().enumerate().all(|(j, &x)| x == i128::from(i == j));
        if generators.len() != d || !generators.iter().enumerate().all(is_unit) {
            return refuse("certificate.generators: on the orthant they are the unit vectors in their order");
        }
        return Ok(positions);
    }
    // Only on a cone sums of positions are positions.
    if inner.rows.iter().any(|row| row[d] != 0) || inner.point(&vec![0; d]).iter().any(|&x| x != 0) {
        return refuse("game.board: not a cone, so that positions have no sums and no quotient");
    }
    let columns: Vec<Vec<i128>> = generators.iter().map(|v| inner.vector(v)).collect();
    let inside =
        |v: &Vec<i128>| inner.rows.iter().all(|row| row[..d].iter().zip(v).map(|(a, x)| a * x).sum::<i128>() >= 0);
    if !columns.iter().all(inside) {
        return refuse("certificate.generators: one that is not on the board");
    }
    let module = Residuals::new("certificate", columns.clone(), vec![vec![0; d]], meter)?;
    let mut parts = vec![Part::Module(module)];
    parts.extend(inner.rows.iter().map(|row| Part::half_space(&row[..d], row[d])));
    let generated = |inside: &[bool]| inside[0] || inside[1..].contains(&false);
    if walk(d, &mut parts, &generated, meter)?.is_some() {
        return refuse("certificate.generators: they do not generate all positions");
    }
    let mut parts = [Part::preimage(&positions, &vec![0; d], columns)];
    match selection(generators.len(), &mut parts, &|_| true, &|inside| inside[0], meter)? {
        Ok(words) => Ok(words),
        Err(_) => refuse("certificate.generators: the words of the P-positions are no set"),
    }
}
