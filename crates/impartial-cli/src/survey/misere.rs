//! `survey misere`: misère play of all octal codes with a number of digits, by quotients, by weights and by ranks.

use std::collections::{BTreeMap, HashSet};

use impartial::game::{dominance_strategy, misere_strategy, ranks_strategy};
use impartial::heap::{Code, HeapRules};
use impartial::outcome::Play;
use impartial::solve::quotient::first_cousins;
use impartial::strategy::{CountersStrategy, Envelope, MisereStrategy, QuotientStrategy};
use impartial::{Error, Game};
use rusqlite::OptionalExtension as _;
use rusqlite::types::Value;
use semilinear::run::{Run, StopReason, Within};
use serde_json::json;

use super::certificates::Certificates;
use super::pace::{Budget, each};
use super::store::{Cost, Store, Table};
use super::{Pace, cell};
use crate::context::Context;
use crate::report::{Answer, Report};

pub const TABLE: Table = Table {
    name: "misere",
    definition: "
    code TEXT NOT NULL,
    digits INTEGER NOT NULL,         -- number of digits after the point
    cousin TEXT,                     -- the first cousin the result is taken from, when heap 1 has no option
    status TEXT NOT NULL,            -- tame, wild, weights, ranks (solved for all heaps), infinite, growing, limit
    order_ INTEGER,                  -- order of the last quotient known, NULL when it is infinite or none is told
    p_portion INTEGER,
    heaps INTEGER NOT NULL,          -- heaps of the last quotient known
    preperiod INTEGER,
    period INTEGER,                  -- of the pretending function, when proved for all heaps
    changes TEXT NOT NULL,           -- [heap, order, P-portion] at each change, a JSON list
    max_heap INTEGER                 -- the largest heap asked for, NULL for no limit",
    columns: &[
        "code",
        "digits",
        "cousin",
        "status",
        "order_",
        "p_portion",
        "heaps",
        "preperiod",
        "period",
        "changes",
        "max_heap",
    ],
    key: &["code"],
    strength: "@status IN ('tame', 'wild', 'weights', 'ranks', 'infinite'), @heaps, @budget",
    settled: "status IN ('tame', 'wild', 'weights', 'ranks', 'infinite')",
};

/// The status of a strategy for all heaps that is no quotient, by its form.
const WHOLE: [(&str, &str); 2] = [("dominance", "weights"), ("ranks", "ranks")];

/// Which codes.
pub struct Census {
    pub digits: u64,
    pub max_heap: Option<u64>,
    /// Only codes 0.d₁… with d₁ odd.
    pub odd: bool,
}

/// Codes whose heaps are those of one canonical code with some more beans.
struct Family {
    canonical: Code,
    /// The codes, each with the number of beans.
    codes: Vec<(Code, usize)>,
}

/// What is known of a code.
#[derive(Clone, Debug)]
struct Found {
    status: String,
    order: Option<usize>,
    p_portion: Option<usize>,
    heaps: usize,
    period: Option<(usize, usize)>,
    changes: Vec<[usize; 3]>,
}

