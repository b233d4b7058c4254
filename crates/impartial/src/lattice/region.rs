//! Regions of moves: all vectors that satisfy some linear inequalities, as in the games of Wythoff's kind with a difference or a slope.

use super::error::LatticeError;

/// Coefficients are at most this: the automata of a region grow with them.
const LARGEST_COEFFICIENT: u64 = 100;
/// Constants are at most this.
const LARGEST_CONSTANT: u64 = 1000;
/// Entries of small moves are less than this.
const SMALL_MOVE: i64 = 1 << 50;
/// The most inequalities of a region.
const MOST_ROWS: usize = 8;

/// The moves m ∈ ℕᵈ with a₁m₁ + … + a_d m_d + c ≥ 0 for each row (a₁, …, a_d, c). The move 0 is not among them.
///
/// ```
/// use impartial::lattice::RayGame;
/// // Take i > 0 from one heap and j > 0 from the other, |i − j| < 2.
/// let text = "rays = [[1, 0], [0, 1]]\nregions = [[[1, 0, -1], [0, 1, -1], [1, -1, 1], [-1, 1, 1]]]";
/// let game = RayGame::from_toml(text).unwrap();
/// assert!(game.regions()[0].contains(&[3, 4]) && !game.regions()[0].contains(&[3, 5]));
/// assert_eq!(game.options(&[1, 2], 100).unwrap(), [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1]]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Region {
    rows: Vec<Vec<i64>>,
}

impl Region {
    /// The region of these rows, for moves of so many coordinates.
    pub(super) fn new(place: &str, mut rows: Vec<Vec<i64>>, dimension: usize) -> Result<Self, LatticeError> {
        if rows.is_empty() || rows.len() > MOST_ROWS {
            return Err(LatticeError::Syntax(format!(
                "{place} has {} inequalities; a region has between 1 and {MOST_ROWS}, such as [1, -1, 0] for m1 - m2 + 0 >= 0",
                rows.len()
            )));
        }
        for (i, row) in rows.iter().enumerate() {
            if row.len() != dimension + 1 {
                let why = " (a coefficient for each coordinate, and a constant)";
                let place = format!("{place}[{i}]");
                return Err(LatticeError::Length { place, found: row.len(), expected: dimension + 1, why });
            }
            let (c, a) = row.split_last().expect("not empty");
            if a.iter().any(|a| a.unsigned_abs() > LARGEST_COEFFICIENT) || c.unsigned_abs() > LARGEST_CONSTANT {
                return Err(LatticeError::Syntax(format!(
                    "{place}[{i}] is too large: coefficients are at most {LARGEST_COEFFICIENT}, the constant at most {LARGEST_CONSTANT}"
                )));
            }
        }
        if rows.iter().all(|row| row[dimension] >= 0) {
            return Err(LatticeError::Syntax(format!(
                "{place} has the move 0, which would let play go on for ever; add an inequality that 0 does not satisfy, such as one with \
                 the constant -1"
            )));
        }
        rows.sort();
        rows.dedup();
        Ok(Self { rows })
    }

    /// The rows (a₁, …, a_d, c), sorted.
    pub fn rows(&self) -> &[Vec<i64>] {
        &self.rows
    }

    /// Whether a vector of ℕᵈ is one of the moves.
    pub fn contains(&self, m: &[i64]) -> bool {
        // Coefficients and constants are small, so that the forms of small moves need no wide numbers.
        if m.iter().all(|&m| (0..SMALL_MOVE).contains(&m)) {
            return self.rows.iter().all(|row| row.iter().zip(m).map(|(a, m)| a * m).sum::<i64>() + row[m.len()] >= 0);
        }
        self.rows.iter().all(|row| {
            let form: i128 = row.iter().zip(m).map(|(&a, &m)| i128::from(a) * i128::from(m)).sum();
            form + i128::from(row[m.len()]) >= 0
        })
    }

    /// By how much coordinate i of one of the moves can grow so that all up to there are moves; `None` when for ever.
    pub(crate) fn room(&self, m: &[i64], i: usize) -> Option<i64> {
        let room = |row: &Vec<i64>| {
            let form: i128 = row.iter().zip(m).map(|(&a, &m)| i128::from(a) * i128::from(m)).sum();
            i64::try_from((form + i128::from(row[m.len()])) / i128::from(-row[i])).unwrap_or(i64::MAX)
        };
        self.rows.iter().filter(|row| row[i] < 0).map(room).min()
    }

    /// The same with coordinates i and i + 1 exchanged.
    pub(super) fn swapped(&self, i: usize) -> Self {
        let mut rows = self.rows.clone();
        for row in &mut rows {
            row.swap(i, i + 1);
        }
        rows.sort();
        Self { rows }
    }
}

/// Calls `found` with every vector of ℕᵈ up to x, and 0 first; `None` when there are more than `most`.
pub(super) fn below(x: &[u64], most: usize, found: &mut dyn FnMut(&[u64])) -> Option<()> {
    let all = x.iter().try_fold(1_u64, |all, x| all.checked_mul(x.checked_add(1)?));
    all.filter(|&all| all <= most as u64)?;
    let mut m = vec![0; x.len()];
    loop {
        found(&m);
        let Some(i) = (0..m.len()).rev().find(|&i| m[i] < x[i]) else { return Some(()) };
        m[i] += 1;
        m[i + 1..].fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_room_of_a_move_ends_where_moves_do() {
        let rows = [vec![1, 0, -1], vec![-2, 3, 1], vec![3, -1, 2], vec![1, 1, -3]];
        for rows in [&rows[..], &rows[..2], &rows[3..]] {
            let region = Region::new("regions[0]", rows.to_vec(), 2).unwrap();
            for (x, y) in (0..12).flat_map(|x| (0..12).map(move |y| (x, y))).filter(|&(x, y)| region.contains(&[x, y]))
            {
                let plain = |step: [i64; 2]| (1..100).find(|t| !region.contains(&[x + t * step[0], y + t * step[1]]));
                assert_eq!(region.room(&[x, y], 0), plain([1, 0]).map(|t| t - 1), "({x}, {y})");
                assert_eq!(region.room(&[x, y], 1), plain([0, 1]).map(|t| t - 1), "({x}, {y})");
            }
        }
    }

    #[test]
    fn the_least_integer_is_too_large() {
        for row in [vec![i64::MIN, 0, -1], vec![1, 0, i64::MIN]] {
            let error = Region::new("regions[0]", vec![row], 2).unwrap_err();
            assert!(error.to_string().contains("too large"), "{error}");
        }
        let steep = Region::new("regions[0]", vec![vec![-100, 100, -1000]], 2).unwrap();
        for e in [0, 1, 10, SMALL_MOVE - 11, SMALL_MOVE - 1, SMALL_MOVE, i64::MAX - 10] {
            assert!(steep.contains(&[e, e + 10]) && !steep.contains(&[e + 10, e]) && !steep.contains(&[e, e + 9]));
        }
    }
}
