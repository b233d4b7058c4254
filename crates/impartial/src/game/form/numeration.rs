//! Automata in a numeration system, for games with rays.

use crate::game::words::counted;
use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive as _;
use semilinear::run::StopReason;
use semilinear::vectorset::Effort;
use serde_json::{Value, json};

use super::{Answers, Form, Shown, no_text, object};
use crate::error::{Error, Result};
use crate::game::kind::Moves;
use crate::game::lattice::answer::sized;
use crate::game::lattice::congruence;
use crate::game::position::{Place, Position, read_heaps, read_point};
use crate::game::report::{CongruenceReport, Picture};
use crate::game::{Ask, PlotAsk, plot, rays};
use crate::outcome::{Outcome, Play};
use crate::render::{Cell, Syntax, walnut_proof};
use crate::strategy::{Congruence, Envelope, NumerationStrategy, Standing};

/// The most winning moves that are listed.
const MOST_MOVES: usize = 10_000;
/// Coordinates of positions that are compared in sums are less than this.
const LARGEST_SHIFT: i64 = 1 << 36;
/// States of the automata that compare them.
const STATES: usize = 1 << 22;

impl NumerationStrategy {
    /// The point of a position on the board.
    fn point(&self, position: &Position) -> Result<Vec<BigUint>> {
        rays::point(self.game(), position)
    }
}

impl Answers for NumerationStrategy {
    fn form(&self) -> Form {
        Form::Numeration
    }

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
        match read_point(text, self.game().dimension()) {
            Err(_) if self.game().is_symmetric() && text.contains('+') => read_heaps(text),
            read => read,
        }
    }

    fn outcome(&self, position: &Position, _ask: &Ask) -> Result<Outcome> {
        let x = self.point(position)?;
        self.outcome(&x).ok_or_else(|| rays::defeated(position))
    }

    fn grundy(&self, position: &Position, _ask: &Ask) -> Result<BigUint> {
        let x = self.point(position)?;
        match self.grundy(&x) {
            Some(Some(value)) => Ok(value.into()),
            Some(None) => Err(Error::Input(format!(
                "the value of {position} is more than {}, and the strategy knows no larger ones; solve with a larger --up-to",
                self.sets().len() - 1
            ))),
            None => Err(rays::defeated(position)),
        }
    }

    fn winning_moves(&self, position: &Position, _ask: &Ask) -> Result<Moves> {
        let x = self.point(position)?;
        if self.game().is_defeated(&x) {
            return Err(rays::defeated(position));
        }
        let (found, complete) = self.winning_moves(&x, MOST_MOVES);
        let heaps = matches!(position.place, Place::Heaps(_));
        let written = |x: Vec<BigUint>| {
            if heaps { Position::of_heaps(x) } else { Position::of_point(x.into_iter().map(BigInt::from).collect()) }
        };
        let mut positions: Vec<Position> = Vec::new();
        for x in found {
            let position = written(x);
            if !positions.contains(&position) {
                positions.push(position);
            }
        }
        Ok(Moves { positions, complete })
    }

    fn summary(&self, name: Option<&str>, standing: Standing) -> Shown {
        let states: Vec<usize> = self.sets().iter().map(semilinear::numeration::DigitSet::states).collect();
        let size = object(json!({
            "numeration": self.system().name(),
            "values": self.sets().len() - 1,
            "states": states.iter().sum::<usize>(),
            "states_by_value": states,
        }));
        let what = match states.as_slice() {
            [p] => format!("the P-positions as an automaton of {}", counted(*p, "state", "states")),
            all => {
                let all: Vec<String> = all.iter().enumerate().map(|(g, n)| format!("{g}: {n}")).collect();
                format!("the values 0 to {} as automata (states of value {})", all.len() - 1, all.join(", "))
            }
        };
        let text = format!(
            "{}: {} strategy of form \"numeration\": {what}, in {} digits",
            name.unwrap_or("strategy"),
            standing.in_words(),
            self.system().name()
        );
        (size, text)
    }

    fn show(&self, syntax: Option<Syntax>, standing: Standing, _ask: &Ask) -> Result<Shown> {
        let certificate = self.to_envelope().certificate;
        let text = match syntax {
            None => serde_json::to_string_pretty(&certificate).map_err(Error::input)?,
            Some(Syntax::Text) => {
                let (_, summary) = self.summary(None, standing);
                let (regions, ends) = (rays::regions_in_words(self.game()), rays::terminal_in_words(self.game()));
                format!(
                    "{summary}\nrules {:?}, rays {:?}{regions}, {}{ends}; digits most significant first, weights {:?} …",
                    self.game().rules(),
                    self.game().rays(),
                    counted(self.game().defeated().len(), "defeated position", "defeated positions"),
                    &self.system().machine_weights()[..8]
                )
            }
            Some(Syntax::Walnut) => walnut_proof(self).ok_or_else(|| {
                Error::Input(format!(
                    "Walnut has no numeration system that is called {}; it is binary, ternary, fibonacci, pell or tribonacci there",
                    self.system().name()
                ))
            })?,
            Some(other) => {
                return Err(no_text("an automaton in a numeration system", other, "show it as text, json or walnut"));
            }
        };
        let (mut content, _) = self.summary(None, standing);
        content.insert("certificate".into(), certificate);
        Ok((content, text))
    }

    fn count(&self, sizes: &[BigUint], _ask: &Ask) -> Result<(BigUint, String)> {
        let sizes = sized(sizes, self.game().dimension())?;
        Ok((self.sets()[0].count(&sizes), "numeration".into()))
    }

    fn congruent(&self, p: &Position, q: &Position, standing: Standing, ask: &Ask) -> Result<CongruenceReport> {
        let effort = Effort::new(STATES, ask.monitor);
        let shift = |position: &Position| -> Result<Vec<i64>> {
            let x = rays::coordinates(self.game(), position)?;
            let small = |x: &BigUint| x.to_i64().filter(|&x| x < LARGEST_SHIFT);
            x.iter().map(small).collect::<Option<_>>().ok_or_else(|| {
                Error::from(StopReason::Size {
                    what: "units in a coordinate of a sum",
                    limit: LARGEST_SHIFT.unsigned_abs(),
                })
            })
        };
        let (a, b) = (self.sets()[0].shifted(&shift(p)?, &effort)?, self.sets()[0].shifted(&shift(q)?, &effort)?);
        let different = a.difference(&b, &effort)?.union(&b.difference(&a, &effort)?, &effort)?;
        let found = match different.least() {
            None => Congruence::Congruent,
            Some(r) => Congruence::Different { witness: r.into_iter().map(BigInt::from).collect() },
        };
        Ok(congruence("strategy file", self.game().play(), &found, "numeration", Some(standing)))
    }

    fn plot(&self, written: &str, ask_plot: &PlotAsk, ask: &Ask) -> Result<Picture> {
        plot::rays::picture(written, self.game(), ask_plot, ask, |x| match self.grundy(x) {
            Some(Some(value)) if ask_plot.grundy => Cell::Value(value as u64),
            Some(Some(0)) => Cell::P,
            Some(_) => Cell::N,
            None => Cell::Defeated,
        })
    }
}