/// Runs the census and says what the file holds.
pub fn run(cx: &Context, census: &Census, pace: &Pace) -> Answer {
    let digits = usize::try_from(census.digits).ok().filter(|digits| (1..=4).contains(digits)).ok_or_else(|| {
        Error::input(format!("--digits {}: codes with 1 to 4 digits are listed; give such a number", census.digits))
    })?;
    let max_heap = census.max_heap.map(|n| usize::try_from(n).unwrap_or(usize::MAX).min(1 << 24));
    let store = Store::open_table(&pace.output, &TABLE)?;
    let certificates = Certificates::of(&pace.output);
    let families = families(digits, census.odd, pace);
    let total = families.len();
    // A smaller bound on heaps is another limit, like less time.
    let far = format!("coalesce(max_heap, {}) >= {}", i64::MAX, max_heap.map_or(i64::MAX, integer));
    let done = |retry| TABLE.done(pace.budget(), retry, &far);
    let known = store.column(&format!("SELECT code FROM misere WHERE {}", done(pace.retry_stopped)))?;
    let known: HashSet<String> = known.into_iter().collect();
    let keep = |family: &Family, found: &Found, cost: &Cost| {
        store.transaction(|connection| {
            for (code, beans) in &family.codes {
                let cousin = (*beans > 0).then(|| family.canonical.to_string());
                let row = Table::row(found.cells(code, digits, cousin, *beans, max_heap), cost);
                TABLE.keep(connection, &row)?;
            }
            Ok(())
        })
    };
    let mut open = Vec::new();
    for mut family in families {
        family.codes.retain(|(code, _)| !known.contains(&code.to_string()));
        if family.codes.is_empty() {
            continue;
        }
        match canonical_result(&store, &family.canonical.to_string(), &done(true))? {
            Some((found, cost)) => keep(&family, &found, &cost)?,
            None => open.push(family),
        }
    }
    let stopped = each(
        cx,
        &open,
        total - open.len(),
        pace.per_game,
        |family, budget| solve(&family.canonical, max_heap, budget),
        |family, (found, file), used| {
            let certificate = file.map(|text| certificates.keep(&text)).transpose()?;
            keep(family, &found, &Cost { certificate, budget: pace.budget(), cpu_seconds: used.as_secs_f64() })
        },
    )?;
    Ok(summary(&store, digits, &pace.output)?.stopped(stopped))
}

fn integer(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

/// The octal codes with exactly this many digits after the point, d₀ = 0 or 4.
fn codes(digits: usize) -> Vec<Code> {
    let mut codes = Vec::new();
    for first in [0, 4] {
        for n in 0..8_u32.pow(u32::try_from(digits).expect("few digits")) {
            let digit = |i: usize| u8::try_from(n >> (3 * (digits - 1 - i)) & 7).expect("an octal digit");
            let list: Vec<u8> = std::iter::once(first).chain((0..digits).map(digit)).collect();
            if list.last() != Some(&0) {
                codes.extend(Code::new(list, 0));
            }
        }
    }
    codes
}

/// The codes of the census by their canonical ones: a code whose heap 1 has no option is its first cousin with all heaps one bean
/// larger. A family is in one shard.
fn families(digits: usize, odd: bool, pace: &Pace) -> Vec<Family> {
    let mut families: BTreeMap<String, Family> = BTreeMap::new();
    for code in codes(digits) {
        if odd && (code.digit(0) != 0 || code.digit(1) % 2 == 0) {
            continue;
        }
        let chain = first_cousins(&HeapRules::Code(code.clone()));
        let canonical = chain.last().unwrap_or(&code).clone();
        let name = canonical.to_string();
        if pace.holds(&name) {
            let family = families.entry(name).or_insert(Family { canonical, codes: Vec::new() });
            family.codes.push((code, chain.len()));
        }
    }
    families.into_values().collect()
}

/// What the file knows of a canonical code already, from as much time as is given now.
fn canonical_result(store: &Store, code: &str, done: &str) -> Result<Option<(Found, Cost)>, Error> {
    let query = format!(
        "SELECT status, order_, p_portion, heaps, preperiod, period, changes, certificate, budget FROM misere
        WHERE code = ?1 AND {done}"
    );
    let read = |row: &rusqlite::Row| -> rusqlite::Result<(Found, Cost)> {
        let (preperiod, period): (Option<usize>, Option<usize>) = (row.get(4)?, row.get(5)?);
        let found = Found {
            status: row.get(0)?,
            order: row.get(1)?,
            p_portion: row.get(2)?,
            heaps: row.get(3)?,
            period: preperiod.zip(period),
            changes: serde_json::from_str(&row.get::<_, String>(6)?).unwrap_or_default(),
        };
        // Nothing is spent on what is known.
        Ok((found, Cost { certificate: row.get(7)?, budget: row.get(8)?, cpu_seconds: 0.0 }))
    };
    store.connection().query_row(&query, [code], read).optional().map_err(|error| store.failure(&error))
}

/// What is found, and the strategy file of the heaps that are solved. When all heaps are asked for, a quotient has half of the time; what
/// it did not settle is tried by weights and by ranks in the other half.
fn solve(code: &Code, max_heap: Option<usize>, budget: &Budget<'_>) -> Result<(Found, Option<String>), Error> {
    let rules = HeapRules::Code(code.clone());
    let half = Within::new(budget, if max_heap.is_none() { budget.limit() / 2 } else { budget.limit() });
    let strategy = match misere_strategy(&rules, max_heap, &half) {
        Run::Stopped(StopReason::Interrupted, _) => return Err(StopReason::Interrupted.into()),
        Run::Finished(strategy) | Run::Stopped(_, strategy) => strategy.into_inner(),
    };
    let mut found = Found::of(&strategy);
    if !found.is_settled() {
        budget.command_goes_on()?;
        if max_heap.is_none()
            && let Some(file) = whole(&rules, budget)?
        {
            // The order of a quotient of some heaps says nothing of all.
            (found.order, found.p_portion) = (None, None);
            found.status = status_of(&file).expect("one of these forms").into();
            return Ok((found, Some(file.to_text())));
        }
    }
    let file = match &strategy {
        MisereStrategy::Counters(strategy) => strategy.envelope(),
        MisereStrategy::Quotient(strategy) => strategy.envelope(),
    };
    let file = (found.heaps > 0).then(|| file.to_text());
    Ok((found, file))
}

/// A strategy for all heaps that is no quotient.
fn whole(rules: &HeapRules, budget: &Budget<'_>) -> Result<Option<Envelope>, Error> {
    let quarter = Within::new(budget, budget.limit() / 4);
    // A search that is stopped has found nothing, and the limits of the command stop the survey.
    if let Ok(Some(strategy)) = dominance_strategy(rules, &quarter) {
        return Ok(Some(strategy.envelope()));
    }
    budget.command_goes_on()?;
    if let Ok(Some(strategy)) = ranks_strategy(rules, budget) {
        return Ok(Some(strategy.envelope()));
    }
    budget.command_goes_on()?;
    Ok(None)
}

/// The status of a strategy file for all heaps that is no quotient.
fn status_of(file: &Envelope) -> Option<&'static str> {
    WHOLE.iter().find(|(form, _)| *form == file.form).map(|&(_, status)| status)
}

