//! Strategies: proved ones, and what a file claims.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use num_bigint::{BigInt, BigUint};
use semilinear::run::StopReason;

use super::form::{Body, Form, KernelGame, KernelStrategy};
use super::kind::Kind;
use super::position::Position;
use super::report::{
    CongruenceReport, CountReport, GrundyReport, MovesReport, OutcomeReport, Picture, QuotientReport, ShowReport,
    SolveReport, VerifyReport,
};
use super::{Ask, Game, PlotAsk, convert};
use crate::error::{Error, Known, Result};
use crate::heap::HeapRules;
use crate::lattice::LatticeGame;
use crate::outcome::{Outcome, Play};
use crate::render::Syntax;
use crate::solve::chains::Solution as ChainsSolution;
use crate::solve::parity_kernel::ParityKernel;
use crate::strategy::nim_sequence::NimSequence;
use crate::strategy::{
    AutomatonStrategy, BlocksStrategy, CharacterStrategy, DominanceStrategy, Envelope, GrundyStrategy, LongPeriod,
    MisereStrategy, NumerationStrategy, PresentationStrategy, Proved, RanksStrategy, SectorStrategy, SeriesStrategy,
    Standing, StratificationStrategy, Table, text_verdict,
};

/// What answers for every position of a game: inside a [`Strategy`] it is proved, inside a [`Claimed`] it is what a file says.
/// Answers carry the difference.
#[derive(Clone)]
pub struct Solution {
    pub(super) body: Arc<Body>,
    name: Option<String>,
    standing: Standing,
}

/// A strategy for a whole game, proved.
///
/// ```
/// use impartial::prelude::*;
/// let ask = Ask::new();
/// let exotic: Game = "exotic".parse()?;
/// let series = exotic.solve(&ask)?.convert(Form::Series, &ask)?;
/// let far = series.position("(600000000000000000000,600000000000000000000)")?;
/// assert_eq!(series.outcome(&far, &ask)?.outcome, Outcome::P);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Strategy(Solution);

/// A strategy as a file claims it. Nothing is proved yet: [`Claimed::verify`] asks the independent checker.
#[derive(Clone, Debug)]
pub struct Claimed {
    solution: Solution,
    text: String,
}

impl Deref for Strategy {
    type Target = Solution;

    fn deref(&self) -> &Solution {
        &self.0
    }
}

impl Deref for Claimed {
    type Target = Solution;

    fn deref(&self) -> &Solution {
        &self.solution
    }
}

impl fmt::Debug for Solution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solution")
            .field("form", &self.form())
            .field("proved", &self.standing.is_proved())
            .finish_non_exhaustive()
    }
}

impl Solution {
    fn answers(&self) -> &dyn super::form::Answers {
        self.body.answers()
    }

    /// The form.
    pub fn form(&self) -> Form {
        self.answers().form()
    }

    /// Whether the strategy is proved.
    pub fn standing(&self) -> Standing {
        self.standing
    }

    /// The winning condition.
    pub fn play(&self) -> Play {
        self.answers().play()
    }

    /// The content of the strategy file.
    pub fn file(&self) -> Envelope {
        self.answers().file()
    }

    /// The text of the strategy file.
    pub fn to_text(&self) -> String {
        self.file().to_text()
    }

    fn name(&self) -> String {
        self.name.clone().unwrap_or_else(|| "strategy file".to_owned())
    }

    /// Reads a position of the strategy's game.
    pub fn position(&self, text: &str) -> Result<Position> {
        self.answers().position(text)
    }

    /// The position with these numbers: heap sizes, coordinates, rows of Chomp.
    pub fn position_of(&self, numbers: &[BigInt]) -> Result<Position> {
        self.answers().position_of(numbers)
    }

