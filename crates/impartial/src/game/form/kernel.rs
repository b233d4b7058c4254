//! The form "parity-kernel": squarefree lattice games and heap games in normal play.

use crate::game::words::counted;
use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive as _;
use semilinear::run::Monitor;
use serde_json::{Value, json};

use super::{Answers, Form, Shown, json_lines, no_text, object};
use crate::error::{Error, Result};
use crate::game::heap::{game_json, options, small};
use crate::game::kind::{Found, Moves};
use crate::game::lattice::answer::sized;
use crate::game::lattice::{by_kernel, congruence};
use crate::game::position::{
    Position, heaps_of, in_polyhedron, on_board, point_of, point_text, read_heaps, read_point,
};
use crate::game::report::{CongruenceReport, Picture};
use crate::game::{Ask, PlotAsk, plot};
use crate::heap::HeapRules;
use crate::lattice::{Description, LatticeGame};
use crate::outcome::{Outcome, Play};
use crate::render::Syntax;
use crate::solve::parity_kernel::ParityKernel;
use crate::strategy::parity_kernel::{heap_envelope, lattice_envelope, values};
use crate::strategy::{Envelope, Standing};

/// A game with its parity kernel.
#[derive(Clone, Debug)]
pub(crate) struct KernelStrategy {
    pub(crate) game: KernelGame,
    pub(crate) kernel: ParityKernel,
}

/// Whose kernel it is.
#[derive(Clone, Debug)]
pub(crate) enum KernelGame {
    Lattice(Box<LatticeGame>),
    /// Heaps up to the number of values.
    Heap(Box<HeapRules>),
}

impl KernelStrategy {
    /// The game and the values of a file.
    pub(super) fn read(file: &Envelope, monitor: &dyn Monitor) -> Result<Self> {
        let values = values(file).map_err(Error::input)?;
        let game = if file.game.get("kind").and_then(Value::as_str) == Some("heap") {
            KernelGame::Heap(Box::new(heap_rules(&file.game)?))
        } else {
            let in_file = |error| Error::from(error).at("strategy file");
            let description = Description::from_json(&file.game).map_err(in_file)?;
            KernelGame::Lattice(Box::new(LatticeGame::new(&description, monitor).map_err(in_file)?))
        };
        if let KernelGame::Lattice(game) = &game
            && game.dimension() != values.len()
        {
            return Err(Error::input(
                "strategy file: certificate: not one value for each coordinate; solve the game again",
            ));
        }
        Ok(Self { kernel: ParityKernel::from_values(values), game })
    }

    /// The point of a position: counts of heaps of each size, or the lattice point itself.
    fn point(&self, position: &Position) -> Result<Vec<BigInt>> {
        if let KernelGame::Lattice(game) = &self.game {
            return Ok(on_board(game, position)?.to_vec());
        }
        let mut point = vec![BigInt::ZERO; self.kernel.values().len()];
        let most = point.len();
        for heap in position.need_heaps()? {
            let entry = heap.to_usize().and_then(|heap| point.get_mut(heap.checked_sub(1)?));
            *entry.ok_or_else(|| {
                Error::Input(format!(
                    "heap {heap} is larger than the {most} of this strategy; solve again with a larger --max-heap"
                ))
            })? += 1;
        }
        Ok(point)
    }
}

/// The rules of a heap game in a strategy file.
fn heap_rules(game: &Value) -> Result<HeapRules> {
    if let Some(code) = game.get("code").and_then(Value::as_str) {
        return code.parse().map_err(Error::input);
    }
    let number = |k: &Value| k.as_u64().or_else(|| k.as_str().and_then(|text| text.parse().ok()));
    let set: Option<Vec<u64>> =
        game.get("subtract").and_then(Value::as_array).and_then(|set| set.iter().map(number).collect());
    match set {
        Some(set) => HeapRules::subtraction(&set).map_err(Error::input),
        None => {
            Err(Error::input("strategy file: game: neither \"code\" nor \"subtract\" is there; solve the game again"))
        }
    }
}

impl Answers for KernelStrategy {
    fn form(&self) -> Form {
        Form::ParityKernel
    }

    fn play(&self) -> Play {
        Play::Normal
    }

    fn game(&self) -> Value {
        match &self.game {
            KernelGame::Lattice(game) => game.to_json(),
            KernelGame::Heap(rules) => game_json(rules),
        }
    }

    fn file(&self) -> Envelope {
        match &self.game {
            KernelGame::Lattice(game) => lattice_envelope(game, &self.kernel),
            KernelGame::Heap(rules) => heap_envelope(rules, &self.kernel),
        }
    }

    fn position(&self, text: &str) -> Result<Position> {
        match &self.game {
            KernelGame::Lattice(game) => read_point(text, game.dimension()),
            KernelGame::Heap(_) => read_heaps(text),
        }
    }

    fn position_of(&self, numbers: &[BigInt]) -> Result<Position> {
        match &self.game {
            KernelGame::Lattice(game) => point_of(numbers, game.dimension()),
            KernelGame::Heap(_) => heaps_of(numbers),
        }
    }

    fn outcome(&self, position: &Position, _ask: &Ask) -> Result<Outcome> {
        Ok(self.kernel.outcome(&self.point(position)?))
    }