impl Found {
    fn of(strategy: &MisereStrategy) -> Self {
        let strategy = match strategy {
            MisereStrategy::Counters(strategy) => {
                return Self {
                    status: "infinite".into(),
                    order: None,
                    p_portion: None,
                    heaps: strategy.counters().values.len() - 1,
                    period: strategy.period().map(|p| (p.preperiod, p.period)),
                    changes: Vec::new(),
                };
            }
            MisereStrategy::Quotient(strategy) => strategy,
        };
        let mut changes: Vec<[usize; 3]> = Vec::new();
        for (i, &(order, portion)) in strategy.orders().iter().enumerate() {
            if changes.last().is_none_or(|last| last[1..] != [order, portion]) && order > 1 {
                changes.push([i + 1, order, portion]);
            }
        }
        let status = match strategy.period() {
            Some(_) if strategy.quotient().is_tame() => "tame",
            Some(_) => "wild",
            None if growing(&changes, strategy.quotient().heaps()) => "growing",
            None => "limit",
        };
        Self {
            status: status.into(),
            order: Some(strategy.quotient().order()),
            p_portion: Some(strategy.quotient().p().count()),
            heaps: strategy.quotient().heaps(),
            period: strategy.period().map(|p| (p.preperiod, p.period)),
            changes,
        }
    }

    fn is_settled(&self) -> bool {
        ["tame", "wild", "infinite"].contains(&self.status.as_str())
    }

    /// The columns of a code whose heaps are so many beans larger. Heaps of fewer beans are all worth 1, so that the least preperiod
    /// may be smaller.
    fn cells(
        &self,
        code: &Code,
        digits: usize,
        cousin: Option<String>,
        beans: usize,
        max_heap: Option<usize>,
    ) -> Vec<Value> {
        let changes: Vec<[usize; 3]> = self.changes.iter().map(|c| [c[0] + beans, c[1], c[2]]).collect();
        vec![
            code.to_string().into(),
            integer(digits).into(),
            cousin.into(),
            self.status.clone().into(),
            self.order.map(integer).into(),
            self.p_portion.map(integer).into(),
            integer(self.heaps + beans).into(),
            self.period.map(|p| integer(p.0 + beans)).into(),
            self.period.map(|p| integer(p.1)).into(),
            json!(changes).to_string().into(),
            max_heap.map(integer).into(),
        ]
    }
}

