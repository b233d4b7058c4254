//! Wythoff's game: a position is a pair of heaps, `3+5`.

use num_bigint::BigUint;
use num_traits::ToPrimitive as _;
use semilinear::run::StopReason;
use serde_json::Value;

use super::Ask;
use super::heap::drawing;
use super::kind::{Found, Moves, Playable};
use super::position::{Position, read_heaps};
use super::report::InfoReport;
use crate::error::{Error, Result};
use crate::heap::Wythoff;
use crate::lattice::RayGame;
use crate::outcome::{Outcome, Play};
use crate::solve::wythoff;

/// No more options than this are listed for one position.
const MOST_OPTIONS: u64 = 1_000_000;
/// What answers for positions of any size.
const METHOD: &str = "beatty";

/// Wythoff's game.
#[derive(Clone, Debug)]
pub(crate) struct WythoffGame {
    name: String,
}

impl WythoffGame {
    pub(crate) fn new(name: &str) -> Self {
        Self { name: name.to_owned() }
    }
}

fn pair(position: &Position) -> Result<Wythoff> {
    let heaps = position.need_heaps()?;
    if heaps.len() > 2 {
        return Err(Error::Input(format!(
            "position \"{position}\": Wythoff's game has two heaps, and this is {}; write 3+5",
            heaps.len()
        )));
    }
    let heap = |i: usize| heaps.get(i).cloned().unwrap_or(BigUint::ZERO);
    Ok(Wythoff::new(heap(0), heap(1)))
}

fn written(position: &Wythoff) -> Position {
    Position::of_heaps(position.heaps().map(Clone::clone).to_vec())
}

impl Playable for WythoffGame {
    fn kind(&self) -> &'static str {
        "wythoff"
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn own_play(&self) -> Option<Play> {
        None
    }

    fn strategy_game(&self, ask: &Ask) -> Result<(Value, Play)> {
        // A strategy is one of the queen's game on the plane.
        let game = RayGame::wythoff(ask.play);
        Ok((game.to_json(), game.play()))
    }

    fn info(&self, written: &str, _ask: &Ask) -> Result<InfoReport> {
        let words = "take any number of beans from one of two heaps, or the same number from both";
        let mut info = InfoReport::new(written, "wythoff");
        info.fact("dimension", 2).fact("words", words).line(format!("{}: {words}", self.name));
        Ok(info)
    }

    fn position(&self, text: &str) -> Result<Position> {
        let position = read_heaps(text)?;
        pair(&position)?;
        Ok(position)
    }

    fn start(&self) -> Result<Position> {
        self.position("7+11")
    }

    fn options(&self, position: &Position) -> Result<Vec<Position>> {
        let position = pair(position)?;
        let [a, b] = position.heaps();
        let too_many = || Error::from(StopReason::Size { what: "options of one position", limit: MOST_OPTIONS });
        let (Some(a), Some(b)) = (a.to_u64(), b.to_u64()) else { return Err(too_many()) };
        if b > MOST_OPTIONS / 3 {
            return Err(too_many());
        }
        let mut options: Vec<[u64; 2]> = (0..b).map(|y| [a, y]).collect();
        options.extend((0..a).map(|x| [x, b]));
        options.extend((1..=a).map(|t| [a - t, b - t]));
        for option in &mut options {
            option.sort_unstable();
        }
        options.sort_unstable();
        options.dedup();
        Ok(options.iter().map(|option| Position::of_heaps(option.map(BigUint::from).to_vec())).collect())
    }

    fn drawing(&self, position: &Position) -> Result<String> {
        Ok(drawing(&pair(position)?.heaps().map(Clone::clone)))
    }

    fn outcome(&self, position: &Position, ask: &Ask) -> Result<Found<Outcome>> {
        Ok(Found::by(pair(position)?.outcome(ask.play_of(None)), METHOD))
    }

    fn grundy(&self, position: &Position, ask: &Ask) -> Result<Found<BigUint>> {
        let position = pair(position)?;
        if position.outcome(Play::Normal).is_p() {
            return Ok(Found::by(BigUint::ZERO, METHOD));
        }
        let [a, b] = position.heaps();
        let (Some(a), Some(b)) = (a.to_u64(), b.to_u64()) else {
            return Err(StopReason::Size { what: "beans in a heap", limit: u64::MAX }.into());
        };
        Ok(Found::by(wythoff::grundy(a, b, ask.monitor)?.into(), "table"))
    }

    fn winning_moves(&self, position: &Position, ask: &Ask) -> Result<Found<Moves>> {
        let moves = pair(position)?.winning_moves(ask.play_of(None));
        Ok(Found::by(Moves::all(moves.iter().map(written).collect()), METHOD))
    }
}
