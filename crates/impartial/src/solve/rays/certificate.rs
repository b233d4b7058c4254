//! The moves of a game as relations between digits, and the equation that proves a set.

use std::sync::Arc;

use num_bigint::BigUint;
use num_integer::Integer as _;
use semilinear::numeration::{Condition, DigitSet, NOWHERE, Relation, System};
use semilinear::run::StopReason;
use semilinear::vectorset::Effort;

use crate::lattice::{RayGame, Region};

/// Empty rows of one number of digits, and the most digits of one, that are looked at.
const ROWS_OF_A_LENGTH: usize = 15;
const ROW_DIGITS: usize = 66;

/// The moves of a game, read in a numeration system.
#[derive(Clone, Debug)]
pub struct Moves {
    board: DigitSet,
    /// Where play ends although moves would be left, if anywhere.
    terminal: Option<DigitSet>,
    relations: Vec<Relation>,
}

impl Moves {
    /// A relation for each region, each ray and each rule. Rays with more entries come first: what they leave keeps the automata of the others small.
    pub fn new(game: &RayGame, system: &Arc<System>, effort: &Effort<'_>) -> Result<Self, StopReason> {
        let d = game.dimension();
        let point = |p: &Vec<i64>| p.iter().map(|&x| BigUint::from(x.unsigned_abs())).collect::<Vec<_>>();
        let finite = |points: &[Vec<i64>]| {
            let points: Vec<Vec<BigUint>> = points.iter().map(point).collect();
            DigitSet::finite(system, &points, d, effort)
        };
        let board = DigitSet::full(system, d, effort)?.difference(&finite(game.defeated())?, effort)?;
        let terminal = (!game.terminal().is_empty()).then(|| finite(game.terminal())).transpose()?;
        let mut rays: Vec<&Vec<i64>> = game.rays().iter().collect();
        rays.sort_by_key(|ray| std::cmp::Reverse(ray.iter().filter(|&&x| x != 0).count()));
        // Regions have the most positions, and leave the fewest.
        let regions = game.regions().iter().map(|region| of_region(region, d));
        let conditions = regions.chain(rays.into_iter().map(|ray| of_ray(ray)));
        let conditions = conditions.chain(game.rules().iter().map(|rule| of_rule(rule)));
        let relations =
            conditions.map(|all| Relation::new(system, d, &all, effort)).collect::<Result<_, StopReason>>()?;
        Ok(Self { board, terminal, relations })
    }

    /// The numeration system.
    pub fn system(&self) -> &Arc<System> {
        self.board.system()
    }

    /// The board ℕᵈ∖D.
    pub fn board(&self) -> &DigitSet {
        &self.board
    }

    /// A relation between a position and its options for each region, ray and rule.
    pub fn relations(&self) -> &[Relation] {
        &self.relations
    }

    /// The board without these sets.
    pub fn rest(&self, sets: &[DigitSet], effort: &Effort<'_>) -> Result<DigitSet, StopReason> {
        sets.iter().try_fold(self.board.clone(), |rest, set| rest.difference(set, effort))
    }

    /// A position at which S = rest ∧ (T ∨ ¬Pre(S)) fails, T the terminal positions, if there is one: when there is none, S is the set of the
    /// positions of the next value (Theorem 3).
    pub fn counterexample(
        &self,
        rest: &DigitSet,
        set: &DigitSet,
        effort: &Effort<'_>,
    ) -> Result<Option<Vec<BigUint>>, StopReason> {
        if let Some(x) = set.difference(rest, effort)?.least() {
            return Ok(Some(x));
        }
        // Terminal positions belong to the first set; the others are told by their moves.
        let (mut moving, mut left) = (set.clone(), rest.clone());
        if let Some(terminal) = &self.terminal {
            (moving, left) = (set.difference(terminal, effort)?, rest.difference(terminal, effort)?);
            if let Some(x) = rest.difference(&left, effort)?.difference(set, effort)?.least() {
                return Ok(Some(x));
            }
        }
        // Moves inside the set are found without making anything deterministic: wrong candidates mostly end here.
        for relation in &self.relations {
            if let Some(x) = moving.related(relation, set, effort)? {
                return Ok(Some(x));
            }
        }
        for relation in &self.relations {
            left = left.unrelated(relation, set, effort)?;
        }
        Ok(if left == moving { None } else { left.difference(&moving, effort)?.least() })
    }
}

