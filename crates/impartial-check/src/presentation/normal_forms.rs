//! Normal forms: that the cones hold every word that no relation rewrites, and that no two of their words are congruent.

use std::collections::{HashMap, HashSet};

use super::{Cone, Exponents, Relation};
use crate::laws::SHORT;
use crate::meter::{Held, Meter};
use crate::sets::{chosen, project};
use crate::walk::{Label, Part, Table, Walk, explore, walk};
use crate::{Checked, refuse};

/// So many bases of cones are tried as r before r runs over a whole cone.
const POINTS: usize = 24;
/// A row is made of so many bases of cones.
const TESTS: usize = 1024;

/// Verifies that each word lies in exactly one cone, or is a multiple of a left side and in none.
///
/// Coordinate by coordinate: what matters of the coordinates chosen are the left sides they do not exclude, and the cones.
pub(super) fn cover(relations: &[Relation], cones: &[Cone], generators: usize, meter: &Meter<'_>) -> Checked {
    let mut cells =
        Cells { relations, cones, generators, seen: HashSet::new(), word: Vec::new(), bytes: meter.hold(0)? };
    cells.visit(&(0..relations.len()).collect::<Vec<_>>(), &(0..cones.len()).collect::<Vec<_>>(), meter)
}

struct Cells<'a> {
    relations: &'a [Relation],
    cones: &'a [Cone],
    generators: usize,
    seen: HashSet<(usize, Vec<usize>, Vec<usize>)>,
    /// The coordinates chosen.
    word: Exponents,
    bytes: Held,
}

impl Cells<'_> {
    /// `left` and `held` are the left sides and the cones that some word with the coordinates chosen is a multiple of, or in.
    fn visit(&mut self, left: &[usize], held: &[usize], meter: &Meter<'_>) -> Checked {
        let i = self.word.len();
        meter.steps((left.len() + held.len() + 1).saturating_mul(self.generators))?;
        if left.iter().any(|&l| self.relations[l].left[i..].iter().all(|&n| n == 0)) {
            // Every word from here on is rewritten.
            return match held.first() {
                None => Ok(()),
                Some(c) => refuse(format!("certificate.cones[{c}]: it holds words that a relation rewrites")),
            };
        }
        if i == self.generators {
            return match *held {
                [_] => Ok(()),
                [] => refuse(format!("certificate.cones: no cone holds the normal form {:?}", self.word)),
                [a, b, ..] => {
                    refuse(format!("certificate.cones[{a}] and [{b}] have a word in common: {:?}", self.word))
                }
            };
        }
        self.bytes.grow(8 * (left.len() + held.len()) as u64 + 120)?;
        if !self.seen.insert((i, left.to_vec(), held.to_vec())) {
            return Ok(());
        }
        // Between two of these values nothing changes.
        let mut values: Vec<i128> = vec![0];
        values.extend(left.iter().map(|&l| self.relations[l].left[i]));
        values.extend(held.iter().flat_map(|&c| [self.cones[c].base[i], self.cones[c].base[i] + 1]));
        values.sort_unstable();
        values.dedup();
        for value in values {
            let divides = |&l: &usize| self.relations[l].left[i] <= value;
            let holds = |&c: &usize| {
                let cone = &self.cones[c];
                value == cone.base[i] || value > cone.base[i] && cone.free.contains(&i)
            };
            let left: Vec<usize> = left.iter().copied().filter(divides).collect();
            let held: Vec<usize> = held.iter().copied().filter(holds).collect();
            self.word.push(value);
            self.visit(&left, &held, meter)?;
            self.word.pop();
        }
        Ok(())
    }
}

/// Verifies that two different words of the cones are never congruent.
///
/// A row says beside which of many r a word is a P-position: words of cones without a common row are different. What is
/// left is compared pair by pair.
pub(super) fn all_different(words: &Table, cones: &[Cone], meter: &Meter<'_>) -> Checked {
    let mut order: Vec<&Cone> = cones.iter().collect();
    order.sort_by_key(|cone| std::cmp::Reverse(cone.free.len()));
    let tests: Vec<&Exponents> = order.iter().map(|cone| &cone.base).take(TESTS).collect();
    let mut at: HashMap<Vec<Label>, Vec<usize>> = HashMap::new();
    let mut unknown = Vec::new();
    let mut bytes = meter.hold(0)?;
    for (i, cone) in order.iter().enumerate() {
        match rows(words, cone, &tests, meter)? {
            Some(rows) => {
                bytes.grow((4 * tests.len() as u64 + 120).saturating_mul(rows.len() as u64))?;
                for row in rows {
                    at.entry(row).or_default().push(i);
                }
            }
            None => unknown.push(i),
        }
    }
    let mut pairs: HashSet<(usize, usize)> = (0..order.len()).map(|i| (i, i)).collect();
    for alike in at.values() {
        for (k, &i) in alike.iter().enumerate() {
            meter.steps(alike.len() - k)?;
            bytes.grow(40 * (alike.len() - k) as u64)?;
            pairs.extend(alike[k + 1..].iter().map(|&j| (i, j)));
        }
    }
    for &i in &unknown {
        bytes.grow(40 * order.len() as u64)?;
        pairs.extend((0..order.len()).map(|j| (i.min(j), i.max(j))));
    }
    let mut pairs: Vec<(usize, usize)> = pairs.into_iter().collect();
    pairs.sort_unstable();
    for (i, j) in pairs {
        let (first, second) = (order[i], order[j]);
        if !first.free.is_empty() {
            differ(words, first, second, &order, meter)?;
        } else if i != j && same(words, &first.base, &second.base, meter)? {
            return refuse(format!(
                "certificate.cones: the normal forms {:?} and {:?} are congruent",
                first.base, second.base
            ));
        }
    }
    Ok(())
}

