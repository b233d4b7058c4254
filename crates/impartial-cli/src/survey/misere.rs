//! `survey misere`: misère quotients of all octal codes with a number of digits.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use impartial::Error;
use impartial::game::misere_strategy;
use impartial::heap::{Code, HeapRules};
use impartial::solve::quotient::first_cousins;
use impartial::strategy::MisereStrategy;
use rayon::prelude::*;
use rusqlite::{OptionalExtension as _, params};
use semilinear::run::{Monitor as _, Run, StopReason, Within};
use serde_json::json;

use super::Store;
use crate::context::Context;
use crate::report::{Answer, Report};

const TABLE: &str = "CREATE TABLE IF NOT EXISTS misere (
    code TEXT PRIMARY KEY,
    digits INTEGER NOT NULL,         -- number of digits after the point
    cousin TEXT,                     -- the first cousin the result is taken from, when heap 1 has no option
    status TEXT NOT NULL,            -- tame, wild (solved for all heaps), infinite, growing, limit
    order_ INTEGER,                  -- order of the last quotient known, NULL when it is infinite
    p_portion INTEGER,
    heaps INTEGER NOT NULL,          -- heaps of the last quotient known
    preperiod INTEGER,
    period INTEGER,                  -- of the pretending function, when proved for all heaps
    changes TEXT NOT NULL            -- [heap, order, P-portion] at each change, a JSON list
) STRICT;";

/// One result.
struct Row {
    code: String,
    cousin: Option<String>,
    status: &'static str,
    order: Option<usize>,
    p_portion: Option<usize>,
    heaps: usize,
    period: Option<(usize, usize)>,
    changes: Vec<[usize; 3]>,
}

