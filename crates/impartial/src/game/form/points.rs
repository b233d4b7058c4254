//! Forms that answer at lattice points.

use std::fmt::Write as _;

use num_bigint::{BigInt, BigUint};
use semilinear::vectorset::{BoxTooLarge, Effort};
use serde_json::{Value, json};

use super::texts::{STRATIFICATION_TEXTS, automaton_text, coordinates};
use super::{Answers, Form, Shown, no_text, object};
use crate::error::{Error, Result};
use crate::game::kind::Moves;
use crate::game::lattice::answer::sized;
use crate::game::lattice::congruence;
use crate::game::position::{Position, in_polyhedron, on_board, point_of, point_text, read_point};
use crate::game::report::{CongruenceReport, Picture, QuotientReport};
use crate::game::words::counted;
use crate::game::{Ask, PlotAsk, PlotKind, plot};
use crate::lattice::LatticeGame;
use crate::outcome::{Outcome, Play};
use crate::render::{self, Syntax};
use crate::solve::parity_kernel::ParityKernel;
use crate::strategy::{
    AutomatonStrategy, CharacterStrategy, Congruence, Envelope, GrundyStrategy, SeriesStrategy, Standing,
    StratificationStrategy,
};

/// Automata of shifted and united sets may have this many states.
const STATES: usize = 1 << 23;

impl From<BoxTooLarge> for Error {
    fn from(error: BoxTooLarge) -> Self {
        match error {
            BoxTooLarge::Stopped(why) => why.into(),
            other @ BoxTooLarge::Sides { .. } => Self::input(other),
        }
    }
}

fn positions(points: Vec<Vec<BigInt>>) -> Moves {
    Moves::all(points.into_iter().map(Position::of_point).collect())
}

fn off_board(position: &Position) -> Error {
    Error::Input(format!("POSITION {position} is not on the board; give a point of the board"))
}

/// The report of a congruence, from what a form finds for two points of the polyhedron.
fn compared(
    game: &LatticeGame,
    (p, q): (&Position, &Position),
    method: &str,
    standing: Standing,
    find: impl FnOnce(&[BigInt], &[BigInt]) -> Result<Congruence>,
) -> Result<CongruenceReport> {
    let found = find(in_polyhedron(game, p)?, in_polyhedron(game, q)?)?;
    Ok(congruence("strategy file", game.play(), &found, method, Some(standing)))
}

/// "a lattice game: 3 rules, 2 coordinates, 1 defeated position".
pub(super) fn game_in_words(game: &LatticeGame) -> String {
    let rules = counted(game.rules().len(), "rule", "rules");
    let coordinates = counted(game.dimension(), "coordinate", "coordinates");
    let defeated = counted(game.defeated().len(), "defeated position", "defeated positions");
    format!("a lattice game: {rules}, {coordinates}, {defeated}")
}

/// Says how inner coordinates come from the user's, where they differ.
fn chart_line(game: &LatticeGame, what: &str) -> String {
    let chart = game.chart();
    if chart.is_identity() {
        return String::new();
    }
    format!("{what} y = Mx + s with M = {:?}, s = {:?}\n", chart.matrix(), chart.shift())
}

/// What every form of a lattice game has alike: whose it is, and its positions.
macro_rules! of_lattice_game {
    () => {
        fn play(&self) -> Play {
            self.game().play()
        }

        fn game(&self) -> Value {
            self.game().to_json()
        }

        fn file(&self) -> Envelope {
            self.to_envelope()
        }

        fn position(&self, text: &str) -> Result<Position> {
            read_point(text, self.game().dimension())
        }

        fn position_of(&self, numbers: &[BigInt]) -> Result<Position> {
            point_of(numbers, self.game().dimension())
        }
    };
}

/// What every form of a set of points has alike.
macro_rules! at_points {
    () => {
        of_lattice_game!();

        fn outcome(&self, position: &Position, _ask: &Ask) -> Result<Outcome> {
            self.outcome(on_board(self.game(), position)?).ok_or_else(|| off_board(position))
        }

        fn winning_moves(&self, position: &Position, _ask: &Ask) -> Result<Moves> {
            Ok(positions(self.winning_moves(on_board(self.game(), position)?)))
        }
    };
}

mod blocks;
mod presentation;
mod sectors;

/// The first elements of a set in the user's coordinates.
fn first_points(
    set: &semilinear::vectorset::VectorSet,
    game: &LatticeGame,
    most: usize,
    ask: &Ask,
) -> Result<Vec<String>> {
    let effort = Effort::new(1 << 24, ask.monitor);
    let mut first = Vec::new();
    for y in set.elements(&vec![1; game.dimension()], &effort)?.take(most) {
        ask.monitor.check(0, None)?;
        let y: Vec<BigInt> = y.into_iter().map(Into::into).collect();
        first.push(point_text(&game.chart().outer_big(&y)));
    }
    Ok(first)
}