fn plus(a: &[i128], b: &[i128]) -> Exponents {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

/// Every row that a word of the cone has; `None` when that would take long.
fn rows(words: &Table, cone: &Cone, tests: &[&Exponents], meter: &Meter<'_>) -> Checked<Option<HashSet<Vec<Label>>>> {
    meter.steps(8 * words.dimension * tests.len())?;
    if cone.free.is_empty() {
        let row = tests.iter().map(|r| words.label_from(0, &plus(&cone.base, r))).collect();
        return Ok(Some(HashSet::from([row])));
    }
    let columns: Vec<Vec<i128>> = units(words.dimension, &cone.free.iter().copied().map(Some).collect::<Vec<_>>());
    let beside = |r: &&Exponents| Part::image(words, &plus(&cone.base, r), columns.clone());
    let mut parts: Vec<Part<'_>> = tests.iter().map(beside).collect();
    let mut found = HashSet::new();
    let mut note = |labels: &[Label]| {
        found.insert(labels.to_vec());
        Ok(Some(false))
    };
    let walked = explore(columns.len(), &mut parts, &mut note, SHORT, meter)?;
    Ok(if let Walk::Holds(_) = walked { Some(found) } else { None })
}

/// Whether a + r and b + r have the same outcome for all r.
pub(super) fn same(words: &Table, a: &[i128], b: &[i128], meter: &Meter<'_>) -> Checked<bool> {
    let shifted = |by: &[i128]| Part::moved(words, &by.iter().map(|n| -n).collect::<Vec<_>>());
    let mut parts = [shifted(a), shifted(b)];
    Ok(walk(words.dimension, &mut parts, &|inside| inside[0] == inside[1], meter)?.is_none())
}

/// The unit vector of each track; a track `None` has the zero vector.
fn units(dimension: usize, tracks: &[Option<usize>]) -> Vec<Vec<i128>> {
    tracks.iter().map(|track| (0..dimension).map(|i| i128::from(*track == Some(i))).collect()).collect()
}

/// Verifies that no word of one cone is congruent to a word of the other, other than itself.
///
/// The pairs (u, v) not yet told apart are an automaton; each r, or all r of a cone at once, tells some more apart.
fn differ(words: &Table, first: &Cone, second: &Cone, cones: &[&Cone], meter: &Meter<'_>) -> Checked {
    let (m, n) = (first.free.len(), second.free.len());
    let mut alike = unequal(m, n, first == second, meter)?;
    let some = |free: &[usize]| free.iter().copied().map(Some).collect::<Vec<_>>();
    let points = cones.iter().map(|cone| Cone { base: cone.base.clone(), free: vec![] }).take(POINTS);
    for third in points.chain(cones.iter().copied().cloned()) {
        let left = [some(&first.free), vec![None; n], some(&third.free)].concat();
        let right = [vec![None; m], some(&second.free), some(&third.free)].concat();
        let image = |base: &Exponents, tracks: &[Option<usize>]| {
            Part::image(words, &plus(base, &third.base), units(words.dimension, tracks))
        };
        let mut parts = vec![image(&first.base, &left), image(&second.base, &right)];
        alike = if third.free.is_empty() {
            parts.push(Part::set(&alike));
            chosen(m + n, &mut parts, &|inside| inside[2] != 0 && inside[0] == inside[1], meter)?
        } else {
            let apart = chosen(left.len(), &mut parts, &|inside| inside[0] != inside[1], meter)?;
            let apart = project(&apart, m + n, meter)?;
            let mut parts = [Part::set(&alike), Part::set(&apart)];
            chosen(m + n, &mut parts, &|inside| inside[0] != 0 && inside[1] == 0, meter)?
        };
        if alike.is_empty() {
            return Ok(());
        }
    }
    let at = |cone: &Cone| format!("{:?} + N{:?}", cone.base, cone.free);
    refuse(format!("certificate.cones: {} and {} have different words that are congruent", at(first), at(second)))
}

/// All pairs (u, v), without those with u = v when the cones are the same.
fn unequal(m: usize, n: usize, same: bool, meter: &Meter<'_>) -> Checked<Table> {
    let mut parts = vec![Part::half_space(&vec![0; m + n], 0)];
    for i in 0..if same { m } else { 0 } {
        let mut row = vec![0; m + n];
        (row[i], row[m + i]) = (1, -1);
        parts.push(Part::half_space(&row, 0));
        parts.push(Part::half_space(&row.iter().map(|a| -a).collect::<Vec<_>>(), 0));
    }
    chosen(m + n, &mut parts, &|inside| !same || inside.contains(&0), meter)
}
