//! What an engine knows of a game.

use crate::chart::Chart;
use crate::product::satisfies;
use semilinear::integer::Int;

/// A linear inequality a·x + b ≥ 0, stored as a₁, …, a_d, b.
pub type Row = Vec<i64>;

/// A lattice game in *inner* coordinates y, in which its board lies in ℕᵈ.
///
/// ```
/// use impartial_lattice::InnerGame;
/// let game = InnerGame::on_orthant(vec![vec![1, 0], vec![0, 1]], vec![vec![0, 0]], &[1, 1]).unwrap();
/// assert_eq!(game.inner_options(&[0, 2]), [[0, 1]]);
/// assert!(!game.is_inner_position(&[0, 0])); // defeated
/// assert!(InnerGame::on_orthant(vec![vec![1, -1]], vec![], &[1, 1]).is_none()); // need not end
/// ```
#[derive(Clone, Debug)]
pub struct InnerGame {
    chart: Chart,
    rules: Vec<Vec<i64>>,
    rows: Vec<Row>,
    defeated: Vec<Vec<i64>>,
    functional: Vec<Int>,
}

impl InnerGame {
    /// A game from its rules, the inequalities of its board besides y ≥ 0, its defeated positions, and a functional that every
    /// rule lowers, all in the inner coordinates of a chart. `None` when a rule does not, or something has another dimension.
    pub fn new(
        chart: Chart,
        rules: Vec<Vec<i64>>,
        rows: Vec<Row>,
        defeated: Vec<Vec<i64>>,
        functional: Vec<Int>,
    ) -> Option<Self> {
        let d = functional.len();
        let lowers = |rule: &Vec<i64>| {
            let by: Int = rule.iter().zip(&functional).map(|(g, l)| &Int::from(*g) * l).sum();
            rule.len() == d && by > Int::ZERO
        };
        let fits = rows.iter().all(|row| row.len() == d + 1) && defeated.iter().all(|point| point.len() == d);
        let fits = fits && chart.shift().len() == d && rules.iter().all(lowers);
        fits.then_some(Self { chart, rules, rows, defeated, functional })
    }

    /// A game on the whole orthant ℕᵈ.
    pub fn on_orthant(rules: Vec<Vec<i64>>, defeated: Vec<Vec<i64>>, functional: &[i64]) -> Option<Self> {
        let functional: Vec<Int> = functional.iter().map(|&l| l.into()).collect();
        Self::new(Chart::identity(functional.len()), rules, Vec::new(), defeated, functional)
    }

    /// The number d of coordinates.
    pub fn dimension(&self) -> usize {
        self.functional.len()
    }

    /// The map between the user's and inner coordinates.
    pub fn chart(&self) -> &Chart {
        &self.chart
    }

    /// The rule set in inner coordinates, in the order of the game's.
    pub fn inner_rules(&self) -> &[Vec<i64>] {
        &self.rules
    }

    /// The inequalities of the board in inner coordinates, besides y ≥ 0 (which holds on the whole board).
    pub fn inner_rows(&self) -> &[Row] {
        &self.rows
    }

    /// Every defeated position in inner coordinates, in the order of the game's.
    pub fn inner_defeated(&self) -> &[Vec<i64>] {
        &self.defeated
    }

    /// The functional ℓ in inner coordinates.
    pub fn inner_functional(&self) -> &[Int] {
        &self.functional
    }

    /// [`InnerGame::inner_functional`] in machine integers, if it fits: what engines over finite regions need.
    pub fn small_inner_functional(&self) -> Option<Vec<i64>> {
        self.functional.iter().map(Int::to_i64).collect()
    }

    /// Whether an inner point is a position, that is, lies on the board B = Λ∖D.
    pub fn is_inner_position(&self, y: &[i64]) -> bool {
        y.len() == self.dimension()
            && y.iter().all(|&x| x >= 0)
            && satisfies(&self.rows, y) == Some(true)
            // Entry by entry: points that differ mostly do so early, and a call to compare memory is slow in browsers.
            && !self.defeated.iter().any(|point| point.iter().zip(y).all(|(p, y)| p == y))
    }

    /// The options of an inner position: every inner point of the board that a rule leads to, without repeats.
    ///
    /// # Complexity
    /// O(|Γ|·(m + |D|)·d) for m inequalities.
    pub fn inner_options(&self, y: &[i64]) -> Vec<Vec<i64>> {
        self.rules
            .iter()
            .filter_map(|rule| y.iter().zip(rule).map(|(y, g)| y.checked_sub(*g)).collect::<Option<Vec<i64>>>())
            .filter(|option| self.is_inner_position(option))
            .collect()
    }
}
