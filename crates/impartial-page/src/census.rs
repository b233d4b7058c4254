//! Results that take too long to be computed in a page: the rows of a survey's SQLite file, and certificates, as data files of the page.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use flate2::{Compression, write::GzEncoder};
use rusqlite::{Connection, OpenFlags, Row};
use serde_json::{Value, json};

use crate::root;

/// Where the data files of the page are.
pub fn data() -> PathBuf {
    root().join("crates/impartial-web/page/data")
}

/// Writes `misere.json`, `octal.json` and `chomp.json` from the tables of a file of `impartial survey` that it has, each row with the
/// name of its certificate; further strategy files, if there are any, are kept too, listed in `kept.json` in place of those that it had.
/// Certificates that nothing names any more are taken away.
pub fn write(survey: &Path, strategies: &[&str], data: &Path) -> Result<()> {
    let connection = Connection::open_with_flags(survey, OpenFlags::SQLITE_OPEN_READ_ONLY)
        .with_context(|| format!("{}: give the SQLite file of `impartial survey`", survey.display()))?;
    let has = |table: &str| {
        connection
            .query_row("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?1", [table], |_| Ok(()))
            .is_ok()
    };
    ensure!(
        ["misere", "octal", "chomp"].into_iter().any(has),
        "{}: no table of `survey misere`, `survey octal` or `survey chomp`",
        survey.display()
    );
    let certificates = data.join("certificates");
    fs::create_dir_all(&certificates)?;
    let kept = match strategies {
        [] => list(data, "kept.json", "strategies")?.unwrap_or_default(),
        _ => keep(strategies, &certificates)?,
    };
    let folder = PathBuf::from(format!("{}.certificates", survey.display()));
    if has("misere") {
        let query = "SELECT code, cousin, status, order_, p_portion, heaps, preperiod, period, changes, certificate, budget \
                     FROM misere ORDER BY digits, code";
        let mut games = rows(&connection, query, misere)?;
        for game in &mut games {
            take_certificate(game, &folder, &certificates)?;
        }
        settle(&mut games, &kept);
        lines(&data.join("misere.json"), "games", &games)?;
    }
    if has("octal") {
        let query = "SELECT code, same, status, preperiod, period, largest, heaps, rare, last_rare, certificate, budget \
                     FROM octal ORDER BY digits, code";
        let mut games = rows(&connection, query, octal)?;
        for game in &mut games {
            take_certificate(game, &folder, &certificates)?;
        }
        lines(&data.join("octal.json"), "games", &games)?;
    }
    if has("chomp") {
        let query = "SELECT rows, k, kind, preperiod, period, offsets FROM chomp ORDER BY length(rows) - length(replace(rows, ',', '')), longest, rows, k";
        lines(&data.join("chomp.json"), "boards", &rows(&connection, query, chomp)?)?;
    }
    lines(&data.join("kept.json"), "strategies", &kept)?;
    tidy(data)
}

/// Keeps further strategy files beside those of `kept.json`; one of the same game, play and form takes the place of another.
pub fn add(strategies: &[&str], data: &Path) -> Result<()> {
    let mut kept = list(data, "kept.json", "strategies")?.context("kept.json: nothing is kept there yet")?;
    let new = keep(strategies, &data.join("certificates"))?;
    let is_of = |entry: &Value, other: &Value| ["game", "play", "form"].iter().all(|&key| entry[key] == other[key]);
    kept.retain(|entry| !new.iter().any(|other| is_of(entry, other)));
    kept.extend(new);
    lines(&data.join("kept.json"), "strategies", &kept)?;
    if let Some(mut games) = list(data, "misere.json", "games")? {
        settle(&mut games, &kept);
        lines(&data.join("misere.json"), "games", &games)?;
    }
    tidy(data)
}

/// A strategy that is kept for all heaps settles the row of its game, whatever the survey came to: the row has its name and says what it
/// goes by.
fn settle(games: &mut [Value], kept: &[Value]) {
    for game in games.iter_mut().filter(|game| game["status"] != "tame" && game["status"] != "wild") {
        let by =
            |entry: &&Value| entry["game"] == game["game"] && entry["play"] == "misere" && for_all(entry).is_some();
        if let Some(entry) = kept.iter().find(by) {
            (game["status"], game["certificate"]) = (for_all(entry).into(), entry["file"].clone());
            for key in ["preperiod", "period"].into_iter().filter(|&key| !entry[key].is_null()) {
                game[key] = entry[key].clone();
            }
        }
    }
}

/// What a kept strategy of misère play for all heaps goes by.
fn for_all(entry: &Value) -> Option<&'static str> {
    match entry["form"].as_str().filter(|_| entry["heaps"].is_null())? {
        "dominance" => Some("weights"),
        "ranks" => Some("ranks"),
        "counters" => Some("infinite"),
        _ => None,
    }
}

