//! Lattice games with rays, and Wythoff's game among them.

use crate::game::words::counted;
use std::fmt::Write as _;

use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive as _;
use semilinear::numeration::System;
use semilinear::run::StopReason;
use serde_json::Value;

use super::explain::{Reasons, by_options};
use super::kind::{Found, Moves, Playable};
use super::position::{Place, Position, read_point};
use super::report::{InfoReport, Picture, SolveReport};
use super::strategy::Strategy;
use super::{Ask, PlotAsk};
use crate::error::{Error, Result};
use crate::lattice::{RayGame, Region};
use crate::outcome::{Outcome, Play};
use crate::render::Cell;
use crate::solve::rays::{Limits, Pairs, Recursion, Seen};
use crate::strategy::{NumerationStrategy, Proved, Standing};

/// No more options than this are listed for one position.
const MOST_OPTIONS: usize = 1_000_000;
/// A question is answered from the values of a box with at most this many positions.
const MOST_CELLS: usize = 1 << 22;
/// Passes over the box, times its positions, for a Grundy value.
const MOST_WORK: u64 = 1 << 32;
/// What solves a position by itself.
const RECURSION: &str = "recursion";
/// Positions with at most this many options are explained by them.
const EXPLAINED: usize = 200;

/// A lattice game with rays.
#[derive(Clone, Debug)]
pub(crate) struct Rays {
    name: String,
    game: RayGame,
}

impl Rays {
    pub(crate) fn from_file(place: &str, text: &str) -> Result<Self> {
        let game = RayGame::from_toml(text).map_err(|error| Error::from(error).at(place))?;
        Ok(Self { name: game.name().unwrap_or(place).to_owned(), game })
    }

    pub(crate) fn game(&self, ask: &Ask) -> Result<RayGame> {
        self.game.in_play(ask.play).map_err(|error| Error::from(error).at(&self.name))
    }
}

/// The coordinates of a position, defeated or not; heaps are a point when their order does not matter.
pub(crate) fn coordinates(game: &RayGame, position: &Position) -> Result<Vec<BigUint>> {
    let d = game.dimension();
    if let Place::Heaps(heaps) = &position.place
        && game.is_symmetric()
        && heaps.len() <= d
    {
        let mut x = heaps.clone();
        x.resize(d, BigUint::ZERO);
        return Ok(x);
    }
    let x = position.need_point(d)?;
    x.iter().map(BigInt::to_biguint).collect::<Option<_>>().ok_or_else(|| {
        Error::Input(format!("POSITION {position} does not lie on the board; its coordinates must not be negative"))
    })
}

/// The point of a position on the board.
pub(crate) fn point(game: &RayGame, position: &Position) -> Result<Vec<BigUint>> {
    let x = coordinates(game, position)?;
    if game.is_defeated(&x) { Err(defeated(position)) } else { Ok(x) }
}

pub(crate) fn defeated(position: &Position) -> Error {
    Error::Input(format!("POSITION {position} is defeated, so it is not on the board; give a position of the board"))
}

/// What is said of the regions of moves, if there are any, after the other moves.
pub(crate) fn regions_in_words(game: &RayGame) -> String {
    let region = |region: &Region| {
        let row = |row: &Vec<i64>| {
            let mut text = String::new();
            for (i, &a) in row[..row.len() - 1].iter().enumerate().filter(|(_, a)| **a != 0) {
                let sign = if a < 0 { "-" } else { "+" };
                let factor = if a.abs() == 1 { String::new() } else { a.abs().to_string() };
                let _ = write!(text, "{sign}{factor}m{}", i + 1);
            }
            format!("{} >= {}", text.trim_start_matches('+'), -row[row.len() - 1])
        };
        region.rows().iter().map(row).collect::<Vec<_>>().join(", ")
    };
    let words: Vec<String> =
        game.regions().iter().map(|one| format!(", or any (m1,...) with {}", region(one))).collect();
    words.concat()
}

