//! Results that take too long to be computed in a page: the rows of a survey's SQLite file, and certificates, as data files of the page.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use rusqlite::{Connection, OpenFlags, Row};
use serde_json::{Value, json};

use crate::root;

/// Where the data files are.
fn data() -> PathBuf {
    root().join("crates/impartial-web/page/data")
}

/// Writes `misere.json` and `chomp.json` from the tables of a file of `impartial survey` that it has, and keeps strategy files as
/// certificates, listed in `kept.json`.
pub fn write(survey: &Path, certificates: &[&str]) -> Result<()> {
    let connection = Connection::open_with_flags(survey, OpenFlags::SQLITE_OPEN_READ_ONLY)
        .with_context(|| format!("{}: give the SQLite file of `impartial survey`", survey.display()))?;
    let has = |table: &str| {
        connection
            .query_row("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?1", [table], |_| Ok(()))
            .is_ok()
    };
    ensure!(has("misere") || has("chomp"), "{}: no table of `survey misere` or `survey chomp`", survey.display());
    if has("misere") {
        let query = "SELECT code, cousin, status, order_, p_portion, heaps, preperiod, period, changes FROM misere ORDER BY digits, code";
        lines("misere.json", "games", &rows(&connection, query, misere)?)?;
    }
    if has("chomp") {
        let query = "SELECT rows, k, kind, preperiod, period, offsets FROM chomp ORDER BY length(rows) - length(replace(rows, ',', '')), longest, rows, k";
        lines("chomp.json", "boards", &rows(&connection, query, chomp)?)?;
    }
    if certificates.is_empty() { Ok(()) } else { keep(certificates) }
}

fn rows(connection: &Connection, query: &str, read: fn(&Row) -> rusqlite::Result<Value>) -> Result<Vec<Value>> {
    Ok(connection.prepare(query)?.query_map([], read)?.collect::<Result<_, _>>()?)
}

fn misere(row: &Row) -> rusqlite::Result<Value> {
    let changes: String = row.get(8)?;
    Ok(json!({
        "game": row.get::<_, String>(0)?,
        "cousin": row.get::<_, Option<String>>(1)?,
        "status": row.get::<_, String>(2)?,
        "order": row.get::<_, Option<u64>>(3)?,
        "p_portion": row.get::<_, Option<u64>>(4)?,
        "heaps": row.get::<_, u64>(5)?,
        "preperiod": row.get::<_, Option<u64>>(6)?,
        "period": row.get::<_, Option<u64>>(7)?,
        "changes": serde_json::from_str::<Value>(&changes).unwrap_or_default(),
    }))
}

fn chomp(row: &Row) -> rusqlite::Result<Value> {
    let offsets: String = row.get(5)?;
    Ok(json!({
        "rows": row.get::<_, String>(0)?,
        "value": row.get::<_, u64>(1)?,
        "kind": row.get::<_, String>(2)?,
        "preperiod": row.get::<_, u64>(3)?,
        "period": row.get::<_, Option<u64>>(4)?,
        "offsets": serde_json::from_str::<Value>(&offsets).unwrap_or_default(),
    }))
}

/// Writes a list, a line an entry.
fn lines(name: &str, key: &str, entries: &[Value]) -> Result<()> {
    let lines: Vec<String> = entries.iter().map(ToString::to_string).collect();
    let target = data().join(name);
    fs::write(&target, format!("{{\"{key}\": [\n{}\n]}}\n", lines.join(",\n")))?;
    println!("wrote {} {key} to {}", entries.len(), target.display());
    Ok(())
}

/// Copies strategy files to `certificates`, and lists them with the game, the play and the largest heap that they name.
fn keep(files: &[&str]) -> Result<()> {
    let folder = data().join("certificates");
    fs::create_dir_all(&folder)?;
    let mut entries = Vec::new();
    for file in files {
        let text = fs::read_to_string(file).with_context(|| (*file).to_owned())?;
        let strategy: Value = serde_json::from_str(&text).with_context(|| format!("{file}: no strategy file"))?;
        let name = Path::new(file).file_name().and_then(|name| name.to_str()).context("a name of letters")?;
        let game = strategy["game"]["code"].as_str();
        let game = game.with_context(|| format!("{file}: only strategies of octal games are kept"))?;
        fs::write(folder.join(name), &text)?;
        let heaps = strategy["certificate"]["values"].as_array().and_then(|values| values.len().checked_sub(1));
        entries.push(json!({"game": game, "play": strategy["play"], "heaps": heaps, "file": name}));
    }
    lines("kept.json", "strategies", &entries)
}
