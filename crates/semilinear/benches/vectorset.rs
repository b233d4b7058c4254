//! Operations on sets of vectors, and how they grow with the dimension and with the size of the coefficients.
//!
//! `cargo bench -p semilinear --bench vectorset`

use divan::{Bencher, black_box};
use num_bigint::{BigInt, BigUint};
use semilinear::run::Unlimited;
use semilinear::vectorset::{Effort, Relation, VectorSet};

fn main() {
    divan::main();
}

fn effort() -> Effort<'static> {
    Effort::unlimited()
}

/// A set with structure in every coordinate: at most 3·d in all, an even sum, and x₁ ≥ x_d.
fn sample(d: usize) -> VectorSet {
    let few = VectorSet::linear(&vec![-1; d], 3 * i64::try_from(d).expect("small"), Relation::AtLeastZero, &effort());
    let even = VectorSet::congruence(&vec![1; d], 0, 2, &effort()).expect("no limit");
    let mut order = vec![0; d];
    order[0] = 1;
    order[d - 1] -= 1;
    let order = VectorSet::linear(&order, 0, Relation::AtLeastZero, &effort()).expect("no limit");
    let set = few.expect("no limit").intersection(&even, &effort()).expect("no limit");
    set.intersection(&order, &effort()).expect("no limit")
}

const DIMENSIONS: [usize; 5] = [2, 4, 6, 9, 12];

#[divan::bench(args = DIMENSIONS, sample_count = 10)]
fn linear_inequality(d: usize) -> VectorSet {
    VectorSet::linear(&vec![3; d], -black_box(1000), Relation::AtLeastZero, &effort()).expect("no limit")
}

#[divan::bench(args = [10i64, 100, 1000, 10_000], sample_count = 10)]
fn linear_inequality_with_coefficients(size: i64) -> VectorSet {
    VectorSet::linear(&[size, 1 - size], 7, Relation::AtLeastZero, &effort()).expect("no limit")
}

#[divan::bench(args = DIMENSIONS, sample_count = 10)]
fn union(bencher: Bencher, d: usize) {
    let a = sample(d);
    let b = a.translation(&vec![BigInt::from(1); d], &effort()).expect("no limit");
    bencher.bench_local(|| a.union(black_box(&b), &effort()));
}

#[divan::bench(args = DIMENSIONS, sample_count = 10)]
fn translation(bencher: Bencher, d: usize) {
    let a = sample(d);
    let v: Vec<BigInt> = (0..d).map(|i| BigInt::from(if i % 3 == 0 { 1 } else { -i64::from(i % 3 == 1) })).collect();
    bencher.bench_local(|| a.translation(black_box(&v), &effort()));
}

#[divan::bench(args = DIMENSIONS, sample_count = 10)]
fn projection(bencher: Bencher, d: usize) {
    let a = sample(d);
    bencher.bench_local(|| a.exists(black_box(&[0]), &effort()));
}

#[divan::bench(args = [2, 4, 6, 9], sample_count = 10)]
fn count_in_a_box_of_side_10_to_the_100(bencher: Bencher, d: usize) {
    let a = sample(d);
    let sizes = vec![BigUint::from(10u8).pow(100); d];
    bencher.bench_local(|| a.count(black_box(&sizes), &Unlimited));
}

#[divan::bench(args = [10usize, 1000, 100_000])]
fn membership_by_digits(bencher: Bencher, digits: usize) {
    let a = VectorSet::congruence(&[1, 2], 0, 7, &effort()).expect("no limit");
    let x = vec![BigUint::from(3u8).pow(u32::try_from(digits).expect("small")); 2];
    bencher.bench_local(|| a.contains(black_box(&x)));
}

/// The same intersection of two congruences by the product of automata and by a plain list on a box.
mod against_lists {
    use super::{VectorSet, black_box, effort};

    const SIDE: u64 = 1000;

    #[divan::bench(sample_count = 10)]
    fn automata() -> bool {
        let a = VectorSet::congruence(&[1, 1], 0, black_box(7), &effort()).expect("no limit");
        let b = VectorSet::congruence(&[1, 3], 0, 11, &effort()).expect("no limit");
        a.intersection(&b, &effort()).expect("no limit").contains_small(&[77, 77])
    }

    #[divan::bench(sample_count = 10)]
    fn explicit_box() -> bool {
        let mut inside = vec![false; usize::try_from(SIDE * SIDE).expect("small")];
        for x in 0..SIDE {
            for y in 0..SIDE {
                let both = (x + y) % black_box(7) == 0 && (x + 3 * y) % 11 == 0;
                inside[usize::try_from(x * SIDE + y).expect("small")] = both;
            }
        }
        inside[77 * 1000 + 77]
    }
}