impl Moves {
    /// Rows x in which a set of the plane has no element, at most `most` of them and the shortest first.
    pub(super) fn empty_rows(&self, set: &DigitSet, most: usize, effort: &Effort<'_>) -> Result<Vec<u64>, StopReason> {
        let system = self.system();
        let row = Relation::new(system, 2, &[Condition::Same(0)], effort)?;
        // The positions (x, 0).
        let base = system.base();
        let next: Vec<u32> = (0..base * base).map(|letter| if letter % base == 0 { 0 } else { NOWHERE }).collect();
        let axis = DigitSet::from_table(system, 2, &next, &[0], effort)?.expect("a sound table");
        let empty = axis.unrelated(&row, set, effort)?;
        let rows = empty.shortest(ROWS_OF_A_LENGTH, most, ROW_DIGITS);
        Ok(rows.iter().filter_map(|x| num_traits::ToPrimitive::to_u64(&x[0])).collect())
    }

    /// A position where the equation fails, and its options in the set, as far as they are small: one of them is wrongly in the set, or not in it.
    pub(super) fn suspects(&self, set: &DigitSet, x: &[BigUint]) -> Vec<Vec<u64>> {
        let options = self.relations.iter().flat_map(|relation| set.related_to(relation, x, 100).0);
        let small = |x: Vec<BigUint>| x.iter().map(num_traits::ToPrimitive::to_u64).collect::<Option<Vec<u64>>>();
        std::iter::once(x.to_vec()).chain(options).filter_map(small).collect()
    }
}

/// x − x′ = tγ for some t ≥ 1: with γ = gδ and δ without common divisor, x − x′ is parallel to δ, g divides the multiple, and one coordinate is lower.
fn of_ray(ray: &[i64]) -> Vec<Condition> {
    let d = ray.len();
    let first = ray.iter().position(|&x| x != 0).expect("a ray is not 0");
    let g = ray.iter().fold(0, |g: i64, x| g.gcd(x));
    let mut conditions = vec![Condition::Lower(first)];
    for (i, &entry) in ray.iter().enumerate() {
        if entry == 0 {
            conditions.push(Condition::Same(i));
        } else if i != first {
            let mut a = vec![0; d];
            (a[first], a[i]) = (entry / g, -ray[first] / g);
            let minus = a.iter().map(|x| -x).collect();
            conditions.push(Condition::Linear(a, minus, 0));
        }
    }
    if g > 1 {
        let mut a = vec![0; d];
        a[first] = 1;
        let minus = a.iter().map(|x: &i64| -x).collect();
        conditions.push(Condition::Congruent(a, minus, ray[first]));
    }
    conditions
}

/// x − x′ ∈ ℕᵈ satisfies the inequalities.
fn of_region(region: &Region, d: usize) -> Vec<Condition> {
    let row = |row: &Vec<i64>| {
        let a = row[..d].to_vec();
        let minus = a.iter().map(|a| -a).collect();
        Condition::AtLeast(a, minus, -row[d])
    };
    (0..d).map(Condition::NotHigher).chain(region.rows().iter().map(row)).collect()
}

/// x − x′ = γ.
fn of_rule(rule: &[i64]) -> Vec<Condition> {
    let d = rule.len();
    let one = |(i, &entry): (usize, &i64)| {
        if entry == 0 {
            return Condition::Same(i);
        }
        let unit: Vec<i64> = (0..d).map(|j| i64::from(i == j)).collect();
        let minus = unit.iter().map(|x| -x).collect();
        Condition::Linear(unit, minus, entry)
    };
    rule.iter().enumerate().map(one).collect()
}