/// What is said of the terminal positions, if there are any.
pub(crate) fn terminal_in_words(game: &RayGame) -> String {
    if game.terminal().is_empty() {
        return String::new();
    }
    let points = format!("{:?}", game.terminal()).replace(' ', "");
    format!("; play ends at {points}, and who would have to move there has lost")
}

/// A box that ends at a position, if it is small.
fn box_of(game: &RayGame, x: &[BigUint], ask: &Ask) -> Result<Option<(Vec<u64>, Recursion)>> {
    let Some(x) = x.iter().map(BigUint::to_u64).collect::<Option<Vec<u64>>>() else { return Ok(None) };
    let sizes: Vec<u64> = x.iter().map(|x| x.saturating_add(1)).collect();
    match Recursion::new(game, &sizes, MOST_CELLS, ask.monitor) {
        Ok(table) => Ok(Some((x, table))),
        Err(StopReason::Size { .. }) => Ok(None),
        Err(why) => Err(why.into()),
    }
}

/// The numeration systems to be tried, the likeliest first: the slope of the P-positions suggests one.
fn systems(game: &RayGame, ask: &Ask) -> Result<Vec<System>> {
    let named = |name: &str| System::named(name).map_err(Error::input);
    match ask.numeration {
        None | Some("auto") => {}
        Some(name) => return Ok(vec![named(name)?]),
    }
    let mut names = ["binary", "fibonacci", "pell", "ostrowski:3", "tribonacci"].map(String::from).to_vec();
    let rows = if game.regions().is_empty() { 3000 } else { 1000 };
    // The slope is that of the game without terminal positions, which has one P-position in each row.
    let without = game.clone().ending_at(Vec::new()).map_err(Error::from)?;
    if let Ok(Some(pairs)) = Pairs::new(&without, rows, 0, ask.monitor) {
        let near = |slope: f64| {
            let slopes = [
                ("binary", 1.0),
                ("fibonacci", 1.618_034),
                ("pell", std::f64::consts::SQRT_2),
                ("pell", 2.414_214),
                ("ostrowski:3", 1.302_776),
            ];
            let known =
                slopes.iter().find(|(_, known)| (slope - known).abs() < 0.02).map(|(name, _)| (*name).to_owned());
            known.or_else(|| of_fraenkel(slope))
        };
        #[allow(clippy::cast_precision_loss)] // a hint
        let slope = |x: usize| pairs.column_of(0, x).filter(|&y| y >= x).map(|y| y as f64 / x as f64);
        if let Some(name) = (rows / 2..rows).find_map(slope).and_then(near) {
            names.retain(|other| *other != name);
            names.insert(0, name);
        }
    } else if game.dimension() >= 3 {
        names = ["binary", "tribonacci", "fibonacci"].map(String::from).to_vec();
    }
    names.iter().map(|name| named(name)).collect()
}

/// The system of the game in which one may take i and j with 0 < i ≤ j < si + t: its P-positions have the slope s + t/α with
/// sα² + (t − s − 1)α = t (Fraenkel 1998), and are read with the recurrence s + t − 1, s.
fn of_fraenkel(slope: f64) -> Option<String> {
    let pairs = (1..=5_u32).flat_map(|s| (1..=5_u32).map(move |t| (s, t)));
    let near = |(s, t): &(u32, u32)| {
        let (a, c) = (f64::from(*s), f64::from(*t));
        let b = c - a - 1.0;
        let alpha = ((b * b + 4.0 * a * c).sqrt() - b) / (2.0 * a);
        (slope - (a + c / alpha)).abs() < 0.01
    };
    pairs.into_iter().find(near).map(|(s, t)| format!("recurrence:{},{s}", s + t - 1))
}

/// The sets of the values 0, …, `top` of a game with rays, learned and proved in the numeration system that is asked for, or in one that suits.
pub fn rays_strategy(game: &RayGame, top: usize, ask: &Ask) -> Result<Proved<NumerationStrategy>> {
    solved(game, game.name().unwrap_or("game"), top, ask)
}

