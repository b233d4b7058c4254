//! Toric ideals: binomials that say which sums of generators are equal.

use crate::integer::{Int, Matrix, Vector, kernel, solve_integer, sub};
use crate::run::{Monitor, StopReason};

/// More binomials than this are not kept.
const MAX_BINOMIALS: usize = 100_000;

/// The exponents of a monomial in the variables x₁ … xₙ (one for each generator) and y₁ … y_m (one for each base).
pub(super) type Monomial = Vec<u32>;

/// x^head − x^tail, where the head is larger in the term order; both have the same image.
#[derive(Clone, Debug)]
struct Binomial {
    head: Monomial,
    tail: Monomial,
}

/// The leading monomials of a Gröbner basis of the relations of a module F + ℕ{a₁, …, aₙ}: of the kernel of
/// `x^u ↦ t^(Σ uᵢaᵢ)`, `y_k x^u ↦ y·t^(f_k + Σ uᵢaᵢ)`, in degrees 0 and 1 in y.
///
/// The monomials of degree 1 in y that none of them divides are in bijection with the elements of the module.
///
/// The ideal is found from the lattice of relations by saturation, one variable after another (Sturmfels, *Gröbner Bases and Convex
/// Polytopes*, Algorithm 12.3 and Lemma 12.1): in a reverse lexicographic order with xᵢ last, a Gröbner basis divided by powers of xᵢ is one of
/// the saturated ideal. In step i common factors xⱼ with j ≤ i may be divided out at any time, as the target of the step is saturated in
/// all these. Inverting the x alone is enough, because the y occur linearly.
pub(super) fn leading_monomials(
    generators: &[Vector],
    bases: &[Vector],
    monitor: &dyn Monitor,
) -> Result<Vec<Monomial>, StopReason> {
    let (n, m) = (generators.len(), bases.len());
    let mut ideal = lattice_relations(generators, bases)?;
    for i in 0..n {
        // Position in this list: from the last (smallest) variable upward.
        let order: Vec<usize> = std::iter::once(i).chain((0..n).rev().filter(|&j| j != i)).chain(n..n + m).collect();
        ideal = groebner_basis(ideal, n, i, &order, monitor)?;
    }
    Ok(ideal.into_iter().map(|b| b.head).collect())
}

/// Binomials that generate the ideal once all variables x are inverted.
fn lattice_relations(generators: &[Vector], bases: &[Vector]) -> Result<Vec<Binomial>, StopReason> {
    let (n, m) = (generators.len(), bases.len());
    let d = bases.first().map_or(0, Vec::len);
    let columns = Matrix::from_rows(d, generators).transposed();
    let mut relations = Vec::new();
    for row in kernel(&columns).iter_rows() {
        relations.push(binomial(row, m, None)?);
    }
    // y_j = y_k t^(f_j − f_k) whenever the difference lies in the group: one relation for each base after the first of its coset.
    for j in 1..m {
        let same_coset = (0..j).find_map(|k| solve_integer(&columns, &sub(&bases[k], &bases[j])).map(|s| (k, s.point)));
        if let Some((k, u)) = same_coset {
            // f_j + Σ u a = f_k.
            relations.push(binomial(&u, m, Some((n + j, n + k)))?);
        }
    }
    Ok(relations)
}

fn binomial(w: &[Int], m: usize, bases: Option<(usize, usize)>) -> Result<Binomial, StopReason> {
    let part = |sign: i32| -> Result<Monomial, StopReason> {
        let mut monomial: Monomial = w
            .iter()
            .map(|x| if x.signum() == sign { x.abs().to_i64().and_then(|x| u32::try_from(x).ok()) } else { Some(0) })
            .collect::<Option<_>>()
            .ok_or(StopReason::Size { what: "bits of an exponent", limit: 32 })?;
        monomial.extend(std::iter::repeat_n(0, m));
        Ok(monomial)
    };
    let (mut head, mut tail) = (part(1)?, part(-1)?);
    if let Some((j, k)) = bases {
        head[j] = 1;
        tail[k] = 1;
    }
    Ok(Binomial { head, tail })
}