    /// Who wins each of many positions, `width` numbers a position; an error names the place in the list.
    ///
    /// ```
    /// use impartial::prelude::*;
    /// let ask = Ask::new();
    /// let strategy = "exotic".parse::<Game>()?.solve(&ask)?;
    /// assert_eq!(strategy.outcomes(&[0, 0, 1, 0, 3, 4], 2, &ask)?, [Outcome::P, Outcome::N, Outcome::P]);
    /// assert!(strategy.outcomes(&[0, 0, 0, -1], 2, &ask).unwrap_err().to_string().starts_with("position 1 of the list"));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Complexity
    /// Of an automaton, one step a digit of each number.
    pub fn outcomes(&self, numbers: &[i64], width: usize, ask: &Ask) -> Result<Vec<Outcome>> {
        if width == 0 || !numbers.len().is_multiple_of(width) {
            return Err(Error::Input(format!("{} numbers are not positions of {width} numbers each", numbers.len())));
        }
        let answers = self.answers();
        let total = numbers.len() / width;
        let mut outcomes = Vec::with_capacity(total);
        for (i, position) in numbers.chunks_exact(width).enumerate() {
            if i % 4096 == 0 {
                ask.monitor.check(i as u64, Some(total as u64))?;
            }
            outcomes.push(
                answers.outcome_at(position, ask).map_err(|error| error.at(&format!("position {i} of the list")))?,
            );
        }
        Ok(outcomes)
    }

    /// Who wins a position.
    pub fn outcome(&self, position: &Position, ask: &Ask) -> Result<OutcomeReport> {
        Ok(OutcomeReport {
            game: self.name(),
            position: position.clone(),
            play: self.play(),
            outcome: self.answers().outcome(position, ask)?,
            method: self.form().to_string(),
            proved: Some(self.standing),
        })
    }

    /// The Grundy value of a position, where the form knows it.
    pub fn grundy(&self, position: &Position, ask: &Ask) -> Result<GrundyReport> {
        Ok(GrundyReport {
            game: self.name(),
            position: position.clone(),
            play: self.play(),
            grundy: self.answers().grundy(position, ask)?.into(),
            method: self.form().to_string(),
            proved: Some(self.standing),
        })
    }

