//! Games in which a heap may be brought down to about its half: closed forms for their Grundy values.

use num_bigint::BigUint;
use num_traits::One as _;

use super::{HeapFile, HeapRules};

/// A game in which a heap of n may become any smaller heap that is not below about half of n.
///
/// * *At most half*: from n to ⌈n/2⌉, …, n − 1. With n + 1 = 2ᵃ(2v + 1) the Grundy value of n is v.
/// * *Fewer than n/2 + 1*: from n to ⌊n/2⌋, …, n − 1. With n + 2 = 2ᵃ(2v + 1) it is v.
///
/// The options of a heap have different values, and those of the longest windows have all values up to a bound
/// (`docs/theory/sprague-grundy.md`, section 5).
///
/// ```
/// use impartial::heap::{Halving, HeapFile};
/// let rules = HeapFile::from_toml("[[moves]]\ntake = '1..'\nlimit = '< n/2+1'\nleave = '0..1'").unwrap().rules;
/// let game = Halving::of(&rules).unwrap();
/// let value = |n: u32| game.value(&n.into()).to_string();
/// assert_eq!([0, 1, 2, 3, 4, 5, 6, 7].map(value), ["0", "1", "0", "2", "1", "3", "0", "4"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Halving {
    /// n + `shift` has the value in its odd part.
    shift: u8,
}

impl Halving {
    /// The closed form of the rules, when they are of this kind.
    pub fn of(rules: &HeapRules) -> Option<Self> {
        let known = [(1, "<= n/2", "leave = 1"), (2, "< n/2+1", "leave = \"0..1\"")];
        known.into_iter().find_map(|(shift, limit, leave)| {
            let text = format!("[[moves]]\ntake = \"1..\"\nlimit = \"{limit}\"\n{leave}");
            let same = HeapFile::from_toml(&text).is_ok_and(|file| file.rules == *rules);
            same.then_some(Self { shift })
        })
    }

    /// The Grundy value of a heap of any size.
    pub fn value(self, heap: &BigUint) -> BigUint {
        let shifted = heap + self.shift;
        let odd = &shifted >> shifted.trailing_zeros().unwrap_or(0);
        odd >> 1_u8
    }

    /// The option of a heap that has a value, if there is one: options have different values.
    pub fn option_with_value(self, heap: &BigUint, value: &BigUint) -> Option<BigUint> {
        // Options o satisfy low ≤ o < heap; o + shift = 2ᵃ(2·value + 1).
        let low: BigUint = if self.shift == 1 { (heap + 1_u8) >> 1_u8 } else { heap >> 1_u8 };
        let mut sum: BigUint = (value << 1_u8) + BigUint::one();
        while sum < heap + self.shift {
            if sum >= &low + self.shift {
                return Some(sum - self.shift);
            }
            sum <<= 1_u8;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both closed forms against the definition, heap by heap, with every option.
    #[test]
    fn closed_forms_are_the_grundy_values() {
        for text in [
            "[[moves]]\ntake = '1..'\nlimit = '<= n/2'\nleave = 1",
            "[[moves]]\ntake = '1..'\nlimit = '< n/2+1'\nleave = '0..1'",
        ] {
            let rules = HeapFile::from_toml(text).unwrap().rules;
            let game = Halving::of(&rules).unwrap();
            let mut values: Vec<u64> = Vec::new();
            for heap in 0..400_u64 {
                let options: Vec<u64> =
                    rules.heap_options(heap).iter().map(|parts| parts.first().copied().unwrap_or(0)).collect();
                let value = crate::nimber::mex(options.iter().map(|&o| values[usize::try_from(o).unwrap()]));
                assert_eq!(game.value(&heap.into()), value.into(), "{text}: {heap}");
                for v in 0..20_u64 {
                    let right = options.iter().copied().find(|&o| values[usize::try_from(o).unwrap()] == v);
                    let found = game.option_with_value(&heap.into(), &v.into());
                    assert_eq!(found, right.map(BigUint::from), "{text}: {heap} to value {v}");
                }
                values.push(value);
            }
        }
        let other = HeapFile::from_toml("[[moves]]\ntake = '1..'\nlimit = '<= n/3'\nleave = 1").unwrap().rules;
        assert_eq!(Halving::of(&other), None);
    }
}
