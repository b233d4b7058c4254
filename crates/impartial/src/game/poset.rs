//! Poset games: Chomp, divisors, subsets, Nim, trees, and any poset file.

use crate::game::words::counted;
use std::fmt::Write as _;

use num_bigint::BigUint;
use num_traits::ToPrimitive as _;
use semilinear::run::StopReason;
use serde_json::{Value, json};

use super::Ask;
use super::ask::Method;
use super::explain::{Reasons, by_options};
use super::kind::{Found, Moves, Playable};
use super::position::{Place, Position};
use super::report::{InfoReport, SolveReport};
use super::strategy::Strategy;
use crate::error::{Error, Result};
use crate::outcome::{Outcome, Play};
use crate::poset::{Board, Diagram, ElementSet, Poset, PosetGame, Words as _};
use crate::solve::poset::chomp::{Chomp, MAX_FIRST_ROW_OF_FOUR, Sieve, four_rows, three_rows};
use crate::solve::poset::{Solver, nfree};
use crate::strategy::{Standing, Table, poset_of};

/// Squares whose bites are listed.
const DRAWN_SQUARES: u128 = 2_000;

/// Relations that are listed below a drawing.
const DRAWN_EDGES: usize = 60;

/// What is left of a tree or forest, with its edges; `None` for other posets. A tree hangs from its root, whichever end that is.
fn tree(poset: &Poset, set: &ElementSet) -> Option<String> {
    let covers = poset.covers();
    let single = |end: fn(&(usize, usize)) -> usize| {
        let mut seen = vec![false; poset.len()];
        covers.iter().all(|cover| !std::mem::replace(&mut seen[end(cover)], true))
    };
    // Chains and antichains are clearer in levels.
    let branches = |end: fn(&(usize, usize)) -> usize| !single(end);
    let pairs: Vec<(usize, usize)> = match (single(|cover| cover.1), single(|cover| cover.0)) {
        (true, _) if branches(|cover| cover.0) => covers,
        (_, true) if branches(|cover| cover.1) => covers.into_iter().map(|(x, y)| (y, x)).collect(),
        _ => return None,
    };
    let mut children = vec![Vec::new(); poset.len()];
    let mut root = vec![true; poset.len()];
    for &(parent, child) in &pairs {
        children[parent].push(child);
        root[child] = false;
    }
    let mut lines = Vec::new();
    let roots: Vec<usize> = (0..poset.len()).filter(|&x| root[x]).collect();
    for x in roots {
        branch(poset, set, &children, x, "", "", &mut lines);
    }
    Some(lines.join("\n"))
}

/// One vertex of a tree and what hangs from it; a vertex that is gone is a dot while something of it is left.
fn branch(
    poset: &Poset,
    set: &ElementSet,
    children: &[Vec<usize>],
    x: usize,
    before: &str,
    below: &str,
    lines: &mut Vec<String>,
) {
    lines.push(format!("{before}{}", if set.contains(x) { poset.name(x) } else { "·" }));
    for (i, &child) in children[x].iter().enumerate() {
        let (arm, next) = if i + 1 < children[x].len() { ("├─ ", "│  ") } else { ("└─ ", "   ") };
        branch(poset, set, children, child, &format!("{below}{arm}"), &format!("{below}{next}"), lines);
    }
}

/// A poset game.
#[derive(Clone, Debug)]
pub(crate) struct PosetKind {
    game: PosetGame,
}

impl PosetKind {
    /// `chomp:4x7`, `divisors:360`, …; `None` for other notations.
    pub(crate) fn from_notation(text: &str) -> Option<Result<Self>> {
        Some(match PosetGame::from_notation(text)? {
            Ok(game) => Ok(Self { game }),
            Err(error) => Err(Error::Input(format!("GAME {error}"))),
        })
    }

    pub(crate) fn from_file(place: &str, text: &str) -> Result<Self> {
        let game = PosetGame::from_toml(place, text).map_err(|error| Error::Input(format!("{place}: {error}")))?;
        Ok(Self { game })
    }

    pub(crate) fn board(&self) -> &Board {
        self.game.board()
    }

    fn play(&self, ask: &Ask) -> Play {
        ask.play_of(self.game.play())
    }
}

