//! Exact geometry and series: `cargo bench -p semilinear --bench geometry`.

use divan::{Bencher, black_box};
use num_bigint::BigInt;
use semilinear::integer::{Affine, Int, Matrix, Vector, determinant, unit_vector, vector};
use semilinear::polyhedron::{Cone, Polyhedron, hilbert_basis, lattice_point_count};
use semilinear::run::Unlimited;
use semilinear::series::{Coefficients, Series};

fn main() {
    divan::main();
}

/// A 6 × 6 matrix with small entries.
fn small_matrix() -> Vec<Vec<i64>> {
    (0..6i64).map(|i| (0..6i64).map(|j| (i * 7 + j * j * 3 + 5) % 11 - 5 + i64::from(i == j) * 9).collect()).collect()
}

#[divan::bench]
fn determinant_hybrid(bencher: Bencher) {
    let rows: Vec<Vector> = small_matrix().iter().map(|r| vector(r)).collect();
    let m = Matrix::from_rows(6, &rows);
    bencher.bench(|| determinant(black_box(&m)));
}

/// The baseline: the same elimination on plain big integers.
#[divan::bench]
fn determinant_big_integers(bencher: Bencher) {
    let m: Vec<Vec<BigInt>> = small_matrix().iter().map(|r| r.iter().map(|&x| x.into()).collect()).collect();
    bencher.bench(|| {
        let mut m = black_box(&m).clone();
        let mut previous = BigInt::from(1);
        for c in 0..6 {
            let pivot = m[c].clone();
            for row in &mut m[c + 1..] {
                let factor = row[c].clone();
                for (x, p) in row.iter_mut().zip(&pivot).skip(c + 1) {
                    *x = (&*x * &pivot[c] - &factor * p) / &previous;
                }
            }
            previous.clone_from(&pivot[c]);
        }
        previous
    });
}

/// The solutions of 13a + 17b + 19c + 23d + 29e ≤ 10⁵: LattE 0.034 s, barvinok 0.02 s.
#[divan::bench]
fn count_knapsack(bencher: Bencher) {
    let mut rows: Vec<Affine> = (0..5).map(|i| Affine::new(unit_vector(5, i), 0)).collect();
    rows.push(Affine::new(vector(&[-13, -17, -19, -23, -29]), 100_000));
    let expected: Int = "29830060545682339".parse().unwrap();
    bencher.bench(|| {
        let polytope = Polyhedron::from_constraints(5, &rows, &[], &Unlimited).unwrap();
        assert_eq!(lattice_point_count(&polytope, &Unlimited).unwrap(), expected);
    });
}

#[divan::bench]
fn hilbert_basis_of_a_cone(bencher: Bencher) {
    let rays = [vector(&[1, 0, 0]), vector(&[3, 17, 1]), vector(&[5, 2, 31]), vector(&[1, 30, 30])];
    let cone = Cone::from_generators(3, &rays, &[], &Unlimited).unwrap();
    bencher.bench(|| hilbert_basis(black_box(&cone), &Unlimited).unwrap());
}

#[divan::bench]
fn hadamard_product(bencher: Bencher) {
    let a = Series::of_module(2, &[vector(&[0, 0]), vector(&[1, 1])], &[vector(&[2, 0]), vector(&[6, 6])]).unwrap();
    let b = Series::of_module(2, &[vector(&[0, 0])], &[vector(&[1, 0]), vector(&[0, 1])]).unwrap();
    bencher.bench(|| black_box(&a).hadamard(black_box(&b), &Unlimited).unwrap());
}

/// One coefficient at a point with as many digits: the growth is polynomial.
#[divan::bench(args = [1, 10, 100, 1000])]
fn coefficient(bencher: Bencher, digits: u32) {
    let f = Series::of_module(2, &[vector(&[0, 0]), vector(&[1, 1])], &[vector(&[2, 0]), vector(&[6, 6])]).unwrap();
    let coefficients = Coefficients::new(&f);
    let point = [Int::from(10).pow(digits), Int::from(6) * Int::from(10).pow(digits - 1)];
    bencher.bench(|| coefficients.at(black_box(&point), &Unlimited).unwrap());
}
