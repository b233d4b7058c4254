//! `quotient` of a lattice game: a finite presentation from the automaton of its P-positions.

use std::time::Duration;

use impartial::render::{generator_names, word_text};
use impartial::strategy::{AutomatonStrategy, PresentationError, PresentationStrategy};
use num_bigint::BigUint;
use semilinear::run::{Run, StopReason};
use semilinear::vectorset::Effort;
use serde_json::{Map, Value, json};

use super::position;
use crate::context::Context;
use crate::files;
use crate::forms::quotient::shortened;
use crate::report::{Answer, Failure, Report, bad_input};

/// Automata on the way may have this many states.
const STATES: usize = 1 << 22;
/// Without `--time-limit` the search takes no longer.
const PATIENCE: Duration = Duration::from_secs(120);
/// Rewriting a generator takes no more steps than this.
const STEPS: usize = 10_000;

/// A limit stays a limit; everything else is bad input.
pub fn failure(error: PresentationError) -> Failure {
    match error {
        PresentationError::Stopped(why) => Failure::Stopped(why),
        error => bad_input(error),
    }
}

/// The quotient that a proved automaton has: reported, and written when its relations are complete; else the
/// automaton is written.
pub fn report(cx: &Context, name: &str, automaton: &AutomatonStrategy, output: Option<&str>) -> Answer {
    let monitor = cx.patience(PATIENCE);
    let effort = Effort::new(STATES, &monitor);
    let (strategy, why) = match PresentationStrategy::search(automaton.clone(), &effort).map_err(failure)? {
        Run::Finished(strategy) => (strategy, None),
        Run::Stopped(why, strategy) => (strategy, Some(why)),
    };
    let mut report = describe(cx, name, &strategy, Standing::Proved)?;
    if let Some(path) = output {
        let envelope = strategy.to_envelope().unwrap_or_else(|| automaton.to_envelope());
        files::write(path, envelope.to_text().as_bytes())?;
        report.json.insert("file".into(), json!(path));
        report.json.insert("file_form".into(), json!(envelope.form));
    }
    Ok(match why {
        None => report,
        Some(why) => report.stopped(why),
    })
}

/// A word in the generators, by their names.
struct Names {
    names: Vec<(u32, String)>,
}

impl Names {
    /// Names for the generators that are normal forms themselves.
    fn of(strategy: &PresentationStrategy) -> Self {
        let d = strategy.generators().len();
        let normal = |&i: &u32| strategy.relations().is_normal(&unit(d, i as usize));
        Self { names: generator_names(&(0..).take(d).filter(normal).collect::<Vec<u32>>()) }
    }

    fn text(&self, x: &[u32]) -> String {
        let word: Vec<(u32, u32)> = (0..).zip(x.iter().copied()).filter(|&(_, n)| n > 0).collect();
        word_text(&word, &self.names)
    }
}

/// What is known of a presentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It was proved just now.
    Proved,
    /// It stands in a file that was not checked.
    Claimed,
}

/// The report of a quotient, found or read from a file.
pub fn describe(cx: &Context, name: &str, strategy: &PresentationStrategy, standing: Standing) -> Answer {
    let (generators, relations) = (strategy.generators(), strategy.relations());
    let (d, complete, cones) = (generators.len(), strategy.is_complete(), strategy.cones());
    let names = Names::of(strategy);
    let rules: Vec<String> = relations
        .rules()
        .iter()
        .filter(|(left, _)| left.iter().sum::<u32>() > 1)
        .map(|(left, right)| format!("{}={}", names.text(left), names.text(right)))
        .collect();
    let value = |i: usize| -> Result<String, Failure> {
        let x: Vec<BigUint> = unit(d, i).into_iter().map(BigUint::from).collect();
        let normal = relations.reduced(&x, STEPS).unwrap_or(x);
        let too_large = StopReason::Size { what: "exponents of a normal form", limit: u64::from(u32::MAX) };
        let word = normal.iter().map(num_traits::ToPrimitive::to_u32).collect::<Option<Vec<u32>>>();
        Ok(names.text(&word.ok_or(Failure::Stopped(too_large))?))
    };
    let mut pretending: Map<String, Value> = Map::new();
    for (i, generator) in generators.iter().enumerate() {
        pretending.insert(position::text(generator), value(i)?.into());
    }
    let order = strategy.order();
    let (portion, p) = match order {
        Some(_) => {
            let inside = cones.iter().filter(|cone| strategy.is_p(&cone.base));
            let p: Vec<String> = inside.map(|cone| names.text(&cone.base)).collect();
            (Some(p.len()), p)
        }
        None if complete => (strategy.p_portion(&Effort::new(STATES, cx))?, vec![]),
        None => (None, vec![]),
    };
    let size = |n: Option<usize>| match n {
        Some(n) => json!(n),
        None if complete => json!("infinite"),
        None => Value::Null,
    };
    let place = |i: u32| position::text(&generators[i as usize]);
    let json = json!({
        "game": name,
        "play": strategy.automaton().game().play(),
        "form": "presentation",
        "finite": complete.then_some(order.is_some()),
        "order": size(order),
        "p_portion": size(portion),
        "proved": complete && standing == Standing::Proved,
        "generators": names.names.iter().map(|(_, name)| name).collect::<Vec<_>>(),
        "generator_positions": names.names.iter().map(|(i, name)| (name.clone(), place(*i).into()))
            .collect::<Map<String, Value>>(),
        "relations": rules,
        "relations_complete": complete,
        "p": if order.is_some() { json!(p) } else { Value::Null },
        "cones": cones.len(),
        "pretending": pretending,
        "period": Value::Null,
        "seconds": cx.seconds(),
    });
    let proved = if standing == Standing::Proved { "proved" } else { "as the file claims" };
    let head = match (complete, order) {
        (true, Some(n)) => format!("quotient of order {n}, P-portion {}, {proved}", portion.unwrap_or(0)),
        (true, None) => format!("infinite quotient, finitely presented, {proved}"),
        _ => "the relations hold, but there may be more".to_owned(),
    };
    let list = |(i, letter): &(u32, String)| format!("{letter} = {}", place(*i));
    let lines = [
        format!("{name}: {head}"),
        format!("generators  {}", names.names.iter().map(list).collect::<Vec<_>>().join(", ")),
        format!("relations   {}", shortened(&rules, 100)),
    ];
    Ok(Report::new(json, lines.join("\n")))
}

/// The normal forms in words: each cone as its base and the powers of its free generators, `ab2 c^N`.
pub fn normal_forms(strategy: &PresentationStrategy) -> Vec<String> {
    let names = Names::of(strategy);
    let letter = |i: usize| names.text(&unit(strategy.generators().len(), i));
    strategy
        .cones()
        .iter()
        .map(|cone| {
            let base = names.text(&cone.base);
            let free: Vec<String> = cone.free.iter().map(|&i| format!("{}^N", letter(i))).collect();
            match (base.as_str(), free.is_empty()) {
                (_, true) => base,
                ("1", false) => free.join(" "),
                _ => format!("{base} {}", free.join(" ")),
            }
        })
        .collect()
}

fn unit(d: usize, i: usize) -> Vec<u32> {
    (0..d).map(|j| u32::from(i == j)).collect()
}