/// A position of Chomp.
pub(crate) fn of_rows(diagram: Diagram) -> Position {
    let text = diagram.to_string();
    Position::new(Place::Rows(diagram), text)
}

/// A position of a finite poset.
pub(crate) fn of_ideal(poset: &Poset, ideal: ElementSet) -> Position {
    let text = Board::notation(poset, &ideal);
    Position::new(Place::Ideal(ideal), text)
}

/// Reads a position of a board.
pub(crate) fn read(board: &Board, text: &str) -> Result<Position> {
    Ok(match board {
        Board::Chomp(rows) => of_rows(Board::diagram(rows, text).map_err(Error::input)?),
        Board::Finite(poset) => of_ideal(poset, Board::ideal(poset, text).map_err(Error::input)?),
    })
}

/// The rows of a position of Chomp on this board.
pub(crate) fn rows<'a>(board: &Diagram, position: &'a Position) -> Result<&'a Diagram> {
    match &position.place {
        Place::Rows(rows) if rows.fits_in(board) => Ok(rows),
        _ => Err(position.of_another_kind("rows that fit on its board, such as 3,2,1")),
    }
}

/// The elements of a position of this poset.
pub(crate) fn ideal(poset: &Poset, position: &Position) -> Result<ElementSet> {
    match &position.place {
        // The text names the elements: a position of another poset is read anew, or refused.
        Place::Ideal(_) => Board::ideal(poset, position.as_str()).map_err(Error::input),
        _ => Err(position.of_another_kind("elements such as {a,b}")),
    }
}

/// The poset of a Chomp position, for the searches that know nothing of Chomp.
fn squares(position: &Diagram) -> Result<Poset> {
    let limit = crate::poset::MAX_ELEMENTS as u64;
    let too_many = StopReason::Size { what: "elements of a poset", limit };
    poset_of(&Board::Chomp(position.clone())).ok_or_else(|| too_many.into())
}

/// The rows of a set of Chomp squares.
pub(crate) fn diagram_of(poset: &Poset, position: &ElementSet) -> Diagram {
    let mut rows = vec![1_u64];
    for x in position.members() {
        let (row, column) = square(poset.name(x));
        if rows.len() < row {
            rows.resize(row, 0);
        }
        rows[row - 1] = rows[row - 1].max(column);
    }
    Diagram::new(rows).expect("an order ideal of squares is a diagram")
}

/// Row and column of a square by its name.
pub(crate) fn square(name: &str) -> (usize, u64) {
    let (row, column) = name.split_once('.').expect("squares are named row.column");
    (row.parse().expect("a row number"), column.parse().expect("a column number"))
}

/// The part of a Chomp board inside a box: rows shorter than the sizes. `None` when nothing is left.
fn boxed(board: &Diagram, sizes: &[BigUint]) -> Result<Option<Diagram>> {
    if sizes.is_empty() {
        return Ok(Some(board.clone()));
    }
    let rows = board.rows();
    let small = |size: &BigUint| size.to_u64().unwrap_or(u64::MAX);
    let sizes: Vec<u64> = match sizes {
        [all] => vec![small(all); rows.len()],
        sizes if sizes.len() == rows.len() => sizes.iter().map(small).collect(),
        sizes => {
            return Err(Error::Input(format!(
                "--box has {} sizes, the board has {} rows; give one size for each row, or one for all",
                sizes.len(),
                rows.len()
            )));
        }
    };
    if sizes.contains(&0) {
        return Ok(None);
    }
    let mut most = u64::MAX;
    let bounds = rows
        .iter()
        .zip(&sizes)
        .map(|(&row, &size)| {
            most = most.min(row).min(size - 1);
            most
        })
        .collect();
    Ok(Diagram::new(bounds).ok())
}

