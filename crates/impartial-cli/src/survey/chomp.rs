//! `survey chomp`: periods of f_k for three-row Chomp with third row 0, 1, 2, ….

use std::collections::BTreeMap;

use impartial::poset::chains::ChainsGame;
use impartial::run::StopReason;
use impartial::solve::chains::{Kind, Pattern, Solution, ThreeRows};
use rusqlite::{Connection, params};
use serde_json::json;

use super::Store;
use crate::context::Context;
use crate::report::{Answer, Failure, Report};

const TABLE: &str = "CREATE TABLE IF NOT EXISTS chomp (
    r INTEGER NOT NULL,              -- third row
    k INTEGER NOT NULL,              -- Grundy value
    kind TEXT NOT NULL,              -- 'finite' or 'periodic'
    preperiod INTEGER NOT NULL,      -- least second row from which the period holds (finite: one past the last)
    period INTEGER,                  -- least period, NULL for finite
    offsets TEXT NOT NULL,           -- row 1 minus row 2 over one period, a JSON list
    before INTEGER NOT NULL,         -- number of positions of value k below the preperiod
    PRIMARY KEY (r, k)
) STRICT;";

/// The name of the engine's checkpoint.
const CHECKPOINT: &str = "chomp three rows value 0";
/// Third rows between two transactions.
const BATCH: usize = 500;

/// Runs the census and says what the file holds.
pub fn run(cx: &Context, to: u64, value: u64, output: &str) -> Answer {
    let store = Store::open(output, TABLE)?;
    let stopped = match if value == 0 { value_zero(cx, &store, to) } else { larger_value(cx, &store, to, value) } {
        Ok(()) => None,
        Err(Failure::Stopped(why)) => Some(why),
        Err(other) => return Err(other),
    };
    let report = summary(&store, to, value, output)?;
    Ok(match stopped {
        Some(why) => report.stopped(why),
        None => report,
    })
}

fn rows(store: &Store, to: u64, value: u64) -> Result<u64, Failure> {
    store
        .connection()
        .query_row("SELECT count(*) FROM chomp WHERE k = ?1 AND r <= ?2", params![value, to], |row| row.get(0))
        .map_err(|error| store.failure(&error))
}

/// P-positions: the engine goes on from its checkpoint, third row after third row.
fn value_zero(cx: &Context, store: &Store, to: u64) -> Result<(), Failure> {
    let mut engine =
        store.checkpoint(CHECKPOINT)?.and_then(|bytes| ThreeRows::from_bytes(&bytes)).unwrap_or_else(ThreeRows::new);
    let mut batch: Vec<(u32, Pattern)> = Vec::new();
    let mut stopped: Result<(), StopReason> = Ok(());
    while u64::from(engine.third_row()) <= to && stopped.is_ok() {
        let r = engine.third_row();
        match engine.next(cx) {
            Ok(branch) => batch.push((r, branch.into())),
            Err(why) => stopped = Err(why),
        }
        let last = stopped.is_err() || u64::from(engine.third_row()) > to;
        if last || batch.len() >= BATCH {
            store.transaction(|connection| {
                for (r, pattern) in batch.drain(..) {
                    insert(connection, r, 0, &pattern)?;
                }
                // The engine's bit sets are large: they are written at the end of a run only.
                if last { Store::keep_checkpoint(connection, CHECKPOINT, &engine.to_bytes()) } else { Ok(()) }
            })?;
        }
    }
    Ok(stopped?)
}

/// Larger values: all third rows and all values up to k at once.
fn larger_value(cx: &Context, store: &Store, to: u64, value: u64) -> Result<(), Failure> {
    if rows(store, to, value)? > to {
        return Ok(());
    }
    let game = ChainsGame::chomp(&[to]).map_err(crate::report::bad_input)?;
    let solution = Solution::new(game, value, cx)?;
    store.transaction(|connection| {
        for (ideal, k) in solution.ideals().list().iter().flat_map(|b| (0..=solution.values()).map(move |k| (b, k))) {
            if let Some(pattern) = solution.pattern_of(&ideal.key, k) {
                insert(connection, ideal.key.first().copied().unwrap_or(0), k, &pattern)?;
            }
        }
        Ok(())
    })
}

fn insert(connection: &Connection, r: u32, k: u32, pattern: &Pattern) -> rusqlite::Result<()> {
    let (kind, period) = match pattern.kind() {
        Kind::Periodic(period) => ("periodic", Some(period)),
        Kind::Finite | Kind::Constant(_) => ("finite", None),
    };
    let offsets = json!(pattern.offsets()).to_string();
    let before = u32::try_from(pattern.initial().len()).unwrap_or(u32::MAX);
    connection
        .prepare_cached("INSERT OR REPLACE INTO chomp VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")?
        .execute(params![r, k, kind, pattern.preperiod(), period, offsets, before])
        .map(|_| ())
}

fn summary(store: &Store, to: u64, value: u64, output: &str) -> Answer {
    let mut periods: BTreeMap<u64, u64> = BTreeMap::new();
    let mut finite = 0u64;
    let query = "SELECT period, count(*) FROM chomp WHERE k = ?1 AND r <= ?2 GROUP BY period";
    let list: rusqlite::Result<Vec<(Option<u64>, u64)>> =
        store.connection().prepare(query).and_then(|mut statement| {
            statement.query_map(params![value, to], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        });
    for (period, count) in list.map_err(|error| store.failure(&error))? {
        match period {
            Some(period) => drop(periods.insert(period, count)),
            None => finite = count,
        }
    }
    let solved = finite + periods.values().sum::<u64>();
    let lcm = periods.keys().fold(1u64, |lcm, &p| num_integer::lcm(lcm, p));
    let mut lines =
        vec![format!("{solved} third rows up to {to}, value {value}, in {output}"), format!("finite: {finite}")];
    lines.extend(periods.iter().map(|(period, count)| format!("period {period}: {count}")));
    lines.push(format!("least common multiple of the periods: {lcm}"));
    let json = json!({
        "game": "chomp three rows",
        "to": to,
        "value": value,
        "solved": solved,
        "finite": finite,
        "periods": periods.iter().map(|(p, count)| (p.to_string(), *count)).collect::<BTreeMap<_, _>>(),
        "lcm": lcm,
        "file": output,
        "proved": true,
    });
    Ok(Report::new(json, lines.join("\n")))
}
