//! Wythoff's game: a position is a pair of heaps, `3+5`.

use num_bigint::BigUint;
use num_traits::ToPrimitive as _;
use semilinear::run::StopReason;
use serde_json::Value;

use super::explain::Reasons;
use super::heap::drawing;
use super::kind::{Found, Moves, Playable};
use super::moves::{Words, changed, in_words};
use super::position::{Position, read_heaps};
use super::report::InfoReport;
use super::{Ask, rays};
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

fn arrays(position: &Wythoff) -> [BigUint; 2] {
    position.heaps().map(Clone::clone)
}

/// The heaps that are not empty.
fn nonzero(heaps: &[&BigUint]) -> Vec<BigUint> {
    heaps.iter().filter(|heap| ***heap != BigUint::ZERO).map(|heap| (*heap).clone()).collect()
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
        let mut info = InfoReport::new(written, "wythoff");
        info.fact("dimension", 2).line(format!("{}: a game on two heaps", self.name));
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

    fn move_words(&self, position: &Position, option: &Position) -> Result<String> {
        let ([a, b], [c, d]) = (arrays(&pair(position)?), arrays(&pair(option)?));
        if let Some((heap, left)) = changed(&nonzero(&[&a, &b]), &nonzero(&[&c, &d])) {
            return Ok(in_words(&heap, &left));
        }
        Ok(format!("take {} from both heaps", &b - &d))
    }

    fn meant(&self, position: &Position, text: &str) -> Result<Vec<Position>> {
        let Some(words) = Words::read(text) else { return Ok(Vec::new()) };
        let Some(take) = words.take.clone().or_else(|| words.all.then(|| words.from.clone()).flatten()) else {
            return Ok(Vec::new());
        };
        // A whole heap is named by its size.
        let from = words.from.clone().or_else(|| words.all.then(|| take.clone()));
        let position = pair(position)?;
        let [a, b] = position.heaps();
        let mut meant = Vec::new();
        if words.both {
            if take <= *a {
                meant.push(Position::of_heaps(vec![a - &take, b - &take]));
            }
            return Ok(meant);
        }
        for (heap, other) in [(a, b), (b, a)] {
            if take <= *heap && from.as_ref().is_none_or(|from| from == heap) {
                meant.push(Position::of_heaps(vec![heap - &take, other.clone()]));
            }
        }
        meant.dedup();
        Ok(meant)
    }

    fn move_forms(&self) -> &'static str {
        "take 2 from 5, 5-2, take 2 from both, or #1 for the first move of the list"
    }

    /// The P-position with the same difference (Wythoff 1907).
    fn reasons<'a>(&'a self, position: &Position, ask: &Ask) -> Result<Reasons<'a>> {
        let play = ask.play_of(None);
        let position = pair(position)?;
        let [a, b] = position.heaps();
        let difference = b - a;
        let [c, d] = Wythoff::with_difference(&difference, play).heaps().map(Clone::clone);
        let rule = match play {
            Play::Normal => "the P-positions are (⌊nφ⌋, ⌊nφ²⌋) with difference n, φ the golden ratio",
            Play::Misere => "the P-positions are those of normal play, but (0,1) and (2,2) instead of (0,0) and (1,2)",
        };
        let steps = vec![
            rule.to_owned(),
            format!("the difference of ({a},{b}) is {difference}, and that P-position is ({c},{d})"),
        ];
        Ok(Reasons::new(steps, |option| format!("the P-position ({})", option.as_str().replace('+', ","))))
    }

    fn rules_in_words(&self) -> String {
        "Take any number of beans from one of two heaps, or the same number from both.".into()
    }

    fn position_forms(&self) -> &'static str {
        "two heaps such as 3+5, also (3,5)"
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
        if let (Some(a), Some(b)) = (a.to_u64(), b.to_u64()) {
            match wythoff::grundy(a, b, ask.monitor) {
                // Too large for a table: the automata of the first values tell them at any size.
                Err(StopReason::Size { .. }) => {}
                value => return Ok(Found::by(value?.into(), "table")),
            }
        }
        rays::grundy(&RayGame::wythoff(None), &self.name, &[a.clone(), b.clone()], ask)
    }

    fn winning_moves(&self, position: &Position, ask: &Ask) -> Result<Found<Moves>> {
        let moves = pair(position)?.winning_moves(ask.play_of(None));
        Ok(Found::by(Moves::all(moves.iter().map(written).collect()), METHOD))
    }
}
