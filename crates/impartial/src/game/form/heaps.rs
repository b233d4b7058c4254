//! Forms of heap games: nim sequence, quotient, counters, dominance, ranks.

use std::fmt::Write as _;

use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive as _;
use serde_json::{Value, json};

use super::{Answers, Form, Shown, no_text, object};
use crate::error::{Error, Result};
use crate::game::heap::game_json;
use crate::game::heap::misere::{compared, counted_moves, described, dominance_moves, moves_by, ranks_moves};
use crate::game::kind::Moves;
use crate::game::position::{Position, heaps_of, read_heaps, sizes};
use crate::game::report::quotient::rules_text;
use crate::game::report::{CongruenceReport, Picture, QuotientReport};
use crate::game::{Ask, PlotAsk, plot};
use crate::heap::HeapRules;
use crate::outcome::{Outcome, Play};
use crate::render::{self, Syntax};
use crate::solve::sequence::{Period, Theorem};
use crate::strategy::nim_sequence::NimSequence;
use crate::strategy::{
    CountersStrategy, DominanceStrategy, Envelope, LongPeriod, MisereStrategy, QuotientStrategy, RanksStrategy,
    Standing,
};

/// What every form of a heap game has alike: whose it is, and its positions.
macro_rules! of_heap_game {
    () => {
        fn game(&self) -> Value {
            game_json(self.rules())
        }

        fn position(&self, text: &str) -> Result<Position> {
            read_heaps(text)
        }

        fn position_of(&self, numbers: &[BigInt]) -> Result<Position> {
            heaps_of(numbers)
        }
    };
}

impl Answers for NimSequence {
    fn form(&self) -> Form {
        Form::NimSequence
    }

    fn play(&self) -> Play {
        Play::Normal
    }

    of_heap_game!();

    fn file(&self) -> Envelope {
        self.to_envelope()
    }

    fn outcome(&self, position: &Position, _ask: &Ask) -> Result<Outcome> {
        Ok(self.outcome(position.need_heaps()?))
    }

    fn winning_moves(&self, position: &Position, _ask: &Ask) -> Result<Moves> {
        let moves = self.winning_moves(position.need_heaps()?);
        let positions = moves.positions.into_iter().map(Position::of_heaps).collect();
        Ok(Moves { positions, complete: moves.complete })
    }

    fn grundy(&self, position: &Position, _ask: &Ask) -> Result<BigUint> {
        Ok(self.grundy(position.need_heaps()?))
    }

    fn summary(&self, _name: Option<&str>, _standing: Standing) -> Shown {
        period_summary(self.period(), self.theorem())
    }

