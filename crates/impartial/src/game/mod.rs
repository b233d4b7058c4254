//! The front door: any game from any notation, and every question about it.
//!
//! A [`Game`] is parsed from a name, a notation or the text of a game file; a [`Position`] is read by its game; an [`Ask`] says how
//! a question is asked. Answers are plain structs ([`report`]). A [`Strategy`] is proved; what is read from a file is
//! [`Claimed`] until [`Claimed::verify`] has asked the independent checker.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `kind.rs`, `heap`, `lattice`, `rays`, `poset`, `chains`, `graph`, `sum`, `wythoff` | the kinds of games, each with the engine that answers |
//! | `strategy`, `form` | proved and claimed strategies, and what each form answers |
//! | `convert`, `claim` | conversions between forms, a graph; claims that people write, proved or refuted |
//! | `scene`, `draw`, `plot` | what there is to draw of a position, and of a game |
//! | `position`, `ask`, `report`, `words`, `catalogue`, `file` | positions, questions, answers, names, game files |

mod about;
mod ask;
pub mod catalogue;
mod chains;
mod claim;
mod convert;
mod draw;
mod explain;
mod file;
mod form;
mod graph;
mod heap;
mod kind;
mod lattice;
mod longest;
mod moves;
mod notation;
mod pairs;
mod plot;
mod poset;
mod position;
mod rational;
mod rays;
pub mod report;
mod scene;
mod set;
mod strategy;
mod sum;
mod walnut;
mod words;
mod wythoff;

use std::fmt;
use std::str::FromStr;

use num_bigint::{BigInt, BigUint};

pub use crate::strategy::PairsOf;
pub use ask::{Ask, Method};
pub use claim::{Claim, ProveReport};
pub use explain::{ExplainedMove, Explanation};
pub use file::Opener;
pub use form::Form;
pub use heap::{Keep, dominance_strategy, misere_strategy, quotient_strategy, ranks_strategy};
pub use lattice::{LatticeFound, ValuesFound, lattice_strategy, lattice_values};
pub use moves::Move;
pub use pairs::PairsReport;
pub use plot::{PlotAsk, PlotKind};
pub use position::{Position, sizes};
pub use rays::rays_strategy;
pub use scene::{Element, Scene};
pub use set::{
    BasisReport, ContainsReport, EqualReport, HilbertSeriesReport, MembersReport, Set, SetCountReport, SetReport,
};
pub use strategy::{Claimed, Quotient, Solution, Strategy, verified};

use crate::error::{Error, Result};
use crate::lattice::RayGame;
use crate::outcome::Play;
use kind::Kind;
use report::{
    ChainsReport, CongruenceReport, CountReport, GrundyReport, InfoReport, MovesReport, OutcomeReport, PeriodReport,
    ValuesReport,
};

/// An impartial game.
///
/// ```
/// use impartial::prelude::*;
/// let ask = Ask::new();
/// let nim: Game = "nim".parse()?;
/// let position = nim.position("3+5+7")?;
/// assert_eq!(nim.outcome(&position, &ask)?.outcome, Outcome::N);
/// assert_eq!(nim.winning_moves(&position, &ask)?.to_string(), "2+5+7\n3+4+7\n3+5+6");
///
/// let kayles: Game = "kayles".parse()?;
/// let period = kayles.period(&ask)?;
/// assert_eq!((period.preperiod, period.period), (Some(71), Some(12)));
/// assert!(period.proved.is_proved());
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    /// As it was written: the `game` of reports.
    written: String,
    /// Its name in the catalogue, where it has one.
    entry: Option<&'static str>,
    kind: Kind,
}

impl FromStr for Game {
    type Err = Error;

