//! Questions and answers, without a browser.
//!
//! An answer is `{"ok": true, "report": …, "text": …}` with a report of the library and its text, or
//! `{"ok": false, "error": {"kind": …, "message": …}}` with the message of the command.

use std::collections::HashMap;
use std::fmt::Display;
use std::str::FromStr as _;
use std::time::Duration;

use impartial::game::{Claim, Scene, catalogue, sizes, verified};
use impartial::num_bigint::BigUint;
use impartial::prelude::{Ask, Error, Form, Game, Monitor, Outcome, Play, Position, Standing, Strategy};
use impartial::render::Cell;
use impartial::run::Within;
use impartial::{Known, PlotAsk};
use serde::Serialize;
use serde_json::{Value, json};

use crate::question::Question;

/// Tables take no more bytes than this: a tab of a browser has not much more.
const MEMORY: u64 = 1 << 30;
/// No more strategies than this are kept.
const KEPT: usize = 24;
/// Options of options are counted for this many options, to choose a move that prolongs the game.
const LOOK_AHEAD: usize = 400;
/// No more moves than this are listed for a page.
const LISTED: usize = 2_000;

/// Which strategy: the game as it was written, the play, the largest heap or value, the form.
type Key = (String, Play, Option<u64>, Option<String>);

/// Answers questions, and keeps the strategies that were found.
#[derive(Default)]
pub struct Desk {
    kept: HashMap<Key, Strategy>,
}

/// A position as the page plays it.
#[derive(Serialize)]
struct Table {
    game: String,
    kind: &'static str,
    play: Play,
    position: Position,
    scene: Scene,
    /// Every move, unless there are too many.
    moves: Vec<Move>,
    /// How many there are in all.
    count: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<Outcome>,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proved: Option<Standing>,
    /// The Grundy value of each heap, where there are heaps and the play is normal.
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<Vec<Value>>,
    /// The Grundy value of the position, in normal play.
    #[serde(skip_serializing_if = "Option::is_none")]
    grundy: Option<Value>,
}

/// A move of the list.
#[derive(Serialize)]
struct Move {
    to: Position,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<Outcome>,
}

/// What a text means as a game.
#[derive(Serialize)]
struct Described {
    game: String,
    name: String,
    kind: &'static str,
    play: Play,
    start: Option<Position>,
    info: Value,
    text: String,
}

impl Desk {
    /// The answer to a question.
    pub fn answer(&mut self, question: &str, monitor: &dyn Monitor) -> String {
        let answer = match serde_json::from_str::<Question>(question) {
            Ok(question) => self.ask(&question, monitor),
            Err(error) => Err(Error::Input(format!("the question is not understood: {error}"))),
        };
        answer.unwrap_or_else(|error| refusal(&error)).to_string()
    }

    fn ask(&mut self, question: &Question, monitor: &dyn Monitor) -> Result<Value, Error> {
        let limit = question.seconds.map(|seconds| Within::new(monitor, Duration::from_secs(seconds.into())));
        let ask = match &limit {
            Some(limit) => asked(question, limit).without_default_limits(),
            None => asked(question, monitor),
        };
        match question.ask.as_str() {
            "games" => games(),
            "verify" => verify(question.text()?, &ask),
            "load" => load(question.text()?, &ask),
            "prove" => prove(question.text()?, &ask),
            _ => self.of_game(question, &question.game()?, &ask),
        }
    }

    /// Questions about one game.
    fn of_game(&mut self, question: &Question, game: &Game, ask: &Ask) -> Result<Value, Error> {
        match question.ask.as_str() {
            "describe" => described(game, ask),
            "info" => info(game, ask),
            "table" => {
                let position = question.position.as_deref().map_or_else(|| game.start(), |text| game.position(text))?;
                table(game, &position, question.outcomes, ask)
            }
            "reply" => reply(game, &game.position(question.position()?)?, ask),
            "outcome" | "grundy" | "explain" | "move" => position(question, game, ask),
            "values" | "period" => values(question, game, ask),
            "count" => count(question, game, ask),
            "congruent" => congruent(question, game, ask),
            "quotient" => self.quotient(question, game, ask),
            "chains" => chains(question, game, ask),
            "solve" => Ok(answer(&self.strategy(question, game, ask)?.report(ask))),
            "file" => Ok(json!({"ok": true, "text": self.strategy(question, game, ask)?.to_text()})),
            "show" => shown(&self.strategy(question, game, ask)?, question, ask),
            "count-all" => Ok(answer(&self.strategy(question, game, ask)?.count(&box_of(question)?, ask)?)),
            "ask" => {
                let strategy = self.strategy(question, game, ask)?;
                Ok(answer(&strategy.outcome(&game.position(question.position()?)?, ask)?))
            }
            "plot" => plot(question, game, ask),
            "lattice" => Ok(json!({"ok": true, "text": game.lattice_toml(ask)?})),
            other => Err(Error::Input(format!("`{other}` is no question that the engine knows"))),
        }
    }

