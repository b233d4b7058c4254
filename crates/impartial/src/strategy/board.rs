//! What every certificate about a lattice game carries: that play ends, and that its chart maps the board into ℕᵈ.

use serde_json::{Map, Value, json};

use crate::lattice::{LatticeGame, Row};
use semilinear::integer::{Affine, Int, LinearProgram, Optimum, vector};
use semilinear::run::Unlimited;

/// The keys `functional` and, for boards other than the orthant, `chart` (`docs/strategy-files.md`, "Lattice games").
///
/// # Panics
/// Never for a sound game: the multipliers exist by Farkas' lemma, since the functional is positive on the recession
/// cone and the chart's coordinates are bounded below on the board.
pub fn board_proof(game: &LatticeGame) -> Map<String, Value> {
    let mut keys = Map::new();
    keys.insert("functional".into(), json!(game.functional()));
    if let Some(rows) = game.board() {
        let chart = game.chart();
        let bound = |v: &[Int]| multipliers(rows, v).expect("a functional that is bounded below on the board");
        let bounds: Vec<Vec<Int>> = chart.matrix().iter().map(|row| bound(&vector(row))).collect();
        keys.insert(
            "chart".into(),
            json!({
                "matrix": chart.matrix(),
                "inverse": chart.inverse(),
                "shift": chart.shift(),
                "bounds": bounds,
                "functional_bound": bound(game.functional()),
            }),
        );
    }
    keys
}

/// A scale t ≥ 1 and multipliers λ ≥ 0 with t·v = Σ λⱼaⱼ and Σ λⱼbⱼ/t as small as possible, as one list t, λ₁, λ₂, …
fn multipliers(rows: &[Row], v: &[Int]) -> Option<Vec<Int>> {
    let d = v.len();
    let program = LinearProgram {
        dimension: rows.len(),
        inequalities: (0..rows.len())
            .map(|j| {
                let unit: Vec<i64> = (0..rows.len()).map(|i| i64::from(i == j)).collect();
                Affine::new(vector(&unit), 0)
            })
            .collect(),
        equations: (0..d)
            .map(|i| {
                let column: Vec<i64> = rows.iter().map(|row| row[i]).collect();
                Affine::new(vector(&column), -&v[i])
            })
            .collect(),
    };
    let constants: Vec<i64> = rows.iter().map(|row| row[d]).collect();
    // As large as the board's own inequalities: small.
    let Ok(Optimum::Attained { point, .. }) = program.minimum(&vector(&constants), &Unlimited) else { return None };
    let scale = point.iter().fold(Int::ONE, |scale, x| scale.lcm(x.denominator()));
    let scaled = point.iter().map(|x| x.numerator() * &scale.exact_div(x.denominator()));
    Some(std::iter::once(scale.clone()).chain(scaled).collect())
}
