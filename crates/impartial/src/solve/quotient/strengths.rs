//! Which heaps can outweigh others, and by how much less than they weigh (`docs/theory/dominance.md`).

use super::Quotient;
use semilinear::run::{Monitor, StopReason};

/// The strengths of the heaps 0 to `last`.
///
/// A heap is as strong as it is heavy, unless it is worth as much as a sum of lighter heaps that weigh the same together: then it is as
/// strong as the strongest of them. Of all such sums the one counts whose strongest heap is weakest.
pub(super) fn read(
    quotient: &Quotient,
    weight: &dyn Fn(usize) -> u32,
    last: usize,
    monitor: &dyn Monitor,
) -> Result<Vec<u32>, StopReason> {
    let (monoid, values) = (quotient.monoid(), quotient.values());
    let mut strengths: Vec<u32> = (0..=last).map(weight).collect();
    let most = strengths.iter().copied().max().unwrap_or(0);
    let weightless: Vec<u32> = (1..=last).filter(|&h| weight(h) == 0).map(|h| values[h]).collect();
    // Lowers what an element has, and what it has beside heaps without weight.
    let lower = |row: &mut [u32], element: u32, strength: u32| {
        let mut new = vec![element];
        while let Some(element) = new.pop() {
            if row[element as usize] > strength {
                row[element as usize] = strength;
                new.extend(weightless.iter().map(|&beside| monoid.product(element, beside)));
            }
        }
    };
    // For each weight and element the strength of such a sum.
    let mut rows: Vec<Vec<u32>> = Vec::new();
    for all in 0..=most {
        monitor.check(u64::from(all), Some(most.into()))?;
        let mut row = vec![u32::MAX; monoid.order()];
        if all == 0 {
            lower(&mut row, 0, 0);
        }
        let lighter = (1..=last).filter(|&h| (1..all).contains(&weight(h)));
        for heap in lighter {
            for (element, &strength) in (0u32..).zip(&rows[(all - weight(heap)) as usize]) {
                if strength < u32::MAX {
                    lower(&mut row, monoid.product(element, values[heap]), strength.max(strengths[heap]));
                }
            }
        }
        let own: Vec<usize> = (1..=last).filter(|&h| all > 0 && weight(h) == all).collect();
        for &heap in &own {
            strengths[heap] = strengths[heap].min(row[values[heap] as usize]);
        }
        for heap in own {
            lower(&mut row, values[heap], strengths[heap]);
        }
        rows.push(row);
    }
    Ok(strengths)
}
