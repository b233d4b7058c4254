//! One position of Chomp: the cheapest sound way to its outcome, value and winning moves.

use crate::outcome::{Outcome, Play};
use crate::poset::{Diagram, MAX_ROWS, Poset};
use crate::solve::poset::Solver;
use semilinear::run::{Monitor, StopReason};

use super::{GrundyTable, MAX_FIRST_ROW_OF_FOUR, Sieve, four_rows, three_rows};

/// Answers questions about Chomp positions; keeps the last table for the next question.
///
/// ```
/// use impartial::outcome::Outcome;
/// use impartial::{run::Unlimited, solve::poset::chomp::Chomp};
/// let mut chomp = Chomp::default();
/// let position = "1000000001,1000000000".parse().unwrap();
/// assert_eq!(chomp.outcome(&position, &Unlimited), Ok((Outcome::P, "two rows: P when they differ by one")));
/// ```
#[derive(Debug, Default)]
pub struct Chomp {
    sieve: Option<Sieve>,
    table: Option<GrundyTable>,
}

const NIM: &str = "nim-sum of the arms";
const TWO_ROWS: &str = "two rows: P when they differ by one";
const RECTANGLE: &str = "strategy stealing: a rectangle";
const SQUARE: &str = "square: bite at (2,2), then copy";
const THREE_ROWS: &str = "three-row sieve";
const FOUR_ROWS: &str = "four-row sieve";
const SIEVE: &str = "box sieve";
const TABLE: &str = "table of all positions inside";
const SEARCH: &str = "search with decomposition";

/// Positions small enough for the general search when every table is too large for them.
const SEARCHED_SQUARES: u128 = 1024;

/// What is known about a shape without any computation.
enum Shape {
    /// A hook: row and column through the poisoned square, without it.
    Hook(u64, u64),
    /// Two rows, or two columns (the flag).
    Two(u64, u64, bool),
    /// Three rows, or three columns (the flag).
    Three([u64; 3], bool),
    /// Four rows, or four columns (the flag), as long as the sieve for them runs.
    Four([u64; 4], bool),
    Other,
}

fn shape(position: &Diagram) -> Shape {
    let rows = position.rows();
    match *rows {
        [p] => return Shape::Hook(p - 1, 0),
        [p, q] if q > 1 => return Shape::Two(p, q, false),
        [p, q, r] if q > 1 => return Shape::Three([p, q, r], false),
        [p, q, r, s] if q > 1 && p <= MAX_FIRST_ROW_OF_FOUR => return Shape::Four([p, q, r, s], false),
        _ => {}
    }
    let column = |c: u64| rows.partition_point(|&row| row > c) as u64;
    if rows[1] == 1 {
        return Shape::Hook(rows[0] - 1, column(0) - 1);
    }
    match rows[0] {
        2 => Shape::Two(column(0), column(1), true),
        3 => Shape::Three([column(0), column(1), column(2)], true),
        4 if column(0) <= MAX_FIRST_ROW_OF_FOUR => Shape::Four([0, 1, 2, 3].map(column), true),
        _ => Shape::Other,
    }
}

/// Whether `option` is reached from `position` by one bite.
fn is_option<const N: usize>(position: [u64; N], option: [u64; N]) -> bool {
    let Some(i) = (0..N).find(|&i| position[i] != option[i]) else { return false };
    let cut = option[i];
    cut < position[i] && (i..N).all(|t| option[t] == position[t].min(cut)) && !(i == 0 && cut == 0)
}

impl Chomp {
    /// The outcome in normal play, and the method.
    pub fn outcome(
        &mut self,
        position: &Diagram,
        monitor: &dyn Monitor,
    ) -> Result<(Outcome, &'static str), StopReason> {
        match shape(position) {
            Shape::Hook(a, b) => return Ok((Outcome::p_if(a == b), NIM)),
            Shape::Two(p, q, _) => return Ok((Outcome::p_if(p == q + 1), TWO_ROWS)),
            // The far corner is a greatest element.
            _ if position.is_rectangle() => return Ok((Outcome::N, RECTANGLE)),
            Shape::Three([p, q, r], _) => {
                let mut found = false;
                three_rows(p, Some(r), monitor, |a, b, c| found |= (a, b, c) == (p, q, r))?;
                return Ok((Outcome::p_if(found), THREE_ROWS));
            }
            Shape::Four(rows, _) => {
                let mut found = false;
                four_rows(rows[0], rows[2], rows[3], monitor, |position| found |= position == rows)?;
                return Ok((Outcome::p_if(found), FOUR_ROWS));
            }
            Shape::Other => {}
        }
        match self.prepared(position, monitor) {
            Ok(position) => Ok((Outcome::p_if(self.sieve.as_ref().is_some_and(|sieve| sieve.is_p(&position))), SIEVE)),
            Err(StopReason::Size { .. }) if position.squares() <= SEARCHED_SQUARES => {
                let poset = poset(position)?;
                let mut solver = Solver::by_search(poset);
                let all = solver.poset().all();
                Ok((solver.outcome(&all, Play::Normal, monitor)?, SEARCH))
            }
            Err(why) => Err(why),
        }
    }

