//! What the tests against tables share.

use semilinear::integer::{Int, Matrix, Vector, hermite, kernel};
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

/// The homogenising coordinate of an inhomogeneous case of Normaliz that is not empty: the last one, unless the input chose
/// another.
pub fn infinity(case: &Value) -> Option<usize> {
    if !case["inhomogeneous"].as_bool().expect("a boolean") {
        return None;
    }
    let (vertices, rays) = (vectors(&case["VerticesOfPolyhedron"]), vectors(&case["ExtremeRays"]));
    let n = usize::try_from(case["EmbeddingDim"].as_u64().expect("a number")).expect("a small number");
    (0..n).rev().find(|&j| vertices.iter().all(|v| v[j].is_positive()) && rays.iter().all(|r| r[j].is_zero()))
}

/// The lattice of integer vectors that satisfy equations and congruences (the last entry of a congruence is its modulus).
pub fn lattice(n: usize, equations: &[Vector], congruences: &[Vector]) -> Matrix {
    let extra = congruences.len();
    let mut rows: Vec<Vector> = equations.iter().map(|e| [e.clone(), vec![Int::ZERO; extra]].concat()).collect();
    for (i, c) in congruences.iter().enumerate() {
        let mut row = [c[..n].to_vec(), vec![Int::ZERO; extra]].concat();
        row[n + i] = c[n].clone();
        rows.push(row);
    }
    let solutions = kernel(&Matrix::from_rows(n + extra, &rows));
    let cut: Vec<&[Int]> = solutions.iter_rows().map(|x| &x[..n]).collect();
    let h = hermite(&Matrix::from_rows(n, &cut));
    h.form.row_range(0, h.pivots.len())
}
