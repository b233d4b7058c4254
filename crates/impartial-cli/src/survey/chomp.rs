//! `survey chomp`: periods of f_k for Chomp with two free rows above fixed ones: third row 0, 1, 2, …, or more rows.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use impartial::Error;
use impartial::poset::chains::ChainsGame;
use impartial::solve::chains::{Kind, Pattern, Solving, ThreeRows, branches_from_bytes, branches_to_bytes};
use rusqlite::{Connection, params};
use semilinear::run::StopReason;
use serde_json::json;

use super::Store;
use crate::context::Context;
use crate::report::{Answer, Report};

const TABLE: &str = "CREATE TABLE IF NOT EXISTS chomp (
    rows TEXT NOT NULL,              -- the fixed rows: row 3, row 4, …, as in 5,3; 0 for none
    longest INTEGER NOT NULL,        -- the first of them
    k INTEGER NOT NULL,              -- Grundy value
    kind TEXT NOT NULL,              -- 'finite' or 'periodic'
    preperiod INTEGER NOT NULL,      -- least second row from which the period holds (finite: one past the last)
    period INTEGER,                  -- least period, NULL for finite
    offsets TEXT NOT NULL,           -- row 1 minus row 2 over one period, a JSON list
    before INTEGER NOT NULL,         -- number of positions of value k below the preperiod
    PRIMARY KEY (rows, k)
) STRICT;";

/// The name of the checkpoint of the bit-set engine.
const BIT_SETS: &str = "chomp, three rows, value 0";
/// What is solved is kept when this time has passed, and at the end.
const KEEP_EVERY: Duration = Duration::from_secs(60);

/// Which boards: the fixed rows below the two free ones, each at most `to` long, and the Grundy value.
pub struct Census {
    pub to: u64,
    pub value: u64,
    /// The number of fixed rows.
    pub rows: u64,
}

/// Runs the census and says what the file holds.
pub fn run(cx: &Context, census: &Census, output: &str) -> Answer {
    if census.rows == 0 {
        return Err(Error::input(
            "--rows 0: two free rows alone are no family; give the number of fixed rows, 1 or more",
        ));
    }
    let store = Store::open(output, TABLE)?;
    let run = if census.rows == 1 && census.value == 0 { third_rows } else { all_boards };
    let stopped = match run(cx, &store, census) {
        Ok(()) => None,
        Err(Error::Stopped { why, .. }) => Some(why),
        Err(other) => return Err(other),
    };
    let report = summary(&store, census, output)?;
    Ok(report.stopped(stopped))
}

/// P-positions with one fixed row: the engine goes on from its checkpoint, third row after third row.
fn third_rows(cx: &Context, store: &Store, census: &Census) -> Result<(), Error> {
    let mut engine =
        store.checkpoint(BIT_SETS)?.and_then(|bytes| ThreeRows::from_bytes(&bytes)).unwrap_or_else(ThreeRows::new);
    let mut batch: Vec<Row> = Vec::new();
    let mut kept = Instant::now();
    let mut stopped: Result<(), StopReason> = Ok(());
    while u64::from(engine.third_row()) <= census.to && stopped.is_ok() {
        let r = engine.third_row();
        match engine.next(cx) {
            Ok(branch) => batch.push(Row::new(&[r], 0, &branch.into())),
            Err(why) => stopped = Err(why),
        }
        let last = stopped.is_err() || u64::from(engine.third_row()) > census.to;
        if last || kept.elapsed() > KEEP_EVERY {
            store.transaction(|connection| {
                batch.drain(..).try_for_each(|row| row.insert(connection))?;
                Store::keep_checkpoint(connection, BIT_SETS, &engine.to_bytes())
            })?;
            kept = Instant::now();
        }
    }
    Ok(stopped?)
}

