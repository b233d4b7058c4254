//! A finite misère quotient as a value: elements, P-portion, pretending function, presentation, structure.

use super::OptionTable;
use super::bits::Bits;
use super::build::Builder;
use super::candidate::{Candidate, classes};
use super::monoid::{Monoid, NONE, Word, enumerate, index};
use crate::outcome::Outcome;
use semilinear::run::{Monitor, StopReason, Unlimited};

/// The quotient (Q, P) of all sums of the heaps 1..=n with its pretending function Φ: heap → Q.
///
/// ```
/// use impartial::{run::Unlimited, solve::quotient::{Builder, Quotient}, outcome::Outcome};
/// let mut nim = Builder::new();
/// nim.push(&[vec![]], &Unlimited).unwrap();
/// nim.push(&[vec![], vec![1]], &Unlimited).unwrap();
/// let quotient = nim.quotient();
/// assert_eq!(quotient.relations(), [(vec![(1, 2)], vec![]), (vec![(2, 3)], vec![(2, 1)])]); // a² = 1, b³ = b
/// assert_eq!(quotient.outcome(&[(2, 2)]), Outcome::P);
/// assert_eq!(quotient.outcome(&[(1, 2)]), Outcome::N);
/// assert!(quotient.is_tame());
/// ```
#[derive(Clone, Debug)]
pub struct Quotient {
    pub(super) candidate: Candidate,
}

/// The structure of a finite commutative monoid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Structure {
    /// The elements e with e² = e.
    pub idempotents: Vec<u32>,
    /// The elements with an inverse.
    pub units: Vec<u32>,
    /// The least ideal, a group.
    pub kernel: Vec<u32>,
    /// The archimedean components, one for each idempotent: the elements with a power equal to it.
    pub components: Vec<Vec<u32>>,
}

impl Builder {
    /// The quotient of the heaps so far.
    pub fn quotient(&self) -> Quotient {
        Quotient { candidate: self.candidate().clone() }
    }
}

impl Quotient {
    /// The number of elements.
    pub fn order(&self) -> usize {
        self.candidate.monoid.order()
    }

    /// The elements that are P-positions.
    pub fn p(&self) -> &Bits {
        &self.candidate.p
    }

    /// The monoid Q.
    pub fn monoid(&self) -> &Monoid {
        &self.candidate.monoid
    }

    /// The largest heap.
    pub fn heaps(&self) -> usize {
        self.candidate.heaps()
    }

    /// The pretending function: the values of heaps 0, 1, …, n.
    pub fn values(&self) -> &[u32] {
        &self.candidate.values
    }

    /// The value of a sum of heaps, all of them at most n.
    pub fn value(&self, sum: &[(u32, u32)]) -> u32 {
        sum.iter().fold(0, |x, &(heap, copies)| {
            let power = self.power(self.candidate.values[heap as usize], u64::from(copies));
            self.candidate.monoid.product(x, power)
        })
    }

    /// A power of an element, with any exponent.
    pub fn power(&self, x: u32, exponent: u64) -> u32 {
        let (least, period) = self.candidate.monoid.index_and_period(x);
        let (least, period) = (u64::from(least), u64::from(period));
        let exponent = if exponent < least { exponent } else { least + (exponent - least) % period };
        (0..exponent).fold(0, |y, _| self.candidate.monoid.product(y, x))
    }

    /// The outcome of a sum of heaps, all of them at most n.
    pub fn outcome(&self, sum: &[(u32, u32)]) -> Outcome {
        Outcome::p_if(self.candidate.p.has(self.value(sum) as usize))
    }

    /// An element z with x·z and y·z of different outcome, or `None` when x = y: the least such z.
    pub fn distinguishing(&self, x: u32, y: u32) -> Option<u32> {
        let monoid = &self.candidate.monoid;
        (0..index(self.order())).find(|&z| {
            let has = |v| self.candidate.p.has(monoid.product(v, z) as usize);
            has(x) != has(y)
        })
    }

