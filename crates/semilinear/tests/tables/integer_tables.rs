//! Hermite and Smith forms, ranks and determinants against `testdata/polyhedral/intmat.jsonl`.

use semilinear::integer::{Int, Matrix, Vector, determinant, dot, hermite, lll, rank, smith};
use serde_json::Value;

fn vectors(value: &Value) -> Vec<Vector> {
    serde_json::from_value(value.clone()).expect("a list of integer vectors")
}

fn int(value: &Value) -> Int {
    serde_json::from_value(value.clone()).expect("an integer")
}

#[test]
fn hermite_smith_rank_determinant() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/polyhedral/intmat.jsonl"))
        .expect("the table is part of the repository");
    let mut rows = 0;
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).expect("a JSON object");
        let a = vectors(&case["A"]);
        let a = Matrix::from_rows(a[0].len(), &a);
        assert_eq!(Int::from(rank(&a)), int(&case["rank"]), "rank of {a:?}");
        assert_eq!(hermite(&a).form.to_rows(), vectors(&case["hnf_row"]), "Hermite form of {a:?}");
        let s = smith(&a);
        let diagonal: Vector = vectors(&Value::from(vec![case["snf_diag"].clone()]))
            .remove(0)
            .into_iter()
            .filter(|x| !x.is_zero())
            .collect();
        assert_eq!(s.diagonal, diagonal, "Smith form of {a:?}");
        if let Some(d) = case.get("det") {
            assert_eq!(determinant(&a), int(d), "determinant of {a:?}");
        }
        if let Some(gram) = case.get("lll_gram_det") {
            let reduced = lll(&a);
            assert_eq!(determinant(&reduced.product(&reduced.transposed())), int(gram));
            let first = int(&case["lll_first_norm2"]);
            // A reduced basis is not unique, but its first vector is within 2^(n−1) of the shortest.
            assert!(dot(reduced.row(0), reduced.row(0)) <= &first * &Int::from(1 << (a.rows() - 1)), "{a:?}");
        }
        rows += 1;
    }
    assert_eq!(rows, 120);
}