    /// The strategy of a game, in a form where one is asked for; found once.
    fn strategy(&mut self, question: &Question, game: &Game, ask: &Ask) -> Result<Strategy, Error> {
        let form = question.form()?;
        let key = |form: Option<Form>| -> Key {
            let written = question.game.clone().unwrap_or_default();
            (written, game.play(ask), question.max_heap.or(question.value), form.map(|form| form.to_string()))
        };
        if let Some(strategy) = self.kept.get(&key(form)) {
            return Ok(strategy.clone());
        }
        let solved = match self.kept.get(&key(None)) {
            Some(strategy) => strategy.clone(),
            None => match question.value {
                Some(value) => game.solve_up_to(value, ask)?,
                None => game.solve(ask)?,
            },
        };
        self.keep(key(None), &solved);
        let Some(wanted) = form else { return Ok(solved) };
        let converted = solved.convert(wanted, ask)?;
        self.keep(key(form), &converted);
        Ok(converted)
    }

    fn keep(&mut self, key: Key, strategy: &Strategy) {
        if self.kept.len() >= KEPT {
            self.kept.clear();
        }
        self.kept.insert(key, strategy.clone());
    }

    #[inline(never)]
    fn quotient(&mut self, question: &Question, game: &Game, ask: &Ask) -> Result<Value, Error> {
        let quotient = game.quotient(ask)?;
        // The strategy of a heap game in misère play is its quotient; that of a lattice game is another one.
        let strategy = quotient.strategy();
        let form = (game.kind() != "heap").then(|| strategy.form().to_string());
        let key = (question.game.clone().unwrap_or_default(), game.play(ask), question.max_heap, form);
        self.keep(key, strategy);
        let mut answer = answer(quotient.report());
        if let Some(why) = quotient.stopped() {
            answer["stopped"] = why.to_string().into();
        }
        Ok(answer)
    }

    /// A map of positions as bytes, which JSON would make ten times as long: four bytes for the length of the head, the head
    /// (an answer, with `columns`, `rows`, `across`, `up` and the coordinates of the first cell), then one byte a cell: 0
    /// outside, 1 defeated, 2 P, 3 N; or 4 + the Grundy value, with 255 for 251 and more.
    pub fn map(&mut self, question: &str, monitor: &dyn Monitor) -> Vec<u8> {
        let made = serde_json::from_str::<Question>(question)
            .map_err(|error| Error::Input(format!("the question is not understood: {error}")))
            .and_then(|question| question.game()?.map(&plot_of(&question), &asked(&question, monitor)));
        let (head, cells) = match made {
            Ok(map) => {
                let head = json!({"ok": true, "report": {
                    "title": map.title,
                    "columns": map.width,
                    "rows": map.cells.len() / map.width.max(1),
                    "across": map.across.0,
                    "up": map.up.0,
                    "first": [map.across.1, map.up.1],
                }});
                (head, map.cells.iter().map(byte).collect())
            }
            Err(error) => (refusal(&error), Vec::new()),
        };
        let head = head.to_string();
        let length = u32::try_from(head.len()).unwrap_or(u32::MAX).to_le_bytes();
        [&length[..], head.as_bytes(), &cells].concat()
    }
}

// Answers are functions that are not inlined: what makes one into JSON is then in the part of the engine that the question is about.

#[inline(never)]
fn games() -> Result<Value, Error> {
    Ok(answer(&catalogue::games(None)?))
}

#[inline(never)]
fn verify(text: &str, ask: &Ask) -> Result<Value, Error> {
    Ok(answer(&verified(text, ask)?))
}

