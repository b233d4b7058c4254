//! Results that take too long to be computed in a page: the rows of a survey's SQLite file as a data file of the page.

use std::path::Path;

use anyhow::{Context as _, Result};
use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};

use crate::root;

/// Writes `data/misere.json` from a file of `impartial survey misere`.
pub fn write(file: &Path) -> Result<()> {
    let connection = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)
        .with_context(|| format!("{}: give the SQLite file of `impartial survey misere`", file.display()))?;
    let mut rows = connection.prepare(
        "SELECT code, cousin, status, order_, p_portion, heaps, preperiod, period, changes FROM misere ORDER BY digits, code",
    )?;
    let games = rows
        .query_map([], |row| {
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
        })?
        .collect::<Result<Vec<Value>, _>>()?;
    let target = root().join("crates/impartial-web/page/data/misere.json");
    let lines: Vec<String> = games.iter().map(ToString::to_string).collect();
    std::fs::write(&target, format!("{{\"games\": [\n{}\n]}}\n", lines.join(",\n")))?;
    println!("wrote {} games to {}", games.len(), target.display());
    Ok(())
}