/// The values 0, …, `top` of the game, learned and proved in one of the systems.
pub(crate) fn solved(game: &RayGame, name: &str, top: usize, ask: &Ask) -> Result<Proved<NumerationStrategy>> {
    let systems = systems(game, ask)?;
    let mut stopped: Option<(StopReason, Seen, String)> = None;
    for (i, system) in systems.iter().enumerate() {
        // The first system has all the room; one that is not the game's should fail soon.
        let tried = if i == 0 {
            Limits::default()
        } else {
            Limits { states: 2000, proof: 200_000, rows: 1 << 16, cells: 1 << 20 }
        };
        match NumerationStrategy::learned(game, system, top, &tried, ask.monitor) {
            Ok(strategy) => return Ok(strategy),
            Err((why @ StopReason::Size { .. }, seen)) => {
                ask.monitor.trace(&|| format!("{} digits: {why}", system.name()));
                stopped.get_or_insert((why, seen, system.name().to_owned()));
            }
            Err((why, seen)) => {
                stopped = Some((why, seen, system.name().to_owned()));
                break;
            }
        }
    }
    let (why, seen, system) = stopped.expect("at least one system was tried");
    Err(not_found(game, name, &system, why, &seen, ask))
}

/// What is known when no strategy was found.
fn not_found(game: &RayGame, name: &str, system: &str, why: StopReason, seen: &Seen, ask: &Ask) -> Error {
    let mut size = serde_json::Map::new();
    let states: Vec<usize> = seen.proved.iter().map(semilinear::numeration::DigitSet::states).collect();
    size.insert("numeration".into(), system.into());
    size.insert("proved_values".into(), states.len().into());
    size.insert("candidates".into(), serde_json::json!(seen.candidates));
    let report = SolveReport {
        game: name.into(),
        play: game.play(),
        form: None,
        proved: Standing::CLAIMED,
        size,
        seconds: ask.seconds(),
        text: format!(
            "{name}: no strategy found within the limits in {system} digits; nothing is claimed ({} values were proved on the way)",
            states.len()
        ),
    };
    Error::stopped_knowing(why, &report)
}

/// Finds the P-positions.
pub(super) fn solve(game: &RayGame, name: &str, ask: &Ask) -> Result<Strategy> {
    Ok(Strategy::numeration(solved(game, name, 0, ask)?))
}

/// Finds the positions of the values 0, …, k.
pub(super) fn solve_values(game: &RayGame, name: &str, ask: &Ask) -> Result<Strategy> {
    let Some(top) = ask.up_to else {
        return Err(Error::input(
            "a game with rays has values without bound; say how far with --up-to, e.g. --grundy --up-to 1",
        ));
    };
    let top = usize::try_from(top).ok().filter(|&top| top <= 255);
    let top = top.ok_or_else(|| Error::input("--up-to is at most 255"))?;
    Ok(Strategy::numeration(solved(game, name, top, ask)?))
}

pub(crate) fn outcome(game: &RayGame, name: &str, x: &[BigUint], ask: &Ask) -> Result<Found<Outcome>> {
    if let Some((y, table)) = box_of(game, x, ask)? {
        let table = table.next_value(ask.monitor)?;
        return Ok(Found::by(Outcome::p_if(table.value(&y) == Some(0)), RECURSION));
    }
    let strategy = solved(game, name, 0, ask)?;
    let outcome = strategy.outcome(x).ok_or_else(|| Error::input("the position is not on the board"))?;
    Ok(Found { value: outcome, method: "numeration".into(), proved: Some(Standing::of(&strategy)) })
}

