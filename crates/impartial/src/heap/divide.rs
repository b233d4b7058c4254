//! Every way to divide beans among a number of heaps.

/// Calls `found` with each non-decreasing list of `parts` positive numbers, all at least `least`, with
/// sum `total`; strictly increasing lists only when `strict`. Stops when `found` returns false, and
/// returns whether it ran to the end.
///
/// # Complexity
/// O(parts) for each list found, no recursion.
pub(super) fn divisions(
    total: u64,
    parts: u64,
    least: u64,
    strict: bool,
    found: &mut dyn FnMut(&[u64]) -> bool,
) -> bool {
    let least = least.max(1);
    let step = u64::from(strict);
    if parts == 0 {
        return total != 0 || found(&[]);
    }
    if !fits(least, parts, step, total) {
        return true;
    }
    let Ok(count) = usize::try_from(parts) else { return true };
    let mut list: Vec<u64> = (0..parts - 1).map(|i| least + i * step).collect();
    list.push(total - list.iter().sum::<u64>());
    loop {
        if !found(&list) {
            return false;
        }
        // The rightmost part that can grow by one, with the smallest parts that may follow it.
        let mut rest = list[count - 1];
        let next = (0..count - 1).rev().find(|&i| {
            rest += list[i];
            fits(list[i] + 1, (count - i) as u64, step, rest)
        });
        let Some(i) = next else { return true };
        let first = list[i] + 1;
        for (offset, part) in (0..).zip(&mut list[i..count - 1]) {
            *part = first + offset * step;
            rest -= *part;
        }
        list[count - 1] = rest;
    }
}

/// Whether `parts` numbers beginning with `first`, growing by `step`, have a sum of at most `total`.
fn fits(first: u64, parts: u64, step: u64, total: u64) -> bool {
    let (first, parts) = (u128::from(first), u128::from(parts));
    // Every factor is below 2⁶⁴ and the sum may pass 2¹²⁸ only when it is far above `total`.
    let growth = u128::from(step) * (parts * (parts - 1) / 2);
    first.checked_mul(parts).and_then(|sum| sum.checked_add(growth)).is_some_and(|sum| sum <= u128::from(total))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(total: u64, parts: u64, least: u64, strict: bool) -> Vec<Vec<u64>> {
        let mut lists = Vec::new();
        assert!(divisions(total, parts, least, strict, &mut |list| {
            lists.push(list.to_vec());
            true
        }));
        lists
    }

    #[test]
    fn small_divisions() {
        assert_eq!(all(5, 2, 1, false), [[1, 4], [2, 3]]);
        assert_eq!(all(4, 2, 1, true), [[1, 3]]);
        assert_eq!(all(6, 3, 1, false), [[1, 1, 4], [1, 2, 3], [2, 2, 2]]);
        assert_eq!(all(6, 2, 2, false), [[2, 4], [3, 3]]);
        assert_eq!(all(0, 0, 1, false), [[0_u64; 0]]);
        assert_eq!(all(7, 1, 1, true), [[7]]);
        assert!(all(3, 0, 1, false).is_empty());
        assert!(all(0, 1, 1, false).is_empty());
    }

    #[test]
    fn the_number_of_partitions_is_right() {
        // p(n, k) = p(n − 1, k − 1) + p(n − k, k); with different parts q(n, k) = p(n − k(k−1)/2, k).
        fn p(n: i64, k: i64) -> u64 {
            match (n, k) {
                (0, 0) => 1,
                _ if n <= 0 || k <= 0 => 0,
                _ => p(n - 1, k - 1) + p(n - k, k),
            }
        }
        for total in 0..=18_u64 {
            for parts in 0..=total {
                let (n, k) = (i64::try_from(total).unwrap(), i64::try_from(parts).unwrap());
                assert_eq!(all(total, parts, 1, false).len() as u64, p(n, k), "{total} into {parts}");
                assert_eq!(all(total, parts, 1, true).len() as u64, p(n - k * (k - 1) / 2, k), "{total} into {parts}");
            }
        }
    }

    #[test]
    fn a_huge_division_can_be_stopped() {
        let mut seen = 0;
        assert!(!divisions(u64::MAX, 3, 1, false, &mut |_| {
            seen += 1;
            seen < 100
        }));
        assert!(divisions(10, u64::MAX, 1, true, &mut |_| true));
    }
}
