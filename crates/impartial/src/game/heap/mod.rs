//! Heap games: codes, subtraction sets, general rules.
//!
//! | file | what it answers |
//! | --- | --- |
//! | `sequence.rs` | Grundy values and periods, normal-play strategies |
//! | `search.rs` | the search for a strategy of misère play |
//! | `misere.rs` | misère play: quotients, congruence, outcomes |
//! | `why.rs` | reasons of outcomes, and the rules in words |
//! | `as_lattice.rs` | the game as a lattice game: info, count, parity kernel |

pub(super) mod as_lattice;
pub(super) mod misere;
mod search;
pub(super) mod sequence;
mod why;

pub use search::{dominance_strategy, misere_strategy, quotient_strategy, ranks_strategy};
pub use sequence::Keep;

use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive as _;
use semilinear::run::StopReason;
use serde_json::{Value, json};

use super::Ask;
use super::ask::Method;
use super::explain::Reasons;
use super::kind::{Found, Moves, Playable};
use super::moves::{Words, changed, in_words};
use super::position::{Position, heaps_of, read_heaps};
use super::report::InfoReport;
use super::report::quotient::rules_text;
use super::strategy::Strategy;
use crate::error::{Error, Result};
use crate::heap::{Halving, HeapFile, HeapRules};
use crate::outcome::{Outcome, Play};
use crate::solve::nim;

/// No more options than this are listed for one position.
const MOST_OPTIONS: u64 = 1_000_000;

/// What answers from a closed form.
const CLOSED: &str = "closed form";

/// A heap game.
#[derive(Clone, Debug)]
pub(crate) struct HeapGame {
    /// As it was written, or the name in its file.
    pub(crate) name: String,
    /// The play its file sets.
    pub(crate) play: Option<Play>,
    pub(crate) rules: HeapRules,
}

impl HeapGame {
    /// `0.77` or `subtract:1,2,3`.
    pub(crate) fn from_notation(text: &str) -> Result<Self> {
        let rules: HeapRules = text.parse().map_err(Error::input)?;
        Ok(Self { name: rules_text(&rules), play: None, rules })
    }

    pub(crate) fn from_file(place: &str, text: &str) -> Result<Self> {
        let file = HeapFile::from_toml(text).map_err(|error| Error::Input(format!("{place}: {error}")))?;
        Ok(Self { name: file.name.unwrap_or_else(|| place.to_owned()), play: file.play, rules: file.rules })
    }

    pub(crate) fn named(mut self, name: &str) -> Self {
        name.clone_into(&mut self.name);
        self
    }

    /// Whether this is Nim itself, which is known for heaps of any size.
    /// The closed form of the Grundy values, where one is known.
    fn closed(&self) -> Option<Halving> {
        Halving::of(&self.rules)
    }

    fn is_nim(&self) -> bool {
        matches!(&self.rules, HeapRules::Code(code) if code.to_string() == "0.[3]")
    }
}

/// Finds a strategy for the whole game.
pub(super) fn solve(game: &HeapGame, ask: &Ask) -> Result<Strategy> {
    match (ask.play_of(game.play), ask.max_heap, ask.method) {
        (Play::Normal, Some(max_heap), Method::Auto) if max_heap > as_lattice::MOST_COORDINATES => {
            Err(as_lattice::too_many_coordinates(max_heap))
        }
        (Play::Normal, Some(max_heap), Method::Auto | Method::Kernel) => as_lattice::kernel(game, max_heap, ask),
        (Play::Normal, Some(max_heap), Method::Table) => as_lattice::table(game, max_heap, ask),
        (_, Some(max_heap), Method::Learn) => as_lattice::learned(game, max_heap, ask),
        (Play::Normal, ..) => sequence::solve(game, ask),
        (Play::Misere, ..) => misere::solve(game, ask),
    }
}

impl Playable for HeapGame {
    fn kind(&self) -> &'static str {
        "heap"
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn own_play(&self) -> Option<Play> {
        self.play
    }

    fn strategy_game(&self, ask: &Ask) -> Result<(Value, Play)> {
        Ok((game_json(&self.rules), ask.play_of(self.play)))
    }

