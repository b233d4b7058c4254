//! Form "counters": misère play of a heap game by a finite monoid times counters.

use std::time::Duration;

use impartial::outcome::Outcome;
use impartial::render::{generator_names, word_position, word_text};
use impartial::solve::presentation::{CountedOutcomes, Presentation, Rewriting, presentation};
use impartial::strategy::{CountersStrategy, Envelope, Fibres, MOST_PAIRS};
use num_bigint::BigUint;
use semilinear::run::{Run, StopReason};
use semilinear::vectorset::Effort;
use serde_json::{Map, Value, json};

use super::Solved;
use super::quotient::{checked, claimed, converted, fibres_failure, rules_text, shortened};
use crate::args;
use crate::context::Context;
use crate::families::heap::{congruence, options_of, position};
use crate::report::{Answer, Failure, Report, bad_input};

/// An opened file.
pub struct CountersForm {
    envelope: Envelope,
    strategy: CountersStrategy,
}

/// Opens a file of this form.
pub fn open(envelope: Envelope) -> Result<Box<dyn Solved>, Failure> {
    let strategy = CountersStrategy::from_envelope(&envelope).map_err(bad_input)?;
    Ok(Box::new(CountersForm { envelope, strategy }))
}

/// Automata on the way may have this many states.
const STATES: usize = 1 << 22;
/// The relations are looked for no longer than this.
const PATIENCE: Duration = Duration::from_secs(30);

/// The presentation of the quotient, and the number of its elements that are P-positions when that is finite and known.
fn presented(cx: &Context, strategy: &CountersStrategy) -> Result<(Presentation, Option<usize>), Failure> {
    let monitor = cx.patience(PATIENCE).at_most(PATIENCE);
    let effort = Effort::new(STATES, &monitor);
    let none = || Presentation { relations: Rewriting::new(0), complete: false };
    let run = || -> Result<(Presentation, Option<usize>), StopReason> {
        let outcomes = CountedOutcomes::new(strategy.counters(), effort)?;
        let known = outcomes.known(&monitor)?;
        match presentation(&outcomes, known, &monitor) {
            Run::Finished(found) => {
                let portion = outcomes.p_portion(&found.relations.cones())?;
                Ok((found, portion))
            }
            Run::Stopped(StopReason::Interrupted, _) => Err(StopReason::Interrupted),
            Run::Stopped(why, found) => {
                cx.say(&format!("impartial: the relations hold, but there may be more: {why}"));
                Ok((found, None))
            }
        }
    };
    match run() {
        Ok(found) => Ok(found),
        Err(StopReason::Interrupted) => Err(Failure::Stopped(StopReason::Interrupted)),
        Err(why) => {
            cx.say(&format!("impartial: no relations were found: {why}"));
            Ok((none(), None))
        }
    }
}

