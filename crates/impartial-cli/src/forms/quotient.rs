//! Form "quotient": misère play of a heap game by its finite quotient.

use impartial::heap::HeapRules;
use impartial::lattice::{HeapLattice, LatticeError, LatticeGame};
use impartial::outcome::Outcome;
use impartial::render::{generator_names, word_position, word_text};
use impartial::solve::learn::quotient_positions;
use impartial::solve::quotient::first_cousins;
use impartial::strategy::{AutomatonStrategy, Envelope, Fibres, FibresError, QuotientStrategy};
use impartial_check::Verdict;
use semilinear::run::{Monitor as _, StopReason};
use semilinear::vectorset::{Effort, MAX_DIMENSION};
use serde_json::{Map, Value, json};

use super::Solved;
use crate::args;
use crate::context::Context;
use crate::families::heap::{congruence, moves_by, position};
use crate::families::lattice::failure;
use crate::report::{Answer, Failure, Report, bad_input};

/// The full multiplication table is shown up to this order; beyond, the rows of the generators say it all.
const SMALL: usize = 64;

/// No more values of the pretending function than this are shown.
const PRETENDING: usize = 20_000;

/// An opened file.
pub struct QuotientForm {
    envelope: Envelope,
    strategy: QuotientStrategy,
}

/// Opens a file of this form.
pub fn open(envelope: Envelope) -> Result<Box<dyn Solved>, Failure> {
    let strategy = QuotientStrategy::from_envelope(&envelope).map_err(bad_input)?;
    Ok(Box::new(QuotientForm { envelope, strategy }))
}

/// The report of a quotient: everything that is known of it.
pub fn describe(name: &str, strategy: &QuotientStrategy) -> Report {
    let quotient = strategy.quotient().with_few_generators();
    let monoid = quotient.monoid();
    let names = generator_names(monoid.letters());
    let text = |x: u32| word_text(&monoid.word(x), &names);
    let texts = |list: &[u32]| list.iter().map(|&x| text(x)).collect::<Vec<_>>();
    let elements: Vec<u32> = (0..).take(quotient.order()).collect();
    let relations: Vec<String> = quotient
        .relations()
        .iter()
        .map(|(left, right)| format!("{}={}", word_text(left, &names), word_text(right, &names)))
        .collect();
    let structure = quotient.structure();
    let p: Vec<u32> = elements.iter().copied().filter(|&x| quotient.p().has(x as usize)).collect();
    let pretending: Map<String, Value> =
        quotient.values().iter().take(PRETENDING).enumerate().map(|(h, &v)| (h.to_string(), text(v).into())).collect();
    let rows: Map<String, Value> = names
        .iter()
        .enumerate()
        .map(|(l, (_, name))| (name.clone(), elements.iter().map(|&x| monoid.step(l, x)).collect::<Vec<_>>().into()))
        .collect();
    let table = (quotient.order() <= SMALL).then(|| {
        let row = |&x: &u32| elements.iter().map(|&y| monoid.product(x, y)).collect::<Vec<_>>();
        elements.iter().map(row).collect::<Vec<_>>()
    });
    let mut orders = vec![];
    for (i, &(order, portion)) in strategy.orders().iter().enumerate() {
        if i == 0 || strategy.orders()[i - 1] != (order, portion) {
            orders.push(json!([i + 1, order, portion]));
        }
    }
    let cousins: Vec<String> = first_cousins(strategy.rules()).iter().map(ToString::to_string).collect();
    let (period, preperiod) = (strategy.period().map(|p| p.period), strategy.period().map(|p| p.preperiod));
    let reach = if period.is_some() { None } else { Some(quotient.heaps()) };
    let tame = quotient.is_tame();
    let json = json!({
        "game": name,
        "play": "misere",
        "form": "quotient",
        "finite": true,
        "proved": true,
        "max_heap": reach,
        "order": quotient.order(),
        "p_portion": p.len(),
        "tame": tame,
        "generators": names.iter().map(|(_, name)| name).collect::<Vec<_>>(),
        "generator_heaps": names.iter().map(|(h, name)| (name.clone(), json!(h))).collect::<Map<_, _>>(),
        "relations": relations,
        "p": texts(&p),
        "pretending": pretending,
        "period": period,
        "preperiod": preperiod,
        "orders": orders,
        "idempotents": texts(&structure.idempotents),
        "units": texts(&structure.units),
        "kernel": texts(&structure.kernel),
        "components": structure.components.iter().map(|c| texts(c)).collect::<Vec<_>>(),
        "elements": texts(&elements),
        "cayley": {"generators": rows, "table": table},
        "cousins": cousins,
    });
    let mut lines = vec![
        match reach {
            None => format!("{name}, misère play, all heaps: quotient of order {}, proved", quotient.order()),
            Some(n) => format!("{name}, misère play, heaps up to {n}: quotient of order {}, proved", quotient.order()),
        },
        format!(
            "{}; P-portion {}, {} idempotents, {} units, kernel of order {}",
            if tame { "tame" } else { "wild" },
            p.len(),
            structure.idempotents.len(),
            structure.units.len(),
            structure.kernel.len()
        ),
        format!(
            "generators  {}",
            names.iter().map(|(h, name)| format!("{name} = heap {h}")).collect::<Vec<_>>().join(", ")
        ),
    ];
    if !cousins.is_empty() {
        lines.push(format!("first cousins (heap n is their heap n-1, n-2, …)  {}", cousins.join(", ")));
    }
    lines.push(format!("relations   {}", shortened(&relations, 60)));
    lines.push(format!("P           {}", shortened(&texts(&p), 60)));
    if let (Some(period), Some(preperiod)) = (period, preperiod) {
        lines.push(format!("pretending  period {period} from heap {preperiod} on"));
    }
    let shown = match (period, preperiod) {
        (Some(period), Some(preperiod)) => preperiod + period,
        _ => quotient.heaps() + 1,
    };
    let words: Vec<String> = quotient.values().iter().take(shown).map(|&v| text(v)).collect();
    lines.push(format!("heaps 0 to {}: {}", shown.saturating_sub(1), shortened(&words, 400)));
    Report::new(json, lines.join("\n"))
}

