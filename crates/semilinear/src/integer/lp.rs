//! Exact linear programming with certificates.

use serde::{Deserialize, Serialize};

use super::{Int, Matrix, Rat, Vector, dot, primitive, zero_vector};
use crate::run::{Monitor, StopReason};

/// The affine function `x ↦ normal·x + constant`; as an inequality it says "≥ 0", as an equation "= 0".
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Affine {
    /// The coefficients of the variables.
    pub normal: Vector,
    /// The constant term.
    pub constant: Int,
}

impl Affine {
    /// The function `x ↦ normal·x + constant`.
    pub fn new(normal: Vector, constant: impl Into<Int>) -> Self {
        Self { normal, constant: constant.into() }
    }

    /// The value at a rational point.
    pub fn at(&self, x: &[Rat]) -> Rat {
        self.normal.iter().zip(x).map(|(a, x)| &Rat::from(a) * x).sum::<Rat>() + &Rat::from(&self.constant)
    }

    /// The value at an integer point.
    pub fn at_integer(&self, x: &[Int]) -> Int {
        dot(&self.normal, x) + &self.constant
    }
}

/// A linear program: free variables, inequalities `a·x + b ≥ 0` and equations `a·x + b = 0`.
///
/// ```
/// use semilinear::integer::{Affine, LinearProgram, Optimum, Rat, vector};
/// use semilinear::run::Unlimited;
/// let lp = LinearProgram {
///     dimension: 2,
///     inequalities: vec![
///         Affine::new(vector(&[1, 0]), 0),
///         Affine::new(vector(&[0, 1]), 0),
///         Affine::new(vector(&[2, 3]), -7),
///     ],
///     equations: vec![],
/// };
/// let optimum = lp.minimum(&vector(&[1, 1]), &Unlimited).unwrap();
/// assert!(lp.confirms(&vector(&[1, 1]), &optimum));
/// let Optimum::Attained { value, .. } = optimum else { panic!() };
/// assert_eq!(value, "7/3".parse::<Rat>().unwrap());
/// ```
#[derive(Clone, Debug, Default)]
pub struct LinearProgram {
    /// The number of variables.
    pub dimension: usize,
    /// Functions that must not be negative.
    pub inequalities: Vec<Affine>,
    /// Functions that must vanish.
    pub equations: Vec<Affine>,
}

/// Multipliers of the constraints, those of inequalities never negative: a combination of the constraints as functions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Multipliers {
    /// One for each inequality, ≥ 0.
    pub inequalities: Vec<Rat>,
    /// One for each equation, of any sign.
    pub equations: Vec<Rat>,
}

/// The answer to a linear program, with its certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Optimum {
    /// The least value and a point that has it. The combination of the constraints by `multipliers` is the
    /// objective minus `value`, which proves that no point has less.
    Attained {
        /// The least value of the objective.
        value: Rat,
        /// A point where it is attained.
        point: Vec<Rat>,
        /// The proof that it is least.
        multipliers: Multipliers,
    },
    /// The objective falls without bound from `point` along `ray`.
    Unbounded {
        /// A feasible point.
        point: Vec<Rat>,
        /// A direction in which one may go for ever.
        ray: Vector,
    },
    /// No point satisfies the constraints: their combination by these multipliers is a negative constant (Farkas).
    Infeasible(Multipliers),
}

/// The dictionary of the simplex method: `scale · basic = Σ entry · nonbasic + constant`, in integers only
/// (the scale is a minor of the constraint matrix, so that every division in a pivot is exact).
struct Dictionary<'a> {
    /// One row for each basic variable, then the objective; the last column is the constant.
    table: Matrix,
    scale: Int,
    basic: Vec<usize>,
    nonbasic: Vec<usize>,
    dimension: usize,
    inequalities: usize,
    /// Entries computed so far.
    work: u64,
    monitor: &'a dyn Monitor,
}

/// The monitor is asked after so many entries of the dictionary: milliseconds even when they have thousands of digits.
const ENTRIES_A_TICK: u64 = 256;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// An original variable: any value.
    Free,
    /// The value of an inequality: never negative.
    Slack,
    /// The value of an equation: 0.
    Fixed,
}