/// The number of P-positions of Chomp (normal play) inside a board.
fn chomp_count(board: &Diagram, ask: &Ask) -> Result<(u64, &'static str), StopReason> {
    let transposed = (board.columns() <= 4).then(|| board.transposed());
    let board = transposed.as_ref().filter(|other| other.rows().len() < board.rows().len()).unwrap_or(board);
    match *board.rows() {
        [_] => Ok((1, "one row: only the poisoned square")),
        // 1 and the pairs (q + 1, q).
        [p, q] => Ok((p.min(q + 1), "two rows: P when they differ by one")),
        [p, q_most, r] => {
            let mut count = 0;
            three_rows(p, Some(r), ask.monitor, |_, q, _| count += u64::from(q <= q_most))?;
            Ok((count, "three-row sieve"))
        }
        [a, b_most, c, d] if a <= MAX_FIRST_ROW_OF_FOUR => {
            let mut count = 0;
            four_rows(a, c, d, ask.monitor, |[_, b, _, _]| count += u64::from(b <= b_most))?;
            Ok((count, "four-row sieve"))
        }
        _ => Ok((Sieve::for_board(board, ask.monitor)?.count(), "box sieve")),
    }
}

/// The table of all positions.
pub(super) fn solve(game: &PosetKind, ask: &Ask) -> Result<Strategy> {
    ask.method_among(&[Method::Table], "poset games")?;
    let play = game.play(ask);
    match Table::new(game.board().clone(), play, ask.monitor) {
        Ok(table) => Ok(Strategy::table(table)),
        Err(why) => {
            let report = SolveReport {
                game: game.name().into(),
                play,
                form: Some("table".into()),
                proved: Standing::CLAIMED,
                size: serde_json::Map::new(),
                seconds: ask.seconds(),
                text: "not solved".into(),
            };
            Err(Error::stopped_knowing(why, &report))
        }
    }
}

/// The number of P-positions, of Chomp in a box.
pub(super) fn count(game: &PosetKind, sizes: &[BigUint], ask: &Ask) -> Result<(BigUint, String, Option<Standing>)> {
    const NONE: &str = "no position is that small";
    let (count, method) = match (game.board(), game.play(ask)) {
        (Board::Chomp(board), Play::Normal) => match boxed(board, sizes)? {
            None => (0, NONE),
            Some(board) => chomp_count(&board, ask)?,
        },
        (Board::Finite(_), _) if !sizes.is_empty() => {
            return Err(Error::input(
                "--box belongs to Chomp rows and lattice points; without it, count counts the P-positions of the whole board",
            ));
        }
        (board, play) => {
            let board = match board {
                Board::Chomp(diagram) => boxed(diagram, sizes)?.map(Board::Chomp),
                Board::Finite(_) => Some(board.clone()),
            };
            match board {
                None => (0, NONE),
                Some(board) => (Table::new(board, play, ask.monitor)?.count_p() as u64, "table of all positions"),
            }
        }
    };
    Ok((count.into(), method.into(), None))
}