    fn show(&self, syntax: Option<Syntax>, _standing: Standing, _ask: &Ask) -> Result<Shown> {
        let period = self.period();
        let (n0, p, s) = (period.preperiod, period.period, period.saltus);
        if self.is_long() && !matches!(syntax, Some(Syntax::BFile | Syntax::Csv | Syntax::JsonLines | Syntax::Oeis)) {
            let text = match syntax {
                None => self.to_envelope().to_text(),
                Some(Syntax::Text) => too_long_text(self.rules(), period, self.theorem()),
                Some(other) => {
                    return Err(no_text(
                        "a Grundy sequence so long",
                        other,
                        "it has text, json, bfile, oeis, csv, jsonl",
                    ));
                }
            };
            return Ok((object(json!({"preperiod": n0, "period": p, "saltus": s})), text));
        }
        let values: &[u32] = &self.values().iter().collect::<Vec<u32>>();
        let (head, block) = values.split_at(n0);
        let list = |values: &[u32]| values.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
        let all = list(values);
        let text = match syntax {
            Some(Syntax::Text) => format!(
                "code {}, normal play\npreperiod {n0}, period {p}, saltus {s} ({})\nheaps 0 to {}: {}\nperiod: {}",
                self.rules().code().map_or_else(String::new, |code| code.to_string()),
                self.theorem().name(),
                n0.saturating_sub(1),
                list(head),
                list(block),
            ),
            Some(Syntax::Latex) => {
                let width = p.clamp(1, 20);
                let mut rows = String::new();
                for (i, row) in values.chunks(width).enumerate() {
                    let cells = row.iter().map(u32::to_string).collect::<Vec<_>>().join(" & ");
                    let _ = writeln!(rows, "{} & {cells} \\\\", i * width);
                }
                format!(
                    "% g(n + {p}) = g(n) + {s} for n >= {n0}\n\\begin{{tabular}}{{r|{}}}\n{rows}\\end{{tabular}}",
                    "r".repeat(width)
                )
            }
            None => self.to_envelope().to_text(),
            Some(Syntax::Sage) => format!(
                "values = [{all}]\ndef g(n):\n    if n < {n0}: return values[n]\n    q, r = divmod(n - {n0}, {p})\n    return values[{n0} + r] + {s}*q"
            ),
            Some(Syntax::Mathematica) => format!(
                "values = {{{all}}};\ng[n_] := If[n < {n0}, values[[n + 1]], values[[{n0} + Mod[n - {n0}, {p}] + 1]] + {s} Quotient[n - {n0}, {p}]]"
            ),
            Some(Syntax::Gap) => format!(
                "values := [{all}];;\ng := function(n)\n  if n < {n0} then return values[n+1]; fi;\n  return values[{n0} + (n - {n0}) mod {p} + 1] + {s} * QuoInt(n - {n0}, {p});\nend;;"
            ),
            Some(Syntax::BFile) => self.listed(&|n, value| format!("{n} {value}\n")),
            Some(Syntax::Csv) => format!("heap,grundy\n{}", self.listed(&|n, value| format!("{n},{value}\n"))),
            Some(Syntax::JsonLines) => self.listed(&|n, value| format!("{{\"heap\":{n},\"grundy\":{value}}}\n")),
            Some(Syntax::Oeis) => self.oeis(),
            Some(Syntax::Walnut) if s == 0 => render::periodic_walnut(values, n0, p),
            Some(other @ (Syntax::Walnut | Syntax::Normaliz | Syntax::Dot)) => {
                let remedy = "it has text, json, latex, macaulay2, sage, mathematica, gap, bfile, oeis, csv, jsonl, and without a saltus walnut";
                return Err(no_text("a Grundy sequence", other, remedy));
            }
            Some(Syntax::Macaulay2) => format!(
                "grundyValues = {{{all}}}\ng = n -> if n < {n0} then grundyValues#n else grundyValues#({n0} + (n - {n0}) % {p}) + {s} * ((n - {n0}) // {p})"
            ),
        };
        Ok((object(json!({"preperiod": n0, "period": p, "saltus": s, "values": values})), text))
    }

    fn plot(&self, written: &str, ask_plot: &PlotAsk, _ask: &Ask) -> Result<Picture> {
        let Period { preperiod, period, saltus } = self.period();
        let shown = match &ask_plot.sizes {
            None => (preperiod + 3 * period).clamp(60, 1_200),
            Some(text) => sizes(text, 1)?[0]
                .to_usize()
                .filter(|n| (1..=100_000).contains(n))
                .ok_or_else(|| Error::input("--box: a chart shows between 1 and 100000 heaps"))?,
        };
        let value = |n: usize| u32::try_from(self.value(&n.into())).unwrap_or(u32::MAX);
        let values: Vec<u32> = (0..=shown).map(value).collect();
        plot::sequence::of_values(written, &values, Some((preperiod, period, saltus)), ask_plot)
    }
}

/// Values are computed for every answer: [`LongPeriod::listed`].
impl Answers for LongPeriod {
    fn form(&self) -> Form {
        Form::NimSequence
    }

    fn play(&self) -> Play {
        Play::Normal
    }

    of_heap_game!();

    fn file(&self) -> Envelope {
        self.to_envelope()
    }

    fn outcome(&self, position: &Position, ask: &Ask) -> Result<Outcome> {
        Answers::outcome(&self.listed(ask.monitor)?, position, ask)
    }