/// `NAME: proved strategy of form "…", key value, …`.
fn found(name: &str, form: Form, size: &serde_json::Map<String, Value>, standing: Standing) -> String {
    let mut text = format!("{name}: {} strategy of form \"{form}\"", standing.in_words());
    for (key, value) in size {
        let _ = write!(text, ", {key} {value}");
    }
    text
}

impl Answers for AutomatonStrategy {
    at_points!();

    fn outcome_at(&self, numbers: &[i64], ask: &Ask) -> Result<Outcome> {
        if let Some(outcome) = self.outcome_small(numbers) {
            return Ok(outcome);
        }
        // Not a position, or large inner coordinates.
        let numbers: Vec<BigInt> = numbers.iter().map(|&n| n.into()).collect();
        Answers::outcome(self, &self.position_of(&numbers)?, ask)
    }

    fn form(&self) -> Form {
        Form::Automaton
    }

    fn summary(&self, name: Option<&str>, standing: Standing) -> Shown {
        let size = object(json!({"states": self.set().states(), "block_states": self.set().block_states()}));
        let text = match name {
            Some(name) => found(name, Form::Automaton, &size, standing),
            None => {
                format!("automaton with {}, {}", counted(self.set().states(), "state", "states"), standing.in_words())
            }
        };
        (size, text)
    }

    fn show(&self, syntax: Option<Syntax>, _standing: Standing, ask: &Ask) -> Result<Shown> {
        let (game, set) = (self.game(), self.set());
        let certificate = self.to_envelope().certificate;
        let first = first_points(set, game, 12, ask)?;
        let text = match syntax {
            None => serde_json::to_string_pretty(&certificate).map_err(Error::input)?,
            Some(Syntax::Text) => format!(
                "P-positions of {}\n\
                 automaton: {} that read one binary digit, lowest first, coordinate by coordinate ({} at the \
                 first coordinate)\n{}{}; the first: {}",
                game_in_words(game),
                counted(set.states(), "state", "states"),
                set.block_states(),
                chart_line(game, "it reads"),
                if set.is_finite() { "finitely many" } else { "infinitely many" },
                first.join(" ")
            ),
            Some(other) => {
                let title = format!("P-positions, digits of {}", coordinates(game));
                automaton_text(set, other, &title, "convert FILE --to stratification or series")?
            }
        };
        let content = object(json!({
            "states": set.states(),
            "block_states": set.block_states(),
            "finite": set.is_finite(),
            "first": first,
            "certificate": certificate,
        }));
        Ok((content, text))
    }

    fn count(&self, sizes: &[BigUint], ask: &Ask) -> Result<(BigUint, String)> {
        Ok((self.count(&sized(sizes, self.game().dimension())?, ask.monitor)?, "automaton".into()))
    }

    fn congruent(&self, p: &Position, q: &Position, standing: Standing, ask: &Ask) -> Result<CongruenceReport> {
        let effort = Effort::new(STATES, ask.monitor);
        compared(self.game(), (p, q), "automaton", standing, |p, q| Ok(self.congruence(p, q, &effort)?))
    }

    fn plot(&self, written: &str, ask_plot: &PlotAsk, ask: &Ask) -> Result<Picture> {
        match ask_plot.kind {
            PlotKind::Automaton => plot::lattice::automaton(written, self.set(), self.game()),
            PlotKind::Auto | PlotKind::Map => {
                plot::lattice::game(written, plot::lattice::stem(written), self.game(), ask_plot, ask)
            }
            other => Err(plot::not_here(other, "an automaton", "map and automaton")),
        }
    }
}

impl Answers for StratificationStrategy {
    at_points!();

    fn form(&self) -> Form {
        Form::Stratification
    }

    fn summary(&self, _name: Option<&str>, standing: Standing) -> Shown {
        let strata = self.strata();
        let size = object(json!({
            "strata": strata.strata(),
            "modules": strata.modules().len(),
            "complexity": strata.complexity(),
        }));
        let text = render::stratification(strata, Syntax::Text).unwrap_or_default();
        let (count, modules) = (strata.strata(), strata.modules().len());
        (
            size,
            format!(
                "{text}\n{} in {}, {}",
                counted(count, "stratum", "strata"),
                counted(modules, "module", "modules"),
                standing.in_words()
            ),
        )
    }