    /// A reduced presentation: for each minimal word that is not the least of its element, the relation
    /// "word = least word". It is the reduced Gröbner basis for the colex order.
    pub fn relations(&self) -> Vec<(Word, Word)> {
        relations_of(&self.candidate.monoid)
    }

    /// Idempotents, units, kernel, archimedean components.
    pub fn structure(&self) -> Structure {
        let monoid = &self.candidate.monoid;
        let all = 0..index(self.order());
        // The idempotent power of each element: x^k with k ≥ index a multiple of the period.
        let limit: Vec<u32> = all
            .clone()
            .map(|x| {
                let (least, period) = monoid.index_and_period(x);
                let exponent = u64::from(least.max(1)).div_ceil(u64::from(period)) * u64::from(period);
                self.power(x, exponent)
            })
            .collect();
        let idempotents: Vec<u32> = all.clone().filter(|&x| limit[x as usize] == x).collect();
        let zero = idempotents.iter().fold(0, |x, &e| monoid.product(x, e));
        let component = |e: u32| all.clone().filter(|&x| limit[x as usize] == e).collect::<Vec<u32>>();
        Structure {
            units: component(0),
            kernel: {
                let mut kernel: Vec<u32> = all.clone().map(|x| monoid.product(x, zero)).collect();
                kernel.sort_unstable();
                kernel.dedup();
                kernel
            },
            components: idempotents.iter().map(|&e| component(e)).collect(),
            idempotents,
        }
    }

    /// Whether the quotient is one of misère Nim: trivial, {1, a} with a² = 1, or that together with an
    /// elementary abelian 2-group as kernel, in which P consists of a and the kernel's identity.
    pub fn is_tame(&self) -> bool {
        if self.order() <= 2 {
            return true;
        }
        let structure = self.structure();
        let monoid = &self.candidate.monoid;
        let Some(&identity) = structure.kernel.iter().find(|&&x| monoid.product(x, x) == x) else { return false };
        structure.kernel.len() + 2 == self.order()
            && structure.units.len() == 2
            && structure.kernel.iter().all(|&x| monoid.product(x, x) == identity)
            && self.candidate.p.iter().eq([structure.units[1] as usize, identity as usize])
    }

    /// Checks all four conditions of the theory page (`docs/theory/misere.md`) against the options:
    /// without an error, (Q, P) is the quotient of these heaps.
    pub fn verify(&self, table: &OptionTable, monitor: &dyn Monitor) -> Result<Result<(), String>, StopReason> {
        let candidate = &self.candidate;
        if table.heaps() < self.heaps() {
            return Ok(Err(format!("options are known for {} heaps only", table.heaps())));
        }
        // V1. The letters are heaps with their own value, and the elements are their products by construction.
        if candidate.p.has(0) {
            return Ok(Err("1 is in P".into()));
        }
        for heap in 0..candidate.values.len() {
            if table.inert(heap) && candidate.values[heap] != 0 {
                return Ok(Err(format!("heap {heap} has no options but is not 1")));
            }
        }
        let monoid = &candidate.monoid;
        for (l, &heap) in monoid.letters().iter().enumerate() {
            if candidate.values[heap as usize] != monoid.step(l, 0) {
                return Ok(Err(format!("heap {heap} is not its own letter")));
            }
        }
        // V2.
        let class = classes(monoid, &candidate.p, monitor)?;
        if class.iter().max().map_or(0, |&c| c as usize + 1) != self.order() {
            return Ok(Err("two elements cannot be told apart".into()));
        }
        // V3 and V4.
        Ok(match candidate.failure(table, monitor)? {
            Ok(_) => Ok(()),
            Err(word) => Err(format!("the outcome of {word:?} is wrong")),
        })
    }
}

