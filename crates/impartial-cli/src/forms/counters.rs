//! Form "counters": misère play of a heap game by a finite monoid times counters.

use impartial::outcome::Outcome;
use impartial::render::{generator_names, word_position, word_text};
use impartial::run::StopReason;
use impartial::strategy::{CountersStrategy, Envelope, MOST_PAIRS};
use num_bigint::BigUint;
use serde_json::{Map, Value, json};

use super::Solved;
use super::quotient::rules_text;
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

/// The report of a proved counter form.
pub fn describe(name: &str, strategy: &CountersStrategy) -> Report {
    let counters = strategy.counters();
    let monoid = &counters.monoid;
    let all: Vec<u32> = {
        let mut all = [monoid.letters(), &counters.counters[..]].concat();
        all.sort_unstable();
        all
    };
    let names = generator_names(&all);
    let named = |heaps: &[u32]| heaps.iter().map(|&h| word_text(&[(h, 1)], &names)).collect::<Vec<_>>();
    let word = |heap: usize| match counters.values[heap] {
        Some(v) => word_text(&monoid.word(v), &names),
        None => word_text(&[(u32::try_from(heap).unwrap_or(0), 1)], &names),
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
        "p_portion": Value::Null,
        "proved": true,
        "max_heap": reach,
        "tame": false,
        "generators": named(&all),
        "generator_heaps": names.iter().map(|(h, name)| (name.clone(), json!(h))).collect::<Map<_, _>>(),
        "counters": counters.counters,
        "monoid_order": monoid.order(),
        "slices": counters.slices.len(),
        "states": counters.next.len(),
        "relations": Value::Array(vec![]),
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
         generators of the monoid  {}\nheaps 0 to {reach}: {}",
        if infinite { "infinite quotient" } else { "outcomes by counters" },
        monoid.order(),
        list(&counters.counters),
        counters.slices.len(),
        counters.next.len(),
        list(monoid.letters()),
        words.join(", ")
    );
    Report::new(json, text)
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

    fn show(&self, _cx: &Context, syntax: args::Syntax) -> Answer {
        match syntax {
            args::Syntax::Text | args::Syntax::Json => {
                let mut report = describe(&rules_text(self.strategy.rules()), &self.strategy);
                if syntax == args::Syntax::Json {
                    report.text = Value::Object(report.json.clone()).to_string();
                }
                Ok(report)
            }
            _ => Err(bad_input("a counter strategy is shown as text or json; leave out --as")),
        }
    }

    fn congruent(&self, _cx: &Context, args: &args::CongruentArgs) -> Answer {
        congruent(&self.strategy, args)
    }

    fn quotient(&self, _cx: &Context, args: &args::QuotientArgs) -> Answer {
        Ok(describe(&args.game, &self.strategy))
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
