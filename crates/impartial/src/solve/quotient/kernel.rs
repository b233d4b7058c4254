//! All heaps at once, when large heaps behave as in normal play.
//!
//! In most games with a finite quotient every large heap has its value in the kernel (the least ideal, a group), where sums
//! are added like Grundy values and the identity is the only P-position. Then the quotient of all heaps follows from that of
//! the first ones and the Grundy values (Theorem 2a of `docs/theory/misere.md`), whose period may be very long.

use super::finite::Quotient;
use super::monoid::{Monoid, NONE, enumerate, index};
use super::period::Shape;
use semilinear::run::Unlimited;

/// The Grundy values of the elements of a quotient, and its kernel.
#[derive(Clone, Debug)]
pub struct NormalKernel {
    /// γ: the Grundy value of each element.
    grundy: Vec<u32>,
    /// The element of the kernel with each Grundy value.
    kernel: Vec<u32>,
    /// The last heap whose value lies outside the kernel.
    last: usize,
}

impl NormalKernel {
    /// The kernel of the quotient of the heaps up to N, if it is normal and N is large enough for the values of all larger heaps to lie in it.
    /// `grundy` are the Grundy values of heaps 0, 1, …, N and of all generators.
    pub fn new(quotient: &Quotient, shape: Shape, grundy: &[u32]) -> Option<Self> {
        let monoid = quotient.monoid();
        let letters = monoid.letters();
        let value = |heap: u32| grundy.get(heap as usize).copied();
        let steps: Vec<u32> = letters.iter().map(|&heap| value(heap)).collect::<Option<_>>()?;
        let mut gamma = vec![0; monoid.order()];
        for x in 1..monoid.order() {
            let (before, letter) = monoid.parent(index(x))?;
            gamma[x] = gamma[before as usize] ^ steps[letter];
        }
        // γ is a homomorphism, and that of the heaps.
        let agrees = |l: usize| {
            let by = steps[l];
            monoid.steps(l).iter().zip(&gamma).all(|(&y, &g)| gamma[y as usize] == g ^ by)
        };
        let known = grundy.len().min(quotient.heaps() + 1);
        let heaps = quotient.values()[..known].iter().zip(grundy).all(|(&v, &g)| gamma[v as usize] == g);
        if !(0..letters.len()).all(agrees) || !heaps {
            return None;
        }
        // The least idempotent is the product of the idempotent powers of the generators.
        let zero = (0..letters.len()).fold(0, |e, l| {
            let generator = monoid.step(l, 0);
            let (least, period) = monoid.index_and_period(generator);
            let exponent = u64::from(least.max(1)).div_ceil(u64::from(period)) * u64::from(period);
            monoid.product(e, quotient.power(generator, exponent))
        });
        let mut members = monoid.row(zero);
        members.sort_unstable();
        members.dedup();
        let mut kernel = vec![NONE; members.len()];
        for &x in &members {
            // Injective on the kernel, and onto the numbers below its order.
            let place = kernel.get_mut(gamma[x as usize] as usize)?;
            if *place != NONE || quotient.p().has(x as usize) != (x == zero) {
                return None;
            }
            *place = x;
        }
        let outside = |v: &u32| members.binary_search(v).is_err();
        let last = quotient.values()[..known].iter().rposition(outside).unwrap_or(0);
        let found = Self { grundy: gamma, kernel, last };
        (shape.parts > 0 && quotient.heaps() >= found.heaps_needed(shape)).then_some(found)
    }

    /// The quotient of so many heaps is enough for that of all.
    pub fn heaps_needed(&self, shape: Shape) -> usize {
        shape.parts * self.last + shape.taken + shape.parts
    }

    /// The last heap whose value lies outside the kernel.
    pub fn last_outside(&self) -> usize {
        self.last
    }

    /// The number of elements outside the kernel.
    fn outside(&self) -> usize {
        self.grundy.len() - self.kernel.len()
    }

    /// Order and P-portion of Qₙ for the heaps beyond those of the quotient, from their Grundy values.
    pub fn orders(&self, quotient: &Quotient, grundy: &[u32]) -> Vec<(usize, usize)> {
        let mut span = self.kernel.len();
        let portion = quotient.p().count();
        grundy[quotient.heaps() + 1..]
            .iter()
            .map(|&g| {
                span = span.max((g as usize + 1).next_power_of_two());
                (self.outside() + span, portion)
            })
            .collect()
    }

    /// The quotient of the heaps whose Grundy values are given: the kernel is as large as these need.
    pub fn extended(&self, quotient: &Quotient, grundy: &[u32]) -> Option<Quotient> {
        let old = quotient.monoid();
        let largest = grundy.iter().copied().max().unwrap_or(0) as usize;
        let span = self.kernel.len().max((largest + 1).next_power_of_two());
        // A new generator for each power of 2 that is needed: the first heap with a Grundy value as large.
        let mut letters: Vec<u32> = old.letters().to_vec();
        let mut bit = self.kernel.len();
        while bit < span {
            letters.push(index(grundy.iter().position(|&g| g as usize >= bit)?));
            bit *= 2;
        }
        // Raw names: the kernel by Grundy value, then the other elements (whose γ is that of their projections to the kernel).
        let outside: Vec<u32> =
            (0..index(old.order())).filter(|&x| self.kernel[self.grundy[x as usize] as usize] != x).collect();
        let raw = |x: u32| match outside.binary_search(&x) {
            Ok(i) => index(span + i),
            Err(_) => self.grundy[x as usize],
        };
        let step = |l: usize, x: u32| {
            let by = grundy[letters[l] as usize];
            match outside.get((x as usize).wrapping_sub(span)) {
                None => x ^ by,
                Some(&y) if l < old.letters().len() => raw(old.step(l, y)),
                Some(&y) => self.grundy[y as usize] ^ by,
            }
        };
        let order = span + outside.len();
        let e = enumerate(order, letters.len(), raw(0), step, &Unlimited).expect("no limits");
        let monoid = Monoid::new(&e, &letters, step, &Unlimited).expect("no limits");
        let place = |x: u32| e.place[x as usize];
        let rows: Vec<Vec<u32>> = (0..monoid.letters().len()).map(|l| monoid.steps(l).to_vec()).collect();
        let p: Vec<u32> = quotient.p().iter().map(|x| place(raw(index(x)))).collect();
        let known = quotient.values().iter().map(|&v| place(raw(v)));
        let beyond = grundy.iter().skip(quotient.heaps() + 1).map(|&g| place(g));
        Quotient::from_parts(monoid.letters(), &rows, &p, known.chain(beyond).collect()).ok()
    }
}