/// Whether the quotient grows in steps at regular distances: the last eight changes repeat with one or two distances.
fn growing(changes: &[[usize; 3]], heaps: usize) -> bool {
    let distances: Vec<usize> = changes.windows(2).map(|w| w[1][0] - w[0][0]).collect();
    let Some(last) = distances.len().checked_sub(8).map(|from| &distances[from..]) else { return false };
    let regular = (1..=2).any(|p| (p..last.len()).all(|i| last[i] == last[i - p]));
    regular && changes.last().is_some_and(|c| heaps < c[0] + 2 * last.iter().max().unwrap_or(&0))
}

/// The game whose strategy a row's certificate is.
pub fn game(row: &[Value]) -> Result<(Game, Play), Error> {
    let code = cell(&TABLE, row, "cousin").or_else(|| cell(&TABLE, row, "code"));
    Ok((code.unwrap_or_default().parse()?, Play::Misere))
}

/// Whether a row says what its certificate says. How the quotient grew on the way (`changes`) is in no certificate.
pub fn agrees(row: &[Value], file: &Envelope) -> Result<bool, Error> {
    let status = cell(&TABLE, row, "status").unwrap_or_default();
    if let Some(whole) = status_of(file) {
        return Ok(status == whole);
    }
    let strategy = match file.form.as_str() {
        "quotient" => {
            MisereStrategy::Quotient(QuotientStrategy::from_envelope(file).map_err(Error::input)?.claim().clone())
        }
        "counters" => {
            MisereStrategy::Counters(CountersStrategy::from_envelope(file).map_err(Error::input)?.claim().clone())
        }
        _ => return Ok(false),
    };
    let found = Found::of(&strategy);
    let at = |name: &str| TABLE.columns.iter().position(|&column| column == name).map(|i| &row[i]);
    let same = |name: &str, value: Option<usize>| at(name) == Some(&value.map(integer).into());
    let settled = found.is_settled();
    Ok(same("order_", found.order)
        && same("p_portion", found.p_portion)
        && same("period", found.period.map(|p| p.1))
        && if settled { status == found.status } else { ["growing", "limit"].contains(&status.as_str()) })
}

fn summary(store: &Store, digits: usize, output: &str) -> Answer {
    let query = "SELECT status, count(*) FROM misere WHERE digits = ?1 GROUP BY status ORDER BY status";
    let counts: rusqlite::Result<BTreeMap<String, u64>> = store
        .connection()
        .prepare(query)
        .and_then(|mut statement| statement.query_map([digits], |row| Ok((row.get(0)?, row.get(1)?)))?.collect());
    let counts = counts.map_err(|error| store.failure(&error))?;
    let total: u64 = counts.values().sum();
    let cousins: u64 = store
        .connection()
        .query_row("SELECT count(*) FROM misere WHERE digits = ?1 AND cousin IS NOT NULL", [digits], |row| row.get(0))
        .map_err(|error| store.failure(&error))?;
    let mut lines =
        vec![format!("{total} codes with {digits} digits in {output}, {cousins} of them by their first cousins")];
    lines.extend(counts.iter().map(|(status, count)| format!("{status:10} {count}")));
    let json = json!({
        "survey": "misere",
        "digits": digits,
        "file": output,
        "codes": total,
        "by_cousins": cousins,
        "statuses": counts,
    });
    Ok(Report::data(json, lines.join("\n")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_have_their_digits() {
        assert_eq!(codes(1).len(), 14);
        assert_eq!(codes(2).len(), 2 * 56);
        assert!(codes(2).iter().any(|code| code.to_string() == "4.07"));
    }

    #[test]
    fn regular_growth_is_seen() {
        let regular: Vec<[usize; 3]> = (0..12).map(|i| [9 + 2 * i, 8 + i * i, 2]).collect();
        assert!(growing(&regular, 32));
        assert!(!growing(&regular, 100));
        assert!(!growing(&regular[..5], 18));
    }
}