pub(crate) fn grundy(game: &RayGame, name: &str, x: &[BigUint], ask: &Ask) -> Result<Found<BigUint>> {
    if let Some((y, mut table)) = box_of(game, x, ask)? {
        let cells: usize = table.sizes().iter().product();
        while table.value(&y).is_none()
            && u64::from(table.known()) * cells as u64 <= MOST_WORK
            && table.known() <= 60_000
        {
            table = table.next_value(ask.monitor)?;
        }
        if let Some(value) = table.value(&y) {
            return Ok(Found::by(value.into(), RECURSION));
        }
    }
    // Far out the first values are told by their sets.
    for top in [0, 1] {
        let strategy = solved(game, name, top, ask)?;
        if let Some(Some(value)) = strategy.grundy(x) {
            let proved = Some(Standing::of(&strategy));
            return Ok(Found { value: value.into(), method: "numeration".into(), proved });
        }
    }
    let why = StopReason::Size { what: "steps of a recursion", limit: MOST_WORK };
    Err(Error::stopped_knowing(why, &MoreThan { more_than: 1 }))
}

/// What is known of a Grundy value that no set of positions told.
#[derive(serde::Serialize)]
struct MoreThan {
    more_than: u32,
}

impl std::fmt::Display for MoreThan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { more_than } = self;
        write!(f, "the Grundy value is more than {more_than}; solve with --grundy --up-to K -o FILE, and ask that file")
    }
}

/// The number of P-positions in a box, by recursion when it is small.
pub(super) fn count(
    game: &RayGame,
    name: &str,
    sizes: &[BigUint],
    ask: &Ask,
) -> Result<(BigUint, String, Option<Standing>)> {
    let sizes = super::lattice::answer::sized(sizes, game.dimension())?;
    let strategy = solved(game, name, 0, ask)?;
    Ok((strategy.sets()[0].count(&sizes), "numeration".into(), Some(Standing::of(&strategy))))
}

/// A map of P and N, or of Grundy values, from the values of a box.
pub(super) fn plot(game: &RayGame, written: &str, plot: &PlotAsk, ask: &Ask) -> Result<Picture> {
    let sizes = super::plot::rays::sizes(game, plot)?;
    let most = if plot.grundy { 1 << 20 } else { 1 << 26 };
    let mut table = Recursion::new(game, &sizes, most, ask.monitor)?.next_value(ask.monitor)?;
    // Values beyond those of the table's first passes are drawn alike.
    while plot.grundy && table.known() < 64 {
        table = table.next_value(ask.monitor)?;
    }
    super::plot::rays::picture(written, game, plot, ask, |x| {
        if game.is_defeated(x) {
            return Cell::Defeated;
        }
        let x: Vec<u64> = x.iter().map(|x| x.to_u64().unwrap_or(u64::MAX)).collect();
        match table.value(&x) {
            Some(value) if plot.grundy => Cell::Value(value.into()),
            Some(_) => Cell::P,
            None => Cell::N,
        }
    })
}

impl Playable for Rays {
    fn kind(&self) -> &'static str {
        "lattice"
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn own_play(&self) -> Option<Play> {
        self.game.own_play()
    }

    fn strategy_game(&self, ask: &Ask) -> Result<(Value, Play)> {
        let game = self.game(ask)?;
        Ok((game.to_json(), game.play()))
    }

    fn info(&self, written: &str, ask: &Ask) -> Result<InfoReport> {
        let game = self.game(ask)?;
        let mut info = InfoReport::new(written, "lattice");
        info.fact("dimension", game.dimension())
            .fact("rules", game.rules())
            .fact("rays", game.rays())
            .fact("defeated", game.defeated())
            .fact("terminal", game.terminal())
            .line(format!(
                "{}: a lattice game with {}; a move subtracts one of {:?} or a positive multiple of one of {:?}{}{}",
                self.name,
                counted(game.dimension(), "coordinate", "coordinates"),
                game.rules(),
                game.rays(),
                regions_in_words(&game),
                terminal_in_words(&game)
            ))
            .line("every move lowers the sum of the coordinates, so play ends");
        Ok(info)
    }

