//! Poset games: Chomp, divisors, subsets, Nim, trees, and any poset file.

use std::fmt::Write as _;

use impartial::outcome::{Outcome, Play};
use impartial::poset::{Board, Diagram, ElementSet, Poset, PosetGame, Words as _};
use impartial::solve::poset::chomp::{Chomp, Sieve, three_rows};
use impartial::solve::poset::{Solver, nfree};
use impartial::strategy::{Table, poset_of};
use semilinear::run::StopReason;
use serde_json::{Value, json};

use super::{Family, poset_plot};
use crate::args;
use crate::context::Context;
use crate::files;
use crate::raster;
use crate::report::{Answer, Failure, Report, bad_input};

/// Squares that `play` draws and lists moves for.
const DRAWN_SQUARES: u128 = 2_000;

/// A poset game.
pub struct PosetFamily {
    game: PosetGame,
}

impl PosetFamily {
    /// `chomp:4x7`, `divisors:360`, …; `None` for other notations.
    pub fn from_notation(text: &str) -> Option<Result<Self, Failure>> {
        let game = PosetGame::from_notation(text)?;
        Some(match game {
            Ok(game) => Ok(Self { game }),
            Err(error) => Err(bad_input(format!("GAME {error}"))),
        })
    }

    /// A game file with `kind = "poset"`.
    pub fn from_file(path: &str, text: &str) -> Result<Self, Failure> {
        let game = PosetGame::from_toml(path, text).map_err(|error| bad_input(format!("{path}: {error}")))?;
        Ok(Self { game })
    }

    fn play(&self, cx: &Context) -> Play {
        cx.play(self.game.play())
    }

    /// The poset of a Chomp position, for the searches that know nothing of Chomp.
    fn squares(position: &Diagram) -> Result<Poset, Failure> {
        let limit = impartial::poset::MAX_ELEMENTS as u64;
        poset_of(&Board::Chomp(position.clone()))
            .ok_or(Failure::Stopped(StopReason::Size { what: "elements of a poset", limit }))
    }

