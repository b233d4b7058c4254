//! The files of the suite, and how a file is sealed.

#![allow(dead_code)] // Each test uses some of it.

pub mod brute;

use serde_json::Value;
use sha2::{Digest, Sha256};

/// The files of one folder of the suite by name, sorted.
pub fn suite(folder: &str) -> Vec<(String, String)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite").join(folder);
    let mut files: Vec<(String, String)> = std::fs::read_dir(&folder)
        .expect("the folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "json"))
        .map(|path| {
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            (name, std::fs::read_to_string(&path).expect("a file"))
        })
        .collect();
    files.sort();
    files
}

/// The text of a file with its digest.
pub fn sealed(mut file: Value) -> String {
    let map = file.as_object_mut().expect("an object");
    map.remove("digest");
    let digest = Sha256::digest(serde_json::to_string(map).expect("JSON").as_bytes());
    let digits: Vec<char> = "0123456789abcdef".chars().collect();
    let hex = digest.iter().flat_map(|byte| [digits[usize::from(byte / 16)], digits[usize::from(byte % 16)]]);
    map.insert("digest".into(), hex.collect::<String>().into());
    file.to_string()
}

/// Numbers that look random and are the same in every run (SplitMix64).
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % n.max(1) as u64).expect("below n")
    }
}

/// The file with one change: a number ±1, 0, negated or huge; an entry or key deleted, doubled or exchanged with another; the other play.
pub fn mutant(file: &Value, random: &mut Random) -> Value {
    let mut file = file.clone();
    // Each change is as likely in a small place as in a large one: a path is chosen step by step.
    let key = ["certificate", "certificate", "certificate", "game", "play"][random.below(5)];
    if key == "play" {
        let other = if file["play"] == "misere" { "normal" } else { "misere" };
        file["play"] = other.into();
        return file;
    }
    let mut place = &mut file[key];
    loop {
        let children = match place {
            Value::Array(list) => list.len(),
            Value::Object(map) => map.len(),
            _ => 0,
        };
        if children == 0 || random.below(4) == 0 {
            break;
        }
        let i = random.below(children);
        place = match place {
            Value::Array(list) => &mut list[i],
            Value::Object(map) => map.values_mut().nth(i).expect("a child"),
            _ => break,
        };
    }
    match place {
        Value::Array(list) if list.is_empty() => list.push(0.into()),
        Value::Array(list) => {
            let (i, j) = (random.below(list.len()), random.below(list.len()));
            match random.below(4) {
                0 => drop(list.remove(i)),
                1 => list.insert(i, list[i].clone()),
                2 => list.swap(i, j),
                _ => list.push(list[i].clone()),
            }
        }
        Value::Object(map) => {
            let keys: Vec<String> = map.keys().cloned().collect();
            if !keys.is_empty() {
                let (a, b) = (&keys[random.below(keys.len())], &keys[random.below(keys.len())]);
                if random.below(2) == 0 {
                    map.remove(a);
                } else {
                    let (x, y) = (map[a].clone(), map[b].clone());
                    map.insert(a.clone(), y);
                    map.insert(b.clone(), x);
                }
            }
        }
        Value::Number(number) => {
            let n = number.as_i64().unwrap_or(0);
            let changed = [n + 1, n - 1, 0, -n, 1 << 40, n + 2, n / 2, 1][random.below(8)];
            *place = changed.into();
        }
        Value::String(text) => {
            let mut letters: Vec<char> = text.chars().collect();
            let digits: Vec<char> = "0123456789".chars().collect();
            if letters.is_empty() {
                letters.push('0');
            } else {
                let i = random.below(letters.len());
                match random.below(3) {
                    0 => drop(letters.remove(i)),
                    1 => letters.insert(i, digits[random.below(10)]),
                    _ => letters[i] = digits[random.below(10)],
                }
            }
            *place = letters.into_iter().collect::<String>().into();
        }
        Value::Null => *place = 0.into(),
        Value::Bool(b) => *b = !*b,
    }
    file
}