/// A strategy file: what it claims, and what the independent checker says of it.
#[inline(never)]
fn load(text: &str, ask: &Ask) -> Result<Value, Error> {
    let verdict = verified(text, ask)?;
    let mut answer = answer(&verdict);
    if verdict.valid {
        let strategy = Strategy::load(text, ask)?.verify(ask)?;
        answer["strategy"] = plain(&strategy.report(ask))["report"].take();
    }
    Ok(answer)
}

#[inline(never)]
fn prove(text: &str, ask: &Ask) -> Result<Value, Error> {
    let (report, strategy) = Claim::from_text(text)?.report(ask)?;
    let mut answer = answer(&report);
    if let Some(strategy) = strategy {
        answer["file"] = strategy.to_text().into();
    }
    Ok(answer)
}

#[inline(never)]
fn info(game: &Game, ask: &Ask) -> Result<Value, Error> {
    Ok(answer(&game.info(ask)?))
}

#[inline(never)]
fn position(question: &Question, game: &Game, ask: &Ask) -> Result<Value, Error> {
    let position = game.position(question.position()?)?;
    Ok(match question.ask.as_str() {
        "outcome" => answer(&game.outcome(&position, ask)?),
        "grundy" => answer(&game.grundy(&position, ask)?),
        "explain" => answer(&game.explain(&position, ask)?),
        _ => answer(&game.winning_moves(&position, ask)?),
    })
}

#[inline(never)]
fn values(question: &Question, game: &Game, ask: &Ask) -> Result<Value, Error> {
    Ok(match question.ask.as_str() {
        "values" => answer(&game.values(question.to.unwrap_or(100), false, None, ask)?),
        _ => answer(&game.period(ask)?),
    })
}

#[inline(never)]
fn count(question: &Question, game: &Game, ask: &Ask) -> Result<Value, Error> {
    Ok(answer(&game.count(&box_of(question)?, ask)?))
}

#[inline(never)]
fn congruent(question: &Question, game: &Game, ask: &Ask) -> Result<Value, Error> {
    let [one, other] = [game.position(question.position()?)?, game.position(question.other()?)?];
    Ok(answer(&game.congruent(&one, &other, ask)?))
}

#[inline(never)]
fn chains(question: &Question, game: &Game, ask: &Ask) -> Result<Value, Error> {
    let number = |text: &String| BigUint::from_str(text.trim());
    let at = question.at.as_ref().map(number).transpose();
    let at = at.map_err(|_| Error::input("m is a natural number, such as 1000"))?;
    Ok(answer(&game.chains(question.value.unwrap_or(0), at.as_ref(), ask)?))
}

#[inline(never)]
fn shown(strategy: &Strategy, question: &Question, ask: &Ask) -> Result<Value, Error> {
    Ok(match question.syntax()? {
        Some(syntax) if question.form.is_none() => answer(&strategy.written_in(syntax, ask)?),
        syntax => answer(&strategy.show(syntax, ask)?),
    })
}

#[inline(never)]
fn plot(question: &Question, game: &Game, ask: &Ask) -> Result<Value, Error> {
    let picture = game.plot(&plot_of(question), ask)?;
    Ok(json!({"ok": true, "report": picture, "text": picture.drawing.svg()}))
}

/// One cell of a map.
fn byte(cell: &Cell) -> u8 {
    match *cell {
        Cell::Outside => 0,
        Cell::Defeated => 1,
        Cell::P | Cell::Module(_) => 2,
        Cell::N => 3,
        Cell::Value(value) => u8::try_from(value.saturating_add(4)).unwrap_or(u8::MAX),
    }
}

fn asked<'a>(question: &Question, monitor: &'a dyn Monitor) -> Ask<'a> {
    let mut ask = Ask::new().memory(MEMORY);
    if let Some(play) = question.play {
        ask = ask.play(play);
    }
    if let Some(heap) = question.max_heap {
        ask = ask.max_heap(heap);
    }
    if let Some(heap) = question.to {
        ask = ask.to(heap);
    }
    ask.monitor(monitor)
}

fn plot_of(question: &Question) -> PlotAsk {
    PlotAsk {
        sizes: question.sizes.clone(),
        slice: question.slice.clone(),
        grundy: question.grundy,
        ..PlotAsk::default()
    }
}

