//! The game itself.

use std::ops::Deref;

use num_bigint::BigInt;
use num_traits::Signed as _;

use super::axioms::Axioms;
use super::board::{Recession, least_value};
use super::defeated::closure;
use super::error::LatticeError;
use super::{Description, InnerGame, Row, Squarefree};
use crate::outcome::Play;
use impartial_lattice::product::satisfies;
use semilinear::integer::Int;
use semilinear::run::Monitor;

/// A lattice game that can be played: axioms checked, defeated set closed, coordinates found in which the board lies in ℕᵈ.
///
/// Every vector comes in the *user's* coordinates and in *inner* ones ([`InnerGame::chart`] maps between them); on the
/// orthant both are the same. Solvers work in inner coordinates only: they take the [`InnerGame`] that a game dereferences to.
#[derive(Clone, Debug)]
pub struct LatticeGame {
    name: Option<String>,
    rules: Vec<Vec<i64>>,
    board: Option<Vec<Row>>,
    generators: Vec<Vec<i64>>,
    defeated: Vec<Vec<i64>>,
    functional: Vec<Int>,
    tangent_violations: Vec<Vec<i64>>,
    inner: InnerGame,
}

/// What engines know of a game.
impl Deref for LatticeGame {
    type Target = InnerGame;

    fn deref(&self) -> &InnerGame {
        &self.inner
    }
}

impl LatticeGame {
    /// The game of a description: checks the axioms and the board, closes the defeated set.
    ///
    /// `play = misere` means D = {0} with what lies below it, as in the papers. On a board where other positions have
    /// no move (such as 1 with the rule set {2}), these stay on the board and are P-positions; list them in `defeated`
    /// to have them defeated too.
    pub fn new(description: &Description, monitor: &dyn Monitor) -> Result<Self, LatticeError> {
        let d = description.dimension();
        let recession = Recession::new(description, monitor)?;
        let axioms = Axioms::check(&description.rules, &recession, monitor)?;
        let functional = axioms.positivity.map_err(LatticeError::Positivity)?;
        let chart = recession.chart(description, &functional, monitor)?;
        let too_large = || LatticeError::TooLarge("a board row or a rule leaves 64-bit integers");
        let rows = description.board.clone().unwrap_or_else(|| orthant(d));
        let generators = generators(description, &rows)?;
        let least = if generators.is_empty() { Int::ZERO } else { least_value(description, &functional, monitor)? };
        let defeated = closure(&generators, &description.rules, &rows, &functional, &least, monitor)?;
        if description.defeated.is_some() {
            contradiction(description.play, &defeated)?;
        }
        let inner_rules = if description.board.is_some() {
            let inner = description.rules.iter().map(|rule| chart.inner_vector(rule)).collect::<Option<_>>();
            inner.ok_or_else(too_large)?
        } else {
            description.rules.clone()
        };
        let inner_rows = match &description.board {
            None => Vec::new(),
            Some(rows) => rows.iter().map(|row| chart.inner_row(row)).collect::<Option<_>>().ok_or_else(too_large)?,
        };
        let inner_defeated =
            defeated.iter().map(|point| chart.inner(point)).collect::<Option<_>>().ok_or_else(too_large)?;
        let inner_functional = chart.inner_functional(&functional);
        let inner = InnerGame::new(chart, inner_rules, inner_rows, inner_defeated, inner_functional)
            .expect("the axioms say that every rule lowers the functional");
        Ok(Self {
            name: description.name.clone(),
            rules: description.rules.clone(),
            board: description.board.clone(),
            generators,
            defeated,
            functional,
            tangent_violations: axioms.tangent_violations,
            inner,
        })
    }

    /// The axioms of a description's rule set on its board, with witnesses.
    ///
    /// ```
    /// use impartial::lattice::{Description, LatticeGame};
    /// use semilinear::run::Unlimited;
    /// let description = Description::from_toml("rules = [[1, -1], [-1, 1]]").unwrap();
    /// let axioms = LatticeGame::axioms(&description, &Unlimited).unwrap();
    /// let reason = axioms.positivity.unwrap_err().to_string();
    /// assert!(reason.contains("(-1,1) + (1,-1) = 0"), "{reason}");
    /// assert!(axioms.tangent_violations.is_empty());
    /// ```
    pub fn axioms(description: &Description, monitor: &dyn Monitor) -> Result<Axioms, LatticeError> {
        Axioms::check(&description.rules, &Recession::new(description, monitor)?, monitor)
    }

    /// The game's name, if its description has one.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The rule set Γ in the user's coordinates, sorted.
    pub fn rules(&self) -> &[Vec<i64>] {
        &self.rules
    }

    /// The inequalities a·x + b ≥ 0 of the board in the user's coordinates; `None` is the orthant.
    pub fn board(&self) -> Option<&[Row]> {
        self.board.as_deref()
    }

    /// The generators of the defeated set, as given (or {0} in misère play).
    pub fn generators(&self) -> &[Vec<i64>] {
        &self.generators
    }

    /// Every defeated position in the user's coordinates, sorted.
    pub fn defeated(&self) -> &[Vec<i64>] {
        &self.defeated
    }

    /// Misère when exactly 0 is defeated, else normal: the `play` of strategy files. The defeated set alone defines the
    /// game.
    pub fn play(&self) -> Play {
        match self.defeated.as_slice() {
            [point] if point.iter().all(|&x| x == 0) => Play::Misere,
            _ => Play::Normal,
        }
    }

