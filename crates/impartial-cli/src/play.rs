//! `play`: a game against the perfect player, in characters.

use std::io::{BufRead as _, Write as _};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use impartial::game::Move;
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

const HELP: &str = "  \
moves    list every move            hint   what the perfect player would do
  explain  why this position is won or lost
  rules    the rules again            undo   take your move back
  help     this list                  quit   stop";

/// `play`.
pub fn play(cx: &Context, args: &PlayArgs) -> Answer {
    let game = game(&args.game)?;
    let start = match &args.position {
        Some(text) => crate::commands::position(&game, text)?,
        None => game.start()?,
    };
    // A bad position is told before the game begins.
    game.options(&start)?;
    // A bar would run through the lines that are typed.
    cx.hide_progress();
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

    /// The rules, and how a game ends.
    fn rules(&self) -> String {
        let end = match self.play {
            Play::Normal => "Normal play: who cannot move loses.",
            Play::Misere => "Misère play: who cannot move wins, so who makes the last move loses.",
        };
        let title = self.game.entry().map_or_else(|| self.game.name().to_owned(), |entry| entry.title);
        format!("{title}. {}\n{end}", self.game.rules_in_words())
    }

    /// Plays from the last position of `history` to the end; `human` is to move first.
    fn sit(&self, history: &mut Vec<Position>, mut human: bool) -> Result<End, Quit> {
        let begins = if human { "You begin." } else { "I begin." };
        self.say(&format!("{}\n{begins} Type help for help.", self.rules()))?;
        loop {
            let position = history.last().expect("the start is never taken back").clone();
            let moves = self.game.moves(&position)?;
            if moves.is_empty() {
                self.say(&format!("\n{}\n", self.game.drawing(&position)?))?;
                let mover_wins = self.play == Play::Misere;
                let who = if human { "You cannot move." } else { "I cannot move." };
                self.say(who)?;
                return Ok(if human == mover_wins { End::Won } else { End::Lost });
            }
            if human {
                self.show(&position, &moves)?;
                match self.ask(&position, &moves)? {
                    Choice::Move(next) => {
                        let words = moves.iter().find(|found| found.to == next).map_or("", |found| &found.words);
                        self.say(&format!("You {words}: {next}."))?;
                        history.push(next);
                    }
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
                let next = self.reply(&position, &moves)?;
                self.say(&format!("I {}: {}.", next.words, next.to))?;
                history.push(next.to);
            }
            human = !human;
        }
    }

    fn show(&self, position: &Position, moves: &[Move]) -> Result<(), Quit> {
        self.say(&format!("\n{}\n", self.game.drawing(position)?))?;
        if moves.len() <= SHORT_LIST {
            self.list(moves)?;
        }
        Ok(())
    }

    fn list(&self, moves: &[Move]) -> Result<(), Quit> {
        let lines: Vec<String> =
            (1..).zip(moves).map(|(i, found)| format!("  #{i}  {}: {}", found.words, found.to)).collect();
        Ok(self.say(&lines.join("\n"))?)
    }

    fn ask(&self, position: &Position, moves: &[Move]) -> Result<Choice, Quit> {
        loop {
            self.say("Your move:")?;
            let Some(line) = self.line()? else { return Ok(Choice::Quit) };
            let line = line.trim();
            match line.to_lowercase().as_str() {
                "" => {}
                "quit" | "q" | "exit" => return Ok(Choice::Quit),
                "undo" | "u" => return Ok(Choice::Undo),
                "hint" | "h" => self.say(&self.hint(position)?)?,
                "explain" | "why" => self.say(&self.explained(position)?)?,
                "rules" => self.say(&self.rules())?,
                "moves" | "list" => self.list(moves)?,
                "help" | "?" => self.say(&format!(
                    "Type the position that your move leads to ({}),\nor {}.\n{HELP}",
                    self.game.position_forms(),
                    self.game.move_forms()
                ))?,
                _ => match self.game.read_move(position, line) {
                    Ok(next) => return Ok(Choice::Move(next)),
                    Err(complaint) => self.say(&complaint.to_string())?,
                },
            }
        }
    }

    /// Every winning move, or `None` when they cannot be found within the limits.
    fn winning_moves(&self, position: &Position) -> Result<Option<Vec<Position>>, Quit> {
        match self.game.winning_moves(position, &self.cx.ask()) {
            Ok(report) => Ok(Some(report.moves)),
            Err(Error::Stopped { why: StopReason::Size { .. } | StopReason::Memory, .. }) => Ok(None),
            Err(failure) => Err(failure.into()),
        }
    }

    fn explained(&self, position: &Position) -> Result<String, Quit> {
        match self.game.explain(position, &self.cx.ask()) {
            Ok(why) => Ok(why.to_string()),
            Err(Error::Stopped { why: StopReason::Size { .. } | StopReason::Memory, .. }) => {
                Ok("This position is too large to be seen through.".into())
            }
            Err(failure) => Err(failure.into()),
        }
    }

    fn hint(&self, position: &Position) -> Result<String, Quit> {
        let Some(moves) = self.winning_moves(position)? else {
            return Ok("This position is too large to be seen through.".into());
        };
        let value = match (self.play, self.game.grundy(position, &self.cx.ask())) {
            (Play::Normal, Ok(report)) => format!(" Its Grundy value is {}.", report.grundy),
            _ => String::new(),
        };
        if moves.is_empty() {
            return Ok(format!("This is a P-position: no move wins against perfect play.{value}"));
        }
        let all = self.game.moves(position)?;
        let words = |option: &Position| {
            let words = all.iter().find(|found| found.to == *option).map_or("", |found| &found.words);
            format!("{words} ({option})")
        };
        let shown: Vec<String> = moves.iter().take(8).map(words).collect();
        let more = if moves.len() > 8 { format!(" and {} more", moves.len() - 8) } else { String::new() };
        Ok(format!("This is an N-position.{value} To win, {}{more}.", shown.join(" or ")))
    }

    /// A winning move if there is one, else the option that leaves most moves: it prolongs the game.
    fn reply(&self, position: &Position, moves: &[Move]) -> Result<Move, Quit> {
        let best = self.winning_moves(position)?.and_then(|moves| moves.into_iter().next());
        if let Some(found) = best.and_then(|best| moves.iter().find(|found| found.to == best)) {
            return Ok(found.clone());
        }
        let mut longest = (0, &moves[0]);
        for found in moves.iter().rev().take(LOOK_AHEAD) {
            let options = self.game.options(&found.to)?.len();
            if options > longest.0 {
                longest = (options, found);
            }
        }
        Ok(longest.1.clone())
    }
}

enum Choice {
    Move(Position),
    Undo,
    Quit,
}