    fn show(&self, syntax: Option<Syntax>, _standing: Standing, _ask: &Ask) -> Result<Shown> {
        let strata = self.strata();
        let text = match syntax {
            Some(syntax) => render::stratification(strata, syntax)
                .ok_or_else(|| no_text("a stratification", syntax, STRATIFICATION_TEXTS))?,
            None => serde_json::to_string_pretty(strata.modules()).map_err(Error::input)?,
        };
        let content = object(json!({
            "strata": strata.strata(),
            "modules": strata.modules(),
            "complexity": strata.complexity(),
        }));
        Ok((content, text))
    }

    fn count(&self, sizes: &[BigUint], ask: &Ask) -> Result<(BigUint, String)> {
        Ok((self.count(&sized(sizes, self.game().dimension())?, ask.monitor)?, "stratification".into()))
    }

    fn congruent(&self, p: &Position, q: &Position, standing: Standing, ask: &Ask) -> Result<CongruenceReport> {
        let effort = Effort::new(STATES, ask.monitor);
        let method = "automaton of the strata";
        compared(self.game(), (p, q), method, standing, |p, q| Ok(self.congruence(p, q, &effort)?))
    }

    fn plot(&self, written: &str, ask_plot: &PlotAsk, ask: &Ask) -> Result<Picture> {
        plot::stratification::picture(written, self, ask_plot, ask)
    }
}

impl Answers for SeriesStrategy {
    fn form(&self) -> Form {
        Form::Series
    }

    of_lattice_game!();

    fn outcome(&self, position: &Position, ask: &Ask) -> Result<Outcome> {
        let x = on_board(self.game(), position)?;
        self.outcome(x, ask.monitor)?.ok_or_else(|| off_board(position))
    }

    fn winning_moves(&self, position: &Position, ask: &Ask) -> Result<Moves> {
        Ok(positions(self.winning_moves(on_board(self.game(), position)?, ask.monitor)?))
    }

    fn summary(&self, _name: Option<&str>, standing: Standing) -> Shown {
        let terms = self.series().terms().len();
        let size = object(json!({
            "terms": terms,
            "strata": self.strata().strata().strata(),
            "complexity": self.series().complexity(),
        }));
        let formula = render::series(self.series(), Syntax::Text).unwrap_or_default();
        (size, format!("{formula}\n{}, {}", counted(terms, "term", "terms"), standing.in_words()))
    }

    fn show(&self, syntax: Option<Syntax>, _standing: Standing, _ask: &Ask) -> Result<Shown> {
        let series = self.series();
        let text = match syntax {
            Some(syntax @ Syntax::Normaliz) => render::stratification(self.strata().strata(), syntax)
                .ok_or_else(|| no_text("a series without a ray", syntax, STRATIFICATION_TEXTS))?,
            Some(syntax) => {
                let remedy = "it has text, json, latex, macaulay2, sage, mathematica, normaliz, csv and jsonl";
                render::series(series, syntax).ok_or_else(|| no_text("a series", syntax, remedy))?
            }
            None => serde_json::to_string_pretty(series.terms()).map_err(Error::input)?,
        };
        Ok((object(json!({"terms": series.terms(), "complexity": series.complexity()})), text))
    }

    fn count(&self, sizes: &[BigUint], ask: &Ask) -> Result<(BigUint, String)> {
        Ok((self.strata().count(&sized(sizes, self.game().dimension())?, ask.monitor)?, "stratification".into()))
    }

    fn congruent(&self, p: &Position, q: &Position, standing: Standing, ask: &Ask) -> Result<CongruenceReport> {
        compared(self.game(), (p, q), "series", standing, |p, q| Ok(self.congruence(p, q, ask.monitor)?))
    }

    /// The group of a normal affine semigroup; other series do not give the quotient by themselves.
    fn quotient(&self, name: &str, standing: Standing, ask: &Ask) -> Result<Option<QuotientReport>> {
        let quotient = self.normal_quotient(ask.monitor)?;
        Ok(quotient.map(|quotient| QuotientReport::of_group(name, self.game().dimension(), &quotient, standing)))
    }

    fn plot(&self, written: &str, ask_plot: &PlotAsk, ask: &Ask) -> Result<Picture> {
        plot::stratification::picture(written, self.strata(), ask_plot, ask)
    }
}

impl Answers for CharacterStrategy {
    at_points!();

    fn form(&self) -> Form {
        Form::Series
    }

    fn summary(&self, _name: Option<&str>, standing: Standing) -> Shown {
        let terms = self.sum().signs().len();
        let formula = render::characters(self.sum(), Syntax::Text).unwrap_or_default();
        let text =
            format!("{formula}\n{}, one for each character, {}", counted(terms, "term", "terms"), standing.in_words());
        (object(json!({"terms": terms, "characters": true})), text)
    }