impl LinearProgram {
    /// The least value of `objective·x`.
    ///
    /// # Complexity
    /// Simplex method with Bland's rule: it always ends; exponential in the worst case, fast in practice. The monitor is
    /// asked within every pivot.
    pub fn minimum(&self, objective: &[Int], monitor: &dyn Monitor) -> Result<Optimum, StopReason> {
        let mut dictionary = Dictionary::new(self, objective, monitor);
        if let Some(bad) = dictionary.settle_equations()? {
            return Ok(Optimum::Infeasible(self.farkas(&dictionary, bad)));
        }
        dictionary.settle_free_variables()?;
        if let Some(bad) = dictionary.make_feasible()? {
            return Ok(Optimum::Infeasible(self.farkas(&dictionary, bad)));
        }
        if let Some(column) = dictionary.descend()? {
            return Ok(Optimum::Unbounded { point: dictionary.point(), ray: dictionary.descending_direction(column) });
        }
        let objective_row = dictionary.basic.len();
        let value = dictionary.rational(objective_row, dictionary.nonbasic.len());
        let multipliers = self.multipliers(&dictionary, objective_row, false);
        Ok(Optimum::Attained { value, point: dictionary.point(), multipliers })
    }

    /// A point that satisfies all constraints, or multipliers that prove there is none.
    pub fn feasible_point(&self, monitor: &dyn Monitor) -> Result<Result<Vec<Rat>, Multipliers>, StopReason> {
        Ok(match self.minimum(&zero_vector(self.dimension), monitor)? {
            Optimum::Attained { point, .. } | Optimum::Unbounded { point, .. } => Ok(point),
            Optimum::Infeasible(multipliers) => Err(multipliers),
        })
    }

    /// Whether a rational point satisfies all constraints.
    pub fn contains(&self, x: &[Rat]) -> bool {
        self.inequalities.iter().all(|h| h.at(x).signum() >= 0) && self.equations.iter().all(|h| h.at(x).is_zero())
    }

    /// Checks an answer by its certificate alone.
    pub fn confirms(&self, objective: &[Int], optimum: &Optimum) -> bool {
        match optimum {
            Optimum::Attained { value, point, multipliers } => {
                self.contains(point)
                    && &objective.iter().zip(point).map(|(c, x)| &Rat::from(c) * x).sum::<Rat>() == value
                    && self.combination(multipliers).is_some_and(|(normal, constant)| {
                        normal.iter().zip(objective).all(|(a, c)| a == &Rat::from(c)) && constant == -value
                    })
            }
            Optimum::Unbounded { point, ray } => {
                self.contains(point)
                    && dot(objective, ray).is_negative()
                    && self.inequalities.iter().all(|h| !dot(&h.normal, ray).is_negative())
                    && self.equations.iter().all(|h| dot(&h.normal, ray).is_zero())
            }
            Optimum::Infeasible(multipliers) => self
                .combination(multipliers)
                .is_some_and(|(normal, constant)| normal.iter().all(Rat::is_zero) && constant.signum() < 0),
        }
    }

    /// The combination of the constraints, or nothing if a multiplier of an inequality is negative or one is missing.
    fn combination(&self, multipliers: &Multipliers) -> Option<(Vec<Rat>, Rat)> {
        let complete = multipliers.inequalities.len() == self.inequalities.len()
            && multipliers.equations.len() == self.equations.len();
        if !complete || multipliers.inequalities.iter().any(|y| y.signum() < 0) {
            return None;
        }
        let mut normal = vec![Rat::ZERO; self.dimension];
        let mut constant = Rat::ZERO;
        let inequalities = self.inequalities.iter().zip(&multipliers.inequalities);
        for (h, y) in inequalities.chain(self.equations.iter().zip(&multipliers.equations)) {
            for (sum, a) in normal.iter_mut().zip(&h.normal) {
                *sum += &(y * &Rat::from(a));
            }
            constant += &(y * &Rat::from(&h.constant));
        }
        Some((normal, constant))
    }

