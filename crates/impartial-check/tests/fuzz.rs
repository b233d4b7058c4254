//! Random bytes, damaged files and random objects: the reader never panics and keeps its limits.
//!
//! A few thousand by default; minutes of them by
//! `FUZZ_SECONDS=300 cargo test --release -p impartial-check --test fuzz -- --nocapture`.

use std::time::{Duration, Instant};

use impartial_check::{Finding, Limits, check_within};
use serde_json::{Map, Value};

mod common;
use common::{Random, sealed, suite};

/// A random value with keys and words that files have.
fn random_value(random: &mut Random, words: &[String], depth: usize) -> Value {
    let numbers = [0_i64, 1, 2, 3, 7, -1, 255, 1 << 31, 1 << 40, i64::MAX, i64::MIN];
    match random.below(if depth == 0 { 4 } else { 8 }) {
        0 => Value::Null,
        1 | 2 => numbers[random.below(numbers.len())].into(),
        3 => words[random.below(words.len())].clone().into(),
        4 | 5 => (0..random.below(6)).map(|_| random_value(random, words, depth - 1)).collect(),
        _ => {
            let mut map = Map::new();
            for _ in 0..random.below(7) {
                map.insert(words[random.below(words.len())].clone(), random_value(random, words, depth - 1));
            }
            Value::Object(map)
        }
    }
}

/// All keys and short texts of a value.
fn words(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                found.push(key.clone());
                words(value, found);
            }
        }
        Value::Array(list) => list.iter().for_each(|value| words(value, found)),
        Value::String(text) if text.len() < 40 => found.push(text.clone()),
        _ => {}
    }
}

#[test]
fn the_reader_survives_anything() {
    let files = suite("valid");
    let mut known = Vec::new();
    for (_, text) in &files {
        words(&serde_json::from_str(text).expect("JSON"), &mut known);
    }
    known.sort();
    known.dedup();
    let seconds: Option<u64> = std::env::var("FUZZ_SECONDS").ok().and_then(|n| n.parse().ok());
    let (begin, limits) = (Instant::now(), Limits { steps: 20_000_000, bytes: 64 << 20 });
    let mut random = Random(7);
    let mut count = 0_usize;
    while seconds.map_or(count < 8000, |s| begin.elapsed() < Duration::from_secs(s)) {
        count += 1;
        let (_, sound) = &files[random.below(files.len())];
        let text = match count % 4 {
            0 => {
                let bytes: Vec<u8> =
                    (0..random.below(200)).map(|_| u8::try_from(random.below(256)).expect("a byte")).collect();
                String::from_utf8_lossy(&bytes).into_owned()
            }
            1 => {
                let mut bytes = sound.clone().into_bytes();
                for _ in 0..=random.below(4) {
                    let at = random.below(bytes.len());
                    bytes[at] = b"0123456789[]{},:\"- etn"[random.below(22)];
                }
                bytes.truncate(if random.below(3) == 0 { random.below(sound.len()) } else { sound.len() });
                String::from_utf8_lossy(&bytes).into_owned()
            }
            _ => {
                // A sound envelope around anything.
                let mut file: Value = serde_json::from_str(sound).expect("JSON");
                let part = ["certificate", "game"][random.below(2)];
                let place = &mut file[part];
                if random.below(2) == 0 {
                    *place = random_value(&mut random, &known, 4);
                } else if let Some(map) = place.as_object_mut() {
                    let keys: Vec<String> = map.keys().cloned().collect();
                    map.insert(keys[random.below(keys.len())].clone(), random_value(&mut random, &known, 4));
                }
                sealed(file)
            }
        };
        let verdict = check_within(&text, &limits, &|| true);
        assert!(!matches!(verdict, Finding::Stopped), "{text}");
    }
    // What the checker held at once was counted: the whole process stays near the limit.
    if let Ok(status) = std::fs::read_to_string("/proc/self/status") {
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
        let kib: u64 = peak.trim().trim_end_matches(" kB").parse().expect("a number");
        assert!(kib < 4 * (limits.bytes >> 10), "{kib} KiB for a limit of {} KiB", limits.bytes >> 10);
        println!("{count} texts in {:?}, peak {kib} KiB", begin.elapsed());
    }
}