/// The report of a proved counter form; the relations, which take time, only when they are asked for.
pub fn describe(cx: &Context, name: &str, strategy: &CountersStrategy, relations: bool) -> Answer {
    let counters = strategy.counters();
    let monoid = &counters.monoid;
    let all: Vec<u32> = {
        let mut all = [monoid.letters(), &counters.counters[..]].concat();
        all.sort_unstable();
        all
    };
    let names = generator_names(&all);
    let named = |heaps: &[u32]| heaps.iter().map(|&h| word_text(&[(h, 1)], &names)).collect::<Vec<_>>();
    let word = |heap: usize| {
        let (element, counts) = counters.value(heap);
        let mut word = monoid.word(element);
        word.extend(counters.counters.iter().copied().zip(counts).filter(|&(_, n)| n > 0));
        word.sort_unstable();
        word_text(&word, &names)
    };
    let (found, portion) = if relations {
        presented(cx, strategy)?
    } else {
        (Presentation { relations: Rewriting::new(0), complete: false }, None)
    };
    let asked = relations;
    let side = |x: &[u32]| {
        let word: Vec<(u32, u32)> = all.iter().copied().zip(x.iter().copied()).filter(|&(_, n)| n > 0).collect();
        word_text(&word, &names)
    };
    let relations: Vec<String> =
        found.relations.rules().iter().map(|(left, right)| format!("{}={}", side(left), side(right))).collect();
    let p_portion = match (found.complete, portion) {
        (false, _) => Value::Null,
        (true, Some(n)) => json!(n),
        (true, None) => json!("infinite"),
    };
    let reach = counters.values.len() - 1;
    let infinite = counters.infinity.is_some();
    let pretending: Map<String, Value> = (0..=reach).map(|h| (h.to_string(), word(h).into())).collect();
    let json = json!({
        "game": name,
        "play": "misere",
        "form": "counters",
        "finite": if infinite { json!(false) } else { Value::Null },
        "order": if infinite { json!("infinite") } else { Value::Null },
        "p_portion": p_portion,
        "proved": true,
        "max_heap": reach,
        "tame": false,
        "generators": named(&all),
        "generator_heaps": names.iter().map(|(h, name)| (name.clone(), json!(h))).collect::<Map<_, _>>(),
        "counters": counters.counters,
        "monoid_order": monoid.order(),
        "slices": counters.slices.len(),
        "states": counters.next.len(),
        "relations": if asked { json!(relations) } else { Value::Null },
        "relations_complete": found.complete,
        "pretending": pretending,
        "period": Value::Null,
    });
    let words: Vec<String> = (0..=reach).map(word).collect();
    let list = |heaps: &[u32]| {
        heaps.iter().map(|&h| format!("{} = heap {h}", word_text(&[(h, 1)], &names))).collect::<Vec<_>>().join(", ")
    };
    let text = format!(
        "{name}, misère play, heaps up to {reach}: {}, proved\n\
         a monoid of order {} times the counters {}; {} slices, {} automaton states\n\
         generators of the monoid  {}\n{}heaps 0 to {reach}: {}",
        if infinite { "infinite quotient" } else { "outcomes by counters" },
        monoid.order(),
        list(&counters.counters),
        counters.slices.len(),
        counters.next.len(),
        list(monoid.letters()),
        match (asked, found.complete) {
            (false, _) => String::new(),
            (true, true) => format!("relations (all follow from these)  {}\n", shortened(&relations, 60)),
            (true, false) => format!("relations (there may be more)  {}\n", shortened(&relations, 60)),
        },
        words.join(", ")
    );
    Ok(Report::new(json, text))
}

impl CountersForm {
    fn heaps(position: &str) -> Result<Vec<BigUint>, Failure> {
        position::read(position)
    }
}

impl Solved for CountersForm {
    fn envelope(&self) -> &Envelope {
        &self.envelope
    }

    fn outcome(&self, _cx: &Context, position: &str) -> Result<Outcome, Failure> {
        self.strategy.outcome(&Self::heaps(position)?).map_err(bad_input)
    }

    fn winning_moves(&self, _cx: &Context, position: &str) -> Result<Vec<String>, Failure> {
        let heaps = Self::heaps(position)?;
        options_of(self.strategy.rules(), &heaps, &|option| self.strategy.outcome(option).map_err(bad_input))
    }

    fn show(&self, cx: &Context, syntax: args::Syntax) -> Answer {
        match syntax {
            args::Syntax::Text | args::Syntax::Json => {
                let mut report = claimed(describe(cx, &rules_text(self.strategy.rules()), &self.strategy, false)?);
                if syntax == args::Syntax::Json {
                    report.text = Value::Object(report.json.clone()).to_string();
                }
                Ok(report)
            }
            _ => Err(bad_input("a counter strategy is shown as text or json; leave out --as")),
        }
    }

    fn convert(&self, cx: &Context, args: &args::ConvertArgs) -> Answer {
        let reach = u64::try_from(self.strategy.counters().values.len() - 1).unwrap_or(u64::MAX);
        let fibres = Fibres::of_counters(&self.strategy, args.max_heap.unwrap_or(reach), cx).map_err(fibres_failure)?;
        converted(cx, &fibres, args)
    }

    fn congruent(&self, _cx: &Context, args: &args::CongruentArgs) -> Answer {
        congruent(&self.strategy, args)
    }

    fn quotient(&self, cx: &Context, args: &args::QuotientArgs) -> Answer {
        checked(cx, &args.game, &self.envelope)?;
        describe(cx, &args.game, &self.strategy, true)
    }
}

/// `congruent` by a counter strategy.
pub fn congruent(strategy: &CountersStrategy, args: &args::CongruentArgs) -> Answer {
    let (p, q) = (CountersForm::heaps(&args.p)?, CountersForm::heaps(&args.q)?);
    let more = json!({"method": "counters", "max_heap": strategy.counters().values.len() - 1});
    match strategy.distinguishing(&p, &q).map_err(bad_input)? {
        Some(witness) => {
            let witness = witness.map(|word| word_position(&word));
            Ok(congruence(&args.game, witness.as_deref(), more, "a monoid and counters"))
        }
        None => Err(Failure::Stopped(StopReason::Size {
            what: "pairs of states (the values differ, and nothing small tells the positions apart)",
            limit: MOST_PAIRS as u64,
        })),
    }
}