/// All boards with these many fixed rows, and all values up to k, by the general solver.
fn all_boards(cx: &Context, store: &Store, census: &Census) -> Result<(), Error> {
    let rows = usize::try_from(census.rows).ok().filter(|&rows| rows <= 64);
    let rows = rows.ok_or_else(|| Error::input(format!("--rows {}: at most 64 fixed rows", census.rows)))?;
    let game = ChainsGame::chomp(&vec![census.to; rows]).map_err(Error::input)?;
    // With one fixed row the boards come in the same order whatever the longest is, so that a table can grow.
    let name = match rows {
        1 => format!("chomp, three rows, values 0 to {}", census.value),
        _ => format!("chomp, {rows} fixed rows up to {}, values 0 to {}", census.to, census.value),
    };
    let known = store.checkpoint(&name)?.and_then(|bytes| branches_from_bytes(&bytes)).unwrap_or_default();
    let fits = |functions: &Vec<_>| functions.len() as u64 == census.value.saturating_add(1);
    let known = if known.iter().all(fits) { known } else { Vec::new() };
    let beyond = known.len();
    let mut solving = Solving::new(game, census.value, known, cx)?;
    let mut written = solving.branches().len();
    if beyond > written {
        // The file knows longer rows than are asked for.
        return Ok(());
    }
    let mut kept = Instant::now();
    loop {
        let step = solving.step(cx);
        let last = !matches!(step, Ok(true));
        if last || kept.elapsed() > KEEP_EVERY {
            store.transaction(|connection| {
                let new = solving.branches().iter().zip(solving.ideals().list()).skip(written);
                for (functions, ideal) in new {
                    for (branch, k) in functions.iter().zip(0..) {
                        Row::new(&ideal.key, k, &Pattern::of_chomp(branch.clone())).insert(connection)?;
                    }
                }
                Store::keep_checkpoint(connection, &name, &branches_to_bytes(solving.branches()))
            })?;
            written = solving.branches().len();
            kept = Instant::now();
        }
        if !step? {
            return Ok(());
        }
    }
}

/// A row of the table; it is much smaller than the function, which has a value for each second row.
struct Row {
    rows: String,
    longest: u32,
    k: u32,
    period: Option<u32>,
    preperiod: u32,
    offsets: String,
    before: u32,
}

impl Row {
    fn new(rows: &[u32], k: u32, pattern: &Pattern) -> Self {
        let period = if let Kind::Periodic(period) = pattern.kind() { Some(period) } else { None };
        let names: Vec<String> = rows.iter().map(u32::to_string).collect();
        Self {
            rows: if rows.is_empty() { "0".into() } else { names.join(",") },
            longest: rows.first().copied().unwrap_or(0),
            k,
            period,
            preperiod: pattern.preperiod(),
            offsets: json!(pattern.offsets()).to_string(),
            before: u32::try_from(pattern.initial().len()).unwrap_or(u32::MAX),
        }
    }

    fn insert(&self, connection: &Connection) -> rusqlite::Result<()> {
        let Self { rows, longest, k, period, preperiod, offsets, before } = self;
        let kind = if period.is_some() { "periodic" } else { "finite" };
        connection
            .prepare_cached("INSERT OR REPLACE INTO chomp VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")?
            .execute(params![rows, longest, k, kind, preperiod, period, offsets, before])
            .map(drop)
    }
}

fn summary(store: &Store, census: &Census, output: &str) -> Answer {
    let Census { to, value, rows } = census;
    let mut periods: BTreeMap<u64, u64> = BTreeMap::new();
    let mut finite = 0u64;
    // Rows are joined by commas: at most `rows` of them.
    let query = "SELECT period, count(*) FROM chomp
        WHERE k = ?1 AND longest <= ?2 AND length(rows) - length(replace(rows, ',', '')) < ?3 GROUP BY period";
    let list: rusqlite::Result<Vec<(Option<u64>, u64)>> =
        store.connection().prepare(query).and_then(|mut statement| {
            statement.query_map(params![value, to, rows], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        });
    for (period, count) in list.map_err(|error| store.failure(&error))? {
        match period {
            Some(period) => drop(periods.insert(period, count)),
            None => finite = count,
        }
    }
    let solved = finite + periods.values().sum::<u64>();
    let lcm = periods.keys().try_fold(1u64, |lcm, &p| (lcm / num_integer::gcd(lcm, p)).checked_mul(p));
    let boards = if *rows == 1 { "third rows".into() } else { format!("boards of at most {rows} fixed rows") };
    let mut lines =
        vec![format!("{solved} {boards} up to {to}, value {value}, in {output}"), format!("finite: {finite}")];
    lines.extend(periods.iter().map(|(period, count)| format!("period {period}: {count}")));
    lines.extend(lcm.map(|lcm| format!("least common multiple of the periods: {lcm}")));
    let json = json!({
        "game": if *rows == 1 { "chomp three rows".into() } else { format!("chomp with {rows} fixed rows") },
        "to": to,
        "value": value,
        "solved": solved,
        "finite": finite,
        "periods": periods.iter().map(|(p, count)| (p.to_string(), *count)).collect::<BTreeMap<_, _>>(),
        "lcm": lcm,
        "file": output,
    });
    Ok(Report::data(json, lines.join("\n")))
}
