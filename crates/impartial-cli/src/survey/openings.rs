//! `survey openings`: all winning openings of Chomp on the rectangles with so many rows and 1, 2, 3, … columns.

use impartial::Error;
use impartial::solve::poset::chomp::openings;
use rusqlite::params;
use semilinear::run::Monitor as _;
use serde_json::json;

use super::Store;
use crate::context::Context;
use crate::report::{Answer, Report};

const TABLE: &str = "CREATE TABLE IF NOT EXISTS openings (
    rows INTEGER NOT NULL,
    columns INTEGER NOT NULL,
    bite_row INTEGER NOT NULL,       -- the square that is bitten, from 1; row 1, column 1 is poisoned
    bite_column INTEGER NOT NULL,
    PRIMARY KEY (rows, columns, bite_row, bite_column)
) STRICT;";

/// One winning opening: columns of the rectangle, row and column of the bite.
type Opening = (u64, usize, u64);

/// Finds the openings, keeps them, and says what was found.
pub fn run(cx: &Context, rows: u64, to: u64, output: &str) -> Answer {
    let most = usize::try_from(rows).ok().filter(|rows| (1..=64).contains(rows));
    let most = most.ok_or_else(|| Error::input(format!("--rows {rows}: from 1 to 64 rows")))?;
    if to == 0 {
        return Err(Error::input("--to 0: give the largest number of columns, 1 or more"));
    }
    let store = Store::open(output, TABLE)?;
    cx.phase("first rows");
    let (mut found, mut boards): (Vec<Opening>, u64) = (Vec::new(), 0);
    // What was found before a stop is right: longer boards change nothing for shorter ones.
    let stopped = openings(most, to, cx, |columns, bites| {
        boards = columns;
        found.extend(bites.iter().map(|&(row, column)| (columns, row, column)));
    })
    .err();
    store.transaction(|connection| {
        let mut insert = connection.prepare_cached("INSERT OR REPLACE INTO openings VALUES (?1, ?2, ?3, ?4)")?;
        found.iter().try_for_each(|&(columns, row, column)| {
            insert.execute(params![rows, columns, u64::try_from(row).unwrap_or(u64::MAX), column]).map(drop)
        })
    })?;
    Ok(summary(rows, boards, &found, output).stopped(stopped))
}

fn summary(rows: u64, boards: u64, found: &[Opening], output: &str) -> Report {
    let several: Vec<&[Opening]> =
        found.chunk_by(|one, other| one.0 == other.0).filter(|openings| openings.len() > 1).collect();
    let by_row = |row: u64| found.iter().filter(|opening| opening.1 as u64 == row).count();
    let shown = |openings: &[Opening]| {
        let bites: Vec<String> = openings.iter().map(|(_, row, column)| format!("({row},{column})")).collect();
        format!("{} x {}: {}", rows, openings[0].0, bites.join(" "))
    };
    let mut lines =
        vec![format!("{rows} x n for n = 1 to {boards}: {} winning openings (row, column), in {output}", found.len())];
    lines.extend((1..=rows).filter(|&row| by_row(row) > 0).map(|row| format!("row {row}: {}", by_row(row))));
    lines.push(format!("boards with several openings: {}", several.len()));
    lines.extend(several.iter().map(|openings| shown(openings)));
    let json = json!({
        "game": format!("chomp:{rows}xn"),
        "rows": rows,
        "to": boards,
        "openings": found.iter().map(|&(columns, row, column)| json!([columns, row, column])).collect::<Vec<_>>(),
        "several": several.iter().map(|openings| openings[0].0).collect::<Vec<_>>(),
        "file": output,
    });
    Report::data(json, lines.join("\n"))
}
