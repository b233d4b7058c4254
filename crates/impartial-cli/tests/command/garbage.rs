//! Damaged strategy files of every form: the checker refuses them, soon, and never panics.

use std::cell::Cell;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use impartial::strategy::Envelope;
use impartial_check::{Verdict, check};
use serde_json::{Value, json};

/// A strategy file of every form, small.
fn files() -> Vec<(String, String)> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let run = |args: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_impartial"))
            .args(args)
            .stdin(Stdio::null())
            .output()
            .expect("the command starts");
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    };
    std::fs::write(path("king.toml"), "kind = \"lattice\"\nrules = [[1, 0], [0, 1], [1, 1]]\n").expect("a file");
    let (king, misere) = (path("king.toml"), ["--play", "misere"]);
    run(&["solve", "0.17", "-o", &path("nim-sequence")]);
    run(&[&["solve", "0.123", "-o", &path("quotient")][..], &misere].concat());
    run(&[&["quotient", "take-a-square", "--max-heap", "6", "-o", &path("clauses")][..], &misere].concat());
    run(&["solve", "exotic", "-o", &path("automaton")]);
    run(&["solve", &king, "--grundy", "-o", &path("grundy-automaton")]);
    run(&["solve", "exotic", "--method", "sector", "-o", &path("sectors")]);
    run(&["convert", &path("automaton"), "--to", "stratification", "-o", &path("stratification")]);
    run(&["convert", &path("stratification"), "--to", "series", "-o", &path("series")]);
    run(&["solve", "small-nim-lattice", "-o", &path("parity-kernel")]);
    run(&["quotient", "weakly-squarefree", "-o", &path("presentation")]);
    run(&["solve", "chomp:3x4", "-o", &path("table")]);
    run(&["solve", "chomp-chains:2", "-o", &path("chains")]);
    run(&["convert", &path("chains"), "--to", "automaton", "-o", &path("chains-automaton")]);
    let counters = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/misere-0.07-38.json");
    let mut names: Vec<&str> = vec![
        "nim-sequence",
        "quotient",
        "clauses",
        "automaton",
        "grundy-automaton",
        "sectors",
        "stratification",
        "series",
        "parity-kernel",
        "presentation",
        "table",
        "chains",
        "chains-automaton",
    ];
    if std::fs::read_to_string(counters).is_ok_and(|text| text.contains("\"impartial-strategy\"")) {
        std::fs::copy(counters, path("counters")).expect("a copy");
        names.push("counters");
    }
    let read = |name: &str| std::fs::read_to_string(path(name)).expect("a file").trim_end().to_owned();
    names.into_iter().map(|name| (name.to_owned(), read(name))).collect()
}

/// Asks the checker, which is stopped after a while and must listen.
fn verdict(name: &str, text: &str) -> Verdict {
    let start = Instant::now();
    let asked = Cell::new(0u32);
    let verdict = check(text, &|| {
        asked.set(asked.get() + 1);
        start.elapsed() < Duration::from_millis(300)
    });
    assert!(start.elapsed() < Duration::from_secs(20), "{name}: asked {} times in {:?}", asked.get(), start.elapsed());
    verdict
}

/// The file with another content and the digest that belongs to it.
fn sealed(form: &str, envelope: &Envelope, game: Value, certificate: Value) -> String {
    Envelope { form: form.into(), play: envelope.play, game, certificate }.to_text()
}

/// Places in a JSON value, as pointers.
fn places(value: &Value, here: &str, out: &mut Vec<String>) {
    out.push(here.to_owned());
    match value {
        Value::Array(list) => {
            // The first and last entries stand for the others of a long list.
            let last = list.len().saturating_sub(1);
            for (i, entry) in list.iter().enumerate().filter(|(i, _)| *i < 2 || *i == last) {
                places(entry, &format!("{here}/{i}"), out);
            }
        }
        Value::Object(map) => {
            for (key, entry) in map {
                places(entry, &format!("{here}/{key}"), out);
            }
        }
        _ => {}
    }
}

#[test]
fn damaged_files_of_every_form_are_refused() {
    let garbage = [
        json!(null),
        json!(true),
        json!(-1),
        json!(0),
        json!(7),
        json!(1.5),
        json!(1u64 << 40),
        json!(i64::MIN),
        json!(u64::MAX),
        json!("x"),
        json!("99999999999999999999999999"),
        json!([]),
        json!([[]]),
        json!([0]),
        json!({}),
    ];
    let files = files();
    assert!(files.len() >= 13);
    for (name, text) in &files {
        let sound = check(text, &|| true);
        assert!(matches!(sound, Verdict::Valid { .. }), "{name}: {sound:?}");
        // Cut off, and with a byte changed: the digest or the JSON shows it.
        for at in (0..text.len()).step_by(1 + text.len() / 60) {
            if text.is_char_boundary(at) {
                assert!(matches!(verdict(name, &text[..at]), Verdict::Refused { .. }), "{name} cut at {at}");
            }
            let mut bytes = text.clone().into_bytes();
            bytes[at] = if bytes[at] == b'7' { b'8' } else { b'7' };
            if let Ok(changed) = String::from_utf8(bytes) {
                let same = changed.trim() == text.trim();
                assert!(same || matches!(verdict(name, &changed), Verdict::Refused { .. }), "{name} changed at {at}");
            }
        }
        // Garbage at every place, with a right digest: never valid unless it says the same, never a panic.
        let envelope = Envelope::from_text(text).expect("a strategy file");
        let whole = json!({"game": envelope.game, "certificate": envelope.certificate});
        let mut all = vec![];
        places(&whole, "", &mut all);
        // A long file takes long to check.
        let most = if text.len() > 50_000 { 2 } else { 24 };
        for place in all.iter().filter(|place| !place.is_empty()).take(most) {
            for value in &garbage {
                let mut copy = whole.clone();
                *copy.pointer_mut(place).expect("a place of the value") = value.clone();
                let changed = sealed(&envelope.form, &envelope, copy["game"].clone(), copy["certificate"].clone());
                let _ = verdict(&format!("{name} {place} {value}"), &changed);
            }
        }
        // The certificate of one form in another.
        for (other, _) in &files {
            let changed = sealed(other, &envelope, envelope.game.clone(), envelope.certificate.clone());
            if *other != envelope.form {
                assert!(!matches!(verdict(name, &changed), Verdict::Valid { .. }), "{name} as {other}");
            }
        }
    }
}

/// Numbers, lists and objects nested deep, and lists that are long: no stack overflow, no wild allocation.
#[test]
fn deep_and_long_texts_are_refused() {
    for text in [
        "[".repeat(100_000),
        "{\"a\":".repeat(50_000),
        format!("{{\"game\":{}", "[".repeat(300)),
        "\u{0}".repeat(1000),
        String::new(),
        "9".repeat(100_000),
        format!("[{}0]", "0,".repeat(500_000)),
    ] {
        assert!(matches!(verdict("text", &text), Verdict::Refused { .. }));
    }
}
