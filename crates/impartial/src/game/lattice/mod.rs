//! Lattice games.
//!
//! | file | what it answers |
//! | --- | --- |
//! | `info.rs` | what the game is, also for the lattice form of a heap game |
//! | `answer.rs` | outcomes, moves, values and counts without a strategy |
//! | `search.rs` | which method solves the game |
//! | `quotient.rs` | the quotient: a presentation from the automaton |

pub(super) mod answer;
pub(super) mod info;
pub(super) mod quotient;
mod search;

use search::applies;
pub use search::{LatticeFound, ValuesFound, lattice_strategy, lattice_values};
pub(super) use search::{automaton, solve_by};

use num_bigint::{BigInt, BigUint};
use num_traits::{Signed as _, ToPrimitive as _};
use semilinear::run::Unlimited;
use semilinear::vectorset::Effort;
use serde_json::{Map, Value, json};

use super::Ask;
use super::ask::Method;
use super::explain::{Reasons, by_options};
use super::kind::{Found, Moves, Playable};
use super::position::{Position, in_polyhedron, on_board, point_of, point_text, read_point};
use super::report::{CongruenceReport, InfoReport, SolveReport};
use super::strategy::Strategy;
use crate::error::{Error, Result};
use crate::lattice::{Description, LatticeGame};
use crate::outcome::{Outcome, Play};
use crate::solve::parity_kernel::{ParityKernel, reference_p0};
use crate::strategy::{Congruence, Standing, StratificationStrategy};

/// Automata of shifted sets may have this many states.
const STATES: usize = 1 << 23;

/// Options are explained one by one when no more positions than this lie below.
const EXPLAINED: u32 = 100_000;

/// A lattice game.
#[derive(Clone, Debug)]
pub(crate) struct Lattice {
    /// The name in the file, or its place.
    name: String,
    description: Description,
}

impl Lattice {
    pub(crate) fn from_file(place: &str, text: &str) -> Result<Self> {
        let description = Description::from_toml(text).map_err(|error| Error::from(error).at(place))?;
        Ok(Self { name: description.name().unwrap_or(place).to_owned(), description })
    }

    pub(crate) fn name_text(&self) -> &str {
        &self.name
    }

    /// Rules, rays and board.
    pub(crate) fn description(&self) -> &Description {
        &self.description
    }

    fn described(&self, ask: &Ask) -> Description {
        self.description.clone().with_play(ask.play)
    }

    /// The game in the play asked for: axioms checked.
    pub(crate) fn game(&self, ask: &Ask) -> Result<LatticeGame> {
        let game =
            LatticeGame::new(&self.described(ask), ask.monitor).map_err(|error| Error::from(error).at(&self.name))?;
        if let Some(ray) = game.tangent_violations().first() {
            let ray = point_text(ray);
            ask.monitor.warn(&format!(
                "{}: no rule lies in the negative tangent cone of the ray {ray}; outcomes are defined all the same",
                self.name
            ));
        }
        Ok(game)
    }

    /// The game in its own play, for what does not depend on it.
    fn own_game(&self) -> Result<LatticeGame> {
        LatticeGame::new(&self.description, &Unlimited).map_err(|error| Error::from(error).at(&self.name))
    }

    pub(crate) fn toml(&self, ask: &Ask) -> Result<String> {
        self.game(ask)?;
        Ok(self.described(ask).to_toml())
    }
}

/// Finds a strategy for the whole board.
pub(super) fn solve(game: &Lattice, written: &str, ask: &Ask) -> Result<Strategy> {
    ask.method_among(&[Method::Kernel, Method::Table, Method::Learn, Method::Sector, Method::Blocks], "lattice games")?;
    let name = &game.name;
    let game = game.game(ask)?;
    match (ask.method, ParityKernel::of_lattice(&game)) {
        (Method::Auto | Method::Kernel, Some(kernel)) => Ok(Strategy::lattice_kernel(game, kernel)),
        (Method::Table, _) => table(game, name, ask),
        (Method::Kernel, None) => Err(Error::Input(format!(
            "{name}: the parity kernel needs a squarefree rule set on the orthant in normal play; leave --method out"
        ))),
        _ => solve_by(written, &game, ask),
    }
}

/// P₀ + 2ℕᵈ of a squarefree game in normal play, with P₀ from the dynamic programme over {0,1}ᵈ (erratum, Theorem 3).
pub(super) fn table(game: LatticeGame, name: &str, ask: &Ask) -> Result<Strategy> {
    let table = reference_p0(&game, ask.monitor)?.ok_or_else(|| {
        Error::Input(format!(
            "{name}: the table of P0 is for squarefree rule sets on the orthant in normal play, with at most 24 coordinates; leave \
             --method out"
        ))
    })?;
    let d = game.dimension();
    let point = |(x, _): (usize, &bool)| (0..d).map(|i| u8::from(x >> i & 1 == 1)).collect();
    let p0 = table.iter().enumerate().filter(|(_, is_p)| **is_p).map(point).collect();
    Ok(Strategy::stratification(StratificationStrategy::of_kernel(game, p0, &Effort::new(1 << 24, ask.monitor))?))
}

