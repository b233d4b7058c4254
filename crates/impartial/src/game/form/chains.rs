//! The form "chains", and the sets of P-positions (m, n) made from it.

use num_bigint::BigUint;
use semilinear::run::Monitor;
use semilinear::vectorset::Effort;
use serde_json::{Value, json};

use super::texts::STRATIFICATION_TEXTS;
use super::{Answers, Form, Shown, json_lines, no_text, object};
use crate::error::{Error, Result};
use crate::game::chains::{count, place, written};
use crate::game::kind::Moves;
use crate::game::lattice::answer::sized;
use crate::game::position::Position;
use crate::game::report::Picture;
use crate::game::words::counted;
use crate::game::{Ask, PlotAsk, plot};
use crate::outcome::{Outcome, Play};
use crate::poset::chains::Board;
use crate::render::{self, BlockAutomaton, Syntax};
use crate::solve::chains::{Kind, Solution};
use crate::strategy::chains::to_envelope;
use crate::strategy::{ChainsSet, Envelope, Standing};

/// Automata of the set may have this many states.
const STATES: usize = 1 << 22;

impl Answers for Solution {
    fn form(&self) -> Form {
        Form::Chains
    }

    fn play(&self) -> Play {
        Play::Normal
    }

    fn game(&self) -> Value {
        self.game().to_json()
    }

    fn file(&self) -> Envelope {
        to_envelope(self)
    }

    fn position(&self, text: &str) -> Result<Position> {
        Ok(written(self.game(), self.game().position(text).map_err(Error::input)?))
    }

    fn outcome(&self, position: &Position, _ask: &Ask) -> Result<Outcome> {
        Ok(self.outcome(&place(self.game(), position)?))
    }

    fn winning_moves(&self, position: &Position, _ask: &Ask) -> Result<Moves> {
        let moves = self.winning_moves(&place(self.game(), position)?);
        Ok(Moves::all(moves.into_iter().map(|p| written(self.game(), p)).collect()))
    }

    fn grundy(&self, position: &Position, _ask: &Ask) -> Result<BigUint> {
        self.grundy(&place(self.game(), position)?).ok_or_else(|| {
            Error::Input(format!(
                "this strategy knows Grundy values up to {} only, and the value is larger; ask without --strategy",
                self.values()
            ))
        })
    }

    fn summary(&self, _name: Option<&str>, standing: Standing) -> Shown {
        let ideals = self.ideals().list().len();
        let periodic = (0..ideals).filter(|&b| self.branch(b, 0).period > 0).count();
        let what = match self.values() {
            0 => "P-positions".to_owned(),
            k => format!("positions of Grundy values 0 to {k}"),
        };
        let text = format!(
            "chains: the {what} of {ideals} order ideals of {}, {periodic} of them periodic; {}",
            self.game().name(),
            standing.in_words()
        );
        (object(json!({"order_ideals": ideals, "periodic": periodic, "values": self.values()})), text)
    }

    fn show(&self, syntax: Option<Syntax>, _standing: Standing, _ask: &Ask) -> Result<Shown> {
        let game = self.game();
        let pattern = self.pattern(0).ok_or_else(|| Error::input("the strategy file holds no value 0"))?;
        let from = pattern.preperiod();
        let (kind, period) = match pattern.kind() {
            Kind::Finite => ("finite", 0),
            Kind::Constant(_) => ("constant", 0),
            Kind::Periodic(p) => ("periodic", p),
        };
        let content = object(json!({
            "game": game.name(),
            "kind": kind,
            "preperiod": from,
            "period": period,
            "offsets": pattern.offsets(),
            "initial": pattern.initial(),
            "order_ideals": self.ideals().list().len(),
        }));
        let offsets = |offsets: Vec<i64>, between: &str| {
            offsets.iter().map(ToString::to_string).collect::<Vec<_>>().join(between)
        };
        let pairs = |pairs: Vec<(u32, u32)>, between: &str| {
            pairs.iter().map(|(m, n)| format!("({m},{n})")).collect::<Vec<_>>().join(between)
        };
        let text = match syntax {
            None => serde_json::to_string_pretty(&content).map_err(Error::input)?,
            Some(Syntax::Text) => {
                let mut lines = vec![format!("{}: {} order ideals", game.name(), self.ideals().list().len())];
                for (b, ideal) in self.ideals().list().iter().enumerate() {
                    let f = self.ideal_pattern(b, 0);
                    let tail = if let Kind::Periodic(p) = f.kind() {
                        format!("n − m = {} from m = {}, period {p}", offsets(f.offsets(), " "), f.preperiod())
                    } else {
                        "no more".to_owned()
                    };
                    lines.push(format!("{:?}: P at (m,n) = {}; {tail}", ideal.key, pairs(f.initial(), " ")));
                }
                lines.join("\n")
            }
            Some(Syntax::Latex) => {
                let finite = format!("\\{{{}\\}}", pairs(pattern.initial(), ","));
                match pattern.kind() {
                    Kind::Periodic(p) => format!(
                        "f(m+{p}) = f(m)+{p}\\ (m \\ge {from}),\\quad f(m)-m = {}\\ (m = {from},\\dots),\\quad {finite}",
                        offsets(pattern.offsets(), ", ")
                    ),
                    Kind::Constant(n) => format!("f(m) = {n}\\ (m \\ge {from}),\\quad {finite}"),
                    Kind::Finite => finite,
                }
            }
            Some(Syntax::Csv) => {
                let lines = pattern.initial().into_iter().chain(pattern.cycle());
                format!("m,n\n{}", lines.map(|(m, n)| format!("{m},{n}\n")).collect::<Vec<_>>().concat())
            }
            Some(Syntax::JsonLines) => {
                json_lines(pattern.initial().into_iter().chain(pattern.cycle()).map(|(m, n)| json!({"m": m, "n": n})))
            }
            Some(other) => {
                let remedy = "it has text, json, latex, csv and jsonl; `impartial convert FILE --to stratification` gives one that has more";
                return Err(no_text("a strategy of form \"chains\"", other, remedy));
            }
        };
        Ok((content, text))
    }