    /// The multipliers that a row of the dictionary shows: of itself (`with_basic`) and of the variables it depends on.
    fn multipliers(&self, dictionary: &Dictionary<'_>, row: usize, negated: bool) -> Multipliers {
        let mut inequalities = vec![Rat::ZERO; self.inequalities.len()];
        let mut equations = vec![Rat::ZERO; self.equations.len()];
        let mut set = |variable: usize, value: Rat| match dictionary.kind(variable) {
            Kind::Free => {}
            Kind::Slack => inequalities[variable - self.dimension] = value,
            Kind::Fixed => equations[variable - self.dimension - self.inequalities.len()] = value,
        };
        for (j, &variable) in dictionary.nonbasic.iter().enumerate() {
            let value = dictionary.rational(row, j);
            set(variable, if negated { -value } else { value });
        }
        if negated {
            set(dictionary.basic[row], Rat::ONE);
        }
        Multipliers { inequalities, equations }
    }

    /// From a row `s = Σ t·n + c` that cannot hold: `s − Σ t·n` is the constant c; its sign is made negative.
    fn farkas(&self, dictionary: &Dictionary<'_>, row: usize) -> Multipliers {
        let mut multipliers = self.multipliers(dictionary, row, true);
        if dictionary.table[(row, dictionary.nonbasic.len())].is_positive() {
            // Only equations are involved then.
            for y in &mut multipliers.equations {
                *y = -&*y;
            }
        }
        multipliers
    }
}

impl<'a> Dictionary<'a> {
    fn new(lp: &LinearProgram, objective: &[Int], monitor: &'a dyn Monitor) -> Self {
        let d = lp.dimension;
        let mut rows: Vec<Vector> = Vec::new();
        for h in lp.inequalities.iter().chain(&lp.equations) {
            assert_eq!(h.normal.len(), d, "every constraint has a coefficient for every variable");
            rows.push(h.normal.iter().cloned().chain([h.constant.clone()]).collect());
        }
        assert_eq!(objective.len(), d, "the objective has a coefficient for every variable");
        rows.push(objective.iter().cloned().chain([Int::ZERO]).collect());
        Self {
            basic: (d..d + rows.len() - 1).collect(),
            nonbasic: (0..d).collect(),
            table: Matrix::from_rows(d + 1, &rows),
            scale: Int::ONE,
            dimension: d,
            inequalities: lp.inequalities.len(),
            work: 0,
            monitor,
        }
    }

    fn kind(&self, variable: usize) -> Kind {
        if variable < self.dimension {
            Kind::Free
        } else if variable < self.dimension + self.inequalities {
            Kind::Slack
        } else {
            Kind::Fixed
        }
    }

    fn constant(&self, row: usize) -> &Int {
        &self.table[(row, self.nonbasic.len())]
    }

    fn rational(&self, row: usize, column: usize) -> Rat {
        Rat::new(self.table[(row, column)].clone(), self.scale.clone())
    }

    fn pivot(&mut self, row: usize, column: usize) -> Result<(), StopReason> {
        let p = self.table[(row, column)].clone();
        let columns = self.table.columns();
        for i in (0..self.table.rows()).filter(|&i| i != row) {
            let factor = self.table[(i, column)].clone();
            for j in (0..columns).filter(|&j| j != column) {
                self.work += 1;
                if self.work.is_multiple_of(ENTRIES_A_TICK) {
                    self.monitor.check(self.work, None)?;
                }
                let mut value = &self.table[(i, j)] * &p;
                if !factor.is_zero() {
                    value.sub_product(&factor, &self.table[(row, j)]);
                }
                self.table[(i, j)] = value.exact_div(&self.scale);
            }
        }
        self.table.negate_row(row);
        self.table[(row, column)] = std::mem::replace(&mut self.scale, p);
        if self.scale.is_negative() {
            self.scale = -&self.scale;
            for i in 0..self.table.rows() {
                self.table.negate_row(i);
            }
        }
        std::mem::swap(&mut self.basic[row], &mut self.nonbasic[column]);
        Ok(())
    }

