//! Codes whose Grundy sequences are the same, or the same after a few zeros.

use super::{Engine, Sequence};
use crate::heap::{Code, HeapRules};
use crate::solve::quotient::first_cousin;
use semilinear::run::{Monitor, StopReason};

/// A code whose Grundy sequence, after `beans` zeros, is that of another one: heap n + `beans` of that one has the value of heap n here, and its
/// heaps below `beans` have the value 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SameValues {
    /// The code.
    pub code: Code,
    /// The number of zeros before its values.
    pub beans: usize,
}

impl SameValues {
    /// The simplest code known to have the values of a code, for all heaps: moves that change no value are left out and first cousins are taken in turn
    /// until heap 1 has an option (`docs/theory/periods.md`, Lemma 3). A code that repeats digits for ever stands for itself.
    ///
    /// ```
    /// use semilinear::run::Unlimited;
    /// use impartial::solve::sequence::SameValues;
    /// let same = |code: &str| SameValues::of(&code.parse().unwrap(), &Unlimited).unwrap();
    /// assert_eq!((same("0.07").code.to_string(), same("0.07").beans), ("0.137".to_owned(), 1));
    /// assert_eq!(same("0.27").code, same("0.26").code);
    /// ```
    pub fn of(code: &Code, monitor: &dyn Monitor) -> Result<Self, StopReason> {
        let mut same = Self { code: code.clone(), beans: 0 };
        if code.repeat() > 0 {
            return Ok(same);
        }
        loop {
            same.code = reduced(&same.code, monitor)?;
            // The smallest heap with a value other than 0 becomes smaller, so this ends.
            let Some(cousin) = first_cousin(&same.code) else { return Ok(same) };
            same = Self { code: cousin, beans: same.beans + 1 };
        }
    }
}

/// A finite code without the moves that change no value, as far as its own digits show:
///
/// * taking a heap of k beans whole, when it has another option of value 0;
/// * taking k and leaving one heap, when j < k may be taken so that two heaps are left and heap k − j has value 0.
fn reduced(code: &Code, monitor: &dyn Monitor) -> Result<Code, StopReason> {
    let digits = code.digits();
    let mut sequence = Sequence::new(HeapRules::Code(code.clone()), Engine::Plain);
    sequence.extend(digits.len(), monitor)?;
    let value = |heap: usize| sequence.narrow().at(heap);
    let mut fewer = digits.to_vec();
    for k in 1..digits.len() {
        let zero_beside = |j: usize| digits[j] & 4 != 0 && value(k - j) == 0;
        if digits[k] & 2 != 0 && (0..k).any(zero_beside) {
            fewer[k] &= !2;
        }
        // The other options of heap k, those that were left out above among them.
        let mut other_options = (0..k).flat_map(|j| left_by(digits[j], k - j));
        if digits[k] & 1 != 0 && other_options.any(|option| option.into_iter().fold(0, |sum, h| sum ^ value(h)) == 0) {
            fewer[k] &= !1;
        }
    }
    Ok(Code::finite(fewer))
}

/// The ways to leave `rest` ≥ 1 beans as one, two or three heaps, as a digit allows.
fn left_by(digit: u8, rest: usize) -> Vec<Vec<usize>> {
    let mut ways = Vec::new();
    if digit & 2 != 0 {
        ways.push(vec![rest]);
    }
    for a in 1..rest {
        if digit & 4 != 0 {
            ways.push(vec![a, rest - a]);
        }
        if digit & 8 != 0 {
            ways.extend((1..rest - a).map(|b| vec![a, b, rest - a - b]));
        }
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use semilinear::run::Unlimited;

    fn values(code: &Code, len: usize) -> Vec<u32> {
        let mut sequence = Sequence::new(HeapRules::Code(code.clone()), Engine::Plain);
        sequence.extend(len, &Unlimited).unwrap();
        sequence.values().to_vec()
    }

    fn same(code: &Code) -> SameValues {
        SameValues::of(code, &Unlimited).unwrap()
    }

    /// The values of both to heap 120, by the plain loop.
    fn agree(code: &Code) {
        let SameValues { code: simple, beans } = same(code);
        let (own, others) = (values(code, 120), values(&simple, 120 - beans));
        assert!(own[..beans].iter().all(|&value| value == 0), "{code}");
        assert_eq!(own[beans..], others, "{code} is {simple} with {beans} more");
        assert_eq!(same(&simple), SameValues { code: simple, beans: 0 });
    }

    #[test]
    fn all_octal_codes_with_three_digits_have_the_values_of_simpler_ones() {
        for first in [0, 4] {
            for n in 0..512_u16 {
                let digit = |shift: u16| u8::try_from(n >> shift & 7).unwrap();
                agree(&Code::new(vec![first, digit(6), digit(3), digit(0)], 0).unwrap());
            }
        }
    }

    #[test]
    fn what_is_left_out() {
        let simple = |code: &str| same(&code.parse().unwrap()).code.to_string();
        for (code, wanted) in [
            ("0.0", "0.0"),
            ("0.770", "0.77"),
            ("0.137", "0.137"),
            // Heap 2 has the option heap 1, of value 0: no need to take it whole.
            ("0.27", &simple("0.26")),
            // One bean less leaves a heap of value 0 beside.
            ("0.42", &simple("0.4")),
            ("0.[3]", "0.[3]"),
        ] {
            assert_eq!(simple(code), wanted, "{code}");
        }
        // Errors in print: these pairs differ.
        assert_ne!(simple("0.161"), simple("0.36"));
        assert_ne!(simple("0.314"), simple("0.31"));
    }

    proptest! {
        #[test]
        fn random_codes_have_the_values_of_simpler_ones(first in prop::sample::select(vec![0_u8, 4, 8, 12]), rest in prop::collection::vec(0_u8..16, 0..6)) {
            let digits = std::iter::once(first).chain(rest).collect();
            agree(&Code::new(digits, 0).unwrap());
        }
    }
}