    fn winning_moves(&self, position: &Position, _ask: &Ask) -> Result<Moves> {
        let point = self.point(position)?;
        Ok(Moves::all(match &self.game {
            KernelGame::Lattice(game) => {
                let mut options = game.options_big(&point);
                options.retain(|x| self.kernel.outcome(x).is_p());
                options.into_iter().map(Position::of_point).collect()
            }
            KernelGame::Heap(rules) => {
                let at = |h: &u64| usize::try_from(*h).ok().and_then(|h| self.kernel.values().get(h.checked_sub(1)?));
                let value = |heaps: &[u64]| heaps.iter().fold(0, |sum, h| sum ^ at(h).copied().unwrap_or(0));
                let mut options = options(rules, &small(position.need_heaps()?)?)?;
                options.retain(|option| value(option) == 0);
                options.iter().map(|option| crate::game::heap::of_small(option)).collect()
            }
        }))
    }

    fn grundy(&self, position: &Position, _ask: &Ask) -> Result<BigUint> {
        Ok(self.kernel.grundy(&self.point(position)?).into())
    }

    fn summary(&self, _name: Option<&str>, standing: Standing) -> Shown {
        let (d, rank) = (self.kernel.values().len(), self.kernel.rank());
        let size = object(json!({
            "dimension": d,
            "rank": rank,
            "terms": (d - rank < 53).then(|| 1u64 << (d - rank)),
        }));
        let text = format!(
            "solved and {}: P-positions are those whose Grundy value, the nim-sum of g(e_i) over odd coordinates, is 0; \
             {d} coordinates, rank {rank} (P = P0 + 2N^{d} with 2^{} points in P0)",
            standing.in_words(),
            d - rank
        );
        (size, text)
    }

    fn show(&self, syntax: Option<Syntax>, _standing: Standing, _ask: &Ask) -> Result<Shown> {
        let (values, rank) = (self.kernel.values(), self.kernel.rank());
        let d = values.len();
        let p0 = self.kernel.p0(1024);
        let content = object(json!({"values": values, "rank": rank, "p0": p0}));
        let list = values.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let text = match syntax {
            None => serde_json::to_string_pretty(&content).map_err(Error::input)?,
            Some(Syntax::Text) => {
                let points = match &p0 {
                    Some(p0) => {
                        let points: Vec<String> = p0.iter().map(|x| point_text(x)).collect();
                        format!("P = P0 + 2N^{d} with P0 = {{{}}}", points.join(", "))
                    }
                    None => format!("P = P0 + 2N^{d}, where P0 has 2^{} points", d - rank),
                };
                format!(
                    "x is a P-position iff the nim-sum of g_i over the odd x_i is 0 ({}, rank {rank})\n\
                     g = {list}\n{points}",
                    counted(d, "coordinate", "coordinates")
                )
            }
            Some(Syntax::Latex) => format!(
                "\\mathcal P = \\{{x \\in \\mathbb N^{{{d}}} : \\textstyle\\bigoplus_{{x_i\\text{{ odd}}}} g_i = 0\\}},\\quad g = ({list})"
            ),
            Some(Syntax::Csv) => {
                let lines = (1..).zip(values).map(|(i, value): (usize, _)| format!("{i},{value}\n"));
                format!("coordinate,grundy\n{}", lines.collect::<Vec<_>>().concat())
            }
            Some(Syntax::JsonLines) => {
                json_lines((1..).zip(values).map(|(i, value): (usize, _)| json!({"coordinate": i, "grundy": value})))
            }
            Some(Syntax::Sage) => format!(
                "g = [{list}]\ndef grundy(x):\n    value = 0\n    for gi, xi in zip(g, x):\n        if xi % 2 == 1:\n            value = value.__xor__(gi)\n    return value"
            ),
            Some(Syntax::Mathematica) => {
                format!("g = {{{list}}};\ngrundy[x_] := BitXor @@ Prepend[g Mod[x, 2], 0]")
            }
            Some(Syntax::Macaulay2) => format!(
                "g = {{{list}}}\ngrundy = x -> fold((a, b) -> a ^^ b, 0, apply(#g, i -> if x#i % 2 == 1 then g#i else 0))"
            ),
            Some(other) => {
                let remedy = "it has text, json, latex, macaulay2, sage, mathematica, csv and jsonl; a series or a stratification has more";
                return Err(no_text("a parity kernel", other, remedy));
            }
        };
        Ok((content, text))
    }

    fn count(&self, sizes: &[BigUint], _ask: &Ask) -> Result<(BigUint, String)> {
        Ok((self.kernel.count(&sized(sizes, self.kernel.values().len())?), "parity-kernel".into()))
    }

    fn congruent(&self, p: &Position, q: &Position, standing: Standing, _ask: &Ask) -> Result<CongruenceReport> {
        match &self.game {
            KernelGame::Lattice(game) => {
                let found = by_kernel(&self.kernel, in_polyhedron(game, p)?, in_polyhedron(game, q)?);
                Ok(congruence("strategy file", game.play(), &found, "parity-kernel", Some(standing)))
            }
            KernelGame::Heap(_) => {
                let value = |position: &Position| -> Result<Found<_>> {
                    let value = self.kernel.grundy(&self.point(position)?);
                    Ok(Found { value, method: "parity-kernel".into(), proved: Some(standing) })
                };
                Ok(CongruenceReport::by_values("strategy file", (p, &value(p)?), (q, &value(q)?)))
            }
        }
    }

    fn plot(&self, written: &str, ask_plot: &PlotAsk, ask: &Ask) -> Result<Picture> {
        match &self.game {
            KernelGame::Lattice(game) => plot::lattice::game(written, "parity kernel", game, ask_plot, ask),
            KernelGame::Heap(_) => {
                let mut values = vec![0];
                values.extend(self.kernel.values().iter().map(|&value| u32::try_from(value).unwrap_or(u32::MAX)));
                plot::sequence::of_values(written, &values, None, ask_plot)
            }
        }
    }
}