    /// Every winning move of a position.
    ///
    /// ```
    /// use impartial::prelude::*;
    /// let ask = Ask::new();
    /// let strategy = "kayles".parse::<Game>()?.solve(&ask)?;
    /// let googol = strategy.position(&format!("1{}", "0".repeat(100)))?;
    /// assert!(!strategy.winning_moves(&googol, &ask)?.moves.is_empty());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn winning_moves(&self, position: &Position, ask: &Ask) -> Result<MovesReport> {
        let moves = self.answers().winning_moves(position, ask)?;
        Ok(MovesReport {
            game: self.name(),
            position: position.clone(),
            play: self.play(),
            moves: moves.positions,
            complete: moves.complete,
            method: self.form().to_string(),
            proved: Some(self.standing),
        })
    }

    /// The number of P-positions in a box; one size stands for all.
    ///
    /// ```
    /// use impartial::prelude::*;
    /// let ask = Ask::new();
    /// let strategy = "exotic".parse::<Game>()?.solve(&ask)?;
    /// let side = impartial::num_bigint::BigUint::from(10_u32).pow(40);
    /// assert!(strategy.count(&[side], &ask)?.to_string().len() > 70);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn count(&self, sizes: &[BigUint], ask: &Ask) -> Result<CountReport> {
        let (count, method) = self.answers().count(sizes, ask)?;
        Ok(CountReport {
            game: self.answers().game(),
            play: self.play(),
            sizes: sizes.iter().map(ToString::to_string).collect::<Vec<_>>().join(","),
            count: count.into(),
            method,
            proved: Some(self.standing),
        })
    }

    /// Whether two positions are congruent.
    pub fn congruent(&self, p: &Position, q: &Position, ask: &Ask) -> Result<CongruenceReport> {
        let report = self.answers().congruent(p, q, self.standing, ask)?;
        Ok(CongruenceReport { game: self.name(), p: p.to_string(), q: q.to_string(), ..report })
    }

    /// The strategy written out; `None` is JSON.
    ///
    /// ```
    /// use impartial::prelude::*;
    /// use impartial::render::Syntax;
    /// let ask = Ask::new();
    /// let strategy = "exotic".parse::<Game>()?.solve(&ask)?.convert(Form::Series, &ask)?;
    /// assert!(strategy.show(Some(Syntax::Latex), &ask)?.text.contains("\\frac"));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn show(&self, syntax: Option<Syntax>, ask: &Ask) -> Result<ShowReport> {
        let (mut content, text) = self.answers().show(syntax, self.standing, ask)?;
        let game = content.remove("game").filter(serde_json::Value::is_string);
        for key in ["play", "form", "proved"] {
            content.remove(key);
        }
        Ok(ShowReport {
            game: game.unwrap_or_else(|| self.answers().game()),
            play: self.play(),
            form: self.form().to_string(),
            proved: self.standing,
            content,
            text,
        })
    }

    /// A picture of the strategy.
    pub fn plot(&self, written: &str, plot: &PlotAsk, ask: &Ask) -> Result<Picture> {
        self.answers().plot(written, plot, ask)
    }

    /// What there is to say of the strategy: its form and size.
    pub fn report(&self, ask: &Ask) -> SolveReport {
        let (size, text) = self.answers().summary(self.name.as_deref(), self.standing);
        SolveReport {
            game: self.name.as_deref().map_or_else(|| self.answers().game(), Into::into),
            play: self.play(),
            form: Some(self.form().to_string()),
            proved: self.standing,
            size,
            seconds: ask.seconds(),
            text,
        }
    }

    /// Refuses a question that asks for the other play.
    pub fn answers_in(&self, ask: &Ask) -> Result<()> {
        match ask.play {
            Some(play) if play != self.play() => Err(Error::Input(format!(
                "this is a strategy in {} play, which says nothing of {play} play; leave --play out, or solve the game in {play} play",
                self.play()
            ))),
            _ => Ok(()),
        }
    }

    /// Refuses a strategy of another game or play.
    pub fn belongs_to(&self, game: &Game, ask: &Ask) -> Result<()> {
        let (json, play) = game.kind.playable().strategy_game(ask)?;
        let same = match (&*self.body, &game.kind) {
            // Codes and subtraction sets with the same moves are the same game.
            (Body::NimSequence(solved), Kind::Heap(heap)) => {
                heap.rules.code().is_some_and(|code| Some(code) == solved.rules().code())
            }
            (Body::LongPeriod(solved), Kind::Heap(heap)) => {
                heap.rules.code().is_some_and(|code| code == *solved.code())
            }
            _ => self.answers().game() == json,
        };
        if same && self.play() == play {
            return Ok(());
        }
        Err(Error::Input(format!(
            "the strategy ({} play) is not one for {} in {} play; solve that game first",
            self.play(),
            game.name(),
            game.play(ask)
        )))
    }
}

impl Strategy {
    fn new(body: Body, standing: Standing) -> Self {
        Self(Solution { body: Arc::new(body), name: None, standing })
    }

    /// A strategy from a checked form.
    fn of<T>(proved: Proved<T>, body: impl FnOnce(T) -> Body) -> Self {
        let standing = Standing::of(&proved);
        Self::new(body(proved.into_inner()), standing)
    }

    /// The same under the name of its game.
    pub(crate) fn named(mut self, name: &str) -> Self {
        self.0.name = Some(name.to_owned());
        self
    }

    pub(crate) fn unnamed(mut self) -> Self {
        self.0.name = None;
        self
    }

