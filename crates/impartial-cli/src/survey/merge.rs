//! `survey merge`: the results of shards in one file.

use std::collections::BTreeSet;

use impartial::outcome::Play;
use impartial::strategy::Envelope;
use impartial::{Ask, Error, Game, Strategy};
use rayon::prelude::*;
use rusqlite::types::Value;
use semilinear::run::Monitor;
use serde_json::json;

use super::certificates::Certificates;
use super::store::{Store, Table};
use super::{cell, lattice, misere, octal};
use crate::context::Context;
use crate::report::{Answer, Report};

/// The game of a row, and how it is played.
type GameOfRow = fn(&[Value]) -> Result<(Game, Play), Error>;

/// A census of independent games: its table, and how a row is compared with its certificate.
struct Census {
    table: Table,
    game: GameOfRow,
    agrees: fn(&[Value], &Envelope, &dyn Monitor) -> Result<bool, Error>,
}

const CENSUSES: [Census; 3] = [
    Census { table: misere::TABLE, game: misere::game, agrees: |row, file, _| misere::agrees(row, file) },
    Census { table: octal::TABLE, game: octal::game, agrees: octal::agrees },
    Census { table: lattice::TABLE, game: lattice::game, agrees: lattice::agrees },
];

/// One row of a shard, and its certificate, which was checked.
struct Taken {
    row: Vec<Value>,
    file: Option<String>,
}

/// Puts the rows of shards into a file, the stronger of two results. Nothing is taken when a shard is of another version or a
/// certificate is wrong, is missing, or says something else than its row.
pub fn run(cx: &Context, output: &str, shards: &[String]) -> Answer {
    let shards = shards.iter().map(|path| opened(path)).collect::<Result<Vec<_>, Error>>()?;
    let out = Store::open(output, "")?;
    let (mut rows, mut kept, mut checked) = (0, 0, 0);
    for census in &CENSUSES {
        let table = &census.table;
        let mut holding: Vec<&(String, Store)> = Vec::new();
        for shard in &shards {
            if shard.1.has(table.name)? {
                holding.push(shard);
            }
        }
        if holding.is_empty() {
            continue;
        }
        out.connection().execute_batch(&table.create()).map_err(|error| out.failure(&error))?;
        one_version(output, &out, &holding, table)?;
        for (path, shard) in holding {
            let taken = read(cx, census, path, shard)?;
            rows += taken.len();
            checked += taken.iter().filter(|taken| taken.file.is_some()).count();
            let certificates = Certificates::of(output);
            for file in taken.iter().filter_map(|taken| taken.file.as_ref()) {
                certificates.keep(file)?;
            }
            kept += out.transaction(|connection| {
                taken.iter().try_fold(0, |kept, taken| Ok(kept + usize::from(table.keep(connection, &taken.row)?)))
            })?;
        }
    }
    let json = json!({"file": output, "shards": shards.len(), "rows": rows, "kept": kept, "certificates": checked});
    let text = format!(
        "{rows} results of {} shards, {checked} certificates checked again; {kept} of them are new or stronger in {output}",
        shards.len()
    );
    Ok(Report::data(json, text))
}

/// A shard that is there and has a table that can be merged.
fn opened(path: &str) -> Result<(String, Store), Error> {
    if !std::path::Path::new(path).is_file() {
        return Err(Error::Input(format!(
            "{path}: there is no such file; give files of `survey misere`, `survey octal` or `survey lattice`"
        )));
    }
    let store = Store::open(path, "")?;
    for census in &CENSUSES {
        if store.has(census.table.name)? {
            return Ok((path.to_owned(), store));
        }
    }
    Err(Error::Input(format!(
        "{path}: no results of `survey misere`, `survey octal` or `survey lattice`; only these have shards (each row of `survey chomp` rests on those before it)"
    )))
}

fn one_version(output: &str, out: &Store, shards: &[&(String, Store)], table: &Table) -> Result<(), Error> {
    let mut versions: BTreeSet<String> = out.versions(table)?.into_iter().collect();
    for (path, shard) in shards {
        versions.extend(shard.versions(table)?);
        if versions.len() > 1 {
            let versions = versions.into_iter().collect::<Vec<_>>().join(" and ");
            return Err(Error::Input(format!(
                "{path} into {output}: results of versions {versions}; what is called settled may differ: run the shard anew with one version"
            )));
        }
    }
    Ok(())
}

/// The rows of a shard with their certificates, each checked by the independent checker.
fn read(cx: &Context, census: &Census, path: &str, shard: &Store) -> Result<Vec<Taken>, Error> {
    let Census { table, game, agrees } = census;
    let certificates = Certificates::of(path);
    let rows = shard.rows(table)?;
    let settled: BTreeSet<String> = shard
        .column(&format!("SELECT {} FROM {} WHERE {}", table.key.join(" || ' ' || "), table.name, table.settled))?
        .into_iter()
        .collect();
    let total = rows.len() as u64;
    let done = std::sync::atomic::AtomicU64::new(0);
    rows.into_par_iter()
        .map(|row| {
            cx.check(done.fetch_add(1, std::sync::atomic::Ordering::Relaxed), Some(total))?;
            let name: Vec<String> = table.key.iter().filter_map(|column| cell(table, &row, column)).collect();
            let name = name.join(" ");
            let place = format!("{path}: {name}");
            let Some(digest) = cell(table, &row, "certificate") else {
                if settled.contains(&name) {
                    return Err(Error::Input(format!(
                        "{place}: called settled without a certificate; run the shard anew"
                    )));
                }
                return Ok(Taken { row, file: None });
            };
            let check = || -> Result<String, Error> {
                let text = certificates.read(&digest)?;
                let (game, play) = game(&row)?;
                let ask = Ask::new().play(play).monitor(cx);
                let claimed = Strategy::load(&text, &ask)?;
                claimed.belongs_to(&game, &ask)?;
                claimed.verify(&ask)?;
                let file = Envelope::from_text(&text).map_err(Error::input)?;
                if agrees(&row, &file, cx)? {
                    Ok(text)
                } else {
                    Err(Error::input("the row says something else than its certificate; run the shard anew"))
                }
            };
            let file = check().map_err(|error| error.at(&place))?;
            Ok(Taken { row, file: Some(file) })
        })
        .collect()
}