/// Runs the census and says what the file holds.
pub fn run(cx: &Context, digits: u64, per_game: Duration, max_heap: Option<u64>, odd: bool, output: &str) -> Answer {
    if !(1..=4).contains(&digits) {
        return Err(Error::input(format!(
            "--digits {digits}: codes with 1 to 4 digits are listed; give such a number"
        )));
    }
    let digits = usize::try_from(digits).expect("at most 4");
    let max_heap = max_heap.map(|n| usize::try_from(n).unwrap_or(usize::MAX).min(1 << 24));
    let store = Store::open(output, TABLE)?;
    let missing: Vec<Code> = {
        let known = known(&store)?;
        codes(digits)
            .into_iter()
            .filter(|code| !odd || code.digit(0) == 0 && code.digit(1) % 2 == 1)
            .filter(|code| !known.contains(&code.to_string()))
            .collect()
    };
    // Each result is kept in a transaction of its own as soon as it is there: a kill loses only what is being computed.
    let store = Mutex::new(store);
    let failure: Mutex<Option<Error>> = Mutex::new(None);
    let total = missing.len() as u64;
    let done = std::sync::atomic::AtomicU64::new(0);
    missing.par_iter().for_each(|code| {
        if failure.lock().is_ok_and(|f| f.is_some()) {
            return;
        }
        let at = done.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let result = cx.check(at, Some(total)).map_err(Error::from).and_then(|()| {
            let known = {
                let store = store.lock().map_err(|_| Error::input("the census file is locked"))?;
                from_cousin(&store, code)?
            };
            let row = match known {
                Some(row) => row,
                None => solve(cx, code, per_game, max_heap)?,
            };
            let store = store.lock().map_err(|_| Error::input("the census file is locked"))?;
            store.transaction(|connection| insert(connection, digits, &row))
        });
        if let (Err(why), Ok(mut failure)) = (result, failure.lock()) {
            failure.get_or_insert(why);
        }
    });
    let store = store.into_inner().map_err(|_| Error::input("the census file is locked"))?;
    let report = summary(&store, digits, output)?;
    match failure.into_inner().ok().flatten() {
        None => Ok(report),
        Some(Error::Stopped { why, .. }) => Ok(report.stopped(Some(why))),
        Some(other) => Err(other),
    }
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

fn known(store: &Store) -> Result<std::collections::HashSet<String>, Error> {
    store
        .connection()
        .prepare("SELECT code FROM misere")
        .and_then(|mut statement| statement.query_map([], |row| row.get(0))?.collect())
        .map_err(|error| store.failure(&error))
}

/// The result of a code whose first cousin's is in the file already: all heaps are so many beans larger.
fn from_cousin(store: &Store, code: &Code) -> Result<Option<Row>, Error> {
    let chain = first_cousins(&HeapRules::Code(code.clone()));
    let Some(cousin) = chain.last().map(ToString::to_string) else { return Ok(None) };
    let shift = chain.len();
    let query = "SELECT status, order_, p_portion, heaps, preperiod, period, changes FROM misere WHERE code = ?1";
    let read = |row: &rusqlite::Row| -> rusqlite::Result<(String, Row)> {
        let changes: Vec<[usize; 3]> = serde_json::from_str(&row.get::<_, String>(6)?).unwrap_or_default();
        let (preperiod, period): (Option<usize>, Option<usize>) = (row.get(4)?, row.get(5)?);
        let known = Row {
            code: code.to_string(),
            cousin: Some(cousin.clone()),
            status: "limit",
            order: row.get(1)?,
            p_portion: row.get(2)?,
            heaps: row.get::<_, usize>(3)? + shift,
            period: preperiod.zip(period).map(|(preperiod, period)| (preperiod + shift, period)),
            changes: changes.iter().map(|c| [c[0] + shift, c[1], c[2]]).collect(),
        };
        Ok((row.get(0)?, known))
    };
    let found = store.connection().query_row(query, [&cousin], read).optional();
    let found = found.map_err(|error| store.failure(&error))?;
    Ok(found.and_then(|(status, row)| {
        let status = STATUSES.into_iter().find(|known| *known == status)?;
        Some(Row { status, ..row })
    }))
}

/// What a result may be.
const STATUSES: [&str; 5] = ["tame", "wild", "infinite", "growing", "limit"];

fn solve(cx: &Context, code: &Code, per_game: Duration, max_heap: Option<usize>) -> Result<Row, Error> {
    // A code whose heap 1 has no option is its first cousin with all heaps one bean larger.
    let rules = HeapRules::Code(code.clone());
    let chain = first_cousins(&rules);
    let (solved, shift) = match chain.last() {
        Some(cousin) => (HeapRules::Code(cousin.clone()), chain.len()),
        None => (rules, 0),
    };
    let run = misere_strategy(&solved, max_heap, &Within::new(cx, per_game));
    let strategy = match run {
        Run::Stopped(StopReason::Interrupted, _) => return Err(StopReason::Interrupted.into()),
        Run::Finished(strategy) | Run::Stopped(_, strategy) => strategy,
    };
    // The command's own limit, unlike the game's, is no result.
    cx.check(0, None)?;
    let cousin = chain.last().map(ToString::to_string);
    let code = code.to_string();
    Ok(match strategy.into_inner() {
        MisereStrategy::Counters(strategy) => Row {
            code,
            cousin,
            status: "infinite",
            order: None,
            p_portion: None,
            heaps: strategy.counters().values.len() - 1 + shift,
            period: None,
            changes: Vec::new(),
        },
        MisereStrategy::Quotient(strategy) => {
            let mut changes: Vec<[usize; 3]> = Vec::new();
            for (i, &(order, portion)) in strategy.orders().iter().enumerate() {
                if changes.last().is_none_or(|last| last[1..] != [order, portion]) && order > 1 {
                    changes.push([i + 1 + shift, order, portion]);
                }
            }
            let status = match strategy.period() {
                Some(_) if strategy.quotient().is_tame() => "tame",
                Some(_) => "wild",
                None if growing(&changes, strategy.quotient().heaps() + shift) => "growing",
                None => "limit",
            };
            Row {
                code,
                cousin,
                status,
                order: Some(strategy.quotient().order()),
                p_portion: Some(strategy.quotient().p().count()),
                heaps: strategy.quotient().heaps() + shift,
                // The values move by the shift; before it all heaps are 1, so that the least preperiod may be smaller.
                period: strategy.period().map(|p| (p.preperiod + shift, p.period)),
                changes,
            }
        }
    })
}

/// Whether the quotient grows in steps at regular distances: the last eight changes repeat with one or two distances.
fn growing(changes: &[[usize; 3]], heaps: usize) -> bool {
    let distances: Vec<usize> = changes.windows(2).map(|w| w[1][0] - w[0][0]).collect();
    let Some(last) = distances.len().checked_sub(8).map(|from| &distances[from..]) else { return false };
    let regular = (1..=2).any(|p| (p..last.len()).all(|i| last[i] == last[i - p]));
    regular && changes.last().is_some_and(|c| heaps < c[0] + 2 * last.iter().max().unwrap_or(&0))
}

fn insert(connection: &rusqlite::Connection, digits: usize, row: &Row) -> rusqlite::Result<()> {
    connection
        .prepare_cached("INSERT OR REPLACE INTO misere VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)")?
        .execute(params![
            row.code,
            digits,
            row.cousin,
            row.status,
            row.order,
            row.p_portion,
            row.heaps,
            row.period.map(|p| p.0),
            row.period.map(|p| p.1),
            json!(row.changes).to_string()
        ])
        .map(|_| ())
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