    /// A name of the catalogue or a notation: `kayles`, `0.77`, `subtract:1,2,3`, `chomp:4x7`, …; or the text of a game file,
    /// when it has more than one line.
    fn from_str(text: &str) -> Result<Self> {
        if text.contains('\n') { Self::from_toml(text) } else { file::open(text, &|_, _| Ok(None), 0) }
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Game {
    /// A game from the text of a game file. Parts of a sum are names and notations.
    ///
    /// ```
    /// use impartial::prelude::*;
    /// let game = Game::from_toml("kind = \"lattice\"\nrules = [[1, 0], [0, 1], [2, 2]]")?;
    /// let far = game.position("(1000000000000000000000006,6)")?;
    /// assert_eq!(game.outcome(&far, &Ask::new())?.outcome, Outcome::P);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn from_toml(text: &str) -> Result<Self> {
        file::open_text("game file", text, &|_, _| Ok(None), 0)
    }

    /// A game that may be a file or have files as parts: `open` is asked for the place and the text of what is named, first for
    /// `text` itself, then for parts of sums together with the place of the file that names them. It answers `None` for what
    /// is no file.
    pub fn open(text: &str, open: Opener<'_>) -> Result<Self> {
        file::open(text, open, 0)
    }

    /// A game from the text of a game file at a place (for messages), whose parts may be files.
    pub fn from_file(place: &str, text: &str, open: Opener<'_>) -> Result<Self> {
        file::open_text(place, text, open, 0)
    }

    /// `heap`, `lattice`, `poset`, `chains`, `graph`, `sum` or `wythoff`.
    pub fn kind(&self) -> &'static str {
        self.kind.playable().kind()
    }

    /// The game's name: as it was written, or as its file says.
    pub fn name(&self) -> &str {
        self.kind.playable().name()
    }

    /// The game as it was written.
    pub fn written(&self) -> &str {
        &self.written
    }

    /// The play of a question: the one asked for, else the game's own, else normal play.
    pub fn play(&self, ask: &Ask) -> Play {
        ask.play_of(self.kind.playable().own_play())
    }

    /// Reads a position.
    ///
    /// ```
    /// use impartial::prelude::*;
    /// let chomp: Game = "chomp:3x4".parse()?;
    /// assert_eq!(chomp.position("4, 2, 2")?.to_string(), "4,2,2");
    /// assert!(chomp.position("2,4").is_err()); // rows never get longer
    /// # Ok::<(), Error>(())
    /// ```
    pub fn position(&self, text: &str) -> Result<Position> {
        self.kind.playable().position(text)
    }

