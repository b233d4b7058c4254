//! What every form for lattice games does alike: points of the board, boxes, counts.

use impartial::lattice::LatticeGame;
use num_bigint::{BigInt, BigUint};
use semilinear::vectorset::BoxTooLarge;
use serde_json::json;

use super::Solved;
use crate::args::CountArgs;
use crate::report::{Answer, Failure, Report, bad_input};

/// A position of the game, of any size.
pub fn position(game: &LatticeGame, text: &str) -> Result<Vec<BigInt>, Failure> {
    let x = lattice_point(text, game.dimension())?;
    if game.is_position_big(&x) {
        Ok(x)
    } else {
        Err(bad_input(format!("POSITION {text} is not on the board of this game; give a point of the board")))
    }
}

/// The methods of [`Solved`] that are alike in every form with an `envelope` and a `strategy` that answers at any point.
macro_rules! answered {
    () => {
        fn envelope(&self) -> &impartial::strategy::Envelope {
            &self.envelope
        }

        fn outcome(
            &self,
            _: &$crate::context::Context,
            position: &str,
        ) -> Result<impartial::outcome::Outcome, Failure> {
            let x = points::position(self.strategy.game(), position)?;
            self.strategy.outcome(&x).ok_or_else(|| points::off_board(position))
        }

        fn winning_moves(&self, _: &$crate::context::Context, position: &str) -> Result<Vec<String>, Failure> {
            let x = points::position(self.strategy.game(), position)?;
            Ok(points::point_texts(&self.strategy.winning_moves(&x)))
        }
    };
}
pub(super) use answered;

/// The failure of a strategy that has no answer at a point.
pub fn off_board(position: &str) -> Failure {
    bad_input(format!("POSITION {position} is not on the board"))
}

/// Points as texts.
pub fn point_texts(points: &[Vec<BigInt>]) -> Vec<String> {
    points.iter().map(|y| point_text(y)).collect()
}

/// The answer to `count`.
pub fn counted(file: &dyn Solved, args: &CountArgs, method: &str, count: Result<BigUint, BoxTooLarge>) -> Answer {
    let count = count.map_err(|error| match error {
        BoxTooLarge::Stopped(why) => Failure::Stopped(why),
        other @ BoxTooLarge::Sides { .. } => bad_input(other),
    })?;
    let json = json!({
        "game": file.envelope().game,
        "box": args.sizes,
        "count": crate::families::chains::json_integer(&count),
        "method": method,
    });
    Ok(Report::new(json, count.to_string()))
}

/// A lattice point of any size, written (0,2,1); the parentheses may be left out.
pub fn lattice_point(text: &str, dimension: usize) -> Result<Vec<BigInt>, Failure> {
    let inner = text.trim();
    let inner = inner.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(inner);
    let point: Vec<BigInt> = inner
        .split(',')
        .map(|entry| {
            let entry = entry.trim();
            entry.parse::<BigInt>().map_err(|_| {
                bad_input(format!("POSITION \"{text}\": \"{entry}\" is not an integer; write a point such as (0,2,1)"))
            })
        })
        .collect::<Result<_, _>>()?;
    if point.len() == dimension {
        Ok(point)
    } else {
        Err(bad_input(format!(
            "POSITION \"{text}\" has {} coordinates, the game has {dimension}; write one integer for each coordinate",
            point.len()
        )))
    }
}

/// A lattice point as text.
pub fn point_text(x: &[BigInt]) -> String {
    let entries: Vec<String> = x.iter().map(ToString::to_string).collect();
    format!("({})", entries.join(","))
}

/// The sizes of `--box n1,n2,…`; one size stands for all coordinates.
pub fn box_sizes(text: &str, dimension: usize) -> Result<Vec<BigUint>, Failure> {
    let sizes: Vec<BigUint> = text
        .split(',')
        .map(|size| {
            size.trim().parse::<BigUint>().map_err(|_| {
                bad_input(format!(
                    "--box {text}: \"{size}\" is not a size; write natural numbers such as --box 100,100"
                ))
            })
        })
        .collect::<Result<_, _>>()?;
    match sizes.len() {
        n if n == dimension => Ok(sizes),
        1 => Ok(vec![sizes[0].clone(); dimension]),
        n => Err(bad_input(format!(
            "--box {text} has {n} sizes, the game has {dimension} coordinates; give one size for each coordinate"
        ))),
    }
}