    /// The Grundy value, and the method.
    pub fn grundy(&mut self, position: &Diagram, monitor: &dyn Monitor) -> Result<(u32, &'static str), StopReason> {
        if let Shape::Hook(a, b) = shape(position)
            && let (Ok(a), Ok(b)) = (u32::try_from(a), u32::try_from(b))
        {
            return Ok((a ^ b, NIM));
        }
        if !self.table.as_ref().is_some_and(|table| position.fits_in(table.board())) {
            match GrundyTable::new(position, monitor) {
                Ok(table) => self.table = Some(table),
                Err(StopReason::Size { .. }) if position.squares() <= SEARCHED_SQUARES => {
                    let mut solver = Solver::by_search(poset(position)?);
                    let all = solver.poset().all();
                    return Ok((solver.grundy(&all, monitor)?, SEARCH));
                }
                Err(why) => return Err(why),
            }
        }
        let table = self.table.as_ref().expect("made just now");
        Ok((table.grundy(position), TABLE))
    }

    /// Every winning move in normal play, as resulting positions in the order of the bites, and the method.
    pub fn winning_moves(
        &mut self,
        position: &Diagram,
        monitor: &dyn Monitor,
    ) -> Result<(Vec<Diagram>, &'static str), StopReason> {
        let two = |p: u64, q: u64, columns: bool| {
            let diagram = Diagram::new(vec![p, q]).expect("two rows, the longer one first");
            if columns { diagram.transposed() } else { diagram }
        };
        match shape(position) {
            Shape::Hook(a, b) => {
                // Nim with two heaps: make the arms equal.
                let after = match a.cmp(&b) {
                    std::cmp::Ordering::Equal => return Ok((Vec::new(), NIM)),
                    std::cmp::Ordering::Greater => position.bitten(1, b + 2),
                    std::cmp::Ordering::Less => position.bitten(usize::try_from(a + 2).expect("fewer than b rows"), 1),
                };
                return Ok((vec![after.expect("the longer arm has that square")], NIM));
            }
            // The P-positions (q + 1, q) leave one way: shorten the first row to q + 1, or the second to p − 1.
            Shape::Two(p, q, _) if p == q + 1 => return Ok((Vec::new(), TWO_ROWS)),
            Shape::Two(p, q, columns) if p > q => return Ok((vec![two(q + 1, q, columns)], TWO_ROWS)),
            Shape::Two(p, _, columns) => return Ok((vec![two(p, p - 1, columns)], TWO_ROWS)),
            _ if position.is_rectangle() && position.rows().len() as u64 == position.columns() => {
                // After any other bite that leaves no rectangle, (2,2) is still there to be bitten.
                return Ok((vec![position.bitten(2, 2).expect("at least 3 × 3")], SQUARE));
            }
            Shape::Three(rows, columns) => {
                let mut found = Vec::new();
                three_rows(rows[0], Some(rows[2]), monitor, |p, q, r| {
                    if is_option(rows, [p, q, r]) {
                        found.push(vec![p, q, r]);
                    }
                })?;
                return Ok((sorted(found, columns), THREE_ROWS));
            }
            Shape::Four(rows, columns) => {
                let mut found = Vec::new();
                four_rows(rows[0], rows[2], rows[3], monitor, |position| {
                    if is_option(rows, position) {
                        found.push(position.to_vec());
                    }
                })?;
                return Ok((sorted(found, columns), FOUR_ROWS));
            }
            Shape::Other => {}
        }
        let mut moves = Vec::new();
        match self.prepared(position, monitor) {
            Ok(prepared) => {
                let sieve = self.sieve.as_ref().expect("made just now");
                let turned = prepared != *position;
                for (row, column) in sieve.winning_moves(&prepared) {
                    let after = prepared.bitten(row, column).expect("a bite of the position");
                    moves.push(if turned { after.transposed() } else { after });
                }
                Ok((moves, SIEVE))
            }
            Err(StopReason::Size { .. }) if position.squares() <= SEARCHED_SQUARES => {
                let mut solver = Solver::by_search(poset(position)?);
                let all = solver.poset().all();
                for x in solver.winning_moves(&all, Play::Normal, monitor)? {
                    let (row, column) = solver.poset().name(x).split_once('.').expect("cells are named row.column");
                    let bite = (row.parse().expect("a row"), column.parse().expect("a column"));
                    moves.push(position.bitten(bite.0, bite.1).expect("a bite of the position"));
                }
                Ok((moves, SEARCH))
            }
            Err(why) => Err(why),
        }
    }

