//! The census of octal codes: its rows are the published periods, and those of a plain loop; its certificates are valid.

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::Connection;
use serde_json::Value;

use crate::common::{impartial, out, refused};

/// Heaps, not time, bound the work.
fn census(file: &Path, more: &[&str]) -> String {
    let args = ["survey", "octal", "--per-game", "1h", "-o", file.to_str().unwrap()];
    out(&[&args[..], more].concat(), "")
}

struct Row {
    code: String,
    same: String,
    beans: usize,
    status: String,
    period: Option<[u64; 3]>,
    largest: u64,
    distinct: usize,
    certificate: Option<String>,
}

fn rows(file: &Path) -> Vec<Row> {
    let connection = Connection::open(file).unwrap();
    let query = "SELECT code, same, beans, status, preperiod, period, saltus, largest, distinct_values, certificate FROM octal ORDER BY code";
    let mut statement = connection.prepare(query).unwrap();
    let row = |row: &rusqlite::Row| -> rusqlite::Result<Row> {
        let number = |i: usize| row.get::<_, Option<u64>>(i);
        let period =
            number(4)?.zip(number(5)?).zip(number(6)?).map(|((preperiod, period), saltus)| [preperiod, period, saltus]);
        Ok(Row {
            code: row.get(0)?,
            same: row.get(1)?,
            beans: row.get(2)?,
            status: row.get(3)?,
            period,
            largest: row.get(7)?,
            distinct: row.get(8)?,
            certificate: row.get(9)?,
        })
    };
    statement.query_map([], row).unwrap().collect::<Result<_, _>>().unwrap()
}

/// g(0), …, g(len − 1) by the definition.
fn values(code: &str, len: usize) -> Vec<u64> {
    let digits: Vec<u32> = code.chars().filter_map(|c| c.to_digit(8)).collect();
    let mut g: Vec<u64> = vec![0];
    for n in 1..len {
        let mut reached = vec![false; 2 * n + 2];
        for (k, digit) in digits.iter().enumerate().take(n + 1) {
            let rest = n - k;
            if digit & 1 != 0 && rest == 0 {
                reached[0] = true;
            }
            if digit & 2 != 0 && rest > 0 && k > 0 {
                reached[usize::try_from(g[rest]).unwrap()] = true;
            }
            for a in (1..=rest / 2).filter(|_| digit & 4 != 0) {
                reached[usize::try_from(g[a] ^ g[rest - a]).unwrap()] = true;
            }
        }
        g.push(reached.iter().position(|hit| !hit).unwrap() as u64);
    }
    g
}

/// Published rows about codes with one or two digits.
fn published() -> BTreeMap<String, Value> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/heap-periods.json");
    let table: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let short = |code: &str| {
        code.len() <= 4
            && (code.starts_with("0.") || code.starts_with("4."))
            && code[2..].bytes().all(|b| (b'0'..b'8').contains(&b))
    };
    let rows = table["games"].as_array().unwrap().iter();
    rows.filter_map(|row| row["code"].as_str().filter(|code| short(code)).map(|code| (code.to_owned(), row.clone())))
        .collect()
}

#[test]
fn all_codes_with_two_digits_have_their_published_periods() {
    const TO: u64 = 2000;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("octal.sqlite");
    let report = census(&file, &["--digits", "2", "--to", &TO.to_string()]);
    assert!(report.starts_with("128 codes with at most 2 digits"), "{report}");
    let (rows, published) = (rows(&file), published());
    assert_eq!(rows.len(), 128);
    let mut compared = 0;
    for row in &rows {
        let settled = ["trivial", "periodic"].contains(&row.status.as_str());
        if let Some(published) = published.get(&row.code) {
            let expected = ["preperiod", "period", "saltus"].map(|key| published[key].as_u64().unwrap());
            // What needs more heaps than were asked for is not claimed.
            let needed = 2 * (expected[0].max(1) + expected[1]) + 2;
            assert_eq!(settled, needed <= TO, "{}", row.code);
            if settled {
                assert_eq!(row.period, Some(expected), "{}", row.code);
                if let Some(largest) = published["max_value"].as_u64() {
                    assert_eq!(row.largest, largest, "{}", row.code);
                }
                compared += 1;
            }
        }
        assert_eq!((row.period.is_some(), row.certificate.is_some()), (settled, settled), "{}", row.code);
        // The code that was solved has the same values after so many zeros.
        let own = values(&row.code, 300);
        assert_eq!(own[row.beans..], values(&row.same, 300 - row.beans), "{} {}", row.code, row.same);
        assert!(own[..row.beans].iter().all(|&value| value == 0), "{}", row.code);
        let Some([preperiod, period, saltus]) = row.period else { continue };
        assert_eq!(saltus, 0, "{}", row.code);
        let [preperiod, period] = [preperiod, period].map(|n| usize::try_from(n).unwrap());
        let own = values(&row.code, 2 * (preperiod.max(1) + period) + 2);
        let repeats = |from: usize, p: usize| (from..own.len() - p).all(|n| own[n] == own[n + p]);
        assert!(repeats(preperiod, period), "{}", row.code);
        assert!(preperiod == 0 || !repeats(preperiod - 1, period), "{}: a smaller preperiod", row.code);
        assert!((1..period).all(|p| !repeats(preperiod, p)), "{}: a smaller period", row.code);
        let mut once = own.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!((once.last(), once.len()), (Some(&row.largest), row.distinct), "{}", row.code);
    }
    // All but 0.16 and 0.56, which need more heaps.
    assert_eq!((published.len(), compared), (60, 58));
}

