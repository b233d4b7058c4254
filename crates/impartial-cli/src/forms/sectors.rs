//! The form "sectors": the P-positions of a lattice game in the plane as strata along rays.

use std::fmt::Write as _;

use impartial::strategy::{AutomatonStrategy, Envelope, SectorStrategy, StratificationStrategy};
use semilinear::vectorset::Effort;
use serde_json::json;

use super::{Solved, congruence, points};
use crate::args::{CongruentArgs, ConvertArgs, CountArgs, QuotientArgs, Syntax};
use crate::context::Context;
use crate::report::{Answer, Failure, Report, bad_input};

/// An opened strategy file of form "sectors".
pub struct SectorFile {
    envelope: Envelope,
    strategy: SectorStrategy,
}

impl SectorFile {
    /// Reads the certificate.
    pub fn open(envelope: Envelope) -> Result<Self, Failure> {
        let strategy = SectorStrategy::from_envelope(&envelope, &semilinear::run::Unlimited).map_err(bad_input)?;
        Ok(Self { envelope, strategy })
    }

    /// The same strategy as an automaton.
    fn automaton(&self, cx: &Context) -> Result<AutomatonStrategy, Failure> {
        let effort = Effort::new(1 << 22, cx);
        let set = self.strategy.vector_set(&effort)?;
        AutomatonStrategy::proved(self.strategy.game().clone(), set, &effort)?
            .map_err(|x| bad_input(format!("the strategy file is wrong at {x:?}; `impartial verify` says more")))
    }
}

impl Solved for SectorFile {
    points::answered!();

    fn show(&self, _cx: &Context, syntax: Syntax) -> Answer {
        let sectors = self.strategy.sectors();
        let chart = self.strategy.game().chart();
        let mut text = match syntax {
            Syntax::Text => String::new(),
            Syntax::Json => serde_json::to_string_pretty(&self.envelope.certificate).map_err(bad_input)?,
            other => {
                return Err(bad_input(format!("sectors have no text in this syntax ({other:?}); use text or json")));
            }
        };
        if syntax == Syntax::Text {
            let pair = |p: &[i64; 2]| format!("({},{})", p[0], p[1]);
            let list = |points: &[[i64; 2]]| points.iter().map(pair).collect::<Vec<_>>().join(" ");
            let _ =
                writeln!(text, "P-positions: {} translates along {} rays", sectors.translates(), sectors.rays().len());
            if !chart.is_identity() {
                let _ =
                    writeln!(text, "in coordinates y = Mx + s with M = {:?}, s = {:?}", chart.matrix(), chart.shift());
            }
            for stratum in sectors.strata() {
                let rays: Vec<[i64; 2]> = stratum.generators.iter().map(|&g| sectors.rays()[g]).collect();
                let _ = writeln!(text, "{{{}}} + N{{{}}}", list(&stratum.points), list(&rays));
            }
        }
        let json = json!({
            "game": self.envelope.game,
            "form": "sectors",
            "rays": sectors.rays(),
            "strata": sectors.translates(),
            "certificate": self.envelope.certificate,
        });
        Ok(Report::new(json, text))
    }

    fn convert(&self, cx: &Context, args: &ConvertArgs) -> Answer {
        if args.to == "stratification" {
            let strata = StratificationStrategy::from_sectors(&self.strategy, cx)?;
            return super::stratification::written(cx, &strata.map_err(bad_input)?, args);
        }
        if args.to == "quotient" {
            let automaton = self.automaton(cx)?;
            return crate::families::lattice::quotient::report(cx, &args.file, &automaton, args.output.as_deref());
        }
        if args.to != "automaton" {
            return super::unsupported(self, &format!("convert --to {}", args.to));
        }
        let strategy = self.automaton(cx)?;
        crate::learning::report(
            cx,
            &args.file,
            &strategy.to_envelope(),
            args.output.as_deref(),
            "convert",
            &json!({
                "states": strategy.set().states(),
            }),
        )
    }

    fn quotient(&self, cx: &Context, args: &QuotientArgs) -> Answer {
        crate::families::lattice::quotient::report(cx, &args.game, &self.automaton(cx)?, args.output.as_deref())
    }

    fn count(&self, cx: &Context, args: &CountArgs) -> Answer {
        let sizes = points::box_sizes(&args.sizes, 2)?;
        match self.strategy.count(&[sizes[0].clone(), sizes[1].clone()], cx)? {
            Some(count) => points::counted(self, args, "sectors", Ok(count)),
            None => points::counted(self, args, "automaton of the sectors", self.automaton(cx)?.count(&sizes, cx)),
        }
    }

    fn congruent(&self, cx: &Context, args: &CongruentArgs) -> Answer {
        congruence::by_sectors(cx, &self.strategy, args)
    }
}