/// The first entries of a list as text.
pub fn shortened(list: &[String], most: usize) -> String {
    if list.len() <= most {
        return list.join(", ");
    }
    format!("{}, … ({} in all)", list[..most].join(", "), list.len())
}

impl Solved for QuotientForm {
    fn envelope(&self) -> &Envelope {
        &self.envelope
    }

    fn outcome(&self, _cx: &Context, position: &str) -> Result<Outcome, Failure> {
        self.strategy.outcome(&position::read(position)?).map_err(bad_input)
    }

    fn winning_moves(&self, _cx: &Context, position: &str) -> Result<Vec<String>, Failure> {
        moves_by(&self.strategy, &position::read(position)?).map(|(moves, _)| moves)
    }

    fn lists_every_move(&self, _cx: &Context, position: &str) -> Result<bool, Failure> {
        moves_by(&self.strategy, &position::read(position)?).map(|(_, complete)| complete)
    }

    fn show(&self, _cx: &Context, syntax: args::Syntax) -> Answer {
        match syntax {
            args::Syntax::Text | args::Syntax::Json => {
                let mut report = claimed(describe(&rules_text(self.strategy.rules()), &self.strategy));
                if syntax == args::Syntax::Json {
                    report.text = Value::Object(report.json.clone()).to_string();
                }
                Ok(report)
            }
            _ => Err(bad_input("a quotient is shown as text or json; leave out --as")),
        }
    }

    fn convert(&self, cx: &Context, args: &args::ConvertArgs) -> Answer {
        let known = self.strategy.quotient().heaps() as u64;
        let max_heap = match (args.max_heap, self.strategy.period()) {
            (Some(n), _) if n <= known => n,
            (Some(n), _) => {
                return Err(bad_input(format!(
                    "--max-heap {n}: this file lists heaps up to {known}; solve the game with --max-heap {n} first"
                )));
            }
            (None, None) => known,
            (None, Some(_)) => {
                return Err(bad_input(
                    "an automaton has a coordinate for each heap size, and this strategy is for all of them; bound them \
                     with --max-heap, e.g. 12",
                ));
            }
        };
        if args.to != "automaton" {
            let fibres = Fibres::of_quotient(&self.strategy, max_heap, cx).map_err(fibres_failure)?;
            return converted(cx, &fibres, args);
        }
        let play = Some(self.envelope.play);
        let failed = |error| failure("strategy file", error);
        let lattice = HeapLattice::new(self.strategy.rules(), max_heap, play, cx).map_err(failed)?;
        let game = LatticeGame::new(&lattice.description, cx).map_err(failed)?;
        if game.dimension() > MAX_DIMENSION {
            return Err(bad_input(format!(
                "--max-heap {max_heap}: an automaton has at most {MAX_DIMENSION} coordinates"
            )));
        }
        let effort = Effort::new(1 << 22, cx);
        let set = quotient_positions(self.strategy.quotient(), &lattice.sizes, &effort)?;
        let automaton = AutomatonStrategy::proved(game, set, &effort)?
            .map_err(|x| bad_input(format!("the strategy file is wrong at {x:?}; `impartial verify` says more")))?;
        super::automaton::written(cx, &automaton, args)
    }