/// Takes certificates away that nothing names.
fn tidy(data: &Path) -> Result<()> {
    let mut named = BTreeSet::new();
    for (name, key, file) in [
        ("misere.json", "games", "certificate"),
        ("octal.json", "games", "certificate"),
        ("kept.json", "strategies", "file"),
    ] {
        let entries = list(data, name, key)?.unwrap_or_default();
        named.extend(entries.iter().filter_map(|entry| entry[file].as_str().map(str::to_owned)));
    }
    for entry in fs::read_dir(data.join("certificates"))? {
        let path = entry?.path();
        if !path.file_name().and_then(|name| name.to_str()).is_some_and(|name| named.contains(name)) {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

/// The entries of a data file, if it is there.
fn list(data: &Path, name: &str, key: &str) -> Result<Option<Vec<Value>>> {
    let Ok(text) = fs::read(data.join(name)) else { return Ok(None) };
    let mut file: Value = serde_json::from_slice(&text).with_context(|| name.to_owned())?;
    Ok(file[key].as_array_mut().map(std::mem::take))
}

/// Keeps the certificate of a row, which then has its name.
fn take_certificate(row: &mut Value, folder: &Path, certificates: &Path) -> Result<()> {
    let Some(digest) = row["certificate"].as_str() else { return Ok(()) };
    let text = fs::read(folder.join(format!("{digest}.json"))).with_context(|| format!("certificate {digest}"))?;
    let name = keep_packed(certificates, digest.get(..16).context("a SHA-256")?, &text)?;
    row["certificate"] = name.into();
    Ok(())
}

/// Keeps a strategy file, packed by gzip; the name of the file. Servers that know the usual ending would unpack it on the way.
fn keep_packed(certificates: &Path, name: &str, text: &[u8]) -> Result<String> {
    let name = format!("{name}.certificate");
    let mut packed = GzEncoder::new(fs::File::create(certificates.join(&name))?, Compression::best());
    packed.write_all(text)?;
    packed.finish()?;
    Ok(name)
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
        "certificate": row.get::<_, Option<String>>(9)?,
        "seconds": row.get::<_, f64>(10)?,
    }))
}

/// A row without a period is of a sequence that was computed to a heap, and nothing is claimed of larger heaps.
fn octal(row: &Row) -> rusqlite::Result<Value> {
    Ok(json!({
        "game": row.get::<_, String>(0)?,
        "same": row.get::<_, String>(1)?,
        "status": row.get::<_, String>(2)?,
        "preperiod": row.get::<_, Option<u64>>(3)?,
        "period": row.get::<_, Option<u64>>(4)?,
        "largest": row.get::<_, u64>(5)?,
        "heaps": row.get::<_, u64>(6)?,
        "rare": row.get::<_, Option<u64>>(7)?,
        "last_rare": row.get::<_, Option<u64>>(8)?,
        "certificate": row.get::<_, Option<String>>(9)?,
        "seconds": row.get::<_, f64>(10)?,
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
fn lines(target: &Path, key: &str, entries: &[Value]) -> Result<()> {
    let lines: Vec<String> = entries.iter().map(ToString::to_string).collect();
    fs::write(target, format!("{{\"{key}\": [\n{}\n]}}\n", lines.join(",\n")))?;
    println!("wrote {} {key} to {}", entries.len(), target.display());
    Ok(())
}

/// The notation of an octal game, or of Chomp with fixed rows below two free ones.
fn game_of(game: &Value) -> Option<String> {
    if let Some(code) = game["code"].as_str() {
        return Some(code.to_owned());
    }
    let rows = game["rows"].as_array()?.iter().map(ToString::to_string).collect::<Vec<_>>();
    Some(format!("chomp-chains:{}", rows.join(",")))
}

/// Copies strategy files to `certificates`, and tells of each the game, the play, the form, the largest heap of misère play that it is
/// about, and the period of its values.
fn keep(files: &[&str], certificates: &Path) -> Result<Vec<Value>> {
    let mut entries = Vec::new();
    for file in files {
        let text = fs::read(file).with_context(|| (*file).to_owned())?;
        let strategy: Value = serde_json::from_slice(&text).with_context(|| format!("{file}: no strategy file"))?;
        let name = Path::new(file).file_stem().and_then(|name| name.to_str()).context("a name of letters")?;
        let game =
            game_of(&strategy["game"]).with_context(|| format!("{file}: only octal games and Chomp are kept"))?;
        let name = keep_packed(certificates, name, &text)?;
        let certificate = &strategy["certificate"];
        // A period of counters is a part of the certificate by itself.
        let period = if certificate["period"].is_object() { &certificate["period"] } else { certificate };
        let is_bounded =
            ["quotient", "counters"].iter().any(|&form| strategy["form"] == form) && !certificate["period"].is_object();
        let heaps =
            certificate["values"].as_array().filter(|_| is_bounded).and_then(|values| values.len().checked_sub(1));
        let mut entry =
            json!({"game": game, "play": strategy["play"], "form": strategy["form"], "heaps": heaps, "file": name});
        // Weights have a period of another kind, and no preperiod.
        if period["preperiod"].is_u64() {
            (entry["preperiod"], entry["period"]) = (period["preperiod"].clone(), period["period"].clone());
        }
        entries.push(entry);
    }
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strategy_for_all_heaps_settles_its_row() {
        let row = |game: &str, status: &str| json!({"game": game, "status": status, "certificate": "old"});
        let mut games = [
            row("0.26", "growing"),
            row("0.54", "limit"),
            row("0.15", "tame"),
            row("0.07", "limit"),
            row("0.176", "infinite"),
        ];
        let entry = |game: &str, form: &str| json!({"game": game, "play": "misere", "form": form, "file": "new"});
        settle(
            &mut games,
            &[entry("0.26", "dominance"), entry("0.54", "ranks"), entry("0.15", "ranks"), entry("0.07", "quotient"), {
                let mut whole = entry("0.176", "counters");
                (whole["preperiod"], whole["period"]) = (50.into(), 8.into());
                whole
            }],
        );
        assert_eq!((&games[4]["preperiod"], &games[4]["period"]), (&json!(50), &json!(8)));
        let told: Vec<_> = games.iter().map(|row| (row["status"].as_str(), row["certificate"].as_str())).collect();
        let pair = |status, certificate| (Some(status), Some(certificate));
        assert_eq!(
            told,
            [
                pair("weights", "new"),
                pair("ranks", "new"),
                pair("tame", "old"),
                pair("limit", "old"),
                pair("infinite", "new")
            ]
        );
    }
}