    /// Makes the values of the equations nonbasic; a row that is a non-zero constant on them is returned.
    fn settle_equations(&mut self) -> Result<Option<usize>, StopReason> {
        for row in self.inequalities..self.basic.len() {
            let column = (0..self.nonbasic.len())
                .find(|&j| self.kind(self.nonbasic[j]) == Kind::Free && !self.table[(row, j)].is_zero());
            match column {
                Some(column) => self.pivot(row, column)?,
                None if self.constant(row).is_zero() => {}
                None => return Ok(Some(row)),
            }
        }
        Ok(None)
    }

    /// Makes every free variable basic that the inequalities depend on.
    fn settle_free_variables(&mut self) -> Result<(), StopReason> {
        for column in 0..self.nonbasic.len() {
            if self.kind(self.nonbasic[column]) == Kind::Free
                && let Some(row) = (0..self.basic.len())
                    .find(|&i| self.kind(self.basic[i]) == Kind::Slack && !self.table[(i, column)].is_zero())
            {
                self.pivot(row, column)?;
            }
        }
        Ok(())
    }

    /// Dual simplex method for the objective 0; a row that cannot become feasible is returned.
    fn make_feasible(&mut self) -> Result<Option<usize>, StopReason> {
        loop {
            let row = (0..self.basic.len())
                .filter(|&i| self.kind(self.basic[i]) == Kind::Slack && self.constant(i).is_negative())
                .min_by_key(|&i| self.basic[i]);
            let Some(row) = row else { return Ok(None) };
            let column = (0..self.nonbasic.len())
                .filter(|&j| self.kind(self.nonbasic[j]) == Kind::Slack && self.table[(row, j)].is_positive())
                .min_by_key(|&j| self.nonbasic[j]);
            match column {
                Some(column) => self.pivot(row, column)?,
                None => return Ok(Some(row)),
            }
        }
    }

    /// Primal simplex method; the column of a variable along which the objective falls for ever is returned.
    fn descend(&mut self) -> Result<Option<usize>, StopReason> {
        let objective = self.basic.len();
        let last = self.nonbasic.len();
        loop {
            let column = (0..last)
                .filter(|&j| match self.kind(self.nonbasic[j]) {
                    Kind::Free => !self.table[(objective, j)].is_zero(),
                    Kind::Slack => self.table[(objective, j)].is_negative(),
                    Kind::Fixed => false,
                })
                .min_by_key(|&j| self.nonbasic[j]);
            let Some(column) = column else { return Ok(None) };
            // No inequality depends on a free variable that is still nonbasic: no row bounds it.
            let row = (0..self.basic.len())
                .filter(|&i| self.kind(self.basic[i]) == Kind::Slack && self.table[(i, column)].is_negative())
                .min_by(|&i, &k| {
                    // constant(i)/−t(i) against constant(k)/−t(k); both t are negative.
                    let left = self.constant(i) * &self.table[(k, column)];
                    let right = self.constant(k) * &self.table[(i, column)];
                    right.cmp(&left).then(self.basic[i].cmp(&self.basic[k]))
                });
            match row {
                Some(row) => self.pivot(row, column)?,
                None => return Ok(Some(column)),
            }
        }
    }

    fn point(&self) -> Vec<Rat> {
        let mut x = vec![Rat::ZERO; self.dimension];
        for (i, &variable) in self.basic.iter().enumerate() {
            if variable < self.dimension {
                x[variable] = self.rational(i, self.nonbasic.len());
            }
        }
        x
    }

