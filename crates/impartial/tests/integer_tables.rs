//! Hermite and Smith forms, ranks and determinants against `testdata/polyhedral/intmat.jsonl`.

use impartial::integer::{Int, Matrix, Vector, determinant, dot, hermite, lll, rank, smith};
use serde_json::Value;

fn vectors(value: &Value) -> Vec<Vector> {
    value.as_array().expect("a list of rows").iter().map(vector).collect()
}

fn vector(value: &Value) -> Vector {
    value
        .as_array()
        .expect("a list")
        .iter()
        .map(|x| x.to_string().trim_matches('"').parse().expect("an integer"))
        .collect()
}

#[test]
fn hermite_smith_rank_determinant() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/polyhedral/intmat.jsonl"))
        .expect("the table is part of the repository");
    let mut rows = 0;
    for line in text.lines() {
        // Numbers beyond 64 bits: keep every number as text.
        let quoted = quote_numbers(line);
        let case: Value = serde_json::from_str(&quoted).expect("a JSON object");
        let a = vectors(&case["A"]);
        let a = Matrix::from_rows(a[0].len(), &a);
        let r: usize = case["rank"].as_str().unwrap().parse().unwrap();
        assert_eq!(rank(&a), r, "rank of {a:?}");
        assert_eq!(hermite(&a).form.to_rows(), vectors(&case["hnf_row"]), "Hermite form of {a:?}");
        let s = smith(&a);
        let diagonal: Vector = vector(&case["snf_diag"]).into_iter().filter(|x| !x.is_zero()).collect();
        assert_eq!(s.diagonal, diagonal, "Smith form of {a:?}");
        if let Some(d) = case.get("det") {
            assert_eq!(determinant(&a), d.as_str().unwrap().parse::<Int>().unwrap(), "determinant of {a:?}");
        }
        if let Some(gram) = case.get("lll_gram_det") {
            let reduced = lll(&a);
            assert_eq!(
                determinant(&reduced.product(&reduced.transposed())),
                gram.as_str().unwrap().parse::<Int>().unwrap()
            );
            let first: Int = case["lll_first_norm2"].as_str().unwrap().parse().unwrap();
            // A reduced basis is not unique, but its first vector is within 2^(n−1) of the shortest.
            assert!(dot(reduced.row(0), reduced.row(0)) <= &first * &Int::from(1 << (a.rows() - 1)), "{a:?}");
        }
        rows += 1;
    }
    assert_eq!(rows, 120);
}

/// Puts every number of a JSON text into quotes.
fn quote_numbers(text: &str) -> String {
    let mut out = String::new();
    let (mut in_string, mut in_number) = (false, false);
    for c in text.chars() {
        let digit = !in_string && (c.is_ascii_digit() || c == '-');
        if digit != in_number {
            out.push('"');
            in_number = digit;
        }
        if c == '"' {
            in_string = !in_string;
        }
        out.push(c);
    }
    out
}
