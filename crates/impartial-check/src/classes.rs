//! Which states of an automaton words tell apart: partition refinement.

use crate::Checked;
use crate::hash::HashMap;
use crate::meter::Meter;
use crate::sets::NOWHERE;
use crate::walk::fits;

/// The class of each state: two states have the same one iff every word leads from both to states of the same class of `start`, or from both nowhere.
/// Classes are numbered in the order of their first states; `next` holds the successors of each state by all letters.
///
/// In each round only states before one that got a new class are looked at again. The others of their class lead where they led before, to classes
/// that are not new, so that they stay together and apart from these; where there are none, the largest part keeps its number. So no two states are parted that
/// no word tells apart, and at the end the states of a class lead to the same classes.
pub(crate) fn classes(
    start: impl Iterator<Item = u32>,
    letters: usize,
    next: &[u32],
    meter: &Meter<'_>,
) -> Checked<Vec<u32>> {
    let n = next.len() / letters.max(1);
    let _held = meter.hold(n as u64 * (96 + 40 * letters as u64))?;
    let row = |s: u32| &next[s as usize * letters..(s as usize + 1) * letters];
    let mut before: Vec<Vec<u32>> = vec![vec![]; n];
    for s in 0..fits(n)? {
        row(s).iter().filter(|&&t| t != NOWHERE).for_each(|&t| before[t as usize].push(s));
    }
    let mut class = in_order(start)?;
    let mut sizes: Vec<usize> = Vec::new();
    for &c in &class {
        sizes.resize(sizes.len().max(c as usize + 1), 0);
        sizes[c as usize] += 1;
    }
    let mut touched: Vec<u32> = (0..fits(n)?).collect();
    let mut is_touched = vec![true; n];
    while !touched.is_empty() {
        meter.steps(touched.len().saturating_mul(16 * letters))?;
        let width = letters + 1;
        let mut keys = Vec::with_capacity(touched.len() * width);
        for &s in &touched {
            keys.push(class[s as usize]);
            keys.extend(row(s).iter().map(|&t| if t == NOWHERE { NOWHERE } else { class[t as usize] }));
            is_touched[s as usize] = false;
        }
        let key = |i: usize| &keys[i * width..(i + 1) * width];
        let mut order: Vec<usize> = (0..touched.len()).collect();
        order.sort_unstable_by(|&i, &j| key(i).cmp(key(j)));
        let mut again = Vec::new();
        for of_class in order.chunk_by(|&i, &j| key(i)[0] == key(j)[0]) {
            let old = key(of_class[0])[0] as usize;
            let parts = || of_class.chunk_by(|&i, &j| key(i) == key(j)).enumerate();
            let all = of_class.len() == sizes[old];
            let stays = if all { parts().max_by_key(|(_, part)| part.len()).map(|(i, _)| i) } else { None };
            for (_, part) in parts().filter(|&(i, _)| Some(i) != stays) {
                let fresh = fits(sizes.len())?;
                sizes.push(part.len());
                sizes[old] -= part.len();
                for s in part.iter().map(|&i| touched[i] as usize) {
                    class[s] = fresh;
                    for &earlier in &before[s] {
                        if !std::mem::replace(&mut is_touched[earlier as usize], true) {
                            again.push(earlier);
                        }
                    }
                }
            }
        }
        touched = again;
    }
    in_order(class.into_iter())
}

/// The same classes, numbered in the order of their first states.
fn in_order(classes: impl Iterator<Item = u32>) -> Checked<Vec<u32>> {
    let mut numbers: HashMap<u32, u32> = HashMap::default();
    let number = |class| {
        let fresh = fits(numbers.len())?;
        Ok(*numbers.entry(class).or_insert(fresh))
    };
    classes.map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meter::Limits;

    /// Round by round over all pairs: a pair is told apart if its classes are, or one letter leads to a pair that is.
    fn plain(start: &[u32], letters: usize, next: &[u32]) -> Vec<u32> {
        let n = start.len();
        let mut apart: Vec<bool> = (0..n * n).map(|p| start[p / n] != start[p % n]).collect();
        loop {
            let led_apart = |p: usize| {
                (0..letters).any(|a| match (next[p / n * letters + a], next[p % n * letters + a]) {
                    (NOWHERE, NOWHERE) => false,
                    (NOWHERE, _) | (_, NOWHERE) => true,
                    (s, t) => apart[s as usize * n + t as usize],
                })
            };
            let more: Vec<bool> = (0..n * n).map(|p| apart[p] || led_apart(p)).collect();
            if more == apart {
                let first = |s: usize| (0..n).find(|&t| !apart[s * n + t]).expect("s itself");
                return in_order((0..n).map(|s| u32::try_from(first(s)).expect("small"))).expect("few");
            }
            apart = more;
        }
    }

    #[test]
    fn classes_are_those_of_all_pairs() {
        let meter = Meter::new(&Limits::default(), &|| true);
        let mut seed = 1_u64;
        let mut random = move |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            u32::try_from((seed >> 33) % below).expect("small")
        };
        let mut refined = 0;
        for round in 0..3000_u64 {
            let (n, letters) = (1 + round % 14, 1 + (round % 3) as usize);
            let start: Vec<u32> = (0..n).map(|_| random(1 + round % 3)).collect();
            let next: Vec<u32> =
                (0..n * letters as u64).map(|_| if random(9) == 0 { NOWHERE } else { random(n) }).collect();
            let found = classes(start.iter().copied(), letters, &next, &meter).expect("within limits");
            let expected = plain(&start, letters, &next);
            refined += usize::from(expected != in_order(start.iter().copied()).expect("few"));
            assert_eq!(found, expected, "{start:?} {next:?}");
        }
        assert!(refined > 1000, "{refined} partitions were refined");
    }
}