fn box_of(question: &Question) -> Result<Vec<BigUint>, Error> {
    match question.sizes.as_deref() {
        None => Ok(Vec::new()),
        Some(text) => sizes(text, text.split(',').count()),
    }
}

/// A report and its text.
fn answer(report: &(impl Serialize + Display)) -> Value {
    json!({"ok": true, "report": report, "text": report.to_string()})
}

/// A structure without a text of its own.
fn plain(report: &impl Serialize) -> Value {
    json!({"ok": true, "report": report})
}

/// Why there is no answer, with what is known all the same.
fn refusal(error: &Error) -> Value {
    let kind = match error {
        Error::Unsupported { .. } => "unsupported",
        Error::Stopped { .. } => "stopped",
        Error::Refused { .. } => "refused",
        _ => "input",
    };
    let mut told = json!({"kind": kind, "message": error.to_string()});
    match error {
        Error::Stopped { known: Some(known), .. } => {
            let Known { data, text, .. } = &**known;
            told["known"] = json!({"report": data, "text": text});
        }
        Error::Refused { position: Some(position), .. } => told["position"] = position.as_str().into(),
        _ => {}
    }
    json!({"ok": false, "error": told})
}

#[inline(never)]
fn described(game: &Game, ask: &Ask) -> Result<Value, Error> {
    let info = game.info(ask)?;
    Ok(plain(&Described {
        game: game.written().to_owned(),
        name: game.name().to_owned(),
        kind: game.kind(),
        play: game.play(ask),
        start: game.start().ok(),
        text: info.to_string(),
        info: serde_json::to_value(info).unwrap_or_default(),
    }))
}

/// A position with its moves; with outcomes where they are wanted.
#[inline(never)]
fn table(game: &Game, position: &Position, outcomes: bool, ask: &Ask) -> Result<Value, Error> {
    let options = game.options(position)?;
    let count = options.len();
    let names = match game.move_names(position)? {
        Some(names) if names.len() == count => names.into_iter().map(Some).collect(),
        _ => vec![None; count],
    };
    let found = if outcomes { Some((game.outcome(position, ask)?, game.winning_moves(position, ask)?)) } else { None };
    let is_p = |option: &Position| found.as_ref().map(|(_, winning)| Outcome::p_if(winning.moves.contains(option)));
    let moves = options.into_iter().zip(names).take(LISTED).map(|(to, name)| Move { outcome: is_p(&to), to, name });
    let normal = outcomes && game.play(ask) == Play::Normal;
    let grundy = |position: &Position| game.grundy(position, ask).ok().map(|report| json!(report.grundy));
    let heap_value = |heap: &BigUint| grundy(&game.position(&heap.to_string()).ok()?);
    let values = match position.heaps() {
        Some(heaps) if normal && game.kind() == "heap" => heaps.iter().map(heap_value).collect(),
        _ => None,
    };
    Ok(plain(&Table {
        game: game.written().to_owned(),
        kind: game.kind(),
        play: game.play(ask),
        scene: game.scene(position)?,
        moves: moves.collect(),
        count,
        values,
        grundy: if normal { grundy(position) } else { None },
        outcome: found.as_ref().map(|(report, _)| report.outcome),
        method: found.as_ref().map(|(report, _)| report.method.clone()),
        proved: found.as_ref().and_then(|(report, _)| report.proved),
        position: position.clone(),
    }))
}

/// What the perfect player does.
#[derive(Serialize)]
struct Reply {
    /// Where the move leads; none when there is no move.
    to: Option<Position>,
    /// Whether it is a winning move.
    wins: bool,
}

/// A winning move if there is one, else the option that leaves most moves: it prolongs the game.
#[inline(never)]
fn reply(game: &Game, position: &Position, ask: &Ask) -> Result<Value, Error> {
    if let Some(best) = game.winning_moves(position, ask)?.moves.into_iter().next() {
        return Ok(plain(&Reply { to: Some(best), wins: true }));
    }
    let mut longest: Option<(usize, Position)> = None;
    for option in game.options(position)?.into_iter().rev().take(LOOK_AHEAD) {
        let moves = game.options(&option)?.len();
        if longest.as_ref().is_none_or(|(most, _)| moves > *most) {
            longest = Some((moves, option));
        }
    }
    Ok(plain(&Reply { to: longest.map(|(_, option)| option), wins: false }))
}