    fn count(&self, sizes: &[BigUint], _ask: &Ask) -> Result<(BigUint, String)> {
        Ok((count(self, sizes)?, "chains".into()))
    }

    fn plot(&self, written: &str, ask_plot: &PlotAsk, ask: &Ask) -> Result<Picture> {
        plot::chains::picture(written, self, ask_plot, ask)
    }
}

/// The set of P-positions (m, n) of a chains game, in one of three forms.
#[derive(Clone, Debug)]
pub(crate) struct SetStrategy {
    pub(crate) set: ChainsSet,
    pub(crate) form: Form,
}

impl SetStrategy {
    /// What a file claims, when it is one of a chains game in another form than "chains".
    pub(super) fn read(file: &Envelope, monitor: &dyn Monitor) -> Result<Option<Self>> {
        let of_chains = file.game.get("kind").and_then(Value::as_str) == Some("chains");
        match file.form.parse() {
            Ok(form @ (Form::Automaton | Form::Stratification | Form::Series)) if of_chains => {
                Ok(Some(Self { set: ChainsSet::from_envelope(file, monitor)?.into_claim(), form }))
            }
            _ => Ok(None),
        }
    }

    /// What the pairs (m, n) are.
    fn pairs(&self) -> String {
        let game = self.set.solution().game();
        let (what, left) = match (game.board(), game.chains()) {
            (Board::Chomp(_), 2) => ("P-positions (m, n)", ""),
            (Board::Poset(_), 2) => ("P-positions A_(m,n)", ""),
            _ => ("P-positions (m, n)", " beside a heap of n: n is the Grundy value"),
        };
        format!("{what} of {}{left}", game.name())
    }

    fn automaton(&self) -> semilinear::vectorset::VectorSet {
        // The modules of a chains game are few and thin: a handful of points and one ray each.
        self.set.vector_set(&Effort::unlimited()).expect("nothing stops without limits")
    }
}

impl Answers for SetStrategy {
    fn form(&self) -> Form {
        self.form
    }

    fn play(&self) -> Play {
        Play::Normal
    }

    fn game(&self) -> Value {
        self.set.solution().game().to_json()
    }

    fn file(&self) -> Envelope {
        match self.form {
            Form::Stratification => self.set.stratification_envelope(),
            Form::Series => self.set.series_envelope(),
            _ => self.set.automaton_envelope(&self.automaton()),
        }
    }

    fn position(&self, text: &str) -> Result<Position> {
        Answers::position(self.set.solution(), text)
    }

    fn outcome(&self, position: &Position, ask: &Ask) -> Result<Outcome> {
        Answers::outcome(self.set.solution(), position, ask)
    }

    fn winning_moves(&self, position: &Position, ask: &Ask) -> Result<Moves> {
        Answers::winning_moves(self.set.solution(), position, ask)
    }

    fn summary(&self, _name: Option<&str>, _standing: Standing) -> Shown {
        let strata = self.set.strata();
        let (size, text) = match self.form {
            Form::Stratification => {
                (json!({"strata": strata.strata()}), render::stratification(strata, Syntax::Text).unwrap_or_default())
            }
            Form::Series => (json!({"terms": strata.strata()}), counted(strata.strata(), "term", "terms")),
            _ => {
                let states = self.automaton().states();
                (json!({"states": states}), counted(states, "state", "states"))
            }
        };
        (object(size), format!("{}\n{text}", self.pairs()))
    }

    fn show(&self, syntax: Option<Syntax>, _standing: Standing, _ask: &Ask) -> Result<Shown> {
        let strata = self.set.strata();
        let text = match syntax {
            Some(Syntax::Walnut) if self.form == Form::Automaton => BlockAutomaton::of(&self.automaton())?.walnut(),
            Some(Syntax::Dot) if self.form == Form::Automaton => {
                BlockAutomaton::of(&self.automaton())?.dot("digits of m, n")
            }
            Some(syntax) => render::stratification(strata, syntax)
                .ok_or_else(|| no_text("the set of P-positions", syntax, STRATIFICATION_TEXTS))?,
            None => serde_json::to_string_pretty(strata.modules()).map_err(Error::input)?,
        };
        let name = self.set.solution().game().name();
        Ok((object(json!({"game": name, "strata": strata.strata(), "modules": strata.modules()})), text))
    }

    fn count(&self, sizes: &[BigUint], ask: &Ask) -> Result<(BigUint, String)> {
        let set = self.set.vector_set(&Effort::new(STATES, ask.monitor))?;
        Ok((set.count(&sized(sizes, 2)?, ask.monitor)?, self.form.to_string()))
    }

    fn plot(&self, written: &str, ask_plot: &PlotAsk, ask: &Ask) -> Result<Picture> {
        plot::chains::picture(written, self.set.solution(), ask_plot, ask)
    }
}
