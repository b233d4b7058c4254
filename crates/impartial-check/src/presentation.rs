//! Form "presentation": the quotient of a lattice game by generators and relations, finite or infinite.

mod normal_forms;

use crate::format::{Chart, Matrix, SetTable, Vector, matrix, vector};
use crate::json::{Maybe, objects};
use crate::lattice::{Inner, Lattice, dot};
use crate::laws::{outcome, set};
use crate::meter::Meter;
use crate::sets::chosen;
use crate::walk::{Label, Part, Table, walk};
use crate::{Checked, refuse};

objects! {
    /// The certificate.
    Presentation {
        functional: Vector, chart: Option<Chart>, automaton: SetTable, generators: Matrix,
        relations: Vec<(Vector, Vector)>, cones: Vec<ConeText>, order: Maybe<usize>,
    }

    ConeText { base: Vector, free: Vec<usize> }
}

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

pub(crate) fn check(game: &Lattice, certificate: &Presentation, meter: &Meter<'_>) -> Checked<String> {
    meter.extension("presentation");
    let inner = game.inner(&certificate.functional, certificate.chart.as_ref(), meter)?;
    let generators = matrix("certificate.generators", &certificate.generators, game.dimension)?;
    if !(1..=MOST_GENERATORS).contains(&generators.len()) {
        return refuse(format!("certificate.generators: not between 1 and {MOST_GENERATORS}"));
    }
    let relations = relations(certificate, generators.len())?;
    let cones = cones(certificate, generators.len())?;
    let infinite = cones.iter().any(|cone| !cone.free.is_empty());
    if certificate.order.0 != (!infinite).then_some(cones.len()) {
        return refuse("certificate.order: not the number of normal forms (null when there are infinitely many)");
    }
    meter.steps(relations.len().saturating_mul(relations.len()).saturating_mul(2 * generators.len()))?;
    reduced(&relations)?;
    normal_forms::cover(&relations, &cones, generators.len(), meter)?;
    let positions = set(game.dimension, &certificate.automaton)?;
    outcome(&inner, &positions, meter)?;
    let words = words(game, &inner, &generators, positions, meter)?;
    for (i, relation) in relations.iter().enumerate() {
        if !normal_forms::same(&words, &relation.left, &relation.right, meter)? {
            return refuse(format!("certificate.relations[{i}]: the two sides are not congruent"));
        }
    }
    normal_forms::all_different(&words, &cones, meter)?;
    let order = if infinite { "is infinite".to_owned() } else { format!("has {} elements", cones.len()) };
    Ok(format!(
        "the quotient of the P-positions of {} {order}; {} generators and {} relations present it: two positions are \
         congruent exactly when the relations join them",
        game.words(),
        generators.len(),
        relations.len(),
    ))
}

/// The exponents of a word.
fn exponents(place: &str, v: &Vector, generators: usize) -> Checked<Exponents> {
    let word = vector(place, v, generators)?;
    if word.iter().any(|&n| n < 0) { refuse(format!("{place}: a negative exponent")) } else { Ok(word) }
}

/// Pairs of words; the left side must come after the right one in the colex order.
fn relations(certificate: &Presentation, generators: usize) -> Checked<Vec<Relation>> {
    let one = |(i, (left, right)): (usize, &(Vector, Vector))| {
        let place = format!("certificate.relations[{i}]");
        let (left, right) = (exponents(&place, left, generators)?, exponents(&place, right, generators)?);
        if left.iter().rev().le(right.iter().rev()) {
            return refuse(format!("{place}: the left side does not come after the right side"));
        }
        Ok(Relation { left, right })
    };
    certificate.relations.iter().enumerate().map(one).collect()
}

/// Refuses relations that another one rewrites: the reduced ones are the same for everybody.
fn reduced(relations: &[Relation]) -> Checked {
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

fn cones(certificate: &Presentation, generators: usize) -> Checked<Vec<Cone>> {
    let one = |(i, cone): (usize, &ConeText)| {
        let place = format!("certificate.cones[{i}]");
        let base = exponents(&place, &cone.base, generators)?;
        if cone.free.windows(2).any(|pair| pair[0] >= pair[1]) || cone.free.iter().any(|&i| i >= generators) {
            return refuse(format!("{place}.free: not an increasing list of generators"));
        }
        Ok(Cone { base, free: cone.free.clone() })
    };
    certificate.cones.iter().enumerate().map(one).collect()
}

/// The words whose positions are P-positions, when the generators generate the positions.
fn words(
    game: &Lattice,
    inner: &Inner,
    generators: &[Vec<i128>],
    positions: Table,
    meter: &Meter<'_>,
) -> Checked<Table> {
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
    let inside = |v: &Vec<i128>| inner.rows.iter().all(|row| dot(&row[..d], v) >= 0);
    if !columns.iter().all(|v| inside(v) && v.iter().all(|&x| x >= 0) && v.iter().any(|&x| x > 0)) {
        return refuse("certificate.generators: one that is zero or not on the board");
    }
    // Each position but 0 stays one when some generator is taken away: so it is a sum of generators, as the coordinates fall.
    let zero = vec![vec![0; d]];
    let mut parts = vec![Part::finite(d, &zero)];
    for v in zero.iter().chain(&columns) {
        let unit = |i: usize| (0..d).map(|j| i128::from(i == j)).collect::<Vec<_>>();
        let rows = inner.rows.iter().map(|row| row[..d].to_vec()).chain((0..d).map(unit));
        parts.extend(rows.map(|row| Part::half_space(&row, -dot(&row, v))));
    }
    let conditions = inner.rows.len() + d;
    let generated = |labels: &[Label]| {
        let mut on_board = labels[1..].chunks_exact(conditions).map(|rows| rows.iter().all(|&row| row == 1));
        labels[0] == 1 || on_board.next() == Some(false) || on_board.any(|after| after)
    };
    if walk(d, &mut parts, &generated, meter)?.is_some() {
        return refuse("certificate.generators: they do not generate all positions");
    }
    let mut parts = [Part::image(&positions, &vec![0; d], columns)];
    chosen(generators.len(), &mut parts, &|inside| inside[0] != 0, meter)
}
