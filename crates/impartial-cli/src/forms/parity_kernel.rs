//! The form "parity-kernel": squarefree lattice games and heap games in normal play.

use impartial::heap::{HeapRules, heaps_to_text};
use impartial::lattice::{Description, LatticeGame};
use impartial::outcome::Outcome;
use impartial::solve::parity_kernel::ParityKernel;
use impartial::strategy::parity_kernel::values;
use impartial::strategy::{AutomatonStrategy, CharacterStrategy, Envelope};
use num_bigint::BigInt;
use num_traits::ToPrimitive as _;
use semilinear::run::Unlimited;
use semilinear::vectorset::{Effort, VectorSet};
use serde_json::{Value, json};

use super::Solved;
use crate::args::{CongruentArgs, ConvertArgs, CountArgs, PlotArgs, Syntax};
use crate::context::Context;
use crate::families::heap::position as heaps;
use crate::families::lattice::{answer, failure, plot, position};
use crate::report::{Answer, Failure, Report, bad_input};

/// An opened strategy file of form "parity-kernel".
pub struct KernelStrategy {
    envelope: Envelope,
    kernel: ParityKernel,
    game: Game,
}

enum Game {
    Lattice(Box<LatticeGame>),
    Heap(Box<HeapRules>),
}

impl KernelStrategy {
    /// Reads the game and the values.
    pub fn open(envelope: Envelope) -> Result<Self, Failure> {
        let values = values(&envelope).map_err(bad_input)?;
        let game = if envelope.game.get("kind").and_then(Value::as_str) == Some("heap") {
            Game::Heap(Box::new(heap_rules(&envelope.game)?))
        } else {
            let in_file = |error| failure("strategy file", error);
            let description = Description::from_json(&envelope.game).map_err(in_file)?;
            Game::Lattice(Box::new(LatticeGame::new(&description, &Unlimited).map_err(in_file)?))
        };
        if let Game::Lattice(game) = &game
            && game.dimension() != values.len()
        {
            return Err(bad_input(
                "strategy file: certificate: not one value for each coordinate; solve the game again",
            ));
        }
        Ok(Self { envelope, kernel: ParityKernel::from_values(values), game })
    }

    fn max_heap(&self) -> usize {
        self.kernel.values().len()
    }

    /// The point of a position: counts of heaps of each size, or the lattice point itself.
    fn point(&self, text: &str) -> Result<Vec<BigInt>, Failure> {
        let Game::Lattice(game) = &self.game else {
            let mut point = vec![BigInt::ZERO; self.max_heap()];
            for heap in heaps::read(text)? {
                let entry = heap.to_usize().and_then(|heap| point.get_mut(heap.checked_sub(1)?));
                *entry.ok_or_else(|| {
                    bad_input(format!(
                        "heap {heap} is larger than the {} of this strategy; solve again with a larger --max-heap",
                        self.max_heap()
                    ))
                })? += 1;
            }
            return Ok(point);
        };
        position::read(game, text)
    }
}

/// The kernel as an automaton: one congruence modulo 2 for each binary digit of the values g(eᵢ).
fn automaton(cx: &Context, kernel: &ParityKernel, game: &LatticeGame) -> Result<AutomatonStrategy, Failure> {
    let effort = Effort::new(1 << 22, cx);
    let mut set = VectorSet::full(game.dimension());
    let digits = kernel.values().iter().fold(0, |all, g| all | g);
    for digit in (0..64).filter(|digit| digits >> digit & 1 == 1) {
        let row: Vec<i64> = kernel.values().iter().map(|g| i64::from(g >> digit & 1 == 1)).collect();
        set = set.intersection(&VectorSet::congruence(&row, 0, 2, &effort)?, &effort)?;
    }
    AutomatonStrategy::proved(game.clone(), set, &effort)?
        .map_err(|x| bad_input(format!("the strategy file is wrong at {x:?}; `impartial verify` says more")))
}

/// `convert` of a lattice game's kernel. A series is the sum over its 2^r characters where P0 has more points than that.
pub fn converted(cx: &Context, kernel: &ParityKernel, game: &LatticeGame, args: &ConvertArgs) -> Answer {
    match args.to.as_str() {
        "automaton" => super::automaton::written(cx, &automaton(cx, kernel, game)?, args),
        "stratification" => super::stratification::converted(cx, &automaton(cx, kernel, game)?, args),
        "series" if 2 * kernel.rank() < game.dimension() => {
            super::characters::written(cx, &CharacterStrategy::new(game.clone(), kernel)?, args)
        }
        "series" => {
            let strata = super::stratification::extracted(cx, &automaton(cx, kernel, game)?, args)?;
            super::series::converted(cx, &strata, args)
        }
        other => Err(bad_input(format!(
            "a parity kernel is not converted to \"{other}\"; --to is automaton, stratification or series here"
        ))),
    }
}

/// The rules of a heap game in a strategy file.
fn heap_rules(game: &Value) -> Result<HeapRules, Failure> {
    if let Some(code) = game.get("code").and_then(Value::as_str) {
        return code.parse().map_err(bad_input);
    }
    let number = |k: &Value| k.as_u64().or_else(|| k.as_str().and_then(|text| text.parse().ok()));
    let set: Option<Vec<u64>> =
        game.get("subtract").and_then(Value::as_array).and_then(|set| set.iter().map(number).collect());
    match set {
        Some(set) => HeapRules::subtraction(&set).map_err(bad_input),
        None => Err(bad_input("strategy file: game: neither \"code\" nor \"subtract\" is there; solve the game again")),
    }
}