    /// Takes a form of the strategy as proved: what the strategy holds was checked when it was made.
    pub(crate) fn proved<'a, T: Clone + 'a>(
        &'a self,
        form: impl FnOnce(&'a Body) -> Option<&'a T>,
    ) -> Option<Proved<T>> {
        form(&self.0.body).map(|form| Proved::by_check(form.clone()))
    }

    pub(crate) fn automaton(strategy: Proved<AutomatonStrategy>) -> Self {
        Self::of(strategy, Body::Automaton)
    }

    pub(crate) fn sectors(strategy: Proved<SectorStrategy>) -> Self {
        Self::of(strategy, Body::Sectors)
    }

    pub(crate) fn blocks(strategy: Proved<BlocksStrategy>) -> Self {
        Self::of(strategy, Body::Blocks)
    }

    pub(crate) fn stratification(strategy: Proved<StratificationStrategy>) -> Self {
        Self::of(strategy, Body::Stratification)
    }

    pub(crate) fn series(strategy: Proved<SeriesStrategy>) -> Self {
        Self::of(strategy, Body::Series)
    }

    pub(crate) fn characters(strategy: Proved<CharacterStrategy>) -> Self {
        Self::of(strategy, Body::Characters)
    }

    pub(crate) fn grundy_automaton(strategy: Proved<GrundyStrategy>) -> Self {
        Self::of(strategy, Body::Grundy)
    }

    pub(crate) fn presentation(strategy: Proved<PresentationStrategy>) -> Self {
        Self::of(strategy, Body::Presentation)
    }

    pub(crate) fn nim_sequence(strategy: Proved<NimSequence>) -> Self {
        Self::of(strategy, Body::NimSequence)
    }

    pub(crate) fn long_period(strategy: Proved<LongPeriod>) -> Self {
        Self::of(strategy, Body::LongPeriod)
    }

    /// The same strategy with its values, where it computes them when they are asked for.
    pub(crate) fn listed(&self, ask: &Ask) -> Result<Self> {
        match &*self.0.body {
            Body::LongPeriod(long) => Ok(Self::nim_sequence(Proved::by_check(long.listed(ask.monitor)?))),
            _ => Ok(self.clone()),
        }
    }

    pub(crate) fn misere(strategy: Proved<MisereStrategy>) -> Self {
        Self::of(strategy, Body::of_misere)
    }

    pub(crate) fn dominance(strategy: Proved<DominanceStrategy>) -> Self {
        Self::of(strategy, Body::Dominance)
    }

    pub(crate) fn ranks(strategy: Proved<RanksStrategy>) -> Self {
        Self::of(strategy, Body::Ranks)
    }

    pub(crate) fn chains(solution: Proved<ChainsSolution>) -> Self {
        Self::of(solution, Body::Chains)
    }

    pub(crate) fn chains_set(set: Proved<super::form::SetStrategy>) -> Self {
        Self::of(set, Body::ChainsSet)
    }

    pub(crate) fn numeration(strategy: Proved<NumerationStrategy>) -> Self {
        Self::of(strategy, Body::Numeration)
    }

    pub(crate) fn table(table: Proved<Table>) -> Self {
        Self::of(table, Body::Table)
    }

    /// The kernel of a lattice game, computed from its rules (erratum, Theorem 3).
    pub(crate) fn lattice_kernel(game: LatticeGame, kernel: ParityKernel) -> Self {
        let strategy = KernelStrategy { game: KernelGame::Lattice(Box::new(game)), kernel };
        Self::of(Proved::by_check(strategy), Body::Kernel)
    }

    /// The kernel of a heap game, computed from its rules.
    pub(crate) fn heap_kernel(rules: &HeapRules, kernel: ParityKernel) -> Self {
        let strategy = KernelStrategy { game: KernelGame::Heap(Box::new(rules.clone())), kernel };
        Self::of(Proved::by_check(strategy), Body::Kernel)
    }

    /// Reads the text of a strategy file: nothing is proved yet.
    pub fn load(text: &str, ask: &Ask) -> Result<Claimed> {
        let file = Envelope::from_text(text).map_err(Error::input)?;
        let body = Arc::new(Body::read(&file, ask.monitor)?);
        let solution = Solution { body, name: None, standing: Standing::CLAIMED };
        Ok(Claimed { solution, text: text.to_owned() })
    }

    /// The strategy in another form, proved anew.
    ///
    /// ```
    /// use impartial::prelude::*;
    /// let ask = Ask::new();
    /// let strategy = "exotic".parse::<Game>()?.solve(&ask)?;
    /// let strata = strategy.convert(Form::Stratification, &ask)?;
    /// assert_eq!(strata.report(&ask).size["modules"], 2);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn convert(&self, to: Form, ask: &Ask) -> Result<Self> {
        convert::convert(self, to, ask)
    }