    fn position(&self, text: &str) -> Result<Position> {
        read_point(text, self.game.dimension())
    }

    fn start(&self) -> Result<Position> {
        Ok(Position::of_point((0..self.game.dimension()).map(|i| BigInt::from(7 + 4 * i)).collect()))
    }

    fn options(&self, position: &Position) -> Result<Vec<Position>> {
        let too_many = || Error::from(StopReason::Size { what: "options of one position", limit: MOST_OPTIONS as u64 });
        let x = point(&self.game, position)?;
        let x: Option<Vec<u64>> = x.iter().map(BigUint::to_u64).collect();
        let options = self.game.options(&x.ok_or_else(too_many)?, MOST_OPTIONS).ok_or_else(too_many)?;
        Ok(options.into_iter().map(|x| Position::of_point(x.into_iter().map(BigInt::from).collect())).collect())
    }

    fn drawing(&self, position: &Position) -> Result<String> {
        let x = coordinates(&self.game, position)?;
        Ok(super::heap::drawing(&x))
    }

    fn reasons<'a>(&'a self, position: &Position, ask: &Ask) -> Result<Reasons<'a>> {
        if self.options(position).is_ok_and(|options| options.len() <= EXPLAINED) {
            return by_options(self, position, ask);
        }
        let steps = vec!["far out: the outcome is that of a proved strategy for the whole board".into()];
        Ok(Reasons::new(steps, |_| "a P-position".to_owned()))
    }

    fn rules_in_words(&self) -> String {
        let list = |vectors: &[Vec<i64>]| format!("{vectors:?}").replace(' ', "");
        let words = match (self.game.rules().is_empty(), self.game.rays().is_empty()) {
            (false, true) => format!("A move subtracts one of {}.", list(self.game.rules())),
            (true, _) => format!("A move subtracts a positive multiple of one of {}.", list(self.game.rays())),
            (false, false) => format!(
                "A move subtracts one of {}, or a positive multiple of one of {}.",
                list(self.game.rules()),
                list(self.game.rays())
            ),
        };
        format!("{}{}{}.", words.trim_end_matches('.'), regions_in_words(&self.game), terminal_in_words(&self.game))
    }

    fn position_forms(&self) -> &'static str {
        "a point such as (0,2,1), also 0,2,1 and [0,2,1]"
    }

    fn outcome(&self, position: &Position, ask: &Ask) -> Result<Found<Outcome>> {
        let game = self.game(ask)?;
        outcome(&game, &self.name, &point(&game, position)?, ask)
    }

    fn grundy(&self, position: &Position, ask: &Ask) -> Result<Found<BigUint>> {
        let game = self.game(ask)?;
        grundy(&game, &self.name, &point(&game, position)?, ask)
    }

    fn winning_moves(&self, position: &Position, ask: &Ask) -> Result<Found<Moves>> {
        let game = self.game(ask)?;
        let x = point(&game, position)?;
        if let Some((y, table)) = box_of(&game, &x, ask)? {
            let table = table.next_value(ask.monitor)?;
            let too_many =
                || Error::from(StopReason::Size { what: "options of one position", limit: MOST_OPTIONS as u64 });
            let mut options = game.options(&y, MOST_OPTIONS).ok_or_else(too_many)?;
            options.retain(|option| table.value(option) == Some(0));
            let moves = options.into_iter().map(|x| Position::of_point(x.into_iter().map(BigInt::from).collect()));
            return Ok(Found::by(Moves::all(moves.collect()), RECURSION));
        }
        let strategy = solved(&game, &self.name, 0, ask)?;
        let (moves, complete) = strategy.winning_moves(&x, 10_000);
        let moves = moves.into_iter().map(|x| Position::of_point(x.into_iter().map(BigInt::from).collect()));
        let value = Moves { positions: moves.collect(), complete };
        Ok(Found { value, method: "numeration".into(), proved: Some(Standing::of(&strategy)) })
    }
}