    fn winning_moves(&self, position: &Position, ask: &Ask) -> Result<Moves> {
        Answers::winning_moves(&self.listed(ask.monitor)?, position, ask)
    }

    fn grundy(&self, position: &Position, ask: &Ask) -> Result<BigUint> {
        Answers::grundy(&self.listed(ask.monitor)?, position, ask)
    }

    fn summary(&self, _name: Option<&str>, _standing: Standing) -> Shown {
        period_summary(self.period(), self.theorem())
    }

    fn show(&self, syntax: Option<Syntax>, _standing: Standing, _ask: &Ask) -> Result<Shown> {
        let text = match syntax {
            None => self.to_envelope().to_text(),
            Some(Syntax::Text) => too_long_text(self.rules(), self.period(), self.theorem()),
            Some(other) => {
                return Err(no_text("a Grundy sequence so long", other, "it has text, json"));
            }
        };
        let Period { preperiod, period, saltus } = self.period();
        Ok((object(json!({"preperiod": preperiod, "period": period, "saltus": saltus})), text))
    }
}

/// What is said of a proved period.
fn period_summary(period: Period, theorem: Theorem) -> Shown {
    let theorem = theorem.name();
    let size = object(json!({
        "theorem": theorem,
        "preperiod": period.preperiod,
        "period": period.period,
        "saltus": period.saltus,
    }));
    let text = format!(
        "solved for heaps of every size: preperiod {}, period {}, saltus {} ({theorem})",
        period.preperiod, period.period, period.saltus
    );
    (size, text)
}

/// The text of a sequence that is not listed.
fn too_long_text(rules: &HeapRules, period: Period, theorem: Theorem) -> String {
    format!(
        "code {}, normal play\npreperiod {}, period {}, saltus {} ({})\ntoo many values to be listed",
        rules.code().map_or_else(String::new, |code| code.to_string()),
        period.preperiod,
        period.period,
        period.saltus,
        theorem.name(),
    )
}

/// No fewer values than this are listed, and no more than ten times as many.
const LISTED: usize = 1_000;

impl NimSequence {
    /// A line for each heap: two periods beyond the preperiod, and a thousand at least.
    fn listed(&self, line: &dyn Fn(usize, BigUint) -> String) -> String {
        let enough = (self.period().preperiod + 2 * self.period().period).clamp(LISTED, 10 * LISTED);
        (0..=enough).map(|n| line(n, self.value(&n.into()))).collect()
    }

    /// The lines of a draft for the OEIS; its number is to be put in.
    fn oeis(&self) -> String {
        let mut terms = String::new();
        for n in 0_u32.. {
            let value = self.value(&n.into()).to_string();
            if terms.len() + value.len() + 2 > 260 {
                break;
            }
            let _ = write!(terms, "{}{value}", if n == 0 { "" } else { ", " });
        }
        let game = rules_text(self.rules());
        let period = self.period();
        let (n0, p, s) = (period.preperiod, period.period, period.saltus);
        let step = if s == 0 { String::new() } else { format!(" + {s}") };
        format!(
            "%I A000000\n%S A000000 {terms}\n%N A000000 Grundy values of heaps of n beans in the game {game}.\n\
             %C A000000 Proved: a(n+{p}) = a(n){step} for n >= {n0} ({}).\n%O A000000 0,3\n%K A000000 nonn,easy",
            self.theorem().name()
        )
    }
}

