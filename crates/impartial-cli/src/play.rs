//! `play`: a game against the perfect player, in characters.

use std::io::{BufRead as _, Write as _};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use impartial::outcome::Play;
use impartial::{Error, Game, Position};
use semilinear::run::{Monitor as _, StopReason};

use crate::args::PlayArgs;
use crate::commands::game;
use crate::context::Context;
use crate::report::{Answer, Report};

/// A list of options no longer than this is shown with every position.
const SHORT_LIST: usize = 12;
/// Options of options are counted for this many options, to choose a move that prolongs the game.
const LOOK_AHEAD: usize = 400;

const HELP: &str = "\
Type the position you move to, or #2 for the second move of the list (or 2, where that is no position);
in a poset game the element you choose, in Chomp the square row.column.
  moves   list every move        hint   what the perfect player would do
  undo    take your move back    quit   stop";

/// `play`.
pub fn play(cx: &Context, args: &PlayArgs) -> Answer {
    let game = game(&args.game)?;
    let start = match &args.position {
        Some(position) => game.position(position)?,
        None => game.start()?,
    };
    // A bad position is told before the game begins.
    game.options(&start)?;
    let table =
        Table { cx, play: game.play(&cx.ask()), game: &game, lines: lines_of_stdin(), to_stderr: cx.wants_json() };
    let mut history = vec![start.clone()];
    let ended = match table.sit(&mut history, !args.second) {
        Ok(ended) => ended,
        // Nobody reads any more: that is success, like everywhere else.
        Err(Quit::Closed) => End::Left,
        Err(Quit::Failure(failure)) => return Err(failure),
    };
    let (winner, text) = match ended {
        End::Won => (Some("you"), "You win."),
        End::Lost => (Some("computer"), "I win."),
        End::Left => (None, "Good bye."),
    };
    let positions: Vec<String> = history.iter().map(ToString::to_string).collect();
    Ok(Report::default()
        .with("game", args.game.as_str())
        .with("play", table.play.to_string())
        .with("start", start.as_str())
        .with("positions", positions)
        .with("winner", winner)
        .said(text))
}

enum End {
    Won,
    Lost,
    Left,
}

enum Quit {
    Closed,
    Failure(Error),
}

impl From<Error> for Quit {
    fn from(failure: Error) -> Self {
        Self::Failure(failure)
    }
}

impl From<std::io::Error> for Quit {
    fn from(_: std::io::Error) -> Self {
        Self::Closed
    }
}

/// Lines are read by a thread of their own, so that Ctrl-C and limits are heard while nobody types.
fn lines_of_stdin() -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines() {
            let Ok(line) = line else { break };
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    receiver
}

struct Table<'a> {
    cx: &'a Context,
    game: &'a Game,
    play: Play,
    lines: Receiver<String>,
    /// With `--json` only the result goes to standard output.
    to_stderr: bool,
}

