//! Wythoff's game: a position is a pair of heaps, `3+5`.

use impartial::heap::{Wythoff, heaps_from_text, heaps_to_text};
use impartial::outcome::{Outcome, Play};
use impartial::solve::wythoff;
use num_bigint::BigUint;
use num_traits::ToPrimitive as _;
use semilinear::run::StopReason;
use serde_json::{Value, json};

use super::Family;
use crate::args;
use crate::context::Context;
use crate::report::{Answer, Failure, Report, bad_input};

/// No more options than this are listed for one position.
const MOST_OPTIONS: u64 = 1_000_000;
/// What answers for positions of any size.
const METHOD: &str = "beatty";

/// Wythoff's game on the command line.
pub struct WythoffFamily {
    /// The name as the user wrote it.
    pub name: String,
}

fn read(text: &str) -> Result<Wythoff, Failure> {
    let mut heaps = heaps_from_text(text).map_err(bad_input)?;
    if heaps.len() > 2 {
        return Err(bad_input(format!(
            "position \"{text}\": Wythoff's game has two heaps, and this is {}; write 3+5",
            heaps.len()
        )));
    }
    heaps.resize(2, BigUint::ZERO);
    let [a, b] = <[BigUint; 2]>::try_from(heaps).expect("two heaps");
    Ok(Wythoff::new(a, b))
}

fn written(position: &Wythoff) -> String {
    heaps_to_text(&position.heaps())
}

impl Family for WythoffFamily {
    fn kind(&self) -> &'static str {
        "wythoff"
    }

    fn name(&self) -> String {
        self.name.clone()
    }

    fn game_json(&self) -> Value {
        json!({"kind": "wythoff"})
    }

    fn info(&self, _cx: &Context, _args: &args::InfoArgs) -> Answer {
        let words = "take any number of beans from one of two heaps, or the same number from both";
        let json = json!({"game": self.name, "kind": "wythoff", "dimension": 2, "words": words});
        Ok(Report::new(json, format!("{}: {words}", self.name)))
    }

    fn grundy(&self, cx: &Context, position: &str) -> Result<(String, String), Failure> {
        let position = read(position)?;
        if position.outcome(Play::Normal).is_p() {
            return Ok(("0".into(), METHOD.into()));
        }
        let [a, b] = position.heaps();
        let (Some(a), Some(b)) = (a.to_u64(), b.to_u64()) else {
            return Err(Failure::Stopped(StopReason::Size { what: "beans in a heap", limit: u64::MAX }));
        };
        Ok((wythoff::grundy(a, b, cx)?.to_string(), "table".into()))
    }

    fn outcome(&self, cx: &Context, position: &str) -> Result<(Outcome, String), Failure> {
        Ok((read(position)?.outcome(cx.play(None)), METHOD.into()))
    }

    fn winning_moves(&self, cx: &Context, position: &str) -> Result<(Vec<String>, String), Failure> {
        let moves = read(position)?.winning_moves(cx.play(None));
        Ok((moves.iter().map(written).collect(), METHOD.into()))
    }

    fn options(&self, position: &str) -> Result<Vec<String>, Failure> {
        let position = read(position)?;
        let [a, b] = position.heaps();
        let too_many = || Failure::Stopped(StopReason::Size { what: "options of one position", limit: MOST_OPTIONS });
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
        Ok(options.iter().map(|option| heaps_to_text(option)).collect())
    }

    fn canonical(&self, position: &str) -> Result<String, Failure> {
        Ok(written(&read(position)?))
    }

    fn drawing(&self, position: &str) -> Result<String, Failure> {
        let position = read(position)?;
        Ok(super::heap::drawing(&position.heaps().map(Clone::clone)))
    }

    fn start(&self) -> Result<String, Failure> {
        Ok("7+11".into())
    }
}