/// Finds the Grundy values of all positions.
pub(super) fn solve_values(game: &Lattice, written: &str, ask: &Ask) -> Result<Strategy> {
    if ![Method::Auto, Method::Learn, Method::Sector, Method::Blocks].contains(&ask.method) {
        return Err(Error::Input(format!(
            "--method {} does not find Grundy values; --grundy goes with --method learn, sector, blocks or none",
            ask.method
        )));
    }
    let game = game.game(ask)?;
    applies(&game, ask.method)?;
    match lattice_values(&game, ask.method, ask.monitor) {
        Ok(ValuesFound::Automaton(strategy)) => Ok(Strategy::grundy_automaton(*strategy)),
        Ok(ValuesFound::Sectors(strategy)) => Ok(Strategy::sectors(*strategy)),
        Ok(ValuesFound::Blocks(strategy)) => Ok(Strategy::blocks(*strategy)),
        Err((why, partial)) => Err(not_found(written, why, partial.as_ref(), ask)),
    }
}

/// What is known when no strategy was found: not an answer, and what the growth of residuals says.
pub(crate) fn not_found(
    name: &str,
    why: semilinear::run::StopReason,
    partial: Option<&crate::solve::learn::Partial>,
    ask: &Ask,
) -> Error {
    use crate::solve::learn::Outlook;
    let mut size = Map::new();
    let mut text = format!("{name}: no strategy found within the limits; nothing is claimed");
    if let Some(partial) = partial {
        let outlook = match partial.growth.outlook() {
            Outlook::NoRegularityInSight => "no regularity in sight",
            Outlook::MoreTimeMightDo => "more time might do",
        };
        size.insert("residuals".into(), json!(partial.growth.new));
        size.insert("outlook".into(), json!(outlook));
        size.insert("positions".into(), json!(partial.positions));
        text = format!("{text}\n{} positions looked at; {}", partial.positions, partial.growth.in_words());
    }
    let report = SolveReport {
        game: name.into(),
        play: ask.play_of(None),
        form: None,
        proved: Standing::CLAIMED,
        size,
        seconds: ask.seconds(),
        text,
    };
    Error::stopped_knowing(why, &report)
}

/// Whether two positions are congruent.
pub(super) fn congruent(
    game: &Lattice,
    written: &str,
    p: &Position,
    q: &Position,
    ask: &Ask,
) -> Result<CongruenceReport> {
    let game = game.game(ask)?;
    // Bad positions are refused before the game is solved for them.
    let (p, q) = (in_polyhedron(&game, p)?, in_polyhedron(&game, q)?);
    if let Some(kernel) = ParityKernel::of_lattice(&game) {
        return Ok(congruence(written, game.play(), &by_kernel(&kernel, p, q), "parity-kernel", None));
    }
    let effort = Effort::new(STATES, ask.monitor);
    let found = search::for_question(&game, ask)?;
    let (result, standing) = match &found {
        LatticeFound::Automaton(strategy) => (strategy.congruence(p, q, &effort)?, Standing::of(strategy)),
        LatticeFound::Sectors(strategy) => (strategy.congruence(p, q, &effort)?, Standing::of(strategy)),
        LatticeFound::Blocks(_) => {
            let strategy = automaton(&game, ask)?;
            (strategy.congruence(p, q, &effort)?, Standing::of(&strategy))
        }
    };
    Ok(congruence(written, game.play(), &result, found.method(), Some(standing)))
}

/// Congruence by a parity kernel: x + r is a P-position iff both values agree, so that p and q are congruent iff theirs do.
pub(crate) fn by_kernel(kernel: &ParityKernel, p: &[BigInt], q: &[BigInt]) -> Congruence {
    if kernel.grundy(p) == kernel.grundy(q) {
        Congruence::Congruent
    } else {
        // p + p has value 0, and so has p with its remainders modulo 2.
        Congruence::Different { witness: p.iter().map(|x| x % 2).collect() }
    }
}

/// The report of a congruence of lattice points.
pub(crate) fn congruence(
    game: &str,
    play: Play,
    found: &Congruence,
    method: &str,
    proved: Option<Standing>,
) -> CongruenceReport {
    let witness = match found {
        Congruence::Congruent => None,
        Congruence::Different { witness } => Some(point_text(witness)),
    };
    CongruenceReport {
        game: game.to_owned(),
        play,
        p: String::new(),
        q: String::new(),
        congruent: witness.is_none(),
        witness,
        method: method.into(),
        max_heap: None,
        proved,
        by: None,
    }
}

/// The options of a position, in the play of the game.
pub(super) fn options(game: &LatticeGame, position: &Position) -> Result<Vec<Position>> {
    Ok(game.options_big(on_board(game, position)?).into_iter().map(Position::of_point).collect())
}