/// What every misère form has alike.
macro_rules! misere {
    ($variant:ident) => {
        fn play(&self) -> Play {
            Play::Misere
        }

        of_heap_game!();

        fn file(&self) -> Envelope {
            self.envelope()
        }

        fn outcome(&self, position: &Position, _ask: &Ask) -> Result<Outcome> {
            Ok(self.outcome(position.need_heaps()?)?)
        }

        fn congruent(&self, p: &Position, q: &Position, standing: Standing, _ask: &Ask) -> Result<CongruenceReport> {
            let strategy = MisereStrategy::$variant(self.clone());
            compared("strategy file", &strategy, p.need_heaps()?, q.need_heaps()?, standing)
        }

        fn show(&self, syntax: Option<Syntax>, standing: Standing, ask: &Ask) -> Result<Shown> {
            // The relations of counters take time: they are looked for where they are written.
            let relations = !matches!(syntax, None | Some(Syntax::Text | Syntax::Csv | Syntax::JsonLines));
            let report = self.described(&rules_text(self.rules()), relations, standing, ask)?;
            let content = object(serde_json::to_value(&report).map_err(Error::input)?);
            let text = match syntax {
                Some(Syntax::Text) => report.to_string(),
                None => Value::Object(content.clone()).to_string(),
                Some(other) => super::texts::presentation_text("a misère strategy", &report, other)?,
            };
            Ok((content, text))
        }

        fn plot(&self, written: &str, ask_plot: &PlotAsk, ask: &Ask) -> Result<Picture> {
            let report = self.described(written, false, Standing::CLAIMED, ask)?;
            plot::quotient::picture(written, &report, ask_plot)
        }

        fn quotient(&self, name: &str, standing: Standing, ask: &Ask) -> Result<Option<QuotientReport>> {
            self.described(name, true, standing, ask).map(Some)
        }
    };
}

/// A misère strategy that reports itself.
trait Described {
    fn described(&self, name: &str, relations: bool, standing: Standing, ask: &Ask) -> Result<QuotientReport>;
}

impl Described for QuotientStrategy {
    fn described(&self, name: &str, _relations: bool, standing: Standing, _ask: &Ask) -> Result<QuotientReport> {
        Ok(QuotientReport::of_quotient(name, self, standing))
    }
}

impl Described for CountersStrategy {
    fn described(&self, name: &str, relations: bool, standing: Standing, ask: &Ask) -> Result<QuotientReport> {
        described(name, self, relations, standing, ask)
    }
}

impl Answers for QuotientStrategy {
    misere!(Quotient);

    fn form(&self) -> Form {
        Form::Quotient
    }

    fn winning_moves(&self, position: &Position, _ask: &Ask) -> Result<Moves> {
        moves_by(self, position.need_heaps()?)
    }

    fn summary(&self, name: Option<&str>, standing: Standing) -> Shown {
        let name = name.map_or_else(|| rules_text(self.rules()), ToOwned::to_owned);
        let report = QuotientReport::of_quotient(&name, self, standing);
        let text = report.to_string();
        (reported(&report), text)
    }
}

impl Answers for CountersStrategy {
    misere!(Counters);

    fn form(&self) -> Form {
        Form::Counters
    }

    fn winning_moves(&self, position: &Position, _ask: &Ask) -> Result<Moves> {
        counted_moves(self, position.need_heaps()?)
    }

    fn summary(&self, name: Option<&str>, standing: Standing) -> Shown {
        let name = name.map_or_else(|| rules_text(self.rules()), ToOwned::to_owned);
        let report = QuotientReport::of_counters(&name, self, None, standing);
        let text = report.to_string();
        (reported(&report), text)
    }
}

impl Answers for DominanceStrategy {
    fn form(&self) -> Form {
        Form::Dominance
    }

    fn play(&self) -> Play {
        Play::Misere
    }

    of_heap_game!();

    fn file(&self) -> Envelope {
        self.envelope()
    }

    fn outcome(&self, position: &Position, _ask: &Ask) -> Result<Outcome> {
        Ok(self.outcome(position.need_heaps()?))
    }

    fn winning_moves(&self, position: &Position, _ask: &Ask) -> Result<Moves> {
        Ok(dominance_moves(self, position.need_heaps()?))
    }

    fn summary(&self, name: Option<&str>, standing: Standing) -> Shown {
        let name = name.map_or_else(|| rules_text(self.rules()), ToOwned::to_owned);
        let d = self.dominance();
        let text = format!(
            "{name}, misère play, all heaps: outcomes by weights, {}\nweights {} more every {} heaps from heap {} on; {} P-states",
            standing.in_words(),
            d.gain,
            d.period,
            d.first,
            d.p.len()
        );
        (object(json!({"first": d.first, "period": d.period, "gain": d.gain, "states": d.p.len()})), text)
    }

