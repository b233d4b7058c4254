//! `survey merge`: census files put together.
//!
//! Rows of another version are refused, since what is called proved may differ. Every certificate is checked again and must be one
//! of the row's game. Of two results the stronger is kept, so that merging again changes nothing.

use std::collections::{BTreeMap, BTreeSet};

use impartial::outcome::Play;
use impartial::{Error, Game};
use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags};
use semilinear::run::Monitor as _;
use serde_json::json;

use super::certificates::Certificates;
use super::{Store, lattice, misere};
use crate::context::Context;
use crate::files;
use crate::report::{Answer, Report};

/// A row by its columns.
type Row = BTreeMap<String, Value>;

/// A table that can be merged.
struct Table {
    name: &'static str,
    sql: &'static str,
    keys: &'static [&'static str],
    /// How much a row says.
    strength: fn(&Row) -> (i64, i64),
    /// The game of a row's certificate.
    game: fn(&Row) -> Result<(Game, Play), Error>,
}

const TABLES: [Table; 3] = [
    Table {
        name: "lattice",
        sql: lattice::TABLE,
        keys: &["rules", "play"],
        strength: |row| (integer(row, "proved"), thousandths(row, "budget")),
        game: |row| {
            let toml = format!("kind = \"lattice\"\nrules = {}\n", text(row, "rules"));
            Ok((Game::from_toml(&toml)?, play(&text(row, "play"))))
        },
    },
    Table {
        name: "misere",
        sql: misere::TABLE,
        keys: &["code"],
        strength: |row| misere::strength(&text(row, "status"), integer(row, "heaps")),
        game: |row| {
            let cousin = text(row, "cousin");
            let code = if cousin.is_empty() { text(row, "code") } else { cousin };
            Ok((code.parse()?, Play::Misere))
        },
    },
    // As the Python package writes it.
    Table {
        name: "survey",
        sql: "CREATE TABLE IF NOT EXISTS survey (
            game TEXT NOT NULL, question TEXT NOT NULL, options TEXT NOT NULL, status TEXT NOT NULL, result TEXT NOT NULL,
            reason TEXT, certificate TEXT, version TEXT NOT NULL, budget REAL NOT NULL, cpu_seconds REAL NOT NULL,
            PRIMARY KEY (game, question, options))",
        keys: &["game", "question", "options"],
        strength: |row| match text(row, "status").as_str() {
            "proved" => (3, 0),
            "found" => (2, 0),
            "stopped" => (1, thousandths(row, "budget")),
            _ => (0, 0),
        },
        game: |row| {
            let options: serde_json::Value = serde_json::from_str(&text(row, "options")).unwrap_or_default();
            let game = text(row, "game");
            let game = if game.contains('\n') { Game::from_toml(&game) } else { Game::open(&game, &files::opener) }?;
            Ok((game, play(options["play"].as_str().unwrap_or("normal"))))
        },
    },
];

fn text(row: &Row, column: &str) -> String {
    if let Some(Value::Text(text)) = row.get(column) { text.clone() } else { String::new() }
}

fn integer(row: &Row, column: &str) -> i64 {
    if let Some(Value::Integer(n)) = row.get(column) { *n } else { 0 }
}

#[allow(clippy::cast_possible_truncation)] // casts of floats saturate
fn thousandths(row: &Row, column: &str) -> i64 {
    if let Some(Value::Real(x)) = row.get(column) { (x * 1000.0) as i64 } else { 0 }
}

fn play(name: &str) -> Play {
    if name == "misere" { Play::Misere } else { Play::Normal }
}

/// Merges census files into one and says what became of the rows.
pub fn run(cx: &Context, output: &str, shards: &[String]) -> Answer {
    let store = Store::open(output, "")?;
    let (kept, certificates) = (Certificates::beside(output), cx.ask());
    let (mut seen, mut taken, mut checked) = (0_u64, 0_u64, 0_u64);
    for shard in shards {
        let failure = |error: rusqlite::Error| Error::Input(format!("{shard}: {error}; give the file of a census"));
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let other = Connection::open_with_flags(shard, flags).map_err(failure)?;
        let mut found = false;
        for table in &TABLES {
            let rows = rows(&other, table.name).map_err(failure)?;
            if rows.is_empty() {
                continue;
            }
            found = true;
            store.transaction(|connection| connection.execute_batch(table.sql))?;
            let there = self::rows(store.connection(), table.name).map_err(|error| store.failure(&error))?;
            one_version(shard, rows.iter().chain(&there))?;
            let key = |row: &Row| table.keys.iter().map(|key| text(row, key)).collect::<Vec<_>>();
            let strengths: BTreeMap<_, _> = there.iter().map(|row| (key(row), (table.strength)(row))).collect();
            for row in rows {
                seen += 1;
                cx.check(seen, None)?;
                let name = text(&row, "certificate");
                if !name.is_empty() {
                    let (game, play) = (table.game)(&row).map_err(|error| error.at(shard))?;
                    let from = Certificates::beside(shard);
                    let text = from.checked(&name, &game, &certificates.play(play)).map_err(|error| error.at(shard))?;
                    kept.keep(&text)?;
                    checked += 1;
                }
                if strengths.get(&key(&row)).is_none_or(|known| *known < (table.strength)(&row)) {
                    store.transaction(|connection| insert(connection, table.name, &row))?;
                    taken += 1;
                }
            }
        }
        if !found {
            return Err(Error::Input(format!(
                "{shard}: no rows of a census that can be merged (lattice, misere, or one made in Python); give such a file"
            )));
        }
    }
    let text = format!(
        "{seen} rows, {taken} of them new or stronger, {checked} certificates checked; {output} holds the results"
    );
    Ok(Report::data(json!({"file": output, "rows": seen, "taken": taken, "certificates": checked}), text))
}

/// All rows of a table; none when there is no such table.
fn rows(connection: &Connection, table: &str) -> rusqlite::Result<Vec<Row>> {
    let exists: bool = connection.query_row(
        "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = ?1",
        [table],
        |row| row.get(0),
    )?;
    if !exists {
        return Ok(Vec::new());
    }
    let mut statement = connection.prepare(&format!("SELECT * FROM {table}"))?;
    let columns: Vec<String> = statement.column_names().into_iter().map(ToOwned::to_owned).collect();
    let read = |row: &rusqlite::Row| {
        columns.iter().enumerate().map(|(i, name)| Ok((name.clone(), row.get(i)?))).collect::<rusqlite::Result<Row>>()
    };
    statement.query_map([], read)?.collect()
}

/// Refuses rows of different versions, or of none.
fn one_version<'a>(place: &str, rows: impl Iterator<Item = &'a Row>) -> Result<(), Error> {
    let versions: BTreeSet<String> = rows.map(|row| text(row, "version")).collect();
    if versions.len() == 1 && !versions.contains("") {
        return Ok(());
    }
    let named: Vec<&str> = versions.iter().map(|v| if v.is_empty() { "before 0.1.0" } else { v }).collect();
    Err(Error::Input(format!(
        "{place}: results of versions {}; run the census anew with one version",
        named.join(", ")
    )))
}

fn insert(connection: &Connection, table: &str, row: &Row) -> rusqlite::Result<()> {
    let columns: Vec<&str> = row.keys().map(String::as_str).collect();
    let marks: Vec<String> = (1..=columns.len()).map(|i| format!("?{i}")).collect();
    let sql = format!("INSERT OR REPLACE INTO {table} ({}) VALUES ({})", columns.join(", "), marks.join(", "));
    connection.prepare_cached(&sql)?.execute(rusqlite::params_from_iter(row.values())).map(drop)
}