impl Playable for Lattice {
    fn kind(&self) -> &'static str {
        "lattice"
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn own_play(&self) -> Option<Play> {
        let zero = |points: &[Vec<i64>]| matches!(points, [point] if point.iter().all(|&x| x == 0));
        self.description.play().or_else(|| self.description.defeated().filter(|d| zero(d)).map(|_| Play::Misere))
    }

    fn strategy_game(&self, ask: &Ask) -> Result<(Value, Play)> {
        let game = self.game(ask)?;
        Ok((game.to_json(), game.play()))
    }

    fn info(&self, written: &str, ask: &Ask) -> Result<InfoReport> {
        info::describe(InfoReport::new(written, "lattice"), &self.name, &self.described(ask), &[], ask)
    }

    fn position(&self, text: &str) -> Result<Position> {
        read_point(text, self.description.dimension())
    }

    fn position_of(&self, numbers: &[BigInt]) -> Result<Position> {
        point_of(numbers, self.description.dimension())
    }

    /// A small position that has a move.
    fn start(&self) -> Result<Position> {
        let game = self.own_game()?;
        for n in 3..40i64 {
            let inner: Vec<i64> = (0..game.dimension()).map(|i| n + i64::try_from(i).unwrap_or(0) % 4).collect();
            if game.is_inner_position(&inner)
                && !game.inner_options(&inner).is_empty()
                && let Some(x) = game.chart().outer(&inner)
            {
                return Ok(Position::of_point(x.into_iter().map(BigInt::from).collect()));
            }
        }
        Err(Error::input("no small position has a move; give a POSITION"))
    }

    fn options(&self, position: &Position) -> Result<Vec<Position>> {
        let game = self.own_game()?;
        options(&game, position)
    }

    /// A row of counters for each coordinate.
    fn drawing(&self, position: &Position) -> Result<String> {
        let row = |(i, x): (usize, &BigInt)| {
            let counters = match x.to_usize() {
                Some(n) if n <= 60 => "o".repeat(n),
                _ if x.is_negative() => String::new(),
                _ => format!("{} …", "o".repeat(56)),
            };
            format!("  x{} = {x}  {counters}", i + 1).trim_end().to_owned()
        };
        let x = position.need_point(self.description.dimension())?;
        Ok(x.iter().enumerate().map(row).collect::<Vec<_>>().join("\n"))
    }

    fn move_words(&self, position: &Position, option: &Position) -> Result<String> {
        let d = self.description.dimension();
        let difference = position.need_point(d)?.iter().zip(option.need_point(d)?).map(|(x, y)| x - y);
        Ok(format!("subtract {}", point_text(&difference.collect::<Vec<BigInt>>())))
    }

    /// `subtract (1,0)` or `-(1,0)`.
    fn meant(&self, position: &Position, text: &str) -> Result<Vec<Position>> {
        let d = self.description.dimension();
        let vector = ["subtract", "take", "minus", "-"].iter().find_map(|word| text.trim().strip_prefix(word));
        let Some(Ok(vector)) = vector.map(|vector| read_point(vector, d)) else { return Ok(Vec::new()) };
        let difference = position.need_point(d)?.iter().zip(vector.need_point(d)?).map(|(x, v)| x - v);
        Ok(vec![Position::of_point(difference.collect())])
    }

    fn move_forms(&self) -> &'static str {
        "subtract (1,0), or #1 for the first move of the list"
    }

    /// The options with their values; far out, where each of them takes a strategy, what found the outcome says it.
    fn reasons<'a>(&'a self, position: &Position, ask: &Ask) -> Result<Reasons<'a>> {
        let x = position.need_point(self.description.dimension())?;
        let below: BigInt = x.iter().map(|x| x.abs() + 1).product();
        if below <= BigInt::from(EXPLAINED) {
            return by_options(self, position, ask);
        }
        let steps =
            vec!["far out: the outcome is that of a proved strategy for the whole board, or of a recursion".into()];
        Ok(Reasons::new(steps, |_| "a P-position".to_owned()))
    }

    fn rules_in_words(&self) -> String {
        let rules: Vec<String> = self.description.rules().iter().map(|rule| point_text(rule)).collect();
        let more = if rules.len() > 12 { ", …" } else { "" };
        let rules = rules[..rules.len().min(12)].join(", ");
        format!("A move subtracts one of {rules}{more} and stays on the board.")
    }

    fn position_forms(&self) -> &'static str {
        "a point such as (0,2,1), also 0,2,1 and [0,2,1]"
    }

    fn outcome(&self, position: &Position, ask: &Ask) -> Result<Found<Outcome>> {
        let game = self.game(ask)?;
        answer::outcome(&game, on_board(&game, position)?, ask)
    }

    fn grundy(&self, position: &Position, ask: &Ask) -> Result<Found<BigUint>> {
        let game = self.game(ask)?;
        answer::grundy(&game, on_board(&game, position)?, ask)
    }

    fn winning_moves(&self, position: &Position, ask: &Ask) -> Result<Found<Moves>> {
        let game = self.game(ask)?;
        answer::winning_moves(&game, on_board(&game, position)?, ask)
    }
}