#[test]
fn certificates_leave_values_out_and_are_valid() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("octal.sqlite");
    census(&file, &["--digits", "2", "--to", "2000"]);
    let mut forms: BTreeMap<String, usize> = BTreeMap::new();
    for row in rows(&file) {
        let Some(name) = row.certificate else { continue };
        let path = format!("{}.certificates/{name}.json", file.display());
        let text = std::fs::read_to_string(path).unwrap();
        let verdict = impartial_check::check(&text, &|| true);
        assert!(matches!(verdict, impartial_check::Verdict::Valid { .. }), "{}: {verdict:?}", row.code);
        let certificate: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(certificate["game"]["code"], row.same.as_str(), "{}", row.code);
        let form = certificate["form"].as_str().unwrap();
        // Only where nothing is split the checker wants the values.
        assert_eq!(form == "nim-period", row.status == "periodic", "{}", row.code);
        assert!(text.len() < 1000, "{}: {} bytes", row.code, text.len());
        *forms.entry(form.to_owned()).or_default() += 1;
    }
    assert_eq!(forms.keys().collect::<Vec<_>>(), ["nim-period", "nim-sequence"]);
}

#[test]
fn what_was_stopped_is_tried_further() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("octal.sqlite");
    let of = |code: &str| -> (String, u64, Option<u64>) {
        let query = "SELECT status, heaps, last_rare FROM octal WHERE code = ?1";
        let row = |row: &rusqlite::Row| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        Connection::open(&file).unwrap().query_row(query, [code], row).unwrap()
    };
    census(&file, &["--digits", "1", "--to", "50"]);
    assert_eq!(of("0.6"), ("stopped".to_owned(), 50, of("0.6").2));
    assert_eq!(of("0.3").0, "trivial");
    census(&file, &["--digits", "1", "--to", "400"]);
    assert_eq!(of("0.6").1, 50, "not asked to try again");
    census(&file, &["--digits", "1", "--to", "400", "--retry-stopped"]);
    assert_eq!(of("0.6").1, 400);
    // The scan computed it: not what --sparse asks for.
    census(&file, &["--digits", "1", "--to", "500", "--retry-stopped", "--sparse"]);
    assert_eq!(of("0.6").1, 400);
    // As if there had been no time to check a period.
    assert_eq!(of("0.7").0, "periodic");
    let connection = Connection::open(&file).unwrap();
    connection.execute("UPDATE octal SET status = 'unchecked', certificate = NULL WHERE code = '0.7'", []).unwrap();
    census(&file, &["--digits", "1", "--to", "600", "--retry-stopped", "--unchecked"]);
    assert_eq!((of("0.7").0.as_str(), of("0.6").1), ("periodic", 400));
    let rare = of("0.6").2.unwrap();
    assert!((1..=400).contains(&rare), "{rare}");
}

#[test]
fn bad_input_and_limits() {
    refused(&["survey", "octal", "--digits", "5"], "--digits 5: codes with 1 to 4 digits are listed");
    refused(&["survey", "octal", "--digits", "0"], "--digits 0");
    refused(&["survey", "octal", "--to", "0"], "--to 0: the largest heap is from 1 to 2^32");
    refused(&["survey", "octal", "--play", "misere"], "misère play: survey misere");
    for again in ["--sparse", "--unchecked"] {
        assert_eq!(impartial(&["survey", "octal", again], "").status.code(), Some(2));
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("octal.sqlite");
    let args = ["survey", "octal", "--json", "--digits", "2", "--time-limit", "0s", "-o", file.to_str().unwrap()];
    let output = impartial(&args, "");
    assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(report["stopped"].is_string(), "{report}");
}