    fn descending_direction(&self, column: usize) -> Vector {
        let mut ray = zero_vector(self.dimension);
        for (i, &variable) in self.basic.iter().enumerate() {
            if variable < self.dimension {
                ray[variable] = self.table[(i, column)].clone();
            }
        }
        if self.nonbasic[column] < self.dimension {
            ray[self.nonbasic[column]] = self.scale.clone();
        }
        // Only a free variable can have a positive cost here: the objective falls when it does.
        if self.table[(self.basic.len(), column)].is_positive() {
            for x in &mut ray {
                *x = -&*x;
            }
        }
        primitive(ray)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integer::vector;
    use crate::run::{TickLimit, Unlimited};
    use proptest::prelude::*;

    fn lp(dimension: usize, inequalities: &[&[i64]], equations: &[&[i64]]) -> LinearProgram {
        let affine = |rows: &[&[i64]]| {
            rows.iter().map(|r| Affine::new(vector(&r[..dimension]), r[dimension])).collect::<Vec<_>>()
        };
        LinearProgram { dimension, inequalities: affine(inequalities), equations: affine(equations) }
    }

    #[test]
    fn known_answers() {
        // The triangle x, y ≥ 0, x + y ≤ 4 with x = y: the maximum of x is 2.
        let p = lp(2, &[&[1, 0, 0], &[0, 1, 0], &[-1, -1, 4]], &[&[1, -1, 0]]);
        let Optimum::Attained { value, .. } = p.minimum(&vector(&[-1, 0]), &Unlimited).unwrap() else { panic!() };
        assert_eq!(value, Rat::from(-2));
        assert!(matches!(
            lp(1, &[&[1, 0]], &[]).minimum(&vector(&[-1]), &Unlimited).unwrap(),
            Optimum::Unbounded { .. }
        ));
        assert!(matches!(
            lp(1, &[&[1, -1], &[-1, 0]], &[]).minimum(&vector(&[0]), &Unlimited).unwrap(),
            Optimum::Infeasible(_)
        ));
        assert!(matches!(lp(1, &[], &[&[0, 3]]).minimum(&vector(&[0]), &Unlimited).unwrap(), Optimum::Infeasible(_)));
        assert!(matches!(
            lp(2, &[&[1, 0, 0]], &[]).minimum(&vector(&[0, 1]), &Unlimited).unwrap(),
            Optimum::Unbounded { .. }
        ));
    }

    #[test]
    fn a_large_program_asks_its_monitor() {
        // Like Hilbert's matrix: dense, with large minors.
        let rows: Vec<Vec<i64>> =
            (0..24).map(|i| (0..24).map(|j| 1_000_000_007 / (i + j + 1)).chain([-1 - i]).collect()).collect();
        let p = lp(24, &rows.iter().map(Vec::as_slice).collect::<Vec<_>>(), &[]);
        assert_eq!(p.minimum(&vector(&[1; 24]), &TickLimit::new(20)), Err(StopReason::Time));
    }

    #[test]
    fn a_changed_certificate_is_not_confirmed() {
        let p = lp(2, &[&[1, 0, 0], &[0, 1, 0], &[2, 3, -7]], &[]);
        let objective = vector(&[1, 1]);
        let Optimum::Attained { value, point, multipliers } = p.minimum(&objective, &Unlimited).unwrap() else {
            panic!()
        };
        let lower = Optimum::Attained { value: &value - &Rat::ONE, point, multipliers };
        assert!(!p.confirms(&objective, &lower));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]
        #[test]
        fn every_answer_has_its_certificate(
            dimension in 1usize..4,
            inequalities in prop::collection::vec(prop::collection::vec(-4i64..5, 4), 0..7),
            equations in prop::collection::vec(prop::collection::vec(-3i64..4, 4), 0..3),
            objective in prop::collection::vec(-3i64..4, 3),
        ) {
            let cut = |rows: &[Vec<i64>]| rows.iter().map(|r| r[..=dimension].to_vec()).collect::<Vec<_>>();
            let (inequalities, equations) = (cut(&inequalities), cut(&equations));
            let p = lp(
                dimension,
                &inequalities.iter().map(Vec::as_slice).collect::<Vec<_>>(),
                &equations.iter().map(Vec::as_slice).collect::<Vec<_>>(),
            );
            let objective = vector(&objective[..dimension]);
            let optimum = p.minimum(&objective, &Unlimited).unwrap();
            prop_assert!(p.confirms(&objective, &optimum), "{optimum:?}");
        }
    }
}