    /// The strategy written out in a syntax: as it is, else as a series, else as a stratification.
    pub fn written_in(&self, syntax: Syntax, ask: &Ask) -> Result<ShowReport> {
        let mut first = None;
        for form in [self.form(), Form::Series, Form::Stratification] {
            match self.convert(form, ask).and_then(|strategy| strategy.show(Some(syntax), ask)) {
                Ok(report) => return Ok(report),
                Err(error @ (Error::Input(_) | Error::Unsupported { .. })) => {
                    first.get_or_insert(error);
                }
                Err(error) => return Err(error),
            }
        }
        Err(first.expect("three forms were tried"))
    }

    /// The quotient that the strategy gives, with its relations.
    pub fn quotient(&self, name: &str, ask: &Ask) -> Result<Quotient> {
        if let Some(report) = self.answers().quotient(name, self.0.standing, ask)? {
            return Ok(Quotient { report, strategy: self.clone(), stopped: None });
        }
        let automaton = self.convert(Form::Automaton, ask)?;
        let automaton = automaton
            .proved(|body| if let Body::Automaton(form) = body { Some(form) } else { None })
            .ok_or_else(|| super::form::unsupported(self.form(), "quotient"))?;
        super::lattice::quotient::of_automaton(name, automaton, ask)
    }
}

impl Claimed {
    /// Asks the independent checker: the strategy, proved; or [`Error::Refused`]; or a stop.
    ///
    /// ```
    /// use impartial::prelude::*;
    /// let ask = Ask::new();
    /// let text = "0.123".parse::<Game>()?.solve(&ask)?.to_text();
    /// let claimed = Strategy::load(&text, &ask)?;
    /// assert!(!claimed.standing().is_proved() && claimed.verify(&ask)?.standing().is_proved());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn verify(self, ask: &Ask) -> Result<Strategy> {
        ask.monitor.phase("checking the file");
        text_verdict(&self.text, ask.monitor)?;
        let standing = Standing::of(&Proved::by_check(()));
        Ok(Strategy(Solution { standing, ..self.solution }))
    }
}

/// What the independent checker says of the text of a strategy file.
pub fn verified(text: &str, ask: &Ask) -> Result<VerifyReport> {
    /// What a refused file may have too.
    #[derive(Default, serde::Deserialize)]
    struct Head {
        game: Option<serde_json::Value>,
        play: Option<String>,
    }
    ask.monitor.phase("checking the file");
    let Head { game, play } = serde_json::from_str(text).unwrap_or_default();
    match text_verdict(text, ask.monitor) {
        Ok(claim) => Ok(VerifyReport { game, play, valid: true, claim: Some(claim), reason: None }),
        Err(Error::Refused { reason, .. }) => {
            Ok(VerifyReport { game, play, valid: false, claim: None, reason: Some(reason) })
        }
        Err(error) => Err(error),
    }
}

/// A quotient, a strategy that goes with it, and why the search stopped before all of what was asked for.
#[derive(Clone, Debug)]
pub struct Quotient {
    pub(crate) report: QuotientReport,
    pub(crate) strategy: Strategy,
    pub(crate) stopped: Option<StopReason>,
}

impl Quotient {
    /// Order, generators, relations, values.
    pub fn report(&self) -> &QuotientReport {
        &self.report
    }

    /// The strategy: the quotient itself, or the automaton behind relations that are not complete.
    pub fn strategy(&self) -> &Strategy {
        &self.strategy
    }

    /// Why the search stopped before all of what was asked for: what is there holds all the same.
    pub fn stopped(&self) -> Option<&StopReason> {
        self.stopped.as_ref()
    }

    /// The strategy, or the stop with what is known.
    pub(crate) fn into_strategy(self) -> Result<Strategy> {
        match self.stopped {
            None => Ok(self.strategy),
            Some(why) => {
                let known = Known { file: Some(self.strategy.to_text()), ..Known::of(&self.report) };
                Err(Error::Stopped { why, known: Some(Box::new(known)) })
            }
        }
    }
}
