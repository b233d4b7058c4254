//! What the tests against tables share.

use impartial::integer::Vector;
use serde_json::Value;

/// Seconds this thread has run: of the processor where the system tells (Linux), so that other work does not count.
pub fn clock() -> f64 {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    let processor = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = processor.and_then(|line| line.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| START.elapsed().as_secs_f64(), |n| n / 1e9)
}

/// The rows of a table of `testdata/polyhedral`.
pub fn table(name: &str) -> Vec<Value> {
    let path = format!("{}/../../testdata/polyhedral/{name}.jsonl", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the table is part of the repository");
    text.lines().map(|line| serde_json::from_str(line).expect("a JSON object")).collect()
}

/// A list of integer vectors.
pub fn vectors(value: &Value) -> Vec<Vector> {
    serde_json::from_value(value.clone()).expect("a list of integer vectors")
}
