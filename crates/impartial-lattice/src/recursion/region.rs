//! Finite regions of a board that are closed under moves.

use super::projection::Projection;
use crate::game::{InnerGame, Row};
use semilinear::integer::{Int, Vector, negated, vector};
use semilinear::polyhedron::Cone;
use semilinear::run::TickLimit;

/// A finite region of a board, in inner coordinates: no move leads out of it.
#[derive(Clone, Debug)]
pub struct Region {
    dimension: usize,
    rows: Vec<Row>,
}

impl Region {
    /// {x ∈ B : ℓ(x) ≤ level} for the game's functional ℓ in inner coordinates.
    pub fn level(game: &InnerGame, level: i64) -> Option<Self> {
        Self::below(game, &[(game.small_inner_functional()?, level)])
    }

    /// The least region of its kind that contains the box 0 ≤ yᵢ < sizes\[i\] (inner coordinates): the box itself when no
    /// rule has a negative entry. `None` when numbers leave `i64`.
    pub fn around_box(game: &InnerGame, sizes: &[u64]) -> Option<Self> {
        let corner: Vec<i64> = sizes.iter().map(|&n| i64::try_from(n).ok().map(|n| n - 1)).collect::<Option<_>>()?;
        let bounds: Vec<(Vec<i64>, i64)> = descents(game)
            .into_iter()
            .map(|f| {
                let most: i128 = f.iter().zip(&corner).map(|(f, c)| i128::from(*f.max(&0)) * i128::from(*c)).sum();
                Some((f, i64::try_from(most).ok()?))
            })
            .collect::<Option<_>>()?;
        Self::below(game, &bounds)
    }

    /// The least region of its kind that contains the positions with from\[i\] ≤ xᵢ ≤ to\[i\] in the user's coordinates.
    pub fn around_user_range(game: &InnerGame, from: &[i64], to: &[i64]) -> Option<Self> {
        let (matrix, shift) = (game.chart().matrix(), game.chart().shift());
        let bounds: Vec<(Vec<i64>, i64)> = descents(game)
            .into_iter()
            .map(|f| {
                // f·y = (f·M)·x + f·s; each entry of f·M takes the end of the range where it is larger.
                let mut most: i128 = f.iter().zip(shift).map(|(f, s)| i128::from(*f) * i128::from(*s)).sum();
                for j in 0..from.len() {
                    let entry: i128 = f.iter().zip(matrix).map(|(f, row)| i128::from(*f) * i128::from(row[j])).sum();
                    let end = i128::from(if entry > 0 { to[j] } else { from[j] });
                    most = most.checked_add(entry.checked_mul(end)?)?;
                }
                Some((f, i64::try_from(most).ok()?))
            })
            .collect::<Option<_>>()?;
        Self::below(game, &bounds)
    }

    /// The least region of its kind that contains a point in inner coordinates: everything that can be reached from it,
    /// and usually more. `None` when numbers leave `i64`.
    pub fn around_point(game: &InnerGame, y: &[i64]) -> Option<Self> {
        let bounds: Vec<(Vec<i64>, i64)> = descents(game)
            .into_iter()
            .map(|f| {
                let value: i128 = f.iter().zip(y).map(|(f, y)| i128::from(*f) * i128::from(*y)).sum();
                Some((f, i64::try_from(value).ok()?))
            })
            .collect::<Option<_>>()?;
        Self::below(game, &bounds)
    }

    /// The points of Λ with f·y ≤ c for all given (f, c); `None` when a move raises some f (the region would not be
    /// closed) or numbers leave `i64`. The bounds must make the region finite.
    pub fn bounded_by(game: &InnerGame, bounds: &[(Vec<i64>, i64)]) -> Option<Self> {
        if bounds.iter().all(|(f, _)| falls(game, f)) { Self::below(game, bounds) } else { None }
    }

    fn below(game: &InnerGame, bounds: &[(Vec<i64>, i64)]) -> Option<Self> {
        let d = game.dimension();
        let mut rows: Vec<Row> = (0..d).map(|i| (0..=d).map(|j| i64::from(i == j)).collect()).collect();
        rows.extend(game.inner_rows().iter().cloned());
        for (f, c) in bounds {
            let mut row: Row = f.iter().map(|x| x.checked_neg()).collect::<Option<_>>()?;
            row.push(*c);
            rows.push(row);
        }
        Some(Self { dimension: d, rows })
    }

    /// The inequalities a·y + b ≥ 0 of the region.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// About how many values each coordinate takes; `None` when the region is unbounded or too large.
    #[allow(clippy::cast_precision_loss)] // only a guide for the choice of axes
    pub(super) fn extents(&self) -> Option<Vec<f64>> {
        (0..self.dimension)
            .map(|i| {
                let turned: Vec<Vec<i128>> = self
                    .rows
                    .iter()
                    .map(|row| {
                        let mut row: Vec<i128> = row.iter().map(|&x| i128::from(x)).collect();
                        row.swap(0, i);
                        row
                    })
                    .collect();
                let (lo, hi) = Projection::new(&turned, self.dimension)?.first_range()?;
                Some((i128::from(hi) - i128::from(lo) + 1).max(1) as f64)
            })
            .collect()
    }
}

/// Functionals that no move raises: they bound regions closed under moves. The game's own ℓ is among them or implied by
/// them (it is a non-negative combination of the facet normals of the cone of the rules).
fn descents(game: &InnerGame) -> Vec<Vec<i64>> {
    let d = game.dimension();
    let mut functionals: Vec<Vec<i64>> = (0..d).map(|i| (0..d).map(|j| i64::from(i == j)).collect()).collect();
    functionals.retain(|f| falls(game, f));
    if functionals.len() == d {
        return functionals;
    }
    // Beyond 64 bits it bounds no region that can be walked; then the facets must do.
    functionals.extend(game.small_inner_functional());
    // Fourier–Motzkin elimination suffers from many inequalities; then a larger region is the lesser evil.
    if d <= 8 && game.inner_rules().len() <= 64 {
        let rules: Vec<Vector> = game.inner_rules().iter().map(|rule| vector(rule)).collect();
        if let Ok(cone) = Cone::from_generators(d, &rules, &[], &TickLimit::new(100_000))
            && cone.facets().len() <= 24
        {
            let opposite = cone.equations().iter_rows().map(negated);
            let all = cone.facets().iter().cloned().chain(cone.equations().to_rows()).chain(opposite);
            let machine = all.filter_map(|f| f.iter().map(Int::to_i64).collect::<Option<Vec<i64>>>());
            functionals.extend(machine.filter(|f| falls(game, f)));
        }
    } else {
        let suffixes = (1..d).map(|i| (0..d).map(|j| i64::from(j >= i)).collect::<Vec<i64>>());
        functionals.extend(suffixes.filter(|f| falls(game, f)));
    }
    functionals.sort();
    functionals.dedup();
    functionals
}

/// Whether no move raises a functional.
fn falls(game: &InnerGame, f: &[i64]) -> bool {
    f.len() == game.dimension()
        && game
            .inner_rules()
            .iter()
            .all(|rule| f.iter().zip(rule).map(|(a, b)| i128::from(*a) * i128::from(*b)).sum::<i128>() >= 0)
}