    fn info(&self, written: &str, ask: &Ask) -> Result<InfoReport> {
        as_lattice::info(self, written, ask)
    }

    fn position(&self, text: &str) -> Result<Position> {
        read_heaps(text)
    }

    fn position_of(&self, numbers: &[BigInt]) -> Result<Position> {
        heaps_of(numbers)
    }

    /// Three heaps of different sizes, of which at least the largest has a move.
    fn start(&self) -> Result<Position> {
        let rules = &self.rules;
        let movable = |&heap: &u64| rules.options_within(heap, MOST_OPTIONS).is_none_or(|options| !options.is_empty());
        let first =
            (1..=100).find(movable).ok_or_else(|| Error::input("no heap up to 100 has a move; give a POSITION"))?;
        Ok(of_small(&[first + 2, first + 4, first + 6]))
    }

    fn options(&self, position: &Position) -> Result<Vec<Position>> {
        let options = options(&self.rules, &small(position.need_heaps()?)?)?;
        Ok(options.iter().map(|option| of_small(option)).collect())
    }

    fn drawing(&self, position: &Position) -> Result<String> {
        Ok(drawing(position.need_heaps()?))
    }

    fn outcome(&self, position: &Position, ask: &Ask) -> Result<Found<Outcome>> {
        let heaps = position.need_heaps()?;
        match ask.play_of(self.play) {
            play if self.is_nim() => Ok(Found::by(nim::outcome(heaps, play), "nim-sum")),
            Play::Normal => Ok(self.grundy(position, ask)?.map(|value| Outcome::p_if(value == BigUint::ZERO))),
            Play::Misere => misere::outcome(self, heaps, ask),
        }
    }

    fn grundy(&self, position: &Position, ask: &Ask) -> Result<Found<BigUint>> {
        let heaps = position.need_heaps()?;
        if self.is_nim() {
            return Ok(Found::by(nim::grundy(heaps), "nim-sum"));
        }
        if let Some(closed) = self.closed() {
            let sum = heaps.iter().fold(BigUint::ZERO, |sum, heap| sum ^ closed.value(heap));
            return Ok(Found::by(sum, CLOSED));
        }
        sequence::grundy(self, heaps, ask)
    }

    fn winning_moves(&self, position: &Position, ask: &Ask) -> Result<Found<Moves>> {
        let heaps = position.need_heaps()?;
        match ask.play_of(self.play) {
            play if self.is_nim() => {
                let moves = nim::winning_moves(heaps, play).into_iter().map(Position::of_heaps).collect();
                Ok(Found::by(Moves::all(moves), "nim-sum"))
            }
            Play::Normal => match self.closed() {
                Some(closed) => Ok(Found::by(closed_moves(closed, heaps), CLOSED)),
                None => sequence::winning_moves(self, heaps, ask),
            },
            Play::Misere => misere::winning_moves(self, heaps, ask),
        }
    }

    fn move_words(&self, position: &Position, option: &Position) -> Result<String> {
        let changed = changed(position.need_heaps()?, option.need_heaps()?);
        Ok(changed.map_or_else(|| format!("move to {option}"), |(heap, left)| in_words(&heap, &left)))
    }

    /// A take that says nothing of what is left leaves one heap where it may.
    fn meant(&self, position: &Position, text: &str) -> Result<Vec<Position>> {
        let Some(words) = Words::read(text) else { return Ok(Vec::new()) };
        let heaps = position.need_heaps()?;
        let mut meant = Vec::new();
        for option in self.options(position)? {
            if let Some((heap, left)) = changed(heaps, option.need_heaps()?)
                && words.fit(&heap, &left)
            {
                meant.push((left.len(), option));
            }
        }
        if words.left.is_none() && meant.iter().any(|(left, _)| *left <= 1) {
            meant.retain(|(left, _)| *left <= 1);
        }
        Ok(meant.into_iter().map(|(_, option)| option).collect())
    }