impl Table<'_> {
    fn say(&self, text: &str) -> Result<(), std::io::Error> {
        if self.to_stderr {
            return writeln!(std::io::stderr(), "{text}");
        }
        let mut out = std::io::stdout().lock();
        writeln!(out, "{text}")?;
        out.flush()
    }

    /// The next line; `None` when the input has ended.
    fn line(&self) -> Result<Option<String>, Error> {
        loop {
            match self.lines.recv_timeout(Duration::from_millis(50)) {
                Ok(line) => return Ok(Some(line)),
                Err(RecvTimeoutError::Disconnected) => {
                    // The terminal closes the input of an interrupted game too.
                    self.cx.check(0, None)?;
                    return Ok(None);
                }
                Err(RecvTimeoutError::Timeout) => self.cx.check(0, None)?,
            }
        }
    }

    /// Plays from the last position of `history` to the end; `human` is to move first.
    fn sit(&self, history: &mut Vec<Position>, mut human: bool) -> Result<End, Quit> {
        let (name, rule) = match self.play {
            Play::Normal => ("normal", "who cannot move loses"),
            Play::Misere => ("misère", "who cannot move wins"),
        };
        let begins = if human { "You begin." } else { "I begin." };
        self.say(&format!("{} in {name} play: {rule}. {begins} Type help for help.", self.game.name()))?;
        loop {
            let position = history.last().expect("the start is never taken back").clone();
            let options = self.moves(&position)?;
            if options.is_empty() {
                self.say(&format!("\n{}\n", self.game.drawing(&position)?))?;
                let mover_wins = self.play == Play::Misere;
                let who = if human { "You cannot move." } else { "I cannot move." };
                self.say(who)?;
                return Ok(if human == mover_wins { End::Won } else { End::Lost });
            }
            if human {
                self.show(&position, &options)?;
                match self.ask(&position, &options)? {
                    Choice::Move(next) => history.push(next),
                    Choice::Undo if history.len() > 2 => {
                        history.truncate(history.len() - 2);
                        continue;
                    }
                    Choice::Undo => {
                        self.say("There is nothing to take back.")?;
                        continue;
                    }
                    Choice::Quit => return Ok(End::Left),
                }
            } else {
                let next = self.reply(&position, &options)?;
                match &next.name {
                    Some(name) => self.say(&format!("I choose {name}, which leaves {}", next.option))?,
                    None => self.say(&format!("I move to {}", next.option))?,
                }
                history.push(next.option);
            }
            human = !human;
        }
    }

    /// Every move of a position.
    fn moves(&self, position: &Position) -> Result<Vec<Move>, Quit> {
        let options = self.game.options(position)?;
        let names = match self.game.move_names(position)? {
            Some(names) if names.len() == options.len() => names.into_iter().map(Some).collect(),
            _ => vec![None; options.len()],
        };
        Ok(options.into_iter().zip(names).map(|(option, name)| Move { name, option }).collect())
    }

    fn show(&self, position: &Position, options: &[Move]) -> Result<(), Quit> {
        self.say(&format!("\n{}\n", self.game.drawing(position)?))?;
        if options.len() <= SHORT_LIST {
            self.list(options)?;
        }
        Ok(())
    }

    fn list(&self, options: &[Move]) -> Result<(), Quit> {
        let lines: Vec<String> = (1..).zip(options).map(|(i, option)| format!("  #{i}  {option}")).collect();
        Ok(self.say(&lines.join("\n"))?)
    }

    fn ask(&self, position: &Position, options: &[Move]) -> Result<Choice, Quit> {
        loop {
            self.say("Your move:")?;
            let Some(line) = self.line()? else { return Ok(Choice::Quit) };
            let line = line.trim();
            match line.to_lowercase().as_str() {
                "" => continue,
                "quit" | "q" | "exit" => return Ok(Choice::Quit),
                "undo" | "u" => return Ok(Choice::Undo),
                "hint" | "h" => {
                    self.say(&self.hint(position, options)?)?;
                    continue;
                }
                "moves" | "list" => {
                    self.list(options)?;
                    continue;
                }
                "help" | "?" => {
                    self.say(HELP)?;
                    continue;
                }
                _ => {}
            }
            match self.choice(line, options) {
                Ok(next) => return Ok(Choice::Move(next)),
                Err(complaint) => self.say(&complaint)?,
            }
        }
    }

    /// The option that a text means, or a complaint.
    fn choice(&self, text: &str, options: &[Move]) -> Result<Position, String> {
        let numbered = |digits: &str| {
            let place = digits.trim().parse::<usize>().ok().and_then(|i| i.checked_sub(1));
            place.and_then(|i| options.get(i)).map(|choice| choice.option.clone())
        };
        if let Some(digits) = text.strip_prefix('#') {
            return numbered(digits).ok_or_else(|| format!("There is no move {text}; the list has {}.", options.len()));
        }
        // The name of a move comes before the number of one: the divisor 6 is not the sixth move.
        let inside = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
        let square = inside.map(|text| text.replace(' ', "").replace(',', "."));
        let by_name = |name: &String| name == text || Some(name) == square.as_ref();
        if let Some(choice) = options.iter().find(|choice| choice.name.as_ref().is_some_and(by_name)) {
            return Ok(choice.option.clone());
        }
        let named = options.iter().any(|choice| choice.name.is_some());
        let numbered = |text: &str| if named { None } else { numbered(text) };
        let canonical = match self.game.position(text) {
            Ok(canonical) => canonical,
            Err(error) => return numbered(text).ok_or_else(|| error.to_string()),
        };
        if options.iter().any(|choice| choice.option == canonical) {
            return Ok(canonical);
        }
        numbered(text).ok_or_else(|| format!("No move leads to {canonical}; type moves for the list."))
    }

    /// Every winning move, or `None` when they cannot be found within the limits.
    fn winning_moves(&self, position: &Position) -> Result<Option<Vec<Position>>, Quit> {
        match self.game.winning_moves(position, &self.cx.ask()) {
            Ok(report) => Ok(Some(report.moves)),
            Err(Error::Stopped { why: StopReason::Size { .. } | StopReason::Memory, .. }) => Ok(None),
            Err(failure) => Err(failure.into()),
        }
    }

    fn hint(&self, position: &Position, options: &[Move]) -> Result<String, Quit> {
        let Some(moves) = self.winning_moves(position)? else {
            return Ok("This position is too large to be seen through.".into());
        };
        let value = match (self.play, self.game.grundy(position, &self.cx.ask())) {
            (Play::Normal, Ok(report)) => format!(" Its Grundy value is {}.", report.grundy),
            _ => String::new(),
        };
        Ok(if moves.is_empty() {
            format!("This is a P-position: no move wins against perfect play.{value}")
        } else {
            let shown: Vec<String> = moves
                .iter()
                .take(8)
                .map(|option| match options.iter().find(|choice| choice.option == *option) {
                    Some(Move { name: Some(name), .. }) => format!("{option} (choose {name})"),
                    _ => option.to_string(),
                })
                .collect();
            let more = if moves.len() > 8 { format!(" and {} more", moves.len() - 8) } else { String::new() };
            format!("This is an N-position.{value} Move to the P-position {}{more}.", shown.join(" or "))
        })
    }

    /// A winning move if there is one, else the option that leaves most moves: it prolongs the game.
    fn reply(&self, position: &Position, options: &[Move]) -> Result<Move, Quit> {
        if let Some(best) = self.winning_moves(position)?.and_then(|moves| moves.into_iter().next()) {
            let named = options.iter().find(|choice| choice.option == best).cloned();
            return Ok(named.unwrap_or(Move { name: None, option: best }));
        }
        let mut longest = (0, &options[0]);
        for option in options.iter().rev().take(LOOK_AHEAD) {
            let moves = self.game.options(&option.option)?.len();
            if moves > longest.0 {
                longest = (moves, option);
            }
        }
        Ok(longest.1.clone())
    }
}

/// A move: its name, where it has one, and where it leads.
#[derive(Clone)]
struct Move {
    name: Option<String>,
    option: Position,
}

impl std::fmt::Display for Move {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.name {
            Some(name) => write!(f, "{name}  leaves {}", self.option),
            None => write!(f, "{}", self.option),
        }
    }
}

enum Choice {
    Move(Position),
    Undo,
    Quit,
}