impl Solved for KernelStrategy {
    fn envelope(&self) -> &Envelope {
        &self.envelope
    }

    fn outcome(&self, _cx: &Context, position: &str) -> Result<Outcome, Failure> {
        Ok(self.kernel.outcome(&self.point(position)?))
    }

    fn winning_moves(&self, _cx: &Context, text: &str) -> Result<Vec<String>, Failure> {
        let point = self.point(text)?;
        match &self.game {
            Game::Lattice(game) => {
                let options = answer::options(game, &point);
                Ok(options.iter().filter(|x| self.kernel.outcome(x).is_p()).map(|x| position::text(x)).collect())
            }
            Game::Heap(rules) => {
                let sizes = heaps::small(&heaps::read(text)?)?;
                let value = |heaps: &[u64]| {
                    let at =
                        |h: &u64| usize::try_from(*h).ok().and_then(|h| self.kernel.values().get(h.checked_sub(1)?));
                    heaps.iter().fold(0, |sum, h| sum ^ at(h).copied().unwrap_or(0))
                };
                let options = heaps::options(rules, &sizes)?;
                Ok(options.iter().filter(|option| value(option) == 0).map(|option| heaps_to_text(option)).collect())
            }
        }
    }

    fn grundy(&self, _cx: &Context, position: &str) -> Result<String, Failure> {
        Ok(self.kernel.grundy(&self.point(position)?).to_string())
    }

    fn show(&self, _cx: &Context, syntax: Syntax) -> Answer {
        let (values, rank) = (self.kernel.values(), self.kernel.rank());
        let d = values.len();
        let p0 = self.kernel.p0(1024);
        let json = json!({
            "game": self.envelope.game,
            "form": "parity-kernel",
            "values": values,
            "rank": rank,
            "p0": p0,
        });
        let list = values.iter().map(ToString::to_string).collect::<Vec<_>>();
        let text = match syntax {
            Syntax::Json => serde_json::to_string_pretty(&json).map_err(bad_input)?,
            Syntax::Text => {
                let mut lines = vec![
                    format!(
                        "x is a P-position iff the nim-sum of g_i over the odd x_i is 0 ({d} coordinates, rank {rank})"
                    ),
                    format!("g = {}", list.join(", ")),
                ];
                match &p0 {
                    Some(p0) => {
                        let points: Vec<String> = p0.iter().map(|x| position::text(x)).collect();
                        lines.push(format!("P = P0 + 2N^{d} with P0 = {{{}}}", points.join(", ")));
                    }
                    None => lines.push(format!("P = P0 + 2N^{d}, where P0 has 2^{} points", d - rank)),
                }
                lines.join("\n")
            }
            Syntax::Latex => format!(
                "\\mathcal P = \\{{x \\in \\mathbb N^{{{d}}} : \\textstyle\\bigoplus_{{x_i\\text{{ odd}}}} g_i = 0\\}},\\quad g = ({})",
                list.join(", ")
            ),
            Syntax::Sage | Syntax::Mathematica | Syntax::Macaulay2 => {
                return Err(bad_input(
                    "a parity kernel is shown as text, latex or json; convert it to another form first",
                ));
            }
        };
        Ok(Report::new(json, text))
    }

    fn convert(&self, cx: &Context, args: &ConvertArgs) -> Answer {
        let Game::Lattice(game) = &self.game else {
            return Err(bad_input(
                "the strategy is one of a heap game; `impartial convert GAME --to lattice --max-heap N -o game.toml` gives a \
                 lattice game to solve and convert",
            ));
        };
        converted(cx, &self.kernel, game, args)
    }

    fn congruent(&self, _cx: &Context, args: &CongruentArgs) -> Answer {
        match &self.game {
            Game::Lattice(game) => super::congruence::by_kernel(&self.kernel, game, args),
            Game::Heap(_) => {
                let equal = self.kernel.grundy(&self.point(&args.p)?) == self.kernel.grundy(&self.point(&args.q)?);
                // p + p has Grundy value 0.
                let witness = if equal { None } else { Some(args.p.trim()) };
                let more = json!({"method": "parity-kernel"});
                Ok(crate::families::heap::congruence(&args.game, witness, more, "Grundy values"))
            }
        }
    }

    fn count(&self, _cx: &Context, args: &CountArgs) -> Answer {
        let sizes = position::sizes(&args.sizes, self.kernel.values().len())?;
        Ok(answer::count_report(&args.game, &args.sizes, &self.kernel.count(&sizes), "parity-kernel"))
    }

    fn plot(&self, cx: &Context, args: &PlotArgs) -> Answer {
        match &self.game {
            Game::Lattice(game) => plot::game(cx, game, "parity kernel", args),
            Game::Heap(_) => {
                Err(bad_input("plot the lattice form: `impartial convert GAME --to lattice --max-heap N`"))
            }
        }
    }
}