    fn move_forms(&self) -> &'static str {
        "take 2 from 5, 5-2, split 5 into 2+3, or #1 for the first move of the list"
    }

    fn reasons<'a>(&'a self, position: &Position, ask: &Ask) -> Result<Reasons<'a>> {
        why::reasons(self, position, ask)
    }

    fn rules_in_words(&self) -> String {
        why::rules_in_words(&self.rules)
    }

    fn position_forms(&self) -> &'static str {
        "heaps such as 3+5+7, also 3 5 7, 3,5,7, *3+*5, 5^3 for three heaps of 5, 1..4"
    }

    fn components(&self, position: &Position) -> Result<Vec<Position>> {
        Ok(position.need_heaps()?.iter().map(|heap| Position::of_heaps(vec![heap.clone()])).collect())
    }

    fn option_values(&self, position: &Position, ask: &Ask) -> Result<Vec<(Position, BigUint)>> {
        sequence::option_values(self, position.need_heaps()?, ask)
    }
}

/// Winning moves by the closed form: one heap goes to the value of all others.
fn closed_moves(closed: Halving, heaps: &[BigUint]) -> Moves {
    let sum = heaps.iter().fold(BigUint::ZERO, |sum, heap| sum ^ closed.value(heap));
    let mut moves = Vec::new();
    for (i, heap) in heaps.iter().enumerate() {
        if let Some(option) = closed.option_with_value(heap, &(&sum ^ closed.value(heap))) {
            let mut heaps = heaps.to_vec();
            heaps[i] = option;
            moves.push(Position::of_heaps(heaps));
        }
    }
    moves.sort_by(|a, b| a.as_str().cmp(b.as_str()));
    moves.dedup();
    Moves::all(moves)
}

/// The `"game"` of strategy files.
pub(crate) fn game_json(rules: &HeapRules) -> Value {
    let mut game = rules.to_json();
    game["kind"] = json!("heap");
    game
}

/// A position of machine-sized heaps.
pub(crate) fn of_small(heaps: &[u64]) -> Position {
    Position::of_heaps(heaps.iter().map(|&heap| heap.into()).collect())
}

/// The heaps as machine numbers, for what looks at every smaller heap anyway.
pub(crate) fn small(heaps: &[BigUint]) -> Result<Vec<u64>> {
    let small = |heap: &BigUint| {
        heap.to_u64().ok_or_else(|| {
            Error::Input(format!("heap {heap} is beyond 2^64; solve the game first and give the file with --strategy"))
        })
    };
    heaps.iter().map(small).collect()
}

/// Every option of a sum of heaps, sorted, without repeats.
pub(crate) fn options(rules: &HeapRules, heaps: &[u64]) -> Result<Vec<Vec<u64>>> {
    let too_many = || Error::from(StopReason::Size { what: "options of one position", limit: MOST_OPTIONS });
    let mut all = Vec::new();
    let mut budget = MOST_OPTIONS;
    for (i, &heap) in heaps.iter().enumerate() {
        if i > 0 && heaps[i - 1] == heap {
            continue;
        }
        for option in rules.options_within(heap, budget).ok_or_else(too_many)? {
            budget = budget.checked_sub(1 + heaps.len() as u64).ok_or_else(too_many)?;
            let mut position = heaps.to_vec();
            position.remove(i);
            position.extend(option);
            position.sort_unstable();
            all.push(position);
        }
    }
    all.sort_unstable();
    all.dedup();
    Ok(all)
}

/// The options of a sum that are P-positions.
pub(crate) fn winning_options(
    rules: &HeapRules,
    heaps: &[BigUint],
    outcome: &dyn Fn(&[BigUint]) -> Result<Outcome>,
) -> Result<Vec<Position>> {
    let mut moves = Vec::new();
    for option in options(rules, &small(heaps)?)? {
        let big: Vec<BigUint> = option.iter().map(|&h| h.into()).collect();
        if outcome(&big)?.is_p() {
            moves.push(Position::of_heaps(big));
        }
    }
    Ok(moves)
}

/// One row of beans a heap, the size at its end.
pub(crate) fn drawing(heaps: &[BigUint]) -> String {
    if heaps.is_empty() {
        return "(no heap is left)".into();
    }
    let row = |heap: &BigUint| match heap.to_usize() {
        Some(beans) if beans <= 60 => format!("  {}  {heap}", "o".repeat(beans)),
        _ => format!("  {} …  {heap}", "o".repeat(56)),
    };
    heaps.iter().map(row).collect::<Vec<_>>().join("\n")
}
