//! Part "kernel" of the form "quotient": large heaps behave as in normal play.
//!
//! Theorem 2a of `docs/theory/misere.md`: the quotient of finitely many heaps, checked before, becomes that of all heaps.

use crate::format::NimSequence;
use crate::heap::Rules;
use crate::mex::verified;
use crate::misere::Claim;
use crate::monoid::{Set, has};
use crate::{Checked, refuse};

pub(crate) fn check(
    claim: &Claim<'_>,
    p: &Set,
    values: &[usize],
    generators: &[usize],
    sequence: NimSequence,
) -> Checked {
    let (monoid, meter) = (&claim.monoid, claim.monoid.meter);
    meter.extension("normal play");
    let Rules::Code(code) = &claim.rules else { return refuse("certificate.kernel: the game is given by clauses") };
    let sequence = verified(code, sequence, meter)?;
    let Some((taken, parts)) = claim.rules.bounds().filter(|&(_, parts)| parts > 0 && sequence.saltus == 0) else {
        return refuse("certificate.kernel: the code does not end or leaves no heap, or the values have a saltus");
    };
    let value = |heap: usize| {
        let past = heap.saturating_sub(sequence.preperiod) % sequence.period;
        sequence.values.get(heap).copied().unwrap_or_else(|| sequence.values[sequence.preperiod + past])
    };
    // γ of each element: well defined, and the Grundy value of each heap.
    let mut gamma: Vec<Option<u64>> = vec![None; monoid.order];
    gamma[0] = Some(0);
    let mut stack = vec![0];
    while let Some(x) = stack.pop() {
        for (map, &heap) in monoid.steps.iter().zip(generators) {
            let y = map[x] as usize;
            let there = gamma[x].map(|g| g ^ value(heap));
            match gamma[y] {
                None => {
                    gamma[y] = there;
                    stack.push(y);
                }
                known if known == there => {}
                _ => return refuse(format!("certificate.kernel: element {y} has two Grundy values")),
            }
        }
    }
    if let Some(heap) = (0..values.len()).find(|&h| gamma[values[h]] != Some(value(h))) {
        return refuse(format!("certificate.kernel: heap {heap} has another Grundy value than its element"));
    }
    // The kernel: what every element can be multiplied into. Start anywhere deep, and take all that is reached from there.
    let mut deep = 0;
    for map in &monoid.steps {
        for _ in 0..monoid.order {
            deep = map[deep] as usize;
        }
    }
    let mut kernel = vec![false; monoid.order];
    kernel[deep] = true;
    let mut stack = vec![deep];
    while let Some(x) = stack.pop() {
        for map in &monoid.steps {
            let y = map[x] as usize;
            if !kernel[y] {
                kernel[y] = true;
                stack.push(y);
            }
        }
    }
    let members: Vec<usize> = (0..monoid.order).filter(|&x| kernel[x]).collect();
    let mut seen = vec![false; members.len()];
    for &x in &members {
        let g = gamma[x].and_then(|g| usize::try_from(g).ok()).filter(|&g| g < members.len() && !seen[g]);
        let Some(g) = g else {
            return refuse("certificate.kernel: the kernel is not the group of Grundy values below its order");
        };
        seen[g] = true;
        if has(p, x) != (g == 0) {
            return refuse("certificate.kernel: the P-positions of the kernel are not those of Grundy value 0");
        }
    }
    if sequence.values.iter().any(|&g| g >= members.len() as u64) {
        return refuse("certificate.kernel: a heap has a larger Grundy value than the kernel");
    }
    // Generators are the values of their heaps.
    let bound = values.len() - 1;
    for (map, &heap) in monoid.steps.iter().zip(generators) {
        let first = map[0] as usize;
        let right = if heap <= bound { values[heap] == first } else { kernel[first] };
        refuse_if!(!right, "certificate.generators: heap {heap} does not have its own value");
    }
    let last = values.iter().rposition(|&v| !kernel[v]).unwrap_or(0);
    let needed = parts * last + taken + parts;
    refuse_if!(bound < needed, "certificate.values: values up to heap {needed} are needed");
    Ok(())
}
