//! Lattice points as text.

use impartial::lattice::LatticeGame;
use num_bigint::{BigInt, BigUint};
use num_traits::{Signed as _, ToPrimitive as _};

use crate::report::{Failure, bad_input};

/// No coordinate on the command line has more digits than this.
const MOST_DIGITS: usize = 100_000;

/// `(1,-2,3)`.
pub fn text<T: ToString>(x: &[T]) -> String {
    let entries: Vec<String> = x.iter().map(ToString::to_string).collect();
    format!("({})", entries.join(","))
}

/// Reads a point of any size; refuses points that are no position of the game.
pub fn read(game: &LatticeGame, text: &str) -> Result<Vec<BigInt>, Failure> {
    let x = parsed(text, game.dimension())?;
    if on_board(game, &x) {
        return Ok(x);
    }
    let defeated = small(&x).is_some_and(|x| game.defeated().contains(&x));
    Err(bad_input(if defeated {
        format!("POSITION {} is defeated, so it is not on the board; give a position of the board", self::text(&x))
    } else {
        format!("POSITION {} does not lie on the board; check its coordinates", self::text(&x))
    }))
}

/// Reads a point of any size in the board's polyhedron, defeated or not.
pub fn read_point(game: &LatticeGame, text: &str) -> Result<Vec<BigInt>, Failure> {
    let x = parsed(text, game.dimension())?;
    if in_polyhedron(game, &x) {
        return Ok(x);
    }
    Err(bad_input(format!("POSITION {} does not lie on the board; check its coordinates", self::text(&x))))
}

/// Reads d integers, with or without parentheses.
pub fn parsed(text: &str, dimension: usize) -> Result<Vec<BigInt>, Failure> {
    let inner = text.trim();
    let inner = inner.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(inner);
    let shown =
        || if text.len() > 60 { format!("{} …", text.chars().take(60).collect::<String>()) } else { text.into() };
    let entries: Vec<&str> = inner.split(',').map(str::trim).collect();
    if entries.len() != dimension {
        return Err(bad_input(format!(
            "POSITION \"{}\" has {} coordinates, but the game has {dimension}; write it as ({})",
            shown(),
            entries.len(),
            vec!["0"; dimension.min(8)].join(",")
        )));
    }
    entries
        .iter()
        .map(|entry| {
            let digits = entry.strip_prefix('-').unwrap_or(entry);
            let sound = !digits.is_empty() && digits.len() <= MOST_DIGITS && digits.bytes().all(|b| b.is_ascii_digit());
            sound.then(|| entry.parse().ok()).flatten().ok_or_else(|| {
                bad_input(format!("POSITION \"{}\" has a coordinate that is no integer; write it as (0,2,1)", shown()))
            })
        })
        .collect()
}

/// Whether a point of any size is a position.
pub fn on_board(game: &LatticeGame, x: &[BigInt]) -> bool {
    in_polyhedron(game, x) && !small(x).is_some_and(|x| game.defeated().contains(&x))
}

fn in_polyhedron(game: &LatticeGame, x: &[BigInt]) -> bool {
    match game.board() {
        None => x.iter().all(|x| !x.is_negative()),
        Some(rows) => rows.iter().all(|row| {
            let sum: BigInt = row.iter().zip(x).map(|(a, x)| BigInt::from(*a) * x).sum();
            !(sum + row[x.len()]).is_negative()
        }),
    }
}

/// The point in machine integers, if it fits.
pub fn small(x: &[BigInt]) -> Option<Vec<i64>> {
    x.iter().map(num_traits::ToPrimitive::to_i64).collect()
}

/// `--box n1,n2,…`: one size for each coordinate, or one for all.
pub fn sizes(text: &str, dimension: usize) -> Result<Vec<BigUint>, Failure> {
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    let sizes: Vec<BigUint> = parts
        .iter()
        .map(|part| {
            let digits = part.replace('_', "");
            let sound = !digits.is_empty() && digits.len() <= MOST_DIGITS && digits.bytes().all(|b| b.is_ascii_digit());
            sound
                .then(|| digits.parse().ok())
                .flatten()
                .ok_or_else(|| bad_input(format!("--box: \"{part}\" is no natural number; write --box 100,100")))
        })
        .collect::<Result<_, _>>()?;
    match sizes.len() {
        n if n == dimension => Ok(sizes),
        1 => Ok(vec![sizes[0].clone(); dimension]),
        n => Err(bad_input(format!(
            "--box has {n} sizes, but the game has {dimension} coordinates; give one for each, or one for all"
        ))),
    }
}

/// A row of counters for each coordinate.
pub fn drawing(x: &[BigInt]) -> String {
    let row = |(i, x): (usize, &BigInt)| {
        let counters = match x.to_usize() {
            Some(n) if n <= 60 => "o".repeat(n),
            _ if x.is_negative() => String::new(),
            _ => format!("{} …", "o".repeat(56)),
        };
        format!("  x{} = {x}  {counters}", i + 1).trim_end().to_owned()
    };
    x.iter().enumerate().map(row).collect::<Vec<_>>().join("\n")
}

/// A small position that has a move: the sum of a few rays, or of rules.
pub fn start(game: &LatticeGame) -> Result<String, Failure> {
    for n in 3..40i64 {
        let inner: Vec<i64> = (0..game.dimension()).map(|i| n + i64::try_from(i).unwrap_or(0) % 4).collect();
        if game.is_inner_position(&inner)
            && !game.inner_options(&inner).is_empty()
            && let Some(x) = game.chart().outer(&inner)
        {
            return Ok(text(&x));
        }
    }
    Err(bad_input("no small position has a move; give a POSITION"))
}