    /// The position with these numbers: heap sizes, coordinates, rows of Chomp.
    ///
    /// ```
    /// use impartial::prelude::*;
    /// let kayles: Game = "kayles".parse()?;
    /// assert_eq!(kayles.position_of(&[7.into(), 3.into()])?.to_string(), "3+7");
    /// assert!(kayles.position_of(&[(-1).into()]).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn position_of(&self, numbers: &[BigInt]) -> Result<Position> {
        self.kind.playable().position_of(numbers)
    }

    /// The position that the game is known for, else one of moderate size to begin with.
    ///
    /// ```
    /// use impartial::prelude::*;
    /// assert_eq!("thai-21".parse::<Game>()?.start()?.to_string(), "21");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn start(&self) -> Result<Position> {
        match self.entry().and_then(|entry| entry.start) {
            Some(start) => self.position(&start),
            None => self.kind.playable().start(),
        }
    }

    /// The whole board, where the game is one: a finite poset game.
    ///
    /// ```
    /// use impartial::prelude::*;
    /// assert_eq!("chomp:2x3".parse::<Game>()?.whole_board()?.unwrap().to_string(), "3,3");
    /// assert_eq!("nim".parse::<Game>()?.whole_board()?, None);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn whole_board(&self) -> Result<Option<Position>> {
        if matches!(self.kind, Kind::Poset(_)) { self.kind.playable().start().map(Some) } else { Ok(None) }
    }

    /// What the catalogue says of the game, where it has it.
    pub fn entry(&self) -> Option<catalogue::Entry> {
        self.entry.and_then(catalogue::entry)
    }

    /// The rules in words: the catalogue's, else what the rules themselves say.
    ///
    /// ```
    /// use impartial::prelude::*;
    /// let game: Game = "S(1,2,3)".parse()?;
    /// assert_eq!(game.rules_in_words(), "Take 1, 2 or 3 beans from a heap.");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn rules_in_words(&self) -> String {
        self.entry().map_or_else(|| self.kind.playable().rules_in_words(), |entry| entry.words)
    }

    /// Every option of a position, without repeats.
    ///
    /// ```
    /// use impartial::prelude::*;
    /// let kayles: Game = "kayles".parse()?;
    /// let options = kayles.options(&kayles.position("3")?)?;
    /// assert_eq!(options.iter().map(ToString::to_string).collect::<Vec<_>>(), ["1", "1+1", "2"]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn options(&self, position: &Position) -> Result<Vec<Position>> {
        self.kind.playable().options(position)
    }

    /// The names of the moves that lead to [`Game::options`], in the same order, where a move has a name: the element that is
    /// chosen, say.
    pub fn move_names(&self, position: &Position) -> Result<Option<Vec<String>>> {
        self.kind.playable().move_names(position)
    }

    /// A picture of a position in characters.
    pub fn drawing(&self, position: &Position) -> Result<String> {
        self.kind.playable().drawing(position)
    }

    /// Who wins a position, by the cheapest sound way.
    ///
    /// ```
    /// use impartial::prelude::*;
    /// let nim: Game = "nim".parse()?;
    /// let ones = nim.position("1+1+1")?;
    /// assert_eq!(nim.outcome(&ones, &Ask::new())?.outcome, Outcome::N);
    /// assert_eq!(nim.outcome(&ones, &Ask::new().play(Play::Misere))?.outcome, Outcome::P);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn outcome(&self, position: &Position, ask: &Ask) -> Result<OutcomeReport> {
        let found = self.kind.playable().outcome(position, ask)?;
        Ok(OutcomeReport {
            game: self.written.clone(),
            position: position.clone(),
            play: self.play(ask),
            outcome: found.value,
            method: found.method,
            proved: found.proved,
        })
    }

    /// The Grundy value of a position, in normal play; in a lattice game also on the board of misère play, which lacks the origin.
    ///
    /// ```
    /// use impartial::prelude::*;
    /// let game: Game = "grundys-game".parse()?;
    /// assert_eq!(game.grundy(&game.position("8")?, &Ask::new())?.to_string(), "2");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn grundy(&self, position: &Position, ask: &Ask) -> Result<GrundyReport> {
        self.normal_play(ask)?;
        let found = self.kind.playable().grundy(position, ask)?;
        Ok(GrundyReport {
            game: self.written.clone(),
            position: position.clone(),
            play: self.play(ask),
            grundy: found.value.into(),
            method: found.method,
            proved: found.proved,
        })
    }

    /// Grundy values belong to normal play. The lattice game of a defeated set has values of its own: its board lacks these
    /// positions.
    fn normal_play(&self, ask: &Ask) -> Result<()> {
        if self.play(ask) == Play::Misere && !matches!(self.kind, Kind::Lattice(_) | Kind::Rays(_)) {
            return Err(Error::input(
                "Grundy values belong to normal play; ask for the outcome or the quotient, or leave --play misere out",
            ));
        }
        Ok(())
    }

    /// Every winning move of a position.
    pub fn winning_moves(&self, position: &Position, ask: &Ask) -> Result<MovesReport> {
        let found = self.kind.playable().winning_moves(position, ask)?;
        Ok(MovesReport {
            game: self.written.clone(),
            position: position.clone(),
            play: self.play(ask),
            moves: found.value.positions,
            complete: found.value.complete,
            method: found.method,
            proved: found.proved,
        })
    }

    /// What the game is: kind, rules, axioms; how it is played, where it comes from, what is known, how to go on.
    ///
    /// ```
    /// use impartial::prelude::*;
    /// let game: Game = "exotic".parse()?;
    /// assert_eq!(game.info(&Ask::new())?.facts["dimension"], 2);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn info(&self, ask: &Ask) -> Result<InfoReport> {
        let mut info = self.kind.playable().info(&self.written, ask)?;
        about::add(self, &mut info, ask);
        Ok(info)
    }

    /// What the game is, and the longest play B(x) from a position: the greatest number of moves that can be made.
    ///
    /// ```
    /// use impartial::prelude::*;
    /// let kayles: Game = "kayles".parse()?;
    /// let info = kayles.info_at(&kayles.position("3+4")?, &Ask::new())?;
    /// assert_eq!(info.facts["longest_play"], 7);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn info_at(&self, position: &Position, ask: &Ask) -> Result<InfoReport> {
        let mut info = self.info(ask)?;
        let game = self.kind.playable();
        let lattice = if let Kind::Lattice(lattice) = &self.kind { Some(lattice.game(ask)?) } else { None };
        let options = |position: &Position| -> Result<Vec<Vec<Position>>> {
            let options = match &lattice {
                Some(lattice) => lattice::options(lattice, position)?,
                None => game.options(position)?,
            };
            options.iter().map(|option| game.components(option)).collect()
        };
        let moves = longest::longest_play(&game.components(position)?, &options, ask.monitor)?;
        info.fact("position", position).fact("longest_play", moves);
        info.line(format!("longest play from {position}: {}", words::counted(moves, "move", "moves")));
        Ok(info)
    }

    /// The Grundy values of heaps 0, 1, …, `to`, with `keep` as a place for what is known between runs. Unless `all_computed` is
    /// set, values beyond a proved period are taken from it.
    pub fn values(&self, to: u64, all_computed: bool, keep: Option<&mut dyn Keep>, ask: &Ask) -> Result<ValuesReport> {
        match &self.kind {
            Kind::Heap(game) => {
                self.normal_play(ask)?;
                heap::sequence::values(game, to, all_computed, keep, ask)
            }
            other => Err(other.unsupported("values")),
        }
    }

    /// The period of the Grundy sequence of a heap game, with proof where one is found.
    ///
    /// ```
    /// use impartial::prelude::*;
    /// let dawson: Game = "dawsons-kayles".parse()?;
    /// let period = dawson.period(&Ask::new())?;
    /// assert_eq!((period.preperiod, period.period, period.saltus), (Some(53), Some(34), Some(0)));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn period(&self, ask: &Ask) -> Result<PeriodReport> {
        Ok(self.period_and_proof(None, ask)?.0)
    }

    /// [`Game::period`] with the strategy that proves it, and with a place for what is known between runs.
    pub fn period_and_proof(&self, keep: Option<&mut dyn Keep>, ask: &Ask) -> Result<(PeriodReport, Option<Strategy>)> {
        match &self.kind {
            Kind::Heap(game) => {
                self.normal_play(ask)?;
                let (report, proof) = heap::sequence::period(game, keep, ask)?;
                Ok((report, proof.map(|strategy| strategy.named(&self.written))))
            }
            other => Err(other.unsupported("period")),
        }
    }

    /// Finds a strategy for the whole game and proves it.
    ///
    /// ```
    /// use impartial::prelude::*;
    /// let ask = Ask::new();
    /// let exotic: Game = "exotic".parse()?;
    /// let strategy = exotic.solve(&ask)?;
    /// let file = strategy.to_text();
    /// // A file is a claim until it is checked.
    /// let claimed = Strategy::load(&file, &ask)?;
    /// let again: Strategy = claimed.verify(&ask)?;
    /// let far = exotic.position("(1000000000000000000000006,6)")?;
    /// assert_eq!(again.outcome(&far, &ask)?.outcome, Outcome::P);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn solve(&self, ask: &Ask) -> Result<Strategy> {
        let found = match &self.kind {
            Kind::Heap(game) => heap::solve(game, ask)?,
            Kind::Lattice(game) => lattice::solve(game, &self.written, ask)?,
            Kind::Rays(game) => rays::solve(&game.game(ask)?, &self.written, ask)?,
            Kind::Wythoff(_) => rays::solve(&RayGame::wythoff(ask.play), &self.written, ask)?,
            Kind::Poset(game) => poset::solve(game, ask)?,
            Kind::Chains(game) => chains::solve(game, 0, ask)?,
            other => return Err(other.unsupported("solve")),
        };
        Ok(found.named(&self.written))
    }

    /// Finds the Grundy value of every position, and proves it.
    pub fn solve_grundy(&self, ask: &Ask) -> Result<Strategy> {
        match &self.kind {
            Kind::Lattice(game) => Ok(lattice::solve_values(game, &self.written, ask)?.named(&self.written)),
            Kind::Rays(game) => Ok(rays::solve_values(&game.game(ask)?, &self.written, ask)?.named(&self.written)),
            Kind::Wythoff(_) => {
                self.normal_play(ask)?;
                Ok(rays::solve_values(&RayGame::wythoff(ask.play), &self.written, ask)?.named(&self.written))
            }
            // The strategy of a heap game in normal play is its Grundy values already.
            Kind::Heap(_) if self.play(ask) == Play::Normal => self.solve(ask),
            _ => Err(Error::Input(format!(
                "--grundy is for lattice games and heap games in normal play, not for this {} game; leave it out",
                self.kind()
            ))),
        }
    }

    /// The game as the text of a lattice game file: heap games up to [`Ask::max_heap`], graphs, lattice games.
    ///
    /// ```
    /// use impartial::prelude::*;
    /// let kayles: Game = "0.77".parse()?;
    /// let lattice = Game::from_toml(&kayles.lattice_toml(&Ask::new().max_heap(3))?)?;
    /// assert_eq!(lattice.kind(), "lattice");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn lattice_toml(&self, ask: &Ask) -> Result<String> {
        match &self.kind {
            Kind::Heap(game) => heap::as_lattice::toml(game, ask),
            Kind::Lattice(game) => game.toml(ask),
            Kind::Rays(game) => Ok(game.game(ask)?.to_toml()),
            Kind::Wythoff(_) => Ok(RayGame::wythoff(ask.play).to_toml()),
            Kind::Graph(game) => game.lattice_toml(ask),
            other => Err(other.unsupported("convert --to lattice")),
        }
    }

    /// The number of P-positions with 0 ≤ xᵢ < sizes\[i\]: lattice points, numbers of heaps, rows of Chomp; of all positions of
    /// a finite poset when there are no sizes. One size stands for all.
    ///
    /// ```
    /// use impartial::prelude::*;
    /// let game: Game = "exotic".parse()?;
    /// assert_eq!(game.count(&[10_u32.into(), 10_u32.into()], &Ask::new())?.to_string(), "36");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn count(&self, sizes: &[BigUint], ask: &Ask) -> Result<CountReport> {
        let (count, method, proved) = match &self.kind {
            Kind::Heap(game) => heap::as_lattice::count(game, &self.written, sizes, ask)?,
            Kind::Lattice(game) => lattice::answer::count(&game.game(ask)?, sizes, ask)?,
            Kind::Rays(game) => rays::count(&game.game(ask)?, &self.written, sizes, ask)?,
            Kind::Wythoff(_) => rays::count(&RayGame::wythoff(ask.play), &self.written, sizes, ask)?,
            Kind::Poset(game) => poset::count(game, sizes, ask)?,
            Kind::Chains(game) => chains::count_game(game, sizes, ask)?,
            other => return Err(other.unsupported("count")),
        };
        Ok(CountReport {
            game: self.written.as_str().into(),
            play: self.play(ask),
            sizes: sizes.iter().map(ToString::to_string).collect::<Vec<_>>().join(","),
            count: count.into(),
            method,
            proved,
        })
    }

    /// Whether two positions are congruent: indistinguishable in every sum.
    ///
    /// ```
    /// use impartial::prelude::*;
    /// let game: Game = "0.123".parse()?;
    /// let (p, q) = (game.position("1+1")?, game.position("2")?);
    /// assert!(game.congruent(&p, &q, &Ask::new().play(Play::Misere))?.congruent);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn congruent(&self, p: &Position, q: &Position, ask: &Ask) -> Result<CongruenceReport> {
        match &self.kind {
            Kind::Heap(game) => heap::misere::congruent(game, &self.written, p, q, ask),
            Kind::Lattice(game) => Ok(CongruenceReport {
                p: p.to_string(),
                q: q.to_string(),
                ..lattice::congruent(game, &self.written, p, q, ask)?
            }),
            Kind::Rays(_) | Kind::Wythoff(_) => {
                Ok(CongruenceReport { game: self.written.clone(), ..self.solve(ask)?.congruent(p, q, ask)? })
            }
            Kind::Graph(game) if self.play(ask) == Play::Misere => game.congruent(&self.written, p, q, ask),
            other if self.play(ask) == Play::Misere => Err(Error::Input(format!(
                "congruent in misère play is for heap, lattice and graph games, not for {} games; ask in normal play",
                other.playable().kind()
            ))),
            other => {
                let game = other.playable();
                Ok(CongruenceReport::by_values(&self.written, (p, &game.grundy(p, ask)?), (q, &game.grundy(q, ask)?)))
            }
        }
    }

    /// The quotient of the game with its relations, and a strategy that goes with it.
    ///
    /// ```
    /// use impartial::prelude::*;
    /// let game: Game = "0.123".parse()?;
    /// let quotient = game.quotient(&Ask::new().play(Play::Misere))?;
    /// assert_eq!(quotient.report().order().unwrap().to_string(), "20");
    /// let file: String = quotient.strategy().to_text(); // with its certificate
    /// assert!(Strategy::load(&file, &Ask::new())?.verify(&Ask::new()).is_ok());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn quotient(&self, ask: &Ask) -> Result<Quotient> {
        match &self.kind {
            Kind::Heap(_) if ask.play == Some(Play::Normal) => Err(Error::input(
                "the quotient of a heap game is that of misère play; leave normal play out (there the Grundy values tell all)",
            )),
            Kind::Heap(game) => heap::misere::quotient(game, ask),
            Kind::Lattice(game) => {
                let automaton = lattice::automaton(&game.game(ask)?, ask)?;
                lattice::quotient::of_automaton(&self.written, automaton, ask)
            }
            other => Err(other.unsupported("quotient")),
        }
    }

    /// How n = f(m) behaves in a poset game with two infinite chains, and its value at one m.
    ///
    /// ```
    /// use impartial::prelude::*;
    /// let game: Game = "chomp-chains:1".parse()?;
    /// let f = game.chains(0, None, &Ask::new())?;
    /// assert_eq!((f.kind, f.initial), ("finite", vec![(1, 3), (2, 2)]));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn chains(&self, value: u64, at: Option<&BigUint>, ask: &Ask) -> Result<ChainsReport> {
        match &self.kind {
            Kind::Chains(game) => chains::report(game, &self.written, value, at, ask),
            other => Err(other.unsupported("chains")),
        }
    }

    /// Poset games with two infinite chains: f_k together with what Byrnes's proof works with, Q(A), T and W.
    pub fn chains_explained(&self, value: u64, at: Option<&BigUint>, ask: &Ask) -> Result<ChainsReport> {
        match &self.kind {
            Kind::Chains(game) => Ok(self.chains(value, at, ask)?.explained(game.notions(value, ask)?)),
            other => Err(other.unsupported("chains")),
        }
    }

    /// Poset games with infinite chains: the strategy with the functions of all Grundy values up to k.
    ///
    /// ```
    /// use impartial::prelude::*;
    /// let game: Game = "chomp-chains:1".parse()?;
    /// let strategy = game.solve_up_to(2, &Ask::new())?;
    /// let position = game.position("3,2,1")?;
    /// assert_eq!(strategy.grundy(&position, &Ask::new())?.grundy, game.grundy(&position, &Ask::new())?.grundy);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn solve_up_to(&self, value: u64, ask: &Ask) -> Result<Strategy> {
        match &self.kind {
            Kind::Chains(game) => Ok(chains::solve(game, value, ask)?.named(&self.written)),
            _ => Err(Error::Input(format!(
                "--value is for poset games with infinite chains, not for this {} game; leave it out",
                self.kind()
            ))),
        }
    }
}