/// Buchberger's algorithm for binomials that are homogeneous in a positive grading, in degrees up to 1 in y.
fn groebner_basis(
    generators: Vec<Binomial>,
    n: usize,
    step: usize,
    order: &[usize],
    monitor: &dyn Monitor,
) -> Result<Vec<Binomial>, StopReason> {
    let mut basis: Vec<Binomial> = Vec::new();
    let mut queue: Vec<Binomial> = generators;
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    let mut done = 0;
    loop {
        while let Some(b) = queue.pop() {
            monitor.check(done, None)?;
            let Some(b) = normal_form(b, &basis, step, order) else { continue };
            // Elements whose head became divisible are reduced again.
            let mut i = 0;
            while i < basis.len() {
                if divides(&b.head, &basis[i].head) {
                    queue.push(basis[i].clone());
                    remove(&mut basis, &mut pairs, i);
                } else {
                    i += 1;
                }
            }
            let index = basis.len();
            pairs.extend((0..index).map(|i| (i, index)));
            basis.push(b);
            if basis.len() > MAX_BINOMIALS {
                return Err(StopReason::Size { what: "binomials", limit: MAX_BINOMIALS as u64 });
            }
        }
        // The pair with the smallest least common multiple first.
        let total = |&(i, j): &(usize, usize)| -> u64 {
            basis[i].head.iter().zip(&basis[j].head).map(|(a, b)| u64::from(*a.max(b))).sum()
        };
        let Some(position) = (0..pairs.len()).min_by_key(|&p| total(&pairs[p])) else { break };
        let (i, j) = pairs.swap_remove(position);
        done += 1;
        monitor.check(done, None)?;
        let (a, b) = (&basis[i], &basis[j]);
        let coprime = a.head.iter().zip(&b.head).all(|(a, b)| *a == 0 || *b == 0);
        let lcm: Monomial = a.head.iter().zip(&b.head).map(|(a, b)| *a.max(b)).collect();
        if coprime || lcm[n..].iter().sum::<u32>() > 1 {
            continue;
        }
        queue.push(Binomial { head: replaced(&lcm, a)?, tail: replaced(&lcm, b)? });
    }
    Ok(basis)
}

/// Removes a member of the basis with its pairs; the last member takes its number.
fn remove(basis: &mut Vec<Binomial>, pairs: &mut Vec<(usize, usize)>, i: usize) {
    basis.swap_remove(i);
    let last = basis.len();
    pairs.retain(|&(a, b)| a != i && b != i);
    for (a, b) in pairs {
        for x in [a, b] {
            if *x == last {
                *x = i;
            }
        }
    }
}

/// monomial/head · tail; the head divides the monomial.
fn replaced(monomial: &[u32], b: &Binomial) -> Result<Monomial, StopReason> {
    monomial
        .iter()
        .zip(b.head.iter().zip(&b.tail))
        .map(|(x, (h, t))| (x - h).checked_add(*t).ok_or(StopReason::Size { what: "bits of an exponent", limit: 32 }))
        .collect()
}

fn divides(a: &[u32], b: &[u32]) -> bool {
    a.iter().zip(b).all(|(a, b)| a <= b)
}

/// The binomial with both monomials reduced and common factors taken out, until nothing changes; nothing when it is 0.
fn normal_form(mut b: Binomial, basis: &[Binomial], step: usize, order: &[usize]) -> Option<Binomial> {
    loop {
        b = oriented(reduced(b.head, basis), reduced(b.tail, basis), step, order)?;
        if !basis.iter().any(|c| divides(&c.head, &b.head) || divides(&c.head, &b.tail)) {
            return Some(b);
        }
    }
}

/// The normal form of a monomial; it ends because heads are larger than tails.
fn reduced(mut monomial: Monomial, basis: &[Binomial]) -> Monomial {
    while let Some(b) = basis.iter().find(|b| divides(&b.head, &monomial)) {
        for (x, (h, t)) in monomial.iter_mut().zip(b.head.iter().zip(&b.tail)) {
            *x = *x - h + t;
        }
    }
    monomial
}

/// The binomial without its common factors in x₀ … x_step, with the larger monomial as head; nothing when it is 0.
fn oriented(mut u: Monomial, mut v: Monomial, step: usize, order: &[usize]) -> Option<Binomial> {
    for i in 0..=step {
        let common = u[i].min(v[i]);
        u[i] -= common;
        v[i] -= common;
    }
    // Reverse lexicographic: in the last variable where they differ, the larger monomial has the smaller exponent.
    let last = order.iter().find(|&&i| u[i] != v[i])?;
    Some(if u[*last] < v[*last] { Binomial { head: u, tail: v } } else { Binomial { head: v, tail: u } })
}