    fn show(&self, syntax: Option<Syntax>, _standing: Standing, _ask: &Ask) -> Result<Shown> {
        let signs = self.to_envelope().certificate["characters"].clone();
        let text = match syntax {
            Some(syntax) => {
                let remedy = "it has text, json, latex, macaulay2, sage and mathematica";
                render::characters(self.sum(), syntax)
                    .ok_or_else(|| no_text("a sum over characters", syntax, remedy))?
            }
            None => serde_json::to_string_pretty(&signs).map_err(Error::input)?,
        };
        Ok((object(json!({"terms": self.sum().signs().len(), "characters": signs})), text))
    }

    fn count(&self, sizes: &[BigUint], _ask: &Ask) -> Result<(BigUint, String)> {
        let kernel = ParityKernel::from_values(self.values().to_vec());
        Ok((kernel.count(&sized(sizes, self.game().dimension())?), "parity-kernel".into()))
    }

    fn congruent(&self, p: &Position, q: &Position, standing: Standing, _ask: &Ask) -> Result<CongruenceReport> {
        compared(self.game(), (p, q), "series", standing, |p, q| Ok(self.congruence(p, q)))
    }

    fn plot(&self, written: &str, ask_plot: &PlotAsk, ask: &Ask) -> Result<Picture> {
        plot::lattice::game(written, plot::lattice::stem(written), self.game(), ask_plot, ask)
    }
}

impl Answers for GrundyStrategy {
    at_points!();

    fn form(&self) -> Form {
        Form::GrundyAutomaton
    }

    fn grundy(&self, position: &Position, _ask: &Ask) -> Result<BigUint> {
        let value = self.grundy(on_board(self.game(), position)?).ok_or_else(|| off_board(position))?;
        Ok(value.into())
    }

    fn summary(&self, name: Option<&str>, standing: Standing) -> Shown {
        let values = self.values();
        let largest = values.labels().last().map_or(0, |label| label.saturating_sub(1));
        let size =
            object(json!({"states": values.states(), "block_states": values.block_states(), "max_value": largest}));
        let text = found(name.unwrap_or("strategy"), Form::GrundyAutomaton, &size, standing);
        (size, text)
    }

    fn show(&self, syntax: Option<Syntax>, _standing: Standing, ask: &Ask) -> Result<Shown> {
        let (game, values) = (self.game(), self.values());
        let certificate = self.to_envelope().certificate;
        let effort = Effort::new(1 << 24, ask.monitor);
        let mut sets = Vec::new();
        let mut lines = Vec::new();
        for label in values.labels().into_iter().filter(|&label| label > 0) {
            let set = values.set(label, &effort)?;
            let first = first_points(&set, game, 6, ask)?;
            let size = if set.is_finite() { "finitely many" } else { "infinitely many" };
            lines.push(format!("value {}: {size}; the first: {}", label - 1, first.join(" ")));
            sets.push(json!({"value": label - 1, "states": set.states(), "finite": set.is_finite(), "first": first}));
        }
        let text = match syntax {
            None => serde_json::to_string_pretty(&certificate).map_err(Error::input)?,
            Some(Syntax::Text) => format!(
                "Grundy values of {}\n\
                 automaton: {} that read one binary digit, lowest first, coordinate by coordinate ({} at the first \
                 coordinate)\n{}{}",
                game_in_words(game),
                counted(values.states(), "state", "states"),
                values.block_states(),
                chart_line(game, "it reads"),
                lines.join("\n")
            ),
            Some(other) => {
                // The label of a position is its value plus one; 0 is for what is not on the board.
                let title = format!("Grundy value + 1, digits of {}", coordinates(game));
                automaton_text(values, other, &title, "convert FILE --to stratification for the P-positions")?
            }
        };
        let content = object(json!({
            "states": values.states(),
            "block_states": values.block_states(),
            "values": sets,
            "certificate": certificate,
        }));
        Ok((content, text))
    }

    fn count(&self, sizes: &[BigUint], ask: &Ask) -> Result<(BigUint, String)> {
        let p = self.p_positions(&Effort::new(1 << 24, ask.monitor))?;
        let count = p.claim().count(&sized(sizes, self.game().dimension())?, ask.monitor)?;
        Ok((count, "grundy-automaton".into()))
    }

    fn plot(&self, written: &str, ask_plot: &PlotAsk, ask: &Ask) -> Result<Picture> {
        match ask_plot.kind {
            PlotKind::Automaton => plot::lattice::automaton(written, self.values(), self.game()),
            PlotKind::Auto | PlotKind::Map => plot::lattice::game(
                written,
                plot::lattice::stem(written),
                self.game(),
                &PlotAsk { grundy: true, ..ask_plot.clone() },
                ask,
            ),
            other => Err(plot::not_here(other, "an automaton", "map and automaton")),
        }
    }
}