    /// The part of a Chomp board inside `--box`: rows shorter than the sizes. `None` when nothing is left.
    fn boxed(board: &Diagram, sizes: &str) -> Result<Option<Diagram>, Failure> {
        if sizes.is_empty() {
            return Ok(Some(board.clone()));
        }
        let sizes = sizes
            .split(',')
            .map(|size| crate::number::size(size.trim()))
            .collect::<Result<Vec<u64>, String>>()
            .map_err(|error| bad_input(format!("--box {sizes}: {error}; give one size for each row, such as 5,5,5")))?;
        let rows = board.rows();
        let sizes = match sizes.len() {
            1 => vec![sizes[0]; rows.len()],
            n if n == rows.len() => sizes,
            n => {
                return Err(bad_input(format!(
                    "--box has {n} sizes, the board has {} rows; give one size for each row, or one for all",
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
}

/// The rows of a set of Chomp squares.
pub fn diagram_of(poset: &Poset, position: &ElementSet) -> Diagram {
    let mut rows = vec![1_u64];
    for x in position.members() {
        let (row, column) = poset.name(x).split_once('.').expect("squares are named row.column");
        let (row, column): (usize, u64) =
            (row.parse().expect("a row number"), column.parse().expect("a column number"));
        if rows.len() < row {
            rows.resize(row, 0);
        }
        rows[row - 1] = rows[row - 1].max(column);
    }
    Diagram::new(rows).expect("an order ideal of squares is a diagram")
}

/// The number of P-positions of Chomp (normal play) inside a board.
fn chomp_count(board: &Diagram, cx: &Context) -> Result<(u64, &'static str), StopReason> {
    let transposed = (board.columns() <= 3).then(|| board.transposed());
    let board = transposed.as_ref().filter(|other| other.rows().len() < board.rows().len()).unwrap_or(board);
    match *board.rows() {
        [_] => Ok((1, "one row: only the poisoned square")),
        // 1 and the pairs (q + 1, q).
        [p, q] => Ok((p.min(q + 1), "two rows: P when they differ by one")),
        [p, q_most, r] => {
            let mut count = 0;
            three_rows(p, Some(r), cx, |_, q, _| count += u64::from(q <= q_most))?;
            Ok((count, "three-row sieve"))
        }
        _ => Ok((Sieve::for_board(board, cx)?.count(), "box sieve")),
    }
}

impl Family for PosetFamily {
    fn kind(&self) -> &'static str {
        "poset"
    }

    fn name(&self) -> String {
        self.game.name().to_owned()
    }

    fn own_play(&self) -> Option<Play> {
        self.game.play()
    }

    fn game_json(&self) -> Value {
        self.game.board().to_json()
    }

    fn info(&self, _cx: &Context, args: &args::InfoArgs) -> Answer {
        let poset = match self.game.board() {
            Board::Finite(poset) => poset.clone(),
            Board::Chomp(board) => {
                let (rows, columns, squares) = (board.rows().len(), board.columns(), board.squares());
                let small = (squares <= 1000).then(|| poset_of(self.game.board())).flatten();
                let n = small
                    .as_ref()
                    .and_then(|poset| nfree::witness(poset, &poset.all()).map(|n| n.map(|x| poset.name(x).to_owned())));
                let json = json!({
                    "game": args.game, "kind": "poset", "family": "chomp", "rows": rows, "columns": columns,
                    "elements": squares.saturating_sub(1).to_string().parse::<u64>().unwrap_or(u64::MAX),
                    "n_free": small.as_ref().map(|_| n.is_none()), "forbidden_n": n,
                });
                let text = format!(
                    "{}: Chomp with {rows} rows, {columns} columns and {squares} squares, the poisoned one (row 1, column 1) included\nposition: row lengths, longest first, such as {}; 1 is the end",
                    self.name(),
                    if squares <= 100 { board.to_string() } else { "3,2,1".into() },
                );
                return Ok(Report::new(json, text));
            }
        };
        let witness = nfree::witness(&poset, &poset.all()).map(|n| n.map(|x| poset.name(x).to_owned()));
        let covers = poset.covers();
        let listed = poset.len() <= 200;
        let json = json!({
            "game": args.game,
            "kind": "poset",
            "elements": poset.len(),
            "names": if listed { json!(poset.names()) } else { Value::Null },
            "covers": covers.len(),
            "n_free": witness.is_none(),
            "forbidden_n": witness,
        });
        let mut text =
            format!("{}: a poset with {} elements and {} cover relations", self.name(), poset.len(), covers.len());
        match &witness {
            None => text.push_str("\nN-free (series-parallel): solved in polynomial time"),
            Some([a, b, c, d]) => {
                let _ = write!(text, "\nnot N-free: {a} < {c} > {b} < {d} is an N");
            }
        }
        if listed {
            let _ = write!(text, "\nelements: {}", poset.names().join(", "));
        }
        Ok(Report::new(json, text))
    }

    fn grundy(&self, cx: &Context, position: &str) -> Result<(String, String), Failure> {
        if self.play(cx) == Play::Misere {
            return Err(bad_input(
                "Grundy values belong to normal play; ask for the outcome, or leave --play misere out",
            ));
        }
        let (value, method) = match self.game.board() {
            Board::Chomp(board) => {
                let position = Board::diagram(board, position).map_err(bad_input)?;
                Chomp::default().grundy(&position, cx)?
            }
            Board::Finite(poset) => {
                let position = Board::ideal(poset, position).map_err(bad_input)?;
                let mut solver = Solver::new(poset.clone());
                (solver.grundy(&position, cx)?, solver.method(&position))
            }
        };
        Ok((value.to_string(), method.to_owned()))
    }

    fn outcome(&self, cx: &Context, position: &str) -> Result<(Outcome, String), Failure> {
        let play = self.play(cx);
        let (poset, position) = match self.game.board() {
            Board::Chomp(board) => {
                let position = Board::diagram(board, position).map_err(bad_input)?;
                if play == Play::Normal {
                    let (outcome, method) = Chomp::default().outcome(&position, cx)?;
                    return Ok((outcome, method.to_owned()));
                }
                let poset = Self::squares(&position)?;
                let all = poset.all();
                (poset, all)
            }
            Board::Finite(poset) => (poset.clone(), Board::ideal(poset, position).map_err(bad_input)?),
        };
        let mut solver = Solver::new(poset);
        let outcome = solver.outcome(&position, play, cx)?;
        let method = if play == Play::Normal { solver.method(&position) } else { "misère search" };
        Ok((outcome, method.to_owned()))
    }

    fn winning_moves(&self, cx: &Context, position: &str) -> Result<(Vec<String>, String), Failure> {
        let play = self.play(cx);
        match self.game.board() {
            Board::Chomp(board) => {
                let position = Board::diagram(board, position).map_err(bad_input)?;
                if play == Play::Normal {
                    let (moves, method) = Chomp::default().winning_moves(&position, cx)?;
                    return Ok((moves.iter().map(ToString::to_string).collect(), method.to_owned()));
                }
                let poset = Self::squares(&position)?;
                let all = poset.all();
                let mut solver = Solver::new(poset);
                let moves = solver.winning_moves(&all, play, cx)?;
                let after = |x: usize| diagram_of(solver.poset(), &solver.poset().option(&all, x)).to_string();
                Ok((moves.into_iter().map(after).collect(), "misère search".into()))
            }
            Board::Finite(poset) => {
                let position = Board::ideal(poset, position).map_err(bad_input)?;
                let mut solver = Solver::new(poset.clone());
                let moves = solver.winning_moves(&position, play, cx)?;
                let method = if play == Play::Normal { solver.method(&position) } else { "misère search" };
                let after = |x: usize| Board::notation(poset, &poset.option(&position, x));
                Ok((moves.into_iter().map(after).collect(), method.to_owned()))
            }
        }
    }

    fn solve(&self, cx: &Context, args: &args::SolveArgs) -> Answer {
        if args.method.as_ref().is_some_and(|method| method != "table") {
            return Err(bad_input("--method: a poset game is solved by \"table\"; leave the option out"));
        }
        let play = self.play(cx);
        let table = match Table::new(self.game.board().clone(), play, cx) {
            Ok(table) => table,
            Err(why) => {
                let json = json!({"game": args.game, "form": "table", "proved": false, "seconds": cx.seconds()});
                return Ok(Report::new(json, "not solved").stopped(why));
            }
        };
        if let Some(path) = &args.output {
            files::write(path, table.to_envelope().to_text().as_bytes())?;
        }
        let (positions, p) = (table.positions(), table.count_p());
        let json = json!({
            "game": args.game, "form": "table", "proved": true, "states": positions, "positions": positions,
            "p_positions": p, "file": args.output, "seconds": cx.seconds(),
        });
        let text = format!("solved by a table of {positions} positions ({play} play), {p} of them P-positions");
        Ok(Report::new(json, text))
    }

    fn count(&self, cx: &Context, args: &args::CountArgs) -> Answer {
        let (count, method) = match (self.game.board(), self.play(cx)) {
            (Board::Chomp(board), Play::Normal) => match Self::boxed(board, &args.sizes)? {
                None => (0, "no position is that small"),
                Some(board) => chomp_count(&board, cx)?,
            },
            (Board::Finite(_), _) if !args.sizes.is_empty() => {
                return Err(bad_input(
                    "--box belongs to Chomp rows and lattice points; without it, count counts the P-positions of the whole board",
                ));
            }
            (board, play) => {
                let board = match board {
                    Board::Chomp(diagram) => Self::boxed(diagram, &args.sizes)?.map(Board::Chomp),
                    Board::Finite(_) => Some(board.clone()),
                };
                match board {
                    None => (0, "no position is that small"),
                    Some(board) => (Table::new(board, play, cx)?.count_p() as u64, "table of all positions"),
                }
            }
        };
        let json = json!({"game": args.game, "count": count, "box": args.sizes, "method": method});
        Ok(Report::new(json, count.to_string()))
    }

    fn plot(&self, cx: &Context, args: &args::PlotArgs) -> Answer {
        let (drawing, what) = match self.game.board() {
            Board::Chomp(board) if board.rows().len() == 3 => poset_plot::three_rows(cx, board, args)?,
            board => poset_plot::hasse(board, args)?,
        };
        files::write(&args.output, &raster::picture(&args.output, &drawing)?)?;
        let json = json!({"game": args.game, "file": args.output, "shows": what});
        Ok(Report::new(json, if args.output == "-" { String::new() } else { format!("wrote {}: {what}", args.output) }))
    }

    fn options(&self, position: &str) -> Result<Vec<String>, Failure> {
        match self.game.board() {
            Board::Chomp(board) => {
                let position = Board::diagram(board, position).map_err(bad_input)?;
                if position.squares() > DRAWN_SQUARES {
                    return Err(bad_input(format!(
                        "{} squares are too many to list their bites; choose a smaller position",
                        position.squares()
                    )));
                }
                Ok(position
                    .bites()
                    .filter_map(|(row, column)| position.bitten(row, column))
                    .map(|after| after.to_string())
                    .collect())
            }
            Board::Finite(poset) => {
                let position = Board::ideal(poset, position).map_err(bad_input)?;
                Ok(position.members().map(|x| Board::notation(poset, &poset.option(&position, x))).collect())
            }
        }
    }

    fn move_names(&self, position: &str) -> Result<Option<Vec<String>>, Failure> {
        Ok(Some(match self.game.board() {
            Board::Chomp(board) => {
                let position = Board::diagram(board, position).map_err(bad_input)?;
                position.bites().map(|(row, column)| format!("{row}.{column}")).collect()
            }
            Board::Finite(poset) => {
                let position = Board::ideal(poset, position).map_err(bad_input)?;
                position.members().map(|x| poset.name(x).to_owned()).collect()
            }
        }))
    }

    fn canonical(&self, position: &str) -> Result<String, Failure> {
        Ok(match self.game.board() {
            Board::Chomp(board) => Board::diagram(board, position).map_err(bad_input)?.to_string(),
            Board::Finite(poset) => Board::notation(poset, &Board::ideal(poset, position).map_err(bad_input)?),
        })
    }

    fn drawing(&self, position: &str) -> Result<String, Failure> {
        match self.game.board() {
            Board::Chomp(board) => {
                let position = Board::diagram(board, position).map_err(bad_input)?;
                if position.squares() > DRAWN_SQUARES {
                    return Ok(position.to_string());
                }
                let digits = position.rows().len().to_string().len();
                let mut text = format!(
                    "{:digits$}  {}",
                    "",
                    (1..=position.columns()).map(|c| (c % 10).to_string()).collect::<Vec<_>>().join(" ")
                );
                for (i, &row) in position.rows().iter().enumerate() {
                    let squares: Vec<&str> = (0..row).map(|c| if (i, c) == (0, 0) { "☠" } else { "■" }).collect();
                    let _ = write!(text, "\n{:>digits$}  {}", i + 1, squares.join(" "));
                }
                Ok(text)
            }
            Board::Finite(poset) => {
                let set = Board::ideal(poset, position).map_err(bad_input)?;
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
                let lines: Vec<String> = (0..levels).rev().map(line).collect();
                Ok(if lines.is_empty() { "(nothing left)".into() } else { lines.join("\n") })
            }
        }
    }

    fn start(&self) -> Result<String, Failure> {
        match self.game.board() {
            Board::Chomp(board) if board.squares() <= 400 => Ok(board.to_string()),
            Board::Chomp(board) => {
                let rows = board.rows().iter().take(5).map(|&row| row.min(7)).collect();
                Diagram::new(rows).map(|diagram| diagram.to_string()).map_err(bad_input)
            }
            Board::Finite(poset) => Ok(Board::notation(poset, &poset.all())),
        }
    }
}