    fn show(&self, syntax: Option<Syntax>, standing: Standing, _ask: &Ask) -> Result<Shown> {
        let list = |numbers: &[u32]| numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
        let d = self.dominance();
        let (mut content, summary) = self.summary(None, standing);
        content.insert("values".into(), json!(d.values));
        content.insert("weights".into(), json!(d.weights));
        content.insert("cap".into(), json!(d.cap));
        content.insert("top".into(), json!(d.top));
        content.insert("p".into(), json!(d.p));
        let text = match syntax {
            Some(Syntax::Text) => format!(
                "{summary}\nvalues of heaps 0 to {}: {}\nweights: {}\n\
                 a sum is P when its state is: value, parity of the weight, weight up to {}, excess of twice the largest weight over \
                 the weight of all up to {}, class of that heap",
                d.values.len() - 1,
                list(&d.values),
                list(&d.weights),
                d.cap,
                d.top
            ),
            None => Value::Object(content.clone()).to_string(),
            Some(other) => return Err(no_text("a misère strategy", other, "use text or json")),
        };
        Ok((content, text))
    }
}

impl Answers for RanksStrategy {
    fn form(&self) -> Form {
        Form::Ranks
    }

    fn play(&self) -> Play {
        Play::Misere
    }

    of_heap_game!();

    fn file(&self) -> Envelope {
        self.envelope()
    }

    fn outcome(&self, position: &Position, _ask: &Ask) -> Result<Outcome> {
        Ok(self.outcome(position.need_heaps()?))
    }

    fn winning_moves(&self, position: &Position, _ask: &Ask) -> Result<Moves> {
        Ok(ranks_moves(self, position.need_heaps()?))
    }

    fn summary(&self, name: Option<&str>, standing: Standing) -> Shown {
        let name = name.map_or_else(|| rules_text(self.rules()), ToOwned::to_owned);
        let r = self.ranks();
        let text = format!(
            "{name}, misère play, all heaps: outcomes by ranks, {}\na rank more every {} heaps from heap {} on; an automaton with {} states reads \
             a sum from the largest rank down",
            standing.in_words(),
            r.period,
            r.first,
            r.next.len()
        );
        (object(json!({"first": r.first, "period": r.period, "states": r.next.len()})), text)
    }

    fn show(&self, syntax: Option<Syntax>, standing: Standing, _ask: &Ask) -> Result<Shown> {
        let r = self.ranks();
        let (mut content, summary) = self.summary(None, standing);
        content.insert("near".into(), json!(r.near));
        content.insert("letters".into(), json!(r.letters));
        content.insert("next".into(), json!(r.next));
        content.insert("accepting".into(), json!(r.accepting));
        let text = match syntax {
            Some(Syntax::Text) => {
                let list = |numbers: &[u32]| numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
                let rows: Vec<String> =
                    r.next.iter().enumerate().map(|(state, row)| format!("{state}: {}", list(row))).collect();
                format!(
                    "{summary}\nletters of heaps 0 to {}: {}\nfor each state the one a rank further down, and those after the letters 1, 2, …:\n{}\n\
                     a sum is P when its state at the end of rank 0 is one of: {}",
                    r.letters.len() - 1,
                    list(&r.letters),
                    rows.join("\n"),
                    list(&r.accepting)
                )
            }
            None => Value::Object(content.clone()).to_string(),
            Some(other) => return Err(no_text("a misère strategy", other, "use text or json")),
        };
        Ok((content, text))
    }
}

/// The keys of a report beside those that every strategy has.
fn reported(report: &QuotientReport) -> serde_json::Map<String, Value> {
    let mut content = object(serde_json::to_value(report).unwrap_or_default());
    for key in ["game", "play", "form", "proved"] {
        content.remove(key);
    }
    content
}