    fn congruent(&self, _cx: &Context, args: &args::CongruentArgs) -> Answer {
        let (p, q) = (position::read(&args.p)?, position::read(&args.q)?);
        let witness = self.strategy.distinguishing(&p, &q).map_err(bad_input)?.map(|word| word_position(&word));
        let reach = if self.strategy.period().is_some() { None } else { Some(self.strategy.quotient().heaps()) };
        Ok(congruence(&args.game, witness.as_deref(), json!({"method": "quotient", "max_heap": reach}), "the quotient"))
    }

    fn quotient(&self, cx: &Context, args: &args::QuotientArgs) -> Answer {
        checked(cx, &args.game, &self.envelope)?;
        Ok(describe(&args.game, &self.strategy))
    }
}

/// A limit stays a limit; everything else is bad input.
pub fn fibres_failure(error: FibresError) -> Failure {
    match error {
        FibresError::Lattice(LatticeError::Stopped(why)) => Failure::Stopped(why),
        other => bad_input(other),
    }
}

/// Automata on the way may have this many states.
const STATES: usize = 1 << 23;

/// `convert` of a misère strategy: the lattice game of its heaps, proved anew.
pub fn converted(cx: &Context, fibres: &Fibres, args: &args::ConvertArgs) -> Answer {
    let effort = Effort::new(STATES, cx);
    let wrong =
        |x: Vec<u64>| bad_input(format!("{}: the claim is false: wrong at {x:?}; solve the game again", args.file));
    match args.to.as_str() {
        "automaton" => super::automaton::written(cx, &fibres.automaton(&effort)?.map_err(wrong)?, args),
        "stratification" | "series" => {
            let strata = fibres.stratification(&effort)?;
            // A file only claims its quotient: the strata are proved before they are written.
            if strata.strata().vector_set(&effort)? != *fibres.automaton(&effort)?.map_err(wrong)?.set() {
                return Err(bad_input(format!(
                    "{}: the strata are not the P-positions; solve the game again",
                    args.file
                )));
            }
            if args.to == "series" {
                super::series::converted(cx, &strata, args)
            } else {
                super::stratification::written(cx, &strata, args)
            }
        }
        other => Err(bad_input(format!(
            "a misère strategy is not converted to \"{other}\"; --to is automaton, stratification or series here"
        ))),
    }
}

/// Fails unless the independent checker accepts a file.
pub fn checked(cx: &Context, place: &str, file: &Envelope) -> Result<(), Failure> {
    match impartial_check::check(&file.to_text(), &|| cx.check(0, None).is_ok()) {
        Verdict::Valid { .. } => Ok(()),
        Verdict::Refused { reason } => Err(bad_input(format!("{place}: {reason}"))),
        Verdict::Stopped => {
            cx.check(0, None)?;
            Err(Failure::Stopped(StopReason::Interrupted))
        }
    }
}

/// The report of a file that was not checked: it says no more than the file does.
pub fn claimed(mut report: Report) -> Report {
    report.json.insert("proved".into(), json!(false));
    report.text = report.text.replacen(", proved\n", ", as the file claims\n", 1);
    report
}

/// The rules as a name.
pub fn rules_text(rules: &HeapRules) -> String {
    match rules {
        HeapRules::Code(code) => code.to_string(),
        HeapRules::Subtraction(set) => {
            format!("subtract:{}", set.iter().map(ToString::to_string).collect::<Vec<_>>().join(","))
        }
        HeapRules::Clauses(_) => "a heap game".into(),
    }
}