impl Quotient {
    /// A quotient from its plain parts: generators, their action on the elements, the P-portion and the
    /// pretending function. The elements must be numbered in the colex order of their least words, as
    /// [`Quotient`] numbers them itself. The claim is not checked: [`Quotient::verify`] does that.
    pub fn from_parts(letters: &[u32], steps: &[Vec<u32>], p: &[u32], values: Vec<u32>) -> Result<Self, &'static str> {
        let order = steps.first().map_or(1, Vec::len);
        let inside = |x: &u32| (*x as usize) < order;
        if letters.len() != steps.len() || !letters.windows(2).all(|w| w[0] < w[1]) {
            return Err("the generators are not increasing, or have no rows");
        }
        if !steps.iter().all(|row| row.len() == order && row.iter().all(inside)) || order == 0 {
            return Err("the rows of the generators are not maps on the elements");
        }
        if !p.iter().all(inside) || !values.iter().all(inside) || values.first() != Some(&0) {
            return Err("the P-portion or the values are no elements, or heap 0 is not 1");
        }
        let step = |l: usize, x: u32| steps[l][x as usize];
        let e = enumerate(order, letters.len(), 0, step, &Unlimited).expect("no limits");
        let canonical = e.order.len() == order && e.order.iter().enumerate().all(|(i, &x)| i == x as usize);
        if !canonical || !e.least.iter().all(|&least| least) {
            return Err("the elements are not numbered by their least words");
        }
        let monoid = Monoid::new(&e, letters, step, &Unlimited).expect("no limits");
        let mut set = Bits::empty(order);
        for &x in p {
            set.insert(x as usize);
        }
        let words = values.iter().map(|&v| monoid.word(v)).collect();
        Ok(Self { candidate: Candidate { monoid, p: set, values, words } })
    }
}

impl Quotient {
    /// The same quotient with as few generators as can be had by leaving out those that are products of
    /// others, the smallest heaps first; its elements are numbered anew.
    #[must_use]
    pub fn with_few_generators(&self) -> Self {
        let old = &self.candidate.monoid;
        let mut kept: Vec<usize> = (0..old.letters().len()).collect();
        let enumeration = |kept: &[usize]| {
            enumerate(self.order(), kept.len(), 0, |l, x| old.step(kept[l], x), &Unlimited).expect("no limits")
        };
        for l in 0..old.letters().len() {
            let fewer: Vec<usize> = kept.iter().copied().filter(|&k| k != l).collect();
            if enumeration(&fewer).order.len() == self.order() {
                kept = fewer;
            }
        }
        let e = enumeration(&kept);
        let letters: Vec<u32> = kept.iter().map(|&l| old.letters()[l]).collect();
        let monoid = Monoid::new(&e, &letters, |l, x| old.step(kept[l], x), &Unlimited).expect("no limits");
        let values: Vec<u32> = self.candidate.values.iter().map(|&v| e.place[v as usize]).collect();
        let words = values.iter().map(|&v| monoid.word(v)).collect();
        let p = Bits::of(self.order(), |x| self.candidate.p.has(e.order[x] as usize));
        Self { candidate: Candidate { monoid, p, values, words } }
    }
}

/// [`Quotient::relations`] of a monoid alone.
pub fn relations_of(monoid: &Monoid) -> Vec<(Word, Word)> {
    let divisors = monoid.divisors(&Unlimited).expect("no limits");
    let least = |x: u32, l: usize| monoid.parent(monoid.step(l, x)) == Some((x, l));
    let mut relations = Vec::new();
    for l in 0..monoid.letters().len() {
        for x in 0..index(monoid.order()) {
            let largest = monoid.parent(x).map(|(_, l)| l);
            if largest.is_some_and(|m| m > l) || least(x, l) {
                continue;
            }
            let minimal = divisors.iter().all(|divisor| {
                let y = divisor[x as usize];
                y == NONE || least(y, l)
            });
            if minimal {
                let word = super::monoid::times(&monoid.word(x), monoid.letters()[l], 1);
                relations.push((word, monoid.word(monoid.step(l, x))));
            }
        }
    }
    relations
}