impl Playable for PosetKind {
    fn kind(&self) -> &'static str {
        "poset"
    }

    fn name(&self) -> &str {
        self.game.name()
    }

    fn own_play(&self) -> Option<Play> {
        self.game.play()
    }

    fn strategy_game(&self, ask: &Ask) -> Result<(Value, Play)> {
        Ok((self.board().to_json(), self.play(ask)))
    }

    fn info(&self, written: &str, _ask: &Ask) -> Result<InfoReport> {
        let mut info = InfoReport::new(written, "poset");
        let witness = |poset: &Poset| nfree::witness(poset, &poset.all()).map(|n| n.map(|x| poset.name(x).to_owned()));
        let poset = match self.board() {
            Board::Finite(poset) => poset,
            Board::Chomp(board) => {
                let (rows, columns, squares) = (board.rows().len(), board.columns(), board.squares());
                let small = (squares <= 1000).then(|| poset_of(self.board())).flatten();
                let n = small.as_ref().and_then(witness);
                info.fact("family", "chomp").fact("rows", rows).fact("columns", columns);
                info.fact("elements", u64::try_from(squares.saturating_sub(1)).unwrap_or(u64::MAX));
                info.fact("n_free", small.as_ref().map(|_| n.is_none())).fact("forbidden_n", n);
                info.line(format!(
                    "{}: Chomp with {}, {} and {}, the poisoned one (row 1, column 1) included\nposition: row lengths, longest first, such as {}; 1 is the end",
                    self.name(),
                    counted(rows, "row", "rows"),
                    counted(columns, "column", "columns"),
                    counted(squares, "square", "squares"),
                    if squares <= 100 { board.to_string() } else { "3,2,1".into() },
                ));
                return Ok(info);
            }
        };
        let witness = witness(poset);
        let covers = poset.covers();
        let listed = poset.len() <= 200;
        info.fact("elements", poset.len()).fact("covers", covers.len()).fact("n_free", witness.is_none());
        info.fact("names", if listed { json!(poset.names()) } else { Value::Null }).fact("forbidden_n", &witness);
        info.line(format!(
            "{}: a poset with {} and {}",
            self.name(),
            counted(poset.len(), "element", "elements"),
            counted(covers.len(), "cover relation", "cover relations")
        ));
        match &witness {
            None => info.line("N-free (series-parallel): solved in polynomial time"),
            Some([a, b, c, d]) => info.line(format!("not N-free: {a} < {c} > {b} < {d} is an N")),
        };
        if listed {
            info.line(format!("elements: {}", poset.names().join(", ")));
        }
        Ok(info)
    }

    fn position(&self, text: &str) -> Result<Position> {
        read(self.board(), text)
    }

    fn start(&self) -> Result<Position> {
        match self.board() {
            Board::Chomp(board) if board.squares() <= 400 => Ok(of_rows(board.clone())),
            Board::Chomp(board) => {
                let rows = board.rows().iter().take(5).map(|&row| row.min(7)).collect();
                Diagram::new(rows).map(of_rows).map_err(Error::input)
            }
            Board::Finite(poset) => Ok(of_ideal(poset, poset.all())),
        }
    }

    fn options(&self, position: &Position) -> Result<Vec<Position>> {
        match self.board() {
            Board::Chomp(board) => {
                let rows = rows(board, position)?;
                if rows.squares() > DRAWN_SQUARES {
                    return Err(Error::Input(format!(
                        "{} squares are too many to list their bites; choose a smaller position",
                        rows.squares()
                    )));
                }
                Ok(rows.bites().filter_map(|(row, column)| rows.bitten(row, column)).map(of_rows).collect())
            }
            Board::Finite(poset) => {
                let set = ideal(poset, position)?;
                Ok(set.members().map(|x| of_ideal(poset, poset.option(&set, x))).collect())
            }
        }
    }

    fn move_names(&self, position: &Position) -> Result<Option<Vec<String>>> {
        Ok(Some(match self.board() {
            Board::Chomp(board) => {
                rows(board, position)?.bites().map(|(row, column)| format!("{row}.{column}")).collect()
            }
            Board::Finite(poset) => ideal(poset, position)?.members().map(|x| poset.name(x).to_owned()).collect(),
        }))
    }

    fn drawing(&self, position: &Position) -> Result<String> {
        match self.board() {
            Board::Chomp(board) => {
                let rows = rows(board, position)?;
                if rows.squares() > DRAWN_SQUARES {
                    return Ok(rows.to_string());
                }
                let digits = rows.rows().len().to_string().len();
                let mut text = format!(
                    "{:digits$}  {}",
                    "",
                    (1..=rows.columns()).map(|c| (c % 10).to_string()).collect::<Vec<_>>().join(" ")
                );
                for (i, &row) in rows.rows().iter().enumerate() {
                    let squares: Vec<&str> = (0..row).map(|c| if (i, c) == (0, 0) { "☠" } else { "■" }).collect();
                    let _ = write!(text, "\n{:>digits$}  {}", i + 1, squares.join(" "));
                }
                Ok(text)
            }
            Board::Finite(poset) => {
                let set = ideal(poset, position)?;
                if let Some(tree) = tree(poset, &set) {
                    return Ok(tree);
                }
                // One line for each height, the highest first; elements that are gone leave a dot.
                let mut height = vec![0_usize; poset.len()];
                for x in poset.linear_extension() {
                    for y in poset.up(x).members().filter(|&y| y != x) {
                        height[y] = height[y].max(height[x] + 1);
                    }
                }
                let levels = height.iter().max().map_or(0, |top| top + 1);
                let line = |level: usize| {
                    let names: Vec<&str> = (0..poset.len())
                        .filter(|&x| height[x] == level)
                        .map(|x| if set.contains(x) { poset.name(x) } else { "·" })
                        .collect();
                    names.join(" ")
                };
                let mut lines: Vec<String> = (0..levels).rev().map(line).collect();
                let covers: Vec<String> = poset
                    .covers()
                    .into_iter()
                    .filter(|&(x, y)| set.contains(x) && set.contains(y))
                    .map(|(x, y)| format!("{} < {}", poset.name(x), poset.name(y)))
                    .collect();
                if (1..=DRAWN_EDGES).contains(&covers.len()) {
                    lines.push(format!("({})", covers.join(", ")));
                }
                Ok(if lines.is_empty() { "(nothing left)".into() } else { lines.join("\n") })
            }
        }
    }

    fn reasons<'a>(&'a self, position: &Position, ask: &Ask) -> Result<Reasons<'a>> {
        by_options(self, position, ask)
    }

    fn rules_in_words(&self) -> String {
        match self.board() {
            Board::Chomp(_) => "Choose a square: it goes, with every square that is neither above it nor to its left. \
                                The square at row 1, column 1 is poisoned and stays to the end."
                .into(),
            Board::Finite(_) => "Choose an element: it goes, with everything above it.".into(),
        }
    }

    fn position_forms(&self) -> &'static str {
        match self.board() {
            Board::Chomp(_) => "row lengths such as 5,3,1, the longest first",
            Board::Finite(_) => "the elements that are left, such as {a,b}",
        }
    }

    fn move_forms(&self) -> &'static str {
        match self.board() {
            Board::Chomp(_) => "the square that you choose, such as 2.3 (row 2, column 3)",
            Board::Finite(_) => "the element that you choose",
        }
    }

    fn outcome(&self, position: &Position, ask: &Ask) -> Result<Found<Outcome>> {
        let play = self.play(ask);
        let (poset, set) = match self.board() {
            Board::Chomp(board) => {
                let rows = rows(board, position)?;
                if play == Play::Normal {
                    let (outcome, method) = Chomp::default().outcome(rows, ask.monitor)?;
                    return Ok(Found::by(outcome, method));
                }
                let poset = squares(rows)?;
                let all = poset.all();
                (poset, all)
            }
            Board::Finite(poset) => (poset.clone(), ideal(poset, position)?),
        };
        let mut solver = Solver::new(poset);
        let outcome = solver.outcome(&set, play, ask.monitor)?;
        Ok(Found::by(outcome, if play == Play::Normal { solver.method(&set) } else { "misère search" }))
    }

    fn grundy(&self, position: &Position, ask: &Ask) -> Result<Found<BigUint>> {
        if self.play(ask) == Play::Misere {
            return Err(Error::input(
                "Grundy values belong to normal play; ask for the outcome, or leave --play misere out",
            ));
        }
        match self.board() {
            Board::Chomp(board) => {
                let (value, method) = Chomp::default().grundy(rows(board, position)?, ask.monitor)?;
                Ok(Found::by(value.into(), method))
            }
            Board::Finite(poset) => {
                let set = ideal(poset, position)?;
                let mut solver = Solver::new(poset.clone());
                let value = solver.grundy(&set, ask.monitor)?;
                Ok(Found::by(value.into(), solver.method(&set)))
            }
        }
    }

    fn winning_moves(&self, position: &Position, ask: &Ask) -> Result<Found<Moves>> {
        let play = self.play(ask);
        match self.board() {
            Board::Chomp(board) => {
                let rows = rows(board, position)?;
                if play == Play::Normal {
                    let (moves, method) = Chomp::default().winning_moves(rows, ask.monitor)?;
                    return Ok(Found::by(Moves::all(moves.into_iter().map(of_rows).collect()), method));
                }
                let poset = squares(rows)?;
                let all = poset.all();
                let mut solver = Solver::new(poset);
                let moves = solver.winning_moves(&all, play, ask.monitor)?;
                let after = |x: usize| of_rows(diagram_of(solver.poset(), &solver.poset().option(&all, x)));
                Ok(Found::by(Moves::all(moves.into_iter().map(after).collect()), "misère search"))
            }
            Board::Finite(poset) => {
                let set = ideal(poset, position)?;
                let mut solver = Solver::new(poset.clone());
                let moves = solver.winning_moves(&set, play, ask.monitor)?;
                let method = if play == Play::Normal { solver.method(&set) } else { "misère search" };
                let after = |x: usize| of_ideal(poset, poset.option(&set, x));
                Ok(Found::by(Moves::all(moves.into_iter().map(after).collect()), method))
            }
        }
    }
}