    /// Makes sure that the sieve covers the position; returns the position as the sieve has it, with
    /// rows and columns exchanged when that makes the table smaller.
    fn prepared(&mut self, position: &Diagram, monitor: &dyn Monitor) -> Result<Diagram, StopReason> {
        let tails = |diagram: &Diagram| {
            super::diagrams_in_box(diagram.rows().len() - 1, usize::try_from(diagram.rows()[1]).unwrap_or(usize::MAX))
        };
        let transposed = (position.columns() <= MAX_ROWS as u64).then(|| position.transposed());
        let oriented = match transposed {
            Some(other) if tails(&other).unwrap_or(u128::MAX) < tails(position).unwrap_or(u128::MAX) => other,
            _ => position.clone(),
        };
        if !self.sieve.as_ref().is_some_and(|sieve| oriented.fits_in(sieve.board())) {
            self.sieve = Some(Sieve::for_board(&oriented, monitor)?);
        }
        Ok(oriented)
    }
}

/// P-positions in the order of the bites, with rows and columns exchanged when they are given by columns.
fn sorted(mut found: Vec<Vec<u64>>, columns: bool) -> Vec<Diagram> {
    found.sort_unstable();
    let diagrams = found.into_iter().map(|rows| Diagram::new(rows).expect("a P-position is a diagram"));
    diagrams.map(|diagram| if columns { diagram.transposed() } else { diagram }).collect()
}

fn poset(position: &Diagram) -> Result<Poset, StopReason> {
    let too_large = StopReason::Size { what: "elements of a poset", limit: crate::poset::MAX_ELEMENTS as u64 };
    let rows: Option<Vec<usize>> = position.rows().iter().map(|&row| usize::try_from(row).ok()).collect();
    rows.and_then(|rows| Poset::chomp(&rows).ok()).ok_or(too_large)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::poset::plain::Plain;
    use semilinear::run::Unlimited;

    /// Every answer of the engine equals the plain search, for every position in a box.
    #[test]
    fn every_road_agrees_with_the_plain_search() {
        let board = Poset::chomp(&[5; 5]).unwrap();
        let mut plain = Plain::new(&board);
        let mut set = |position: &Diagram| {
            let mut set = board.nothing();
            for (x, name) in board.names().iter().enumerate() {
                let (row, column) = name.split_once('.').unwrap();
                let (row, column): (usize, u64) = (row.parse().unwrap(), column.parse().unwrap());
                if position.rows().get(row - 1).is_some_and(|&length| length >= column) {
                    crate::poset::Words::insert(&mut set, x);
                }
            }
            plain.grundy(&set, &Unlimited).unwrap()
        };
        let mut chomp = Chomp::default();
        let mut rows = vec![0; 5];
        while super::super::rank::advance(&mut rows, &[5; 5], 0) {
            let position = Diagram::new(rows.iter().map(|&row| row as u64).collect()).unwrap();
            let value = set(&position);
            assert_eq!(chomp.grundy(&position, &Unlimited).unwrap().0, value, "{position}");
            assert_eq!(chomp.outcome(&position, &Unlimited).unwrap().0, Outcome::p_if(value == 0), "{position}");
            let mut moves = chomp.winning_moves(&position, &Unlimited).unwrap().0;
            let mut expected: Vec<Diagram> = position
                .bites()
                .filter_map(|(row, column)| position.bitten(row, column))
                .filter(|after| set(after) == 0)
                .collect();
            moves.sort();
            expected.sort();
            expected.dedup();
            assert_eq!(moves, expected, "{position}");
        }
    }
}