    /// An integer functional ℓ that is positive on Γ and on C∖{0}, in the user's coordinates: play ends. Its entries may
    /// need as many bits as there are coordinates, and more.
    pub fn functional(&self) -> &[Int] {
        &self.functional
    }

    /// The rays of the recession cone without a rule in their negative tangent cone.
    pub fn tangent_violations(&self) -> &[Vec<i64>] {
        &self.tangent_violations
    }

    /// Squarefree, weakly squarefree or neither; a board that is not the orthant is neither.
    pub fn squarefree(&self) -> Squarefree {
        if self.board.is_some() { Squarefree::No } else { Squarefree::of(&self.rules) }
    }

    /// Whether a point of any size, in the user's coordinates, is a position of the game.
    pub fn is_position_big(&self, x: &[BigInt]) -> bool {
        if x.len() != self.dimension() {
            return false;
        }
        let y = self.chart().inner_big(x);
        let d = y.len();
        y.iter().all(|yi| !yi.is_negative())
            && self.inner_rows().iter().all(|row| {
                let value: BigInt = row[..d].iter().zip(&y).map(|(a, y)| BigInt::from(*a) * y).sum();
                !(value + row[d]).is_negative()
            })
            && !self.inner_defeated().iter().any(|p| p.iter().zip(&y).all(|(p, y)| BigInt::from(*p) == *y))
    }

    /// Whether a point of any size, in the user's coordinates, is defeated.
    pub fn is_defeated_big(&self, x: &[BigInt]) -> bool {
        self.defeated.iter().any(|p| p.len() == x.len() && p.iter().zip(x).all(|(p, x)| BigInt::from(*p) == *x))
    }

    /// The options of a position of any size, in the user's coordinates and in the order of the rules; none for what is no
    /// position.
    ///
    /// # Complexity
    /// O(|Γ|·(m + |D|)·d) operations on integers with as many digits as the position.
    pub fn options_big(&self, x: &[BigInt]) -> Vec<Vec<BigInt>> {
        if !self.is_position_big(x) {
            return Vec::new();
        }
        self.rules
            .iter()
            .map(|rule| x.iter().zip(rule).map(|(x, g)| x - g).collect::<Vec<BigInt>>())
            .filter(|option| self.is_position_big(option))
            .collect()
    }

    /// The input complexity of Guo–Miller 2011, Definition 2.4: d(m + n) plus log₂ max(|x|, 1) for every entry x of the
    /// n rules and m generators of the defeated set.
    ///
    /// ```
    /// use impartial::lattice::{Description, LatticeGame};
    /// use semilinear::run::Unlimited;
    /// let description = Description::from_toml("rules = [[1, 0], [0, 1], [2, -4]]").unwrap();
    /// let game = LatticeGame::new(&description, &Unlimited).unwrap();
    /// assert!((game.input_complexity() - 9.0).abs() < 1e-9); // 2·3 entries, log2 2 + log2 4
    /// ```
    #[allow(clippy::cast_precision_loss)] // a measure for people: 53 bits are plenty
    pub fn input_complexity(&self) -> f64 {
        let entries = self.rules.iter().chain(&self.generators).flatten();
        let count = self.dimension() * (self.rules.len() + self.generators.len());
        count as f64 + entries.map(|&x| (x.unsigned_abs().max(1) as f64).log2()).sum::<f64>()
    }
}

/// The rows x_i ≥ 0.
fn orthant(d: usize) -> Vec<Row> {
    (0..d).map(|i| (0..=d).map(|j| i64::from(i == j)).collect()).collect()
}

/// The generators of the defeated set: as written, or 0 in misère play, or none.
fn generators(description: &Description, rows: &[Row]) -> Result<Vec<Vec<i64>>, LatticeError> {
    let zero = vec![0; description.dimension()];
    match (&description.defeated, description.play) {
        (Some(points), _) => {
            let mut points = points.clone();
            for (index, point) in points.iter().enumerate() {
                if satisfies(rows, point) != Some(true) {
                    let entries: Vec<String> = point.iter().map(ToString::to_string).collect();
                    return Err(LatticeError::DefeatedOutside { index, point: format!("({})", entries.join(",")) });
                }
            }
            points.sort();
            points.dedup();
            Ok(points)
        }
        (None, Some(Play::Misere)) => {
            if satisfies(rows, &zero) == Some(true) {
                Ok(vec![zero])
            } else {
                Err(LatticeError::Play(
                    "misère play defeats the point 0, which does not lie on this board; \
                     write the defeated positions down instead, e.g. defeated = [[2, 1]]"
                        .into(),
                ))
            }
        }
        (None, _) => Ok(Vec::new()),
    }
}

/// A written defeated set defines the play; another play asked for on top of it must agree with it.
fn contradiction(play: Option<Play>, defeated: &[Vec<i64>]) -> Result<(), LatticeError> {
    let agrees = match play {
        None => true,
        Some(Play::Normal) => defeated.is_empty(),
        Some(Play::Misere) => matches!(defeated, [point] if point.iter().all(|&x| x == 0)),
    };
    if agrees {
        return Ok(());
    }
    let play = play.unwrap_or_default();
    Err(LatticeError::Play(format!(
        "{play} play contradicts the game's `defeated` positions, which define its play \
         (normal = none, misere = only 0); leave one of the two out"
    )))
}
